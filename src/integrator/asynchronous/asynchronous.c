// SPDX-License-Identifier: MIT
// Theory: docs/theory/asynchronous.md
// Asynchronous variational integration with collisions as events, after
//     S. Wolff, C. Bucher: Asynchronous collision integrators: explicit treatment of unilateral contact with friction and nodal
//     restraints. International Journal for Numerical Methods in Engineering 95 (2013) 562-586.
//
// Every element i has a step h_i of its own, a fraction of its critical one, and kicks its nodes at the times 0, h_i, 2 h_i, ...:
//
//     kick    w_k -= (h_i/m_k) P_k dV_i/dx_k        at the first time with h_i/2; P_k projects on the free directions of node k
//     drift   x_k(t) = x_k + t w_k                  between kicks; nobody moves a node that is not looked at (flight.h)
//
// Constant dead loads are shared by the elements of a node and kick with them; other loads are events of their own. Events happen in the
// order of time, kind and number: a calendar keeps them (calendar.h). Elements with equal steps kick at equal times, and together (kicks.h). Contact is resolved in one of two ways:
//
//     exact       nodes that may touch something soon are kicked at the ticks of one clock and fly straight together in between: impacts happen at
//                 their times, and kicks that press bodies together are answered within the kick, as by newmark-dcr (ticks.h)
//     others      nodes look for overlap at times of their own and are given velocities that part (overlap_polls.h), as in the paper
//
// A step of the run is a window of time: all events in it happen, then positions are those of its end, and velocities for output, energy and momentum
// are led there by a kick of every element with what is left or too much of its own last one, (t - t_i - h_i/2), at the common positions. The
// velocities w know nothing of it, so that output changes nothing.
//
// The map is a composition of kicks and drifts: symplectic, linear and angular momentum are exact. Equal steps of all elements make it the map of
// newmark-dcr. It runs back on itself only if the times of kicks do.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "integrator/asynchronous/calendar.h"
#include "integrator/asynchronous/flight.h"
#include "integrator/asynchronous/overlap_polls.h"
#include "integrator/asynchronous/ticks.h"
#include "integrator/stepper.h"
#include "math/vec3.h"
#include "model/forces.h"
#include "model/loads.h"
#include "model/restraints.h"

static const char *const contacts[] = {"exact", "sequential-synchronous", "constant", "adaptive", NULL};

static const carom_param params[] = {
    {.name = "beta",
     .type = CAROM_PARAM_REAL,
     .offset = offsetof(carom_asynchronous_params, beta),
     .unit = "",
     .initial = "0.25",
     .min = 0,
     .max = 1,
     .flags = CAROM_PARAM_OPEN_MIN,
     .doc =
         "Step of each element as a fraction of its critical one; shorter beside far smaller elements, and none is longer than "
         "`time.step`."},
    {.name = "classes",
     .type = CAROM_PARAM_INT,
     .offset = offsetof(carom_asynchronous_params, classes),
     .unit = "",
     .initial = "8",
     .min = 0,
     .max = 64,
     .doc =
         "Steps of elements between one length and its double: they are rounded down to one of so many, and elements with equal steps kick "
         "together, which is many times faster. 0: every element with exactly its own."},
    {.name = "contact",
     .type = CAROM_PARAM_CHOICE,
     .offset = offsetof(carom_asynchronous_params, contact),
     .unit = "",
     .initial = "exact",
     .choices = contacts,
     .doc =
         "When contact acts. `exact`: at times of impact, nothing overlaps. The others are those of the paper, where nodes of surfaces "
         "look for overlap: all at one time (`sequential-synchronous`), each with the shortest step of the elements around "
         "it (`constant`), or more often if it is fast (`adaptive`). They do not see a body touch itself."},
    {.name = "alpha",
     .type = CAROM_PARAM_REAL,
     .offset = offsetof(carom_asynchronous_params, alpha),
     .unit = "",
     .initial = "0.5",
     .min = 0.01,
     .max = HUGE_VAL,
     .doc = "With `adaptive`: way of a node between two looks, in units of its size."},
    {.name = "centred",
     .type = CAROM_PARAM_BOOL,
     .offset = offsetof(carom_asynchronous_params, centred),
     .unit = "",
     .initial = "true",
     .doc =
         "Contact acts on the velocities at its time, not on those in the middle between two kicks. `false`: as printed in the "
         "paper; the energy error is then of first order."},
};

// Above so many elements that kick together threads share their nodes; so many events before it happens nodes are fetched from memory.
enum { SHARED = 4096, AHEAD = 3 };

// A span is run so often until it holds.
enum { TRIALS = 60 };

