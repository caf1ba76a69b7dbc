// SPDX-License-Identifier: MIT
// Theory: docs/theory/asynchronous.md
// Divides the steps of single elements of `asynchronous` that have become stiffer or are compressed fast: the adaptive rule of
// newmark-dcr (integrator/step_limit.c), element by element. The stiffness of element e is bounded by a diagonal matrix,
// K_e <= diag(s_ea). With mu_ea the part of the mass of node a assigned to e, sum_e mu_ea = m_a (kick_steps.c), the frequencies
// of the body are at most max_e 2/c_e, c_e = 2 sqrt(min_a mu_ea/s_ea). The step h_e of the reference configuration is divided
// by the smallest power of two that makes it no longer than 0.9 c_e, nor than the time in which the element would be compressed
// by half.
//
// Substeps of length h lie at multiples of h after the last kick of the group. So an element whose step is no longer divided
// kicks together with its group again. A kick between substeps h- and h+ has the length (h- + h+)/2.
#include "integrator/asynchronous/element_step_division.h"

#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "element/element.h"
#include "integrator/asynchronous/kick_history.h"
#include "integrator/step_limit.h"
#include "material/material.h"
#include "model/forces/forces.h"
#include "model/limits.h"
#include "model/rigid.h"
#include "model/watch/frequency_bound.h"

// Strains are small while the stable step exceeds this fraction of that at the reference.
static const double small_strain_ratio = CAROM_UNSTRAINED_STEP_RATIO;

// Fraction of the stable step that is used: the stiffness may grow further until the next kick.
static const double step_safety = CAROM_STEP_SAFETY;

// A substep is doubled if, at so many successive checks, the doubled one was shorter than this fraction of the longest allowed.
static const double coarsening_safety = 0.9;
static const double checks_before_coarsening = 16;

// Longest step of an element over the stable step of a neighbour that has become stiffer (resonance, kick_steps.c).
static const double neighbour_step_ratio = 1;

// Elements are checked again before one is compressed by this fraction, and after so many of their critical steps at most ...
static const double max_strain_between_checks = 0.1;
static const double max_steps_between_checks = 4;
// ... or after so many if there were impacts, which send waves through the elements: one crosses an element in a critical step.
static const double max_steps_after_hit = 1;

enum {
    // With elements above this level, a run with more than so many times the kicks of undivided steps is stopped.
    DEEP_LEVEL = 12,
    MOST_KICKS = 64
};

static double *memory_of(const carom_levels *levels, int i) {
    return &levels->flight->kicks.levels[(int64_t)CAROM_LEVEL_NUMBERS * i];
}

static const carom_kick_block *block_of(const carom_levels *levels, int b) {
    return &levels->flight->kicks.blocks[b];
}

// The stable step c_e of element i by its stiffness bound, number m of `bounds`.
static double stable_step(const carom_levels *levels, int b, int i, const double *bounds, int m) {
    const carom_kick_block *own = block_of(levels, b);
    int n = own->node_count;
    const double *mass = &levels->mass[levels->first_node[b] + (int64_t)(i - own->begin) * n];
    double most = 0;
    for (int a = 0; a < n; a++) {
        double square = bounds[carom_lane(m, 3 * a, 3 * n)] / mass[a];
        // NaN counts as the largest
        most = square <= most ? most : square;
    }
    return 2 / sqrt(most);
}

// Elements that reach beyond their cells have no masses mu_ea from kick_steps.c: the nodal masses are distributed to them in
// proportion to their stiffness bounds at the reference.
static void distribute_masses(carom_levels *levels, double *sum) {
    const carom_model *model = levels->flight->model;
    for (int pass = 0; pass < 2; pass++)
        for (int b = 0; b < model->block_count; b++) {
            const carom_kick_block *own = block_of(levels, b);
            int n = own->node_count;
            if (!levels->stiffens[b] || !own->block->element->arrange)
                continue;
            for (int e = 0; e < own->block->count; e++)
                for (int a = 0; a < n; a++) {
                    int k = own->block->nodes[(int64_t)e * n + a];
                    double s = levels->stiffness_bound[model->block_slot[b] + carom_lane(e, 3 * a, 3 * n)];
                    if (pass == 0)
                        sum[k] += s;
                    else
                        levels->mass[levels->first_node[b] + (int64_t)e * n + a] =
                            sum[k] > 0 ? carom_model_node_mass(model, k) * s / sum[k] : 0;
                }
        }
}

