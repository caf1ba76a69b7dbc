// SPDX-License-Identifier: MIT
// Tests src/device/device_stay.c, src/device/device_arrays.c, src/device/device_keep.c, src/device/device_few.c,
// src/integrator/device_motion.c, src/math/exact_cut.h, src/model/remote.h.
// Motion that stays on a device: kicks, drifts and velocities of its nodes, their sums, and their transfer to the processor,
// against the same on the processor; nodes of the processor are not changed.
#include "../../solids.h"
#include "device/device.h"
#include "math/exact.h"
#include "model/forces/forces.h"
#include "model/state/ledger.h"
#include "sim/sim.h"

enum { EVERY = 3 }; // nodes of the processor

typedef struct setting {
    solid s;
    const carom_model *model;
    carom_device *device;
    carom_state *state;
    int *here, count;
    carom_vectors x, v, w, kicks, force, drag; // expected values at all nodes
    carom_device_motion arrays;                // of the state and of a method
} setting;

static carom_vectors vectors_of(const carom_model *model, double size, uint64_t seed) {
    carom_vectors made = solid_reserve(model->node_count, sizeof *made);
    for (int k = 0; k < model->node_count; k++)
        for (int i = 0; i < 3; i++)
            made[k][i] = size > 0 ? random_real(&seed, -size, size) : 0;
    return made;
}

static void send(const setting *t) {
    size_t size = sizeof *t->x * (size_t)t->model->node_count;
    memcpy(t->arrays.x, t->x, size);
    memcpy(t->arrays.v, t->v, size);
    memcpy(t->arrays.w, t->w, size);
    memcpy(t->arrays.kicks, t->kicks, size);
    carom_device_send(t->device);
}

static void start(setting *t) {
    carom_error error;
    carom_body_def *body = solid_start(&t->s, &solid_cases[5], VECTOR(1.4, 1, 1), (const int[]){6, 5, 5}, "neo-hookean",
                                       (carom_elastic_params){3, 0.3, 1});
    body->damping.mass = 0.4;
    memcpy(t->s.b.def.gravity, VECTOR(0.1, 0, -1), sizeof t->s.b.def.gravity);
    bench_build(&t->s.b);
    t->model = t->s.b.model;
    assert_int_equal(carom_state_create(t->model, &t->state, &error), CAROM_OK);
    assert_int_equal(carom_device_create(carom_backend_emulation(), t->model, &t->device, &error), CAROM_OK);
    t->here = solid_reserve(t->model->node_count, sizeof *t->here);
    t->count = 0;
    for (int k = 0; k < t->model->node_count; k += EVERY)
        t->here[t->count++] = k;
    t->x = vectors_of(t->model, 0.02, 1);
    for (int k = 0; k < t->model->node_count; k++)
        carom_add_scaled(1, t->model->X[k], t->x[k]);
    t->v = vectors_of(t->model, 0.5, 2);
    t->w = vectors_of(t->model, 0.5, 3);
    t->kicks = vectors_of(t->model, 0.1, 4);
    t->force = vectors_of(t->model, 0, 0);
    t->drag = vectors_of(t->model, 0, 0);
    t->arrays = (carom_device_motion){.x = t->state->x,
                                      .v = t->state->v,
                                      .w = vectors_of(t->model, 0, 0),
                                      .kicks = vectors_of(t->model, 0, 0),
                                      .force = t->force,
                                      .drag = vectors_of(t->model, 0, 0)};
    carom_device_serve(t->device, t->state);
    assert_int_equal(carom_device_stay(t->device, t->here, t->count, &t->arrays, &error), CAROM_OK);
    send(t);
}

static void end(setting *t) {
    carom_device_release(t->device);
    carom_state_release(t->state);
    free(t->here), free(t->x), free(t->v), free(t->w), free(t->kicks), free(t->force), free(t->drag);
    free(t->arrays.w), free(t->arrays.kicks), free(t->arrays.drag);
    bench_end(&t->s.b);
}

static bool is_here(int k) {
    return k % EVERY == 0;
}

// Values at the nodes of the device are the expected ones; those of the processor are unchanged.
static void assert_brought(const setting *t, const double (*expected)[3], const double (*found)[3], double kept) {
    for (int k = 0; k < t->model->node_count; k++)
        for (int i = 0; i < 3; i++)
            assert_true(found[k][i] == (is_here(k) ? kept : expected[k][i]));
}

