// SPDX-License-Identifier: MIT
// The ledger (docs/theory/ledger.md).
//
//     total    = kinetic + internal + external
//     residual = total + friction + restitution + projection + damping - oscillation - total(0)
//
// Every impulse books the kinetic energy it takes exactly (J.u + J.A J/2 is no estimate), every projection the change of
// potential energy it makes, every restraint its work. What is left in the residual is the energy error of the integrator
// alone.
//
// A kick at t_n acts half before and half after t_n: the velocity is v_n = (w- + w+)/2, so momentum at t_n has taken in half of
// the kick's external impulse. The other half is pending.
#include "model/ledger.h"

#include <math.h>
#include <string.h>

#include "math/sum.h"
#include "math/vec3.h"
#include "model/core.h"
#include "model/model.h"

const char *carom_event_name(carom_event event) {
    switch (event) {
    case CAROM_EVENT_NOT_FINITE: return "not_finite";
    case CAROM_EVENT_CONTACT_SETTLED: return "contact_settled";
    case CAROM_EVENT_CONTACT_HELD: return "contact_held";
    case CAROM_EVENT_UNSTABLE_STEP: return "unstable_step";
    case CAROM_EVENT_INVERTED: return "inverted_element";
    case CAROM_EVENT_CONTACT_MISSED: return "contact_missed";
    case CAROM_EVENT_LOST_STABILITY: return "lost_stability";
    case CAROM_EVENT_CONTACT_AMBIGUOUS: return "contact_ambiguous";
    case CAROM_EVENT_ENERGY_GROWTH: return "energy_growth";
    case CAROM_EVENT_UNBALANCED: return "unbalanced";
    case CAROM_EVENT_LARGE_ROTATION: return "large_rotation";
    case CAROM_EVENT_COUNT: break;
    }
    return "unknown";
}

carom_accounts carom_ledger_accounts(const carom_state *state) {
    const carom_accounts *booked = &state->books.booked, *pending = &state->books.pending;
    // Booked entries, less the part of them that falls behind the time of the state.
    carom_accounts a = {
        .friction = booked->friction - pending->friction,
        .restitution = booked->restitution - pending->restitution,
        .projection = booked->projection - pending->projection,
        .damping = booked->damping - pending->damping,
        .drive_work = booked->drive_work - pending->drive_work,
    };
    const double *unbooked = carom_state_find_array(state, CAROM_STATE_UNBOOKED);
    if (unbooked) {
        a.restitution += unbooked[CAROM_UNBOOKED_RESTITUTION];
        a.projection += unbooked[CAROM_UNBOOKED_PROJECTION];
    }
    carom_difference(booked->impulse, pending->impulse, a.impulse);
    carom_difference(booked->angular_impulse, pending->angular_impulse, a.angular_impulse);
    return a;
}

carom_ledger_row carom_ledger_complete(const carom_state *state, const carom_ledger_row *measured) {
    const carom_model *model = state->model;
    carom_accounts accounts = carom_ledger_accounts(state);
    carom_ledger_row row = *measured;
    row.time = state->time;
    row.friction = accounts.friction;
    row.restitution = accounts.restitution;
    row.projection = accounts.projection;
    row.damping = accounts.damping;
    row.contacts = state->books.contacts;
    row.penetration = state->books.overlap;
    // Work of the drive raises the total; with this sign the residual stays a balance.
    row.external -= accounts.drive_work;

    // overlap of the configuration as it is
    for (int c = 0; c < model->candidates.count; c++)
        row.penetration = fmax(row.penetration, -carom_contact_gap(&model->candidates.items[c], (carom_const_vectors)state->x));

    // nodes inside solids are no candidates, and may be behind planes all the same
    row.penetration = fmax(row.penetration, carom_model_core_behind(model, (carom_const_vectors)state->x).depth);

    row.total = row.kinetic + row.internal + row.external;
    row.residual = row.total + row.friction + row.restitution + row.projection + row.damping - state->books.initial_total;
    row.residual -= row.oscillation;
    return row;
}

void carom_ledger_open(carom_state *state) {
    carom_ledger_row row = {0};
    memset(&state->books, 0, sizeof state->books);
    carom_ledger_measure(state, &row);
    carom_ledger_restart(state, &row);
}

void carom_ledger_restart(carom_state *state, const carom_ledger_row *measured) {
    const carom_model *model = state->model;
    carom_ledger_row row = carom_ledger_complete(state, measured);
    state->books.initial_total = row.total;
    carom_copy(row.momentum, state->books.initial_momentum);
    carom_copy(row.angular_momentum, state->books.initial_angular_momentum);

    double mass = 0, moment[3] = {0};
    for (int k = 0; k < model->node_count; k++) {
        mass += model->mass[k];
        carom_add_scaled(model->mass[k], state->x[k], moment);
    }
    for (int i = 0; i < 3; i++)
        state->books.initial_centre[i] = moment[i] / mass;
}

