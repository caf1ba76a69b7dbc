// SPDX-License-Identifier: MIT
// Free bodies of all kinds collide at random: the books balance, momenta stay, nothing crosses.
#include "../collision.h"
#include "carom/threads.h"

// A text that grows.
typedef struct text {
    char chars[16384];
    size_t length;
} text;

static void add(text *t, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int n = vsnprintf(t->chars + t->length, sizeof t->chars - t->length, format, values);
    va_end(values);
    assert_true(n >= 0 && t->length + (size_t)n < sizeof t->chars);
    t->length += (size_t)n;
}

static int random_int(uint64_t *seed, int count) {
    return (int)random_real(seed, 0, count);
}

// Bodies around the origin, each thrown at it and spinning.
static void throw_together(text *t, int bodies, double speed, uint64_t *seed) {
    static const char *const meshes[][2] = {
        {"box: {from: [-0.6, -0.4, -0.3], to: [0.6, 0.4, 0.3], elements: [3, 2, 2]}", "hex8"},
        {"box: {from: [-0.5, -0.5, -0.5], to: [0.5, 0.5, 0.5], elements: [2, 2, 2], cells: tet4}", "tet4"},
        {"ball: {radius: 0.6, divisions: 2, layers: 1}", "hex8"},
        {"cylinder: {center: [0, 0, -0.4], radius: 0.4, height: 0.8, divisions: 2, layers: 1, slices: 2}", "hex8"},
    };
    static const char *const laws[2] = {"neo-hookean", "st-venant-kirchhoff"};
    static const double places[6][3] = {{-1.2, 0, 0}, {1.2, 0, 0}, {0, -1.5, 0}, {0, 1.5, 0}, {0, 0, -1.9}, {0, 0, 1.9}};
    for (int b = 0; b < bodies; b++) {
        const double *p = places[b];
        const char *const *mesh = meshes[random_int(seed, 4)];
        add(t, "  - name: body%d\n    mesh: {%s}\n    element: %s\n", b, mesh[0], mesh[1]);
        add(t, "    place: {axis: [%.3f, %.3f, 1], angle: %.1f, translate: [%.3f, %.3f, %.3f]}\n", random_real(seed, -1, 1),
            random_real(seed, -1, 1), random_real(seed, 0, 360), p[0], p[1], p[2]);
        add(t, "    material: {%s: {young: 1, poisson: 0.3, density: %.2f}}\n", laws[random_int(seed, 2)],
            random_real(seed, 0.5, 2));
        add(t, "    velocity: [%.4f, %.4f, %.4f]\n", -speed * p[0] + random_real(seed, -0.2, 0.2) * speed,
            -speed * p[1] + random_real(seed, -0.2, 0.2) * speed, -speed * p[2] + random_real(seed, -0.2, 0.2) * speed);
        add(t, "    spin: [%.3f, %.3f, %.3f]\n", random_real(seed, -speed, speed), random_real(seed, -speed, speed),
            random_real(seed, -speed, speed));
    }
}

// Runs a scene with all checks on the way.
static void collide(const char *name, const char *scene, double friction, int audit_every) {
    collision c;
    collision_parse(&c, scene);
    carom_ledger_row start = collision_ledger(&c), before = start;
    double p, l;
    collision_scales(&c, &p, &l);
    for (int64_t step = 1; !carom_sim_done(c.sim); step++) {
        assert_ok(carom_sim_step(c.sim, error));
        carom_ledger_row now = collision_ledger(&c);
        for (int i = 0; i < 3; i++) {
            assert_near(now.momentum[i], start.momentum[i], 1e-12 * p);
            if (friction == 0)
                assert_near(now.angular_momentum[i], start.angular_momentum[i], 1e-11 * l);
        }
        if (now.friction < before.friction || now.restitution < before.restitution)
            fail_msg("%s: step %d gives back friction %g or restitution %g", name, (int)step, before.friction - now.friction,
                     before.restitution - now.restitution);
        if (now.total > 1.005 * start.total)
            fail_msg("%s: step %d: energy %g of %g", name, (int)step, now.total, start.total);
        if (step % audit_every == 0 && collision_crossings(&c) > 0)
            fail_msg("%s: step %d: %d faces cross", name, (int)step, collision_crossings(&c));
        before = now;
    }
    const carom_state *state = carom_sim_state(c.sim);
    assert_true(carom_state_contact_events(state) > 10);
    if (carom_state_events(state, CAROM_EVENT_CONTACT_HELD) > 0)
        fail_msg("%s: %d holds", name, (int)carom_state_events(state, CAROM_EVENT_CONTACT_HELD));
    collision_end(&c);
}

