// SPDX-License-Identifier: MIT
// Refuses models that the contact of some integrators cannot treat: nodes without faces near faces of obstacles, bars near
// surfaces, and restitution.
#include "integrator/accepts.h"

#include "integrator/engines.h"

// True for an obstacle made of faces in space, of which nodes can be on either side. Obstacles of lines, the walls of plane
// scenes, are not refused.
static bool is_sheet(const carom_model *model, const carom_body *body) {
    for (int b = body->block_begin; b < body->block_begin + body->block_count; b++)
        if (carom_cell_dimension(model->blocks[b].element->cell) == 2 && !model->blocks[b].element->plane)
            return true;
    return false;
}

carom_status carom_refuse_nodes_near_sheets(const carom_integrator *method, const carom_model *model, carom_error *error) {
    for (int i = 0; i < model->poses.count && model->contact.enabled; i++) {
        int obstacle = model->poses.items[i].body;
        if (!is_sheet(model, &model->bodies[obstacle]))
            continue;
        for (int b = 0; b < model->body_count; b++) {
            const carom_block *block = &model->blocks[model->bodies[b].block_begin];
            if (carom_poses_has(&model->poses, b) || carom_cell_dimension(block->element->cell) >= 2 ||
                carom_contact_law_of(&model->laws, (const int[]){b, obstacle}).no_contact)
                continue;
            carom_advice advice = {.method = method, .model = model, .remedy = "give the obstacle solid cells"};
            return carom_refuse_model(&advice, error,
                                      "%s cannot determine on which side of a face of obstacle '%s' the nodes of '%s' are",
                                      method->kind.name, model->bodies[obstacle].name, model->bodies[b].name);
        }
    }
    return CAROM_OK;
}

carom_status carom_refuse_bars_near_surfaces(const carom_model *model, carom_error *error) {
    const carom_surface *surface = &model->surface;
    for (int f = surface->full_count; f < surface->face_count; f++)
        for (int g = 0, last = -1; g < surface->full_count && surface->faces[f][0] != surface->faces[f][1]; g++) {
            int bodies[2] = {surface->body[f], surface->body[g]};
            if (bodies[1] == last)
                continue;
            last = bodies[1];
            const char *bar = model->bodies[bodies[0]].name, *other = model->bodies[bodies[1]].name;
            if (!carom_contact_law_of(&model->laws, bodies).no_contact)
                return carom_fail(
                    error, CAROM_BAD_INPUT,
                    "contact.resolve: projection may let bar '%s' through the surface of '%s': set contact.resolve: exact, "
                    "or disable contact between the two: contact.pairs: [{bodies: [%s, %s], touch: false}]",
                    bar, other, bar, other);
        }
    return CAROM_OK;
}

bool carom_touches_with_restitution(const carom_model *model, bool (*refused)(double restitution)) {
    if (!model->contact.enabled || (model->surface.face_count == 0 && model->candidates.count == 0))
        return false;
    bool any = refused(model->contact.restitution);
    // pairs without contact have no restitution
    for (int i = 0; i < model->laws.count; i++)
        any = any || (!model->laws.exceptions[i].law.no_contact && refused(model->laws.exceptions[i].law.restitution));
    return any;
}
