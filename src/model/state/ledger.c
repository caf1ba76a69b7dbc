// SPDX-License-Identifier: MIT
// The ledger: records where all energy and momentum of a run goes, and completes its rows (docs/theory/ledger.md).
//
//     total    = kinetic + internal + external
//     residual = total + friction + restitution + projection + damping + plasticity + viscosity - oscillation - total(0)
//
// external is the potential of dead loads less the work of prescribed motion and live loads; projection is the energy that
// contact handling itself costs; oscillation is the known, bounded difference between the energy at a time and that which the
// method conserves. Each contact impulse J is recorded with exactly the kinetic energy that it adds, J.u + J.A J/2, with u the
// relative velocity before it and A the inverse of the effective mass; each restraint with its work. The residual is the
// change of energy that no account explains.
//
// A kick (velocity update from w- to w+ by the forces at t_n) acts half before and half after t_n: the velocity then is
// v_n = (w- + w+)/2, so momentum at t_n includes half of the external impulse of the kick. The other half is pending.
#include "model/state/ledger.h"

#include <math.h>
#include <string.h>

#include "carom/threads.h"
#include "math/exact.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/interior_nodes.h"
#include "model/model.h"
#include "model/parts/space_link.h"
#include "model/remote.h"
#include "model/state/accounts.h"
#include "model/state/guard.h"
#include "model/state/history.h"
#include "model/state/ledger_columns.h"
#include "model/state/load_cells.h"

enum {
    // Number of hits (contact impulses) above which several threads record them.
    SHARED_HITS = 1024,
    // Number of portions of these; fixed, so that nothing depends on the number of threads.
    PORTIONS = 64,
    // Number of node partitions (one thread accumulates the impulses of each) and block size of consecutive nodes per
    // partition, chosen so that partitions never share a cache line.
    PARTITIONS = 16,
    PARTITION_BLOCK = 64,
    // Number of hits whose partitions are stored at a time: 64 kB.
    PARTITIONED_HITS = 16384
};

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
    // Recorded entries, less the part of them after the time of the state.
    carom_accounts a = carom_accounts_difference(&state->books.booked, &state->books.pending);
    const double *loss_corrections = state->method.loss_corrections;
    if (loss_corrections) {
        a.restitution += loss_corrections[CAROM_LOSS_CORRECTION_RESTITUTION];
        a.projection += loss_corrections[CAROM_LOSS_CORRECTION_PROJECTION];
    }
    carom_material_losses losses = carom_history_losses(state, -1);
    a.plasticity = losses.plasticity;
    a.viscosity = losses.viscosity;
    return a;
}

double carom_ledger_pending(const carom_state *state) {
    carom_accounts pending = carom_accounts_value(&state->books.pending);
    return pending.drive_work - pending.friction - pending.restitution - pending.projection - pending.damping;
}

carom_ledger_row carom_ledger_complete(const carom_state *state, const carom_ledger_row *measured) {
    const carom_model *model = state->model;
    carom_accounts accounts = carom_ledger_accounts(state);
    carom_ledger_row row = *measured;
    row.time = state->time;
#define TAKE_LOSS(name, field, role, ...) CAROM_LEDGER_IF_LOSS_##role(row.field = accounts.field;)
    CAROM_LEDGER_COLUMNS(TAKE_LOSS)
    row.contacts = state->books.contacts;
    row.penetration = state->books.overlap;
    // Elements use the history after the kick; what viscous branches lose after the time of the state is still stored then.
    row.internal += carom_history_losses(state, -1).pending;
    // Work of prescribed motion raises the total; with this sign the residual remains a balance.
    row.external -= accounts.drive_work;

    // overlap in the present configuration
    const carom_candidates *candidates = &model->part.space->candidates;
    carom_const_vectors x = candidates->count ? carom_space_positions(model, (carom_const_vectors)state->x) : NULL;
    for (int c = 0; c < candidates->count; c++)
        row.penetration = fmax(row.penetration, -carom_contact_gap(&candidates->items[c], x));

    // nodes inside solids are no candidates, but may be behind planes
    row.penetration = fmax(row.penetration, carom_model_interior_behind(model, (carom_const_vectors)state->x).depth);

    row.total = row.kinetic + row.internal + row.external;
    row.residual = row.total;
#define ADD_LOSS(name, field, role, ...) CAROM_LEDGER_IF_LOSS_##role(row.residual += row.field;)
    CAROM_LEDGER_COLUMNS(ADD_LOSS)
    row.residual -= state->books.initial_total;
    row.residual -= row.oscillation;
    // the potential has decreased by the work done; without energy the ratio is 1
    double given = state->books.initial_total - row.external;
    row.energy_ratio = given > 0 ? 1 + row.residual / given : 1;
    return row;
}

