// SPDX-License-Identifier: MIT
// Recomputes the restraints of nodes with time windows for each step, from the clauses (restraints as defined) that are active
// in it.
#include "model/motion/timed_restraints.h"

#include <math.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "math/vec3.h"

bool carom_restraint_def_has_window(const carom_restraint_def *def) {
    return def->from > 0 || def->until > 0;
}

static bool holds(const carom_clause *clause, double time) {
    return time >= clause->from && !(clause->until > 0 && time >= clause->until);
}

static void velocity_of(const carom_model *model, const carom_clause *clause, double time, double velocity[3]) {
    carom_copy(clause->velocity, velocity);
    if (clause->motion >= 0)
        carom_motion_velocity(&model->drives.motions[clause->motion], time, velocity);
}

// Makes the restraint of a node from the clauses active at `time`, with the velocities at `moving`; fails if two of these
// clauses have linearly dependent directions.
static carom_status make(const carom_model *model, const carom_window_node *node, double time, double moving,
                         carom_restraint *item, carom_error *error) {
    carom_restraint made = {.node = item->node};
    for (int i = node->begin; i < node->begin + node->count; i++) {
        const carom_clause *clause = &model->windows.clauses[model->windows.of_nodes[i]];
        double velocity[3];
        if (!holds(clause, time))
            continue;
        velocity_of(model, clause, moving, velocity);
        for (int d = 0; d < clause->count; d++) {
            int before = made.count;
            if (carom_restraint_add(&made, clause->direction[d], carom_dot(clause->direction[d], velocity), error) ||
                made.count == before)
                return carom_fail(
                    error, CAROM_BAD_INPUT,
                    "node %lld: restrained twice along (%g, %g, %g) at the time %g, once by a restraint with `from` or "
                    "`until`: let only one act at a time",
                    (long long)carom_model_node_id(model, item->node), clause->direction[d][0], clause->direction[d][1],
                    clause->direction[d][2], time);
        }
    }
    *item = made;
    return CAROM_OK;
}

static carom_clause clause_of(const carom_restraint_def *def, int motion) {
    carom_clause clause = {.count = def->direction_count, .motion = motion, .from = def->from, .until = def->until};
    carom_copy(def->velocity, clause.velocity);
    for (int d = 0; d < def->direction_count; d++) {
        carom_copy(def->direction[d], clause.direction[d]);
        carom_normalize(clause.direction[d]);
    }
    return clause;
}

// Lists, for each node that has a window, the restraints that select it: first counted, then filled.
static bool list_clauses(carom_model *model, const carom_model_def *def, const carom_named *named, int *place) {
    carom_windows *windows = &model->windows;
    const int *item = model->restraints.of_node;
    for (int r = 0; r < def->restraint_count; r++)
        for (int i = 0; i < named[r].count && carom_restraint_def_has_window(&def->restraints[r]); i++)
            place[item[named[r].nodes[i]]] = 0;
    for (int r = 0; r < model->restraints.count; r++)
        place[r] = place[r] < 0 ? -1 : windows->count++;
    windows->nodes = carom_arena_allocate(model->arena, windows->count, sizeof *windows->nodes);
    if (!windows->nodes)
        return false;
    for (int r = 0; r < def->restraint_count; r++)
        for (int i = 0; i < named[r].count; i++)
            if (place[item[named[r].nodes[i]]] >= 0)
                windows->nodes[place[item[named[r].nodes[i]]]].count++;
    int total = 0;
    for (int r = 0; r < model->restraints.count; r++)
        if (place[r] >= 0) {
            carom_window_node *node = &windows->nodes[place[r]];
            node->restraint = r;
            node->begin = total;
            total += node->count;
            node->count = 0;
        }
    windows->of_nodes = carom_arena_allocate(model->arena, total, sizeof *windows->of_nodes);
    for (int r = 0; r < def->restraint_count && windows->of_nodes; r++)
        for (int i = 0; i < named[r].count; i++)
            if (place[item[named[r].nodes[i]]] >= 0) {
                carom_window_node *node = &windows->nodes[place[item[named[r].nodes[i]]]];
                windows->of_nodes[node->begin + node->count++] = r;
            }
    return windows->of_nodes;
}

