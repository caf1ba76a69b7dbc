// SPDX-License-Identifier: MIT
// Theory: docs/theory/asynchronous.md
// The rule of newmark-dcr (integrator/step_control.c), element by element. Element e bounds its stiffness by a diagonal matrix,
// K_e <= diag(s_ea). With mu_ea the part of the mass of node a that is its own, sum_e mu_ea = m_a (kick_steps.c), the frequency
// of the body is at most the largest 2/c_e, c_e = 2 sqrt(min_a mu_ea/s_ea). The step h_e of the reference is divided by a power
// of two where it exceeds a part of c_e, or where the element would be compressed by more than half of itself.
//
// Parts of a step lie on the grid of their own length, counted from the last kick of the group, so that an element that is
// divided no longer kicks with its group again. A kick between parts of lengths h- and h+ has the length (h- + h+)/2.
#include "integrator/asynchronous/element_step_division.h"

#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "element/element.h"
#include "integrator/asynchronous/kick_history.h"
#include "integrator/step_control.h"
#include "material/material.h"
#include "model/forces/forces.h"
#include "model/rigid.h"
#include "model/watch/frequency_bound.h"

static const double small = CAROM_SMALL_STRAIN, spare = CAROM_SPARE_STEP;

// A longer part must be allowed with this much to spare, at so many looks in succession.
static const double spare_to_grow = 0.9;
static const double hold = 16;

// No element kicks at intervals longer than this times the stable step of a neighbour (kick_steps.c).
static const double reach = 1;

// Between two looks nothing is compressed by more than this part of itself, and no more than so many kicks pass.
static const double unseen = 0.1;
static const double patience = 16;
// No more than so many after a hit, which sends waves through the elements.
static const double patience_after_hit = 4;

enum {
    // Above this level, more than so many times the kicks of the undivided steps are a fault, not work.
    DEEP_LEVEL = 12,
    MOST_KICKS = 64
};

static double *memory_of(const carom_levels *levels, int i) {
    return &levels->flight->kicks.levels[(int64_t)CAROM_LEVEL_NUMBERS * i];
}

static const carom_kick_block *block_of(const carom_levels *levels, int b) {
    return &levels->flight->kicks.blocks[b];
}

// The stable step of element i by its bound, number m of those in `share`.
static double stable_step(const carom_levels *levels, int b, int i, const double *share, int m) {
    const carom_kick_block *own = block_of(levels, b);
    int n = own->node_count;
    const double *mass = &levels->mass[levels->ends[b] + (int64_t)(i - own->begin) * n];
    double most = 0;
    for (int a = 0; a < n; a++) {
        double square = share[carom_lane(m, 3 * a, 3 * n)] / mass[a];
        // what is not a number is the worst
        most = square <= most ? most : square;
    }
    return 2 / sqrt(most);
}

// Masses of elements that reach beyond their cells, which have none of their own: those of their nodes in proportion to the
// bounds at the reference.
static void share_masses(carom_levels *levels, double *sum) {
    const carom_model *model = levels->flight->model;
    for (int pass = 0; pass < 2; pass++)
        for (int b = 0; b < model->block_count; b++) {
            const carom_kick_block *own = block_of(levels, b);
            int n = own->node_count;
            if (!levels->follows[b] || !own->block->element->arrange)
                continue;
            for (int e = 0; e < own->block->count; e++)
                for (int a = 0; a < n; a++) {
                    int k = own->block->nodes[(int64_t)e * n + a];
                    double s = levels->share[model->block_slot[b] + carom_lane(e, 3 * a, 3 * n)];
                    if (pass == 0)
                        sum[k] += s;
                    else
                        levels->mass[levels->ends[b] + (int64_t)e * n + a] =
                            sum[k] > 0 ? carom_model_node_mass(model, k) * s / sum[k] : 0;
                }
        }
}