static void fill(const setting *t, double value, double (*vectors)[3]) {
    for (int k = 0; k < t->model->node_count; k++)
        vectors[k][0] = vectors[k][1] = vectors[k][2] = value;
}

static void add_all(carom_exact *sums, const double impulse[3], const double moment[3]) {
    for (int i = 0; i < 3; i++) {
        carom_exact_add(&sums[CAROM_KICK_IMPULSE + i], impulse[i]);
        carom_exact_add(&sums[CAROM_KICK_MOMENT + i], moment[i]);
    }
}

// The kick of the nodes of the device and its ledger entries, computed by the processor.
typedef struct expected_kick {
    double h, next, after; // length of the kick and of the next drift, and the fraction of the kick that acts later
    carom_vectors before;  // velocities
    double most, fastest;
    carom_exact sums[CAROM_KICK_SUMS], kinetic, external;
} expected_kick;

static void kick_node(setting *t, int k, carom_vectors f, expected_kick *e) {
    const carom_model *model = t->model;
    const double h = e->h, next = e->next, after = e->after;
    const carom_vectors before = e->before;
    double c = 0.5 * h * 0.4, scale = h / model->mass[k], impulse[3], moment[3], work = 0;
    e->most = fmax(e->most, scale * carom_norm(f[k]));
    carom_add_scaled(scale, f[k], t->w[k]);
    for (int i = 0; i < 3; i++) {
        t->w[k][i] = (t->w[k][i] - c * before[k][i]) / (1 + c);
        t->drag[k][i] = -0.5 * 0.4 * model->mass[k] * (before[k][i] + t->w[k][i]);
        f[k][i] += t->drag[k][i];
        t->kicks[k][i] = (t->w[k][i] - before[k][i]) / (h / next) - next * t->drag[k][i] / model->mass[k];
        t->v[k][i] = after * before[k][i] + (1 - after) * t->w[k][i];
    }
    e->fastest = fmax(e->fastest, carom_dot(t->w[k], t->w[k]));
    const double *const forces[2] = {model->load[k], t->drag[k]};
    for (int a = 0; a < 2; a++) {
        carom_cross(t->x[k], forces[a], moment);
        for (int i = 0; i < 3; i++) {
            impulse[i] = h * forces[a][i];
            moment[i] *= h;
        }
        add_all(e->sums, impulse, moment);
    }
    double mean[3] = {0.5 * (before[k][0] + t->w[k][0]), 0.5 * (before[k][1] + t->w[k][1]), 0.5 * (before[k][2] + t->w[k][2])};
    work = h * carom_dot(t->drag[k], mean);
    carom_exact_add(&e->sums[CAROM_KICK_DAMPING], -work);
    carom_exact_add(&e->kinetic, 0.5 * model->mass[k] * carom_dot(t->v[k], t->v[k]));
    double moved[3];
    carom_difference(t->x[k], model->X[k], moved);
    carom_exact_add(&e->external, -carom_dot(model->load[k], moved));
}

