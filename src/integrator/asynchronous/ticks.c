// SPDX-License-Identifier: MIT
// Runs the ticks of a span: common times at which all nodes near contact are kicked (ticks.h), with the contact impulses of
// these kicks, and the drifts between ticks with their impacts.
#include "integrator/asynchronous/ticks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "integrator/asynchronous/ticks_inside.h"
#include "integrator/fly.h"
#include "math/vec3.h"
#include "model/motion/obstacle_motion.h"

// Fraction of the allowance that kicks of chosen nodes may use; the remainder is for impacts.
static const double allowance_of_kicks = 0.5;

enum {
    // Elements that a thread processes at a time, and number up to which one thread does all: about 100 microseconds.
    CHUNK = 128,
    SHARED_ELEMENTS = 512,
    // Nodes up to which one thread does all: about 50 microseconds.
    SHARED_NODES = 2048
};

// A quotient of times this close to a whole number counts as one: the times are sums of up to thousands of steps.
static const double whole_tolerance = 1e-6;

double carom_ticks_next(const carom_ticks *ticks) {
    if (!ticks || ticks->pace.done >= ticks->pace.count)
        return HUGE_VAL;
    int next = ticks->pace.done + 1;
    // the last one at the end of the span exactly, not by a sum of steps
    return next == ticks->pace.count ? ticks->flight->step : next * ticks->pace.step;
}

bool carom_ticks_must_repeat(const carom_ticks *ticks) {
    return ticks && (ticks->paths.noted.exceeded || ticks->pace.tight);
}

double carom_ticks_tight_part(const carom_ticks *ticks) {
    return ticks->pace.tight ? (double)ticks->pace.done / ticks->pace.count : 1;
}

const double *carom_ticks_on_tick(const carom_ticks *ticks) {
    return ticks ? ticks->members.on_tick : NULL;
}

bool carom_ticks_has(const carom_ticks *ticks, int i) {
    return ticks && carom_ticks_is_on_tick(ticks, i);
}

bool carom_ticks_has_any(const carom_ticks *ticks, int group) {
    return ticks && ticks->members.of_group[group] > 0;
}

double carom_ticks_ahead(const carom_ticks *ticks, int i) {
    // the interval of the state: that of `pace` differs in a span that is repeated, and after a restart
    return 0.5 * ticks->memory->step + ticks->members.lead[i];
}

// The time in the span that element i has covered.
static double covered(const carom_ticks *ticks, int i) {
    return ticks->pace.done * ticks->pace.step + carom_ticks_ahead(ticks, i);
}

// Length of the kick of member i at the present tick. The `first` one, at the beginning of a span, only removes leads, so that
// all velocities belong to the middle between two ticks.
static double length_of_kick(carom_ticks *ticks, int i, bool first) {
    if (!carom_ticks_is_on_tick(ticks, i))
        return 0;
    double length = (first ? 0 : ticks->pace.step) - ticks->members.lead[i];
    ticks->members.lead[i] = 0;
    return length;
}

double carom_ticks_leave(carom_ticks *ticks, int i, double h, double t) {
    if (ticks->members.wanted[i])
        return 0;
    // from the end of what its ticks have covered to that of its own kick, if this is positive and not longer than its own kick
    double length = t + 0.5 * h - covered(ticks, i);
    if (!(length > 0) || length > (1 + CAROM_TICKS_SAME) * h)
        return 0;
    ticks->members.on_tick[i] = ticks->members.lead[i] = 0;
    const carom_kicks *kicks = &ticks->flight->kicks;
    if (i < kicks->count)
        ticks->members.of_group[carom_kicker_of(kicks, i)->group]--;
    // it leaves at a kick of its group, wherever between two of these it had joined
    if (i < kicks->count && kicks->levels)
        kicks->levels[(int64_t)CAROM_LEVEL_NUMBERS * i + CAROM_LEVEL_PLACE] = 0;
    return length;
}

// Divides the elements of all blocks into chunks; the block of chunk c is the last that begins at or before it.
static int count_chunks(carom_ticks *ticks) {
    int chunks = 0;
    for (int b = 0; b < ticks->flight->kicks.block_count; b++) {
        ticks->members.batches[b].first_chunk = chunks;
        chunks += (ticks->members.batches[b].count + CHUNK - 1) / CHUNK;
    }
    return chunks;
}

