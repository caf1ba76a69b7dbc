// SPDX-License-Identifier: MIT
// Theory: docs/theory/step.md
// Two reasons make a drift shorter than the nominal step h0.
//
//     stability     the body has become stiffer: h is at most 0.9 of the step that its proven frequency allows
//                   (model/watch/frequency_bound.c). Small strains, which change the frequency by less than 2 %, are ignored,
//                   so that runs of stiff bodies keep the nominal step whatever its safety.
//     compression   h r + h^2/2 q <= 1/2, with r and q the largest rates of compression by velocities and accelerations. Then
//                   no element inverts in a drift without impacts: the drift makes (I + h L) F of F, and if the
//                   symmetric part of I + h L is positive definite, its determinant is at least that of this part.
//
// Laws with an energy barrier against J = 0 may divide the step down to the finest level. Others pass J = 0 with finite energy,
// and division would never end: for these compression may require substeps of h0/2^8 at most, and the next examination finds
// the element inverted.
#include "integrator/step_limit.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "material/material.h"
#include "math/exact.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/limits.h"

static carom_limits record_limits(const void *unused, const carom_state *state, int64_t i) {
    (void)unused;
    return i == CAROM_RECORD_LEVEL     ? (carom_limits){0, CAROM_PACE_FINEST, true}
           : i == CAROM_RECORD_ELEMENT ? carom_limits_element(state->model)
           : i == CAROM_RECORD_PARTS   ? CAROM_LIMITS_COUNT
                                       : CAROM_LIMITS_NONE;
}

double *carom_record_register(carom_state *state) {
    double *record = carom_state_add_dormant(state, CAROM_RECORD_NAME, CAROM_RECORD_NUMBERS);
    carom_state_limit(state, record, record_limits, NULL);
    return state->method.division = record;
}

void carom_step_limit_create(carom_step_limit *limit, const carom_stepper *stepper, carom_state *state, carom_arena *arena,
                             bool *enough) {
    const carom_model *model = stepper->model;
    *limit = (carom_step_limit){.model = model, .pace = carom_pace_create(state, stepper->step)};
    limit->long_step = stepper->step > carom_model_stable_step(model) * (1 + 1e-9);
    limit->record = carom_record_register(state);
    *enough = *enough && limit->pace.memory && limit->pace.seen && limit->record;
    limit->measures = carom_arena_reserve(arena, carom_stiffening_buffer(model), sizeof *limit->measures, enough);
}

double carom_step_limit_allowed(const carom_step_limit *limit, const carom_stiffening *seen, int *element) {
    // small strains do not limit the step, so that whole steps return after a division
    bool unstrained = seen->stable >= CAROM_UNSTRAINED_STEP_RATIO * limit->reference && !limit->long_step;
    double want = unstrained ? HUGE_VAL : CAROM_STEP_SAFETY * seen->stable;
    double squeeze = isnan(seen->squeeze) ? 0 : seen->squeeze;
    if (seen->squeezed >= 0 && !carom_model_block_of(limit->model, seen->squeezed)->material->barrier)
        squeeze = fmax(squeeze, ldexp(limit->pace.whole, -CAROM_FINEST_LEVEL_WITHOUT_BARRIER));
    *element = squeeze < want ? seen->squeezed : seen->stiffest;
    return fmin(want, squeeze);
}

enum { KINETIC, SWING, ENERGIES };

typedef struct motion {
    const double *mass;
    carom_const_vectors v, a, w;
} motion;

// SWING is a.M a along the motion.
static void add_energies(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const motion *nodes = context;
    for (int k = begin; k < end; k++) {
        double along = carom_dot(nodes->a[k], nodes->w[k]), square = carom_dot(nodes->w[k], nodes->w[k]);
        terms[KINETIC][k - begin] = 0.5 * nodes->mass[k] * carom_dot(nodes->v[k], nodes->v[k]);
        terms[SWING][k - begin] = square > 0 ? nodes->mass[k] * along * along / square : 0;
    }
}

// Exact sums do not depend on the order: the same bits for any number of threads and processes.
carom_pace_energy carom_step_limit_energy(const carom_model *model, const double (*v)[3], const double (*a)[3],
                                          const double (*w)[3]) {
    carom_exact sums[ENERGIES] = {0};
    carom_model_sum_nodes(model, sums, ENERGIES, add_energies, &(motion){model->mass, v, a, w});
    return (carom_pace_energy){.kinetic = carom_exact_value(&sums[KINETIC]), .swing = carom_exact_value(&sums[SWING])};
}

// The error if no division is fine enough.
static carom_status give_up(const carom_step_limit *limit, const carom_state *state, int element, carom_error *error) {
    const carom_model *model = limit->model;
    char name[2 * CAROM_NAME_MAX];
    bool nodal = strcmp(carom_model_block_of(model, element)->element->kind.name, "nodal") == 0;
    double volume = carom_stiffening_volume(model, element, limit->measures);
    carom_model_name_element(model, element, name, sizeof name);
    return carom_fail(error, CAROM_NUMERICAL,
                      "%s is %s to %.2g of its volume at time %g (step %lld): coarser or rounder elements there%s or "
                      "damping may help",
                      name, volume > 1 ? "stretched" : "crushed", volume, state->time, (long long)state->step + 1,
                      nodal ? "" : ", the element `nodal`,");
}

void carom_record_note(double *record, int level, int element, double time) {
    if (level <= (int)record[CAROM_RECORD_LEVEL])
        return;
    record[CAROM_RECORD_LEVEL] = level;
    record[CAROM_RECORD_ELEMENT] = 1 + element;
    record[CAROM_RECORD_TIME] = time;
}

carom_status carom_record_inverted(carom_state *state, int element, double time, bool stops, carom_error *error) {
    char name[2 * CAROM_NAME_MAX];
    state->books.events[CAROM_EVENT_INVERTED]++;
    if (!stops)
        return CAROM_OK;
    carom_model_name_element(state->model, element, name, sizeof name);
    return carom_fail(error, CAROM_NUMERICAL, "%s is inside out at time %g (step %lld)", name, time,
                      (long long)state->step + 1);
}

carom_status carom_step_limit_choose(carom_step_limit *limit, const carom_stepper *stepper, carom_state *state,
                                     const carom_stiffening *seen, carom_pace_energy energy, int64_t place,
                                     carom_error *error) {
    bool inverted = seen->smallest >= 0 && !(seen->volume > 0);
    if (inverted && carom_record_inverted(state, seen->smallest, state->time, stepper->stops, error))
        return CAROM_NUMERICAL;
    int element;
    double want = carom_step_limit_allowed(limit, seen, &element);
    if (!carom_pace_choose(&limit->pace, want, place, energy))
        return give_up(limit, state, element, error);
    carom_record_note(limit->record, carom_pace_level(&limit->pace), element, state->time);
    return CAROM_OK;
}