typedef struct workspace {
    carom_flight flight;
    carom_calendar calendar;
    bool exact;
    carom_ticks clock;         // of exact contact
    carom_overlap_polls polls; // of the other kinds
    int first_poll;            // event of the first poll
    int load_event;            // of live loads; -1 if there are none
    double load_step;
    double *load_number;      // kicks of live loads so far; part of the state
    carom_vectors load_force; // live loads at their last kick, and where their nodes were; part of the state
    carom_vectors load_place;
    double *counts;         // per kind of kick; part of the state
    carom_vectors live;     // scratch
    carom_vectors place;    // scratch: positions of all nodes
    double *slots;          // scratch: element forces
    double *factor;         // scratch: per member of a group, what it kicks with in units of the others
    double *part;           // scratch: per node, the sum of these
    carom_vectors undriven; // per restraint: velocity of its node before it was driven
    double *saved;          // the state at the beginning of a span
    bool touches;           // anything can touch something
    carom_accounts pending; // of contact, at the end of the last step
    carom_stepper *stepper;
} workspace;

enum { COUNT_ELEMENT, COUNT_LOAD, COUNT_CONTACT, COUNTS };

static const char *const counters[COUNTS + 1] = {"element", "load", "contact"};

static const char counts_array[] = "kick counts";

static const carom_method_result results[] = {
    {.name = "kicks",
     .kind = CAROM_RESULT_COUNTS,
     .array = counts_array,
     .labels = counters,
     .doc = "Kicks of elements, of loads and of contact."},
    {.name = NULL},
};

// Element i of a group kicks with its forces f for the time h; its nodes are at q.
static void kick_element(workspace *s, const carom_kicker *kicker, double h, const double (*f)[3], const double (*q)[3],
                         double t) {
    carom_flight *flight = &s->flight;
    int count = flight->kicks.blocks[kicker->block].node_count;
    if (kicker->memory >= 0)
        memcpy(&flight->kicks.memory[3 * kicker->memory], f, (size_t)count * sizeof *f);
    carom_flight_kick(flight, carom_kicker_nodes(kicker), count, h, f, q, t);
}

// Some members of a group are on the clock: what each member kicks with, in units of h. Returns how many kick at all.
static int weigh(workspace *s, const carom_kick_group *group, double h, double t) {
    int count = 0;
    for (int m = 0; m < group->count; m++) {
        int i = group->members[m];
        s->factor[m] = 1;
        if (carom_ticks_has(&s->clock, i))
            s->factor[m] = carom_ticks_let_go(&s->clock, i, group->step, t) / h;
        count += s->factor[m] != 0;
    }
    return count;
}

// The forces of a batch times those factors, and their sum at each node.
static void scale(workspace *s, const carom_kick_group *group) {
    int n = group->batch->block.node_count;
    for (int i = 0; i < group->node_count; i++)
        s->part[group->nodes[i]] = 0;
    for (int m = 0; m < group->count; m++) {
        for (int a = 0; a < n; a++)
            s->part[group->batch->block.nodes[(int64_t)m * n + a]] += s->factor[m];
        for (int d = 0; d < 3 * n && s->factor[m] != 1; d++)
            group->batch->slots[carom_lane(m, d, 3 * n)] *= s->factor[m];
    }
}

// The kick of a batch, node by node; `some`: not all of its members, and not all with the same.
static void kick_batch(workspace *s, const carom_kick_group *group, bool some, double h, double t) {
    carom_flight *flight = &s->flight;
    carom_kicks *kicks = &flight->kicks;
    const carom_kick_batch *batch = group->batch;
    const carom_model *model = flight->model;
    carom_kick_batch_force(kicks, group, (carom_const_vectors)flight->x, (carom_const_vectors)flight->w, t);
    if (group->touch_count > 0 && !s->exact)
        carom_kick_batch_keep(kicks, group);
    if (some)
        scale(s, group);
    if (!model->loaded && !flight->restraints.of_node) {
#pragma omp parallel for schedule(static) if (group->count > SHARED)
        for (int i = 0; i < group->node_count; i++) {
            double f[3], c = h / model->mass[group->nodes[i]];
            carom_kick_gather(batch, i, f);
            carom_add_scaled(c, f, flight->w[group->nodes[i]]);
            carom_add_scaled(-t * c, f, flight->x[group->nodes[i]]);
        }
        return;
    }
    double outside[3] = {0}, moment[3] = {0};
    for (int i = 0; i < group->node_count; i++) {
        int k = group->nodes[i];
        double parts = some ? s->part[k] : batch->gather_begin[i + 1] - batch->gather_begin[i];
        double impulse[3], load[3], arm[3];
        carom_kick_gather(batch, i, impulse);
        for (int d = 0; d < 3; d++) {
            load[d] = h * parts * kicks->share[k] * model->load[k][d];
            impulse[d] = h * impulse[d] + load[d];
        }
        carom_cross(kicks->place[k], load, arm);
        carom_add_scaled(1, load, outside);
        carom_add_scaled(1, arm, moment);
        carom_flight_give(flight, k, impulse, t);
    }
    // in one sum, which loses nothing to rounding beside all that was booked before
    if (model->loaded)
        carom_ledger_book_outside(flight->state, (const double[3]){0}, outside, moment, 0);
}