void carom_ledger_open(carom_state *state) {
    carom_ledger_row row = {0};
    carom_force_window window = state->books.window;
    memset(&state->books, 0, sizeof state->books);
    state->books.window = window;
    carom_ledger_measure(state, NULL, &row);
    carom_ledger_restart(state, &row);
}

static void add_mass_and_moment(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const carom_state *state = context;
    for (int k = begin; k < end; k++) {
        double m = state->model->mass[k];
        terms[0][k - begin] = m;
        for (int i = 0; i < 3; i++)
            terms[1 + i][k - begin] = m * state->x[k][i];
    }
}

void carom_ledger_restart(carom_state *state, const carom_ledger_row *measured) {
    const carom_model *model = state->model;
    carom_ledger_row row = carom_ledger_complete(state, measured);
    state->books.initial_total = row.total;
    carom_copy(row.momentum, state->books.initial_momentum);
    carom_copy(row.angular_momentum, state->books.initial_angular_momentum);

    carom_exact sums[4] = {0};
    carom_model_sum_nodes(model, sums, 4, add_mass_and_moment, state);
    for (int i = 0; i < 3; i++)
        state->books.initial_centre[i] = carom_exact_value(&sums[1 + i]) / carom_exact_value(&sums[0]);
}

typedef struct moving {
    const carom_model *model;
    const carom_body *body;
    const double (*w)[3];
} moving;

static void add_momentum(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const moving *of = context;
    int first = of->body->node_begin;
    for (int k = begin; k < end; k++)
        for (int i = 0; i < 3; i++)
            terms[i][k - begin] = of->model->mass[first + k] * of->w[first + k][i];
}

void carom_body_velocity(const carom_model *model, int body, const double (*w)[3], double velocity[3]) {
    velocity[0] = velocity[1] = velocity[2] = 0;
    if (body < 0)
        return;
    const carom_body *b = &model->bodies[body];
    carom_exact sums[3] = {0};
    carom_exact_add_range(sums, 3, b->node_count, add_momentum, &(moving){model, b, w});
    carom_model_sum(model, sums, 3);
    for (int i = 0; i < 3; i++)
        velocity[i] = carom_exact_value(&sums[i]) / b->mass;
}

double carom_state_closing_speed(const carom_state *state, const int body[2], const double normal[3]) {
    // the normal points from the first body to the second, or from a plane to the body on it
    double first[3], second[3], u[3];
    carom_state_read(state, CAROM_ARRAYS_VELOCITIES);
    carom_body_velocity(state->model, body[0], (carom_const_vectors)state->v, first);
    carom_body_velocity(state->model, body[1], (carom_const_vectors)state->v, second);
    carom_difference(first, second, u);
    return body[1] < 0 ? -carom_dot(u, normal) : carom_dot(u, normal);
}

// True if a hit comes before the first one of its pair: by time, then by the nodes of the contacts. Hits may be recorded in any
// order.
static bool comes_first(const carom_state *state, int p, const carom_hit *hit) {
    const carom_pair_first *first = &state->pair_firsts[p];
    if (hit->time != state->pairs[p].first_contact || first->step != state->step)
        return hit->time < state->pairs[p].first_contact;
    for (int k = 0; k < hit->contact.count; k++)
        if (hit->contact.node[k] != first->node[k])
            return hit->contact.node[k] < first->node[k];
    return false;
}

