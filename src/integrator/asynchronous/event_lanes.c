// SPDX-License-Identifier: MIT
// Parallel event loops of `asynchronous`. A lane is a set of bodies with its own event queue. Between two ticks (common times
// at which all nodes near contact are kicked) a kick reads and writes only nodes and elements of its own body. So lanes run in
// any order or in parallel, each with its kicks in the order of time.
//
// One result depends on the order: the serial loop ends at the first kick by which a node leaves its straight path by more than
// the allowance (the deviation for which contacts were searched), and the next attempt at the span, the time that is run at
// once, uses the largest deviation found until then. Each lane ends at its own first such kick and records the growth of its
// largest deviation. The maximum over all lanes up to the earliest of these kicks is the deviation of the serial loop. Later
// kicks of other lanes are undone together with the span.
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/interrupt.h"
#include "carom/threads.h"
#include "integrator/asynchronous/event_loop.h"

enum {
    // Most lanes: enough to distribute them evenly to threads.
    MOST_LANES = 64,
    // Kicks of elements between two ticks up to which one thread runs all lanes: about 100 microseconds.
    SHARED_KICKS = 2048
};

// Lanes are made if no body has more than this fraction of all work: with few bodies, threads share the elements of each kick
// instead.
static const double largest_part = 1.0 / 6;

// An event at which the largest deviation of a lane has grown, and its new square.
typedef struct growth {
    carom_calendar_entry at;
    double used;
} growth;

typedef struct lane {
    carom_event_loop loop; // copy of the loop of the run, with its own calendar, scratch memory and counts
    int *groups;           // groups of elements of its bodies
    int group_count;
    double work;                 // kicks of elements per time
    double (*q)[3], (*f)[3];     // scratch: the nodes of an element
    double *factor;              // scratch: members of a group
    double counts[CAROM_COUNTS]; // counts of kicks since the last tick
    carom_ticks_noted noted;     // deviations since the last tick
    growth *grown;
    int64_t grown_count, grown_capacity;
    carom_calendar_entry last; // the event at which it ended
    carom_status status;
    carom_error error;
} lane;

struct carom_event_lanes {
    carom_event_loop *loop;
    carom_arena *arena;
    lane *items;
    int count;
    double work;
};

static int body_of(const carom_kicks *kicks, int g) {
    return kicks->blocks[carom_kicker_of(kicks, kicks->groups[g].first)->block].block->body;
}

// A body, and its work: kicks of elements per time.
typedef struct load {
    double work;
    int body;
} load;

static int compare_loads(const void *a_, const void *b_) {
    const load *a = a_, *b = b_;
    if (a->work != b->work)
        return a->work > b->work ? -1 : 1;
    return (a->body > b->body) - (a->body < b->body);
}

// Assigns every body, in the order of decreasing work, to the lane with the least work. Returns the number of lanes; 0: no
// gain.
static int share_bodies(const carom_kicks *kicks, int bodies, load *loads, int *lane_of) {
    double all = 0, work[MOST_LANES] = {0};
    for (int b = 0; b < bodies; b++)
        loads[b] = (load){0, b};
    for (int g = 0; g < kicks->group_count; g++) {
        double kicked = kicks->groups[g].count / kicks->groups[g].step;
        if (kicks->groups[g].count > CAROM_KICK_SHARED)
            return 0;
        loads[body_of(kicks, g)].work += kicked;
        all += kicked;
    }
    qsort(loads, (size_t)bodies, sizeof *loads, compare_loads);
    if (!(loads[0].work <= largest_part * all))
        return 0;
    int count = 0;
    for (int b = 0; b < bodies && loads[b].work > 0; b++) {
        int least = 0;
        if (count < MOST_LANES)
            least = count++;
        for (int l = 0; l < count; l++)
            least = work[l] < work[least] ? l : least;
        work[least] += loads[b].work;
        lane_of[loads[b].body] = least;
    }
    return count;
}