// Stiffness bounds, compression rates and volumes of elements begin ... end - 1 of a block at the positions x.
static void evaluate_bounds(carom_levels *levels, int b, const carom_block *block, int begin, int end, const double (*x)[3],
                            double *bounds) {
    const carom_flight *flight = levels->flight;
    carom_kinematics motion = {(carom_const_vectors)flight->model->X, x, (carom_const_vectors)flight->w,
                               (carom_const_vectors)levels->zero_velocities};
    if (levels->stiffens[b])
        block->element->bound(block, begin, end, &motion, bounds, levels->measures);
}

// Elements that do not exist, and elements with undivided steps, have zeros.
static carom_limits limits_of(const void *owner, const carom_state *state, int64_t i) {
    static const carom_limits limits[CAROM_LEVEL_NUMBERS] = {[CAROM_LEVEL] = {0, CAROM_PACE_FINEST, true},
                                                             [CAROM_LEVEL_HELD] = {0, 0x1p53, true},
                                                             [CAROM_LEVEL_PLACE] = {0, 1 << CAROM_PACE_FINEST, true},
                                                             [CAROM_LEVEL_STABLE] = {0, CAROM_STATE_FINITE, false}};
    (void)state;
    bool exists = carom_kick_exists(owner, (int)(i / CAROM_LEVEL_NUMBERS));
    return exists ? limits[i % CAROM_LEVEL_NUMBERS] : (carom_limits){0, 0, true};
}

carom_status carom_levels_create(carom_levels *levels, carom_flight *flight, double beta, const double *mass,
                                 carom_arena *arena, carom_error *error) {
    const carom_model *model = flight->model;
    carom_kicks *kicks = &flight->kicks;
    int n = model->node_count;
    *levels = (carom_levels){.flight = flight, .beta = beta};
    kicks->levels = carom_state_add_dormant(flight->state, "levels", (int64_t)CAROM_LEVEL_NUMBERS * kicks->count);
    carom_state_limit(flight->state, kicks->levels, limits_of, kicks);
    levels->record = carom_record_register(flight->state);
    levels->kicks_to_check = carom_state_add_silent(flight->state, "checks", kicks->group_count + 2);
    levels->shortest = flight->state->method.shortest = carom_state_add_silent(flight->state, "shortest step", 1);
    bool enough = kicks->levels && levels->record && levels->kicks_to_check && levels->shortest;
    levels->stiffens = carom_arena_reserve(arena, model->block_count, sizeof *levels->stiffens, &enough);
    levels->first_node = carom_arena_reserve(arena, model->block_count, sizeof *levels->first_node, &enough);
    levels->mass = carom_arena_reserve(arena, model->element_node_count, sizeof *levels->mass, &enough);
    levels->small_strain_bound =
        carom_arena_reserve(arena, model->element_node_count, sizeof *levels->small_strain_bound, &enough);
    levels->reference = carom_arena_reserve(arena, kicks->count, sizeof *levels->reference, &enough);
    levels->neighbour_step = carom_arena_reserve(arena, kicks->count, sizeof *levels->neighbour_step, &enough);
    levels->length = carom_arena_reserve(arena, kicks->count, sizeof *levels->length, &enough);
    levels->divided_count = carom_arena_reserve(arena, kicks->group_count, sizeof *levels->divided_count, &enough);
    levels->stiffness_bound =
        carom_arena_reserve(arena, carom_model_slot_count(model), sizeof *levels->stiffness_bound, &enough);
    levels->measures = carom_arena_reserve(arena, carom_stiffening_buffer(model), sizeof *levels->measures, &enough);
    levels->zero_velocities = carom_arena_reserve(arena, n, sizeof *levels->zero_velocities, &enough);
    double *sum = carom_arena_reserve(arena, n, sizeof *sum, &enough);
    if (!enough)
        return carom_no_memory(error, "the steps of elements");

    memcpy(levels->mass, mass, (size_t)model->element_node_count * sizeof *mass);
    for (int b = 0, end = 0; b < model->block_count; b++) {
        // the reference configuration has no plastic strain
        carom_block fresh = model->blocks[b], *block = &fresh;
        fresh.history = fresh.losses = NULL;
        levels->first_node[b] = end;
        end += block->count * block->node_count;
        levels->stiffens[b] = block->element->stiffens && block->element->stiffens(block);
        evaluate_bounds(levels, b, block, 0, block->count, (carom_const_vectors)model->X,
                        levels->stiffness_bound + model->block_slot[b]);
    }
    distribute_masses(levels, sum);
    for (int i = 0; i < kicks->count; i++) {
        if (!carom_kick_exists(kicks, i))
            continue;
        const carom_kicker *kicker = carom_kicker_of(kicks, i);
        int b = kicker->block;
        levels->undivided_rate += 1 / kicker->step;
        for (int a = 0; a < kicks->blocks[b].node_count; a++)
            for (int k = carom_kicker_nodes(kicker)[a], j = kicks->begin[k]; j < kicks->begin[k + 1]; j++)
                levels->neighbour_step[i] =
                    fmax(levels->neighbour_step[i], carom_kicker_of(kicks, kicks->ends[j].kicker)->step);
        if (!levels->stiffens[b])
            continue;
        int e = i - kicks->blocks[b].begin;
        levels->reference[i] = stable_step(levels, b, i, levels->stiffness_bound + model->block_slot[b], e);
        for (int a = 0, m = kicks->blocks[b].node_count; a < m; a++) {
            double omega = 2 / (small_strain_ratio * levels->reference[i]);
            int64_t end = levels->first_node[b] + (int64_t)e * m + a;
            levels->small_strain_bound[end] = levels->mass[end] * omega * omega;
        }
    }
    return CAROM_OK;
}

