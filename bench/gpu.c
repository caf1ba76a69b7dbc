// SPDX-License-Identifier: MIT
// Steps by a GPU. Two figures for each body without contact: the explicit step with only forces, sums, kick and drift, and the
// step of newmark-dcr as in `carom run --device gpu`, with largest stresses, guards and checks of elements; for comparison,
// newmark-dcr on one and on all threads. Then two boxes of tetrahedra in contact. All final states are compared.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "bench.h"
#include "device_leap.h"
#include "device_parts.h"
#include "model/forces/forces.h"
#include "model/model.h"
#include "sim/sim.h"

static const double step_size = 0.2;

// Number of elements above which a single thread is not measured.
enum { ONE_THREAD_MOST = 1000000 };

static const carom_backend *find_backend(void) {
    const carom_backend *backend = NULL;
    carom_error error;
    carom_bench_insist(carom_device_find_backend(&backend, &error), &error);
    return backend;
}

// `count` steps on the processor, as in leap_on_device: the reference for its bits.
static void leap(const carom_model *model, int count, double h, double (*x)[3], double (*w)[3], double *slots,
                 double (*force)[3]) {
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < model->node_count; k++)
            for (int c = 0; c < 3; c++)
                x[k][c] += h * w[k][c];
        carom_model_force(model, (const double(*)[3])x, slots, force, NULL);
        for (int k = 0; k < model->node_count; k++) {
            double scale = h / model->mass[k];
            for (int c = 0; c < 3; c++)
                w[k][c] += scale * force[k][c];
        }
    }
}

// Updates per second of steps on the GPU alone; negative if a few of them differ from those of the processor.
static double measure_resident(const carom_model *model, int steps, double *start, double *bytes,
                               double parts[CAROM_BENCH_PARTS]) {
    enum { COMPARED = 5 };
    size_t size = sizeof(double[3]) * (size_t)model->node_count;
    double(*x)[3] = malloc(size), (*w)[3] = malloc(size), (*y)[3] = malloc(size), (*u)[3] = malloc(size),
    (*f)[3] = malloc(size);
    double *slots = malloc(sizeof *slots * (size_t)carom_model_slot_count(model)), most, begin = carom_bench_clock();
    carom_device *device;
    carom_error error;
    if (!x || !w || !y || !u || !f || !slots)
        exit(2);
    carom_bench_insist(carom_device_create(find_backend(), model, &device, &error), &error);
    *start = carom_bench_clock() - begin;
    *bytes = (double)carom_device_bytes(device) / model->element_count;
    memcpy(x, model->X, size);
    memcpy(w, model->v0, size);
    memcpy(y, x, size);
    memcpy(u, w, size);
    leap_on_device(device, COMPARED, step_size, x, w, &most);
    leap(model, COMPARED, step_size, y, u, slots, f);
    bool equal = memcmp(x, y, size) == 0 && memcmp(w, u, size) == 0;
    double seconds = leap_on_device(device, steps, step_size, x, w, &most);
    equal = equal && !carom_device_fault(device) && carom_bench_device_parts(device, steps, parts);
    carom_device_release(device);
    free(x), free(w), free(y), free(u), free(f), free(slots);
    return equal ? (double)steps * model->element_count / seconds : -1;
}

// Times of a run of newmark-dcr in seconds per step, and its final state.
typedef struct timed {
    double seconds; // mean of all steps
    double usual;   // median
    uint64_t hash;
    carom_device_use use;
    double phase[CAROM_PHASE_COUNT];
} timed;

// Number of steps that includes all periodic work: audits, copies of the state.
enum { MEASURED = 64 };

