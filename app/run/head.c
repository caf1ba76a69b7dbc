// SPDX-License-Identifier: MIT
// Prints the head of a run, and notes about steps that are too long for accurate results.
#include "app/run/head.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "app/message.h"
#include "app/run/facts.h"
#include "app/run/tied.h"
#include "carom/parallel.h"
#include "carom/rigid.h"

// Prints what can touch; bodies that are not listed pass through each other.
static void print_contact(const carom_model *model, const carom_kind *method) {
    carom_contact_extent extent = carom_model_contact_extent(model);
    int pairs = extent.pairs, planes = extent.planes, faces = extent.faces, bodies = extent.bodies;
    if (method == carom_catalogue_find(carom_analyses(), method->name)) {
        puts("contact: none in a static analysis");
        return;
    }
    if (!carom_model_contact(model)->enabled) {
        puts("contact: switched off");
        return;
    }
    // The heading until something was printed, a comma from then on.
    const char *separator = "contact: ";
    if (faces > 0) {
        printf("%ssurfaces of %d %s with %d %s", separator, bodies, carom_plural(bodies, "body", "bodies"), faces,
               extent.corners == 2 ? carom_plural(faces, "segment", "segments") : carom_plural(faces, "face", "faces"));
        if (extent.thin > 0)
            printf(" and %d %s", extent.thin, carom_plural(extent.thin, "body without faces", "bodies without faces"));
        separator = ", ";
    }
    if (pairs > 0) {
        printf("%s%d %s of neighbours on a line", separator, pairs, carom_plural(pairs, "pair", "pairs"));
        separator = ", ";
    }
    if (planes > 0) {
        printf("%s%d %s", separator, planes, carom_plural(planes, "plane", "planes"));
        separator = ", ";
    }
    if (separator[0] != ',')
        printf("%snone", separator);
    // several bodies without possible contact are usually a mistake
    if (pairs == 0 && faces == 0 && carom_model_body_count(model) > 1)
        fputs(" (no body has a surface, no two are neighbours on a line)", stdout);
    putchar('\n');
}

void carom_head_print(const carom_sim *sim, const carom_scene *scene, const carom_output_def *output, const char *title,
                      const char *forces) {
    const carom_model *model = carom_sim_model(sim);
    int nodes = carom_model_node_count(model), elements = carom_model_element_count(model),
        bodies = carom_model_body_count(model), threads = carom_sim_threads(sim);
    int64_t steps = carom_sim_step_count(sim);
    printf("%s%s%s\n", carom_style_begin(CAROM_STYLE_BOLD, stdout), title, carom_style_end(stdout));
    printf("%s, %d %s, %d %s, %d %s, %" PRId64 " %s of %.6g%s, ", carom_sim_integrator(sim)->name, bodies,
           carom_plural(bodies, "body", "bodies"), nodes, carom_plural(nodes, "node", "nodes"), elements,
           carom_plural(elements, "element", "elements"), steps, carom_plural(steps, "step", "steps"), carom_sim_step_size(sim),
           carom_sim_division(sim).possible ? " (may be divided)" : "");
    int processes = carom_parallel_size();
    if (processes > 1)
        printf("%d processes x ", processes);
    printf("%d %s", threads, carom_plural(threads, "thread", "threads"));
    printf("%s%s\n", forces ? ", forces by " : "", forces ? forces : "");
    print_contact(model, carom_sim_integrator(sim));
    carom_tied_print(model);
    carom_facts_print_short(scene, output, steps);
    putchar('\n');
    fflush(stdout);
}

// Elastic impacts of coarse bodies with long steps leave deferred energy errors that are large compared with the energy of a
// body (docs/theory/repay.md).
static const double long_step = 0.6;    // fraction of the stable step
static const double heavy_node = 0.05;  // fraction of the mass of its body
static const double elastic_bounce = 1; // coefficient of restitution