// `reported_after`: the fraction given to carom_device_push, which may differ from that of the velocities.
static void compare_step(double reported_after) {
    setting t;
    start(&t);
    const carom_model *model = t.model;
    const double h = 0.006, next = 0.008, after = 0.375;
    carom_vectors old = vectors_of(model, 0.5, 2);
    double *slots = solid_reserve(carom_model_slot_count(model), sizeof *slots);
    carom_vectors f = vectors_of(model, 0, 0), before = vectors_of(model, 0.5, 3), got = vectors_of(model, 0, 0);
    carom_exact sums_found[CAROM_KICK_SUMS] = {0};

    // drift; nodes of the processor have moved differently
    for (int k = 0; k < model->node_count; k++)
        carom_add_scaled(is_here(k) ? 2 * next : next, t.w[k], t.x[k]);
    carom_device_drift(t.device, next);
    fill(&t, -7, got);
    carom_device_copy_back(t.device, &(carom_device_motion){.x = got});
    assert_brought(&t, (carom_const_vectors)t.x, (carom_const_vectors)got, -7);

    // forces on the nodes of the processor; positions of the others are not read
    for (int k = 0; k < model->node_count; k++)
        if (is_here(k))
            carom_copy(t.x[k], t.state->x[k]);
    carom_model_force(model, (carom_const_vectors)t.x, slots, f, NULL);
    carom_device_force(t.device, t.state, t.force, &(carom_force_outputs){0});
    for (int k = 0; k < model->node_count; k++)
        for (int i = 0; i < 3; i++)
            assert_true(is_here(k) ? t.force[k][i] == f[k][i] : isnan(t.force[k][i]));

    // kick, with its ledger entries
    expected_kick kick = {.h = h, .next = next, .after = after, .before = before};
    for (int k = 0; k < model->node_count; k++)
        if (!is_here(k))
            kick_node(&t, k, f, &kick);
    double reported_most, reported_fastest;
    carom_device_push(t.device, h, next, reported_after, &reported_most, &reported_fastest, sums_found);
    assert_true(reported_most == kick.most && reported_fastest == kick.fastest);
    for (int a = 0; a < CAROM_KICK_SUMS; a++)
        assert_true(carom_exact_value(&sums_found[a]) == carom_exact_value(&kick.sums[a]));
    // between the kick and carom_device_settle the velocities are those before the kick
    fill(&t, -3, got);
    carom_device_copy_back(t.device, &(carom_device_motion){.v = got});
    assert_brought(&t, (carom_const_vectors)old, (carom_const_vectors)got, -3);
    assert_true(carom_device_settle(t.device, after));
    assert_true(carom_exact_value(&t.state->remote->kinetic) == carom_exact_value(&kick.kinetic));
    assert_true(carom_exact_value(&t.state->remote->external) == carom_exact_value(&kick.external));

    const carom_vectors expected[] = {t.w, t.v, t.kicks, f, t.drag};
    for (int a = 0; a < 5; a++) {
        fill(&t, 5 + a, got);
        carom_device_motion asked = {.w = a == 0 ? got : NULL,
                                     .v = a == 1 ? got : NULL,
                                     .kicks = a == 2 ? got : NULL,
                                     .force = a == 3 ? got : NULL,
                                     .drag = a == 4 ? got : NULL};
        carom_device_copy_back(t.device, &asked);
        assert_brought(&t, (carom_const_vectors)expected[a], (carom_const_vectors)got, 5 + a);
    }
    free(slots), free(f), free(before), free(got), free(old);
    end(&t);
}

static void a_step_has_the_same_bits(void **unused) {
    (void)unused;
    compare_step(0.375);
    compare_step(0.5);
}

static void a_few_nodes_are_fetched(void **unused) {
    (void)unused;
    setting t;
    start(&t);
    const int nodes[] = {1, 3, 50, 7};
    carom_vectors got = vectors_of(t.model, 0, 0);
    fill(&t, -1, got);
    carom_device_fetch(t.device, nodes, 4, &(carom_device_motion){.w = got});
    for (int k = 0; k < t.model->node_count; k++) {
        bool asked = k == 1 || k == 50 || k == 7;
        for (int i = 0; i < 3; i++)
            assert_true(got[k][i] == (asked ? t.w[k][i] : -1));
    }
    free(got);
    end(&t);
}

// The number of rows of NaN at nodes of the device; rows of nodes of the processor are never NaN.
static int spoiled(const setting *t, const double (*vectors)[3]) {
    int count = 0;
    for (int k = 0; k < t->model->node_count; k++) {
        assert_true(!is_here(k) || isfinite(vectors[k][0]));
        count += isnan(vectors[k][0]) && isnan(vectors[k][1]) && isnan(vectors[k][2]);
    }
    return count;
}

