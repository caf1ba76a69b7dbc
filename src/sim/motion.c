// SPDX-License-Identifier: MIT
// Replaces the positions and velocities of a running simulation by those that the program gives.
//
// A method keeps more than x and v in its state: velocities between two steps, candidates of contact, forces. All of this
// belongs to the motion that is replaced, so the method is set up again at the present time. The ledger continues: the change
// of energy and momenta is recorded as external, so that residual and momentum errors do not change.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/pairs/audit.h"
#include "math/vec3.h"
#include "model/forces/peaks.h"
#include "model/model.h"
#include "model/motion/restraints.h"
#include "model/state/accounts.h"
#include "model/state/history.h"
#include "model/state/ledger.h"
#include "model/watch/deformation.h"
#include "sim/kept_states.h"
#include "sim/sim.h"
#include "sim/watch.h"

// Parts of the state that the set-up overwrites: the motion, impulses on nodes and the records of pairs.
enum { POSITIONS, VELOCITIES, IMPULSES, PAIRS, PAIR_FIRSTS, PAIR_SUMS, PARTS };

typedef struct part {
    void *bytes;
    size_t size;
} part;

static void list_parts(const carom_state *state, part parts[PARTS]) {
    size_t nodes = (size_t)state->model->node_count, pairs = (size_t)state->pair_count;
    parts[POSITIONS] = (part){state->x, nodes * sizeof *state->x};
    parts[VELOCITIES] = (part){state->v, nodes * sizeof *state->v};
    parts[IMPULSES] = (part){state->impulse, nodes * sizeof *state->impulse};
    parts[PAIRS] = (part){state->pairs, pairs * sizeof *state->pairs};
    parts[PAIR_FIRSTS] = (part){state->pair_firsts, pairs * sizeof *state->pair_firsts};
    parts[PAIR_SUMS] = (part){state->pair_sums, pairs * sizeof *state->pair_sums};
}

// The run before the change, restored if the new set-up fails.
typedef struct saved_run {
    carom_state state;     // with the ledger, and the arrays of the method
    carom_stepper stepper; // with the workspace of the method
    void *parts[PARTS];    // copies
    double *history;       // of materials
    carom_accounts accounts;
    carom_ledger_row row;
} saved_run;

static void release(saved_run *c) {
    for (int i = 0; i < PARTS; i++)
        free(c->parts[i]);
    free(c->history);
}

// Copies everything that set-up overwrites, while the old motion is still in place: the ledger row measures its energy.
static carom_status save_run(const carom_sim *sim, saved_run *c, carom_error *error) {
    const carom_state *state = sim->state;
    part parts[PARTS];
    *c = (saved_run){.state = *state,
                     .stepper = sim->stepper,
                     .accounts = carom_ledger_accounts(state),
                     .row = carom_stepper_ledger(&sim->stepper, state)};
    c->history = carom_allocate(carom_history_buffer(state), sizeof *c->history);
    bool enough = c->history != NULL;
    list_parts(state, parts);
    for (int i = 0; i < PARTS && enough; i++) {
        c->parts[i] = carom_allocate((int64_t)parts[i].size, 1);
        enough = c->parts[i] != NULL;
        if (enough && parts[i].size)
            memcpy(c->parts[i], parts[i].bytes, parts[i].size);
    }
    if (!enough)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory to set the motion");
    carom_history_save(state, c->history);
    return CAROM_OK;
}

// Prescribed motion overrides the velocities of restrained nodes.
static carom_status impose(carom_sim *sim, carom_error *error) {
    const carom_restraints *own = &sim->model->restraints;
    carom_restraint *items = carom_allocate(own->count, sizeof *items);
    if (!items)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory to set the motion");
    if (own->count)
        memcpy(items, own->items, (size_t)own->count * sizeof *items);
    carom_model_drive(sim->model, sim->state->time, items);
    for (int r = 0; r < own->count; r++)
        carom_restraint_impose(&items[r], sim->state->v[items[r].node]);
    free(items);
    return CAROM_OK;
}

// Frees the workspace of a set-up of the method and the arrays that it has registered.
static void discard(carom_stepper *stepper, carom_state *state) {
    if (stepper->workspace)
        stepper->method->release(stepper);
    while (state->array_count > state->own_count)
        free(state->arrays[--state->array_count].values);
}

// Sets the method up at the present x and v; its old set-up is kept. Impulses of this set-up are not reported here: at step 0
// the first drift reports them, later the last kick has reported them already.
static carom_status set_up_again(carom_sim *sim, carom_error *error) {
    carom_state *state = sim->state;
    sim->stepper.workspace = NULL;
    sim->stepper.stale = false;
    sim->stepper.observer = (carom_observer){0};
    state->array_count = state->own_count;
    state->method = (carom_method_arrays){0};
    carom_ledger_open(state);
    // before the first step the old set-up has not acted yet
    if (state->step == 0) {
        memset(state->impulse, 0, (size_t)sim->model->node_count * sizeof *state->impulse);
        state->pair_count = state->pair_found = 0;
    }
    carom_status status = impose(sim, error);
    if (!status)
        status = sim->stepper.method->setup(&sim->stepper, state, error);
    if (!status && !carom_state_is_finite(state))
        status = carom_fail(error, CAROM_BAD_INPUT, "the motion is too large for its energy to be finite");
    return status;
}

