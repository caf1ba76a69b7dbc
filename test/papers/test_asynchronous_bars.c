// SPDX-License-Identifier: MIT
// Two graded bars, each element with a step of its own: Wolff & Bucher, section 8.1, reduced to one dimension.
//
// Reference numbers of a plain program of the same method; exact: contact ends at 20, impulse 2, energy ratio 1.
#include "../support.h"
#include "sim/sim.h"

typedef struct outcome {
    double energy, impulse, last, penetration, overlap, momentum;
} outcome;

// Node positions of equation (47), the smallest element at the contact.
static void grade(carom_mesh *mesh, int n, double sign) {
    double L = 10;
    for (int k = 0; k <= 5 * n; k++) {
        double s = k / (5.0 * n), at = L / n * s + (L - L / n) * s * s;
        mesh->nodes[sign > 0 ? k : 5 * n - k][0] = sign * at;
    }
}

static void bars_start(bench *b, int n, double restitution) {
    bench_start(b);
    b->def.contact.restitution = restitution;
    bench_add_bar(b, VECTOR(-10, 0, 0), VECTOR(0, 0, 0), 5 * n, VECTOR(0.1, 0, 0), CAROM_BAR_SMALL);
    bench_add_bar(b, VECTOR(0, 0, 0), VECTOR(10, 0, 0), 5 * (n + 1), VECTOR(-0.1, 0, 0), CAROM_BAR_SMALL);
    grade(&b->meshes[0], n, -1);
    grade(&b->meshes[1], n + 1, 1);
}

// The deepest overlap that any look has met.
static void see(void *context, const carom_state *state, const carom_hit *hit, int64_t step) {
    (void)state, (void)step;
    double *deepest = context;
    *deepest = fmax(*deepest, -hit->spot.gap);
}

static outcome collide(int n, double restitution, const carom_asynchronous_params *params) {
    bench b;
    bars_start(&b, n, restitution);
    bench_simulate_by(&b, "asynchronous", params, 30, 0.5);
    // looking at intervals gives energy, which the table tells and a guard would not have
    b.sim->time.on_event = CAROM_ON_EVENT_WARN;
    outcome o = {0};
    b.sim->stepper.observer = (carom_observer){see, &o.overlap};
    // looking for overlap adds energy that nothing explains, up to 86 %: it is what the table shows, and no reason to stop
    if (params->contact != CAROM_ASYNCHRONOUS_EXACT) {
        b.sim->time.on_event = CAROM_ON_EVENT_WARN;
        b.sim->stepper.stops = false;
    }
    int samples = 0;
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        carom_ledger_row row = bench_ledger(&b);
        o.penetration = fmax(o.penetration, row.penetration);
        o.momentum = fmax(o.momentum, fabs(row.momentum[0]));
        if (row.time > 25) {
            o.energy += row.kinetic + row.internal;
            samples++;
        }
    }
    o.energy /= samples * 0.1;
    carom_pair_record pair = carom_state_pair(carom_sim_state(b.sim), 0);
    o.impulse = pair.impulse;
    o.last = pair.last_contact;
    bench_end(&b);
    return o;
}

static void table(void **state) {
    (void)state;
    static const struct {
        int n;
        double beta;
        bool centred;
        double energy, impulse, last, overlap;
    } rows[] = {
        {4, 0.5, false, 1.8550, 1.9999, 19.30, 0.044},   {4, 0.5, true, 1.2357, 1.9806, 19.53, 0.029},
        {4, 0.25, false, 1.3783, 1.9757, 19.84, 0.019},  {4, 0.25, true, 1.0335, 1.9654, 20.16, 0.0094},
        {4, 0.1, false, 1.1498, 1.9633, 19.61, 0.0061},  {4, 0.1, true, 1.0031, 1.9552, 20.33, 0.0026},
        {8, 0.5, false, 1.8773, 2.0015, 19.93, 0.023},   {8, 0.5, true, 1.4308, 2.0003, 19.86, 0.016},
        {8, 0.25, false, 1.2990, 1.9852, 19.72, 0.0097}, {8, 0.25, true, 1.0331, 1.9744, 20.06, 0.0036},
        {8, 0.1, false, 1.1660, 1.9803, 20.36, 0.0024},  {8, 0.1, true, 1.0027, 1.9742, 20.27, 0.0010},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        carom_asynchronous_params p = {rows[i].beta, 0, CAROM_ASYNCHRONOUS_CONSTANT, 0.5, rows[i].centred};
        outcome o = collide(rows[i].n, 1, &p);
        assert_near(o.energy, rows[i].energy, 0.02 * rows[i].energy);
        assert_near(o.impulse, rows[i].impulse, 1e-4);
        assert_near(o.last, rows[i].last, 0.01);
        // two digits are given
        assert_near(o.overlap, rows[i].overlap, 0.02 * rows[i].overlap + (rows[i].overlap > 0.01 ? 0.0005 : 0.00005));
        assert_true(o.momentum < 1e-14);
    }
}

// At exact times the bars never overlap, and the plastic impact of two tips is all that contact costs.
static void exact_contact(void **state) {
    (void)state;
    for (int n = 4; n <= 8; n += 4) {
        for (int fine = 0; fine < 2; fine++) {
            carom_asynchronous_params p = {fine ? 0.1 : 0.25, 0, CAROM_ASYNCHRONOUS_EXACT, 0.5, true};
            outcome o = collide(n, 0, &p);
            assert_near(o.last, 20, 0.6);
            assert_near(o.impulse, 2, 0.05);
            assert_near(o.energy, 1, 0.01);
            assert_true(o.penetration < 1e-15 && o.overlap < 1e-15);
            assert_true(o.momentum < 1e-14);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(table), cmocka_unit_test(exact_contact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
