// SPDX-License-Identifier: MIT
// Chooses the step of a run: the given one, or (`auto`) `safety` times the step that the method advises, limited by the
// relaxation of materials and the rotation of rigid bodies, and reduced such that a whole number of steps reaches the end.
#include <math.h>
#include <stdlib.h>

#include "base/catalogue.h"
#include "model/rigid.h"
#include "model/watch/relaxation.h"
#include "sim/sim.h"

// A step of `auto` may be longer by this part of it than the one chosen: far above rounding, far below what matters.
static const double step_rounding = 1e-10;

// Checks the range of each setting.
static carom_status check_time(const carom_time_def *time, carom_error *error) {
    int count;
    const carom_param *params = carom_time_params(&count);
    for (int i = 0; i < count; i++) {
        carom_error reason;
        if (carom_param_check(&params[i], time, &reason))
            return carom_fail(error, CAROM_BAD_INPUT, "time.%s: %s", params[i].name, reason.message);
    }
    return CAROM_OK;
}

// Restraints with a time window hold for the steps whose midpoints lie in it (model/motion/timed_restraints.h). A window
// without such a step would have no effect, so it is refused.
static carom_status check_windows(const carom_model *model, double step, carom_error *error) {
    for (int c = 0; c < model->windows.clause_count; c++) {
        const carom_clause *clause = &model->windows.clauses[c];
        double first = (fmax(0, ceil(clause->from / step - 0.5)) + 0.5) * step;
        // with a tolerance for rounding of the times
        if (clause->until > 0 && first >= clause->until * (1 + 1e-9))
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "restraints[%d]: the window from %g until %g contains no midpoint of a step of %g, so it would have no effect; "
                "use a smaller time.step",
                c, clause->from, clause->until, step);
    }
    return CAROM_OK;
}

carom_status carom_time_choose(const carom_time_def *time, const carom_model *model, const carom_integrator *method,
                               const void *params, carom_time_plan *plan, carom_error *error) {
    carom_status status = check_time(time, error);
    if (status)
        return status;
    // The stable step of the model for central differences. The method determines which fraction or multiple of it is stable.
    double stable = carom_model_stable_step(model), step = time->step;
    if (isnan(stable))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the stable step");
    if (isnan(step)) {
        double turn = carom_model_turn_step(model);
        if (isinf(stable) && isinf(turn))
            return carom_fail(error, CAROM_BAD_INPUT, "time.step: nothing is elastic, so `auto` has no step to choose");
        double advised = method->advised_step ? method->advised_step(model, params) : stable;
        if (isnan(advised))
            return carom_fail(error, CAROM_NO_MEMORY, "no memory for the advised step");
        step = time->safety * advised;
        double whole = fmin(carom_model_relaxing_step(model, step), turn), halved = ldexp(step, -time->halvings);
        double chosen = fmin(ldexp(whole, -time->halvings), carom_model_relaxing_step(model, halved));
        // Rounded down, so that a whole number of steps reaches the end exactly; not for rounding alone, which differs between
        // frames of reference and would decide whether 160 or 161 steps are taken.
        step = time->end / ceil(time->end / chosen * (1 - step_rounding));
    }
    // A step that was computed from this very bound may exceed it by rounding, hence the tolerance.
    double bound = stable * carom_integrator_stability(method, params);
    bool unstable = step > bound * (1 + 1e-9);
    if (unstable && time->on_event == CAROM_ON_EVENT_STOP)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "time.step: %g is larger than the stable step %g (use a smaller one, `auto`, or on_event: warn)",
                          step, bound);

    if (step > time->end * (1 + 1e-9))
        return carom_fail(error, CAROM_BAD_INPUT, "time.step: %g is larger than time.end, %g", step, time->end);

    status = check_windows(model, step, error);
    if (status)
        return status;

    // no further step if the rest is only rounding of the time
    double steps = ceil(time->end / step - 1e-6);
    // Beyond 2^53 a step number is not exact as a double, and neither is time = number x step.
    if (steps > 9e15)
        return carom_fail(error, CAROM_BAD_INPUT, "time.step: %g makes too many steps", step);
    // At least one step, even if the end is within rounding of zero.
    *plan = (carom_time_plan){.step = step, .steps = (int64_t)fmax(steps, 1), .bound = bound, .unstable = unstable};
    return CAROM_OK;
}

carom_status carom_time_plan_of(const carom_time_def *time, const carom_model *model, carom_pick integrator,
                                carom_time_plan *plan, carom_error *error) {
    void *params = NULL;
    carom_status status = carom_integrator_check((const carom_integrator *)integrator.kind, error);
    if (!status)
        status = carom_pick_copy(&integrator, &params, error);
    if (!status)
        status = carom_time_choose(time, model, (const carom_integrator *)integrator.kind, params, plan, error);
    free(params);
    return status;
}
