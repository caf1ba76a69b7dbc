// SPDX-License-Identifier: MIT
// Updates the running maxima over all rows of the ledger: residual, momentum errors and the scales that they are divided by.
#include "sim/running_maxima.h"

#include <math.h>

#include "math/exact.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/model.h"
#include "model/motion/loads.h"
#include "model/state.h"
#include "model/state/guard.h"
#include "model/state/ledger.h"
#include "model/symmetry.h"

carom_tally carom_tally_start(void) {
    return (carom_tally){.row_step = -1, .audit_step = -1, .distance = HUGE_VAL};
}

// Raises a maximum. NaN counts as the largest value, and is kept.
static void raise_to(double *most, double value) {
    if (!(value <= *most) && !isnan(*most))
        *most = value;
}

// The change of a momentum less the impulse from outside.
static double change(const double now[3], const double start[3], const double outside[3]) {
    const double d[3] = {now[0] - start[0] - outside[0], now[1] - start[1] - outside[1], now[2] - start[2] - outside[2]};
    return carom_norm(d);
}

// The scales of the momenta, and the energy that loads add in one step to nodes at rest.
enum { LINEAR, ANGULAR, KICK, SCALES };

typedef struct scale_of {
    const carom_state *state;
    const double (*v)[3];
    double step;
} scale_of;

static void add_scales(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const scale_of *at = context;
    const carom_state *state = at->state;
    const double *centre = state->books.initial_centre, *mass = state->model->mass;
    for (int k = begin; k < end; k++) {
        const double *x = state->x[k];
        const double arm[3] = {x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]};
        // Absolute values: opposite momenta must not cancel in a scale.
        double load = state->load_size[k], p = mass[k] * carom_norm(at->v[k]) + state->time * load;
        terms[LINEAR][k - begin] = p;
        terms[ANGULAR][k - begin] = carom_norm(arm) * p;
        // loads on nodes of rigid bodies have no such energy, because their mass is at another node
        terms[KICK][k - begin] = mass[k] > 0 ? 0.5 * at->step * load * at->step * load / mass[k] : 0;
    }
}

void carom_tally_row(carom_tally *tally, const carom_state *state, const carom_ledger_row *row, bool equilibrium) {
    const carom_books *books = &state->books;
    const carom_accounts outside = carom_ledger_accounts(state);
    // The first row of the run, not of this process: the tally is part of a checkpoint.
    if (tally->row_step < 0)
        tally->first = *row;
    tally->row_step = state->step;
    tally->last_residual = row->residual;
    // a residual within rounding counts as zero: in a scene at rest there is nothing else
    bool rounding = fabs(row->residual) <= state->guard[CAROM_GUARD_ROUNDING];
    raise_to(&tally->residual, rounding ? 0 : fabs(row->residual));
    // The scale grows with the run, so a drift is relative to the largest energy met so far.
    raise_to(&tally->energy_scale, row->kinetic + row->internal);
    raise_to(&tally->momentum, change(row->momentum, books->initial_momentum, outside.impulse));
    raise_to(&tally->angular_momentum, change(row->angular_momentum, books->initial_angular_momentum, outside.angular_impulse));
    raise_to(&tally->penetration, row->penetration);
    carom_symmetry symmetry = carom_model_symmetry(state->model);
    for (int i = 0; i < 3; i++) {
        // Only where no load, restraint or plane acts along the axis: such a component may not change at all.
        if (symmetry.linear[i])
            raise_to(&tally->conserved[0], fabs(row->momentum[i] - books->initial_momentum[i]));
        if (symmetry.angular[i])
            raise_to(&tally->conserved[1], fabs(row->angular_momentum[i] - books->initial_angular_momentum[i]));
    }

    // the momenta if those of all nodes, and the impulses of all loads since the start, had the same direction
    scale_of at = {.state = state, .v = carom_state_velocities(state)};
    at.step = state->step > 0 ? state->time / (double)state->step : 0;
    carom_model_load_sizes(state->model, state->time, state->load_size);
    carom_exact sums[SCALES] = {0};
    carom_model_sum_nodes(state->model, sums, SCALES, add_scales, &at);

    for (int r = 0; r < state->model->rigid.count; r++) {
        double l[3];
        carom_rigid_turning(state, r, l);
        carom_exact_add(&sums[ANGULAR], carom_norm(l));
    }

    // the energy may also come from loads and be lost already, or, in a scene at rest, be added and taken in each step
    raise_to(&tally->energy_scale, fabs(row->external));
    raise_to(&tally->energy_scale, row->friction + row->restitution + row->damping);
    // A static analysis has no kicks.
    if (!equilibrium)
        raise_to(&tally->energy_scale, carom_exact_value(&sums[KICK]));
    raise_to(&tally->momentum_scale, carom_exact_value(&sums[LINEAR]));
    raise_to(&tally->angular_momentum_scale, carom_exact_value(&sums[ANGULAR]));
}

// Over all audits: the largest number of intersections and the smallest distance.
void carom_tally_audit(carom_tally *tally, const carom_state *state, int64_t intersections, double distance) {
    tally->audit_step = state->step;
    tally->audits++;
    if (intersections > tally->intersections)
        tally->intersections = intersections;
    tally->distance = fmin(tally->distance, distance);
}

// 0 for no error, even if the scale is zero.
double carom_tally_share(double error, double scale) {
    return error == 0 ? 0 : error / scale;
}

void carom_tally_report(const carom_tally *tally, carom_summary *summary) {
    summary->first = tally->first;
    summary->energy_scale = tally->energy_scale;
    summary->momentum_scale = tally->momentum_scale;
    summary->angular_momentum_scale = tally->angular_momentum_scale;
    summary->energy_error = carom_tally_share(tally->residual, tally->energy_scale);
    summary->momentum_error = carom_tally_share(tally->momentum, tally->momentum_scale);
    summary->angular_momentum_error = carom_tally_share(tally->angular_momentum, tally->angular_momentum_scale);
    summary->conserved_error[0] = carom_tally_share(tally->conserved[0], tally->momentum_scale);
    summary->conserved_error[1] = carom_tally_share(tally->conserved[1], tally->angular_momentum_scale);
    summary->max_penetration = tally->penetration;
    summary->audits = tally->audits;
    summary->intersections = tally->intersections;
    // Without an audit there is no distance.
    summary->minimum_distance = isfinite(tally->distance) ? tally->distance : (double)NAN;
}
