// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// Completes the ties of a model: applies restraints to the rows (linear constraints between nodes) that ties.c has found,
// solves them for slave nodes, and projects the initial velocities onto what they allow.
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/disjoint_sets.h"
#include "base/hash.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/ties.h"
#include "tied/projector.h"

static const carom_body *body_at(const carom_model *model, int node) {
    return &model->bodies[carom_model_node_body(model, node)];
}

bool (*carom_model_held_components(const carom_model *model))[3] {
    bool(*held)[3] = carom_allocate(model->node_count, sizeof *held);
    for (int r = 0; held && r < model->restraints.count; r++) {
        const carom_restraint *item = &model->restraints.items[r];
        for (int d = 0; d < 3; d++)
            held[item->node][d] = item->count == 3;
        for (int i = 0; i < item->count && item->count < 3; i++)
            if (carom_axis_of(item->direction[i]) >= 0)
                held[item->node][carom_axis_of(item->direction[i])] = true;
    }
    return held;
}

// Ties are solved along x, y and z: restraints of their nodes must be along these axes.
static carom_status check_restraints(const carom_model *model, carom_error *error) {
    const carom_tie_rows *rows = &model->ties.rows;
    for (int i = 0; i < rows->begin[rows->count]; i++) {
        const carom_restraint *r = carom_restraint_of(&model->restraints, rows->node[i]);
        for (int d = 0; r && d < r->count && r->count < 3; d++)
            if (carom_axis_of(r->direction[d]) < 0)
                return carom_fail(
                    error, CAROM_BAD_INPUT,
                    "node %lld of body '%s' is tied and restrained along (%.3g, %.3g, %.3g): nodes of ties may be "
                    "restrained along x, y and z only, or by `fix: xyz`",
                    (long long)carom_model_node_id(model, rows->node[i]), body_at(model, rows->node[i])->name,
                    r->direction[d][0], r->direction[d][1], r->direction[d][2]);
    }
    return CAROM_OK;
}

static bool is_any_active(const carom_tie_rows *rows, int begin, int end, const bool (*held)[3]) {
    for (int r = begin; r < end; r++)
        for (int c = 0; c < 3; c++)
            if (carom_tie_row_is_active(rows, r, held, c))
                return true;
    return false;
}

// If a slave node is restrained and its master nodes are free, the tie between them would be lost without notice: this is
// refused.
static carom_status check_slaves(const carom_model *model, const bool (*held)[3], carom_error *error) {
    const carom_tie_rows *rows = &model->ties.rows;
    for (int r = 0; r < rows->surfaces; r++)
        for (int c = 0; c < 3; c++) {
            int k = rows->node[rows->begin[r]];
            if (carom_tie_row_is_lost(rows, r, held, c))
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "node %lld of body '%s' cannot follow body '%s' along %c: it is restrained, and the nodes "
                                  "opposite are not; exchange `from` and `to`, or restrain the other side there as well",
                                  (long long)carom_model_node_id(model, k), body_at(model, k)->name,
                                  body_at(model, rows->node[rows->begin[r] + 1])->name, "xyz"[c]);
        }
    return CAROM_OK;
}

// A tie or connection without any effect is an error of the input.
static carom_status check_activity(const carom_model *model, const carom_model_def *def, const bool (*held)[3],
                                   carom_error *error) {
    const carom_tie_rows *rows = &model->ties.rows;
    for (int t = 0; t < def->tie_count; t++) {
        int begin = model->ties.tie_begin[t], end = t + 1 < def->tie_count ? model->ties.tie_begin[t + 1] : rows->surfaces;
        // ties to rigid bodies have no rows
        if (begin < end && !is_any_active(rows, begin, end, held))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the nodes of '%s' and those of '%s' that they follow are all restrained: nothing is tied; "
                              "remove the tie, or restrain one side only",
                              def->ties[t].from.body, def->ties[t].to.body);
    }
    for (int c = 0; c < def->connection_count; c++)
        if (!is_any_active(rows, rows->surfaces + c, rows->surfaces + c + 1, held))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the points of '%s' and '%s' are both restrained: nothing is connected; remove the connection, "
                              "or restrain one side only",
                              def->connections[c].from.body, def->connections[c].to.body);
    return CAROM_OK;
}

// Finds the groups of bodies that ties connect, directly or through others.
static bool find_islands(carom_model *model) {
    carom_ties *ties = &model->ties;
    const carom_tie_rows *rows = &ties->rows;
    ties->island = carom_arena_allocate(model->arena, model->body_count, sizeof *ties->island);
    if (!ties->island)
        return false;
    carom_disjoint_start(ties->island, model->body_count);
    for (int r = 0; r < rows->count; r++)
        for (int i = rows->begin[r] + 1; i < rows->begin[r + 1]; i++)
            carom_disjoint_join(ties->island,
                                carom_disjoint_find(ties->island, carom_model_node_body(model, rows->node[rows->begin[r]])),
                                carom_disjoint_find(ties->island, carom_model_node_body(model, rows->node[i])));
    for (int b = 0; b < model->body_count; b++)
        ties->island[b] = carom_disjoint_find(ties->island, b);
    return true;
}

// Projects the initial velocities onto the ties: the nearest ones that satisfy them, with the same momenta.
static carom_status project_velocities(carom_model *model, const bool (*held)[3], carom_error *error) {
    double jump = carom_tie_rows_largest(&model->ties.rows, (carom_const_vectors)model->v0), speed = 0;
    for (int k = 0; k < model->node_count; k++)
        speed = fmax(speed, carom_norm(model->v0[k]));
    // a difference due to rounding is not corrected
    if (!(jump > 1e-12 * speed))
        return CAROM_OK;
    carom_projector projector;
    carom_status status = carom_projector_create(&model->ties.rows, model->node_count, model->mass, held, &projector, error);
    if (!status)
        carom_projector_run(&projector, NULL, model->v0, NULL);
    model->ties.report.jump = jump;
    carom_projector_release(&projector);
    return status;
}

carom_status carom_model_add_ties(carom_model *model, const carom_model_def *def, carom_error *error) {
    if (!carom_ties_any(&model->ties))
        return CAROM_OK;
    carom_status status = check_restraints(model, error);
    bool(*held)[3] = carom_model_held_components(model);
    if (!status && !held)
        status = carom_no_memory(error, "the ties");
    if (!status)
        status = check_slaves(model, (const bool(*)[3])held, error);
    if (!status)
        status = check_activity(model, def, (const bool(*)[3])held, error);
    if (!status)
        status = carom_elimination_create(&model->ties.rows, model->node_count, (const bool(*)[3])held, model->arena,
                                          &model->ties.elimination, error);
    if (!status && !find_islands(model))
        status = carom_no_memory(error, "the ties");
    if (!status)
        status = project_velocities(model, (const bool(*)[3])held, error);
    free(held);
    return status;
}

carom_tied carom_model_tied(const carom_model *model) {
    return model->ties.report;
}

uint64_t carom_ties_hash(uint64_t h, const carom_ties *ties) {
    const carom_tie_rows *rows = &ties->rows;
    if (!rows->count)
        return h;
    h = carom_hash(h, rows->begin, (size_t)(rows->count + 1) * sizeof *rows->begin);
    h = carom_hash(h, rows->node, (size_t)rows->begin[rows->count] * sizeof *rows->node);
    return carom_hash(h, rows->weight, (size_t)rows->begin[rows->count] * sizeof *rows->weight);
}