static int by_size(const void *a, const void *b) {
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static timed measure_steps(const carom_model *model, double step, int warm, int steps, int threads, bool gpu) {
    double each[MEASURED];
    carom_time_def time = carom_default_time_def();
    time.step = step;
    time.end = 1e6 * step;
    carom_error error;
    carom_sim *sim;
    carom_set_threads(threads);
    carom_bench_insist(carom_sim_create(model, (carom_pick){carom_catalogue_find(carom_integrators(), "newmark-dcr"), NULL},
                                        &time, &sim, &error),
                       &error);
    if (gpu)
        carom_bench_insist(carom_sim_use_device(sim, &error), &error);
    for (int s = 0; s < warm; s++)
        carom_bench_insist(carom_sim_advance(sim, &error), &error);
    timed found = {0};
    carom_device_use before = {0};
    carom_sim_device_use(sim, &before);
    carom_profile_start(&sim->stepper.profile);
    double begin = carom_bench_clock();
    for (int s = 0; s < steps; s++) {
        double last = carom_bench_clock();
        carom_bench_insist(carom_sim_advance(sim, &error), &error);
        each[s] = carom_bench_clock() - last;
    }
    found.seconds = (carom_bench_clock() - begin) / steps;
    carom_profile_stop(&sim->stepper.profile);
    for (int p = 0; p < CAROM_PHASE_COUNT; p++)
        found.phase[p] = sim->stepper.profile.time[p].wall / steps;
    qsort(each, (size_t)steps, sizeof *each, by_size);
    found.usual = each[steps / 2];
    if (carom_sim_device_use(sim, &found.use)) {
        found.use.waiting = (found.use.waiting - before.waiting) / steps;
        found.use.settling = (found.use.settling - before.settling) / steps;
        found.use.to = (found.use.to - before.to) / steps;
        found.use.from = (found.use.from - before.from) / steps;
    }
    found.hash = carom_state_hash(carom_sim_state(sim));
    carom_sim_release(sim);
    return found;
}

// Two boxes of about `elements` tetrahedra each, one slightly above the other and falling on it.
static carom_model *build_pair(int elements) {
    int n = 1;
    while (6 * (n + 1) * (n + 1) * (n + 1) <= elements)
        n++;
    carom_mesh meshes[2] = {{0}, {0}};
    carom_body_def bodies[2];
    carom_elastic_params law = {.young = 1, .poisson = 0.3, .density = 1};
    carom_error error;
    for (int b = 0; b < 2; b++) {
        carom_box_params box = {.from = {0.3 * b, 0.2 * b, b * (n + 0.01)},
                                .to = {n + 0.3 * b, n + 0.2 * b, n + b * (n + 0.01)},
                                .elements = {n, n, n},
                                .cells = 1,
                                .grading = {1, 1, 1}};
        carom_bench_insist(
            carom_mesh_generate((carom_pick){carom_catalogue_find(carom_generators(), "box"), &box}, &meshes[b], &error),
            &error);
        carom_bench_insist(carom_mesh_renumber(&meshes[b], &error), &error);
        bodies[b] = carom_default_body_def();
        snprintf(bodies[b].name, sizeof bodies[b].name, "box%d", b);
        bodies[b].mesh = &meshes[b];
        bodies[b].element = (carom_pick){carom_catalogue_find(carom_elements(), "tet4"), NULL};
        bodies[b].material = (carom_pick){carom_catalogue_find(carom_materials(), "neo-hookean"), &law};
        bodies[b].velocity[2] = b ? -0.02 : 0;
    }
    carom_model_def def = carom_default_model_def();
    def.body_count = 2;
    def.bodies = bodies;
    def.contact.restitution = 0;
    carom_model *model;
    carom_bench_insist(carom_model_create(&def, &model, &error), &error);
    for (int b = 0; b < 2; b++)
        carom_mesh_release(&meshes[b]);
    return model;
}

// Prints the phases of a step.
static void print_phases(const timed *found) {
    printf("           step, ms: median %.3f;", 1e3 * found->usual);
    for (int p = 0; p < CAROM_PHASE_COUNT; p++)
        if (found->phase[p] >= 5e-7)
            printf(" %s %.3f", carom_phase_name((carom_phase)p), 1e3 * found->phase[p]);
    if (found->use.from > 0)
        printf("; kB there %.0f, back %.0f", 1e-3 * found->use.to, 1e-3 * found->use.from);
    printf("\n");
}

static void print_parts(const double parts[CAROM_BENCH_PARTS]) {
    printf("           parts of the GPU, us:");
    for (int p = 0; p < CAROM_BENCH_PARTS; p++)
        printf(" %s %.1f", carom_bench_part_name((carom_bench_part)p), 1e6 * parts[p]);
    printf("\n");
}

static bool bench_bodies(int least, int most, int only, int steps, int threads) {
    bool same = true;
    printf(
        "without contact: billions of element updates per second. GPU: forces, sums, kick, drift; step: newmark-dcr with the\n"
        "GPU (waiting: for the GPU; extremes: of stress, ms); 1 and %d threads of the processor\n\n",
        threads);
    printf("%9s  %-13s  %7s  %7s  %8s  %8s  %8s  %8s  %7s  %7s  %9s  %s\n", "elements", "kernel", "GPU", "step", "step, ms",
           "waiting", "extremes", "1 thread", "all", "start,s", "bytes/el.", "states");
    for (int elements = least; elements <= most; elements *= 5)
        for (int k = only > 0 ? only - 1 : 0; carom_bench_solid_name(k) && (only < 1 || k < only); k++) {
            carom_model *model = carom_bench_solid(k, elements);
            double count = model->element_count, start, bytes, parts[CAROM_BENCH_PARTS] = {0};
            double resident = measure_resident(model, steps, &start, &bytes, parts);
            timed gpu = measure_steps(model, step_size, 3, MEASURED, threads, true);
            timed all = measure_steps(model, step_size, 3, MEASURED, threads, false);
            // omitted: it takes long, and updates per second hardly depend on the size
            timed one = {.seconds = NAN};
            if (elements <= ONE_THREAD_MOST)
                one = measure_steps(model, step_size, 1, 2, 1, false);
            bool equal = resident > 0 && gpu.hash == all.hash;
            same = same && equal;
            printf("%9d  %-13s  %7.3f  %7.3f  %8.2f  %8.2f  %8.2f  %8.3f  %7.3f  %7.2f  %9.0f  %s\n", model->element_count,
                   carom_bench_solid_name(k), 1e-9 * resident, 1e-9 * count / gpu.seconds, 1e3 * gpu.seconds,
                   1e3 * gpu.use.waiting, 1e3 * gpu.use.settling, 1e-9 * count / one.seconds, 1e-9 * count / all.seconds, start,
                   bytes, equal ? "equal" : "DIFFER");
            print_parts(parts);
            print_phases(&gpu);
            print_phases(&all);
            fflush(stdout);
            carom_model_release(model);
        }
    return same;
}

static bool bench_pair(int elements, int threads) {
    carom_model *model = build_pair(elements);
    timed gpu = measure_steps(model, step_size, 5, MEASURED, threads, true),
          all = measure_steps(model, step_size, 5, MEASURED, threads, false);
    printf("\ntwo boxes of %d tetrahedra in contact, ms per step: %.2f with the GPU (%.2f waited for it, %.2f "
           "extremes), %.2f on %d threads, states %s\n",
           model->element_count / 2, 1e3 * gpu.seconds, 1e3 * gpu.use.waiting, 1e3 * gpu.use.settling, 1e3 * all.seconds,
           threads, gpu.hash == all.hash ? "equal" : "DIFFER");
    print_phases(&gpu);
    print_phases(&all);
    carom_model_release(model);
    return gpu.hash == all.hash;
}

int carom_bench_gpu(int count, char **arguments) {
    int elements = 5000000, least = 200000, only = 0, pair = 1000000, steps = 100, threads = carom_threads();
    for (int i = 0; i + 1 < count; i += 2) {
        int *value = strcmp(arguments[i], "--elements") == 0 ? &elements
                     : strcmp(arguments[i], "--from") == 0   ? &least
                     : strcmp(arguments[i], "--kernel") == 0 ? &only
                     : strcmp(arguments[i], "--pair") == 0   ? &pair
                     : strcmp(arguments[i], "--steps") == 0  ? &steps
                                                             : NULL;
        if (!value || (*value = atoi(arguments[i + 1])) < 0)
            return 2;
    }
    if (count % 2 || least < 1 || steps < 1)
        return 2;
    bool same = bench_bodies(least, elements, only, steps, threads);
    same = (pair == 0 || bench_pair(pair, threads)) && same;
    return same ? 0 : 3;
}
