// SPDX-License-Identifier: MIT
// Solids and shells by newmark-dcr: element updates per second of the whole explicit step without contact (forces, gather,
// kick, drift, velocities), and of kernels and gather alone, both also as fractions of the peaks of the machine, which are
// measured in the same run.
//
// Each figure is the best of many short repetitions, so that some of them run undisturbed. With one thread the processor time
// is measured as well (CLOCK_THREAD_CPUTIME_ID): on a busy machine it is about the wall clock time of an idle one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "bench.h"
#include "model/forces/forces.h"

typedef struct kernel {
    const char *name, *element;
    int integration;
    double flops; // per update: additions, multiplications and divisions of the law with ln J and of the element, as written
    double bytes; // per update, of streams: connectivity, stored data, forces written and read, lists; shared nodes once
} kernel;

// Bytes of tet4: 16 (nodes) + 80 (data) + 3 * 96 (forces: fetched, written, read) + 16 (list) + 168/5.5 (a node's arrays);
// of hex8: 32 + 3 * 192 + 32 + 192; of shells, half a node each: 48 + 112 + 3 * 288 + 48 + 84.
static const kernel kernels[] = {
    {.name = "tet4", .element = "tet4", .flops = 210, .bytes = 431},
    {.name = "hex8 8-point", .element = "hex8", .integration = CAROM_HEX8_FULL, .flops = 2200, .bytes = 832},
    {.name = "hex8 1-point", .element = "hex8", .integration = CAROM_HEX8_ONE_POINT, .flops = 975, .bytes = 832},
    {.name = "loop-shell", .element = "loop-shell", .flops = 600, .bytes = 1156},
};

enum { KERNELS = sizeof kernels / sizeof *kernels };

// A cube of solids, or a square sheet.
static carom_pick geometry_of(const kernel *k, int elements, carom_box_params *box, carom_rectangle_params *sheet) {
    bool tets = strcmp(k->element, "tet4") == 0;
    int n = (int)lround(cbrt(elements / (tets ? 6.0 : 1.0))), m = (int)lround(sqrt(elements / 2.0));
    *box = (carom_box_params){.to = {n, n, n}, .elements = {n, n, n}, .cells = tets, .grading = {1, 1, 1}};
    *sheet = (carom_rectangle_params){.to = {m, m, 0}, .columns = m, .rows = m, .cells = CAROM_PLANE_TRI3};
    bool shell = strcmp(k->element, "loop-shell") == 0;
    const void *params = shell ? (const void *)sheet : box;
    return (carom_pick){carom_catalogue_find(carom_generators(), shell ? "rectangle" : "box"), params};
}

const char *carom_bench_solid_name(int number) {
    return number < KERNELS ? kernels[number].name : NULL;
}

carom_model *carom_bench_solid(int number, int elements) {
    const kernel *k = &kernels[number];
    bool shell = strcmp(k->element, "loop-shell") == 0;
    carom_box_params box;
    carom_rectangle_params sheet;
    carom_hex8_params hex8 = {.integration = k->integration, .hourglass = 0.1};
    carom_loop_shell_params thin = {.thickness = 0.1, .layers = 5};
    carom_elastic_params law = {.young = 1, .poisson = 0.3, .density = 1};
    carom_error error;
    carom_mesh mesh = {0};
    carom_bench_insist(carom_mesh_generate(geometry_of(k, elements, &box, &sheet), &mesh, &error), &error);
    carom_bench_insist(carom_mesh_renumber(&mesh, &error), &error);
    carom_body_def body = carom_default_body_def();
    snprintf(body.name, sizeof body.name, "body");
    body.mesh = &mesh;
    body.element = (carom_pick){carom_catalogue_find(carom_elements(), k->element), shell ? (const void *)&thin : &hex8};
    body.material = (carom_pick){carom_catalogue_find(carom_materials(), shell ? "st-venant-kirchhoff" : "neo-hookean"), &law};
    // a slow rotation: the body deforms little, and no operand is zero
    memcpy(body.spin, (const double[3]){0, 0, 0.1 / (shell ? sheet.columns : box.elements[0])}, sizeof body.spin);
    carom_model_def def = carom_default_model_def();
    def.body_count = 1;
    def.bodies = &body;
    def.contact.enabled = false;
    carom_model *model;
    carom_bench_insist(carom_model_create(&def, &model, &error), &error);
    carom_mesh_release(&mesh);
    return model;
}

