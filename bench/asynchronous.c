// SPDX-License-Identifier: MIT
// The asynchronous integrator: kicks per second, and its time relative to newmark-dcr on meshes of uneven elements. Processor
// time, one thread.
//
//     kicks     boxes of tetrahedra and bricks that grow in size along three axes, so that all steps differ; no contact
//     bars      two bars of bricks collide (Wolff & Bucher, section 8.1), 5 n x n x n against 5 (n+1) x (n+1) x (n+1),
//               smallest at the contact
//     cubes     of bricks that vibrate, with layers or a cube in the middle of bricks 20 times smaller; no contact
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "bench.h"
#include "model/model.h"
#include "sim/sim.h"

static const double beta = 0.5; // steps as a fraction of the stable ones, for both methods

static void make_box(const carom_box_params *box, carom_mesh *mesh) {
    carom_error error;
    carom_pick generator = {carom_catalogue_find(carom_generators(), "box"), box};
    carom_bench_insist(carom_mesh_generate(generator, mesh, &error), &error);
}

static carom_body_def body_of(const char *name, const carom_mesh *mesh, const char *element, const char *law,
                              const void *params) {
    static const carom_hex8_params hex8 = {.integration = CAROM_HEX8_FULL, .hourglass = 0.1};
    carom_body_def body = carom_default_body_def();
    snprintf(body.name, sizeof body.name, "%s", name);
    body.mesh = mesh;
    body.element = (carom_pick){carom_catalogue_find(carom_elements(), element), &hex8};
    body.material = (carom_pick){carom_catalogue_find(carom_materials(), law), params};
    return body;
}

static carom_model *build(const carom_body_def *bodies, int count, bool contact) {
    carom_model_def def = carom_default_model_def();
    def.body_count = count;
    def.bodies = bodies;
    def.contact.enabled = contact;
    carom_error error;
    carom_model *model;
    carom_bench_insist(carom_model_create(&def, &model, &error), &error);
    return model;
}

// The result of a run from the start to `end`.
typedef struct outcome {
    double seconds, updates, end_energy;
    double (*x)[3]; // final positions; to be freed
} outcome;

static carom_sim *simulate(const carom_model *model, bool asynchronous, int classes, double end, double fraction) {
    carom_asynchronous_params params = {.beta = fraction, .classes = classes, .alpha = 0.5, .centred = true};
    carom_time_def time = carom_default_time_def();
    time.end = end;
    time.safety = asynchronous ? 0.5 : fraction;
    carom_pick pick = {carom_catalogue_find(carom_integrators(), asynchronous ? "asynchronous" : "newmark-dcr"), &params};
    // newmark-dcr runs with its defaults.
    if (!asynchronous)
        pick.params = NULL;
    carom_sim *sim;
    carom_error error;
    carom_bench_insist(carom_sim_create(model, pick, &time, &sim, &error), &error);
    return sim;
}

static outcome run(const carom_model *model, bool asynchronous, double end, double fraction) {
    carom_error error;
    carom_sim *sim = simulate(model, asynchronous, 8, end, fraction);
    outcome o = {0};
    double first = carom_sim_ledger(sim).total, begin = carom_bench_processor_clock();
    while (!carom_sim_done(sim))
        carom_bench_insist(carom_sim_advance(sim, &error), &error);
    o.seconds = carom_bench_processor_clock() - begin;
    carom_bench_insist(carom_sim_synchronize(sim, &error), &error);
    carom_ledger_row row = carom_sim_ledger(sim);
    o.updates = (double)carom_state_element_updates(carom_sim_state(sim));
    o.end_energy = row.total / first - 1;
    size_t size = (size_t)carom_model_node_count(model) * sizeof *o.x;
    o.x = malloc(size);
    if (o.x)
        memcpy(o.x, carom_state_positions(carom_sim_state(sim)), size);
    carom_sim_release(sim);
    return o;
}

// Kicks per second. One step of the run kicks each element several times; the first one warms the caches and is not counted.
static double measure_kicks(const carom_model *model, int classes) {
    carom_error error;
    carom_sim *sim = simulate(model, true, classes, 1e9, 0.25);
    double best = 0, spent = 0;
    for (int r = 0; r < 4 || spent < 1; r++) {
        double begin = carom_bench_processor_clock();
        int64_t before = carom_state_element_updates(carom_sim_state(sim));
        carom_bench_insist(carom_sim_advance(sim, &error), &error);
        double seconds = carom_bench_processor_clock() - begin;
        best = r > 0 ? fmax(best, (double)(carom_state_element_updates(carom_sim_state(sim)) - before) / seconds) : 0;
        spent += seconds;
    }
    carom_sim_release(sim);
    return best;
}