void carom_levels_begin(carom_levels *levels) {
    if (!levels->flight)
        return;
    const carom_kicks *kicks = &levels->flight->kicks;
    memset(levels->divided_count, 0, (size_t)kicks->group_count * sizeof *levels->divided_count);
    levels->limiting_count = levels->finest_level = 0;
    for (int i = 0; i < kicks->count; i++) {
        const double *memory = memory_of(levels, i);
        int level = (int)memory[CAROM_LEVEL];
        levels->limiting_count += memory[CAROM_LEVEL_STABLE] > 0;
        levels->finest_level = level > levels->finest_level ? level : levels->finest_level;
        if (level > 0)
            levels->divided_count[carom_kicker_of(kicks, i)->group]++;
    }
}

// The longest step that element i may take now. *stable: its stable step if that limits its neighbours, else 0.
static double longest_step(carom_levels *levels, int b, int i, const double *bounds, int m, double *stable) {
    const carom_kicks *kicks = &levels->flight->kicks;
    const carom_kicker *kicker = carom_kicker_of(kicks, i);
    double bound = stable_step(levels, b, i, bounds, m);
    bool is_small = bound >= small_strain_ratio * levels->reference[i];
    // small strains set no limit, so that the step becomes undivided again
    double longest = is_small ? HUGE_VAL : step_safety * bound;
    double squeeze = levels->measures[carom_lane(m, CAROM_BOUND_LIMIT, CAROM_BOUND_MEASURES)];
    if (!block_of(levels, b)->block->material->barrier)
        squeeze = fmax(squeeze, ldexp(kicker->step, -CAROM_FINEST_LEVEL_WITHOUT_BARRIER));
    // NaN is kept: no level is fine enough for it
    if (squeeze < longest || isnan(squeeze))
        longest = squeeze;
    // a stable step that is longer than all steps of neighbours does not limit them
    *stable = is_small || !(neighbour_step_ratio * bound < levels->neighbour_step[i]) ? 0 : bound;
    const int *nodes = carom_kicker_nodes(kicker);
    for (int a = 0, n = kicks->blocks[b].node_count; a < n && levels->limiting_count > 0; a++)
        for (int j = kicks->begin[nodes[a]]; j < kicks->begin[nodes[a] + 1]; j++) {
            double other = memory_of(levels, kicks->ends[j].kicker)[CAROM_LEVEL_STABLE];
            if (other > 0 && neighbour_step_ratio * other < longest)
                longest = neighbour_step_ratio * other;
        }
    return longest;
}

