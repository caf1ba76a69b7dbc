// SPDX-License-Identifier: MIT
// Contacts as constraints. First the solver alone: a block of bricks pressed on a plate of another mesh, so that contacts share
// nodes and form one island; a wave in the gaps opens part of them.
//
//     smooth   nodes of the block on faces of the plate, without friction, without an initial guess
//     rough    the same with friction 0.3, pushed sideways so that part of it slips
//     again    the same, with its solution as initial guess
//     both     rough, and nodes of the plate on faces of the block as well: almost redundant
//
// Then whole steps of nonsmooth-newmark: a layer of bricks lands flat
//
//     floor    on a plane, with friction 0.2: one contact for each node below
//     smooth   on a plate of another mesh, without friction: nodes on faces from both sides, and edges on edges
//     rough    the same with friction 0.2
//
// Exponents are those of the time as a function of the number of contacts, relative to the row before.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <carom/carom.h>

#include "bench.h"
#include "contact/cones/cones.h"
#include "integrator/nonsmooth/workspace.h"
#include "sim/sim.h"

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

// Node (i, j) of a grid of `from` nodes a side against the triangle below it of a grid of `to` nodes a side.
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

static plates build(int contacts, double friction, bool both) {
    plates made = {0};
    made.n = (int)lround(sqrt(both ? contacts / 2.0 : contacts)) + both;
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
    for (int i = 0; i < made.m && both; i++)
        for (int j = 0; j < made.m; j++)
            made.cones[made.count++] = pair(made.m, above, made.n, 0, i, j, -1, friction);
    return made;
}

static void release(plates *made) {
    free(made->cones);
    free(made->mass);
    free(made->p);
}