static const carom_ticks_batch *batch_of(const carom_ticks *ticks, int chunk) {
    const carom_ticks_batch *batches = ticks->members.batches;
    return &batches[carom_last_at(&batches->first_chunk, sizeof *batches, ticks->flight->kicks.block_count, chunk)];
}

// The forces of all elements with ticks at kicks.place, at time t of the flight. Elements write to separate slots: the result
// does not depend on the number of threads.
static void find_forces(carom_ticks *ticks, carom_use use, double t) {
    const carom_kicks *kicks = &ticks->flight->kicks;
    int chunks = count_chunks(ticks);
#pragma omp parallel for schedule(dynamic) if (ticks->members.element_count > SHARED_ELEMENTS)
    for (int c = 0; c < chunks; c++) {
        const carom_ticks_batch *own = batch_of(ticks, c);
        const carom_block *block = &own->block;
        int begin = (c - own->first_chunk) * CHUNK, end = begin + CHUNK < own->count ? begin + CHUNK : own->count;
        carom_kick_instant interval = {
            .time = ticks->flight->begin + t, .use = use, .next = ticks->pace.step, .length = own->length};
        carom_kick_members_force(kicks, block, own->members, begin, end, &interval, own->slots);
    }
}

// Computes the velocity change of each node of the ticks by all forces in a whole interval.
static void find_whole_kick(const carom_ticks *ticks, carom_vectors change) {
    const carom_flight *flight = ticks->flight;
    const carom_model *model = flight->model;
    const carom_ticks_members *members = &ticks->members;
#pragma omp parallel for schedule(static) if (members->tick_node_count > SHARED_NODES)
    for (int j = 0; j < members->tick_node_count; j++) {
        int k = members->tick_nodes[j];
        // the force on a node of a rigid body acts on the body
        for (int d = 0; d < 3; d++)
            change[k][d] = model->loaded && model->mass[k] > 0 ? ticks->pace.step / model->mass[k] * model->load[k][d] : 0;
        double ease = carom_flight_ease(flight, k, ticks->pace.step);
        for (int64_t e = members->begin[k]; e < members->begin[k + 1]; e++) {
            const carom_ticks_batch *own = &members->batches[members->ends[e].batch];
            if (!carom_ticks_is_on_tick(ticks, own->members[members->ends[e].member]))
                continue;
            for (int d = 0; d < 3; d++)
                change[k][d] += ease * own->slots[members->ends[e].slot + CAROM_LANES * d];
        }
        carom_restraints_project(&flight->restraints, k, change[k]);
    }
}

// The same at the positions at the end of the drift that has been run, by the forces of the kick there: for the second pass of
// the drift.
static void find_end_kick(carom_ticks *ticks, double end) {
    carom_flight *flight = ticks->flight;
    const carom_model *model = flight->model;
    for (int j = 0; j < ticks->members.tick_node_count; j++) {
        int k = ticks->members.tick_nodes[j];
        carom_flight_place(flight, k, end, flight->kicks.place[k]);
    }
    find_forces(ticks, CAROM_USE_TRIAL, end);
    find_whole_kick(ticks, ticks->kick.end);
    bool loaded = model->live.count && carom_ticks_is_on_tick(ticks, flight->kicks.count);
    if (loaded)
        carom_load_kicks_find(ticks->loads, end);
    carom_ticks_rigid_end_kick(ticks);
    carom_ticks_springs_whole(ticks, ticks->kick.end);
    for (int i = 0; loaded && i < model->live.node_count; i++) {
        int k = model->live.nodes[i];
        if (!(model->mass[k] > 0))
            continue;
        double change[3] = {0};
        carom_add_scaled(ticks->pace.step / model->mass[k], ticks->loads->live[k], change);
        carom_restraints_project(&flight->restraints, k, change);
        carom_add_scaled(1, change, ticks->kick.end[k]);
    }
}