static void note_level(carom_levels *levels, int i, int level, double t) {
    const carom_flight *flight = levels->flight;
    double step = ldexp(carom_kicker_of(&flight->kicks, i)->step, -level);
    levels->finest_level = level > levels->finest_level ? level : levels->finest_level;
    carom_record_note(levels->record, level, i, flight->begin + t);
    if (*levels->shortest == 0 || step < *levels->shortest)
        *levels->shortest = step;
}

// Chooses the level of element i, number m of the elements evaluated, at the place of its last kick in the step of its group.
static carom_status choose_level(carom_levels *levels, int b, int i, const double *bounds, int m, double t,
                                 carom_error *error) {
    const carom_flight *flight = levels->flight;
    double *memory = memory_of(levels, i), stable;
    double volume = levels->measures[carom_lane(m, CAROM_BOUND_VOLUME, CAROM_BOUND_MEASURES)];
    carom_status status =
        volume > 0 ? CAROM_OK : carom_record_inverted(flight->state, i, flight->begin + t, levels->stops, error);
    if (status)
        return status;
    const carom_kicker *kicker = carom_kicker_of(&flight->kicks, i);
    double longest = longest_step(levels, b, i, bounds, m, &stable);
    int level = (int)memory[CAROM_LEVEL], required = carom_pace_level_of(kicker->step, longest), next = level;
    if (required > CAROM_PACE_FINEST) {
        char name[2 * CAROM_NAME_MAX];
        carom_model_name_element(flight->model, i, name, sizeof name);
        return carom_fail(
            error, CAROM_NUMERICAL,
            "%s is crushed to %.2g of its volume at time %g (step %lld): coarser or rounder elements there may help", name,
            volume, flight->begin + t, (long long)flight->state->step + 1);
    }
    if (required > level) {
        next = required;
        memory[CAROM_LEVEL_HELD] = 0;
    } else if (carom_pace_level_of(kicker->step, coarsening_safety * longest) < level) {
        int64_t longer = (int64_t)1 << (CAROM_PACE_FINEST - level + 1);
        memory[CAROM_LEVEL_HELD]++;
        if (memory[CAROM_LEVEL_HELD] >= checks_before_coarsening && (int64_t)memory[CAROM_LEVEL_PLACE] % longer == 0) {
            next = level - 1;
            memory[CAROM_LEVEL_HELD] = 0;
        }
    } else {
        memory[CAROM_LEVEL_HELD] = 0;
    }
    levels->limiting_count += (stable > 0) - (memory[CAROM_LEVEL_STABLE] > 0);
    levels->divided_count[kicker->group] += (next > 0) - (level > 0);
    memory[CAROM_LEVEL_STABLE] = stable;
    memory[CAROM_LEVEL] = next;
    if (next > 0)
        note_level(levels, i, next, t);
    return CAROM_OK;
}

// The most kicks until the next check.
static double longest_wait(const carom_levels *levels, bool hit) {
    return fmax(1, floor((hit ? max_steps_after_hit : max_steps_between_checks) / levels->beta));
}

// Kicks at intervals h until the next check of elements with the largest compression rate `rate`.
static double kicks_to_next_check(const carom_levels *levels, double rate, double h) {
    double most = longest_wait(levels, levels->kicks_to_check[levels->flight->kicks.group_count + 1] > 0);
    double kicks = rate > 0 ? max_strain_between_checks / (h * rate) : most;
    return kicks >= most ? most : kicks >= 1 ? floor(kicks) : 1;
}

bool carom_levels_tick_is_due(carom_levels *levels, bool hit) {
    double *wait = &levels->kicks_to_check[levels->flight->kicks.group_count];
    return --*wait <= 0 || hit;
}

void carom_levels_note_tick(carom_levels *levels, double rate, double h) {
    levels->kicks_to_check[levels->flight->kicks.group_count] = kicks_to_next_check(levels, rate, h);
}

void carom_levels_note_hits(carom_levels *levels, bool hit) {
    if (!levels->flight)
        return;
    int count = levels->flight->kicks.group_count;
    levels->kicks_to_check[count + 1] = hit;
    for (int g = 0; g <= count && hit; g++)
        levels->kicks_to_check[g] = fmin(levels->kicks_to_check[g], longest_wait(levels, true));
}

