// SPDX-License-Identifier: MIT
// Contact of newmark-dcr by projection after the drift: overlap is removed by moving nodes (docs/theory/projection.md).
//
//     1. x_{n+1} = x_n + h w_n; bodies may overlap
//     2. each overlapping contact is moved to zero gap along its normal, in proportion to the mobilities of its nodes, or, with
//        `moves: node`, by its penetrating node or edge alone; with `return_spin` a rigid turn of the pair restores the angular
//        momentum that steps 2 and 3 change
//     3. each closing contact gets the impulse of decomposition contact response; with `return_work` the impulse also pays for
//        the work that step 2 did against the forces, eq. (15) of the paper with the factor 2 of its errata
//
// Step 2 changes the energy, and so does the kick at the projected positions. The ledger records both together: the energy at
// the end of the step is compared with that of a step without contact. The energy that is compared is the one that the map
// without contact conserves,
//     E - (h^2/8) f.M^-1 f,
// exact for linear forces (it is K(w) + x_n.K x_{n+1}/2), of higher order for others; E itself oscillates about it.
#include "integrator/newmark_dcr/newmark_projection.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/impact/projection.h"
#include "math/vec3.h"
#include "model/state/history.h"

carom_status carom_newmark_projection_create(carom_newmark_projection *projection, const carom_stepper *stepper,
                                             const carom_state *state, carom_error *error) {
    projection->stepper = stepper;
    projection->scratch = carom_allocate(stepper->model->node_count, sizeof *projection->scratch);
    int64_t size = carom_history_buffer(state);
    if (size)
        projection->history = carom_allocate(size, sizeof *projection->history);
    return projection->scratch && (!size || projection->history) ? CAROM_OK : carom_no_memory(error, "the integrator");
}

void carom_newmark_projection_release(carom_newmark_projection *projection) {
    free(projection->scratch);
    free(projection->history);
    carom_hits_release(&projection->crossings);
    *projection = (carom_newmark_projection){0};
}

// The energy E - (h^2/8) f.M^-1 f right after a kick, plus the losses by damping and materials so far.
static double conserved_energy(const carom_newmark_projection *projection, const carom_newmark_kick *kick, carom_state *state) {
    const carom_model *model = kick->model;
    double sum = 0;
    for (int k = 0; k < model->node_count; k++) {
        double f[3];
        carom_copy(kick->force[k], f);
        carom_restraints_project(&kick->restraints, k, f);
        sum += carom_dot(f, f) / model->mass[k];
    }
    carom_ledger_row row = carom_stepper_ledger(projection->stepper, state);
    return row.total + row.damping + row.plasticity + row.viscosity - 0.125 * kick->step * kick->step * sum;
}

// The energy at the end of the step without contact: makes the kick without contact and undoes it, including the internal
// variables of materials. Only kick->force keeps the values of that kick.
static double energy_without_contact(carom_newmark_projection *projection, carom_newmark_kick *kick, carom_state *state) {
    size_t size = (size_t)kick->model->node_count * sizeof *state->v;
    carom_books books = state->books;
    memcpy(projection->scratch, state->v, size);
    if (projection->history)
        carom_history_save(state, projection->history);
    carom_newmark_kick_run(kick, state, state->time + kick->step, kick->step);
    carom_newmark_kick_book(kick, state, kick->step, 0.5);
    carom_newmark_kick_velocities(kick, state, 0.5);
    double energy = conserved_energy(projection, kick, state);
    memcpy(kick->w, kick->w_before, size);
    memcpy(state->v, projection->scratch, size);
    if (projection->history)
        carom_history_restore(state, projection->history);
    carom_newmark_kick_drive(kick, state->time);
    state->books = books;
    return energy;
}

// Removes the overlap of one contact and notes it, with its depth, as a hit without impulse.
static void project(carom_newmark_projection *projection, carom_newmark_kick *kick, carom_state *state,
                    const carom_contact *contact, carom_hits *hits) {
    carom_hit hit = {.contact = *contact, .time = state->time + kick->step};
    hit.spot.gap = carom_contact_gap(contact, (carom_const_vectors)state->x);
    if (!(hit.spot.gap < 0))
        return;
    // before the first node is moved
    if (hits->count == 0)
        projection->energy_without_contact = energy_without_contact(projection, kick, state);
    carom_moves moves = (carom_moves)kick->model->contact.moves;
    carom_contact movers = carom_projection_movers(contact, kick->mobility, moves);
    carom_const_vectors x = (carom_const_vectors)state->x;
    double spin[3] = {0};
    bool returns = kick->model->contact.return_spin;
    if (returns)
        carom_projection_spin(contact, kick->mobility, x, (carom_const_vectors)kick->w, spin);
    if (!carom_projection_run(contact, &movers, kick->mobility, state->x))
        return;
    carom_hits_add(hits, &hit);
    if (returns)
        carom_projection_return_spin(contact, kick->mobility, spin, x, kick->w);
}