static void note_first(carom_state *state, int p, const carom_hit *hit) {
    carom_pair_record *pair = &state->pairs[p];
    pair->first_contact = hit->time;
    carom_copy(hit->contact.normal, pair->normal);
    pair->approach = carom_state_closing_speed(state, pair->body, pair->normal);
    state->pair_firsts[p].step = state->step;
    for (int k = 0; k < 4; k++)
        state->pair_firsts[p].node[k] = k < hit->contact.count ? hit->contact.node[k] : -1;
}

// The index of the record of a pair, created at its first contact; -1 if there are too many pairs.
static int record_of(carom_state *state, const carom_hit *hit) {
    const carom_contact *contact = &hit->contact;
    // Contacts of the same bodies are often consecutive, so the search starts at the pair found last.
    for (int i = 0; i < state->pair_count; i++) {
        int p = (state->pair_found + i) % state->pair_count;
        if (memcmp(state->pairs[p].body, contact->body, sizeof contact->body) != 0)
            continue;
        state->pair_found = p;
        if (comes_first(state, p, hit))
            note_first(state, p, hit);
        return p;
    }
    if (state->pair_count == CAROM_PAIR_RECORDS_MAX)
        return -1;
    int p = state->pair_count++;
    state->pairs[p] = (carom_pair_record){.body = {contact->body[0], contact->body[1]}, .last_contact = hit->time};
    state->pair_firsts[p].window_impulse = 0;
    for (int i = 0; i < CAROM_PAIR_SUMS; i++)
        carom_exact_clear(&state->pair_sums[p].of[i]);
    note_first(state, p, hit);
    return p;
}

// Reports a non-zero impulse; `step` is the one that it belongs to.
static void report(const carom_observer *observer, const carom_state *state, const carom_hit *hit, int64_t step) {
    // Zero impulses are reported only if they amend an earlier one.
    if (observer && observer->hit && (hit->normal > 0 || hit->amends))
        observer->hit(observer->context, state, hit, step);
}

// Adds to each node its fraction of the impulse; in a subdomain only to owned nodes.
static void add_impulses(carom_state *state, const carom_hit *hit) {
    const carom_contact *contact = &hit->contact;
    const carom_space_link *link = state->model->part.link;
    for (int k = 0; k < contact->count; k++) {
        int node = link ? link->local[contact->node[k]] : contact->node[k];
        if (node >= 0)
            carom_add_scaled(contact->weight[k], hit->impulse, state->impulse[node]);
    }
}

// Returns a hit with node numbers of the whole model: contact uses those of its space. `buffer` receives a copy if they differ.
static const carom_hit *with_whole_numbers(const carom_state *state, const carom_hit *hit, carom_hit *buffer) {
    const int *numbers = state->model->part.space->part.numbers;
    if (!numbers)
        return hit;
    *buffer = *hit;
    for (int k = 0; k < buffer->contact.count; k++)
        buffer->contact.node[k] = numbers[buffer->contact.node[k]];
    return buffer;
}

void carom_ledger_report_hits(const carom_state *state, const carom_observer *observer, const carom_hit *hits, int count) {
    for (int h = 0; h < count; h++) {
        carom_hit buffer;
        report(observer, state, with_whole_numbers(state, &hits[h], &buffer), state->step);
    }
}

// True if the hit belongs to pair record p and is not the earliest of that pair.
static bool continues_pair(const carom_state *state, int p, const carom_hit *hit) {
    const int *body = hit->contact.body, *noted = p < 0 ? NULL : state->pairs[p].body;
    return noted && body[0] == noted[0] && body[1] == noted[1] && !comes_first(state, p, hit);
}