// Any set of clauses that are active together is active when the last of them begins: only the beginnings need be checked.
static carom_status try_all(const carom_model *model, carom_error *error) {
    for (int n = 0; n < model->windows.count; n++) {
        const carom_window_node *node = &model->windows.nodes[n];
        for (int i = node->begin; i < node->begin + node->count; i++) {
            carom_restraint item = model->restraints.items[node->restraint];
            double time = fmax(0, model->windows.clauses[model->windows.of_nodes[i]].from);
            carom_error reason;
            if (make(model, node, time, time, &item, &reason))
                return carom_fail(error, CAROM_BAD_INPUT, "restraint of body '%s': %s",
                                  model->bodies[carom_model_node_body(model, item.node)].name, reason.message);
        }
    }
    return CAROM_OK;
}

carom_status carom_model_add_windows(carom_model *model, const carom_model_def *def, const carom_named *named,
                                     carom_error *error) {
    carom_windows *windows = &model->windows;
    bool any = false;
    for (int r = 0; r < def->restraint_count; r++) {
        const carom_restraint_def *restraint = &def->restraints[r];
        if (!isfinite(restraint->from) || !(restraint->from >= 0) || isnan(restraint->until) ||
            (restraint->until > 0 && restraint->until <= restraint->from) || restraint->until < 0)
            return carom_fail(error, CAROM_BAD_INPUT, "restraint of body '%s': expected 0 <= `from` < `until`, found %g and %g",
                              restraint->where.body, restraint->from, restraint->until);
        any = any || carom_restraint_def_has_window(restraint);
        if (carom_restraint_def_has_window(restraint) && restraint->clamped)
            return carom_fail(error, CAROM_BAD_INPUT, "restraint of body '%s': clamped frames cannot have `from` or `until`",
                              restraint->where.body);
    }
    if (!any)
        return CAROM_OK;
    windows->clause_count = def->restraint_count;
    windows->clauses = carom_arena_allocate(model->arena, def->restraint_count, sizeof *windows->clauses);
    int *place = carom_arena_allocate(model->arena, model->restraints.count, sizeof *place);
    if (!windows->clauses || !place)
        return carom_no_memory(error, "the restraints");
    for (int r = 0; r < def->restraint_count; r++)
        windows->clauses[r] = clause_of(&def->restraints[r], named[r].motion);
    for (int r = 0; r < model->restraints.count; r++)
        place[r] = -1;
    windows->of_restraint = place;
    return list_clauses(model, def, named, place) ? try_all(model, error) : carom_no_memory(error, "the restraints");
}

bool carom_model_is_windowed(const carom_model *model, int restraint) {
    return model->windows.of_restraint && model->windows.of_restraint[restraint] >= 0;
}

void carom_model_open_windows(const carom_model *model, double time, double moving, carom_restraint *restraints) {
    for (int n = 0; n < model->windows.count; n++) {
        const carom_window_node *node = &model->windows.nodes[n];
        make(model, node, time, moving, &restraints[node->restraint], NULL);
    }
}

void carom_window_release(const carom_restraint *old, const carom_restraint *now, double after, double h, double mass,
                          const double force[3], double w[3]) {
    double before[3], freed[3];
    carom_copy(force, before);
    carom_copy(force, freed);
    carom_restraint_project(old, before);
    carom_restraint_project(now, freed);
    // directions that are free now and were not before
    carom_add_scaled(-1, before, freed);
    carom_restraint_project(now, freed);
    carom_add_scaled(-(1 - after) * h / mass, freed, w);
}

uint64_t carom_model_windows_hash(uint64_t h, const carom_model *model) {
    const carom_windows *windows = &model->windows;
    for (int i = 0; i < windows->clause_count; i++) {
        const carom_clause *clause = &windows->clauses[i];
        double numbers[] = {clause->count, clause->motion, clause->from, clause->until};
        h = carom_hash(h, numbers, sizeof numbers);
        h = carom_hash(h, clause->direction, sizeof clause->direction);
        h = carom_hash(h, clause->velocity, sizeof clause->velocity);
    }
    for (int n = 0; n < windows->count; n++)
        h = carom_hash(h, &windows->of_nodes[windows->nodes[n].begin], (size_t)windows->nodes[n].count * sizeof(int));
    return h;
}