// The kick of elements with equal steps at time t of the step, but for those on the clock. Kicks at one time move nobody, so the
// elements of a small group may be looked at one after the other.
static void kick_group(workspace *s, int g, double t) {
    carom_flight *flight = &s->flight;
    carom_kicks *kicks = &flight->kicks;
    const carom_kick_group *group = &kicks->groups[g];
    double h = *group->number > 0 ? group->step : 0.5 * group->step;
    bool some = s->clock.gone && s->clock.gone[g] > 0;
    int count = some ? weigh(s, group, h, t) : group->count;
    for (int m = 0; m < group->count && count && !group->batch; m++) {
        int i = group->count == 1 ? group->first : group->members[m];
        const carom_kicker *kicker = carom_kicker_of(kicks, i);
        double weight = some ? h * s->factor[m] : h;
        if (weight == 0)
            continue;
        carom_kick_force(kicks, i, kicker, (carom_const_vectors)flight->x, (carom_const_vectors)flight->w, t);
        kick_element(s, kicker, weight, (carom_const_vectors)kicks->f, (carom_const_vectors)kicks->q, t);
    }
    carom_flight_book(flight);
    if (group->batch && count)
        kick_batch(s, group, some, h, t);
    (*group->number)++;
    s->counts[COUNT_ELEMENT] += count;
    if (s->clock.flight && count)
        carom_ticks_watch(&s->clock, group->touch, group->touch_count);
}

// The work of a live load on its way from the place of its last kick to x, by the mean of the forces at both ends. Velocities between kicks of elements would not do: what
// a load gives a node at rest the next element takes.
static double load_work(const workspace *s, int i, const double x[3]) {
    const double *now = s->live[s->flight.model->live.nodes[i]], *last = s->load_force[i], *from = s->load_place[i];
    double sum = 0;
    for (int d = 0; d < 3; d++)
        sum += 0.5 * (last[d] + now[d]) * (x[d] - from[d]);
    return sum;
}

// The kick of all live loads for the time h.
static void kick_loads(workspace *s, double h, double t) {
    carom_flight *flight = &s->flight;
    const carom_live_loads *live = &flight->model->live;
    for (int i = 0; i < live->node_count; i++)
        carom_flight_place(flight, live->nodes[i], t, s->place[live->nodes[i]]);
    carom_model_live_load(flight->model, flight->begin + t, (carom_const_vectors)s->place, s->live);
    for (int i = 0; i < live->node_count; i++) {
        int k = live->nodes[i];
        double impulse[3], work = load_work(s, i, s->place[k]);
        for (int d = 0; d < 3; d++)
            impulse[d] = h * s->live[k][d];
        carom_flight_give(flight, k, impulse, t);
        carom_ledger_book_outside(flight->state, s->place[k], impulse, (const double[3]){0}, work);
        carom_copy(s->live[k], s->load_force[i]);
        carom_copy(s->place[k], s->load_place[i]);
    }
    s->counts[COUNT_LOAD]++;
    if (s->clock.flight)
        carom_ticks_watch(&s->clock, live->nodes, live->node_count);
}

// Live loads are due; on the clock they kick there.
static void kick_loads_when_due(workspace *s, double t) {
    double h = *s->load_number > 0 ? s->load_step : 0.5 * s->load_step;
    int i = s->flight.kicks.count;
    if (carom_ticks_has(&s->clock, i))
        h = carom_ticks_let_go(&s->clock, i, s->load_step, t);
    if (h > 0)
        kick_loads(s, h, t);
    (*s->load_number)++;
}