static void free_bodies(void **state) {
    (void)state;
    for (int run = 0; run < 24; run++) {
        uint64_t seed = 100 + (uint64_t)run;
        // none, of one coefficient, none, falling with the slip speed
        static const char *const laws[4] = {"0", "0.3", "0", "{static: 0.5, kinetic: 0.1, decay: 4}"};
        double friction = run % 2 ? 0.3 : 0, restitution = run % 3 == 2 ? 0.5 : 0;
        text t = {.length = 0};
        char name[32];
        snprintf(name, sizeof name, "run %d", run);
        add(&t, "integrator: newmark-dcr\ntime: {end: 10, safety: 0.5}\ncontact: {restitution: %g, friction: %s}\nbodies:\n",
            restitution, laws[run % 4]);
        throw_together(&t, 2 + run % 5, 0.07, &seed);
        collide(name, t.chars, friction, 8);
    }
}

// Bodies that pass ten of their lengths in a step hit a wall of bodies. The law is linear, for no other stands this; holds may
// happen, crossings not.
static void fast_bodies(void **state) {
    (void)state;
    for (int run = 0; run < 6; run++) {
        uint64_t seed = 300 + (uint64_t)run;
        text t = {.length = 0};
        add(&t, "integrator: newmark-dcr\ntime: {end: 6, step: 0.1, on_event: warn}\nbodies:\n");
        add(&t, "  - name: wall\n    mesh: {box: {from: [0, -1, -1], to: [0.5, 1, 1], elements: [1, 4, 4], cells: tet4}}\n"
                "    element: tet4\n    material: {linear: {young: 1, density: 1}}\n");
        for (int b = 0; b < 4; b++) {
            add(&t,
                "  - name: shot%d\n    mesh: {box: {from: [-0.3, -0.2, -0.15], to: [0.3, 0.2, 0.15], elements: [1, 1, 1]}}\n",
                b);
            add(&t, "    place: {axis: [%.3f, %.3f, 1], angle: %.1f, translate: [%.2f, %.2f, %.2f]}\n",
                random_real(&seed, -1, 1), random_real(&seed, -1, 1), random_real(&seed, 0, 360), -2 - 1.5 * b,
                random_real(&seed, -0.5, 0.5), random_real(&seed, -0.5, 0.5));
            add(&t, "    element: hex8\n    material: {linear: {young: 0.05, density: 0.05}}\n    velocity: [%.1f, 0, 0]\n",
                random_real(&seed, 20, 60));
        }
        collision c;
        collision_parse(&c, t.chars);
        carom_ledger_row start = collision_ledger(&c);
        double p, l;
        collision_scales(&c, &p, &l);
        for (int64_t step = 1; !carom_sim_done(c.sim); step++) {
            assert_ok(carom_sim_step(c.sim, error));
            carom_ledger_row now = collision_ledger(&c);
            for (int i = 0; i < 3; i++)
                assert_near(now.momentum[i], start.momentum[i], 1e-12 * p);
            if (collision_crossings(&c) > 0)
                fail_msg("run %d, step %d: %d faces cross", run, (int)step, collision_crossings(&c));
        }
        assert_true(carom_state_contact_events(carom_sim_state(c.sim)) > 10);
        collision_end(&c);
    }
}

int main(void) {
    carom_set_threads(1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(free_bodies), cmocka_unit_test(fast_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