// Stores positions and velocities before the kick of a tick at time t. A change of prescribed velocities is part of the kick.
static void begin_kick(carom_ticks *ticks, double t, const double (*undriven)[3]) {
    carom_flight *flight = ticks->flight;
#pragma omp parallel for schedule(static) if (ticks->members.tick_node_count > SHARED_NODES)
    for (int j = 0; j < ticks->members.tick_node_count; j++) {
        int k = ticks->members.tick_nodes[j];
        carom_flight_place(flight, k, t, flight->kicks.place[k]);
        carom_copy(flight->w[k], ticks->kick.w_before[k]);
    }
    for (int r = 0; undriven && r < flight->restraints.count; r++)
        carom_copy(undriven[r], ticks->kick.w_before[flight->restraints.items[r].node]);
}

// Kicks node by node, by its elements in their order. Threads share the nodes if nothing is recorded in the ledger.
static void kick_nodes(carom_ticks *ticks, double t) {
    carom_flight *flight = ticks->flight;
    const carom_ticks_members *members = &ticks->members;
    bool is_recorded = flight->model->loaded || flight->restraints.of_node;
#pragma omp parallel for schedule(static) if (members->tick_node_count > SHARED_NODES && !is_recorded)
    for (int j = 0; j < members->tick_node_count; j++) {
        int k = members->tick_nodes[j];
        carom_const_vectors place = (carom_const_vectors)flight->kicks.place + k;
        // forces on nodes tied to a rigid body act on the body
        for (int64_t e = members->begin[k]; e < members->begin[k + 1] && flight->model->mass[k] > 0; e++) {
            const carom_ticks_batch *own = &members->batches[members->ends[e].batch];
            double h = own->length[members->ends[e].member], f[1][3];
            for (int d = 0; d < 3; d++)
                f[0][d] = own->slots[members->ends[e].slot + CAROM_LANES * d];
            if (h != 0)
                carom_flight_kick(flight, &k, 1, h, (carom_const_vectors)f, place, t);
        }
    }
}

// The kick of all elements with ticks at time t.
static void kick(carom_ticks *ticks, double t, bool first) {
    carom_flight *flight = ticks->flight;
    ticks->kick.not_whole = first;
    int kicked = 0;
    for (int b = 0; b < flight->kicks.block_count; b++) {
        carom_ticks_batch *own = &ticks->members.batches[b];
        for (int m = 0; m < own->count; m++) {
            double h = own->length[m] = length_of_kick(ticks, own->members[m], first);
            ticks->kick.not_whole = ticks->kick.not_whole || h != ticks->pace.step;
            kicked += h != 0;
        }
    }
    find_forces(ticks, CAROM_USE_COMMIT, t);
    kick_nodes(ticks, t);
    carom_flight_book(flight);
    flight->counts[CAROM_COUNT_ELEMENT] += kicked;
    // with leads the velocity changes of the kick are not those of a whole interval
    if (ticks->kick.not_whole)
        find_whole_kick(ticks, ticks->kick.whole);
}

// Notes the deviation of node k from its straight path at the time `end`. It may use the fraction `part` of the allowance.
static void note_path(const carom_ticks *ticks, int k, double end, double part, carom_ticks_noted *noted) {
    const carom_flight *flight = ticks->flight;
    double deviation[3];
    for (int d = 0; d < 3; d++)
        deviation[d] = flight->x[k][d] - ticks->paths.x[k][d] + end * (flight->w[k][d] - ticks->paths.w[k][d]);
    double used = carom_dot(deviation, deviation) / (part * part);
    // a deviation of NaN exceeds the allowance too
    noted->used = fmax(noted->used, used);
    noted->exceeded = noted->exceeded || !(used <= ticks->paths.allowance * ticks->paths.allowance);
}

carom_ticks_noted *carom_ticks_notes(carom_ticks *ticks) {
    return ticks ? &ticks->paths.noted : NULL;
}

void carom_ticks_note_paths(const carom_ticks *ticks, const int *nodes, int count, carom_ticks_noted *noted) {
    // chosen nodes are noted at ticks
    for (int i = 0; ticks && i < count; i++)
        if (!ticks->members.chosen[nodes[i]])
            note_path(ticks, nodes[i], ticks->flight->step, 1, noted);
}

