// SPDX-License-Identifier: MIT
// Attempts at a run: which failures a shorter step may prevent, and the times of the next attempt.
#include <math.h>

#include "base/catalogue.h"
#include "carom/run.h"
#include "sim/advice.h"
#include "sim/sim.h"

// The largest part of its step that the next attempt may have: a run of few steps has a whole number of them.
static const double shorter = 0.75;

carom_time_def carom_time_of_attempt(const carom_time_def *time, int attempt) {
    carom_time_def attempted = *time;
    attempted.halvings += attempt;
    return attempted;
}

// True if the next attempt would have shorter steps.
static bool shortens(const carom_sim *sim) {
    carom_time_def next = carom_time_of_attempt(&sim->time, 1);
    const carom_model *model = carom_sim_model(sim);
    carom_time_plan plan;
    return !carom_time_choose(&next, model, sim->stepper.method, sim->params, &plan, NULL) &&
           plan.step < shorter * sim->stepper.step;
}

// True if the failure is one that shorter steps may prevent. Where steps are divided, compression has divided them already.
static bool helps(const carom_sim *sim, const carom_summary *summary, const carom_error *error) {
    const int64_t *events = summary->events;
    bool inverted = events[CAROM_EVENT_INVERTED] > 0;
    if (carom_any_step_fails(error) || (inverted && sim->stepper.follows))
        return false;
    return inverted || events[CAROM_EVENT_UNBALANCED] > 0 || events[CAROM_EVENT_ENERGY_GROWTH] > 0 ||
           events[CAROM_EVENT_UNSTABLE_STEP] > 0 || events[CAROM_EVENT_CONTACT_MISSED] > 0;
}

bool carom_sim_retries(const carom_sim *sim, int attempt, const carom_summary *summary, const carom_error *error) {
    const carom_time_def *time = &sim->time;
    return error->status == CAROM_NUMERICAL && attempt < time->retries && isnan(time->step) &&
           time->follow != CAROM_FOLLOW_OFF && time->on_event == CAROM_ON_EVENT_STOP && helps(sim, summary, error) &&
           shortens(sim);
}

int carom_attempt_with_step(double step, const carom_time_def *time, const carom_model *model, carom_pick integrator) {
    for (int attempt = 0; isnan(time->step) && attempt <= time->retries; attempt++) {
        carom_time_def attempted = carom_time_of_attempt(time, attempt);
        carom_time_plan plan;
        if (!carom_time_plan_of(&attempted, model, integrator, &plan, NULL) && plan.step == step)
            return attempt;
    }
    return 0;
}