// Records an impulse in the record of its pair and in load cells; `event`: it counts as one. `last` is the record of the
// preceding hit in the list, or -1. Returns the index of the record, or -1.
static int note_in_pair(carom_state *state, const carom_hit *hit, bool event, int last) {
    if (!state->cells && continues_pair(state, last, hit)) {
        carom_pair_record *pair = &state->pairs[last];
        state->pair_found = last;
        pair->events += event;
        pair->last_contact = hit->time > pair->last_contact ? hit->time : pair->last_contact;
        return last;
    }
    carom_cells_book(state, hit);
    int p = record_of(state, hit);
    if (p < 0)
        return -1;
    carom_pair_record *pair = &state->pairs[p];
    pair->events += event;
    pair->last_contact = fmax(pair->last_contact, hit->time);
    pair->last_step = state->step;
    // The record of a pair is kept after separation; a later contact resets the separation speed.
    pair->separation = 0;
    return p;
}

typedef struct pair_hits {
    const carom_state *state;
    const carom_hit *hits;
} pair_hits;

static void fill_pair(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const pair_hits *of = context;
    for (int h = begin; h < end; h++) {
        const carom_hit *hit = &of->hits[h];
        // The impulse J acts on the second side; on the first one if the second is a plane.
        double sign = hit->contact.body[1] < 0 ? 1 : -1, arm[3], moment[3];
        carom_cells_arm(of->state, hit, arm);
        carom_cross(arm, hit->impulse, moment);
        terms[CAROM_PAIR_IMPULSE][h - begin] = hit->normal;
        for (int i = 0; i < 3; i++) {
            terms[CAROM_PAIR_PUSH + i][h - begin] = sign * hit->impulse[i];
            terms[CAROM_PAIR_MOMENT + i][h - begin] = sign * moment[i];
        }
    }
}

// Adds the impulses of consecutive hits of one pair to the sums of the pair; -1: it has no record.
static void add_to_pair(carom_state *state, int p, const carom_hit *hits, int count) {
    if (p >= 0 && count > 0)
        carom_exact_add_range(state->pair_sums[p].of, CAROM_PAIR_SUMS, count, fill_pair, &(pair_hits){state, hits});
}

// The part of the restitution loss after the time of a kick. An impact within the kick loses more before that time, when it is
// fast, than after.
static double late_of(const carom_hit *hit, double after) {
    // At the ends of the interval the whole loss falls on one side.
    return after > 0 && after < 1 ? hit->late : after * hit->restitution;
}

static carom_accounts entries_of(const carom_hit *hit) {
    carom_accounts entries = {.friction = hit->friction,
                              .restitution = hit->restitution,
                              .projection = hit->projection,
                              .drive_work = hit->ground.work};
    carom_copy(hit->ground.impulse, entries.impulse);
    carom_copy(hit->ground.moment, entries.angular_impulse);
    return entries;
}

typedef struct hit_entries {
    const carom_hit *hits;
    double after; // the fraction after the time of a kick, if only that is requested; 0: the whole entries
} hit_entries;

static void fill_accounts(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const hit_entries *e = context;
    for (int h = begin; h < end; h++) {
        const carom_hit *hit = &e->hits[h];
        double values[CAROM_ACCOUNTS], factor = e->after > 0 ? e->after : 1;
        carom_accounts entries = entries_of(hit);
        carom_accounts_terms(&entries, values);
        for (int a = 0; a < CAROM_ACCOUNTS; a++)
            terms[a][h - begin] = factor * values[a];
        if (e->after > 0)
            terms[CAROM_ACCOUNT_RESTITUTION][h - begin] = late_of(hit, e->after);
    }
}

// Exact sums do not depend on order: several threads compute them.
static void book_accounts(carom_state *state, const carom_hit *hits, int count, double after) {
    _Static_assert((int)CAROM_ACCOUNTS <= (int)CAROM_EXACT_SUMS_MAX, "sums at once");
    carom_exact_add_range(state->books.booked.of, CAROM_ACCOUNTS, count, fill_accounts, &(hit_entries){hits, 0});
    if (after > 0)
        carom_exact_add_range(state->books.pending.of, CAROM_ACCOUNTS, count, fill_accounts, &(hit_entries){hits, after});
}

// A run of consecutive hits of one pair, from index `begin` on, whose impulses have not been added to the sums yet.
typedef struct hit_run {
    int begin, pair;
} hit_run;

