// SPDX-License-Identifier: MIT
// Decides of which blocks (runs of equal elements) each body will consist, before any is built: the groups into which its
// element arranges the nodes (as the patches of `nodal`), pieces of one material each, or the blocks of cells of its mesh.
// Checks cells and materials against the element.
#include "model/build/block_layout.h"

#include "element/element.h"
#include "element/line/rigid.h"
#include "element/solid.h"
#include "material/material.h"
#include "model/build/definition.h"

// The cells must be those of the element, and their nodes must exist.
static carom_status check_cells(const carom_body_def *def, carom_error *error) {
    const carom_element *element = (const carom_element *)def->element.kind;
    for (int c = 0; c < def->mesh->block_count; c++) {
        const carom_cell_block *cells = &def->mesh->blocks[c];
        bool two = element->also != CAROM_CELL_POINT;
        int size = carom_cell_size(cells->type);
        bool rigid = !def->obstacle && carom_element_is_rigid(element) && carom_cell_dimension(cells->type) > 1;
        if (!def->obstacle && !carom_element_takes(element, cells->type) && !rigid)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "body '%s': element '%s' is made of %s%s%s cells, but the mesh has %s cells", def->name,
                              element->kind.name, carom_cell_name(element->cell), two ? " or " : "",
                              two ? carom_cell_name(element->also) : "", carom_cell_name(cells->type));
        // Meshes from C programs have not been checked by a reader.
        for (int64_t i = 0; i < (int64_t)cells->count * size; i++)
            if (cells->nodes[i] < 0 || cells->nodes[i] >= def->mesh->node_count)
                return carom_fail(error, CAROM_BAD_INPUT, "body '%s': element %lld names node %d of %d", def->name,
                                  (long long)(cells->ids ? cells->ids[i / size] : i / size), cells->nodes[i],
                                  def->mesh->node_count);
    }
    return CAROM_OK;
}

static carom_status plan_body(const carom_body_def *body, carom_arena *arena, carom_body_plan *plan, carom_error *error) {
    const carom_element *element = carom_element_acting((const carom_element *)body->element.kind, body->element.params);
    carom_error reason;
    carom_status status = check_cells(body, error);
    if (status)
        return status;
    if (element->arrange)
        status = element->arrange(body->element.params, body->mesh, arena, &plan->arrangement, &reason);
    if (status)
        return carom_fail(error, status, "body '%s': %s", body->name, reason.message);
    // Groups of an arrangement become blocks; without an arrangement each block of cells becomes one.
    plan->count = element->arrange ? plan->arrangement.group_count : body->mesh->block_count;
    return body->material_count ? carom_mixture_divide(body, &plan->arrangement, arena, &plan->pieces, &plan->count, error)
                                : CAROM_OK;
}

carom_status carom_plan_bodies(const carom_model_def *def, carom_arena *arena, carom_body_plan *plans, int *block_count,
                               carom_error *error) {
    int64_t blocks = 0;
    carom_status status = CAROM_OK;
    for (int b = 0; b < def->body_count && !status; b++) {
        status = plan_body(&def->bodies[b], arena, &plans[b], error);
        blocks += plans[b].count;
    }
    *block_count = (int)blocks;
    return status;
}

static const carom_material *material_of(const carom_body_def *def, int entry) {
    return (const carom_material *)(entry < 0 ? def->material.kind : def->materials[entry].material.kind);
}

// A material for small rotations would resist the rotation of the rest of the solid, and is not covered by its step control.
static carom_status check_laws(const carom_body_def *def, carom_error *error) {
    const carom_material *linear = NULL, *other = NULL;
    for (int m = -1; m < def->material_count; m++) {
        const carom_material *material = material_of(def, m);
        linear = material && material->small ? material : linear;
        other = material && !material->small ? material : other;
    }
    if (linear && other && carom_element_is_solid((const carom_element *)def->element.kind))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "body '%s': material '%s', which is for small rotations, cannot be mixed with '%s' in one body: use "
                          "'st-venant-kirchhoff' in its place",
                          def->name, linear->kind.name, other->kind.name);
    return CAROM_OK;
}

// In a body with a list of materials, cells that no entry covers are found later, when materials are assigned to cells.
carom_status carom_plan_check_materials(const carom_body_def *def, carom_error *error) {
    const carom_element *element = (const carom_element *)def->element.kind;
    if (element->needs_material && !def->material.kind && def->material_count == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "body '%s': element '%s' needs a material", def->name, element->kind.name);
    for (int m = -1; m < def->material_count; m++) {
        carom_error reason;
        const carom_pick *material = m < 0 ? &def->material : &def->materials[m].material;
        if (carom_element_accepts(element, def->element.params, material, &reason))
            return carom_fail(error, CAROM_BAD_INPUT, "body '%s': element '%s': %s", def->name, element->kind.name,
                              reason.message);
    }
    carom_status status = check_laws(def, error);
    return status ? status : carom_body_def_check(def, error);
}
