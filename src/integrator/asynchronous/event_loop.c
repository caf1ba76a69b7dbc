// SPDX-License-Identifier: MIT
// Runs the events of one span (the time for which contacts were chosen) from the calendar queue: kicks of single elements and
// loads, polls for overlap, and the ticks (common kicks of all nodes near contact) between them. Events at equal times happen
// in the order of their numbers, and ticks after all of them, so a run has the same bits in whatever order events were added.
// Times in the calendar count from the beginning of the flight.
#include "integrator/asynchronous/event_loop.h"

#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "base/interrupt.h"
#include "integrator/asynchronous/kick_history.h"
#include "math/vec3.h"

enum {
    // The nodes of an element are prefetched this many events before it kicks: about the latency of memory.
    AHEAD = 3,
    // Most groups that kick together.
    SIMULTANEOUS_MAX = 64,
    // Elements and nodes that a thread processes at a time; elements up to which one thread does all: about 100 microseconds.
    CHUNK = 128,
    SHARED_ELEMENTS = 512
};

carom_status carom_event_loop_create(carom_event_loop *loop, double longest, carom_arena *arena, carom_error *error) {
    const carom_flight *flight = &loop->flight;
    const carom_model *model = flight->model;
    bool enough = true;
    loop->factor = carom_arena_reserve(arena, model->element_count, sizeof *loop->factor, &enough);
    loop->part = carom_arena_reserve(arena, model->node_count, sizeof *loop->part, &enough);
    if (!enough)
        return carom_no_memory(error, "events");
    // numbers in the order of kinds; `rate`: estimated events per time, for the number of days of the calendar
    int events = flight->kicks.group_count;
    double shortest = flight->kicks.shortest_step, rate = flight->kicks.rate;
    loop->load_event = -1;
    if (model->live.count) {
        loop->load_event = events++;
        loop->loads.step = HUGE_VAL;
        for (int i = 0; i < model->live.node_count; i++)
            loop->loads.step = fmin(loop->loads.step, flight->kicks.shortest[model->live.nodes[i]]);
        // HUGE_VAL if all loads act on rigid bodies
        loop->loads.step = fmin(loop->loads.step, longest);
        rate += 1 / loop->loads.step;
    }
    // polls come after all kicks of their time, to which they respond
    loop->first_part = events;
    if (loop->levels.flight)
        events += flight->kicks.count;
    loop->first_poll = events;
    if (loop->is_polled) {
        events += loop->polls.count;
        rate += loop->polls.count / shortest;
    }
    loop->noted = carom_ticks_notes(loop->ticks);
    carom_status status = carom_calendar_create(&loop->calendar, events, longest, rate * longest, shortest, error);
    return status ? status : carom_event_lanes_create(loop, longest, error);
}

void carom_event_loop_release(carom_event_loop *loop) {
    carom_event_lanes_release(loop->lanes);
    carom_ticks_release(loop->ticks);
    carom_overlap_polls_release(&loop->polls);
    carom_calendar_release(&loop->calendar);
}

// The instant of a kick at time t of the flight. `factor`, per member: 0 if it does not kick; NULL: all do.
static carom_kick_instant instant_of(const carom_flight *flight, double t, const double *factor) {
    return (carom_kick_instant){.time = flight->begin + t, .use = CAROM_USE_COMMIT, .length = factor};
}

// For a group in which some members have ticks or `divided` steps: finds the length of the kick of each member, in units of h.
// Returns the number of members that kick.
static int find_factors(carom_event_loop *loop, const carom_kick_group *group, bool divided, double h, double t,
                        double *factor) {
    int count = 0;
    for (int m = 0; m < group->count; m++) {
        int i = group->members[m];
        factor[m] = 1;
        if (carom_ticks_has(loop->ticks, i))
            factor[m] = carom_ticks_leave(loop->ticks, i, carom_kick_step(&loop->flight.kicks, i), t) / h;
        else if (divided)
            factor[m] = loop->levels.length[i] * group->step / h;
        count += factor[m] != 0;
    }
    return count;
}