// Restores the parts from `first` on.
static void restore_parts(carom_state *state, const saved_run *c, int first) {
    part parts[PARTS];
    state->pair_count = c->state.pair_count;
    state->pair_found = c->state.pair_found;
    list_parts(state, parts);
    for (int i = first; i < PARTS; i++)
        if (parts[i].size)
            memcpy(parts[i].bytes, c->parts[i], parts[i].size);
}

// The set-up has failed: restores the old one.
static void restore(carom_sim *sim, const saved_run *c) {
    carom_state *state = sim->state;
    discard(&sim->stepper, state);
    sim->stepper = c->stepper;
    state->array_count = c->state.array_count;
    memcpy(state->arrays, c->state.arrays, sizeof state->arrays);
    state->method = c->state.method;
    carom_state_replace(state, CAROM_ARRAYS_ALL);
    state->books = c->state.books;
    carom_history_restore(state, c->history);
    restore_parts(state, c, POSITIONS);
    state->generation++;
}

// Continues the ledger of the run, with the difference of the two motions recorded as external work and impulses.
static void continue_books(carom_sim *sim, const saved_run *c) {
    carom_books *books = &sim->state->books;
    // The set-up may have recorded its half kick. This record and its pending part are kept; all else is that of before.
    const carom_books fresh = *books;
    *books = c->state.books;
    if (sim->state->step == 0) {
        books->contacts = fresh.contacts;
        books->contact_events = fresh.contact_events;
    }
    books->booked = fresh.booked;
    books->pending = fresh.pending;
    books->element_updates += fresh.element_updates;
    books->overlap = fresh.overlap;
    // Pending parts of the old motion are dropped with it: `accounts` are the recorded sums less the pending ones.
    carom_accounts_add(&books->booked, 1, &c->accounts);
    // Measured after the accounts are in place, so that the difference is that of the two motions alone.
    carom_ledger_row row = carom_stepper_ledger(&sim->stepper, sim->state);
    // the change of the energy that the method conserves (as in the residual), and the losses of materials that yield
    // immediately
    double lost = row.plasticity - c->row.plasticity + row.viscosity - c->row.viscosity;
    carom_accounts added = {.drive_work = (row.total - row.oscillation) - (c->row.total - c->row.oscillation) + lost};
    carom_difference(row.momentum, c->row.momentum, added.impulse);
    carom_difference(row.angular_momentum, c->row.angular_momentum, added.angular_impulse);
    carom_accounts_add(&books->booked, 1, &added);
}

// Checks the input before anything is changed.
static carom_status check(const carom_sim *sim, const double (*x)[3], const double (*v)[3], carom_error *error) {
    const carom_model *model = sim->model;
    for (int k = 0; k < model->node_count; k++)
        for (int i = 0; i < 3; i++)
            if ((x && !isfinite(x[k][i])) || (v && !isfinite(v[k][i])))
                return carom_fail(error, CAROM_BAD_INPUT, "node %d: its position or velocity is not finite", k);
    if (sim->stepper.method->substeps && sim->state->step > 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s: the motion can be set only before the first step (later its elements are at different times)",
                          sim->stepper.method->kind.name);
    if (x && sim->time.on_event == CAROM_ON_EVENT_STOP) {
        carom_deformation seen = carom_model_watch_deformation(model, x);
        if (seen.inverted[0])
            return carom_fail(error, CAROM_BAD_INPUT, "%s is inside out at these positions", seen.inverted);
    }
    if (!x || !model->surface.face_count)
        return CAROM_OK;
    // contact prevents intersections, but does not remove existing ones
    carom_audit audit = {0};
    int64_t count = 0;
    carom_status status = carom_audit_create(&model->surface, &model->exclusions, model->immovable, &audit, error);
    audit.filled = model->filled;
    if (!status)
        status = carom_surface_intersections(&audit, x, &count, error);
    carom_audit_release(&audit);
    if (!status && count > 0)
        status = carom_fail(error, CAROM_BAD_INPUT, "%lld pairs of faces intersect at these positions", (long long)count);
    return status;
}

carom_status carom_sim_set_motion(carom_sim *sim, const double (*x)[3], const double (*v)[3], carom_error *error) {
    carom_status status = check(sim, x, v, error);
    if (status)
        return status;
    saved_run before;
    size_t size = (size_t)sim->model->node_count * sizeof *x;
    carom_state_write(sim->state, CAROM_ARRAYS_ALL | CAROM_ARRAYS_FORCES);
    status = save_run(sim, &before, error);
    if (status) {
        release(&before);
        return status;
    }
    if (x)
        memcpy(sim->state->x, x, size);
    if (v)
        memcpy(sim->state->v, v, size);
    status = set_up_again(sim, error);
    if (status) {
        restore(sim, &before);
    } else {
        sim->stepper.observer = before.stepper.observer;
        continue_books(sim, &before);
        if (sim->state->step > 0)
            restore_parts(sim->state, &before, IMPULSES);
        discard(&before.stepper, &before.state);
        carom_watch_start(sim);
        // peaks include the start; later the new motion counts from the next step on
        if (sim->state->step == 0)
            carom_peaks_start(sim->state);
        status = carom_sim_accept(sim, error);
        if (!status)
            carom_sim_keep(sim, sim->balanced, CAROM_COPY_BALANCED);
    }
    release(&before);
    return status;
}
