// SPDX-License-Identifier: MIT
// Default definitions, completion of a model definition with default parameters, and checks of parameters against their ranges.
#include "model/build/definition.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/allocate.h"
#include "element/element.h"
#include "element/line/obstacle.h"
#include "material/material.h"
#include "math/vec3.h"

carom_contact_def carom_default_contact_def(void) {
    carom_contact_def def = {.enabled = true};
    int count;
    const carom_param *params = carom_contact_params(&count);
    carom_param_defaults(params, count, &def);
    return def;
}

carom_plane_def carom_default_plane_def(void) {
    carom_plane_def def;
    int count;
    const carom_param *params = carom_plane_params(&count);
    carom_param_defaults(params, count, &def);
    // The table has no default for name and normal, so that a scene must give them; a C program gets those of a floor.
    strcpy(def.name, "plane");
    def.normal[2] = 1;
    return def;
}

carom_contact_pair_def carom_default_contact_pair_def(void) {
    carom_contact_pair_def def = {0};
    int count;
    const carom_param *params = carom_contact_pair_params(&count);
    carom_param_defaults(params, count, &def);
    return def;
}

carom_model_def carom_default_model_def(void) {
    return (carom_model_def){.contact = carom_default_contact_def()};
}

carom_body_def carom_default_body_def(void) {
    // Mesh and element have no defaults: a body without them is refused.
    return (carom_body_def){0};
}

carom_obstacle_def carom_default_obstacle_def(void) {
    return (carom_obstacle_def){.axis = {0, 0, 1}, .point = {NAN, NAN, NAN}, .cell = {NAN, NAN, NAN}};
}

carom_selection carom_default_selection(void) {
    return (carom_selection){.node = CAROM_AUTO};
}

carom_restraint_def carom_default_restraint_def(void) {
    return (carom_restraint_def){
        .where = carom_default_selection(),
        .direction_count = 3,
        .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    };
}

carom_load_def carom_default_load_def(void) {
    return (carom_load_def){.where = carom_default_selection()};
}

carom_tie_def carom_default_tie_def(void) {
    return (carom_tie_def){.from = carom_default_selection(), .to = carom_default_selection(), .tolerance = NAN};
}

// Gives a pick without parameters the defaults of its kind.
static carom_status complete_pick(carom_pick *pick, const char *body, carom_arena *arena, carom_error *error) {
    // Given parameters are kept, and checked later with the body.
    if (!pick->kind || pick->params)
        return CAROM_OK;
    carom_error reason;
    carom_status status = carom_pick_check(pick, &reason);
    if (status)
        return carom_fail(error, status, "body '%s': %s", body, reason.message);
    void *params = carom_arena_allocate(arena, 1, pick->kind->params_size);
    if (!params)
        return carom_no_memory(error, "the model");
    carom_param_defaults(pick->kind->params, pick->kind->param_count, params);
    pick->params = params;
    return CAROM_OK;
}

// Completes copies of the materials of some elements.
static carom_status complete_materials(carom_body_def *body, carom_arena *arena, carom_error *error) {
    if (body->material_count == 0)
        return CAROM_OK;
    carom_material_def *materials = carom_arena_copy(arena, body->materials, (size_t)body->material_count * sizeof *materials);
    if (!materials)
        return carom_no_memory(error, "the model");
    body->materials = materials;
    carom_status status = CAROM_OK;
    for (int m = 0; m < body->material_count && !status; m++)
        status = complete_pick(&materials[m].material, body->name, arena, error);
    return status;
}

bool carom_pick_flows(const carom_pick *pick) {
    const carom_material *material = (const carom_material *)pick->kind;
    double history[CAROM_HISTORY_MAX];
    if (!material || !pick->params || !material->inelastic || !material->inelastic->show)
        return false;
    int size = material->inelastic->size(pick->params, CAROM_POINT_SOLID);
    if (size <= 0 || size > CAROM_HISTORY_MAX)
        return false;
    material->inelastic->start(pick->params, CAROM_POINT_SOLID, history);
    return !isnan(material->inelastic->show(pick->params, CAROM_POINT_SOLID, history, CAROM_INNER_PLASTIC_STRAIN));
}

carom_status carom_element_accepts(const carom_element *element, const void *params, const carom_pick *material,
                                   carom_error *error) {
    const carom_material *law = (const carom_material *)material->kind;
    if (!law || !element->accepts)
        return CAROM_OK;
    carom_status status = element->accepts(params, law, error);
    // Elements accept laws by their kind. A law that yields for some values of its parameters only is also checked as J2 if it
    // yields.
    if (!status && law->inelastic && law->inelastic->relaxation && carom_pick_flows(material))
        status = element->accepts(params, carom_law_material(CAROM_LAW_J2), error);
    return status;
}

// Copies the parameters of the element and sets those that depend on plastic flow of the material. If only some materials of
// the body flow, they are left unset until each material has its block.
static carom_status settle(carom_body_def *body, carom_arena *arena, carom_error *error) {
    const carom_element *element = (const carom_element *)body->element.kind;
    if (!element || !element->settle)
        return CAROM_OK;
    bool any = body->material.kind && carom_pick_flows(&body->material), all = !body->material.kind || any;
    for (int m = 0; m < body->material_count; m++) {
        bool one = carom_pick_flows(&body->materials[m].material);
        any = any || one;
        all = all && one;
    }
    if (any != all && body->material_count > 0)
        return CAROM_OK;
    void *params = carom_arena_copy(arena, body->element.params, element->kind.params_size);
    if (!params)
        return carom_no_memory(error, "the model");
    element->settle(params, any);
    body->element.params = params;
    return CAROM_OK;
}