// Velocity of the mass centre of a body; planes stand still.
static void centre_velocity(const carom_state *state, int body, double velocity[3]) {
    velocity[0] = velocity[1] = velocity[2] = 0;
    if (body < 0)
        return;
    const carom_body *b = &state->model->bodies[body];
    for (int k = b->node_begin; k < b->node_begin + b->node_count; k++)
        carom_add_scaled(state->model->mass[k] / b->mass, state->v[k], velocity);
}

double carom_state_closing_speed(const carom_state *state, const int body[2], const double normal[3]) {
    // the normal leads from the first body to the second, or from a plane to the body on it
    double first[3], second[3], u[3];
    centre_velocity(state, body[0], first);
    centre_velocity(state, body[1], second);
    carom_difference(first, second, u);
    return body[1] < 0 ? -carom_dot(u, normal) : carom_dot(u, normal);
}

// The record of a pair, made when it touches for the first time; NULL if there are too many pairs.
static carom_pair_record *record_of(carom_state *state, const carom_hit *hit) {
    const carom_contact *contact = &hit->contact;
    // Contacts of the same bodies follow each other, so the search starts at the pair found last.
    for (int i = 0; i < state->pair_count; i++) {
        int p = (state->pair_found + i) % state->pair_count;
        if (memcmp(state->pairs[p].body, contact->body, sizeof contact->body) != 0)
            continue;
        state->pair_found = p;
        return &state->pairs[p];
    }
    if (state->pair_count == CAROM_PAIR_RECORDS_MAX)
        return NULL;
    carom_pair_record *pair = &state->pairs[state->pair_count++];
    *pair = (carom_pair_record){.body = {contact->body[0], contact->body[1]}, .first_contact = hit->time};
    carom_copy(contact->normal, pair->normal);
    pair->approach = carom_state_closing_speed(state, pair->body, pair->normal);
    return pair;
}

// Reports an impulse that acts; `step` is the one that it belongs to.
static void report(const carom_observer *observer, const carom_state *state, const carom_hit *hit, int64_t step) {
    // Impulses of zero are none, unless they amend an earlier one.
    if (observer && observer->hit && (hit->normal > 0 || hit->amends))
        observer->hit(observer->context, state, hit, step);
}

void carom_ledger_report_hits(const carom_state *state, const carom_observer *observer, const carom_hit *hits, int count) {
    for (int h = 0; h < count; h++)
        report(observer, state, &hits[h], state->step);
}

// Each node takes its share of the impulse.
static void add_impulses(carom_state *state, const carom_hit *hit) {
    const carom_contact *contact = &hit->contact;
    for (int k = 0; k < contact->count; k++)
        carom_add_scaled(contact->weight[k], hit->impulse, state->impulse[contact->node[k]]);
}

// The impulse J acts on the second side; on the first one if the second is a plane.
static void add_push(const carom_hit *hit, double push[3]) {
    carom_add_scaled(hit->contact.body[1] < 0 ? 1 : -1, hit->impulse, push);
}

// The part of the restitution loss that falls after the time of a kick. An impact within it loses more before that time, when
// it is fast, than after.
static double late_of(const carom_hit *hit, double after) {
    // At the ends of the interval the whole loss falls on one side.
    return after > 0 && after < 1 ? hit->late : after * hit->restitution;
}

void carom_ledger_book_hits(carom_state *state, const carom_observer *observer, const carom_hit *hits, int count, double after,
                            int64_t step) {
    carom_accounts *booked = &state->books.booked, *pending = &state->books.pending;
    int events = 0;
    for (int h = 0; h < count; h++) {
        const carom_hit *hit = &hits[h];
        // An amendment continues a contact that has been counted.
        events += !hit->amends;
        booked->friction += hit->friction;
        booked->restitution += hit->restitution;
        booked->projection += hit->projection;
        pending->friction += after * hit->friction;
        pending->restitution += late_of(hit, after);
        pending->projection += after * hit->projection;
        booked->drive_work += hit->ground.work;
        pending->drive_work += after * hit->ground.work;
        carom_add_scaled(1, hit->ground.impulse, booked->impulse);
        carom_add_scaled(1, hit->ground.moment, booked->angular_impulse);
        carom_add_scaled(after, hit->ground.impulse, pending->impulse);
        carom_add_scaled(after, hit->ground.moment, pending->angular_impulse);

        add_impulses(state, hit);
        report(observer, state, hit, step);
        carom_pair_record *pair = record_of(state, hit);
        if (!pair)
            continue;
        pair->events += !hit->amends;
        pair->last_contact = hit->time;
        pair->last_step = state->step;
        // The record of a pair lives on after they part; a later touch resets the separation.
        pair->separation = 0;
        pair->impulse += hit->normal;
        add_push(hit, pair->push);
    }
    state->books.contact_events += events;
    state->books.contacts += events;
}

// A pair has parted when a whole step has passed without an impulse.
static bool has_parted(const carom_state *state, const carom_pair_record *pair) {
    // Exactly two: the parting is noted once.
    return state->step - pair->last_step == 2;
}

bool carom_ledger_has_partings(const carom_state *state) {
    for (int p = 0; p < state->pair_count; p++)
        if (has_parted(state, &state->pairs[p]))
            return true;
    return false;
}