// True if element i, number m of the elements evaluated, keeps its undivided step and limits no neighbour: the common case,
// found without divisions and roots.
static bool keeps_full_step(const carom_levels *levels, int b, int i, double step, const double *bounds, int m) {
    const carom_kick_block *own = block_of(levels, b);
    int n = own->node_count;
    const double *memory = memory_of(levels, i),
                 *small_strain = &levels->small_strain_bound[levels->first_node[b] + (int64_t)(i - own->begin) * n];
    // comparisons with NaN are false
    bool is = levels->limiting_count == 0 && memory[CAROM_LEVEL] == 0 && memory[CAROM_LEVEL_STABLE] == 0 &&
              levels->measures[carom_lane(m, CAROM_BOUND_LIMIT, CAROM_BOUND_MEASURES)] >= step &&
              levels->measures[carom_lane(m, CAROM_BOUND_VOLUME, CAROM_BOUND_MEASURES)] > 0;
    for (int a = 0; a < n; a++)
        is = is && bounds[carom_lane(m, 3 * a, 3 * n)] <= small_strain[a];
    return is;
}

// The largest of `rate` and of the compression rates of elements begin ... end - 1 of those evaluated.
static double largest_rate(const carom_levels *levels, int begin, int end, double rate) {
    for (int m = begin; m < end; m++)
        rate = fmax(rate, levels->measures[carom_lane(m, CAROM_BOUND_RATE, CAROM_BOUND_MEASURES)]);
    return rate;
}

// Evaluates the elements of a group at time t and chooses their levels.
static carom_status check_group(carom_levels *levels, int g, const double *on_tick, double t, carom_error *error) {
    carom_flight *flight = levels->flight;
    carom_kicks *kicks = &flight->kicks;
    const carom_kick_group *group = &kicks->groups[g];
    int b = carom_kicker_of(kicks, group->first)->block;
    const carom_kick_block *own = block_of(levels, b);
    double *bounds = levels->stiffness_bound + flight->model->block_slot[b], rate = 0;
    carom_status status = CAROM_OK;
    for (int i = 0; i < group->node_count; i++)
        carom_flight_place(flight, group->nodes[i], t, kicks->place[group->nodes[i]]);
    if (group->batch) {
        carom_kick_history_load(kicks, &group->batch->block, group->members, 0, group->count);
        evaluate_bounds(levels, b, &group->batch->block, 0, group->count, (carom_const_vectors)kicks->place, bounds);
        rate = largest_rate(levels, 0, group->count, 0);
    }
    for (int m = 0; m < group->count && !status; m++) {
        int i = group->members[m], number = group->batch ? m : i - own->begin;
        if (on_tick && on_tick[i] > 0)
            continue;
        if (!group->batch) {
            evaluate_bounds(levels, b, own->block, number, number + 1, (carom_const_vectors)kicks->place, bounds);
            rate = largest_rate(levels, number, number + 1, rate);
        }
        memory_of(levels, i)[CAROM_LEVEL_PLACE] = 0;
        if (!keeps_full_step(levels, b, i, group->step, bounds, number))
            status = choose_level(levels, b, i, bounds, number, t, error);
    }
    levels->kicks_to_check[g] = kicks_to_next_check(levels, rate, group->step);
    return status;
}

carom_status carom_levels_kick_group(carom_levels *levels, int g, const double *on_tick, double t, bool *divided,
                                     carom_error *error) {
    const carom_kicks *kicks = &levels->flight->kicks;
    const carom_kick_group *group = &kicks->groups[g];
    *divided = false;
    if (!levels->stiffens[carom_kicker_of(kicks, group->first)->block])
        return CAROM_OK;
    levels->kicks_to_check[g]--;
    *divided = levels->divided_count[g] > 0;
    if (!*divided && levels->limiting_count == 0 && levels->kicks_to_check[g] > 0)
        return CAROM_OK;
    for (int m = 0; m < group->count; m++)
        levels->length[group->members[m]] = ldexp(0.5, -carom_kick_level(kicks, group->members[m]));
    carom_status status = check_group(levels, g, on_tick, t, error);
    *divided = *divided || levels->divided_count[g] > 0;
    for (int m = 0; m < group->count; m++) {
        int i = group->members[m], level = carom_kick_level(kicks, i);
        // the first kick covers half a step after it, and none before
        levels->length[i] = (*group->number > 0 ? levels->length[i] : 0) + ldexp(0.5, -level);
        levels->record[CAROM_RECORD_PARTS] += level > 0 && !(on_tick && on_tick[i] > 0);
    }
    return status;
}