// The kick of elements with equal steps, except for those with ticks.
typedef struct group_kick {
    int event; // number of the group
    const carom_kick_group *group;
    double h;
    const double *factor; // per member; NULL: all of them kick for the time h
    int kicked;           // members that kick
} group_kick;

// Finds the members that kick at time t; `factor` is memory for their factors.
static carom_status begin_kick(carom_event_loop *loop, group_kick *kick, double t, double *factor, carom_error *error) {
    const carom_kick_group *group = kick->group = &loop->flight.kicks.groups[kick->event];
    bool divided = false;
    if (loop->levels.flight) {
        const double *on_tick = carom_ticks_on_tick(loop->ticks);
        carom_status status = carom_levels_kick_group(&loop->levels, kick->event, on_tick, t, &divided, error);
        if (status)
            return status;
    }
    // the first kick has half the length
    kick->h = *group->number > 0 ? group->step : 0.5 * group->step;
    bool some = divided || carom_ticks_has_any(loop->ticks, kick->event);
    kick->factor = some ? factor : NULL;
    kick->kicked = some ? find_factors(loop, group, divided, kick->h, t, factor) : group->count;
    return CAROM_OK;
}

static void end_kick(carom_event_loop *loop, const group_kick *kick) {
    // the count goes on for elements with ticks too: it gives the times of their own kicks, which have no effect now
    (*kick->group->number)++;
    loop->flight.counts[CAROM_COUNT_ELEMENT] += kick->kicked;
    // in the serial order no group kicks after the first that exceeds the allowance
    if (kick->kicked && !carom_ticks_must_repeat(loop->ticks))
        carom_ticks_note_paths(loop->ticks, kick->group->touch, kick->group->touch_count, loop->noted);
}

// The kick of one element for the time h.
static void kick_element(carom_event_loop *loop, int i, double h, double t) {
    carom_flight *flight = &loop->flight;
    carom_kicks *kicks = &flight->kicks;
    const carom_kicker *kicker = carom_kicker_of(kicks, i);
    int count = kicks->blocks[kicker->block].node_count;
    carom_kick_instant now = instant_of(flight, t, NULL);
    carom_kick_force(kicks, i, kicker, (carom_const_vectors)flight->x, (carom_const_vectors)flight->w, t, &now);
    if (kicker->memory >= 0)
        memcpy(&kicks->memory[3 * kicker->memory], kicks->f, (size_t)count * sizeof *kicks->f);
    carom_flight_kick(flight, carom_kicker_nodes(kicker), count, h, (carom_const_vectors)kicks->f,
                      (carom_const_vectors)kicks->q, t);
}

// The kick of a small group at time t. A kick moves no node, so its elements may kick one after the other. Single elements take
// too little time to be profiled separately: they count as events.
static carom_status kick_few(carom_event_loop *loop, int g, double t, carom_error *error) {
    group_kick kick = {.event = g};
    carom_status status = begin_kick(loop, &kick, t, loop->factor, error);
    if (status)
        return status;
    for (int m = 0; m < kick.group->count && kick.kicked; m++) {
        double h = kick.factor ? kick.h * kick.factor[m] : kick.h;
        if (h != 0)
            kick_element(loop, kick.group->count == 1 ? kick.group->first : kick.group->members[m], h, t);
    }
    carom_flight_book(&loop->flight);
    end_kick(loop, &kick);
    return CAROM_OK;
}

