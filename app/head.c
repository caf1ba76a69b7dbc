// SPDX-License-Identifier: MIT
#include "app/head.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "app/message.h"

// What can touch what; whatever is not named passes through. Better to know it before than after.
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
    // Several bodies that can never meet are seldom what was meant.
    if (pairs == 0 && faces == 0 && carom_model_body_count(model) > 1)
        fputs(" (no body has a surface, no two are neighbours on a line)", stdout);
    putchar('\n');
}

void carom_head_print(const carom_sim *sim, const char *title) {
    const carom_model *model = carom_sim_model(sim);
    int nodes = carom_model_node_count(model), elements = carom_model_element_count(model),
        bodies = carom_model_body_count(model), threads = carom_sim_threads(sim);
    int64_t steps = carom_sim_step_count(sim);
    printf("%s%s%s\n", carom_style_begin(CAROM_STYLE_BOLD, stdout), title, carom_style_end(stdout));
    printf("%s, %d %s, %d %s, %d %s, %" PRId64 " %s of %.6g%s, %d %s\n", carom_sim_integrator(sim)->name, bodies,
           carom_plural(bodies, "body", "bodies"), nodes, carom_plural(nodes, "node", "nodes"), elements,
           carom_plural(elements, "element", "elements"), steps, carom_plural(steps, "step", "steps"), carom_sim_step_size(sim),
           carom_sim_division(sim).possible ? " (may be divided)" : "", threads, carom_plural(threads, "thread", "threads"));
    print_contact(model, carom_sim_integrator(sim));
    putchar('\n');
    fflush(stdout);
}

void carom_head_note_step(const carom_sim *sim) {
    double step = carom_sim_step_size(sim), stable = carom_model_stable_step(carom_sim_model(sim));
    double bound = carom_sim_stable_step(sim), undamped = carom_model_undamped_step(carom_sim_model(sim));
    // Reached only with on_event: warn; otherwise the simulation was refused.
    if (step > bound * (1 + 1e-9))
        carom_say_note("time.step %g is larger than the stable step %g: expect the energy to grow without bound", step, bound);
    // damping of stiffness can make a run many times longer
    if (stable < 0.5 * undamped)
        carom_say_note("damping.stiffness makes the stable step %.3g instead of %.3g", stable, undamped);
}
