// SPDX-License-Identifier: MIT
// Contacts of a few nodes as constraints with friction cones: checks of the conditions, and a solver by all active sets.
#ifndef CAROM_TEST_CONES_H
#define CAROM_TEST_CONES_H

#include "../../../support.h"
#include "contact/cones/cones.h"
#include "math/vec3.h"

enum { NODES = 12, MOST = 8 };

typedef struct fixture {
    carom_cones_space *space;
    double mass[NODES];
    carom_restraint items[NODES];
    int of_node[NODES];
    carom_restraints restraints;
    carom_mobility mobility;
    double compliance;
    double p[NODES][3];
    carom_cones_counts counts;
} fixture;

static inline void start(fixture *f) {
    *f = (fixture){.space = carom_cones_create(), .compliance = 0.5};
    for (int k = 0; k < NODES; k++) {
        f->mass[k] = 1;
        f->of_node[k] = -1;
    }
    f->restraints = (carom_restraints){0, f->items, f->of_node};
    f->mobility = (carom_mobility){f->mass, &f->restraints, NULL};
}

static inline void end(fixture *f) {
    carom_cones_release(f->space);
}

static inline void restrain(fixture *f, int node, int count, const double directions[][3]) {
    f->of_node[node] = f->restraints.count;
    carom_restraint *r = &f->items[f->restraints.count++];
    *r = (carom_restraint){.node = node};
    for (int i = 0; i < count; i++)
        assert_ok(carom_restraint_add(r, directions[i], 0, error));
}

static inline void hold(fixture *f, int node) {
    restrain(f, node, 3, (const double[][3]){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
}

static inline carom_status solve(fixture *f, carom_cone *cones, int count, carom_error *error) {
    return carom_cones_solve(f->space, cones, count, f->mobility, f->compliance, 0, f->p, &f->counts, error);
}

// The product of a row of a constraint with displacements.
static inline double along(const carom_cone *cone, const double row[4][3], const double (*p)[3]) {
    double sum = 0;
    for (int k = 0; k < cone->count; k++)
        sum += carom_dot(row[k], p[cone->node[k]]);
    return sum;
}

// The displacements by the forces found, from their definition. Returns the largest by a single force, the scale of rounding.
static inline double displace(const fixture *f, const carom_cone *cones, int count, double (*p)[3]) {
    double single = 0;
    memset(p, 0, NODES * sizeof *p);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < cones[i].count; k++) {
            double *at = p[cones[i].node[k]];
            single = fmax(single, f->compliance / f->mass[cones[i].node[k]] * cones[i].lambda * carom_norm(cones[i].F[k]));
            carom_add_scaled(cones[i].lambda, cones[i].F[k], at);
            for (int a = 0; a < cones[i].tangents; a++)
                carom_add_scaled(-cones[i].r[a], cones[i].D[a][k], at);
        }
    for (int k = 0; k < NODES; k++) {
        const carom_restraint *r = carom_restraint_of(&f->restraints, k);
        if (r)
            carom_restraint_project(r, p[k]);
        for (int c = 0; c < 3; c++)
            p[k][c] *= f->compliance / f->mass[k];
    }
    return single;
}

// Checks all conditions of contact/cones/cones.h with the displacements by the forces.
static inline void check(const fixture *f, const carom_cone *cones, int count) {
    double p[NODES][3], slips = 0, single = displace(f, cones, count, p), largest = 0.01 * single;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(cones[i].gap));
        slips = fmax(slips, hypot(cones[i].slip[0], cones[i].slip[1]));
        for (int k = 0; k < cones[i].count; k++)
            for (int c = 0; c < 3; c++)
                assert_near(f->p[cones[i].node[k]][c], p[cones[i].node[k]][c], 1e-14 * single);
    }
    slips = fmax(slips, largest);
    for (int i = 0; i < count; i++) {
        const carom_cone *c = &cones[i];
        double g = c->gap + along(c, c->G, (const double(*)[3])p) + c->softness * c->lambda;
        assert_true(c->lambda >= 0);
        assert_true(g > -1e-12 * largest);
        if (c->lambda > 0 && g > 1e-12 * largest) {
            // an open contact: its force is rounding
            double own = 0;
            for (int k = 0; k < c->count; k++)
                own += f->compliance * carom_dot(c->G[k], c->F[k]) / f->mass[c->node[k]];
            assert_true(own * c->lambda < 1e-12 * largest);
        }
        double r = hypot(c->r[0], c->r[1]), s[2] = {0, 0};
        assert_true(r <= c->friction * c->lambda * (1 + 4e-16));
        if (!(c->friction > 0))
            continue;
        for (int a = 0; a < c->tangents; a++)
            s[a] = c->slip[a] + along(c, c->D[a], (const double(*)[3])p);
        double slip = hypot(s[0], s[1]);
        assert_true(c->r[0] * s[0] + c->r[1] * s[1] >= -1e-12 * slips * r);
        if (slip > 1e-11 * slips && c->lambda > 0) {
            // while it slips, friction is along the slip and at its limit
            assert_near(r, c->friction * c->lambda, 1e-12 * slips / slip * r + 1e-11 * r);
            assert_near((c->r[0] * s[1] - c->r[1] * s[0]) / slip, 0, 1e-12 * slips / slip * r);
        }
    }
}