void carom_ticks_note_touching_paths(const carom_ticks *ticks, const int *nodes, int count, carom_ticks_noted *noted) {
    for (int i = 0; ticks && i < count; i++)
        if (ticks->members.touches[nodes[i]])
            carom_ticks_note_paths(ticks, &nodes[i], 1, noted);
}

// The interval of a drift between two ticks and the kick at one of them; the caller sets its time.
static carom_contact_interval interval_of(const carom_ticks *ticks) {
    const carom_flight *flight = ticks->flight;
    carom_contact_interval interval = carom_contact_step_interval(&ticks->contact, &ticks->search, flight->mobility,
                                                                  flight->begin, ticks->pace.step, ticks->memory->speed);
    interval.carry = carom_model_carry(flight->model, flight->begin, flight->step);
    interval.neighbours = ticks->contacts.neighbours;
    interval.nodes = ticks->members.tick_nodes;
    interval.node_count = ticks->members.tick_node_count;
    interval.flies = true;
    interval.allowance = (1 - allowance_of_kicks) * ticks->paths.allowance;
    return interval;
}

// Finds the contact impulses that belong to the kick of a tick at time t.
static carom_status answer(carom_ticks *ticks, double t, bool first, carom_error *error) {
    carom_flight *flight = ticks->flight;
    carom_contact_step *contact = &ticks->contact;
    carom_vectors forces = carom_contact_step_forces(contact);
    double most = 0;
    // `answer`: first velocities after the kick, then their change by contact
#pragma omp parallel for schedule(static) reduction(max : most) if (ticks->members.tick_node_count > SHARED_NODES)
    for (int j = 0; j < ticks->members.tick_node_count; j++) {
        int k = ticks->members.tick_nodes[j];
        if (!ticks->kick.not_whole)
            carom_difference(flight->w[k], ticks->kick.w_before[k], ticks->kick.whole[k]);
        most = fmax(most, carom_dot(ticks->kick.whole[k], ticks->kick.whole[k]));
        carom_copy(flight->w[k], ticks->kick.answer[k]);
    }
    carom_ticks_rigid_before(ticks);
    // the first tick of a span is not a whole kick: the scale of the last one is kept
    ticks->memory->speed = first ? fmax(ticks->memory->speed, sqrt(most)) : sqrt(most);
    carom_contact_interval interval = interval_of(ticks);
    // no drift precedes the first: no energy error is corrected, and the kicks of the last tick are kept
    interval.node_count = first ? 0 : ticks->members.tick_node_count;
    interval.begin = t - ticks->pace.step;
    interval.kick_time = flight->begin + t;
    carom_status status = carom_contact_step_answer(contact, &interval, (carom_const_vectors)flight->kicks.place,
                                                    (carom_const_vectors)ticks->kick.w_before, flight->w, error);
#pragma omp parallel for schedule(static) if (ticks->members.tick_node_count > SHARED_NODES)
    for (int j = 0; j < ticks->members.tick_node_count; j++) {
        int k = ticks->members.tick_nodes[j];
        double change[3];
        carom_difference(flight->w[k], ticks->kick.answer[k], change);
        carom_copy(change, ticks->kick.answer[k]);
        // keeps the position at time t
        carom_add_scaled(-t, change, flight->x[k]);
        if (forces && ticks->kick.not_whole)
            carom_copy(ticks->kick.whole[k], forces[k]);
        if (first && !ticks->members.fresh[k])
            continue;
        for (int d = 0; d < 3; d++)
            ticks->kick.middle[k][d] = flight->w[k][d] - 0.5 * (ticks->kick.whole[k][d] + change[d]);
    }
    carom_ticks_rigid_after(ticks, t, first);
    return status;
}

// Keeps hits until the span is accepted. Hits of `contact` from number `kick` on belong to the kick, the others to the drift.
static void keep_hits(carom_ticks *ticks, int kick) {
    carom_hits *hits = &ticks->contact.impacts.hits;
    ticks->last_kick = ticks->hits.count + kick;
    for (int i = 0; i < hits->count; i++)
        carom_hits_add(&ticks->hits, &hits->items[i]);
    ticks->hits.failed = ticks->hits.failed || hits->failed;
    hits->count = 0;
}

