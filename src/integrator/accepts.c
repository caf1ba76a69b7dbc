// SPDX-License-Identifier: MIT
#include "integrator/accepts.h"

#include "element/point_law.h"
#include "material/material.h"
#include "model/motion/damping.h"

carom_status carom_accepts_no_frames(const carom_model *model, const char *method, carom_error *error) {
    if (model->R)
        return carom_fail(error, CAROM_BAD_INPUT, "%s cannot turn frames: use multisymplectic for beams", method);
    return CAROM_OK;
}

// True if asynchronous takes the other parts of a model: a refusal names it only then.
static bool may_be_asynchronous(const carom_model *model) {
    return !model->R && !model->damped && !carom_ties_any(&model->ties) && model->contact.resolve != CAROM_RESOLVE_PROJECTION;
}

carom_status carom_accepts_no_rigid(const carom_model *model, const char *method, carom_error *error) {
    if (model->rigid.count)
        return carom_fail(error, CAROM_BAD_INPUT, "%s does not know rigid bodies such as '%s': use newmark-dcr%s", method,
                          model->bodies[model->rigid.items[0].body].name, may_be_asynchronous(model) ? " or asynchronous" : "");
    return CAROM_OK;
}

carom_status carom_accepts_no_viscosity(const carom_model *model, const char *method, carom_error *error) {
    if (carom_model_is_viscous(model))
        return carom_fail(error, CAROM_BAD_INPUT, "%s has no stiffness damping: use newmark-dcr", method);
    return CAROM_OK;
}

carom_status carom_accepts_no_branches_beside_flow(const carom_model *model, const char *method, carom_error *error) {
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        if (carom_block_flows(block) && block->material->inelastic->relaxation)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "%s does not know viscous branches beside a law that flows ('%s' of body '%s'): use newmark-dcr",
                              method, block->material->kind.name, model->bodies[block->body].name);
    }
    return CAROM_OK;
}

static bool loses_energy(double restitution) {
    return restitution != 1;
}

// The same for energy-momentum.
static bool may_be_balanced(const carom_model *model) {
    bool may = !model->R && !model->rigid.count && !model->windows.count && !carom_model_is_viscous(model) &&
               !carom_accepts_no_branches_beside_flow(model, "", NULL) &&
               !carom_accepts_no_nodes_beside_sheets(model, "", NULL) && !carom_touches_with_restitution(model, loses_energy);
    for (int b = 0; b < model->block_count; b++)
        may = may && model->blocks[b].element->balanced;
    return may;
}

// What carries materials with history beside newmark-dcr.
static const char *history_choices(const carom_model *model) {
    bool waits = may_be_asynchronous(model) && !carom_accepts_no_branches_beside_flow(model, "", NULL);
    bool balanced = may_be_balanced(model);
    return waits && balanced ? ", asynchronous or energy-momentum"
           : waits           ? " or asynchronous"
           : balanced        ? " or energy-momentum"
                             : "";
}

carom_status carom_accepts_no_history(const carom_model *model, const char *method, carom_error *error) {
    for (int b = 0; b < model->block_count; b++)
        if (model->blocks[b].history_size)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "%s does not know materials with history, such as '%s' of body '%s': use newmark-dcr%s", method,
                              model->blocks[b].material->kind.name, model->bodies[model->blocks[b].body].name,
                              history_choices(model));
    return CAROM_OK;
}

carom_status carom_accepts_no_windows(const carom_model *model, const char *method, carom_error *error) {
    if (model->windows.count)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s does not let nodes go at a time (restraints with from, until): use newmark-dcr or asynchronous",
                          method);
    return CAROM_OK;
}

carom_status carom_accepts_no_obstacles(const carom_model *model, const char *method, carom_error *error) {
    if (model->poses.count)
        return carom_fail(error, CAROM_BAD_INPUT, "%s knows no obstacles, such as '%s': use newmark-dcr with resolve: drift",
                          method, model->bodies[model->poses.items[0].body].name);
    return CAROM_OK;
}

// An obstacle of faces in space. Nodes pass through lines, which are the walls of plane scenes, by any method.
static bool is_sheet(const carom_model *model, const carom_body *body) {
    for (int b = body->block_begin; b < body->block_begin + body->block_count; b++)
        if (carom_cell_dimension(model->blocks[b].element->cell) == 2 && !model->blocks[b].element->plane)
            return true;
    return false;
}

carom_status carom_accepts_no_nodes_beside_sheets(const carom_model *model, const char *method, carom_error *error) {
    for (int i = 0; i < model->poses.count && model->contact.enabled; i++) {
        int obstacle = model->poses.items[i].body;
        if (!is_sheet(model, &model->bodies[obstacle]))
            continue;
        for (int b = 0; b < model->body_count; b++) {
            const carom_block *block = &model->blocks[model->bodies[b].block_begin];
            if (carom_poses_has(&model->poses, b) || carom_cell_dimension(block->element->cell) >= 2 ||
                carom_contact_law_of(&model->laws, (const int[]){b, obstacle}).apart)
                continue;
            return carom_fail(error, CAROM_BAD_INPUT,
                              "%s cannot tell on which side of a face of obstacle '%s' the nodes of '%s' are: give the "
                              "obstacle solid cells, or use newmark-dcr",
                              method, model->bodies[obstacle].name, model->bodies[b].name);
        }
    }
    return CAROM_OK;
}

carom_status carom_accepts_no_ties(const carom_model *model, const char *method, carom_error *error) {
    if (carom_ties_any(&model->ties) || model->ties.glued_count)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s knows neither `tied` nor `connections`: use newmark-dcr, energy-momentum or analysis: static",
                          method);
    return CAROM_OK;
}

carom_status carom_accepts_no_bars_beside_surfaces(const carom_model *model, carom_error *error) {
    const carom_surface *surface = &model->surface;
    for (int f = surface->full_count; f < surface->face_count; f++)
        for (int g = 0, last = -1; g < surface->full_count && surface->faces[f][0] != surface->faces[f][1]; g++) {
            int bodies[2] = {surface->body[f], surface->body[g]};
            if (bodies[1] == last)
                continue;
            last = bodies[1];
            const char *bar = model->bodies[bodies[0]].name, *other = model->bodies[bodies[1]].name;
            if (!carom_contact_law_of(&model->laws, bodies).apart)
                return carom_fail(
                    error, CAROM_BAD_INPUT,
                    "contact.resolve: projection may let bar '%s' through the surface of '%s': use resolve: drift, "
                    "or let the two pass by contact.pairs: [{bodies: [%s, %s], touch: false}]",
                    bar, other, bar, other);
        }
    return CAROM_OK;
}

bool carom_touches_with_restitution(const carom_model *model, bool (*refused)(double restitution)) {
    if (!model->contact.enabled || (model->surface.face_count == 0 && model->candidates.count == 0))
        return false;
    bool any = refused(model->contact.restitution);
    // pairs that pass through each other have no restitution
    for (int i = 0; i < model->laws.count; i++)
        any = any || (!model->laws.exceptions[i].law.apart && refused(model->laws.exceptions[i].law.restitution));
    return any;
}