static void look(carom_levels *levels, int b, const carom_block *block, int begin, int end, const double (*x)[3],
                 double *share) {
    const carom_flight *flight = levels->flight;
    carom_kinematics motion = {(carom_const_vectors)flight->model->X, x, (carom_const_vectors)flight->w,
                               (carom_const_vectors)levels->rest};
    if (levels->follows[b])
        block->element->bound(block, begin, end, &motion, share, levels->measures);
}

carom_status carom_levels_create(carom_levels *levels, carom_flight *flight, const double *mass, carom_arena *arena,
                                 carom_error *error) {
    const carom_model *model = flight->model;
    carom_kicks *kicks = &flight->kicks;
    int n = model->node_count;
    *levels = (carom_levels){.flight = flight};
    kicks->levels = carom_state_add_dormant(flight->state, "levels", (int64_t)CAROM_LEVEL_NUMBERS * kicks->count);
    levels->record = flight->state->method.division =
        carom_state_add_dormant(flight->state, CAROM_RECORD_NAME, CAROM_RECORD_NUMBERS);
    levels->looks = carom_state_add_silent(flight->state, "looks", kicks->group_count + 2);
    levels->shortest = flight->state->method.shortest = carom_state_add_silent(flight->state, "shortest step", 1);
    bool enough = kicks->levels && levels->record && levels->looks && levels->shortest;
    levels->follows = carom_arena_reserve(arena, model->block_count, sizeof *levels->follows, &enough);
    levels->ends = carom_arena_reserve(arena, model->block_count, sizeof *levels->ends, &enough);
    levels->mass = carom_arena_reserve(arena, model->element_node_count, sizeof *levels->mass, &enough);
    levels->calm = carom_arena_reserve(arena, model->element_node_count, sizeof *levels->calm, &enough);
    levels->reference = carom_arena_reserve(arena, kicks->count, sizeof *levels->reference, &enough);
    levels->near = carom_arena_reserve(arena, kicks->count, sizeof *levels->near, &enough);
    levels->length = carom_arena_reserve(arena, kicks->count, sizeof *levels->length, &enough);
    levels->divided = carom_arena_reserve(arena, kicks->group_count, sizeof *levels->divided, &enough);
    levels->share = carom_arena_reserve(arena, carom_model_slot_count(model), sizeof *levels->share, &enough);
    levels->measures = carom_arena_reserve(arena, carom_stiffening_buffer(model), sizeof *levels->measures, &enough);
    levels->rest = carom_arena_reserve(arena, n, sizeof *levels->rest, &enough);
    double *sum = carom_arena_reserve(arena, n, sizeof *sum, &enough);
    if (!enough)
        return carom_no_memory(error, "the steps of elements");

    memcpy(levels->mass, mass, (size_t)model->element_node_count * sizeof *mass);
    for (int b = 0, end = 0; b < model->block_count; b++) {
        // as at the reference, where nothing has flowed
        carom_block fresh = model->blocks[b], *block = &fresh;
        fresh.history = fresh.losses = NULL;
        levels->ends[b] = end;
        end += block->count * block->node_count;
        levels->follows[b] = block->element->stiffens && block->element->stiffens(block);
        look(levels, b, block, 0, block->count, (carom_const_vectors)model->X, levels->share + model->block_slot[b]);
    }
    share_masses(levels, sum);
    for (int i = 0; i < kicks->count; i++) {
        if (!carom_kick_exists(kicks, i))
            continue;
        const carom_kicker *kicker = carom_kicker_of(kicks, i);
        int b = kicker->block;
        levels->nominal += 1 / kicker->step;
        for (int a = 0; a < kicks->blocks[b].node_count; a++)
            for (int k = carom_kicker_nodes(kicker)[a], j = kicks->begin[k]; j < kicks->begin[k + 1]; j++)
                levels->near[i] = fmax(levels->near[i], carom_kicker_of(kicks, kicks->ends[j].kicker)->step);
        if (!levels->follows[b])
            continue;
        int e = i - kicks->blocks[b].begin;
        levels->reference[i] = stable_step(levels, b, i, levels->share + model->block_slot[b], e);
        for (int a = 0, m = kicks->blocks[b].node_count; a < m; a++) {
            double omega = 2 / (small * levels->reference[i]);
            int64_t end = levels->ends[b] + (int64_t)e * m + a;
            levels->calm[end] = levels->mass[end] * omega * omega;
        }
    }
    return CAROM_OK;
}

