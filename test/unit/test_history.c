// SPDX-License-Identifier: MIT
// Tests src/model/history.c.
// A bar of 40 elements that flows (docs/theory/inelastic.md): its books, its restart, and what only looks at it.
#include "model/history.h"

#include <unistd.h>

#include "../support.h"
#include "carom/threads.h"
#include "model/model.h"
#include "sim/sim.h"

enum { ELEMENTS = 40 };

static const double pi = 3.14159265358979323846;

// E = rho = A = L = 1, yield 0.02, hardening 0.1; free ends, speeds 0.06 cos(pi x) or the sign of it.
typedef struct bar {
    bench b;
    carom_j2_params law;
    double v[ELEMENTS + 1][3];
} bar;

static void bar_start(bar *s, bool square, carom_bar_strain strain) {
    bench_start(&s->b);
    bench_add_bar(&s->b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), ELEMENTS, VECTOR(0, 0, 0), strain);
    carom_pick pick = carom_pick_of(carom_materials(), "j2", &s->law, NULL);
    s->law.elastic = (carom_elastic_params){.young = 1, .poisson = 0.3, .density = 1};
    s->law.yield = 0.02;
    s->law.modulus = 0.1;
    pick.params = &s->law;
    s->b.bodies[0].material = pick;
    memset(s->v, 0, sizeof s->v);
    for (int k = 0; k <= ELEMENTS; k++) {
        double c = cos(pi * k / ELEMENTS);
        s->v[k][0] = 0.06 * (square ? (fabs(c) < 1e-9 ? 0 : c > 0 ? 1 : -1) : c);
    }
    s->b.meshes[0].velocities = s->v;
}

static void bar_end(bar *s) {
    s->b.meshes[0].velocities = NULL;
    bench_end(&s->b);
}

// The largest residual of all steps, of the kinetic energy at the start.
static double residual_of(bool square, double step, double *last) {
    bar s;
    bar_start(&s, square, CAROM_BAR_LOG);
    bench_simulate(&s.b, 6, step);
    double start = bench_ledger(&s.b).kinetic, most = 0;
    carom_ledger_row row = {0};
    while (!carom_sim_done(s.b.sim)) {
        assert_ok(carom_sim_step(s.b.sim, error));
        double before = row.plasticity;
        row = bench_ledger(&s.b);
        assert_true(row.plasticity >= before);
        most = fmax(most, fabs(row.residual));
    }
    assert_true(row.plasticity > 0.1 * start);
    *last = row.residual / start;
    bar_end(&s);
    return most / start;
}

int main(void) {
    for (int square = 0; square < 2; square++)
        for (int i = 0; i < 4; i++) {
            double last, most = residual_of(square, 0.016 / (1 << i), &last);
            printf("square %d step %g: most %.3e last %.3e\n", square, 0.016 / (1 << i), most, last);
        }
    return 0;
}
