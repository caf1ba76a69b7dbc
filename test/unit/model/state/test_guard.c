// SPDX-License-Identifier: MIT
// Tests src/model/state/guard.c.
//
// The guard compares the unexplained energy, which is the residual of the energy ledger, with a scale: the largest energy so
// far that the ledger explains, less that of translation. It neglects an unexplained energy only within the rounding of the
// stored energy (docs/theory/guards.md).
#include <float.h>

#include "../../../blocks.h"
#include "carom/sim.h"
#include "model/state.h"
#include "model/state/guard.h"
#include "model/state/ledger.h"

// Blocks with the shear modulus 1/4, the density 1 and the volume 6 (sides 1, 2, 3).
enum { VOLUME = 6 };
static const double shear = 0.25, step = 0.125;

static const carom_elastic_params soft = {.young = 0.5, .poisson = 0, .density = 1};
static const carom_mooney_rivlin_params rubber = {.c10 = 0.1, .c01 = 0.025, .bulk = 5, .density = 1};

// A distant plane. Contact with it could change the momentum along its normal, so the kinetic energy of a translation along the
// normal belongs to the scale; that of other translations depends on the frame of reference and does not.
static const carom_plane_def far = {.name = "far", .point = {-100, 0, 0}, .normal = {1, 0, 0}};

// One block that moves at `speed` along the normal of the plane, with the scale of the guard set.
static carom_state *start(bench *b, bool is_rubber, double speed) {
    bench_start(b);
    b->def.contact.planes = &far;
    b->def.contact.plane_count = 1;
    carom_body_def *body = block_add(b, VECTOR(0, 0, 0), VECTOR(1, 2, 3), (const int[3]){2, 2, 2}, VECTOR(speed, 0, 0),
                                     is_rubber ? "mooney-rivlin" : "neo-hookean");
    body->material.params = is_rubber ? (const void *)&rubber : &soft;
    bench_build(b);
    carom_state *state;
    assert_ok(carom_state_create(b->model, &state, error));
    carom_ledger_open(state);
    carom_guard_start(state, NULL, step);
    carom_ledger_row row = {0};
    carom_ledger_measure(state, NULL, &row);
    row = carom_ledger_complete(state, &row);
    carom_guard_take_scale(state, &row);
    return state;
}

// The unexplained energy relative to the scale: r, and `kept`, the same less the oscillation of the integrator.
static double share(const carom_state *state, double r, double kept) {
    carom_unexplained found = carom_guard_whole(state, r, kept);
    return carom_unexplained_share(&found);
}

static bool balances(const carom_state *state, double r, double kept) {
    carom_unexplained found = carom_guard_whole(state, r, kept);
    return carom_guard_balances(&found);
}

// A block of rubber nearly at rest: the rounding error of its stored energy is a few units in the last place of modulus times
// volume. An unexplained energy of this size is neglected; one a hundred times as large is reported.
static void rounding(void **unused) {
    (void)unused;
    bench b;
    carom_state *state = start(&b, true, 1e-14);
    double unit = DBL_EPSILON * shear * VOLUME;
    assert_true(state->guard[CAROM_GUARD_SCALE] < 1e-6 * unit);
    assert_true(share(state, 2 * unit, 2 * unit) == 0);
    assert_true(balances(state, 2 * unit, 2 * unit));
    assert_true(share(state, 100 * unit, 100 * unit) > 1);
    assert_false(balances(state, 100 * unit, 100 * unit));
    carom_state_release(state);
    bench_end(&b);
}

// Materials evaluated from strains have no such rounding: one percent of the energy of a slow motion is reported.
static void strains(void **unused) {
    (void)unused;
    bench b;
    double speed = 1e-9, energy = 0.5 * VOLUME * speed * speed;
    carom_state *state = start(&b, false, speed);
    assert_true(energy < 1e-2 * DBL_EPSILON * shear * VOLUME);
    assert_near(share(state, 1e-2 * energy, 1e-2 * energy), 1e-2, 1e-10);
    carom_state_release(state);
    bench_end(&b);
}