void carom_levels_begin(carom_levels *levels) {
    if (!levels->flight)
        return;
    const carom_kicks *kicks = &levels->flight->kicks;
    memset(levels->divided, 0, (size_t)kicks->group_count * sizeof *levels->divided);
    levels->stiff = levels->finest = 0;
    for (int i = 0; i < kicks->count; i++) {
        const double *memory = memory_of(levels, i);
        int level = (int)memory[CAROM_LEVEL];
        levels->stiff += memory[CAROM_LEVEL_STABLE] > 0;
        levels->finest = level > levels->finest ? level : levels->finest;
        if (level > 0)
            levels->divided[carom_kicker_of(kicks, i)->group]++;
    }
}

// The longest step that element i may take now, and what of it limits its neighbours.
static double allowed(carom_levels *levels, int b, int i, const double *share, int m, double *stable) {
    const carom_kicks *kicks = &levels->flight->kicks;
    const carom_kicker *kicker = carom_kicker_of(kicks, i);
    double bound = stable_step(levels, b, i, share, m);
    bool is_small = bound >= small * levels->reference[i];
    // small strains ask for nothing, so that a divided step becomes whole again
    double want = is_small ? HUGE_VAL : spare * bound;
    double squeeze = levels->measures[carom_lane(m, CAROM_BOUND_LIMIT, CAROM_BOUND_MEASURES)];
    if (!block_of(levels, b)->block->material->barrier)
        squeeze = fmax(squeeze, ldexp(kicker->step, -CAROM_OPEN_LEVEL));
    // what is not a number stays so: no level is fine enough for it
    if (squeeze < want || isnan(squeeze))
        want = squeeze;
    // small elements that stiffen are no concern of neighbours with steps as short
    *stable = is_small || !(reach * bound < levels->near[i]) ? 0 : bound;
    const int *nodes = carom_kicker_nodes(kicker);
    for (int a = 0, n = kicks->blocks[b].node_count; a < n && levels->stiff > 0; a++)
        for (int j = kicks->begin[nodes[a]]; j < kicks->begin[nodes[a] + 1]; j++) {
            double other = memory_of(levels, kicks->ends[j].kicker)[CAROM_LEVEL_STABLE];
            if (other > 0 && reach * other < want)
                want = reach * other;
        }
    return want;
}

static void note_level(carom_levels *levels, int i, int level, double t) {
    const carom_flight *flight = levels->flight;
    double step = ldexp(carom_kicker_of(&flight->kicks, i)->step, -level);
    levels->finest = level > levels->finest ? level : levels->finest;
    carom_record_note(levels->record, level, i, flight->begin + t);
    if (*levels->shortest == 0 || step < *levels->shortest)
        *levels->shortest = step;
}

