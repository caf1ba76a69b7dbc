// SPDX-License-Identifier: MIT
// Masses, sizes, wave speeds, steps, output, memory and estimated time of a scene.
#include "app/run/facts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/message.h"
#include "app/run/head.h"
#include "carom/facts.h"
#include "carom/profile.h"
#include "carom/sim.h"

// Number of bodies up to which all are shown; of more bodies, the number of heaviest ones that are shown.
enum { SHOWN_ALL = 8, SHOWN_MOST = 4 };

// Number of elements up to which the one that limits the step is searched for, at some 4 us each: less than a second.
enum { SOUGHT_MOST = 200000 };

// Seconds for which steps are timed.
static const double measured_for = 0.1;

// Units behind numbers; empty if the scene has none.
typedef struct labels {
    char length[CAROM_NAME_MAX + 2], mass[CAROM_NAME_MAX + 2], time[CAROM_NAME_MAX + 2];
    char speed[2 * CAROM_NAME_MAX + 3], inertia[2 * CAROM_NAME_MAX + 4];
} labels;

static labels labels_of(const carom_units *units) {
    labels l = {0};
    if (!units->given)
        return l;
    snprintf(l.length, sizeof l.length, " %s", units->length);
    snprintf(l.mass, sizeof l.mass, " %s", units->mass);
    snprintf(l.time, sizeof l.time, " %s", units->time);
    snprintf(l.speed, sizeof l.speed, " %s/%s", units->length, units->time);
    snprintf(l.inertia, sizeof l.inertia, " %s %s2", units->mass, units->length);
    return l;
}

static void print_vector(const char *before, const double v[3], const char *after) {
    printf("%s[%.6g, %.6g, %.6g]%s", before, v[0], v[1], v[2], after);
}

// Sets components to zero that are rounding errors compared with `size`.
static void clear_rounding(double v[3], double size) {
    // of sums of up to a million terms
    static const double rounding = 1e-12;
    for (int i = 0; i < 3; i++)
        if (fabs(v[i]) <= rounding * size)
            v[i] = 0;
}

static void print_facts(const char *name, carom_facts *f, const labels *l) {
    double reach = 0;
    for (int i = 0; i < 3; i++)
        reach = fmax(reach, fmax(fabs(f->low[i]), fabs(f->high[i])));
    clear_rounding(f->low, reach);
    clear_rounding(f->high, reach);
    clear_rounding(f->center, reach);
    clear_rounding(f->moments, f->moments[2]);
    if (f->obstacle)
        printf("  %s: obstacle, %d %s, %d %s\n", name, f->nodes, carom_plural(f->nodes, "node", "nodes"), f->elements,
               carom_plural(f->elements, "cell", "cells"));
    else
        printf("  %s: mass %.6g%s, %d %s, %d %s\n", name, f->mass, l->mass, f->nodes, carom_plural(f->nodes, "node", "nodes"),
               f->elements, carom_plural(f->elements, "element", "elements"));
    print_vector("    box ", f->low, " to ");
    print_vector("", f->high, l->length);
    putchar('\n');
    if (f->obstacle)
        return;
    print_vector("    mass centre ", f->center, l->length);
    putchar('\n');
    print_vector(f->lumped ? "    principal moments of inertia of the lumped masses " : "    principal moments of inertia ",
                 f->moments, l->inertia);
    putchar('\n');
    if (isfinite(f->longitudinal) && isfinite(f->shear))
        printf("    waves %.4g%s, shear waves %.4g%s\n", f->longitudinal, l->speed, f->shear, l->speed);
    else if (isfinite(f->longitudinal))
        printf("    waves %.4g%s\n", f->longitudinal, l->speed);
}

// A body in a list sorted by mass.
typedef struct ranked {
    int body;
    double mass;
} ranked;

// Heaviest first, equal ones in the order of the scene. Masses are compared in single precision, because those of copies of a
// body differ by rounding.
static int compare_masses(const void *a_, const void *b_) {
    const ranked *a = a_, *b = b_;
    float first = (float)a->mass, second = (float)b->mass;
    return first != second ? (first < second ? 1 : -1) : a->body - b->body;
}