// A tick of the clock; the first of a span is for those that are late or ahead.
static carom_status tick(workspace *s, double t, bool first, carom_error *error) {
    carom_ticks *clock = &s->clock;
    int loads = s->flight.kicks.count;
    s->counts[COUNT_ELEMENT] += carom_ticks_kick(
        clock, t, first, first && s->flight.model->drives.of_restraint ? (carom_const_vectors)s->undriven : NULL);
    double h = carom_ticks_has(clock, loads) ? carom_ticks_weight(clock, loads, first) : 0;
    if (h != 0)
        kick_loads(s, h, t);
    carom_status status = carom_ticks_answer(clock, t, first, error);
    return status ? status : carom_ticks_fly(clock, error);
}

// Prescribed velocities are those of the middle of the step.
static void drive(workspace *s) {
    carom_flight *flight = &s->flight;
    if (!flight->model->drives.of_restraint)
        return;
    flight->from = flight->begin;
    flight->length = flight->step;
    for (int end = 0; end < 2; end++) {
        carom_model_drive(flight->model, flight->begin + end * flight->step, flight->restraints.items);
        for (int r = 0; r < flight->restraints.count; r++)
            carom_copy(flight->restraints.items[r].velocity, flight->driven[r][end]);
    }
    carom_model_drive(flight->model, flight->begin + 0.5 * flight->step, flight->restraints.items);
    for (int r = 0; r < flight->restraints.count; r++) {
        const carom_restraint *restraint = &flight->restraints.items[r];
        int k = restraint->node;
        double m = flight->model->mass[k], before[3], impulse[3], mean[3];
        carom_copy(flight->w[k], before);
        carom_copy(before, s->undriven[r]);
        carom_restraint_impose(restraint, flight->w[k]);
        for (int d = 0; d < 3; d++) {
            impulse[d] = m * (flight->w[k][d] - before[d]);
            mean[d] = 0.5 * (flight->w[k][d] + before[d]);
        }
        carom_ledger_book_outside(flight->state, flight->x[k], impulse, (const double[3]){0}, carom_dot(impulse, mean));
    }
}

// When an event is due, from the start of the run.
static double due(const workspace *s, int event) {
    if (event < s->flight.kicks.group_count)
        return carom_kick_time(&s->flight.kicks.groups[event]);
    if (event == s->load_event)
        return *s->load_number * s->load_step;
    return s->polls.due[event - s->first_poll];
}

// Writes an event down if it is due in this step.
static bool write_down(workspace *s, int event, double end) {
    double time = due(s, event);
    return !(time <= end) || carom_calendar_add(&s->calendar, event, fmax(time - s->flight.begin, 0));
}

// One event; it is written down again.
static carom_status happen(workspace *s, int event, double t, double end, carom_error *error) {
    carom_status status = CAROM_OK;
    if (event < s->flight.kicks.group_count) {
        kick_group(s, event, t);
    } else if (event == s->load_event) {
        kick_loads_when_due(s, t);
    } else {
        status = carom_overlap_polls_look(&s->polls, event - s->first_poll, t, error);
        s->counts[COUNT_CONTACT]++;
    }
    if (!status && !write_down(s, event, end))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for events");
    return status;
}

// Elements that kick soon are brought closer to the processor, one thing after the other: groups two days ahead, records one day, nodes
// some events. Batches are read in a row anyway.
CAROM_FETCH void fetch(const workspace *s) {
    const carom_kicks *kicks = &s->flight.kicks;
    const carom_calendar *calendar = &s->calendar;
    bool dawn = calendar->at == 0;
    const carom_calendar_page *page;
    for (page = dawn ? carom_calendar_peek(calendar, 2) : NULL; page; page = carom_calendar_before(calendar, page))
        for (int i = 0; i < page->count; i++)
            if (page->lines[i].event < kicks->group_count)
                __builtin_prefetch(&kicks->groups[page->lines[i].event]);
    for (page = dawn ? carom_calendar_peek(calendar, 1) : NULL; page; page = carom_calendar_before(calendar, page))
        for (int i = 0; i < page->count; i++)
            if (page->lines[i].event < kicks->group_count)
                carom_kick_fetch(kicks, &kicks->groups[page->lines[i].event]);
    for (int ahead = dawn ? 0 : AHEAD; ahead <= AHEAD; ahead++) {
        int event = carom_calendar_ahead(calendar, ahead);
        if (event >= 0 && event < kicks->group_count)
            carom_kick_fetch_nodes(kicks, &kicks->groups[event], (carom_const_vectors)s->flight.x,
                                   (carom_const_vectors)s->flight.w);
    }
}