// The context of a drift (fly.h).
typedef struct drift_context {
    carom_ticks *ticks;
    carom_contact_interval interval;
} drift_context;

// The kick at the end of the drift, for its second pass (fly.h).
static void find_end(void *context, bool extrapolates) {
    (void)extrapolates;
    drift_context *own = context;
    find_end_kick(own->ticks, carom_contact_interval_end(&own->interval));
    own->interval.end_kick = (carom_const_vectors)own->ticks->kick.end;
}

// One pass of the drift.
static carom_status fly_once(void *context, bool again, bool *outran, carom_error *error) {
    (void)again;
    carom_ticks *ticks = ((drift_context *)context)->ticks;
    const carom_contact_interval *interval = &((drift_context *)context)->interval;
    carom_flight *flight = ticks->flight;
    carom_status status = carom_ticks_rigid_begin(ticks, interval, error);
    // the chords over this drift differ from those over the span, for which contacts were chosen
    for (int j = 0; j < ticks->rigid_node_count; j++)
        if (ticks->members.touches[ticks->rigid_nodes[j]])
            note_path(ticks, ticks->rigid_nodes[j], carom_contact_interval_end(interval), allowance_of_kicks,
                      &ticks->paths.noted);
    *outran = ticks->paths.noted.exceeded;
    if (!status && !*outran)
        status = carom_contact_step_drift(&ticks->contact, interval, (carom_const_vectors)ticks->kick.middle, flight->x,
                                          flight->w, &flight->state->books, outran, error);
    status = carom_rigid_kick_check_joints(&ticks->rigid, status, error);
    // a drift that has exceeded its allowance is repeated: its joints need not be closed
    return status || *outran ? status : carom_ticks_rigid_finish(ticks, interval, error);
}

// The drift to the next tick, with all impacts.
static carom_status fly(carom_ticks *ticks, carom_error *error) {
    carom_flight *flight = ticks->flight;
    if (ticks->pace.done >= ticks->pace.count || ticks->paths.noted.exceeded)
        return CAROM_OK;
    drift_context own = {ticks, interval_of(ticks)};
    own.interval.begin = ticks->pace.done * ticks->pace.step;
    carom_flyer flyer = {.contact = &ticks->contact,
                         .rigid = &ticks->rigid,
                         .books = &flight->state->books,
                         .x = flight->x,
                         .w = flight->w,
                         .passes = ticks->kick.end ? 2 : 1,
                         .nodes = &own,
                         .pass = fly_once,
                         .find_end_kick = find_end};
    return carom_fly(&flyer, &own.interval.neighbours, &ticks->paths.noted.exceeded, error);
}

// Chosen nodes may use half of the allowance for kicks and half for impacts in the next drift, which ends at `next`.
static void note_kicked_paths(carom_ticks *ticks, double next) {
    for (int j = 0; j < ticks->members.tick_node_count; j++) {
        int k = ticks->members.tick_nodes[j];
        // nodes of rigid bodies: at the beginning of the drift (fly_once)
        if (carom_ticks_is_rigid(ticks, k))
            continue;
        if (ticks->members.chosen[k])
            note_path(ticks, k, next, allowance_of_kicks, &ticks->paths.noted);
        else if (ticks->members.touches[k])
            note_path(ticks, k, ticks->flight->step, 1, &ticks->paths.noted);
    }
}

// Checks the elements before their kick. If the interval of ticks has become too long for one of them, the span ends here, and
// the next one has shorter ticks.
static void watch(carom_ticks *ticks) {
    carom_levels *levels = ticks->levels;
    if (!levels->flight)
        return;
    double rate = 0;
    if (!carom_levels_tick_is_due(levels, ticks->contact.impacts.hits.count > 0))
        return;
    bool tight = false;
    for (int b = 0; b < ticks->flight->kicks.block_count && !tight; b++) {
        const carom_ticks_batch *own = &ticks->members.batches[b];
        if (own->count)
            carom_kick_history_load(&ticks->flight->kicks, &own->block, own->members, 0, own->count);
        if (own->count)
            tight = carom_levels_are_tight(levels, b, &own->block, own->members, ticks->pace.step, &rate);
    }
    carom_levels_note_tick(levels, rate, ticks->pace.step);
    ticks->pace.tight = tight && ticks->pace.done < ticks->pace.count;
}