// The element of an obstacle is that of its cells of the highest dimension, a plane one in a model of plane bodies. Blocks of
// other cells get theirs when they are built.
static carom_status complete_obstacle(carom_body_def *body, bool plane, carom_error *error) {
    if (body->element.kind || body->material.kind || body->material_count)
        return carom_fail(error, CAROM_BAD_INPUT, "body '%s' is an obstacle, which has neither element nor material",
                          body->name);
    if (carom_norm(body->velocity) > 0 || carom_norm(body->spin) > 0 || body->damping.mass > 0 || body->damping.stiffness > 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "body '%s' is an obstacle: its motion is that of `obstacle`, and it has no damping", body->name);
    if (body->mesh->block_count < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "body '%s': its mesh has no cells", body->name);
    carom_cell_type most = body->mesh->blocks[0].type;
    for (int b = 1; b < body->mesh->block_count; b++)
        if (carom_cell_dimension(body->mesh->blocks[b].type) > carom_cell_dimension(most))
            most = body->mesh->blocks[b].type;
    body->element.kind = &carom_element_obstacle(most, plane)->kind;
    return CAROM_OK;
}

carom_status carom_model_def_complete(const carom_model_def *def, carom_arena *arena, carom_model_def *complete,
                                      carom_error *error) {
    *complete = *def;
    // A shallow copy: meshes, loads and restraints are read, not changed.
    carom_body_def *bodies = carom_arena_copy(arena, def->bodies, (size_t)def->body_count * sizeof *bodies);
    if (!bodies)
        return carom_no_memory(error, "the model");
    complete->bodies = bodies;
    carom_status status = CAROM_OK;
    bool plane = false;
    for (int b = 0; b < def->body_count; b++)
        plane = plane || (bodies[b].element.kind && ((const carom_element *)bodies[b].element.kind)->plane);
    for (int b = 0; b < def->body_count && !status; b++) {
        if (bodies[b].obstacle)
            status = complete_obstacle(&bodies[b], plane, error);
        if (status)
            return status;
        status = complete_pick(&bodies[b].element, bodies[b].name, arena, error);
        if (!status)
            status = complete_pick(&bodies[b].material, bodies[b].name, arena, error);
        if (!status)
            status = complete_materials(&bodies[b], arena, error);
        if (!status)
            status = settle(&bodies[b], arena, error);
    }
    return status;
}

// Parameters set by a program have not been checked by the scene reader. `owner` names their owner in messages.
static carom_status check_params(const carom_param *params, int count, const void *fields, const char *owner,
                                 carom_error *error) {
    for (int i = 0; i < count; i++) {
        carom_error reason;
        if (carom_param_check(&params[i], fields, &reason))
            return carom_fail(error, CAROM_BAD_INPUT, "%s%s: %s", owner, params[i].name, reason.message);
    }
    return CAROM_OK;
}

static carom_status check_pick(const carom_pick *pick, const char *body, carom_error *error) {
    // Length of two names and the words around them.
    char owner[3 * CAROM_NAME_MAX];
    snprintf(owner, sizeof owner, "body '%s': %s.", body, pick->kind->name);
    return check_params(pick->kind->params, pick->kind->param_count, pick->params, owner, error);
}

static carom_status check_damping(const carom_body_def *body, carom_error *error) {
    char owner[2 * CAROM_NAME_MAX];
    snprintf(owner, sizeof owner, "body '%s': damping.", body->name);
    int count;
    const carom_param *params = carom_damping_params(&count);
    return check_params(params, count, &body->damping, owner, error);
}

carom_status carom_contact_def_check(const carom_contact_def *contact, carom_error *error) {
    int count;
    const carom_param *params = carom_contact_params(&count);
    // The same rows that check a scene check a program.
    carom_status status = check_params(params, count, contact, "contact.", error);
    params = carom_plane_params(&count);
    for (int p = 0; p < contact->plane_count && !status; p++) {
        char owner[2 * CAROM_NAME_MAX];
        snprintf(owner, sizeof owner, "plane '%s': ", contact->planes[p].name);
        status = check_params(params, count, &contact->planes[p], owner, error);
    }
    params = carom_contact_pair_params(&count);
    for (int p = 0; p < contact->pair_count && !status; p++) {
        char owner[3 * CAROM_NAME_MAX];
        snprintf(owner, sizeof owner, "contact of '%s' and '%s': ", contact->pairs[p].side[0], contact->pairs[p].side[1]);
        status = check_params(params, count, &contact->pairs[p], owner, error);
    }
    return status;
}

// Checks the parameters of a law, single ones and combinations.
static carom_status check_law(const carom_pick *pick, const char *body, carom_error *error) {
    const carom_material *material = (const carom_material *)pick->kind;
    carom_status status = check_pick(pick, body, error);
    carom_error reason;
    const char *key = status || !material->fault ? NULL : material->fault(pick->params, &reason);
    return key ? carom_fail(error, CAROM_BAD_INPUT, "body '%s': %s.%s: %s", body, pick->kind->name, key, reason.message)
               : status;
}

carom_status carom_body_def_check(const carom_body_def *def, carom_error *error) {
    // a material or element of a program need not be in a catalogue
    carom_status status = carom_element_check((const carom_element *)def->element.kind, error);
    if (!status)
        status = check_pick(&def->element, def->name, error);
    if (!status && def->material.kind)
        status = check_law(&def->material, def->name, error);
    for (int m = 0; m < def->material_count && !status; m++)
        status = def->materials[m].material.kind
                     ? check_law(&def->materials[m].material, def->name, error)
                     : carom_fail(error, CAROM_BAD_INPUT, "body '%s': materials[%d] has no material", def->name, m);
    return status ? status : check_damping(def, error);
}