// All events up to `end`, in order.
static carom_status pass(workspace *s, double end, carom_error *error) {
    carom_calendar_clear(&s->calendar);
    for (int event = 0; event < s->calendar.event_count; event++)
        if (!write_down(s, event, end))
            return carom_fail(error, CAROM_NO_MEMORY, "no memory for events");
    for (;;) {
        const carom_appointment *next = carom_calendar_next(&s->calendar);
        double due = carom_ticks_next(&s->clock);
        carom_status status = CAROM_OK;
        if (s->clock.outran)
            return CAROM_OK;
        if (due <= s->flight.step && (!next || due < next->time)) {
            status = tick(s, due, false, error);
        } else if (next) {
            carom_appointment event = *next;
            fetch(s);
            carom_calendar_take(&s->calendar);
            status = happen(s, event.event, event.time, end, error);
        } else {
            return s->calendar.failed ? carom_fail(error, CAROM_NO_MEMORY, "no memory for events") : CAROM_OK;
        }
        if (status)
            return status;
    }
}

// The impulse that leads a node to the time of the output, and what of it comes from outside.
static void lead(workspace *s, int node, const double impulse[3], bool outside, double (*v)[3], carom_accounts *sum) {
    carom_flight *flight = &s->flight;
    double m = flight->model->mass[node], dv[3] = {impulse[0] / m, impulse[1] / m, impulse[2] / m}, ground[3] = {0}, moment[3];
    if (outside)
        carom_copy(impulse, ground);
    const carom_restraint *restraint = carom_restraint_of(&flight->restraints, node);
    if (restraint) {
        double free[3];
        carom_copy(dv, free);
        carom_restraint_project(restraint, dv);
        for (int d = 0; d < 3; d++)
            ground[d] += m * (dv[d] - free[d]);
        double velocity[3];
        carom_flight_driven(flight, restraint, flight->state->time, velocity);
        sum->drive_work += m * (carom_dot(dv, velocity) - carom_dot(free, velocity));
    }
    carom_cross(flight->x[node], ground, moment);
    carom_add_scaled(1, ground, sum->impulse);
    carom_add_scaled(1, moment, sum->angular_impulse);
    carom_add_scaled(1, dv, v[node]);
}

// Velocities at the common time of all positions: every element kicks with the time that its last kick lacks or is ahead.
static carom_status synchronize(carom_stepper *stepper, carom_state *state, carom_error *error) {
    (void)error;
    workspace *s = stepper->workspace;
    carom_flight *flight = &s->flight;
    const carom_kicks *kicks = &flight->kicks;
    const carom_model *model = flight->model;
    carom_accounts sum = {0};
    memcpy(state->v, flight->w, (size_t)model->node_count * sizeof *state->v);
    bool plain = !flight->restraints.of_node && !model->loaded;
    for (int b = 0; b < kicks->block_count; b++) {
        const carom_kick_block *own = &kicks->blocks[b];
        const carom_block *block = own->block;
        double *slots = s->slots + model->block_slot[b];
#pragma omp parallel for schedule(static) if (block->count > 4096)
        for (int begin = 0; begin < block->count; begin += 512)
            block->element->force(block, begin, begin + 512 < block->count ? begin + 512 : block->count,
                                  (carom_const_vectors)flight->x, (carom_const_vectors)model->X, slots);
        for (int e = 0; e < block->count; e++) {
            int i = own->begin + e;
            const carom_kicker *kicker = carom_kicker_of(kicks, i);
            double span = state->time - (carom_kicker_number(kicks, kicker) - 0.5) * kicker->step;
            if (carom_ticks_has(&s->clock, i))
                span = -carom_ticks_ahead(&s->clock, i);
            for (int a = 0; a < own->node_count; a++) {
                int k = block->nodes[(int64_t)e * own->node_count + a];
                double impulse[3];
                for (int d = 0; d < 3; d++)
                    impulse[d] = span * slots[carom_lane(e, 3 * a + d, 3 * own->node_count)];
                if (plain) {
                    carom_add_scaled(1 / model->mass[k], impulse, state->v[k]);
                    continue;
                }
                lead(s, k, impulse, false, state->v, &sum);
                for (int d = 0; d < 3; d++)
                    impulse[d] = span * kicks->share[k] * model->load[k][d];
                if (model->loaded)
                    lead(s, k, impulse, true, state->v, &sum);
            }
        }
    }
    if (s->load_event >= 0) {
        double span = state->time - (*s->load_number - 0.5) * s->load_step;
        if (carom_ticks_has(&s->clock, kicks->count))
            span = -carom_ticks_ahead(&s->clock, kicks->count);
        carom_model_live_load(model, state->time, (carom_const_vectors)flight->x, s->live);
        for (int i = 0; i < model->live.node_count; i++) {
            int k = model->live.nodes[i];
            double impulse[3];
            for (int d = 0; d < 3; d++)
                impulse[d] = span * s->live[k][d];
            sum.drive_work += load_work(s, i, flight->x[k]);
            lead(s, k, impulse, true, state->v, &sum);
        }
    }
    if (s->clock.flight)
        carom_ticks_halve(&s->clock, state->v);

    // the books count it as done
    carom_accounts *pending = &state->books.pending;
    *pending = s->pending;
    pending->drive_work -= sum.drive_work;
    carom_add_scaled(-1, sum.impulse, pending->impulse);
    carom_add_scaled(-1, sum.angular_impulse, pending->angular_impulse);
    return CAROM_OK;
}

