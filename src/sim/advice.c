// SPDX-License-Identifier: MIT
// Advice appended to the message of a failed run: a smaller step, a molten element, the last saved state.
#include "sim/advice.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "model/state.h"
#include "model/state/history.h"
#include "model/watch/frequency_bound.h"

// Appends to a message; what exceeds its buffer is cut off.
static void CAROM_PRINTF(2, 3) add(carom_error *error, const char *format, ...) {
    if (!error)
        return;
    size_t used = strlen(error->message);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message + used, sizeof error->message - used, format, arguments);
    va_end(arguments);
}

// True if a body has a law for small or moderate strains, whose energy stays finite when an element is crushed to zero volume.
static bool has_moderate_law(const carom_model *model) {
    for (int b = 0; b < model->block_count; b++) {
        const carom_material *material = model->blocks[b].material;
        if (material && (strcmp(material->kind.name, "linear") == 0 || strcmp(material->kind.name, "st-venant-kirchhoff") == 0))
            return true;
    }
    return false;
}

const char *carom_advise_division(const carom_sim *sim) {
    carom_time_def divided = sim->time;
    divided.follow = CAROM_FOLLOW_ON;
    bool could = carom_time_divides(&divided, sim->model, &sim->stepper.method->kind);
    return could && !sim->stepper.follows ? "time.follow: true, or " : "";
}

// No step helps where prescribed motions intersect, or where friction jams a contact.
static bool is_stuck(const carom_error *error) {
    return error && (strstr(error->message, "`touch: false`") || strstr(error->message, "Painleve"));
}

// No step is short enough for an impact above the wave speed.
static bool is_supersonic(const carom_error *error) {
    return error && strstr(error->message, "passed the surface of its own body");
}

bool carom_any_step_fails(const carom_error *error) {
    return is_stuck(error) || is_supersonic(error);
}

void carom_advise_step(const carom_sim *sim, carom_error *error) {
    const carom_stepper *stepper = &sim->stepper;
    double step = stepper->step, stable = carom_model_stable_step(sim->model);
    if (stepper->method->implicit || sim->advised || is_stuck(error))
        return;
    // the step was divided up to the limit, or does not matter
    if (stepper->follows || is_supersonic(error))
        add(error, "; rounder or coarser elements there,%s the element `nodal`, less speed or damping may help",
            has_moderate_law(sim->model) ? " the law neo-hookean," : "");
    else if (step > stable * (1 + 1e-9) && !stepper->method->substeps)
        add(error, "; time.step %g is larger than the stable step %g", step, stable);
    else if (carom_state_events(sim->state, CAROM_EVENT_UNSTABLE_STEP) > 0)
        add(error, "; deformed elements have made time.step %g larger than the stable step", step);
    else
        add(error, "; %sa smaller time.step than %g may help", carom_advise_division(sim), step);
}

void carom_advise_molten(const carom_sim *sim, carom_error *error) {
    int element = carom_history_molten(sim->state);
    if (element < 0)
        return;
    char name[2 * CAROM_NAME_MAX];
    carom_model_name_element(sim->model, element, name, sizeof name);
    add(error, "; %s has melted: it resists no change of its shape any more", name);
}

void carom_advise_saved(int64_t step, const char *checkpoint, carom_error *error) {
    if (step >= 0)
        add(error, "; step %" PRId64 " is saved in %s", step, checkpoint);
}

void carom_advise_resume(int64_t step, const char *checkpoint, carom_error *error) {
    if (step >= 0)
        add(error, "; step %" PRId64 " is saved in %s: go on from there with --resume", step, checkpoint);
    else
        add(error, "; there is no checkpoint to go on from");
}