// Fills the groups, the calendar and the scratch memory of a lane.
static carom_status fill_lane(carom_event_lanes *lanes, int l, const int *lane_of, double longest, carom_error *error) {
    const carom_kicks *kicks = &lanes->loop->flight.kicks;
    lane *own = &lanes->items[l];
    int largest = 0, corners = 0;
    double rate = 0;
    for (int g = 0; g < kicks->group_count; g++)
        own->group_count += lane_of[body_of(kicks, g)] == l;
    for (int b = 0; b < kicks->block_count; b++)
        corners = kicks->blocks[b].node_count > corners ? kicks->blocks[b].node_count : corners;
    bool enough = true;
    own->groups = carom_arena_reserve(lanes->arena, own->group_count, sizeof *own->groups, &enough);
    own->group_count = 0;
    for (int g = 0; g < kicks->group_count && enough; g++) {
        const carom_kick_group *group = &kicks->groups[g];
        if (lane_of[body_of(kicks, g)] != l)
            continue;
        own->groups[own->group_count++] = g;
        own->work += group->count / group->step;
        rate += 1 / group->step;
        largest = group->count > largest ? group->count : largest;
    }
    own->q = carom_arena_reserve(lanes->arena, corners, sizeof *own->q, &enough);
    own->f = carom_arena_reserve(lanes->arena, corners, sizeof *own->f, &enough);
    own->factor = carom_arena_reserve(lanes->arena, largest, sizeof *own->factor, &enough);
    if (!enough)
        return carom_no_memory(error, "events");
    lanes->work += own->work;
    return carom_calendar_create(&own->loop.calendar, kicks->group_count, longest, rate * longest, kicks->shortest_step, error);
}

carom_status carom_event_lanes_create(carom_event_loop *loop, double longest, carom_error *error) {
    const carom_model *model = loop->flight.model;
    const carom_kicks *kicks = &loop->flight.kicks;
    // the ledger is written in the order of kicks, polls check other bodies, and adaptive steps depend on their neighbours
    if (model->loaded || model->live.count || loop->flight.restraints.of_node || loop->is_polled || loop->levels.flight ||
        model->body_count < 2 || kicks->group_count == 0)
        return CAROM_OK;
    load *loads = carom_allocate(model->body_count, sizeof *loads);
    int *lane_of = carom_allocate(model->body_count, sizeof *lane_of);
    int count = loads && lane_of ? share_bodies(kicks, model->body_count, loads, lane_of) : 0;
    carom_status status = loads && lane_of ? CAROM_OK : carom_no_memory(error, "events");
    if (count) {
        carom_event_lanes *lanes = loop->lanes = carom_allocate(1, sizeof *lanes);
        lane *items = carom_allocate(count, sizeof *items);
        carom_arena *arena = carom_arena_create();
        if (lanes)
            *lanes = (carom_event_lanes){.loop = loop, .arena = arena, .items = items, .count = items ? count : 0};
        status = lanes && items && arena ? CAROM_OK : carom_no_memory(error, "events");
        for (int l = 0; l < count && !status; l++)
            status = fill_lane(lanes, l, lane_of, longest, error);
    }
    free(loads);
    free(lane_of);
    return status;
}

void carom_event_lanes_release(carom_event_lanes *lanes) {
    if (!lanes)
        return;
    for (int l = 0; l < lanes->count; l++) {
        carom_calendar_release(&lanes->items[l].loop.calendar);
        free(lanes->items[l].grown);
    }
    free(lanes->items);
    carom_arena_release(lanes->arena);
    free(lanes);
}

// At the beginning of a span: copies the loop into the lane and adds the events of its groups.
static bool begin_lane(const carom_event_loop *loop, lane *own, double end) {
    carom_calendar calendar = own->loop.calendar;
    own->loop = *loop;
    own->loop.calendar = calendar;
    own->loop.profile = NULL;
    own->loop.noted = loop->ticks ? &own->noted : NULL;
    own->loop.factor = own->factor;
    own->loop.flight.kicks.q = own->q;
    own->loop.flight.kicks.f = own->f;
    own->loop.flight.counts = own->counts;
    carom_calendar_clear(&own->loop.calendar);
    bool enough = true;
    for (int i = 0; i < own->group_count && enough; i++)
        enough = carom_event_loop_add(&own->loop, own->groups[i], end);
    return enough;
}