// The kick of an element with a divided step between two of its group.
static carom_status kick_part(carom_event_loop *loop, int i, double t, carom_error *error) {
    const carom_kicks *kicks = &loop->flight.kicks;
    const carom_kicker *kicker = carom_kicker_of(kicks, i);
    carom_status status = carom_levels_kick_part(&loop->levels, i, t, error);
    if (status)
        return status;
    kick_element(loop, i, loop->levels.length[i] * kicker->step, t);
    carom_flight_book(&loop->flight);
    loop->flight.counts[CAROM_COUNT_ELEMENT]++;
    carom_ticks_note_touching_paths(loop->ticks, carom_kicker_nodes(kicker), kicks->blocks[kicker->block].node_count,
                                    loop->noted);
    return CAROM_OK;
}

// The kick of live loads that are due. While they have ticks they kick at those.
static void kick_loads(carom_event_loop *loop, double t) {
    carom_load_kicks *loads = &loop->loads;
    const carom_live_loads *live = &loop->flight.model->live;
    double h = *loads->number > 0 ? loads->step : 0.5 * loads->step;
    int i = loop->flight.kicks.count;
    if (carom_ticks_has(loop->ticks, i))
        h = carom_ticks_leave(loop->ticks, i, loads->step, t);
    if (h > 0) {
        carom_load_kicks_kick(loads, h, t);
        carom_ticks_note_paths(loop->ticks, live->nodes, live->node_count, loop->noted);
    }
    (*loads->number)++;
}

// The time at which an event is due, from the start of the run.
static double due(const carom_event_loop *loop, int event) {
    if (event < loop->flight.kicks.group_count)
        return carom_kick_time(&loop->flight.kicks.groups[event]);
    if (event == loop->load_event)
        return *loop->loads.number * loop->loads.step;
    if (event >= loop->first_poll)
        return loop->polls.due[event - loop->first_poll];
    // elements with ticks kick at those, until they leave them at a kick of their group
    int i = event - loop->first_part;
    return carom_ticks_has(loop->ticks, i) ? HUGE_VAL : carom_levels_due(&loop->levels, i);
}

bool carom_event_loop_add(carom_event_loop *loop, int event, double end) {
    double time = due(loop, event);
    return !(time <= end) || carom_calendar_add(&loop->calendar, event, fmax(time - loop->flight.begin, 0));
}

// Adds an event that has happened again; of a group with divided steps also the separate kicks of its members.
static bool add_group(carom_event_loop *loop, int event, double end) {
    bool parts = event < loop->flight.kicks.group_count && loop->levels.flight && loop->levels.divided_count[event] > 0;
    bool enough = true;
    for (int m = 0; parts && m < loop->flight.kicks.groups[event].count; m++)
        enough = enough && carom_event_loop_add(loop, loop->first_part + loop->flight.kicks.groups[event].members[m], end);
    return enough && carom_event_loop_add(loop, event, end);
}

// Prefetches the data of elements that kick soon, along the chain of pointers: groups two days ahead, records one day ahead,
// nodes AHEAD events ahead. Batches are read in sequence and need no prefetching.
CAROM_FETCH void fetch(const carom_event_loop *loop) {
    const carom_kicks *kicks = &loop->flight.kicks;
    const carom_calendar *calendar = &loop->calendar;
    bool new_day = calendar->at == 0;
    const carom_calendar_page *page;
    for (page = new_day ? carom_calendar_peek(calendar, 2) : NULL; page; page = carom_calendar_before(calendar, page))
        for (int i = 0; i < page->count; i++)
            if (page->entries[i].event < kicks->group_count)
                __builtin_prefetch(&kicks->groups[page->entries[i].event]);
    for (page = new_day ? carom_calendar_peek(calendar, 1) : NULL; page; page = carom_calendar_before(calendar, page))
        for (int i = 0; i < page->count; i++)
            if (page->entries[i].event < kicks->group_count)
                carom_kick_fetch(kicks, &kicks->groups[page->entries[i].event]);
    for (int ahead = new_day ? 0 : AHEAD; ahead <= AHEAD; ahead++) {
        int event = carom_calendar_ahead(calendar, ahead);
        if (event >= 0 && event < kicks->group_count)
            carom_kick_fetch_nodes(kicks, &kicks->groups[event], (carom_const_vectors)loop->flight.x,
                                   (carom_const_vectors)loop->flight.w);
    }
}