// ---- steps ----

// All numbers of the state, to and from where they are kept.
static void save(workspace *s, bool back) {
    carom_state *state = s->flight.state;
    double *at = s->saved;
    for (int a = 0; a < state->array_count; a++) {
        carom_state_array *array = &state->arrays[a];
        size_t size = (size_t)array->count * sizeof *at;
        if (size)
            memcpy(back ? array->values : at, back ? at : array->values, size);
        at += array->count;
    }
}

// A span of time with exact contact: again, with more room for the ways of nodes, until it holds. Should it better be a part of that, nothing has
// happened, and `fit` is that part.
static carom_status run_span(workspace *s, double end, bool driven, double *fit, carom_error *error) {
    carom_flight *flight = &s->flight;
    carom_ticks *clock = &s->clock;
    const carom_live_loads *live = &flight->model->live;
    carom_books books;
    clock->allowance = carom_ticks_allowance(clock);
    for (int trial = 0; trial < TRIALS; trial++) {
        carom_status status = carom_ticks_choose(clock, error);
        if (trial == 0) {
            // bodies that meet for the first time have their speeds written down
            if (s->stepper->stale && carom_ticks_meets_new(clock))
                carom_stepper_synchronize(s->stepper, flight->state, NULL);
            books = flight->state->books;
            save(s, false);
        }
        carom_ticks_loads loads = {.nodes = live->nodes,
                                   .count = live->node_count,
                                   .step = s->load_step,
                                   .covered = *s->load_number > 0 ? (*s->load_number - 0.5) * s->load_step : 0};
        bool late = false;
        if (!status)
            status = carom_ticks_start(clock, &loads, &late, fit, error);
        if (status)
            return status;
        if (*fit == 1) {
            status = late || driven ? tick(s, 0, true, error) : carom_ticks_fly(clock, error);
            if (!status)
                status = pass(s, end, error);
            if (status || !clock->outran)
                return status;
        }
        save(s, true);
        flight->state->books = books;
        if (*fit < 1)
            return CAROM_OK;
        clock->allowance = 2 * fmax(clock->allowance, sqrt(clock->used));
    }
    return carom_fail(error, CAROM_NUMERICAL, "velocities are not finite at time %g", flight->begin);
}

// All nodes are where they fly to; false if that is not finite.
static bool arrive(carom_flight *flight) {
    bool finite = true;
    for (int k = 0; k < flight->model->node_count; k++) {
        carom_add_scaled(flight->step, flight->w[k], flight->x[k]);
        finite = finite && isfinite(flight->x[k][0] + flight->x[k][1] + flight->x[k][2]);
    }
    return finite;
}

// A step of the run with exact contact: one span, or several where nodes that may touch would go far in it.
static carom_status run_spans(workspace *s, double end, bool *finite, carom_error *error) {
    carom_flight *flight = &s->flight;
    bool driven = flight->model->drives.of_restraint != NULL;
    *finite = true;
    double span = carom_ticks_span(&s->clock, end - flight->begin);
    for (double begin = flight->begin; begin < end && *finite;) {
        bool last = span == end - begin;
        double until = last ? end : begin + span, fit;
        flight->begin = begin;
        flight->step = until - begin;
        carom_status status = run_span(s, until, driven, &fit, error);
        if (status)
            return status;
        if (fit < 1) {
            span = carom_ticks_cut(end - begin, fit * flight->step, s->clock.step);
            continue;
        }
        driven = s->stepper->stale = false;
        *finite = arrive(flight);
        carom_ticks_book(&s->clock, last);
        begin = until;
        span = carom_ticks_span(&s->clock, end - begin);
    }
    return CAROM_OK;
}