// Extends the current run of hits of one pair, or flushes it and starts a new one.
static void extend_run(carom_state *state, const carom_hit *hits, int h, int pair, hit_run *run) {
    if (pair == run->pair)
        return;
    add_to_pair(state, run->pair, hits + run->begin, h - run->begin);
    run->begin = h;
    run->pair = pair;
}

// Reports hits and records them one by one in the records of their pairs; `pushes`: also adds their impulses to the nodes.
// Returns the number of events.
static int note_hits(carom_state *state, const carom_observer *observer, const carom_hit *hits, int begin, int end, bool pushes,
                     int64_t step, hit_run *run) {
    int events = 0;
    for (int h = begin; h < end; h++) {
        carom_hit buffer;
        if (pushes)
            add_impulses(state, &hits[h]);
        const carom_hit *reported = with_whole_numbers(state, &hits[h], &buffer);
        // An amendment continues a contact that has been counted.
        events += !hits[h].amends;
        report(observer, state, reported, step);
        extend_run(state, hits, h, note_in_pair(state, reported, !hits[h].amends, run->pair), run);
    }
    return events;
}

// Summary of a portion of many hits.
typedef struct portion {
    int pair;    // common pair of its hits, none of which is the first of the pair; -1: record them one by one
    int events;  // number of events
    double last; // latest time
} portion;

static int portion_begin(int count, int p) {
    return (int)((int64_t)count * p / PORTIONS);
}

static portion check_portion(const carom_state *state, const carom_hit *hits, int begin, int end) {
    portion found = {.pair = -1, .last = -HUGE_VAL};
    for (int p = 0; p < state->pair_count && begin < end && found.pair < 0; p++)
        if (memcmp(state->pairs[p].body, hits[begin].contact.body, sizeof state->pairs[p].body) == 0)
            found.pair = p;
    for (int h = begin; h < end && found.pair >= 0; h++) {
        if (!continues_pair(state, found.pair, &hits[h]))
            found.pair = -1;
        found.events += !hits[h].amends;
        found.last = hits[h].time > found.last ? hits[h].time : found.last;
    }
    return found;
}

// The same with several threads. Hits are large and were written by other cores: a single thread would wait for memory. The
// summary of a portion does not depend on other portions: they can only make the first hit of a pair earlier.
static int note_hits_shared(carom_state *state, const carom_hit *hits, int count, int64_t step, hit_run *run) {
    portion portions[PORTIONS];
    int events = 0;
#pragma omp parallel for schedule(static)
    for (int p = 0; p < PORTIONS; p++)
        portions[p] = check_portion(state, hits, portion_begin(count, p), portion_begin(count, p + 1));
    for (int p = 0; p < PORTIONS; p++) {
        const portion *found = &portions[p];
        int begin = portion_begin(count, p), end = portion_begin(count, p + 1);
        if (found->pair < 0) {
            events += note_hits(state, NULL, hits, begin, end, false, step, run);
            continue;
        }
        carom_pair_record *pair = &state->pairs[found->pair];
        state->pair_found = found->pair;
        pair->events += found->events;
        pair->last_contact = fmax(pair->last_contact, found->last);
        pair->last_step = state->step;
        pair->separation = 0;
        extend_run(state, hits, begin, found->pair, run);
        events += found->events;
    }
    return events;
}

// The partition of a node: blocks of consecutive nodes are in the same partition.
static inline int partition_of(int node) {
    return node / PARTITION_BLOCK % PARTITIONS;
}

// add_impulses for all hits with several threads: each adds to the nodes of one partition, in the order of the hits.
static void add_impulses_shared(carom_state *state, const carom_hit *hits, int count) {
    uint8_t partitions[PARTITIONED_HITS][4];
    for (int begin = 0; begin < count; begin += PARTITIONED_HITS) {
        int some = count - begin < PARTITIONED_HITS ? count - begin : PARTITIONED_HITS;
        const carom_hit *first = hits + begin;
#pragma omp parallel for schedule(static)
        for (int h = 0; h < some; h++)
            for (int k = 0; k < 4; k++)
                partitions[h][k] = k < first[h].contact.count ? (uint8_t)partition_of(first[h].contact.node[k]) : PARTITIONS;
#pragma omp parallel for schedule(static)
        for (int o = 0; o < PARTITIONS; o++)
            for (int h = 0; h < some; h++)
                for (int k = 0; k < 4; k++)
                    if (partitions[h][k] == o)
                        carom_add_scaled(first[h].contact.weight[k], first[h].impulse,
                                         state->impulse[first[h].contact.node[k]]);
    }
}