// A tick. The `first`, at the beginning of a span, only removes leads or changes prescribed velocities, and is not counted.
static carom_status tick(carom_ticks *ticks, double t, bool first, const double (*undriven)[3], carom_error *error) {
    const carom_live_loads *live = &ticks->flight->model->live;
    ticks->pace.done += !first;
    begin_kick(ticks, t, undriven);
    carom_ticks_rigid_place(ticks, t);
    if (!first)
        watch(ticks);
    if (ticks->pace.tight)
        return CAROM_OK;
    kick(ticks, t, first);
    double h = length_of_kick(ticks, ticks->flight->kicks.count, first);
    if (h != 0) {
        carom_load_kicks_kick(ticks->loads, h, t);
        carom_ticks_note_paths(ticks, live->nodes, live->node_count, &ticks->paths.noted);
    }
    if (ticks->rigid.state) {
        carom_ticks_rigid_kick(ticks, length_of_kick(ticks, carom_ticks_rigid_member(ticks), first), t);
        carom_ticks_rigid_whole(ticks, first);
    }
    int begin = ticks->contact.impacts.hits.count;
    carom_status status = answer(ticks, t, first, error);
    if (status)
        return status;
    keep_hits(ticks, begin);
    if (undriven)
        carom_ticks_book_drive(ticks);
    note_kicked_paths(ticks, ticks->pace.done < ticks->pace.count ? t + ticks->pace.step : t);
    return ticks->hits.failed ? carom_no_memory(error, "contact") : fly(ticks, error);
}

carom_status carom_ticks_tick(carom_ticks *ticks, double t, carom_error *error) {
    return tick(ticks, t, false, NULL, error);
}

carom_status carom_ticks_start(carom_ticks *ticks, bool driven, const double (*undriven)[3], double *fraction,
                               carom_error *error) {
    bool late;
    ticks->hits.count = ticks->last_kick = ticks->contact.impacts.hits.count = 0;
    ticks->paths.noted.exceeded = ticks->pace.tight = false;
    ticks->paths.noted.used = 0;
    carom_status status = carom_ticks_choose_members(ticks, &late, fraction, error);
    if (status || *fraction < 1)
        return status;
    carom_ticks_rigid_place(ticks, 0);
    return late || driven ? tick(ticks, 0, true, driven ? undriven : NULL, error) : fly(ticks, error);
}

double carom_ticks_span(const carom_ticks *ticks, double left) {
    double longest = ticks->memory->span > 0 ? ticks->memory->span : HUGE_VAL, h = ticks->memory->step;
    // nodes of rigid bodies leave their straight paths by rotation
    return carom_ticks_cut(left, fmin(longest, carom_ticks_rigid_step(ticks)), h);
}

double carom_ticks_shorter_span(const carom_ticks *ticks, double left, double fraction) {
    return carom_ticks_cut(left, fraction * ticks->flight->step, ticks->pace.step);
}

double carom_ticks_cut(double left, double longest, double h) {
    if (longest >= (1 - CAROM_TICKS_SAME) * left)
        return left;
    // in whole ticks, if `left` is a whole number of them
    double ticks = h > 0 ? rint(left / h) : 0;
    if (ticks >= 1 && fabs(ticks * h - left) <= whole_tolerance * h) {
        double most = fmax(1, floor(longest / h + whole_tolerance)), part = ceil(ticks / ceil(ticks / most));
        return part < ticks ? part * h : left;
    }
    return left / ceil(left / longest - whole_tolerance);
}

const carom_debts *carom_ticks_debts(const carom_ticks *ticks) {
    return ticks && ticks->contact.debts.numbers ? &ticks->contact.debts : NULL;
}

double carom_ticks_step(const carom_ticks *ticks) {
    return ticks->memory->step;
}

void carom_ticks_subtract_half_contact(const carom_ticks *ticks, double (*v)[3]) {
    for (int j = 0; j < ticks->members.tick_node_count; j++)
        carom_add_scaled(-0.5, ticks->kick.answer[ticks->members.tick_nodes[j]], v[ticks->members.tick_nodes[j]]);
}