static inline void random_row(uint64_t *seed, int count, double row[4][3]) {
    for (int k = 0; k < count; k++)
        for (int c = 0; c < 3; c++)
            row[k][c] = random_real(seed, -1, 1);
}

static inline carom_cone random_cone(uint64_t *seed, double turn) {
    carom_cone cone = {.count = 1 + (int)random_real(seed, 0, 4)};
    for (int k = 0; k < cone.count; k++) {
        bool twice;
        do {
            cone.node[k] = (int)random_real(seed, 0, NODES);
            twice = false;
            for (int l = 0; l < k; l++)
                twice = twice || cone.node[l] == cone.node[k];
        } while (twice);
    }
    random_row(seed, cone.count, cone.G);
    for (int k = 0; k < cone.count; k++)
        for (int c = 0; c < 3; c++)
            cone.F[k][c] = cone.G[k][c] + turn * random_real(seed, -1, 1);
    cone.gap = random_real(seed, -1, 0.5);
    return cone;
}

// The matrix Q of gap changes by unit forces.
static inline void matrix(const fixture *f, const carom_cone *cones, int count, double Q[MOST][MOST]) {
    for (int j = 0; j < count; j++) {
        carom_cone unit = cones[j];
        double p[NODES][3];
        unit.lambda = 1;
        unit.r[0] = unit.r[1] = 0;
        displace(f, &unit, 1, p);
        for (int i = 0; i < count; i++)
            Q[i][j] = along(&cones[i], cones[i].G, (const double(*)[3])p) + (i == j ? cones[i].softness : 0);
    }
}

// Gauss-Jordan on the chosen rows; false if singular.
static inline bool eliminate(int n, double A[MOST][MOST + 1]) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        if (fabs(A[best][k]) < 1e-9)
            return false;
        for (int j = 0; j <= n; j++) {
            double swap = A[k][j];
            A[k][j] = A[best][j], A[best][j] = swap;
        }
        for (int i = 0; i < n; i++)
            for (int j = n; i != k && j >= k; j--)
                A[i][j] -= A[i][k] / A[k][k] * A[k][j];
    }
    return true;
}

// The solution by testing all active sets; false if there is none. Sets that hold by less than 1e-9 do not count, and
// *solutions becomes the number of the others.
static inline bool enumerate(double Q[MOST][MOST], const carom_cone *cones, int n, double *lambda, int *solutions) {
    *solutions = 0;
    for (int set = 0; set < 1 << n; set++) {
        double A[MOST][MOST + 1], trial[MOST] = {0};
        int index[MOST], m = 0;
        for (int i = 0; i < n; i++)
            if (set >> i & 1)
                index[m++] = i;
        for (int a = 0; a < m; a++) {
            for (int b = 0; b < m; b++)
                A[a][b] = Q[index[a]][index[b]];
            A[a][m] = -cones[index[a]].gap;
        }
        if (!eliminate(m, A))
            continue;
        bool fits = true;
        for (int a = 0; a < m; a++) {
            trial[index[a]] = A[a][m] / A[a][a];
            fits = fits && trial[index[a]] > 1e-9;
        }
        for (int i = 0; i < n && fits; i++) {
            double g = cones[i].gap;
            for (int j = 0; j < n; j++)
                g += Q[i][j] * trial[j];
            fits = set >> i & 1 || g > 1e-9;
        }
        if (fits) {
            memcpy(lambda, trial, sizeof trial);
            (*solutions)++;
        }
    }
    return *solutions > 0;
}

// The contact of a node with a fixed plane: only the row of the node is not zero.
static inline carom_cone on_plane(int node, double nx, double ny, double nz, double gap) {
    carom_cone cone = {.count = 1, .node = {node}, .gap = gap};
    carom_copy((double[3]){nx, ny, nz}, cone.G[0]);
    carom_copy(cone.G[0], cone.F[0]);
    return cone;
}

#endif
