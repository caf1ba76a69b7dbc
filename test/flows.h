// SPDX-License-Identifier: MIT
// Shared by the tests of laws with history: a bar of 40 elements that yields or relaxes (docs/theory/inelastic.md).
#ifndef CAROM_TEST_FLOWS_H
#define CAROM_TEST_FLOWS_H

#include "support.h"

enum { ELEMENTS = 40 };

static const double pi = 3.14159265358979323846;

// E = rho = A = L = 1; free ends, speeds 0.06 cos(pi x) or the sign of it. The metal has yield 0.02 and hardening 0.1; the
// polymer one viscous branch of half the modulus and the relaxation time 0.3.
typedef struct bar {
    bench b;
    carom_j2_params metal;
    carom_viscoelastic_params polymer;
    double v[ELEMENTS + 1][3];
} bar;

static inline void bar_start(bar *s, bool viscous, bool square) {
    carom_bar_strain strain = viscous ? CAROM_BAR_SMALL : CAROM_BAR_LOG;
    bench_start(&s->b);
    bench_add_bar(&s->b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), ELEMENTS, VECTOR(0, 0, 0), strain);
    carom_pick metal = carom_pick_of(carom_materials(), "j2", &s->metal, NULL);
    carom_pick polymer = carom_pick_of(carom_materials(), "viscoelastic", &s->polymer, NULL);
    s->metal.elastic = (carom_elastic_params){.young = 1, .poisson = 0.3, .density = 1};
    s->metal.yield = 0.02;
    s->metal.modulus = 0.1;
    s->polymer.law = CAROM_VISCOELASTIC_HENCKY;
    s->polymer.j2.elastic = (carom_elastic_params){.young = 0.5, .poisson = 0.3, .density = 1};
    s->polymer.prony = (carom_pairs){.count = 1, .rows = {{1, 0.3}}};
    metal.params = &s->metal;
    polymer.params = &s->polymer;
    s->b.bodies[0].material = viscous ? polymer : metal;
    memset(s->v, 0, sizeof s->v);
    for (int k = 0; k <= ELEMENTS; k++) {
        double c = cos(pi * k / ELEMENTS);
        s->v[k][0] = 0.06 * (square ? (c > 0 ? 1 : -1) : c);
    }
    s->b.meshes[0].velocities = s->v;
}

static inline void bar_end(bar *s) {
    s->b.meshes[0].velocities = NULL;
    bench_end(&s->b);
}

// Runs to the end, resumed from the file `load` if not NULL; writes the file `save` at the time 1 if not NULL. Returns the
// hash, and releases the bar.
static inline uint64_t bar_finish(bar *s, const char *save, const char *load) {
    if (load)
        assert_ok(carom_sim_load(s->b.sim, load, error));
    if (save) {
        assert_ok(carom_sim_run_until(s->b.sim, 1, error));
        assert_ok(carom_sim_save(s->b.sim, save, error));
    }
    bench_run(&s->b);
    uint64_t hash = carom_state_hash(carom_sim_state(s->b.sim));
    bar_end(s);
    return hash;
}

#endif