void carom_ledger_note_partings(carom_state *state) {
    for (int p = 0; p < state->pair_count; p++) {
        carom_pair_record *pair = &state->pairs[p];
        if (!has_parted(state, pair))
            continue;
        pair->separation = -carom_state_closing_speed(state, pair->body, pair->normal);
    }
}

void carom_ledger_book_pressure(carom_state *state, const carom_observer *observer, const carom_hit *hit) {
    carom_add_scaled(1, hit->ground.impulse, state->books.booked.impulse);
    carom_add_scaled(1, hit->ground.moment, state->books.booked.angular_impulse);
    add_impulses(state, hit);
    report(observer, state, hit, state->step + 1);
    carom_pair_record *pair = record_of(state, hit);
    if (!pair)
        return;
    pair->last_contact = hit->time;
    pair->last_step = state->step;
    pair->separation = 0;
    pair->impulse += hit->normal;
    add_push(hit, pair->push);
}

void carom_ledger_book_outside(carom_state *state, const double x[3], const double impulse[3], const double couple[3],
                               double work) {
    double moment[3];
    carom_cross(x, impulse, moment);
    carom_add_scaled(1, couple, moment);
    carom_add_scaled(1, impulse, state->books.booked.impulse);
    carom_add_scaled(1, moment, state->books.booked.angular_impulse);
    state->books.booked.drive_work += work;
}

// Programs of users book through the same door as integrators.
void carom_state_book_external(carom_state *state, const double x[3], const double impulse[3], const double couple[3],
                               double work) {
    carom_ledger_book_outside(state, x, impulse, couple, work);
}

void carom_state_book_loss(carom_state *state, carom_loss account, double energy) {
    carom_accounts *booked = &state->books.booked;
    switch (account) {
    case CAROM_LOSS_FRICTION: booked->friction += energy; return;
    case CAROM_LOSS_RESTITUTION: booked->restitution += energy; return;
    case CAROM_LOSS_PROJECTION: booked->projection += energy; return;
    case CAROM_LOSS_DAMPING: booked->damping += energy; return;
    }
}

// Adds an impulse at a node.
static void add_impulse(const double x[3], double h, const double force[3], carom_accounts *accounts) {
    double moment[3];
    carom_cross(x, force, moment);
    carom_add_scaled(h, force, accounts->impulse);
    carom_add_scaled(h, moment, accounts->angular_impulse);
}

// Work of a force that acts on a node for the time h, at the velocity of the kick.
static double work_of(const carom_kick *kick, int node, double h, const double force[3]) {
    double mean[3];
    for (int i = 0; i < 3; i++)
        // The velocity of a kick is the mean of those before and after it, which makes the work of its force exact.
        mean[i] = 0.5 * (kick->w_before[node][i] + kick->w[node][i]);
    return h * carom_dot(force, mean);
}

void carom_ledger_book_kick(carom_state *state, const carom_kick *kick) {
    const carom_model *model = state->model;
    carom_accounts sum = {0};

    // constant dead loads: their work is in the external potential
    for (int k = 0; model->loaded && k < model->node_count; k++)
        add_impulse(state->x[k], kick->h, model->load[k], &sum);

    // loads that have no potential: impulse and work
    for (int i = 0; i < model->live.node_count; i++) {
        int k = model->live.nodes[i];
        add_impulse(state->x[k], kick->h, kick->live[k], &sum);
        sum.drive_work += work_of(kick, k, kick->h, kick->live[k]);
    }

    // restraints: impulse, and work where the motion is prescribed
    for (int r = 0; r < model->restraints.count; r++) {
        int k = model->restraints.items[r].node;
        add_impulse(state->x[k], 1, kick->reaction[r], &sum);
        sum.drive_work += work_of(kick, k, 1, kick->reaction[r]);
    }

    // damping: stiffness keeps momentum, mass does not
    carom_sum loss = {0};
    for (int k = 0; model->damped && k < model->node_count; k++) {
        // The viscous force has neither resultant nor moment, so only its energy is booked.
        add_impulse(state->x[k], kick->h, kick->drag[k], &sum);
        carom_sum_add(&loss, -work_of(kick, k, kick->h, kick->drag[k]));
        carom_sum_add(&loss, -work_of(kick, k, kick->h, kick->viscous[k]));
    }
    sum.damping = carom_sum_value(&loss);

    carom_accounts *booked = &state->books.booked, *pending = &state->books.pending;
    booked->drive_work += sum.drive_work;
    booked->damping += sum.damping;
    carom_add_scaled(1, sum.impulse, booked->impulse);
    carom_add_scaled(1, sum.angular_impulse, booked->angular_impulse);
    // Pending entries are those of the last kick alone.
    memset(pending, 0, sizeof *pending);
    pending->drive_work = kick->after * sum.drive_work;
    pending->damping = kick->after * sum.damping;
    carom_add_scaled(kick->after, sum.impulse, pending->impulse);
    carom_add_scaled(kick->after, sum.angular_impulse, pending->angular_impulse);
}