carom_status carom_levels_kick_part(carom_levels *levels, int i, double t, carom_error *error) {
    carom_flight *flight = levels->flight;
    carom_kicks *kicks = &flight->kicks;
    const carom_kicker *kicker = carom_kicker_of(kicks, i);
    const carom_kick_block *own = block_of(levels, kicker->block);
    const int *nodes = carom_kicker_nodes(kicker);
    double *bounds = levels->stiffness_bound + flight->model->block_slot[kicker->block], *memory = memory_of(levels, i);
    int level = (int)memory[CAROM_LEVEL], e = i - own->begin;
    for (int a = 0; a < own->node_count; a++)
        carom_flight_place(flight, nodes[a], t, kicks->place[nodes[a]]);
    memory[CAROM_LEVEL_PLACE] += ldexp(1, CAROM_PACE_FINEST - level);
    evaluate_bounds(levels, kicker->block, own->block, e, e + 1, (carom_const_vectors)kicks->place, bounds);
    carom_status status = choose_level(levels, kicker->block, i, bounds, e, t, error);
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

carom_status carom_levels_choose(carom_levels *levels, const bool *wanted, const double *on_tick, carom_error *error) {
    carom_flight *flight = levels->flight;
    carom_levels_begin(levels);
    // whole batches of lanes that contain at least one such element, in the order of the model
    for (int b = 0; b < flight->kicks.block_count; b++) {
        const carom_kick_block *own = block_of(levels, b);
        double *bounds = levels->stiffness_bound + flight->model->block_slot[b];
        for (int begin = 0; begin < own->block->count && levels->stiffens[b]; begin += CAROM_LANES) {
            int end = begin + CAROM_LANES < own->block->count ? begin + CAROM_LANES : own->block->count;
            bool any = false;
            for (int e = begin; e < end; e++)
                any = any || wanted[own->begin + e] || on_tick[own->begin + e] > 0;
            if (!any)
                continue;
            evaluate_bounds(levels, b, own->block, begin, end, (carom_const_vectors)flight->x, bounds);
            for (int e = begin; e < end; e++) {
                int i = own->begin + e;
                carom_status status = CAROM_OK;
                if ((wanted[i] || on_tick[i] > 0) &&
                    !keeps_full_step(levels, b, i, carom_kicker_of(&flight->kicks, i)->step, bounds, e))
                    status = choose_level(levels, b, i, bounds, e, 0, error);
                if (status)
                    return status;
            }
        }
    }
    return CAROM_OK;
}

bool carom_levels_are_tight(carom_levels *levels, int b, const carom_block *block, const int *members, double step,
                            double *rate) {
    double *bounds = levels->stiffness_bound + levels->flight->model->block_slot[b], stable;
    if (!levels->stiffens[b] || block->count == 0)
        return false;
    evaluate_bounds(levels, b, block, 0, block->count, (carom_const_vectors)levels->flight->kicks.place, bounds);
    *rate = largest_rate(levels, 0, block->count, *rate);
    // ticks may be longer than the step of an element (ticks_members.c): only elements that need a finer level count
    for (int m = 0; m < block->count; m++) {
        double own = carom_kick_step(&levels->flight->kicks, members[m]);
        if (keeps_full_step(levels, b, members[m], own, bounds, m))
            continue;
        if (!(fmin(step, own) <= longest_step(levels, b, members[m], bounds, m, &stable)))
            return true;
    }
    return false;
}

carom_status carom_levels_check_kicks(const carom_levels *levels, double before, double window, carom_error *error) {
    const carom_flight *flight = levels->flight;
    if (!flight || levels->finest_level <= DEEP_LEVEL ||
        flight->counts[CAROM_COUNT_ELEMENT] - before <= MOST_KICKS * levels->undivided_rate * window)
        return CAROM_OK;
    char name[2 * CAROM_NAME_MAX];
    carom_model_name_element(flight->model, (int)levels->record[CAROM_RECORD_ELEMENT] - 1, name, sizeof name);
    return carom_fail(error, CAROM_NUMERICAL,
                      "elements kick more than %d times as often as with undivided steps in the step at time %g (step %lld): "
                      "%s is crushed; coarser or rounder elements there may help",
                      MOST_KICKS, flight->begin, (long long)flight->state->step + 1, name);
}
