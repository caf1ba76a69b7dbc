// SPDX-License-Identifier: MIT
// Tests src/integrator/examination_times.c, src/model/node_elements.c.
// Times at which batches of elements are examined again for the stability of the step.
#include "../../solids.h"
#include "integrator/examination_times.h"

static const double step = 0.01;

typedef struct setting {
    solid s;
    const carom_model *model;
    carom_state *state;
    carom_arena *arena;
    carom_vicinity near;
    carom_examination_times times;
    double (*w)[3];
} setting;

static void start_with(setting *t, const int cells[3]) {
    bool enough = true;
    solid_start(&t->s, &solid_cases[5], VECTOR(1, 1, 1), cells, "neo-hookean",
                (carom_elastic_params){.young = 1, .poisson = 0.3, .density = 1});
    bench_build(&t->s.b);
    t->model = t->s.b.model;
    assert_ok(carom_state_create(t->model, &t->state, error));
    t->arena = carom_arena_create();
    t->near = carom_vicinity_create(t->arena, t->model, &enough);
    t->times = carom_examination_times_create(t->model, t->state, step, &t->near, t->arena, &enough);
    t->w = solid_reserve(t->model->node_count, sizeof *t->w);
    assert_true(enough);
}

static void start(setting *t) {
    start_with(t, (const int[]){5, 4, 4});
}

static void end(setting *t) {
    carom_arena_release(t->arena);
    carom_state_release(t->state);
    free(t->w);
    bench_end(&t->s.b);
}

static carom_batch batch_of(int number) {
    return (carom_batch){0, CAROM_LANES * number, CAROM_LANES * (number + 1)};
}

static void note_all(setting *t, double rate) {
    carom_examination_times_renew(&t->times);
    for (int b = 0; b < t->near.first[1]; b++)
        carom_examination_times_note(&t->times, batch_of(b), rate, (const double(*)[3])t->w);
}

static int count(setting *t) {
    carom_examination_times_start(&t->times);
    carom_examination_times_count(&t->times, (const double(*)[3])t->w, NULL, &t->near);
    int due = t->near.batch_count;
    carom_vicinity_clear(&t->near);
    return due;
}

static int kicks_to_check(setting *t, double rate) {
    note_all(t, rate);
    for (int kicks = 1;; kicks++)
        if (count(t) > 0)
            return kicks;
}

static void a_batch_waits_for_a_tenth_of_strain(void **unused) {
    (void)unused;
    setting t;
    start(&t);
    assert_int_equal(t.near.first[1], 10);
    assert_int_equal(kicks_to_check(&t, 0), 256);
    assert_int_equal(kicks_to_check(&t, 0.101 / step / 4), 3);
    assert_int_equal(kicks_to_check(&t, 0.099 / step / 4), 4);
    assert_int_equal(kicks_to_check(&t, HUGE_VAL), 1);
    assert_int_equal(kicks_to_check(&t, NAN), 1);
    for (int b = 0; b < 10; b++)
        carom_examination_times_dismiss(&t.times, batch_of(b));
    for (int k = 0; k < 1000; k++)
        assert_int_equal(count(&t), 0);
    end(&t);
}

// The displacement of two nodes that are pushed apart in m kicks, as the sum over drifts, is at most a tenth of an edge.
static void later_kicks_strain_by_a_tenth_at_most(void **unused) {
    (void)unused;
    setting t;
    start(&t);
    double length = t.model->contact_length;
    for (double part = 1e-5; part < 1; part *= 3) {
        note_all(&t, 0);
        // a kick that moves the node by this part of an edge in a drift, half of it after its middle
        t.w[60][1] = 0.5 * part * length / step;
        double speed = 0, way = 0;
        bool due = false;
        for (int k = 0; k < 256 && !due; k++) {
            speed += 2 * part;
            way += speed;
            due = count(&t) > 0;
            // the first drift may already exceed the bound
            assert_true(way <= 0.1 * (1 + 1e-12) || (k == 0 && due));
        }
        assert_true(due);
        // and a considerable part of the bound is used
        assert_true(way > 0.02);
        t.w[60][1] = 0;
    }
    note_all(&t, 0);
    t.w[60][0] = NAN;
    assert_true(count(&t) > 0);
    end(&t);
}

// Random forces: the same batches are due as if every node were checked at every kick.
static void nodes_that_need_not_call_change_nothing(void **unused) {
    (void)unused;
    setting t, u;
    uint64_t seed = 7;
    start(&t);
    start(&u);
    note_all(&t, 0);
    note_all(&u, 0);
    int64_t looks = 0;
    double scale = t.model->contact_length / step;
    for (int k = 0; k < 2000; k++) {
        for (int a = 0; a < t.model->node_count; a++) {
            for (int i = 0; i < 3; i++)
                t.w[a][i] = scale * pow(10, random_real(&seed, -12, -3)) * random_real(&seed, -1, 1);
            memcpy(u.w[a], t.w[a], sizeof u.w[a]);
            u.times.until[a] = 1e15;
        }
        carom_examination_times_start(&t.times);
        carom_examination_times_start(&u.times);
        carom_examination_times_count(&t.times, (const double(*)[3])t.w, NULL, &t.near);
        carom_examination_times_count(&u.times, (const double(*)[3])u.w, NULL, &u.near);
        assert_int_equal(t.near.batch_count, u.near.batch_count);
        looks += t.near.batch_count;
        for (int i = 0; i < t.near.batch_count; i++) {
            assert_int_equal(t.near.batches[i].begin, u.near.batches[i].begin);
            double rate = random_real(&seed, 0, 1);
            carom_examination_times_note(&t.times, t.near.batches[i], rate, (const double(*)[3])t.w);
            carom_examination_times_note(&u.times, u.near.batches[i], rate, (const double(*)[3])u.w);
        }
        carom_vicinity_clear(&t.near);
        carom_vicinity_clear(&u.near);
        assert_memory_equal(t.times.due, u.times.due, 10 * sizeof *t.times.due);
    }
    assert_true(looks > 100 && looks < 10000);
    end(&t);
    end(&u);
}