// Chooses the level of element i, number m of those looked at, at the place of its last kick in the step of its group.
static carom_status choose(carom_levels *levels, int b, int i, const double *share, int m, double t, carom_error *error) {
    const carom_flight *flight = levels->flight;
    double *memory = memory_of(levels, i), stable;
    double volume = levels->measures[carom_lane(m, CAROM_BOUND_VOLUME, CAROM_BOUND_MEASURES)];
    carom_status status =
        volume > 0 ? CAROM_OK : carom_record_inverted(flight->state, i, flight->begin + t, levels->stops, error);
    if (status)
        return status;
    const carom_kicker *kicker = carom_kicker_of(&flight->kicks, i);
    double want = allowed(levels, b, i, share, m, &stable);
    int level = (int)memory[CAROM_LEVEL], need = carom_pace_level_of(kicker->step, want), next = level;
    if (need > CAROM_PACE_FINEST) {
        char name[2 * CAROM_NAME_MAX];
        carom_model_name_element(flight->model, i, name, sizeof name);
        return carom_fail(
            error, CAROM_NUMERICAL,
            "%s is crushed to %.2g of its volume at time %g (step %lld): coarser or rounder elements there may help", name,
            volume, flight->begin + t, (long long)flight->state->step + 1);
    }
    if (need > level) {
        next = need;
        memory[CAROM_LEVEL_HELD] = 0;
    } else if (carom_pace_level_of(kicker->step, spare_to_grow * want) < level) {
        int64_t longer = (int64_t)1 << (CAROM_PACE_FINEST - level + 1);
        memory[CAROM_LEVEL_HELD]++;
        if (memory[CAROM_LEVEL_HELD] >= hold && (int64_t)memory[CAROM_LEVEL_PLACE] % longer == 0) {
            next = level - 1;
            memory[CAROM_LEVEL_HELD] = 0;
        }
    } else {
        memory[CAROM_LEVEL_HELD] = 0;
    }
    levels->stiff += (stable > 0) - (memory[CAROM_LEVEL_STABLE] > 0);
    levels->divided[kicker->group] += (next > 0) - (level > 0);
    memory[CAROM_LEVEL_STABLE] = stable;
    memory[CAROM_LEVEL] = next;
    if (next > 0)
        note_level(levels, i, next, t);
    return CAROM_OK;
}

// Kicks until the next look at elements whose fastest compression is `rate`, in steps h.
static double wait_of(const carom_levels *levels, double rate, double h) {
    double most = levels->looks[levels->flight->kicks.group_count + 1] > 0 ? patience_after_hit : patience;
    double kicks = rate > 0 ? unseen / (h * rate) : most;
    return kicks >= most ? most : kicks >= 1 ? floor(kicks) : 1;
}

bool carom_levels_tick_is_due(carom_levels *levels, bool hit) {
    double *wait = &levels->looks[levels->flight->kicks.group_count];
    return --*wait <= 0 || hit;
}

void carom_levels_note_tick(carom_levels *levels, double rate, double h) {
    levels->looks[levels->flight->kicks.group_count] = wait_of(levels, rate, h);
}

void carom_levels_note_hits(carom_levels *levels, bool hit) {
    if (!levels->flight)
        return;
    int count = levels->flight->kicks.group_count;
    levels->looks[count + 1] = hit;
    for (int g = 0; g <= count && hit; g++)
        levels->looks[g] = fmin(levels->looks[g], patience_after_hit);
}

// True if element i, number m of those looked at, asks for nothing: the common case, without divisions and roots.
static bool is_calm(const carom_levels *levels, int b, int i, double step, const double *share, int m) {
    const carom_kick_block *own = block_of(levels, b);
    int n = own->node_count;
    const double *memory = memory_of(levels, i), *calm = &levels->calm[levels->ends[b] + (int64_t)(i - own->begin) * n];
    // written such that what is not a number asks
    bool is = levels->stiff == 0 && memory[CAROM_LEVEL] == 0 && memory[CAROM_LEVEL_STABLE] == 0 &&
              levels->measures[carom_lane(m, CAROM_BOUND_LIMIT, CAROM_BOUND_MEASURES)] >= step &&
              levels->measures[carom_lane(m, CAROM_BOUND_VOLUME, CAROM_BOUND_MEASURES)] > 0;
    for (int a = 0; a < n; a++)
        is = is && share[carom_lane(m, 3 * a, 3 * n)] <= calm[a];
    return is;
}

// The largest of the rates of elements number `begin` to `end` - 1 that were looked at.
static double fastest(const carom_levels *levels, int begin, int end, double rate) {
    for (int m = begin; m < end; m++)
        rate = fmax(rate, levels->measures[carom_lane(m, CAROM_BOUND_RATE, CAROM_BOUND_MEASURES)]);
    return rate;
}

