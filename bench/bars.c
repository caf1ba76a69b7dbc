// SPDX-License-Identifier: MIT
// Bars by newmark-dcr: element updates per second without and with contact.
//
//     free        one bar, no contact
//     impact      bars of 100 elements in a row, every second one hits its neighbour: one contact for 200 elements, e = 0
//     projection  the same, contact after the drift, e = 1
//     floor       one bar falls flat on a plane and rests on it: one contact for each node, e = 0
//
// Every repetition restarts, so that the motion is the same in all; only the steps are timed.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "bench.h"

enum {
    ELEMENTS_PER_BAR = 100, // if bars are in a row
    STEPS = 300,            // largest number of steps of one run
};

typedef struct test_case {
    const char *name;
    bool contact, row, floor;
    int resolve;
    double restitution;
} test_case;

static const test_case cases[] = {
    {.name = "free"},
    {.name = "impact", .contact = true, .row = true, .resolve = CAROM_RESOLVE_EXACT, .restitution = 0},
    {.name = "projection", .contact = true, .row = true, .resolve = CAROM_RESOLVE_PROJECTION, .restitution = 1},
    {.name = "floor", .contact = true, .floor = true, .resolve = CAROM_RESOLVE_EXACT, .restitution = 0},
};

enum { CASES = sizeof cases / sizeof *cases };

static void *reserve(int count, size_t size) {
    void *memory = calloc((size_t)count, size);
    carom_error error;
    if (!memory)
        carom_bench_insist(carom_fail(&error, CAROM_NO_MEMORY, "no memory"), &error);
    return memory;
}

static carom_model *build(const test_case *c, int elements) {
    int bars = c->row && elements > ELEMENTS_PER_BAR ? elements / ELEMENTS_PER_BAR : 1, each = elements / bars;
    carom_mesh *meshes = reserve(bars, sizeof *meshes);
    carom_body_def *bodies = reserve(bars, sizeof *bodies);
    carom_bar_params bar = {.area = 1, .strain = CAROM_BAR_SMALL};
    carom_elastic_params law = {.young = 1, .density = 1};
    carom_error error;
    for (int i = 0; i < bars; i++) {
        double begin = (double)i * each;
        carom_line_params line = {.from = {begin, 0, 1e-9}, .to = {begin + each, 0, 1e-9}, .elements = each};
        carom_pick generator = {carom_catalogue_find(carom_generators(), "line"), &line};
        carom_bench_insist(carom_mesh_generate(generator, &meshes[i], &error), &error);
        snprintf(bodies[i].name, sizeof bodies[i].name, "bar%d", i);
        bodies[i].mesh = &meshes[i];
        bodies[i].element = (carom_pick){carom_catalogue_find(carom_elements(), "bar"), &bar};
        bodies[i].material = (carom_pick){carom_catalogue_find(carom_materials(), "linear"), &law};
        bodies[i].velocity[0] = i % 2 ? -0.01 : 0.01;
    }
    carom_model_def def = carom_default_model_def();
    def.body_count = bars;
    def.bodies = bodies;
    def.contact.enabled = c->contact;
    def.contact.resolve = c->resolve;
    def.contact.restitution = c->restitution;
    carom_plane_def floor = {.name = "floor", .normal = {0, 0, 1}};
    if (c->floor) {
        def.contact.plane_count = 1;
        def.contact.planes = &floor;
        def.gravity[2] = -0.1;
    }
    carom_model *model;
    carom_bench_insist(carom_model_create(&def, &model, &error), &error);
    for (int i = 0; i < bars; i++)
        carom_mesh_release(&meshes[i]);
    free(meshes);
    free(bodies);
    return model;
}

typedef struct count {
    double updates, seconds, steps, contacts;
} count;

// Runs from the start until `updates` are counted, in runs of at most STEPS steps.
static count measure(const carom_model *model, double updates) {
    count c = {0};
    carom_error error;
    while (c.updates < updates) {
        carom_time_def time = carom_default_time_def();
        time.step = 0.5 * carom_model_stable_step(model);
        time.end = STEPS * time.step;
        carom_sim *sim;
        carom_pick newmark = {carom_catalogue_find(carom_integrators(), "newmark-dcr"), NULL};
        carom_bench_insist(carom_sim_create(model, newmark, &time, &sim, &error), &error);

        double begin = carom_bench_clock();
        while (!carom_sim_done(sim) && c.updates < updates) {
            carom_bench_insist(carom_sim_step(sim, &error), &error);
            c.updates += carom_model_element_count(model);
            c.steps++;
        }
        c.seconds += carom_bench_clock() - begin;
        c.contacts += (double)carom_state_contact_events(carom_sim_state(sim));
        carom_sim_release(sim);
    }
    return c;
}

// Updates per second, the median of all repetitions; the contacts of an average step; `spread` rises to (best - worst)/median.
static double rate(const carom_model *model, const carom_bench_plan *plan, int threads, double *contacts, double *spread) {
    double rates[64];
    int repetitions = plan->repetitions < 64 ? plan->repetitions : 64;
    carom_set_threads(threads);
    for (int r = 0; r < repetitions; r++) {
        // at least ten steps
        count c = measure(model, fmax(plan->updates, 10.0 * carom_model_element_count(model)));
        rates[r] = c.updates / c.seconds;
        *contacts = c.contacts / c.steps;
    }
    double median = carom_bench_median(rates, repetitions);
    *spread = fmax(*spread, (rates[repetitions - 1] - rates[0]) / median);
    return median;
}

void carom_bench_bars(const carom_bench_plan *plan, const double bandwidth[2]) {
    printf("bars, newmark-dcr: million element updates per second, and relative to the free bar with one thread\n"
           "(bytes: transferred by the triad in the time of one update, one thread; spread: (best - worst)/median,\n"
           "large on a machine with other load, where the figures are unreliable)\n\n");
    printf("%9s  %-10s  %15s  %10s %3d %7s  %8s  %6s  %6s\n", "elements", "case", "contacts / step", "1 thread",
           plan->most_threads, "threads", "speed-up", "bytes", "spread");
    for (int elements = 1000; elements <= plan->most_elements; elements *= 10) {
        double free_rate = 0;
        for (int c = 0; c < CASES; c++) {
            carom_model *model = build(&cases[c], elements);
            double contacts, spread = 0, one = rate(model, plan, 1, &contacts, &spread);
            double more = rate(model, plan, plan->most_threads, &contacts, &spread);
            free_rate = c == 0 ? one : free_rate;
            printf("%9d  %-10s  %15.0f  %5.1f %4.2f  %5.1f %4.2f  %8.2f  %6.0f  %4.0f %%\n", elements, cases[c].name, contacts,
                   1e-6 * one, one / free_rate, 1e-6 * more, more / free_rate, more / one, bandwidth[0] / one, 100 * spread);
            fflush(stdout);
            carom_model_release(model);
        }
        printf("\n");
    }
}

bool carom_bench_one_bars(const char *name, int elements, int threads, double seconds) {
    for (int c = 0; c < CASES; c++) {
        if (strcmp(cases[c].name, name) != 0)
            continue;
        carom_set_threads(threads);
        carom_model *model = build(&cases[c], elements);
        count sum = {0};
        while (sum.seconds < seconds) {
            count part = measure(model, 1e7);
            sum.updates += part.updates;
            sum.seconds += part.seconds;
        }
        printf("%s, %d elements, %d threads: %.2f million updates per second\n", name, elements, threads,
               1e-6 * sum.updates / sum.seconds);
        carom_model_release(model);
        return true;
    }
    return false;
}