// A box of about `elements` elements, with a separate step for each, and with eight classes of steps per factor of two.
static void show_kicks(const char *element, const char *law, int elements) {
    bool tets = strcmp(element, "tet4") == 0;
    int n = (int)lround(cbrt(elements / (tets ? 6.0 : 1.0)));
    carom_elastic_params params = {.young = 1, .poisson = 0.3, .density = 1};
    carom_box_params box = {.to = {n, n, n}, .elements = {n, n, n}, .cells = tets, .grading = {1.1, 1.15, 1.2}};
    carom_mesh mesh = {0};
    carom_error error;
    make_box(&box, &mesh);
    carom_bench_insist(carom_mesh_renumber(&mesh, &error), &error);
    carom_body_def body = body_of("box", &mesh, element, law, &params);
    memcpy(body.spin, (const double[3]){0, 0, 0.1 / n}, sizeof body.spin);
    carom_model *model = build(&body, 1, false);
    carom_mesh_release(&mesh);

    double own = measure_kicks(model, 0), classes = measure_kicks(model, 8);
    printf("%9d  %-5s %-18s  %8.2f  %8.2f\n", carom_model_element_count(model), element, law, 1e-6 * own, 1e-6 * classes);
    fflush(stdout);
    carom_model_release(model);
}

// A bar that begins at x = 0; nodes by equation (47) of the paper, with the smallest cells at the contact.
static void make_bar(int n, double sign, carom_mesh *mesh) {
    carom_box_params box = {.from = {0, 0, 0}, .to = {10, 1, 1}, .elements = {5 * n, n, n}, .grading = {1, 1, 1}};
    if (sign < 0)
        box.from[0] = -10, box.to[0] = 0;
    make_box(&box, mesh);
    for (int k = 0; k < mesh->node_count; k++) {
        double s = fabs(mesh->nodes[k][0]) / 10;
        mesh->nodes[k][0] = sign * (10 / (double)n * s + (10 - 10 / (double)n) * s * s + 0.0005);
    }
}

static void measure_bars(int n, double end) {
    carom_elastic_params params = {.young = 1, .density = 1};
    carom_mesh meshes[2] = {{0}};
    make_bar(n, -1, &meshes[0]);
    make_bar(n + 1, 1, &meshes[1]);
    carom_body_def bodies[2] = {body_of("left", &meshes[0], "hex8", "linear", &params),
                                body_of("right", &meshes[1], "hex8", "linear", &params)};
    bodies[0].velocity[0] = 0.1;
    bodies[1].velocity[0] = -0.1;
    carom_model *model = build(bodies, 2, true);
    outcome own = run(model, true, end, beta), other = run(model, false, end, beta);
    printf("%4d  %9d  %8.2f s %8.2f s  %6.2f   %+8.4f %+8.4f\n", n, carom_model_element_count(model), own.seconds,
           other.seconds, own.seconds / other.seconds, 100 * own.end_energy, 100 * other.end_energy);
    fflush(stdout);
    free(own.x);
    free(other.x);
    carom_model_release(model);
    carom_mesh_release(&meshes[0]);
    carom_mesh_release(&meshes[1]);
}

// The root mean square distance of nodes, in units of `scale`.
static double distance(const double (*a)[3], const double (*b)[3], int nodes, double scale) {
    double sum = 0;
    for (int k = 0; k < nodes && a && b; k++)
        for (int i = 0; i < 3; i++)
            sum += (a[k][i] - b[k][i]) * (a[k][i] - b[k][i]);
    return sqrt(sum / nodes) / scale;
}

// Compresses `thin` planes of cells in the middle of a cube of n cells of length 1 to 1/20 of their thickness; returns its
// height.
static double make_layers(int n, int thin, carom_mesh *mesh) {
    int begin = (n - thin) / 2;
    for (int k = 0; k < mesh->node_count; k++)
        mesh->nodes[k][2] -= 0.95 * fmin(fmax(mesh->nodes[k][2] - begin, 0), thin);
    return n - 0.95 * thin;
}

// Shrinks the cells in the middle of a cube of n cells of length 1 to 1/20; the next ones grow from shell to shell, to 1.5 at
// most. Bisection finds the growth that keeps the size of the cube.
static void make_insert(int n, carom_mesh *mesh) {
    enum { INSERT = 2 };
    double *radius = calloc((size_t)n + 2, sizeof *radius), low = 1, high = 4, half = 0.5 * n;
    if (!radius)
        exit(1);
    for (int i = 0; i < 60; i++) {
        double size = 0.05, growth = 0.5 * (low + high);
        for (int j = 0; j < n / 2 + 1; j++) {
            radius[j + 1] = radius[j] + size;
            size = j + 1 < INSERT ? size : fmin(size * growth, 1.5);
        }
        if (radius[n / 2] > half)
            high = growth;
        else
            low = growth;
    }
    for (int k = 0; k < mesh->node_count; k++) {
        double *x = mesh->nodes[k], shell = 0;
        for (int d = 0; d < 3; d++)
            shell = fmax(shell, fabs(x[d] - half));
        for (int d = 0; d < 3 && shell > 0; d++)
            x[d] = half + (x[d] - half) * radius[lround(shell)] / shell;
    }
    free(radius);
}

