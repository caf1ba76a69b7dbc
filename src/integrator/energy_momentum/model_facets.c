// SPDX-License-Identifier: MIT
// Collects the cells of bodies and obstacles from which facets (faces and nodes that can touch in implicit contact) are built;
// degenerate cells of obstacles become their sides.
#include "integrator/energy_momentum/model_facets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"
#include "model/motion/obstacle_motion.h"

double carom_model_section_of(const carom_model *model, int body) {
    const carom_block *block = &model->blocks[model->bodies[body].block_begin];
    switch (carom_cell_dimension(block->element->cell)) {
    case 0: return 1;
    case 1: return carom_block_section(block);
    default: return 0;
    }
}

static bool is_plane(const carom_model *model) {
    for (int b = 0; b < model->block_count; b++)
        if (model->blocks[b].element->plane)
            return true;
    return false;
}

// A face has no normal if its height is less than this fraction of its longest side.
static const double flat_ratio = 1e-10;

static bool has_area(const double (*X)[3], int count, const int *nodes) {
    double a[3], b[3], normal[3], longest = 0;
    for (int i = 0; i < count; i++) {
        carom_difference(X[nodes[(i + 1) % count]], X[nodes[i]], a);
        longest = fmax(longest, carom_dot(a, a));
    }
    // of a quadrilateral the diagonals; a segment only needs a length
    carom_difference(X[nodes[count == 4 ? 2 : 1]], X[nodes[0]], a);
    carom_difference(X[nodes[count == 2 ? 1 : count - 1]], X[nodes[count == 4 ? 1 : 0]], b);
    carom_cross(a, b, normal);
    return longest > 0 && (count == 2 || carom_norm(normal) > flat_ratio * longest);
}

// Cells of a block of an obstacle: faces with an area, and the sides of the others.
typedef struct sheet_cells {
    int *faces, *lines;
    int face_count, line_count;
} sheet_cells;

// Start from {0}.
typedef struct listing {
    const carom_model *model;
    bool plane;
    int count;
    carom_facet_cells *sets;
    int memory_count;
    int **memory; // cells listed by sort_out, per block of an obstacle
} listing;

// Sorts the cells of an obstacle of faces or, in the plane, of lines. A face without an area is replaced by its sides.
static void sort_out(const carom_model *model, const carom_block *block, sheet_cells *cells) {
    int n = block->node_count;
    for (int e = 0; e < block->count; e++) {
        const int *nodes = block->nodes + (ptrdiff_t)e * n;
        bool face = has_area((carom_const_vectors)model->X, n, nodes);
        if (face)
            memcpy(cells->faces + (ptrdiff_t)n * cells->face_count++, nodes, (size_t)n * sizeof *nodes);
        for (int i = 0; i < n && n > 2 && !face; i++) {
            int *line = cells->lines + 2 * (ptrdiff_t)cells->line_count++;
            line[0] = nodes[i];
            line[1] = nodes[(i + 1) % n];
        }
    }
}

// Adds the cells of a block of an obstacle. False if memory is short.
static bool add_obstacle(listing *l, const carom_block *block) {
    const carom_model *model = l->model;
    int dimension = carom_cell_dimension(block->element->cell), n = block->node_count;
    const carom_pose *pose = &model->poses.items[model->poses.of_body[block->body]];
    carom_facet_cells set = {.type = block->element->cell,
                             .count = block->count,
                             .node_count = n,
                             .nodes = block->nodes,
                             .body = block->body,
                             .thickness = 1,
                             .obstacle = true,
                             .deforms = pose->shape_count > 0};
    set.sheet = dimension == (l->plane ? 1 : 2) && !block->element->plane;
    if (!set.sheet) {
        l->sets[l->count++] = set;
        return true;
    }
    int *nodes = carom_allocate(3 * (int64_t)n * block->count, sizeof *nodes);
    l->memory[l->memory_count++] = nodes;
    if (!nodes)
        return false;
    sheet_cells cells = {.faces = nodes, .lines = nodes + (ptrdiff_t)n * block->count};
    sort_out(model, block, &cells);
    set.count = cells.face_count;
    set.nodes = cells.faces;
    l->sets[l->count++] = set;
    set.sheet = false;
    set.type = CAROM_CELL_LINE2;
    set.node_count = 2;
    set.count = cells.line_count;
    set.nodes = cells.lines;
    l->sets[l->count++] = set;
    return true;
}

// Lists the cells of all bodies that have a surface, and the nodes of the others. False if memory is short.
static bool list_cells(listing *l, const int *numbers) {
    const carom_model *model = l->model;
    bool memory = true;
    for (int b = 0; b < model->block_count && memory; b++) {
        const carom_block *block = &model->blocks[b];
        if (carom_poses_has(&model->poses, block->body))
            memory = add_obstacle(l, block);
        else if (carom_cell_dimension(block->element->cell) >= 2)
            l->sets[l->count++] = (carom_facet_cells){
                .type = block->element->cell,
                .count = block->count,
                .node_count = block->node_count,
                .nodes = block->nodes,
                .body = block->body,
                .thickness = carom_block_section(block),
            };
    }
    for (int b = 0; b < model->body_count; b++) {
        const carom_body *body = &model->bodies[b];
        if (!carom_poses_has(&model->poses, b) && carom_model_section_of(model, b) > 0)
            l->sets[l->count++] = (carom_facet_cells){
                .type = CAROM_CELL_POINT,
                .count = body->node_count,
                .node_count = 1,
                .nodes = numbers + body->node_begin,
                .body = b,
                .thickness = carom_model_section_of(model, b),
            };
    }
    return memory;
}

carom_status carom_model_facets(const carom_model *model, carom_facets *facets, carom_error *error) {
    listing l = {.model = model, .plane = is_plane(model)};
    l.sets = carom_allocate(2 * (int64_t)model->block_count + model->body_count, sizeof *l.sets);
    l.memory = carom_allocate(model->block_count, sizeof *l.memory);
    int *numbers = carom_allocate(model->node_count, sizeof *numbers);
    for (int k = 0; numbers && k < model->node_count; k++)
        numbers[k] = k;
    carom_status status;
    if (l.sets && l.memory && numbers && list_cells(&l, numbers))
        status = carom_facets_build(l.count, l.sets, model->node_count, model->body_count, (carom_const_vectors)model->X,
                                    facets, error);
    else
        status = carom_no_memory(error, "contact");
    for (int i = 0; i < l.memory_count; i++)
        free(l.memory[i]);
    free(l.memory);
    free(l.sets);
    free(numbers);
    return status;
}