// Rows that the device has changed are NaN in the arrays of the state until a caller announces that it reads them. If a caller
// announces that it writes them, they are transferred, and the motion is no longer on the device.
static void stale_rows_are_no_numbers(void **unused) {
    (void)unused;
    setting t;
    start(&t);
    const int others = t.model->node_count - t.count, node = 1;
    carom_state *state = t.state;
    carom_const_vectors x = (carom_const_vectors)state->x, v = (carom_const_vectors)state->v,
                        w = (carom_const_vectors)t.arrays.w;
    assert_true(carom_state_moved_by(state) && !carom_state_on_device(state, CAROM_ARRAYS_ALL));
    assert_true(carom_state_is_finite(state));
    for (int round = 0; round < 2; round++) {
        carom_device_drift(t.device, 0.01);
        assert_int_equal(spoiled(&t, x), others);
        assert_int_equal(spoiled(&t, v) + spoiled(&t, w), 0);
        // one row is read, the others remain on the device; it becomes NaN again when it is outdated
        carom_state_read_rows(state, CAROM_ARRAYS_MOTION, (carom_state_rows){.nodes = &node, .node_count = 1});
        assert_int_equal(spoiled(&t, x), others - 1);
        assert_true(carom_state_on_device(state, CAROM_ARRAYS_MOTION) && isfinite(x[node][0]));
    }
    // the device checks its rows, the processor its own
    assert_true(carom_state_is_finite(state));
    state->x[0][1] = NAN;
    assert_false(carom_state_is_finite(state));
    state->x[0][1] = 0;
    carom_state_read(state, CAROM_ARRAYS_VELOCITIES);
    assert_int_equal(spoiled(&t, x), others - 1);
    assert_true(carom_state_positions(state) == x);
    assert_int_equal(spoiled(&t, x), 0);
    for (int k = 0; k < t.model->node_count; k++)
        for (int i = 0; i < 3 && !is_here(k); i++)
            assert_true(x[k][i] == t.x[k][i] + 0.01 * t.w[k][i] + 0.01 * t.w[k][i]);
    // a copy of a state on the device is complete
    carom_state *copy;
    carom_error error;
    assert_int_equal(carom_state_create_like(state, &copy, &error), CAROM_OK);
    carom_device_drift(t.device, 0.01);
    carom_state_copy_but(copy, state, carom_device_keep(t.device, CAROM_COPY_GOOD, copy));
    assert_int_equal(spoiled(&t, (carom_const_vectors)copy->x), others);
    assert_int_equal(spoiled(&t, x), others);
    carom_device_drift(t.device, -0.01);
    assert_true(carom_state_positions(copy)[node][0] != carom_state_positions(state)[node][0]);
    assert_int_equal(spoiled(&t, x) + spoiled(&t, (carom_const_vectors)copy->x), 0);
    carom_state_release(copy);
    // after positions are written, the motion is no longer on the device
    carom_device_drift(t.device, 0.01);
    carom_state_write(state, CAROM_ARRAYS_POSITIONS);
    assert_int_equal(spoiled(&t, x), 0);
    assert_null(carom_state_moved_by(state));
    end(&t);
}

static void nodes_that_were_pushed_are_found(void **unused) {
    (void)unused;
    setting t;
    start(&t);
    double *until = solid_reserve(t.model->node_count, sizeof *until), most = 0.3, now = 2;
    uint64_t seed = 5;
    for (int k = 0; k < t.model->node_count; k++)
        until[k] = now + floor(random_real(&seed, -2, 4));
    // with all times, with those of the last call, and with a few that have changed
    const int changed[] = {7, 11, 7, 40};
    for (int call = 0; call < 3; call++) {
        const int *nodes;
        const double *squares;
        for (int i = 0; call == 2 && i < 4; i++)
            until[changed[i]] = now + 5 * (i % 2);
        carom_device_query_pushed(t.device,
                                  (carom_device_until){until, changed,
                                                       call == 0   ? -1
                                                       : call == 1 ? 0
                                                                   : 4},
                                  now, most);
        carom_device_wait(t.device);
        int count = carom_device_take_pushed(t.device, &nodes, &squares), n = 0;
        assert_in_range(count, 1, t.model->node_count - t.count - 1);
        for (int k = 0; k < t.model->node_count; k++) {
            double wait = until[k] - now, m = (wait + 1) * (wait + 2), u[3];
            carom_difference(t.w[k], t.v[k], u);
            if (is_here(k) || !(wait > 0) || carom_dot(u, u) * m * m <= most)
                continue;
            assert_int_equal(nodes[n], k);
            assert_true(squares[n++] == carom_dot(u, u));
        }
        assert_int_equal(n, count);
    }
    free(until);
    end(&t);
}

static void a_velocity_that_is_not_finite_is_reported(void **unused) {
    (void)unused;
    for (int k = 3; k < 5; k++) {
        setting t;
        carom_exact sums[CAROM_KICK_SUMS] = {0};
        double most, fastest;
        start(&t);
        t.w[k][1] = HUGE_VAL;
        send(&t);
        carom_device_force(t.device, t.state, t.force, &(carom_force_outputs){0});
        carom_device_push(t.device, 0.01, 0.01, k == 3 ? 0.5 : 1, &most, &fastest, sums);
        // the device checks its own nodes only
        assert_int_equal(carom_device_settle(t.device, 0.5), is_here(k));
        assert_int_equal(isfinite(carom_exact_value(&t.state->remote->kinetic)), is_here(k));
        end(&t);
    }
}