// Replaces the forces by their mean before and after all projections: for linear forces the work of a projection against the
// mean is exact. The forces before are still there, from the trial kick.
static void find_mean_forces(carom_newmark_projection *projection, carom_newmark_kick *kick, const carom_state *state) {
    carom_vectors before = projection->scratch;
    memcpy(before, kick->force, (size_t)kick->model->node_count * sizeof *before);
    carom_newmark_kick_find_forces(kick, state, state->time + kick->step, CAROM_USE_TRIAL);
    for (int k = 0; k < kick->model->node_count; k++)
        for (int i = 0; i < 3; i++)
            kick->force[k][i] = 0.5 * (kick->force[k][i] + before[k][i]);
}

// Applies the impulse of a projected contact, if it closes. The part of the impulse that balances the work of the projection is
// not a loss by restitution.
static void answer(const carom_newmark_kick *kick, const carom_state *state, carom_hit *hit) {
    const carom_contact contact = hit->contact;
    const carom_model *model = kick->model;
    carom_const_vectors x = (carom_const_vectors)state->x, w = (carom_const_vectors)kick->w;
    carom_contact_law law = carom_contact_law_of(&model->laws, contact.body);
    double rate = carom_contact_rate(&contact, w), target = -law.restitution * rate, time = hit->time, spin[3] = {0};
    bool closes = rate < 0, pays = closes && model->contact.return_work, turns = closes && model->contact.return_spin;
    if (pays) {
        carom_contact movers = carom_projection_movers(&contact, kick->mobility, (carom_moves)model->contact.moves);
        double work = carom_projection_work(&movers, kick->mobility, hit->spot.gap, (carom_const_vectors)kick->force);
        target = carom_projection_target(&contact, kick->mobility, rate, law.restitution, work);
    }
    if (turns)
        carom_projection_spin(&contact, kick->mobility, x, w, spin);
    if (closes)
        *hit = carom_response(&contact, kick->mobility, target, carom_contact_friction(&law, &contact, w), kick->w);
    if (turns)
        carom_projection_return_spin(&contact, kick->mobility, spin, x, kick->w);
    if (pays)
        hit->restitution = 0.5 * (1 - law.restitution * law.restitution) * rate * rate /
                           carom_contact_softness(&contact, kick->mobility, contact.normal);
    hit->time = time;
    hit->ground = carom_contact_ground(&contact, kick->mobility, hit->impulse, x, w, 0);
    hit->spot = carom_contact_spot(&contact, x, w, 0);
}

carom_status carom_newmark_projection_drift(carom_newmark_projection *projection, carom_newmark_kick *kick,
                                            carom_search *search, carom_state *state, carom_hits *hits, carom_error *error) {
    const carom_model *model = kick->model;
    carom_const_vectors x = (carom_const_vectors)state->x, w = (carom_const_vectors)kick->w;
    projection->crossings.count = 0;
    carom_status status = carom_search_list(search, x, w, 0, error);
    if (status)
        return status;
    carom_neighbours neighbours = carom_search_neighbours(search);
    carom_projection_find(&neighbours, x, w, kick->step, &projection->crossings);

    for (int k = 0; k < model->node_count; k++)
        carom_add_scaled(kick->step, kick->w[k], state->x[k]);
    for (int c = 0; c < model->candidates.count; c++)
        project(projection, kick, state, &model->candidates.items[c], hits);
    for (int c = 0; c < projection->crossings.count; c++)
        project(projection, kick, state, &projection->crossings.items[c].contact, hits);
    if (hits->failed || projection->crossings.failed)
        return carom_no_memory(error, "contacts");

    if (model->contact.return_work && hits->count)
        find_mean_forces(projection, kick, state);
    for (int h = 0; h < hits->count; h++)
        answer(kick, state, &hits->items[h]);
    return CAROM_OK;
}

// With this entry the ledger contains the whole effect of contact on the energy, and the residual is that of Newmark's method
// alone.
void carom_newmark_projection_book(const carom_newmark_projection *projection, const carom_newmark_kick *kick,
                                   const carom_hits *hits, carom_state *state) {
    double explained = 0;
    for (int h = 0; h < hits->count; h++)
        explained += hits->items[h].restitution + hits->items[h].friction;
    double taken = projection->energy_without_contact - conserved_energy(projection, kick, state) - explained;
    carom_exact_add(&state->books.booked.of[CAROM_ACCOUNT_PROJECTION], taken);
}