// If a device has two thirds of the nodes, and reports those with large velocity changes, the same batches are due.
static void nodes_elsewhere_call_as_well(void **unused) {
    (void)unused;
    setting t, u;
    uint64_t seed = 9;
    start(&t);
    start(&u);
    note_all(&t, 0);
    note_all(&u, 0);
    int n = t.model->node_count, *here = solid_reserve(n, sizeof *here), *pushed = solid_reserve(n, sizeof *pushed), count = 0;
    double *squares = solid_reserve(n, sizeof *squares), scale = t.model->contact_length / step;
    int64_t calls = 0;
    for (int k = 0; k < n; k += 3)
        here[count++] = k;
    for (int k = 0; k < 500; k++) {
        carom_check_remote elsewhere = {here, count, pushed, squares, 0};
        carom_examination_times_start(&t.times);
        carom_examination_times_start(&u.times);
        for (int a = 0; a < n; a++) {
            for (int i = 0; i < 3; i++)
                t.w[a][i] = scale * pow(10, random_real(&seed, -12, -3)) * random_real(&seed, -1, 1);
            // velocities of nodes on the device are not read
            memcpy(u.w[a], a % 3 ? VECTOR(0, 0, 0) : t.w[a], sizeof u.w[a]);
            double wait = u.times.until[a] - *u.times.kicks, m = (wait + 1) * (wait + 2), square = carom_dot(t.w[a], t.w[a]);
            if (a % 3 && wait > 0 && !(square * m * m <= carom_examination_times_most(&u.times))) {
                pushed[elsewhere.count] = a;
                squares[elsewhere.count++] = square;
            }
        }
        calls += elsewhere.count;
        carom_examination_times_count(&t.times, (const double(*)[3])t.w, NULL, &t.near);
        carom_examination_times_count(&u.times, (const double(*)[3])u.w, &elsewhere, &u.near);
        assert_int_equal(t.near.batch_count, u.near.batch_count);
        for (int i = 0; i < t.near.batch_count; i++) {
            assert_int_equal(t.near.batches[i].begin, u.near.batches[i].begin);
            carom_examination_times_note(&t.times, t.near.batches[i], 0.01, (const double(*)[3])t.w);
            carom_examination_times_note(&u.times, u.near.batches[i], 0.01, (const double(*)[3])t.w);
        }
        carom_vicinity_clear(&t.near);
        carom_vicinity_clear(&u.near);
        assert_memory_equal(t.times.due, u.times.due, 10 * sizeof *t.times.due);
    }
    assert_true(calls > 100);
    free(here), free(pushed), free(squares);
    end(&t);
    end(&u);
}

// Many batches, divided among threads: the same batches and nodes as one by one, each once, and no scratch value remains.
static void many_batches_are_added_at_once(void **unused) {
    (void)unused;
    setting t;
    start_with(&t, (const int[]){24, 20, 18});
    int total = t.near.first[1], *numbers = solid_reserve(total, sizeof *numbers), count = 0;
    bool *has = solid_reserve(t.model->node_count, sizeof *has);
    for (int b = 0; b < total; b++)
        if (b % 7 != 3 && b < total - 40)
            numbers[count++] = b;
    assert_true(count > 512);
    for (int i = 0; i < count; i++)
        carom_vicinity_add_batch(&t.near, t.model, 0, numbers[i]);
    int nodes = t.near.node_count;
    memcpy(has, t.near.has_node, (size_t)t.model->node_count * sizeof *has);
    carom_vicinity_clear(&t.near);
    for (int k = 0; k < t.model->node_count; k++)
        assert_false(t.near.has_node[k]);
    carom_vicinity_add_batches(&t.near, t.model, numbers, count);
    assert_true(t.near.batch_count == count && t.near.node_count == nodes && nodes < t.model->node_count);
    for (int i = 0; i < count; i++)
        assert_true(t.near.batches[i].begin == CAROM_LANES * numbers[i] && t.near.has[numbers[i]]);
    assert_memory_equal(has, t.near.has_node, (size_t)t.model->node_count * sizeof *has);
    for (int i = 0; i < nodes; i++)
        assert_true(has[t.near.nodes[i]] && (i == 0 || t.near.nodes[i - 1] < t.near.nodes[i]));
    free(numbers), free(has);
    end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_batches_are_added_at_once),        cmocka_unit_test(a_batch_waits_for_a_tenth_of_strain),
        cmocka_unit_test(later_kicks_strain_by_a_tenth_at_most), cmocka_unit_test(nodes_that_need_not_call_change_nothing),
        cmocka_unit_test(nodes_elsewhere_call_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