static void print_heaviest(const carom_model *model, const labels *l) {
    int count = carom_model_body_count(model);
    ranked *bodies = carom_zeroed(count, sizeof *bodies);
    if (!bodies)
        return;
    const double *mass = carom_model_mass(model);
    for (int b = 0; b < count; b++) {
        int begin = carom_model_body_begin(model, b), end = begin + carom_model_body_size(model, b);
        bodies[b].body = b;
        for (int k = begin; k < end; k++)
            bodies[b].mass += mass[k];
    }
    qsort(bodies, (size_t)count, sizeof *bodies, compare_masses);
    for (int i = 0; i < SHOWN_MOST; i++) {
        carom_facts facts = carom_model_facts(model, bodies[i].body);
        print_facts(carom_model_body_name(model, bodies[i].body), &facts, l);
    }
    printf("  and %d others, of mass %.6g%s to %.6g%s\n", count - SHOWN_MOST, bodies[count - 1].mass, l->mass,
           bodies[SHOWN_MOST].mass, l->mass);
    free(bodies);
}

static void print_bodies(const carom_model *model, const labels *l) {
    int count = carom_model_body_count(model);
    for (int b = 0; b < count && count <= SHOWN_ALL; b++) {
        carom_facts facts = carom_model_facts(model, b);
        print_facts(carom_model_body_name(model, b), &facts, l);
    }
    if (count > SHOWN_ALL)
        print_heaviest(model, l);
    if (count > 1) {
        char name[32];
        snprintf(name, sizeof name, "all %d bodies", count);
        carom_facts facts = carom_model_facts(model, -1);
        print_facts(name, &facts, l);
    }
}

// Prints the step, and the element that limits it.
static void print_steps(const carom_scene *scene, const carom_time_plan *plan, const labels *l) {
    const carom_model *model = carom_scene_model(scene);
    const carom_integrator *method = (const carom_integrator *)carom_scene_integrator(scene).kind;
    if (method->equilibrium) {
        printf("  %" PRId64 " load %s\n", plan->steps, carom_plural(plan->steps, "step", "steps"));
        return;
    }
    printf("  %" PRId64 " %s of %.6g%s", plan->steps, carom_plural(plan->steps, "step", "steps"), plan->step, l->time);
    double stable = carom_model_stable_step(model);
    if (isfinite(stable))
        printf("; the stable step of %s is %.6g%s", isfinite(plan->bound) ? "the model" : "explicit methods", stable, l->time);
    carom_shortest shortest = {.body = -1};
    if (carom_model_element_count(model) <= SOUGHT_MOST)
        shortest = carom_model_shortest(model);
    if (shortest.body >= 0) {
        printf(",\n    shortest in element %" PRId64 " of '%s'", shortest.element, carom_model_body_name(model, shortest.body));
        print_vector(" at ", shortest.center, l->length);
    }
    putchar('\n');
}

static void print_bytes(double bytes) {
    static const char *const names[] = {"kB", "MB", "GB", "TB"};
    int k = 0;
    for (bytes /= 1e3; bytes >= 999.5 && k < 3; k++)
        bytes /= 1e3;
    printf("%.3g %s", bytes, names[k]);
}

static void print_output(const carom_scene *scene, const carom_output_def *output, int64_t steps) {
    int64_t rows = carom_output_rows(output, steps);
    carom_frame_forecast forecast = {0};
    printf("%" PRId64 " %s", rows, carom_plural(rows, "row", "rows"));
    if (carom_output_forecast(output, carom_scene_model(scene), carom_scene_integrator(scene).kind, steps, &forecast, NULL) ||
        forecast.count == 0) {
        fputs(", no frames", stdout);
        return;
    }
    // the forecast is an upper bound; frames are the start, every n-th step and the end
    int64_t every = forecast.every, frames = forecast.count;
    if (every > 0)
        frames = 1 + (steps + every - 1) / every + output->fields_at_count;
    printf(", %" PRId64 " %s of ", frames, carom_plural(frames, "frame", "frames"));
    print_bytes(forecast.frame_bytes);
    fputs(", at most ", stdout);
    print_bytes(forecast.frame_bytes * (double)frames);
    fputs(" in all", stdout);
}