// Measures one solve and prints a row.
static double measure(const char *name, plates *made, carom_cones_space *space, double before, int count_before) {
    carom_cones_counts counts = {0};
    carom_error error;
    double start = carom_bench_processor_clock();
    carom_status status = carom_cones_solve(space, made->cones, made->count, (carom_mobility){made->mass, NULL}, 0.5, 0,
                                            made->p, &counts, &error);
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

static void measure_solver(bool full) {
    printf("contacts as constraints, one thread\n");
    printf("%-8s %9s %8s %9s %8s %15s %10s %9s\n", "", "contacts", "press", "slip", "sweeps", "factorisations", "s",
           "exponent");
    carom_cones_space *space = carom_cones_create();
    insist(space, "no memory");
    double before[4] = {0};
    int count_before[2] = {0};
    for (int contacts = 100; contacts <= 10000; contacts *= 10) {
        plates smooth = build(contacts, 0, false), rough = build(contacts, 0.3, false), both = build(contacts, 0.3, true);
        before[0] = measure("smooth", &smooth, space, before[0], count_before[0]);
        before[1] = measure("rough", &rough, space, before[1], count_before[0]);
        before[2] = measure("again", &rough, space, before[2], count_before[0]);
        if (full || contacts <= 1000)
            before[3] = measure("both", &both, space, before[3], count_before[1]);
        count_before[0] = smooth.count;
        count_before[1] = both.count;
        release(&smooth);
        release(&rough);
        release(&both);
    }
    carom_cones_release(space);
    printf("\n");
}

// The ground on which a layer of n x n bricks lands.
typedef struct landing {
    const char *name;
    bool on_plane;
    double friction;
    int sides[4]; // n; the last ones where there is time
} landing;

static const landing landings[] = {
    {"floor", true, 0.2, {9, 31, 99, 0}},
    {"smooth", false, 0, {4, 7, 15, 22}},
    {"rough", false, 0.2, {4, 7, 15, 0}},
};

// n x n bricks fall on a plane, or on a plate of (n + 1) x (n + 1); both are one brick thick.
static carom_model *build_bricks(const landing *where, int n) {
    static const carom_hex8_params solid = {.integration = CAROM_HEX8_FULL, .hourglass = 0.1};
    static const carom_elastic_params law = {1e4, 0.3, 1};
    carom_error error;
    carom_mesh meshes[2];
    carom_body_def bodies[2] = {carom_default_body_def(), carom_default_body_def()};
    carom_plane_def floor = {.name = "floor", .point = {0, 0, -1e-4 / n}, .normal = {0, 0, 1}};
    carom_model_def def = carom_default_model_def();
    def.bodies = bodies;
    def.body_count = where->on_plane ? 1 : 2;
    def.contact.friction = where->friction;
    def.contact.planes = &floor;
    def.contact.plane_count = where->on_plane;
    for (int i = 0; i < def.body_count; i++) {
        double size = 1.0 / n, edge = i ? 0.013 : 0;
        int side = i ? n + 1 : n;
        carom_box_params box = {.from = {-edge, -edge, i ? -size : 0},
                                .to = {1 + edge, 1 + edge, i ? -1e-4 * size : size},
                                .elements = {side, side, 1},
                                .grading = {1, 1, 1}};
        carom_pick pick = {carom_catalogue_find(carom_generators(), "box"), &box};
        insist(!carom_mesh_generate(pick, &meshes[i], &error), error.message);
        snprintf(bodies[i].name, sizeof bodies[i].name, "body%d", i);
        bodies[i].mesh = &meshes[i];
        bodies[i].element = (carom_pick){carom_catalogue_find(carom_elements(), "hex8"), &solid};
        bodies[i].material = (carom_pick){carom_catalogue_find(carom_materials(), "st-venant-kirchhoff"), &law};
    }
    bodies[0].velocity[0] = 0.2;
    bodies[0].velocity[2] = -1;
    carom_model *model;
    insist(!carom_model_create(&def, &model, &error), error.message);
    for (int i = 0; i < def.body_count; i++)
        carom_mesh_release(&meshes[i]);
    return model;
}

// Steps from the first contact on; prints a row.
static double measure_steps(const landing *where, int n, double before, int *pairs_before) {
    enum { STEPS = 4 };
    carom_error error;
    carom_model *model = build_bricks(where, n);
    const carom_kind *kind = carom_catalogue_find(carom_integrators(), "nonsmooth-newmark");
    void *params = calloc(1, kind->params_size);
    insist(params, "no memory");
    carom_param_defaults(kind->params, kind->param_count, params);
    carom_time_def time = carom_default_time_def();
    time.end = 1;
    carom_sim *sim;
    insist(!carom_sim_create(model, (carom_pick){kind, params}, &time, &sim, &error), error.message);
    carom_sqp_counts first = {0}, last = {0};
    double start = 0;
    for (int steps = 0; steps<STEPS; steps += last.most_pairs> 0) {
        if (last.most_pairs == 0) {
            first = last;
            start = carom_bench_processor_clock();
        }
        insist(!carom_sim_step(sim, &error), error.message);
        last = ((const carom_nonsmooth_workspace *)sim->stepper.workspace)->sqp.counts;
    }
    double seconds = (carom_bench_processor_clock() - start) / STEPS;
    printf("%-8s %9d %8d %9.1f %12.1f %10.3g", where->name, where->on_plane ? n * n : 2 * n * n + 2 * n + 1,
           (int)last.most_pairs, (double)(last.passes - first.passes) / STEPS,
           (double)(last.iterations - first.iterations) / STEPS, seconds);
    if (before > 0)
        printf(" %9.2f", log(seconds / before) / log((double)last.most_pairs / *pairs_before));
    printf("\n");
    fflush(stdout);
    *pairs_before = (int)last.most_pairs;
    carom_sim_release(sim);
    carom_model_release(model);
    free(params);
    return seconds;
}

void carom_bench_nonsmooth(bool full) {
    carom_set_threads(1);
    measure_solver(full);
    printf("nonsmooth-newmark, one thread, per step\n");
    printf("%-8s %9s %8s %9s %12s %10s %9s\n", "", "elements", "pairs", "passes", "iterations", "s", "exponent");
    for (size_t i = 0; i < sizeof landings / sizeof *landings; i++) {
        const landing *where = &landings[i];
        double before = 0;
        int pairs = 0;
        for (int k = 0; k < 4 && where->sides[k] && (full || where->on_plane || k < 2); k++)
            before = measure_steps(where, where->sides[k], before, &pairs);
    }
    carom_set_threads(0);
    printf("\n");
}