// A cube vibrates in its second mode along each axis. Without lateral contraction this is u = a cos(2 pi x/l) sin(w t) for each
// axis, w = 2 pi/l with E = rho = 1. Errors are those of positions at the end, relative to this solution and to newmark-dcr
// with half of its step, in units of a: the second one is free of the error of the mesh.
static void measure_cube(const char *name, int n, int thin) {
    carom_elastic_params params = {.young = 1, .density = 1};
    carom_box_params box = {.to = {n, n, n}, .elements = {n, n, n}, .grading = {1, 1, 1}};
    carom_mesh mesh = {0};
    make_box(&box, &mesh);
    double length[3] = {n, n, n}, a = 0.01, end = 1.25 * n;
    if (thin > 0)
        length[2] = make_layers(n, thin, &mesh);
    else
        make_insert(n, &mesh);
    carom_body_def body = body_of("cube", &mesh, "hex8", "linear", &params);
    carom_model *model = build(&body, 1, false);
    carom_mesh_release(&mesh);
    int nodes = model->node_count;
    double(*exact)[3] = calloc((size_t)nodes, sizeof *exact);
    if (!exact)
        exit(1);
    for (int k = 0; k < nodes; k++)
        for (int d = 0; d < 3; d++) {
            double w = 2 * acos(-1) / length[d], shape = a * cos(w * model->X[k][d]);
            model->v0[k][d] = w * shape;
            exact[k][d] = model->X[k][d] + shape * sin(w * end);
        }
    outcome own = run(model, true, end, beta), other = run(model, false, end, beta), fine = run(model, false, end, 0.5 * beta);
    const double(*reference)[3] = (const double(*)[3])exact, (*slow)[3] = (const double(*)[3])fine.x;
    printf("%-22s %8d  %8.2f s %8.2f s  %6.2f %6.2f   %.1e %.1e   %.1e %.1e\n", name, carom_model_element_count(model),
           own.seconds, other.seconds, own.seconds / other.seconds, own.updates / other.updates,
           distance((const double(*)[3])own.x, reference, nodes, a), distance((const double(*)[3])other.x, reference, nodes, a),
           distance((const double(*)[3])own.x, slow, nodes, a), distance((const double(*)[3])other.x, slow, nodes, a));
    fflush(stdout);
    free(exact);
    free(own.x);
    free(other.x);
    free(fine.x);
    carom_model_release(model);
}

void carom_bench_asynchronous(const carom_bench_plan *plan, bool full) {
    carom_set_threads(1);
    printf("asynchronous: million kicks per second, no contact, all steps different\n\n%9s  %-24s  %6s\n", "elements",
           "element", "kicks");
    for (int elements = 1000; elements <= plan->most_elements; elements *= 10)
        show_kicks("tet4", "neo-hookean", elements);
    show_kicks("tet4", "st-venant-kirchhoff", 100000);
    show_kicks("hex8", "neo-hookean", 100000);
    show_kicks("hex8", "linear", 100000);

    printf(
        "\ncubes of bricks with some that are 20 times smaller, vibrating, no contact: "
        "asynchronous over newmark-dcr, steps %g of the\n"
        "stable ones: time, kicks; errors of positions from the exact solution, and from newmark-dcr with half of the step\n\n"
        "%-22s %8s  %10s %10s  %6s %6s   %-15s   %s\n",
        beta, "smaller", "elements", "asynchr.", "newmark", "time", "kicks", "all errors", "of time alone");
    measure_cube("one layer", full ? 40 : 20, 1);
    measure_cube("three layers", full ? 40 : 20, 3);
    measure_cube("a cube in the middle", full ? 40 : 20, 0);

    printf("\ntwo graded bars: asynchronous over newmark-dcr, steps %g of the critical ones; change of energy in percent\n\n",
           beta);
    printf("%4s  %9s  %10s %10s  %6s   %s\n", "n", "elements", "asynchr.", "newmark", "ratio", "energy");
    for (int n = 4; n <= (full ? 16 : 8); n += 4)
        measure_bars(n, 25);
    printf("\n");
}