// Present memory of this process in bytes; the peak memory if /proc is not available.
static double memory_in_use(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    long long all, resident;
    int found = file ? fscanf(file, "%lld %lld", &all, &resident) : 0;
    if (file)
        fclose(file);
    if (found == 2)
        return (double)resident * (double)sysconf(_SC_PAGESIZE);
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) ? 0 : 1024.0 * (double)usage.ru_maxrss;
}

static void print_duration(double seconds) {
    static const struct {
        double length;
        const char *name;
    } spans[] = {{86400, "days"}, {3600, "hours"}, {60, "minutes"}, {1, "seconds"}};
    if (seconds < 1.5) {
        fputs(seconds < 0.7 ? "less than a second" : "about a second", stdout);
        return;
    }
    int k = 0;
    while (k < 3 && seconds < 1.5 * spans[k].length)
        k++;
    printf("about %.2g %s", seconds / spans[k].length, spans[k].name);
}

// Estimates the seconds of the whole run from the first few steps, which usually have little contact. NaN if a step fails.
static double guess_time(carom_sim *sim) {
    carom_error error = {0};
    // the first step also creates lists of close pairs, which are used for many steps
    int64_t steps = 0;
    double first = 0, begin = carom_profile_clocks().wall, now = begin;
    while (!carom_sim_done(sim) && (steps < 2 || now - begin < measured_for)) {
        if (carom_sim_step(sim, &error))
            return NAN;
        now = carom_profile_clocks().wall;
        if (steps++ == 0)
            first = now - begin;
        // one step of a huge model is enough
        if (now - begin > 2 * measured_for)
            break;
    }
    int64_t all = carom_sim_step_count(sim);
    return steps < 2 ? first * (double)all : first + (now - begin - first) / (double)(steps - 1) * (double)(all - 1);
}

// Memory and time, measured with a simulation. Not for implicit methods, which need most of both in their solver.
static void print_cost(const carom_scene *scene) {
    const carom_integrator *method = (const carom_integrator *)carom_scene_integrator(scene).kind;
    if (method->implicit || method->equilibrium) {
        fputs("  memory: ", stdout);
        print_bytes(memory_in_use());
        puts(" without the matrices of the solver");
        return;
    }
    carom_sim *sim = NULL;
    carom_error error = {0};
    if (carom_sim_create(carom_scene_model(scene), carom_scene_integrator(scene), carom_scene_time(scene), &sim, &error)) {
        fflush(stdout);
        carom_say_note("a run would be refused: %s", error.message);
        return;
    }
    double seconds = guess_time(sim);
    int threads = carom_sim_threads(sim);
    fputs("  memory: about ", stdout);
    print_bytes(memory_in_use());
    if (isfinite(seconds)) {
        fputs("; time: ", stdout);
        print_duration(seconds);
        printf(" with %d %s here, more where bodies touch much", threads, carom_plural(threads, "thread", "threads"));
    }
    putchar('\n');
    carom_sim_release(sim);
}

void carom_facts_print(const carom_scene *scene) {
    labels l = labels_of(carom_scene_units(scene));
    carom_time_plan plan;
    carom_error error = {0};
    print_bodies(carom_scene_model(scene), &l);
    if (carom_integrator_available(carom_scene_integrator(scene), &error)) {
        fflush(stdout);
        carom_say_note("this program cannot run the scene: %s", error.message);
    }
    if (carom_time_plan_of(carom_scene_time(scene), carom_scene_model(scene), carom_scene_integrator(scene), &plan, &error)) {
        fflush(stdout);
        carom_say_note("a run would be refused: %s", error.message);
        return;
    }
    print_steps(scene, &plan, &l);
    fputs("  output: ", stdout);
    print_output(scene, carom_scene_output(scene), plan.steps);
    putchar('\n');
    print_cost(scene);
    fflush(stdout);
    carom_note_unresolved(carom_scene_model(scene), plan.step);
}

void carom_facts_print_short(const carom_scene *scene, const carom_output_def *output, int64_t steps) {
    labels l = labels_of(carom_scene_units(scene));
    carom_facts f = carom_model_facts(carom_scene_model(scene), -1);
    printf("mass %.6g%s, ", f.mass, l.mass);
    print_vector("box ", f.low, " to ");
    print_vector("", f.high, l.length);
    if (output) {
        fputs("\noutput: ", stdout);
        print_output(scene, output, steps);
    }
    putchar('\n');
}
