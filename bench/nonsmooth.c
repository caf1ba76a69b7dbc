// SPDX-License-Identifier: MIT
// Contacts solved together as constraints: a block of bricks pressed on a plate of another mesh, nodes of either against faces of the other, so that
// contacts share nodes and make one island. A wave in the gaps opens part of them.
//
//     smooth   without friction, from no guess
//     rough    with friction 0.3, pushed sideways so that part slips
//     again    the same from its own solution
//
// The exponent is that of the time against the number of contacts, since the row before.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "contact/cones.h"

// Two square grids of nodes, n x n above and m x m below, of the same size.
typedef struct plates {
    int n, m;
    int count;
    carom_cone *cones;
    double *mass;
    double (*p)[3];
} plates;

static void insist(bool good, const char *message) {
    if (good)
        return;
    fprintf(stderr, "carom-bench: %s\n", message);
    exit(1);
}

// Node (i, j) of a grid of `from` against the triangle of a grid of `to` nodes a side under it.
static carom_cone pair(int from, int first, int to, int to_first, int i, int j, double side, double friction) {
    double x = (double)i / (from - 1) * (to - 1), y = (double)j / (from - 1) * (to - 1);
    int a = (int)fmin(x, to - 2), b = (int)fmin(y, to - 2);
    double s = x - a, t = y - b;
    int corner = to_first + a * to + b;
    carom_cone cone = {.count = 4, .tangents = 2, .friction = friction};
    double weight[4] = {1};
    cone.node[0] = first + i * from + j;
    if (s >= t) {
        cone.node[1] = corner, cone.node[2] = corner + to, cone.node[3] = corner + to + 1;
        weight[1] = -(1 - s), weight[2] = -(s - t), weight[3] = -t;
    } else {
        cone.node[1] = corner, cone.node[2] = corner + 1, cone.node[3] = corner + to + 1;
        weight[1] = -(1 - t), weight[2] = -(t - s), weight[3] = -s;
    }
    for (int k = 0; k < 4; k++) {
        cone.G[k][2] = cone.F[k][2] = side * weight[k];
        cone.D[0][k][0] = cone.D[1][k][1] = side * weight[k];
    }
    double u = (double)i / (from - 1), v = (double)j / (from - 1);
    cone.gap = -1 + 1.5 * sin(7 * u + 1) * sin(9 * v + 2);
    cone.slip[0] = side * 0.2 * (1 + sin(5 * u + 3 * v));
    cone.slip[1] = side * 0.1 * cos(4 * u - v);
    return cone;
}

static plates build(int contacts, double friction) {
    plates made = {0};
    made.n = (int)lround(sqrt(contacts / 2.0));
    made.m = made.n - 2;
    int above = made.n * made.n, below = made.m * made.m;
    made.cones = calloc((size_t)(above + below), sizeof *made.cones);
    made.mass = calloc((size_t)(above + below), sizeof *made.mass);
    made.p = calloc((size_t)(above + below), sizeof *made.p);
    insist(made.cones && made.mass && made.p, "no memory");
    for (int k = 0; k < above + below; k++)
        made.mass[k] = k < above ? 1 : 3;
    for (int i = 0; i < made.n; i++)
        for (int j = 0; j < made.n; j++)
            made.cones[made.count++] = pair(made.n, 0, made.m, above, i, j, 1, friction);
    for (int i = 0; i < made.m; i++)
        for (int j = 0; j < made.m; j++)
            made.cones[made.count++] = pair(made.m, above, made.n, 0, i, j, -1, friction);
    return made;
}

static void release(plates *made) {
    free(made->cones);
    free(made->mass);
    free(made->p);
}

// One solve; prints a row.
static double measure(const char *name, plates *made, carom_cones_space *space, double before, int count_before) {
    carom_cones_counts counts = {0};
    carom_error error;
    double start = carom_bench_processor_clock();
    carom_status status = carom_cones_solve(space, made->cones, made->count, (carom_mobility){made->mass, NULL}, 0.5, 0, made->p,
                                            &counts, &error);
    double seconds = carom_bench_processor_clock() - start;
    insist(!status, error.message);
    int active = 0, slipping = 0;
    for (int i = 0; i < made->count; i++) {
        const carom_cone *cone = &made->cones[i];
        active += cone->lambda > 0;
        slipping += cone->lambda > 0 && hypot(cone->r[0], cone->r[1]) > 0.999999 * cone->friction * cone->lambda;
    }
    printf("%-8s %9d %8d %9d %8lld %15lld %10.3g", name, made->count, active, slipping, (long long)counts.sweeps,
           (long long)counts.factorisations, seconds);
    if (before > 0)
        printf(" %9.2f", log(seconds / before) / log((double)made->count / count_before));
    printf("\n");
    fflush(stdout);
    return seconds;
}

void carom_bench_nonsmooth(bool full) {
    printf("contacts as constraints, one thread\n");
    printf("%-8s %9s %8s %9s %8s %15s %10s %9s\n", "", "contacts", "press", "slip", "sweeps", "factorisations", "s",
           "exponent");
    carom_cones_space *space = carom_cones_create();
    insist(space, "no memory");
    double before[3] = {0};
    int count_before = 0;
    for (int contacts = 100; contacts <= (full ? 100000 : 10000); contacts *= 10) {
        plates smooth = build(contacts, 0), rough = build(contacts, 0.3);
        before[0] = measure("smooth", &smooth, space, before[0], count_before);
        before[1] = measure("rough", &rough, space, before[1], count_before);
        before[2] = measure("again", &rough, space, before[2], count_before);
        count_before = smooth.count;
        release(&smooth);
        release(&rough);
    }
    carom_cones_release(space);
    printf("\n");
}