// Batches that are due at one time. Those of different bodies have no node in common, so their kicks are independent, and
// threads share their elements and nodes with the bits of the serial kicks.
typedef struct simultaneous_kicks {
    int count;
    group_kick kicks[SIMULTANEOUS_MAX];
    int element_chunk[SIMULTANEOUS_MAX]; // first chunk of elements, and of nodes, among those of all groups
    int node_chunk[SIMULTANEOUS_MAX];
    int elements, nodes; // numbers of chunks
} simultaneous_kicks;

// The batches that are due with the next event, which is a batch. With loads or restraints, which are recorded in the order of
// kicks, with forces kept for polls, and in lanes, only this one.
static void find_simultaneous(const carom_event_loop *loop, const carom_calendar_entry *next, simultaneous_kicks *all) {
    const carom_flight *flight = &loop->flight;
    const carom_kicks *kicks = &flight->kicks;
    const carom_calendar *calendar = &loop->calendar;
    int elements = 0, body[SIMULTANEOUS_MAX];
    all->kicks[0].event = next->event;
    all->count = 1;
    if (flight->model->loaded || flight->restraints.of_node || loop->is_polled || loop->lanes)
        return;
    all->count = 0;
    for (int i = calendar->at; i < calendar->today_count && calendar->today[i].time == next->time; i++) {
        int event = calendar->today[i].event;
        if (all->count == SIMULTANEOUS_MAX || event >= kicks->group_count || !kicks->groups[event].batch)
            break;
        body[all->count] = kicks->groups[event].batch->block.body;
        bool known = false;
        for (int k = 0; k < all->count; k++)
            known = known || body[k] == body[all->count];
        if (known)
            break;
        all->kicks[all->count++].event = event;
        elements += kicks->groups[event].count;
    }
    if (elements <= SHARED_ELEMENTS)
        all->count = 1;
}

// Divides the elements and nodes of the groups that kick into chunks.
static void distribute(simultaneous_kicks *all) {
    all->elements = all->nodes = 0;
    for (int i = 0; i < all->count; i++) {
        const group_kick *kick = &all->kicks[i];
        all->element_chunk[i] = all->elements;
        all->node_chunk[i] = all->nodes;
        all->elements += kick->kicked ? (kick->group->count + CHUNK - 1) / CHUNK : 0;
        all->nodes += kick->kicked ? (kick->group->node_count + CHUNK - 1) / CHUNK : 0;
    }
}

// The group of a chunk, the last that begins at or before it, and the first item of the chunk.
static const group_kick *part_of(const simultaneous_kicks *all, const int *first, int chunk, int *begin) {
    int i = all->count - 1;
    while (first[i] > chunk)
        i--;
    *begin = (chunk - first[i]) * CHUNK;
    return &all->kicks[i];
}

// The forces of members [begin, begin + CHUNK), times their factors.
static void find_forces(carom_event_loop *loop, const group_kick *kick, int begin, double t) {
    const carom_kicks *kicks = &loop->flight.kicks;
    const carom_kick_group *group = kick->group;
    const carom_block *block = &group->batch->block;
    int end = begin + CHUNK < group->count ? begin + CHUNK : group->count, dofs = 3 * block->node_count;
    carom_kick_instant now = instant_of(&loop->flight, t, kick->factor);
    carom_kick_members_force(kicks, block, group->members, begin, end, &now, group->batch->slots);
    if (group->touch_count > 0 && loop->is_polled)
        carom_kick_batch_keep(kicks, group, begin, end);
    for (int m = begin; m < end && kick->factor; m++)
        for (int d = 0; d < dofs && kick->factor[m] != 1; d++)
            group->batch->slots[carom_lane(m, d, dofs)] *= kick->factor[m];
}