// Runs all events of a lane up to and including the time `until`.
static void run_lane(lane *own, double until, double end) {
    own->noted = (carom_ticks_noted){0};
    own->grown_count = 0;
    own->status = CAROM_OK;
    for (int c = 0; c < CAROM_COUNTS; c++)
        own->counts[c] = 0;
    for (int64_t count = 0; !own->status && !own->noted.exceeded; count++) {
        if (count % CAROM_INTERRUPT_EVERY == CAROM_INTERRUPT_EVERY - 1 && carom_interrupt_is_wanted())
            return;
        const carom_calendar_entry *next = carom_calendar_next(&own->loop.calendar);
        if (!next || next->time > until)
            break;
        own->last = *next;
        double used = own->noted.used;
        own->status = carom_event_loop_next(&own->loop, end, &own->error);
        if (own->noted.used > used) {
            growth *grown = carom_grow(own->grown, own->grown_count, &own->grown_capacity, sizeof *grown);
            if (!grown) {
                own->status = carom_no_memory(&own->error, "events");
                return;
            }
            own->grown = grown;
            grown[own->grown_count++] = (growth){own->last, own->noted.used};
        }
    }
    if (own->loop.calendar.failed)
        own->status = carom_no_memory(&own->error, "events");
}

static bool is_after(carom_calendar_entry a, carom_calendar_entry b) {
    return a.time > b.time || (a.time == b.time && a.event > b.event);
}

// Adds the counts and deviations of all lanes since the last tick to the loop.
static carom_status collect(carom_event_lanes *lanes, carom_error *error) {
    const carom_event_loop *loop = lanes->loop;
    carom_calendar_entry end = {HUGE_VAL, 0};
    bool outran = false;
    double used = 0;
    for (int l = 0; l < lanes->count; l++) {
        const lane *own = &lanes->items[l];
        if (own->status)
            return carom_fail(error, own->status, "%s", own->error.message);
        for (int c = 0; c < CAROM_COUNTS; c++)
            loop->flight.counts[c] += own->counts[c];
        if (own->noted.exceeded && is_after(end, own->last))
            end = own->last;
        outran = outran || own->noted.exceeded;
    }
    for (int l = 0; l < lanes->count; l++)
        for (int64_t g = 0; g < lanes->items[l].grown_count && !is_after(lanes->items[l].grown[g].at, end); g++)
            used = fmax(used, lanes->items[l].grown[g].used);
    if (loop->noted) {
        loop->noted->used = fmax(loop->noted->used, used);
        loop->noted->exceeded = loop->noted->exceeded || outran;
    }
    return CAROM_OK;
}

carom_status carom_event_lanes_run(carom_event_lanes *lanes, double end, carom_error *error) {
    carom_event_loop *loop = lanes->loop;
    for (int l = 0; l < lanes->count; l++)
        if (!begin_lane(loop, &lanes->items[l], end))
            return carom_no_memory(error, "events");
    double from = 0;
    while (!carom_ticks_must_repeat(loop->ticks)) {
        double tick = carom_ticks_next(loop->ticks);
        bool ticks = tick <= loop->flight.step;
        double until = ticks ? tick : HUGE_VAL, kicks = lanes->work * ((ticks ? tick : loop->flight.step) - from);
        carom_phase before = carom_profile_enter(loop->profile, CAROM_PHASE_ELEMENTS);
        if (kicks > SHARED_KICKS && carom_threads() > 1) {
#pragma omp parallel for schedule(dynamic, 1)
            for (int l = 0; l < lanes->count; l++)
                run_lane(&lanes->items[l], until, end);
        } else {
            for (int l = 0; l < lanes->count; l++)
                run_lane(&lanes->items[l], until, end);
        }
        carom_profile_enter(loop->profile, before);
        if (carom_interrupt_is_wanted())
            return carom_interrupt_check(error);
        carom_status status = collect(lanes, error);
        if (!status && ticks && !carom_ticks_must_repeat(loop->ticks))
            status = carom_ticks_tick(loop->ticks, tick, error);
        if (status || !ticks)
            return status;
        from = tick;
    }
    return CAROM_OK;
}
