// SPDX-License-Identifier: MIT
// Tests src/integrator/asynchronous/kick_history.c.
#include "integrator/asynchronous/kick_history.h"
#include <unistd.h>
#include "../support.h"
#include "carom/threads.h"
enum { ELEMENTS = 40 };
static const double pi = 3.14159265358979323846;
typedef struct bar {
    bench b;
    carom_j2_params law;
    carom_viscoelastic_params soft;
    double v[ELEMENTS + 1][3];
} bar;

static void bar_start(bar *s, bool square, bool viscous, double grading) {
    bench_start(&s->b);
    bench_add_bar(&s->b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), ELEMENTS, VECTOR(0, 0, 0), viscous ? CAROM_BAR_SMALL : CAROM_BAR_LOG);
    carom_pick pick = carom_pick_of(carom_materials(), viscous ? "viscoelastic" : "j2", viscous ? (void*)&s->soft : (void*)&s->law, NULL);
    s->law.elastic = (carom_elastic_params){.young = 1, .poisson = 0.3, .density = 1};
    s->law.yield = 0.02;
    s->law.modulus = 0.1;
    if (viscous) {
    s->soft.law = CAROM_VISCOELASTIC_HENCKY;
    s->soft.young = 0.5;
    s->soft.poisson = 0.3;
    s->soft.density = 1;
    s->soft.prony = (carom_pairs){.count = 1, .rows = {{1, 0.3}}};
    }
    pick.params = viscous ? (void*)&s->soft : (void*)&s->law;
    s->b.bodies[0].material = pick;
    s->b.def.contact.enabled = false;
    memset(s->v, 0, sizeof s->v);
    for (int k = 0; k <= ELEMENTS; k++) {
        double u = (double)k / ELEMENTS, x = u + grading * sin(2 * pi * u) / (2 * pi);
        s->b.meshes[0].nodes[k][0] = x;
        double c = cos(pi * x);
        s->v[k][0] = 0.06 * (square ? (c > 0 ? 1 : -1) : c);
    }
    s->b.meshes[0].velocities = s->v;
}
static void bar_end(bar *s) {
    s->b.meshes[0].velocities = NULL;
    bench_end(&s->b);
}
static double residual_of(bool square, bool viscous, double grading, double step, const carom_asynchronous_params *p, bool newmark) {
    bar s;
    bar_start(&s, square, viscous, grading);
    bench_simulate_by(&s.b, newmark ? "newmark-dcr" : "asynchronous", newmark ? NULL : p, 6, step);
    double start = bench_ledger(&s.b).kinetic, most = 0;
    carom_ledger_row row = {0};
    while (!carom_sim_done(s.b.sim)) {
        assert_ok(carom_sim_step(s.b.sim, error));
        row = bench_ledger(&s.b);
        most = fmax(most, fabs(row.residual));
    }
    printf("   %s %s grading %g beta %g classes %d step %g: residual %.3e losses %.4f momentum %.1e\n", newmark ? "newmark" : "async", viscous ? "viscous" : square ? "square" : "smooth", grading, p->beta, p->classes, step, most/start, (row.plasticity + row.viscosity)/start, fabs(row.momentum[0]));
    bar_end(&s);
    return most / start;
}
static void figures(void **state) {
    (void)state;
    carom_asynchronous_params p;
    carom_pick pick = carom_pick_of(carom_integrators(), "asynchronous", &p, NULL);
    (void)pick;
    for (int v = 0; v < 3; v++) {
        p.beta = 1; p.classes = 8;
        for (int i = 0; i < 4; i++) residual_of(v==1, v==2, 0, 0.016 / (1 << i), &p, false);
        for (int i = 0; i < 4; i++) { p.beta = 1; residual_of(v==1, v==2, 0.6, 0.008 / (1 << i), &p, true); }
        for (int c = 0; c <= 8; c += 8)
        for (int i = 0; i < 4; i++) { p.beta = 0.5 / (1 << i); p.classes = c; residual_of(v==1, v==2, 0.6, 0.02 / (1 << i), &p, false); }
    }
}
int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(figures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