// The kicks of all nodes, node by node.
static void kick_nodes(carom_event_loop *loop, simultaneous_kicks *all, double t) {
    carom_flight *flight = &loop->flight;
    const carom_kicks *kicks = &flight->kicks;
    bool is_recorded = flight->model->loaded || flight->restraints.of_node;
#pragma omp parallel if (!loop->lanes && all->elements > SHARED_ELEMENTS / CHUNK)
    {
#pragma omp for schedule(static)
        for (int c = 0; c < all->nodes; c++) {
            int begin;
            const carom_kick_group *group = part_of(all, all->node_chunk, c, &begin)->group;
            for (int n = begin; n < begin + CHUNK && n < group->node_count; n++)
                carom_flight_place(flight, group->nodes[n], t, kicks->place[group->nodes[n]]);
        }
#pragma omp for schedule(dynamic)
        for (int c = 0; c < all->elements; c++) {
            int begin;
            const group_kick *kick = part_of(all, all->element_chunk, c, &begin);
            find_forces(loop, kick, begin, t);
        }
#pragma omp for schedule(static)
        for (int c = 0; c < (is_recorded ? 0 : all->nodes); c++) {
            int begin;
            const group_kick *kick = part_of(all, all->node_chunk, c, &begin);
            const carom_kick_group *group = kick->group;
            for (int n = begin; n < begin + CHUNK && n < group->node_count; n++) {
                double f[3], h = carom_flight_ease(flight, group->nodes[n], kick->h);
                carom_kick_gather(group->batch, n, f);
                carom_add_scaled(h, f, flight->w[group->nodes[n]]);
                carom_add_scaled(-t * h, f, flight->x[group->nodes[n]]);
            }
        }
    }
}

// The same where loads and reactions are recorded. The dead load of a node is divided among its elements.
static void kick_booked(carom_event_loop *loop, const group_kick *kick, double t) {
    carom_flight *flight = &loop->flight;
    const carom_model *model = flight->model;
    const carom_kick_group *group = kick->group;
    const carom_kick_batch *batch = group->batch;
    const int *nodes = batch->block.nodes;
    int corners = batch->block.node_count;
    double outside[3] = {0}, moment[3] = {0};
    for (int i = 0; i < group->node_count && kick->factor; i++)
        loop->part[group->nodes[i]] = 0;
    for (int64_t i = 0; i < (int64_t)group->count * corners && kick->factor; i++)
        loop->part[nodes[i]] += kick->factor[i / corners];
    for (int i = 0; i < group->node_count; i++) {
        int k = group->nodes[i];
        // tied to a rigid body, which takes the force: its elements kick at ticks
        if (!(model->mass[k] > 0))
            continue;
        double parts = kick->factor ? loop->part[k] : batch->gather_begin[i + 1] - batch->gather_begin[i];
        double impulse[3], load[3], arm[3];
        carom_kick_gather(batch, i, impulse);
        for (int d = 0; d < 3; d++) {
            load[d] = kick->h * parts * flight->kicks.share[k] * model->load[k][d];
            impulse[d] = kick->h * impulse[d] + load[d];
        }
        carom_cross(flight->kicks.place[k], load, arm);
        carom_add_scaled(1, load, outside);
        carom_add_scaled(1, arm, moment);
        carom_flight_give(flight, k, impulse, t);
    }
    // as one sum: the small terms one by one would be lost in the rounding of the recorded totals
    if (model->loaded)
        carom_ledger_record_external(flight->state, (const double[3]){0}, outside, moment, 0);
}