void carom_ledger_record_hits(carom_state *state, const carom_observer *observer, const carom_hit *hits, int count,
                              double after, int64_t step) {
    hit_run run = {.pair = -1};
    book_accounts(state, hits, count, after);
    bool whole = !state->model->part.link && !state->model->part.space->part.numbers;
    bool shared = whole && count > SHARED_HITS && carom_threads() >= PARTITIONS / 2;
    bool silent = !(observer && observer->hit) && !state->cells;
    if (shared)
        add_impulses_shared(state, hits, count);
    int events = shared && silent ? note_hits_shared(state, hits, count, step, &run)
                                  : note_hits(state, observer, hits, 0, count, !shared, step, &run);
    add_to_pair(state, run.pair, hits + run.begin, count - run.begin);
    state->books.contact_events += events;
    state->books.contacts += events;
}

// A pair has separated when a whole step has passed without an impulse.
static bool has_parted(const carom_state *state, const carom_pair_record *pair) {
    // Exactly two: the separation is recorded once.
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

void carom_ledger_record_pressure(carom_state *state, const carom_observer *observer, const carom_hit *hit) {
    carom_ledger_record_impulse(state, hit->ground.impulse, hit->ground.moment, 0, 0);
    add_impulses(state, hit);
    report(observer, state, hit, state->step + 1);
    add_to_pair(state, note_in_pair(state, hit, false, -1), hit, 1);
}

static void add_outside(carom_exact_accounts *sums, const double impulse[3], const double moment[3], double work,
                        double factor) {
    carom_accounts_add_vector(sums, CAROM_ACCOUNT_IMPULSE, factor, impulse);
    carom_accounts_add_vector(sums, CAROM_ACCOUNT_ANGULAR_IMPULSE, factor, moment);
    carom_exact_add(&sums->of[CAROM_ACCOUNT_DRIVE_WORK], factor * work);
}

void carom_ledger_record_impulse(carom_state *state, const double impulse[3], const double moment[3], double work,
                                 double late) {
    add_outside(&state->books.booked, impulse, moment, work, 1);
    if (late > 0)
        add_outside(&state->books.pending, impulse, moment, work, late);
}

void carom_ledger_record_external(carom_state *state, const double x[3], const double impulse[3], const double couple[3],
                                  double work) {
    double moment[3];
    carom_cross(x, impulse, moment);
    carom_add_scaled(1, couple, moment);
    add_outside(&state->books.booked, impulse, moment, work, 1);
}

void carom_ledger_impose(carom_state *state, const carom_restraint *restraint, const double x[3], double w[3]) {
    double m = state->model->mass[restraint->node], before[3], impulse[3], mean[3];
    carom_copy(w, before);
    carom_restraint_impose(restraint, w);
    for (int i = 0; i < 3; i++) {
        impulse[i] = m * (w[i] - before[i]);
        mean[i] = 0.5 * (w[i] + before[i]);
    }
    if (m > CAROM_MASSLESS)
        carom_ledger_record_external(state, x, impulse, (const double[3]){0}, carom_dot(impulse, mean));
}

// Programs of users record by the same functions as integrators.
void carom_state_book_external(carom_state *state, const double x[3], const double impulse[3], const double couple[3],
                               double work) {
    carom_ledger_record_external(state, x, impulse, couple, work);
    if (work != 0)
        state->guard[CAROM_GUARD_UNASSIGNED] = 1;
}

void carom_state_book_loss(carom_state *state, carom_loss account, double energy) {
    state->guard[CAROM_GUARD_UNASSIGNED] = 1;
    carom_exact_add(&state->books.booked.of[account], energy);
}
