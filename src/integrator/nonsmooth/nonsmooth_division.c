// SPDX-License-Identifier: MIT
// Theory: docs/theory/step.md
// Divides steps of explicit elements where bodies stiffen or are compressed too fast (step_limit.h). While steps are divided,
// all elements are examined at the start of every substep. While they are whole, the next examination may wait for m steps with
//
//     h m (r + 2 |v - v'|/l) <= 1/10
//
// where r is the largest rate of strain that was found, v' the velocities then, and l the smallest distance of neighbouring
// nodes: no element is strained by more than a tenth in between.
#include <math.h>
#include <string.h>

#include "integrator/nonsmooth/workspace.h"

// Largest strain between two examinations.
static const double max_strain = 0.1;

enum { STEPS, RATE, SEEN };

bool carom_nonsmooth_division_create(carom_stepper *stepper, carom_state *state) {
    carom_nonsmooth_workspace *s = stepper->workspace;
    carom_nonsmooth_division *division = &s->division;
    carom_state *start = s->halving.start;
    bool enough = true;
    s->halving.choose = carom_nonsmooth_division_choose;
    // the same arrays in the copy, from which a failed substep is restored
    carom_step_limit_create(&division->limit, stepper, start, s->memory, &enough);
    carom_step_limit_create(&division->limit, stepper, state, s->memory, &enough);
    const carom_model *model = stepper->model;
    int64_t numbers = 3 * (int64_t)model->node_count;
    enough = enough && carom_state_add_silent(start, "examined", SEEN) &&
             carom_state_add_silent(start, "examined velocities", numbers);
    division->seen = carom_state_add_silent(state, "examined", SEEN);
    division->seen_v = (carom_vectors)carom_state_add_silent(state, "examined velocities", numbers);
    if (!enough || !division->seen || !division->seen_v)
        return false;
    carom_kinematics motion = {(carom_const_vectors)model->X, (carom_const_vectors)state->x, (carom_const_vectors)state->v,
                               (carom_const_vectors)state->v};
    division->limit.reference = carom_model_stiffening(model, &motion, s->sqp.slots, division->limit.measures).stable;
    return true;
}

// True if an element may have been strained too much since the last examination, or in the coming step. True for NaN.
static bool is_due(const carom_stepper *stepper, const carom_state *state) {
    const carom_nonsmooth_workspace *s = stepper->workspace;
    const carom_nonsmooth_division *division = &s->division;
    double push = 0;
    if (division->seen[STEPS] == 0)
        return true;
    for (int k = 0; k < stepper->model->node_count; k++) {
        double d[3];
        carom_difference(state->v[k], division->seen_v[k], d);
        double square = carom_dot(d, d);
        push = square <= push ? push : square;
    }
    double rate = division->seen[RATE] + 2 * sqrt(push) / stepper->model->contact_length;
    return !(stepper->step * (division->seen[STEPS] + 1) * rate <= max_strain);
}

carom_status carom_nonsmooth_division_choose(carom_stepper *stepper, carom_state *state, int64_t place, int *level,
                                             carom_error *error) {
    carom_nonsmooth_workspace *s = stepper->workspace;
    carom_nonsmooth_division *division = &s->division;
    const carom_model *model = stepper->model;
    carom_status status = CAROM_OK;
    if (carom_pace_level(&division->limit.pace) > 0 || is_due(stepper, state)) {
        for (int k = 0; k < model->node_count; k++)
            carom_nonsmooth_accelerate(stepper, state, k, s->a[k]);
        carom_kinematics motion = {(carom_const_vectors)model->X, (carom_const_vectors)state->x, (carom_const_vectors)state->v,
                                   (carom_const_vectors)s->a};
        carom_stiffening seen = carom_model_stiffening(model, &motion, s->sqp.slots, division->limit.measures);
        carom_pace_energy energy = carom_step_limit_energy(model, motion.v, motion.a, motion.v);
        status = carom_step_limit_choose(&division->limit, stepper, state, &seen, energy, place, error);
        division->seen[STEPS] = 0;
        division->seen[RATE] = seen.rate;
        memcpy(division->seen_v, state->v, (size_t)model->node_count * sizeof *state->v);
    }
    division->seen[STEPS]++;
    *level = carom_pace_level(&division->limit.pace);
    division->limit.record[CAROM_RECORD_PARTS] += *level > 0;
    return status;
}