// The batches that are due at time t kick, and are added to the calendar again. All except the kicks is done in serial order.
static carom_status kick_batches(carom_event_loop *loop, simultaneous_kicks *all, double t, double end, carom_error *error) {
    const carom_flight *flight = &loop->flight;
    carom_status status = CAROM_OK;
    int ready = 0, members = 0;
    for (int i = 0; i < all->count; i++)
        carom_calendar_take(&loop->calendar);
    while (ready < all->count && !status) {
        status = begin_kick(loop, &all->kicks[ready], t, loop->factor + members, error);
        members += all->kicks[ready].group->count;
        ready += !status;
    }
    all->count = ready;
    distribute(all);
    carom_phase before = carom_profile_enter(loop->profile, CAROM_PHASE_ELEMENTS);
    kick_nodes(loop, all, t);
    if ((flight->model->loaded || flight->restraints.of_node) && ready && all->kicks[0].kicked)
        kick_booked(loop, &all->kicks[0], t);
    carom_profile_enter(loop->profile, before);
    for (int i = 0; i < ready; i++)
        end_kick(loop, &all->kicks[i]);
    for (int i = 0; i < ready && !status; i++)
        if (!add_group(loop, all->kicks[i].event, end))
            return carom_no_memory(error, "events");
    return status;
}

carom_status carom_event_loop_next(carom_event_loop *loop, double end, carom_error *error) {
    const carom_calendar_entry *next = carom_calendar_next(&loop->calendar);
    const carom_kicks *kicks = &loop->flight.kicks;
    double t = next->time;
    int event = next->event;
    carom_status status = CAROM_OK;
    fetch(loop);
    if (event < kicks->group_count && kicks->groups[event].batch) {
        simultaneous_kicks all;
        find_simultaneous(loop, next, &all);
        return kick_batches(loop, &all, t, end, error);
    }
    carom_calendar_take(&loop->calendar);
    if (event < kicks->group_count) {
        status = kick_few(loop, event, t, error);
    } else if (event == loop->load_event) {
        kick_loads(loop, t);
    } else if (event < loop->first_poll) {
        status = kick_part(loop, event - loop->first_part, t, error);
    } else {
        status = carom_overlap_polls_check(&loop->polls, event - loop->first_poll, t, error);
        if (loop->polls.hits.count > 0)
            carom_levels_note_hits(&loop->levels, loop->polls.struck = true);
        loop->flight.counts[CAROM_COUNT_CONTACT]++;
    }
    if (!status && !add_group(loop, event, end))
        return carom_no_memory(error, "events");
    return status;
}

carom_status carom_event_loop_run(carom_event_loop *loop, double end, carom_error *error) {
    if (loop->lanes)
        return carom_event_lanes_run(loop->lanes, end, error);
    carom_calendar_clear(&loop->calendar);
    carom_levels_begin(&loop->levels);
    for (int event = 0; event < loop->calendar.event_count; event++)
        if (!carom_event_loop_add(loop, event, end))
            return carom_no_memory(error, "events");
    // the number of events is bounded: it ends with `end`, and carom_levels_check_kicks stops a run whose steps become too
    // short
    for (int64_t count = 0;; count++) {
        if (count % CAROM_INTERRUPT_EVERY == CAROM_INTERRUPT_EVERY - 1 && carom_interrupt_is_wanted())
            return carom_interrupt_check(error);
        // the next event stays in the calendar until it is known to come before the next tick
        const carom_calendar_entry *next = carom_calendar_next(&loop->calendar);
        double tick = carom_ticks_next(loop->ticks);
        carom_status status = CAROM_OK;
        if (carom_ticks_must_repeat(loop->ticks))
            return CAROM_OK;
        if (tick <= loop->flight.step && (!next || tick < next->time)) {
            status = carom_ticks_tick(loop->ticks, tick, error);
        } else if (next) {
            status = carom_event_loop_next(loop, end, error);
        } else {
            return loop->calendar.failed ? carom_no_memory(error, "events") : CAROM_OK;
        }
        if (!status)
            status = carom_levels_check_kicks(&loop->levels, loop->kicks_before, loop->window, error);
        if (status)
            return status;
    }
}