// Looks at a group at time t.
static carom_status check_group(carom_levels *levels, int g, const double *away, double t, carom_error *error) {
    carom_flight *flight = levels->flight;
    carom_kicks *kicks = &flight->kicks;
    const carom_kick_group *group = &kicks->groups[g];
    int b = carom_kicker_of(kicks, group->first)->block;
    const carom_kick_block *own = block_of(levels, b);
    double *share = levels->share + flight->model->block_slot[b], rate = 0;
    carom_status status = CAROM_OK;
    for (int i = 0; i < group->node_count; i++)
        carom_flight_place(flight, group->nodes[i], t, kicks->place[group->nodes[i]]);
    if (group->batch) {
        carom_kick_history_load(kicks, &group->batch->block, group->members, 0, group->count);
        look(levels, b, &group->batch->block, 0, group->count, (carom_const_vectors)kicks->place, share);
        rate = fastest(levels, 0, group->count, 0);
    }
    for (int m = 0; m < group->count && !status; m++) {
        int i = group->members[m], number = group->batch ? m : i - own->begin;
        if (away && away[i] > 0)
            continue;
        if (!group->batch) {
            look(levels, b, own->block, number, number + 1, (carom_const_vectors)kicks->place, share);
            rate = fastest(levels, number, number + 1, rate);
        }
        memory_of(levels, i)[CAROM_LEVEL_PLACE] = 0;
        if (!is_calm(levels, b, i, group->step, share, number))
            status = choose(levels, b, i, share, number, t, error);
    }
    levels->looks[g] = wait_of(levels, rate, group->step);
    return status;
}

carom_status carom_levels_kick_group(carom_levels *levels, int g, const double *away, double t, bool *divided,
                                     carom_error *error) {
    const carom_kicks *kicks = &levels->flight->kicks;
    const carom_kick_group *group = &kicks->groups[g];
    *divided = false;
    if (!levels->follows[carom_kicker_of(kicks, group->first)->block])
        return CAROM_OK;
    levels->looks[g]--;
    *divided = levels->divided[g] > 0;
    if (!*divided && levels->stiff == 0 && levels->looks[g] > 0)
        return CAROM_OK;
    for (int m = 0; m < group->count; m++)
        levels->length[group->members[m]] = ldexp(0.5, -carom_kick_level(kicks, group->members[m]));
    carom_status status = check_group(levels, g, away, t, error);
    *divided = *divided || levels->divided[g] > 0;
    for (int m = 0; m < group->count; m++) {
        int i = group->members[m], level = carom_kick_level(kicks, i);
        // the first kick stands for half a step to come
        levels->length[i] = (*group->number > 0 ? levels->length[i] : 0) + ldexp(0.5, -level);
        levels->record[CAROM_RECORD_PARTS] += level > 0 && !(away && away[i] > 0);
    }
    return status;
}

carom_status carom_levels_kick_part(carom_levels *levels, int i, double t, carom_error *error) {
    carom_flight *flight = levels->flight;
    carom_kicks *kicks = &flight->kicks;
    const carom_kicker *kicker = carom_kicker_of(kicks, i);
    const carom_kick_block *own = block_of(levels, kicker->block);
    const int *nodes = carom_kicker_nodes(kicker);
    double *share = levels->share + flight->model->block_slot[kicker->block], *memory = memory_of(levels, i);
    int level = (int)memory[CAROM_LEVEL], e = i - own->begin;
    for (int a = 0; a < own->node_count; a++)
        carom_flight_place(flight, nodes[a], t, kicks->place[nodes[a]]);
    memory[CAROM_LEVEL_PLACE] += ldexp(1, CAROM_PACE_FINEST - level);
    look(levels, kicker->block, own->block, e, e + 1, (carom_const_vectors)kicks->place, share);
    carom_status status = choose(levels, kicker->block, i, share, e, t, error);
    levels->length[i] = ldexp(0.5, -level) + ldexp(0.5, -(int)memory[CAROM_LEVEL]);
    levels->record[CAROM_RECORD_PARTS]++;
    return status;
}