static carom_status step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    workspace *s = stepper->workspace;
    carom_flight *flight = &s->flight;
    const carom_model *model = stepper->model;
    double end = (double)(state->step + 1) * stepper->step;
    state->books.contacts = 0;
    flight->begin = (double)state->step * stepper->step;
    flight->step = end - flight->begin;
    flight->state = state;
    drive(s);

    // all that happens in the step
    double kicks = s->counts[COUNT_ELEMENT];
    carom_status status = CAROM_OK;
    bool finite = true;
    if (s->clock.flight) {
        status = run_spans(s, end, &finite, error);
    } else {
        if (!s->exact)
            status = carom_overlap_polls_begin(&s->polls, error);
        stepper->stale = false;
        if (!status)
            status = pass(s, end, error);
        finite = status || arrive(flight);
        if (!status && finite && !s->exact)
            status = carom_overlap_polls_measure(&s->polls, &state->books.overlap, error);
    }
    if (status)
        return status;
    state->books.element_updates += (int64_t)(s->counts[COUNT_ELEMENT] - kicks);
    state->step++;
    state->time = end;
    if (!finite) {
        state->books.events[CAROM_EVENT_NOT_FINITE]++;
        return carom_fail(error, CAROM_NUMERICAL, "positions are not finite at time %g (step %lld)", state->time,
                          (long long)state->step);
    }
    // velocities at this time are made when somebody asks for them
    memset(&state->books.pending, 0, sizeof state->books.pending);
    if (s->clock.flight) {
        carom_ticks_book_last(&s->clock);
        s->counts[COUNT_CONTACT] += state->books.contacts;
    }
    s->pending = state->books.pending;
    stepper->stale = true;
    if (s->polls.flight || model->drives.of_restraint || carom_ledger_has_partings(state))
        carom_stepper_synchronize(stepper, state, NULL);
    carom_ledger_note_partings(state);
    return CAROM_OK;
}

static void release(carom_stepper *stepper) {
    workspace *s = stepper->workspace;
    if (!s)
        return;
    carom_ticks_release(&s->clock);
    carom_overlap_polls_release(&s->polls);
    carom_calendar_release(&s->calendar);
    carom_kicks_release(&s->flight.kicks);
    free(s->flight.restraints.items);
    free(s->flight.driven);
    free(s->live);
    free(s->place);
    free(s->slots);
    free(s->factor);
    free(s->part);
    free(s->undriven);
    free(s->saved);
    free(s);
    stepper->workspace = NULL;
}

// The nodes that can touch something.
static bool *contact_nodes(const carom_model *model) {
    bool *touch = carom_allocate(model->node_count, sizeof *touch);
    if (!touch)
        return NULL;
    for (int i = 0; i < model->surface.vertex_count; i++)
        touch[model->surface.vertices[i]] = true;
    for (int c = 0; c < model->candidates.count; c++)
        for (int k = 0; k < model->candidates.items[c].count; k++)
            touch[model->candidates.items[c].node[k]] = true;
    return touch;
}

// The parts of the workspace that depend on each other, in their order.
static carom_status prepare(carom_stepper *stepper, workspace *s, carom_state *state, const bool *touch, carom_error *error) {
    const carom_model *model = stepper->model;
    const carom_asynchronous_params *p = stepper->params;
    carom_flight *flight = &s->flight;
    carom_status status = carom_kicks_create(model, p->beta, p->classes, stepper->step, touch,
                                             p->contact != CAROM_ASYNCHRONOUS_EXACT, state, &flight->kicks, error);
    if (status)
        return status;
    s->exact = p->contact == CAROM_ASYNCHRONOUS_EXACT;
    if (!s->exact)
        status = carom_overlap_polls_create(&s->polls, flight, p, touch, error);
    else if (s->touches)
        status = carom_ticks_create(&s->clock, flight, touch, p->beta * carom_model_stable_step(model), error);
    if (status)
        return status;

    // events: elements, loads, polls
    int events = flight->kicks.group_count;
    double shortest = flight->kicks.shortest_step, rate = flight->kicks.rate;
    s->load_event = -1;
    if (model->live.count) {
        s->load_event = events++;
        s->load_step = HUGE_VAL;
        for (int i = 0; i < model->live.node_count; i++)
            s->load_step = fmin(s->load_step, flight->kicks.shortest[model->live.nodes[i]]);
        rate += 1 / s->load_step;
    }
    s->first_poll = events;
    if (!s->exact) {
        events += s->polls.count;
        rate += s->polls.count / shortest;
    }
    return carom_calendar_create(&s->calendar, events, stepper->step, rate * stepper->step, shortest, error);
}

