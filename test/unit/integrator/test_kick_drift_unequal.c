// SPDX-License-Identifier: MIT
// Tests src/integrator/kick_drift.c, src/integrator/newmark_kick.c, src/integrator/kick_parts.c, src/contact/impact/repay.c.
//
// Kicks between drifts of unequal lengths.
//
// An auxiliary bar with Green's strain (the metronome), of negligible mass and without contact, makes step levels alternate:
// its two nodes are driven, and while it is stretched its frequency divides the step of the whole model by two or four.
#include "../../collision.h"
#include "model/state/ledger.h"

static const double end_time = 2;
static const double metronome_length = 0.1;

// The metronome for a nominal step: its own step is 2 h at rest, 0.55 h and less at three times its length. The tip moves out
// and back eight times.
static void add_metronome(char *text, size_t size, double step, bool beats) {
    size_t used = strlen(text);
    double c = metronome_length / (2 * step), density = 1e-12;
    used += (size_t)snprintf(text + used, size - used,
                             "  - {name: metronome, mesh: {line: {from: [0, 9, 0], to: [%.17g, 9, 0], elements: 1}},\n"
                             "     element: {bar: {strain: green}}, material: {linear: {young: %.17g, density: %.17g}}}\n"
                             "restraints:\n  - {body: metronome, set: start, fix: xyz}\n"
                             "  - {body: metronome, set: end, fix: xyz, velocities: [[0, 0, 0, 0]",
                             metronome_length, density * c * c, density);
    // triangular velocities: a displacement of 2.4 lengths within a sixteenth of the run, and back
    double beat = end_time / 8, top = beats ? 2 * 2.4 * metronome_length / (beat / 2) : 0;
    for (int i = 0; i < 8; i++)
        used += (size_t)snprintf(text + used, size - used,
                                 ", [%.17g, %.17g, 0, 0], [%.17g, 0, 0, 0], [%.17g, %.17g, 0, 0], "
                                 "[%.17g, 0, 0, 0]",
                                 (i + 0.25) * beat, top, (i + 0.5) * beat, (i + 0.75) * beat, -top, (i + 1) * beat);
    snprintf(text + used, size - used, "]}\n");
}

typedef struct outcome {
    double largest;  // unexplained energy, of the scale
    double momentum; // that neither loads nor restraints explain
    int64_t parts;
} outcome;

// Runs a scene of one or two bodies and the metronome.
static outcome run(const char *bodies, const char *rest, double step, bool beats) {
    static char text[8192];
    snprintf(text, sizeof text, "integrator: newmark-dcr\ntime: {end: %g, step: %.17g, follow: true}\nbodies:\n%s", end_time,
             step, bodies);
    add_metronome(text, sizeof text, step, beats);
    strcat(text, rest);
    collision c;
    collision_parse(&c, text);
    outcome o = {0};
    double scale = 0, size = 0, angular;
    carom_ledger_row first = collision_ledger(&c);
    while (!carom_sim_done(c.sim)) {
        assert_ok(carom_sim_step(c.sim, error));
        carom_ledger_row row = collision_ledger(&c);
        double momentum;
        collision_scales(&c, &momentum, &angular);
        size = fmax(size, momentum);
        scale = fmax(scale, fmax(row.kinetic, fabs(row.external)));
        o.largest = fmax(o.largest, fabs(row.residual + row.oscillation));
        carom_accounts outside = carom_ledger_accounts(carom_sim_state(c.sim));
        for (int i = 0; i < 3; i++)
            o.momentum = fmax(o.momentum, fabs(row.momentum[i] - first.momentum[i] - outside.impulse[i]));
    }
    o.largest /= scale;
    o.momentum /= size;
    o.parts = carom_sim_division(c.sim).parts;
    collision_end(&c);
    return o;
}

#define RUBBER "material: {neo-hookean: {young: 10, poisson: 0.3, density: 1}}"
#define BLOCK                                                                                \
    "  - {name: block, mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 2]}}, " \
    "element: hex8, " RUBBER "}\n"

// Varying loads, loads on deforming faces, and prescribed motion: momentum is exact, the residual is of second order. The
// residual with divided steps is compared with that of equal ones, since the duration of a division is counted in kicks: half
// the nominal step has another sequence of substeps.
static void live_loads_and_prescribed_motion(void **state) {
    (void)state;
    static const struct {
        const char *name, *rest;
    } cases[] = {
        {"ramp", "loads: [{body: block, set: xmax, force: [0.3, 0.1, 0], ramp: 1.5}]\ncontact: false\n"},
        {"pressure", "loads: [{body: block, set: zmax, pressure: 0.5, ramp: 0.7}]\ncontact: false\n"},
        {"driven", "  - {body: block, set: zmin, fix: xyz, velocity: [0, 0.2, 0.2], ramp: 0.8}\ncontact: false\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double before = HUGE_VAL;
        for (int half = 0; half < 4; half++) {
            double step = 0.02 / (1 << half);
            outcome equal = run(BLOCK, cases[i].rest, step, false), unequal = run(BLOCK, cases[i].rest, step, true);
            print_message("%s, step %g: %.3g, divided %.3g (momentum %.1e, %d parts)\n", cases[i].name, step, equal.largest,
                          unequal.largest, unequal.momentum, (int)unequal.parts);
            assert_int_equal(equal.parts, 0);
            assert_in_range(unequal.parts, 50, 10000);
            assert_true(equal.largest < before / 3.5);
            assert_true(unequal.largest < equal.largest);
            assert_near(unequal.momentum, 0, 1e-13);
            before = equal.largest;
        }
    }
}

#define BARS                                                                                               \
    "  - {name: a, mesh: {line: {from: [-1.015, 0, 0], to: [-0.015, 0, 0], elements: 20}}, element: bar, " \
    "material: {linear: {young: 1, density: 1}}, velocity: [0.1, 0, 0]}\n"                                 \
    "  - {name: b, mesh: {line: {from: [0.015, 0, 0], to: [1.015, 0, 0], elements: 25}}, element: bar, "   \
    "material: {linear: {young: 1, density: 1}}, velocity: [-0.1, 0, 0]}\n"

// Elastic bars meet in the second half of the first beat and rattle while steps change: energy errors of impacts are repaid as
// well as with equal steps.
static void impacts(void **state) {
    (void)state;
    static const double restitutions[] = {1, 0.8};
    for (int i = 0; i < 2; i++) {
        char rest[64];
        snprintf(rest, sizeof rest, "contact: {restitution: %g}\n", restitutions[i]);
        outcome equal = run(BARS, rest, 0.01, false), unequal = run(BARS, rest, 0.01, true);
        print_message("e %g: %g %g, momentum %g, parts %d\n", restitutions[i], equal.largest, unequal.largest, unequal.momentum,
                      (int)unequal.parts);
        assert_int_equal(equal.parts, 0);
        assert_in_range(unequal.parts, 50, 10000);
        assert_true(unequal.largest < 3 * equal.largest);
        assert_near(unequal.momentum, 0, 1e-13);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(live_loads_and_prescribed_motion), cmocka_unit_test(impacts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