// The best updates per second, by the wall clock and by the processor time of this thread.
typedef struct rates {
    double wall, processor;
} rates;

static void note(rates *best, double updates, double wall, double processor) {
    best->wall = fmax(best->wall, updates / wall);
    best->processor = fmax(best->processor, updates / processor);
}

// Repetitions of about a millisecond, or of one step, for the given time; at least three.
enum {
    UPDATES = 40000, // element updates of one repetition
    LEAST = 3,       // repetitions
};

static int steps_of(const carom_model *model) {
    int elements = carom_model_element_count(model);
    return elements < UPDATES ? UPDATES / elements : 1;
}

static rates measure_steps(const carom_model *model, double seconds, int threads) {
    rates best = {0};
    carom_set_threads(threads);
    int steps = steps_of(model);
    carom_time_def time = carom_default_time_def();
    time.step = 0.2;
    time.end = 1e9 * time.step;
    carom_pick newmark = {carom_catalogue_find(carom_integrators(), "newmark-dcr"), NULL};
    carom_error error;
    carom_sim *sim;
    carom_bench_insist(carom_sim_create(model, newmark, &time, &sim, &error), &error);
    // the first repetition warms the caches and is not counted
    double begin = carom_bench_clock();
    for (int r = 0; r <= LEAST || carom_bench_clock() - begin < seconds; r++) {
        double wall = carom_bench_clock(), processor = carom_bench_processor_clock();
        for (int s = 0; s < steps; s++)
            carom_bench_insist(carom_sim_step(sim, &error), &error);
        if (r > 0)
            note(&best, (double)steps * carom_model_element_count(model), carom_bench_clock() - wall,
                 carom_bench_processor_clock() - processor);
    }
    carom_sim_release(sim);
    return best;
}

// Kernels and gather only, at the reference positions.
static rates measure_forces(const carom_model *model, double seconds) {
    rates best = {0};
    carom_set_threads(1);
    int times = steps_of(model);
    double *slots = malloc(sizeof *slots * (size_t)carom_model_slot_count(model));
    double(*force)[3] = malloc(sizeof *force * (size_t)carom_model_node_count(model)), begin = carom_bench_clock();
    for (int r = 0; slots && force && (r <= LEAST || carom_bench_clock() - begin < seconds); r++) {
        double wall = carom_bench_clock(), processor = carom_bench_processor_clock();
        for (int t = 0; t < times; t++)
            carom_model_force(model, carom_model_reference(model), slots, force, NULL);
        if (r > 0)
            note(&best, (double)times * carom_model_element_count(model), carom_bench_clock() - wall,
                 carom_bench_processor_clock() - processor);
    }
    free(slots);
    free(force);
    return best;
}

void carom_bench_solids(const carom_bench_plan *plan, const double bandwidth[2]) {
    double peak = carom_bench_multiply_add(), seconds = 1e-7 * plan->updates;
    printf("solids of neo-hookean, shells of st-venant-kirchhoff, newmark-dcr without contact: million element updates per\n"
           "second, best of many (processor: by processor time, one thread; forces: kernels and gather only; peak: of\n"
           "%.1f Gflop/s of fused multiply-adds on one thread; memory: of the triad on one thread, without reuse in the\n"
           "cache; both by processor time)\n\n",
           1e-9 * peak);
    printf("%9s  %-13s  %8s  %9s  %8s  %6s  %6s  %9s  %8s\n", "elements", "kernel", "1 thread", "processor", "forces", "peak",
           "memory", "2 threads", "speed-up");
    for (int elements = 1000; elements <= plan->most_elements; elements *= 10)
        for (int k = 0; k < KERNELS; k++) {
            carom_model *model = carom_bench_solid(k, elements);
            rates forces = measure_forces(model, seconds), one = measure_steps(model, seconds, 1),
                  two = measure_steps(model, seconds, 2);
            printf("%9d  %-13s  %8.2f  %9.2f  %8.2f  %4.0f %%  %4.0f %%  %9.2f  %8.2f\n", carom_model_element_count(model),
                   kernels[k].name, 1e-6 * one.wall, 1e-6 * one.processor, 1e-6 * forces.processor,
                   100 * one.processor * kernels[k].flops / peak, 100 * one.processor * kernels[k].bytes / bandwidth[0],
                   1e-6 * two.wall, two.wall / one.wall);
            fflush(stdout);
            carom_model_release(model);
        }
    printf("\n");
}