static carom_status setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    const carom_model *model = stepper->model;
    workspace *s = carom_allocate(1, sizeof *s);
    stepper->workspace = s;
    if (!s)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
    carom_flight *flight = &s->flight;
    *flight = (carom_flight){.model = model, .state = state, .step = stepper->step, .x = state->x};
    s->stepper = stepper;
    flight->observer = &stepper->observer;
    flight->w = (carom_vectors)carom_state_add_array(state, "drift velocities", 3 * (int64_t)model->node_count);
    s->counts = carom_state_add_array(state, counts_array, COUNTS);
    s->load_number = carom_state_add_array(state, "load kicks", 1);
    s->load_force = (carom_vectors)carom_state_add_array(state, "load forces", 3 * (int64_t)model->live.node_count);
    s->load_place = (carom_vectors)carom_state_add_array(state, "load places", 3 * (int64_t)model->live.node_count);
    s->live = carom_allocate(model->live.count ? model->node_count : 0, sizeof *s->live);
    s->place = carom_allocate(model->live.count ? model->node_count : 0, sizeof *s->place);
    s->slots = carom_allocate(carom_model_slot_count(model), sizeof *s->slots);
    s->factor = carom_allocate(model->element_count, sizeof *s->factor);
    s->part = carom_allocate(model->node_count, sizeof *s->part);
    s->undriven = carom_allocate(model->restraints.count, sizeof *s->undriven);
    bool driven = model->drives.of_restraint != NULL;
    if (driven)
        flight->driven = carom_allocate(model->restraints.count, sizeof *flight->driven);
    flight->restraints = model->restraints;
    flight->restraints.items = carom_allocate(model->restraints.count, sizeof *flight->restraints.items);
    bool *touch = contact_nodes(model);
    carom_status status = CAROM_OK;
    if (!flight->w || !s->counts || !s->load_number || !s->load_force || !s->load_place || !s->live || !s->place || !s->slots ||
        !s->factor || !s->part || !s->undriven || (driven && !flight->driven) || !flight->restraints.items || !touch)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
    if (!status) {
        if (model->restraints.count)
            memcpy(flight->restraints.items, model->restraints.items,
                   (size_t)model->restraints.count * sizeof *flight->restraints.items);
        flight->mobility = (carom_mobility){model->mass, &flight->restraints};
        memcpy(flight->w, state->v, (size_t)model->node_count * sizeof *flight->w);
        for (int i = 0; i < model->live.node_count; i++)
            carom_copy(state->x[model->live.nodes[i]], s->load_place[i]);
        for (int k = 0; k < model->node_count; k++)
            s->touches = s->touches || touch[k];
        status = prepare(stepper, s, state, touch, error);
    }
    free(touch);
    int64_t size = 0;
    for (int a = 0; a < state->array_count; a++)
        size += state->arrays[a].count;
    if (!status && s->touches) {
        s->saved = carom_allocate(size, sizeof *s->saved);
        if (!s->saved)
            status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
    }
    return status;
}

static carom_status accepts(const carom_model *model, const void *params_, carom_error *error) {
    const carom_asynchronous_params *p = params_;
    if (model->R)
        return carom_fail(error, CAROM_BAD_INPUT, "asynchronous cannot turn frames: use multisymplectic for beams");
    if (model->damped)
        return carom_fail(error, CAROM_BAD_INPUT, "asynchronous has no damping: use newmark-dcr");
    if (model->contact.resolve == CAROM_RESOLVE_PROJECTION)
        return carom_fail(error, CAROM_BAD_INPUT, "asynchronous never moves nodes by contact: leave out `resolve: projection`");
    return p->contact == CAROM_ASYNCHRONOUS_EXACT ? CAROM_OK : carom_overlap_polls_accept(model, error);
}

// The window of `time.step: auto` is a fraction of the longest step: smaller elements take many steps in it, unless they are driven or nearly all.
static double advised_step(const carom_model *model, const void *params_) {
    (void)params_;
    return carom_kicks_longest_window(model);
}

const carom_integrator carom_integrator_asynchronous = {
    .kind = {.name = "asynchronous",
             .summary = "Every element with a step of its own, collisions as events.",
             .reference =
                 "S. Wolff, C. Bucher: Asynchronous collision integrators: explicit treatment of unilateral contact with "
                 "friction and nodal restraints. Int. J. Numer. Meth. Engng 95 (2013) 562-586.",
             .params = params,
             .param_count = sizeof params / sizeof *params,
             .params_size = sizeof(carom_asynchronous_params)},
    .claims = {.linear_momentum = true,
               .angular_momentum = true,
               .energy = CAROM_ENERGY_BOUNDED,
               .contact_energy = true,
               .symplectic = true,
               .reversible = false,
               .order = 2},
    .substeps = true,
    .results = results,
    .accepts = accepts,
    .advised_step = advised_step,
    .setup = setup,
    .step = step,
    .synchronize = synchronize,
    .release = release,
};