// A simulation whose motion stays on the device against one on the processor: equal after every step, after the motion is set,
// and after a state is saved and loaded.
static carom_sim *simulate(const solid *s, bool device, bool follow) {
    carom_error error;
    carom_sim *sim;
    carom_time_def time = carom_default_time_def();
    time.step = 0.01;
    time.end = 10;
    time.follow = follow ? CAROM_FOLLOW_ON : CAROM_FOLLOW_OFF;
    carom_pick method = {carom_catalogue_find(carom_integrators(), "newmark-dcr"), NULL};
    assert_int_equal(carom_sim_create(s->b.model, method, &time, &sim, &error), CAROM_OK);
    if (device)
        assert_int_equal(carom_sim_use_device(sim, &error), CAROM_OK);
    return sim;
}

static void assert_steps_alike(carom_sim *const sims[2], int count) {
    carom_error error;
    for (int i = 0; i < count; i++) {
        for (int s = 0; s < 2; s++)
            assert_int_equal(carom_sim_step(sims[s], &error), CAROM_OK);
        assert_true(carom_state_hash(carom_sim_state(sims[0])) == carom_state_hash(carom_sim_state(sims[1])));
    }
}

static void simulations_go_on_alike(void **unused) {
    (void)unused;
    setenv("CAROM_DEVICE_EMULATE", "1", 1);
    for (int follow = 0; follow < 2; follow++) {
        solid s;
        carom_error error;
        carom_body_def *body = solid_start(&s, &solid_cases[5], VECTOR(1.4, 1, 1), (const int[]){6, 5, 5}, "neo-hookean",
                                           (carom_elastic_params){3, 0.3, 1});
        body->damping.mass = 0.1;
        memcpy(body->spin, VECTOR(0, 0, 0.3), sizeof body->spin);
        memcpy(s.b.def.gravity, VECTOR(0.1, 0, -0.1), sizeof s.b.def.gravity);
        bench_build(&s.b);
        carom_sim *sims[2] = {simulate(&s, false, follow), simulate(&s, true, follow)};
        assert_steps_alike(sims, 20);
        size_t size = sizeof(double[3]) * (size_t)s.b.model->node_count;
        carom_vectors x = solid_reserve(s.b.model->node_count, sizeof *x);
        memcpy(x, carom_state_positions(carom_sim_state(sims[0])), size);
        for (int k = 0; k < s.b.model->node_count; k++)
            x[k][2] *= 1.01;
        // a motion that is refused changes nothing, on the device as well
        carom_vectors v = solid_reserve(s.b.model->node_count, sizeof *v);
        for (int k = 0; k < s.b.model->node_count; k++)
            v[k][0] = 1e150;
        for (int i = 0; i < 2; i++)
            assert_int_not_equal(carom_sim_set_motion(sims[i], (carom_const_vectors)x, (carom_const_vectors)v, &error),
                                 CAROM_OK);
        free(v);
        assert_steps_alike(sims, 5);
        for (int i = 0; i < 2; i++)
            assert_int_equal(carom_sim_set_motion(sims[i], (carom_const_vectors)x, NULL, &error), CAROM_OK);
        assert_steps_alike(sims, 20);
        // steps without reading the state between them
        for (int n = 0; n < 70; n++)
            for (int i = 0; i < 2; i++)
                assert_int_equal(carom_sim_advance(sims[i], &error), CAROM_OK);
        const char *file = "test_device_stay.carom";
        assert_int_equal(carom_sim_save(sims[1], file, &error), CAROM_OK);
        uint64_t hash = carom_state_hash(carom_sim_state(sims[1]));
        assert_true(hash == carom_state_hash(carom_sim_state(sims[0])));
        assert_steps_alike(sims, 5);
        for (int i = 0; i < 2; i++)
            assert_int_equal(carom_sim_load(sims[i], file, &error), CAROM_OK);
        assert_true(hash == carom_state_hash(carom_sim_state(sims[1])));
        assert_steps_alike(sims, 20);
        remove(file);
        free(x);
        carom_sim_release(sims[0]);
        carom_sim_release(sims[1]);
        bench_end(&s.b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_has_the_same_bits),
        cmocka_unit_test(a_few_nodes_are_fetched),
        cmocka_unit_test(stale_rows_are_no_numbers),
        cmocka_unit_test(nodes_that_were_pushed_are_found),
        cmocka_unit_test(a_velocity_that_is_not_finite_is_reported),
        cmocka_unit_test(simulations_go_on_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