// The name of a body with elastic impacts and a heavy node, or NULL. Point masses have no waves that would be disturbed.
static const char *coarse_bouncing_body(const carom_model *model) {
    const carom_contact_def *contact = carom_model_contact(model);
    const double *mass = carom_model_mass(model);
    if (!contact->enabled || contact->resolve != CAROM_RESOLVE_EXACT || contact->restitution < elastic_bounce)
        return NULL;
    for (int b = 0; b < carom_model_body_count(model); b++) {
        int begin = carom_model_body_begin(model, b), size = carom_model_body_size(model, b);
        double sum = 0, most = 0;
        for (int k = begin; k < begin + size; k++) {
            sum += mass[k];
            most = fmax(most, mass[k]);
        }
        // the mass of a rigid body is at one node, and it has no waves either
        if (size > 1 && most > heavy_node * sum && most < sum)
            return carom_model_body_name(model, b);
    }
    return NULL;
}

static void note_bounces(const carom_sim *sim, double step, double stable) {
    bool newmark = carom_sim_integrator(sim) == carom_catalogue_find(carom_integrators(), "newmark-dcr");
    const char *body = newmark && step > long_step * stable ? coarse_bouncing_body(carom_sim_model(sim)) : NULL;
    if (body)
        carom_say_note("the step is %.2g of the stable one and body '%s' is coarse: with restitution 1 the energy error may "
                       "temporarily reach tens of percent of its energy; half of the stable step or less is safe",
                       step / stable, body);
}

void carom_note_unresolved(const carom_model *model, double step) {
    carom_unresolved branch = carom_model_unresolved(model, step);
    if (branch.body < 0)
        return;
    char others[64] = "";
    if (branch.count > 1)
        snprintf(others, sizeof others, " and %d %s", branch.count - 1, carom_plural(branch.count - 1, "other", "others"));
    carom_say_note(
        "the step %.3g is %.3g times the relaxation time %.3g of a branch of body '%s' (%.2g of its stiffness)%s: up "
        "to %.1g of the energy of a fast vibration is not damped in each cycle; with time.step %.3g it would be",
        step, step / branch.time, branch.time, carom_model_body_name(model, branch.body), branch.part, others,
        branch.part * branch.time / step, branch.time);
}

// Rotation per step, in radians, above which impacts of rigid bodies are inaccurate: their errors are of second order in it.
static const double large_turn = 0.5;

// A note if a rigid body rotates too far per step at the start.
static void note_turns(const carom_sim *sim, double step) {
    const carom_model *model = carom_sim_model(sim);
    const double(*rate)[3] = carom_state_angular_velocities(carom_sim_state(sim));
    // a method whose elements take their own steps divides those of rigid bodies as well
    if (((const carom_integrator *)carom_sim_integrator(sim))->substeps)
        return;
    for (int b = 0; rate && b < carom_model_body_count(model); b++) {
        int r = carom_model_rigid(model, b);
        double turn = r < 0 ? 0 : step * sqrt(rate[r][0] * rate[r][0] + rate[r][1] * rate[r][1] + rate[r][2] * rate[r][2]);
        if (turn > large_turn) {
            carom_say_note("rigid body '%s' turns by %.2g radians in a step: its impacts are inexact; 0.2 is safe",
                           carom_model_body_name(model, b), turn);
            return;
        }
    }
}

void carom_head_note_step(const carom_sim *sim) {
    double step = carom_sim_step_size(sim), stable = carom_model_stable_step(carom_sim_model(sim));
    double bound = carom_sim_stable_step(sim), undamped = carom_model_undamped_step(carom_sim_model(sim));
    // only with on_event: warn; otherwise the simulation is refused
    if (step > bound * (1 + 1e-9))
        carom_say_note("time.step %g is larger than the stable step %g: expect the energy to grow without bound", step, bound);
    // stiffness damping can multiply the time of a run
    if (stable < 0.5 * undamped)
        carom_say_note("damping.stiffness makes the stable step %.3g instead of %.3g", stable, undamped);
    note_bounces(sim, step, bound);
    carom_note_unresolved(carom_sim_model(sim), step);
    note_turns(sim, step);
    carom_tied_note(carom_sim_model(sim));
}