// A millionth of the energy of a motion is reported, for rubber at speeds down to a thousandth of the wave speed.
static void millionth(void **unused) {
    (void)unused;
    for (int i = 0; i < 3; i++) {
        bench b;
        double speed = (const double[]){1, 1e-2, 5e-4}[i], energy = 0.5 * VOLUME * speed * speed;
        carom_state *state = start(&b, true, speed);
        assert_near(share(state, 1e-6 * energy, -1e-6 * energy), 1e-6, 1e-14);
        carom_state_release(state);
        bench_end(&b);
    }
}

// Two blocks that approach each other, in two frames of reference: the ratio of the unexplained energy is the same.
static void frames(void **unused) {
    (void)unused;
    double shares[2];
    for (int i = 0; i < 2; i++) {
        bench b;
        double seen = i ? 1000 : 0;
        bench_start(&b);
        block_add(&b, VECTOR(0, 0, 0), VECTOR(1, 2, 3), (const int[3]){1, 1, 1}, VECTOR(seen + 0.25, seen, 0), "neo-hookean");
        block_add(&b, VECTOR(2, 0, 0), VECTOR(3, 2, 3), (const int[3]){1, 1, 1}, VECTOR(seen - 0.25, seen, 0), "neo-hookean");
        bench_build(&b);
        carom_state *state;
        assert_ok(carom_state_create(b.model, &state, error));
        carom_ledger_open(state);
        carom_guard_start(state, NULL, step);
        carom_ledger_row row = {0};
        carom_ledger_measure(state, NULL, &row);
        row = carom_ledger_complete(state, &row);
        carom_guard_take_scale(state, &row);
        shares[i] = share(state, 1e-3, 1e-3);
        carom_state_release(state);
        bench_end(&b);
    }
    assert_true(shares[0] > 1e-3 && shares[0] < 1e-1);
    // the energy of the common motion is 2e7 times that of the approach
    assert_near(shares[1], shares[0], 1e-7 * shares[0]);
}

// Energy that contact has added, as a negative loss, raises no scale; a loss does.
static void added(void **unused) {
    (void)unused;
    bench b;
    carom_state *state = start(&b, true, 1);
    double scale = state->guard[CAROM_GUARD_SCALE];
    const carom_ledger_row false_energy = {.restitution = 1e6, .projection = -2e6},
                           lost = {.restitution = 1e6, .projection = -3};
    carom_guard_take_scale(state, &false_energy);
    assert_near(state->guard[CAROM_GUARD_SCALE], fmax(scale, state->books.initial_total), 1e-9);
    carom_guard_take_scale(state, &lost);
    assert_near(state->guard[CAROM_GUARD_SCALE], 1e6 - 3, 1e-3);
    carom_state_release(state);
    bench_end(&b);
}

// The energy that elements of the second of two bodies release is evaluated in the place of these elements: audits of groups of
// bodies read the energies of all elements afterwards.
static void released(void **unused) {
    (void)unused;
    bench b;
    bench_start(&b);
    carom_material own = {0};
    for (int i = 0; i < 2; i++) {
        carom_body_def *body = block_add(&b, VECTOR(4 * i, 0, 0), VECTOR(4 * i + 1, 2, 3), (const int[3]){2, 2, 2},
                                         VECTOR(0, 0, 0), "neo-hookean");
        body->material.params = &soft;
        own = *(const carom_material *)body->material.kind;
        own.nonnegative = false;
        body->material.kind = i ? &own.kind : body->material.kind;
    }
    bench_build(&b);
    carom_state *state;
    assert_ok(carom_state_create(b.model, &state, error));
    for (int k = 0; k < b.model->node_count; k++)
        state->x[k][0] *= k < b.model->node_count / 2 ? 1.1 : 1.01;
    carom_ledger_row row = {0};
    carom_ledger_measure(state, NULL, &row);
    double before[16];
    assert_int_equal(b.model->element_count, 16);
    memcpy(before, state->element_energy, sizeof before);
    assert_true(before[0] > 2 * before[8] && before[8] > 0);
    assert_near(carom_guard_released(state), 0, 0);
    assert_memory_equal(state->element_energy, before, sizeof before);
    carom_state_release(state);
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rounding), cmocka_unit_test(strains), cmocka_unit_test(millionth),
                                       cmocka_unit_test(frames),   cmocka_unit_test(added),   cmocka_unit_test(released)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