double carom_levels_due(const carom_levels *levels, int i) {
    const carom_kicks *kicks = &levels->flight->kicks;
    const double *memory = memory_of(levels, i);
    if (memory[CAROM_LEVEL] == 0)
        return HUGE_VAL;
    const carom_kicker *kicker = carom_kicker_of(kicks, i);
    double whole = ldexp(1, CAROM_PACE_FINEST);
    double place = memory[CAROM_LEVEL_PLACE] + ldexp(whole, -(int)memory[CAROM_LEVEL]);
    return place < whole ? (carom_kicker_number(kicks, kicker) - 1 + place / whole) * kicker->step : HUGE_VAL;
}

carom_status carom_levels_choose(carom_levels *levels, const bool *wanted, const double *away, carom_error *error) {
    carom_flight *flight = levels->flight;
    carom_levels_begin(levels);
    // batches of lanes with at least one such element, in the order of the model
    for (int b = 0; b < flight->kicks.block_count; b++) {
        const carom_kick_block *own = block_of(levels, b);
        double *share = levels->share + flight->model->block_slot[b];
        for (int begin = 0; begin < own->block->count && levels->follows[b]; begin += CAROM_LANES) {
            int end = begin + CAROM_LANES < own->block->count ? begin + CAROM_LANES : own->block->count;
            bool any = false;
            for (int e = begin; e < end; e++)
                any = any || wanted[own->begin + e] || away[own->begin + e] > 0;
            if (!any)
                continue;
            look(levels, b, own->block, begin, end, (carom_const_vectors)flight->x, share);
            for (int e = begin; e < end; e++) {
                int i = own->begin + e;
                carom_status status = CAROM_OK;
                if ((wanted[i] || away[i] > 0) && !is_calm(levels, b, i, carom_kicker_of(&flight->kicks, i)->step, share, e))
                    status = choose(levels, b, i, share, e, 0, error);
                if (status)
                    return status;
            }
        }
    }
    return CAROM_OK;
}

bool carom_levels_are_tight(carom_levels *levels, int b, const carom_block *block, const int *members, double step,
                            double *rate) {
    double *share = levels->share + levels->flight->model->block_slot[b], stable;
    if (!levels->follows[b] || block->count == 0)
        return false;
    look(levels, b, block, 0, block->count, (carom_const_vectors)levels->flight->kicks.place, share);
    *rate = fastest(levels, 0, block->count, *rate);
    // ticks may be longer than the step of an element (ticks_members.c): only one that wants a finer level than it has counts
    for (int m = 0; m < block->count; m++) {
        double own = carom_kick_step(&levels->flight->kicks, members[m]);
        if (is_calm(levels, b, members[m], own, share, m))
            continue;
        if (!(fmin(step, own) <= allowed(levels, b, members[m], share, m, &stable)))
            return true;
    }
    return false;
}

carom_status carom_levels_judge(const carom_levels *levels, double before, double window, carom_error *error) {
    const carom_flight *flight = levels->flight;
    if (!flight || levels->finest <= DEEP_LEVEL ||
        flight->counts[CAROM_COUNT_ELEMENT] - before <= MOST_KICKS * levels->nominal * window)
        return CAROM_OK;
    char name[2 * CAROM_NAME_MAX];
    carom_model_name_element(flight->model, (int)levels->record[CAROM_RECORD_ELEMENT] - 1, name, sizeof name);
    return carom_fail(error, CAROM_NUMERICAL,
                      "elements kick more than %d times as often as at the start in the step at time %g (step %lld): %s is "
                      "crushed; coarser or rounder elements there may help",
                      MOST_KICKS, flight->begin, (long long)flight->state->step + 1, name);
}
