// SPDX-License-Identifier: MIT
// Builds the grid of the frames from a model: points, cells and the list of fields. There are two numberings. Elements are
// evaluated block after block, as the model stores them; the file lists the cells of a body in the order of its mesh. `cell_of`
// maps the first to the second. Beams add points and cells of their own: a ring of points around each node, quadrilaterals
// between neighbouring rings, and a polygon as a cap at each free end. Loop shells are evaluated per node patch, and their
// cells take means over the nodes.
#include "output/frames/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "mesh/mesh.h"
#include "model/model.h"
#include "model/state.h"
#include "model/state/history.h"

// Numbers of cell types as VTK defines them.
enum { VTK_POLYGON = 7, VTK_QUAD = 9 };

const char *carom_point_field_name(const carom_grid *grid, carom_point_field field) {
    static const char *const names[CAROM_POINT_FIELDS] = {"displacement", "velocity", "impulse", "contact_force", "",
                                                          "to_limit",     "axis_1",   "axis_2",  "axis_3"};
    return field == CAROM_POINT_RESULT ? grid->result->name : names[field];
}

int carom_grid_find_field(const carom_grid *grid, const carom_element_field *field) {
    for (int i = 0; i < grid->field_count; i++)
        if (strcmp(grid->fields[i].name, field->name) == 0 && grid->fields[i].components == field->components)
            return i;
    return -1;
}

int carom_grid_add_field(carom_grid *grid, const char *name) {
    const carom_element_field field = {name, 1};
    if (carom_grid_find_field(grid, &field) >= 0 || grid->field_count == CAROM_GRID_FIELDS_MAX)
        return -1;
    grid->fields[grid->field_count] = field;
    return grid->field_count++;
}

// The table of fields holds each field once, in the order of the blocks.
static void collect_fields(carom_grid *grid) {
    for (int b = 0; b < grid->model->block_count; b++) {
        const carom_element *element = grid->model->blocks[b].element;
        for (int f = 0; f < CAROM_ELEMENT_FIELDS_MAX && element->fields[f].name; f++)
            if (carom_grid_find_field(grid, &element->fields[f]) < 0 && grid->field_count < CAROM_GRID_FIELDS_MAX)
                grid->fields[grid->field_count++] = element->fields[f];
    }
}

// The last block of a body, which is one of patches if it has any.
static const carom_block *last_block(const carom_grid *grid, int body) {
    const carom_body *b = &grid->model->bodies[body];
    return b->block_count ? &grid->model->blocks[b->block_begin + b->block_count - 1] : NULL;
}

bool carom_grid_has_patches(const carom_grid *grid, int body) {
    const carom_block *last = last_block(grid, body);
    return last && !carom_block_has_cells(last) && !last->element->parted;
}

bool carom_grid_has_parts(const carom_grid *grid, int body) {
    const carom_block *last = last_block(grid, body);
    return last && last->element->parted;
}

// The outline of the cross-section of a beam block; 0 points for all other blocks.
static int outline_of(const carom_block *block, double (*points)[2]) {
    const carom_framed *framed = block->element->framed;
    return framed && framed->outline ? framed->outline(block, points) : 0;
}

// A node with a single element is a free end of the beam and gets a cap.
static bool ends_at(const carom_model *model, int node) {
    return model->gather_begin[node + 1] - model->gather_begin[node] == 1;
}

// Counts the nodes of a block, each once, and those among them that are free ends. Uses `mark` as scratch.
static int count_nodes(const carom_model *model, const carom_block *block, int *mark, int *ends) {
    int count = 0;
    *ends = 0;
    memset(mark, 0, (size_t)model->node_count * sizeof *mark);
    for (int i = 0; i < block->count * block->node_count; i++) {
        int k = block->nodes[i];
        if (mark[k])
            continue;
        mark[k] = 1;
        count++;
        *ends += ends_at(model, k);
    }
    return count;
}

// Counts points, cells and entries of the connectivity, before memory is allocated.
static void survey(carom_grid *grid, int *mark) {
    const carom_model *model = grid->model;
    grid->node_count = grid->point_count = model->node_count;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        grid->element_count += carom_grid_cells_in(block);
        grid->connectivity_count += (int64_t)carom_grid_cells_in(block) * block->element->node_count;
    }
    grid->cell_count = grid->element_count;
    for (int b = 0; b < model->block_count; b++) {
        double points[CAROM_OUTLINE_MAX][2];
        int ends, ring = outline_of(&model->blocks[b], points);
        if (ring == 0)
            continue;
        grid->point_count += ring * count_nodes(model, &model->blocks[b], mark, &ends);
        grid->cell_count += ring * model->blocks[b].count + ends;
        grid->connectivity_count += (int64_t)ring * (4 * (int64_t)model->blocks[b].count + ends);
    }
}

// Position of the next cell: its index, and its place in the connectivity.
typedef struct cursor {
    int cell;
    int64_t place;
} cursor;

// Completes the cell at the cursor.
static void end_cell(carom_grid *grid, cursor *c, uint8_t type, int body) {
    grid->offsets[c->cell + 1] = c->place;
    grid->types[c->cell] = type;
    grid->cell_body[c->cell++] = body;
}

// Fills cell_of: bodies one after another, and within a body the order of its mesh (block->cells), even if
// its elements are spread over several blocks.
static void order_cells(carom_grid *grid) {
    const carom_model *model = grid->model;
    int element = 0, first = 0;
    for (int b = 0; b < model->body_count; b++) {
        const carom_body *body = &model->bodies[b];
        int place = first;
        for (int i = body->block_begin; i < body->block_begin + body->block_count; i++)
            for (int e = 0; e < carom_grid_cells_in(&model->blocks[i]); e++, place++)
                grid->cell_of[element++] = model->blocks[i].cells ? first + model->blocks[i].cells[e] : place;
        first = place;
    }
}

static void fill_elements(carom_grid *grid, cursor *c) {
    // first the size of each cell, then by summation its offset, then its nodes
    int element = 0;
    for (int b = 0; b < grid->model->block_count; b++)
        for (int e = 0; e < carom_grid_cells_in(&grid->model->blocks[b]); e++)
            grid->offsets[grid->cell_of[element++] + 1] = grid->model->blocks[b].element->node_count;
    for (; c->cell < grid->element_count; c->cell++)
        grid->offsets[c->cell + 1] += grid->offsets[c->cell];
    c->place = grid->offsets[c->cell];
    element = 0;
    for (int b = 0; b < grid->model->block_count; b++) {
        const carom_block *block = &grid->model->blocks[b];
        for (int e = 0; e < carom_grid_cells_in(block); e++) {
            int cell = grid->cell_of[element++];
            for (int i = 0; i < block->element->node_count; i++)
                grid->connectivity[grid->offsets[cell] + i] = block->nodes[(ptrdiff_t)e * block->node_count + i];
            grid->types[cell] = carom_cell_vtk_type(block->element->cell);
            grid->cell_body[cell] = block->body;
        }
    }
}

// True if a body has numbers of nodes or elements from a mesh file; then all cells and points are numbered.
static bool has_numbers(const carom_model *model) {
    for (int b = 0; b < model->body_count; b++)
        if (model->bodies[b].node_ids)
            return true;
    for (int b = 0; b < model->block_count; b++)
        if (model->blocks[b].ids)
            return true;
    return false;
}

// Numbers within each body: those of its file, else counted from 0; -1 for the points and cells of beam surfaces.
static void fill_numbers(carom_grid *grid) {
    const carom_model *model = grid->model;
    int element = 0;
    for (int k = grid->node_count; k < grid->point_count; k++)
        grid->node_number[k] = -1;
    for (int c = grid->element_count; c < grid->cell_count; c++)
        grid->cell_number[c] = -1;
    for (int b = 0; b < model->body_count; b++) {
        const carom_body *body = &model->bodies[b];
        for (int k = 0; k < body->node_count; k++)
            grid->node_number[body->node_begin + k] = body->node_ids ? body->node_ids[k] : k;
        int64_t place = 0;
        for (int i = body->block_begin; i < body->block_begin + body->block_count; i++)
            for (int e = 0; e < carom_grid_cells_in(&model->blocks[i]); e++, place++) {
                const carom_block *block = &model->blocks[i];
                grid->cell_number[grid->cell_of[element++]] = block->ids     ? block->ids[e]
                                                              : block->cells ? block->cells[e]
                                                                             : place;
            }
    }
}

bool carom_grid_number(carom_grid *grid) {
    if (grid->numbered)
        return true;
    grid->cell_number = carom_allocate(grid->cell_count, sizeof *grid->cell_number);
    grid->node_number = carom_allocate(grid->point_count, sizeof *grid->node_number);
    grid->numbered = grid->cell_number && grid->node_number;
    if (grid->numbered)
        fill_numbers(grid);
    return grid->numbered;
}

// Adds rings, caps and side surfaces of a beam block. `first` is the index of its first element, `begin` is scratch
// that receives the first point of the ring of each node, `point` the next free point.
static void sweep(carom_grid *grid, const carom_block *block, int first, int *begin, int *point, cursor *c) {
    const carom_model *model = grid->model;
    double points[CAROM_OUTLINE_MAX][2];
    int ring = outline_of(block, points);
    memset(begin, 0, (size_t)model->node_count * sizeof *begin);
    for (int i = 0; ring && i < 2 * block->count; i++) {
        int k = block->nodes[i];
        if (begin[k])
            continue;
        // points of rings come after all nodes, so 0 means that a node has no ring yet
        begin[k] = *point;
        for (int j = 0; j < ring; j++, ++*point) {
            grid->sections[*point - grid->node_count] = (carom_section_point){k, {points[j][0], points[j][1]}};
            grid->point_body[*point] = block->body;
            if (ends_at(model, k))
                grid->connectivity[c->place++] = *point;
        }
        if (!ends_at(model, k))
            continue;
        grid->owner[c->cell - grid->element_count] = first + i / 2;
        end_cell(grid, c, VTK_POLYGON, block->body);
    }
    // one quadrilateral between corresponding sides of the two rings of an element
    for (int e = 0; ring && e < block->count; e++) {
        int from = begin[block->nodes[2 * e]], to = begin[block->nodes[2 * e + 1]];
        for (int j = 0; j < ring; j++) {
            int next = (j + 1) % ring;
            grid->connectivity[c->place++] = from + j;
            grid->connectivity[c->place++] = from + next;
            grid->connectivity[c->place++] = to + next;
            grid->connectivity[c->place++] = to + j;
            grid->owner[c->cell - grid->element_count] = first + e;
            end_cell(grid, c, VTK_QUAD, block->body);
        }
    }
}

// `values` must hold either three numbers for each point or the widest field of all cells.
static bool allocate(carom_grid *grid) {
    int64_t value_count = 3 * (int64_t)grid->point_count;
    int patches = 0, widest = 0;
    for (int f = 0; f < grid->field_count; f++) {
        widest = grid->fields[f].components > widest ? grid->fields[f].components : widest;
        if ((int64_t)grid->cell_count * grid->fields[f].components > value_count)
            value_count = (int64_t)grid->cell_count * grid->fields[f].components;
    }
    for (int b = 0; b < grid->model->block_count; b++) {
        const carom_block *block = &grid->model->blocks[b];
        patches = !carom_block_has_cells(block) && block->count > patches ? block->count : patches;
    }
    if (patches) {
        grid->patch_values = carom_allocate((int64_t)widest * patches, sizeof *grid->patch_values);
        grid->around_nodes = carom_allocate((int64_t)widest * grid->node_count, sizeof *grid->around_nodes);
        if (!grid->patch_values || !grid->around_nodes)
            return false;
    }
    if (carom_model_has_history(grid->model)) {
        int largest = 0;
        for (int b = 0; b < grid->model->block_count; b++)
            largest = grid->model->blocks[b].count > largest ? grid->model->blocks[b].count : largest;
        grid->inner_margin = carom_allocate(7 * (int64_t)largest, sizeof *grid->inner_margin);
        if (!grid->inner_margin)
            return false;
    }
    grid->connectivity = carom_allocate(grid->connectivity_count, sizeof *grid->connectivity);
    grid->offsets = carom_allocate((int64_t)grid->cell_count + 1, sizeof *grid->offsets);
    grid->types = carom_allocate(grid->cell_count, sizeof *grid->types);
    grid->cell_body = carom_allocate(grid->cell_count, sizeof *grid->cell_body);
    grid->point_body = carom_allocate(grid->point_count, sizeof *grid->point_body);
    grid->point_mass = carom_allocate(grid->point_count, sizeof *grid->point_mass);
    grid->contact_state = carom_allocate(grid->point_count, sizeof *grid->contact_state);
    grid->sections = carom_allocate(grid->point_count - grid->node_count, sizeof *grid->sections);
    grid->owner = carom_allocate(grid->cell_count - grid->element_count, sizeof *grid->owner);
    grid->cell_of = carom_allocate(grid->element_count, sizeof *grid->cell_of);
    grid->values = carom_allocate(value_count, sizeof *grid->values);
    grid->sorted = carom_allocate(value_count, sizeof *grid->sorted);
    return grid->connectivity && grid->offsets && grid->types && grid->cell_body && grid->point_body && grid->point_mass &&
           grid->contact_state && grid->sections && grid->owner && grid->cell_of && grid->values && grid->sorted;
}

// A result of the integrator (reactions of a static analysis, say), limit surfaces of loop shells and
// frames of beams exist in some models only; others omit these fields.
static void choose_point_fields(carom_grid *grid) {
    bool smooth = false;
    for (int b = 0; b < grid->model->body_count; b++)
        smooth = smooth || grid->model->bodies[b].limit.begin;
    for (int f = 0; f < CAROM_POINT_FIELDS; f++)
        if (f < CAROM_POINT_RESULT || (f == CAROM_POINT_RESULT && grid->result) || (f == CAROM_POINT_TO_LIMIT && smooth) ||
            (f > CAROM_POINT_TO_LIMIT && grid->model->R))
            grid->point_fields[grid->point_field_count++] = (carom_point_field)f;
}

void carom_grid_list_fields(const carom_model *model, const carom_method_result *result, carom_grid *grid) {
    *grid = (carom_grid){.model = model, .result = result};
    choose_point_fields(grid);
    collect_fields(grid);
    carom_envelopes_list(grid);
    carom_inner_fields_list(grid);
    carom_nodal_list(grid);
}

// Fills the arrays; `mark` is scratch for a number of each node. False if memory is short. cell_of must exist before anything
// is placed.
static bool fill(carom_grid *grid, int *mark) {
    const carom_model *model = grid->model;
    carom_error unused;
    order_cells(grid);
    if (!carom_nodal_create(grid) || carom_traces_create(model, &grid->traces, &unused))
        return false;
    cursor c = {0};
    fill_elements(grid, &c);
    int point = grid->node_count, first = 0;
    for (int b = 0; b < model->block_count; b++) {
        sweep(grid, &model->blocks[b], first, mark, &point, &c);
        first += carom_grid_cells_in(&model->blocks[b]);
    }
    for (int k = 0; k < model->node_count; k++)
        grid->point_mass[k] = model->mass[k] > CAROM_MASSLESS ? model->mass[k] : 0;
    for (int b = 0; b < model->body_count; b++)
        for (int k = 0; k < model->bodies[b].node_count; k++)
            grid->point_body[model->bodies[b].node_begin + k] = b;
    return (!has_numbers(model) || carom_grid_number(grid)) && carom_nodal_weigh(grid);
}

// The order matters: counts decide the sizes, and sizes the memory.
carom_status carom_grid_create(const carom_model *model, const carom_method_result *result, carom_grid *grid,
                               carom_error *error) {
    carom_grid_list_fields(model, result, grid);
    int *mark = carom_allocate(model->node_count, sizeof *mark);
    if (mark)
        survey(grid, mark);
    bool good = mark && allocate(grid) && fill(grid, mark);
    free(mark);
    if (good)
        return CAROM_OK;
    carom_grid_release(grid);
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the grid of the field files");
}

void carom_grid_release(carom_grid *grid) {
    free(grid->connectivity);
    free(grid->offsets);
    free(grid->types);
    free(grid->cell_body);
    free(grid->point_body);
    free(grid->point_mass);
    free(grid->contact_state);
    carom_traces_release(&grid->traces);
    free(grid->sections);
    free(grid->owner);
    free(grid->cell_number);
    free(grid->node_number);
    free(grid->volume);
    free(grid->node_volume);
    free(grid->around_begin);
    free(grid->around);
    free(grid->nodal_values);
    free(grid->patch_values);
    free(grid->inner_margin);
    free(grid->around_nodes);
    free(grid->cell_of);
    free(grid->values);
    free(grid->sorted);
    *grid = (carom_grid){0};
}

// Vector from the node to a point of its section: R (y, z, 0), with R the rotation of the node.
static void arm_of(const carom_section_point *p, const double (*R)[3][3], double arm[3]) {
    const double offset[3] = {p->offset[0], p->offset[1], 0};
    carom_mat3_apply(R[p->node], offset, arm);
}

void carom_grid_positions(carom_grid *grid, const carom_state *state) {
    double(*values)[3] = (carom_vectors)grid->values;
    memcpy(values, state->x, (size_t)grid->node_count * sizeof *values);
    for (int i = grid->node_count; i < grid->point_count; i++) {
        const carom_section_point *p = &grid->sections[i - grid->node_count];
        arm_of(p, (const double(*)[3][3])state->R, values[i]);
        carom_add_scaled(1, state->x[p->node], values[i]);
    }
}

// Vector from a control node to its limit point on the subdivision surface: offset + sum of weight times
// position (carom_limit), minus the position of the node.
static void to_limit(const carom_grid *grid, const carom_state *state, int k, double value[3]) {
    const carom_body *body = &grid->model->bodies[grid->point_body[k]];
    const carom_limit *limit = &body->limit;
    int i = k - body->node_begin;
    value[0] = value[1] = value[2] = 0;
    if (!limit->begin || limit->begin[i] == limit->begin[i + 1])
        return;
    for (int c = 0; c < 3; c++) {
        value[c] = limit->offset[i][c] - state->x[k][c];
        for (int j = limit->begin[i]; j < limit->begin[i + 1]; j++)
            value[c] += limit->weight[j][c] * state->x[limit->nodes[j]][c];
    }
}

// One vector of a node; the axes are the columns of its rotation matrix.
static void node_vector(const carom_grid *grid, const carom_state *state, carom_point_field field, int k, double value[3]) {
    switch (field) {
    case CAROM_POINT_DISPLACEMENT: carom_difference(state->x[k], grid->model->X[k], value); break;
    case CAROM_POINT_VELOCITY: carom_copy(state->v[k], value); break;
    case CAROM_POINT_IMPULSE: carom_copy(state->impulse[k], value); break;
    case CAROM_POINT_CONTACT_FORCE: carom_traces_force(&grid->traces, state, k, value); break;
    case CAROM_POINT_RESULT: carom_copy(carom_method_result_values(grid->result, state) + (ptrdiff_t)3 * k, value); break;
    case CAROM_POINT_TO_LIMIT: to_limit(grid, state, k, value); break;
    default:
        for (int i = 0; i < 3; i++)
            value[i] = state->R[k][i][field - CAROM_POINT_AXIS_1];
    }
}

// Adds the contribution of the rotation to a section point. Displacement: R a - R0 a. Velocity: R (w x a),
// with the spin w in the axes of the section.
static void add_turn(const carom_grid *grid, const carom_state *state, carom_point_field field, const carom_section_point *p,
                     double value[3]) {
    double now[3], start[3], cross[3];
    if (field == CAROM_POINT_DISPLACEMENT) {
        arm_of(p, (const double(*)[3][3])state->R, now);
        arm_of(p, (const double(*)[3][3])grid->model->R, start);
        for (int i = 0; i < 3; i++)
            value[i] += now[i] - start[i];
    } else if (field == CAROM_POINT_VELOCITY) {
        const double offset[3] = {p->offset[0], p->offset[1], 0};
        carom_cross(state->spin[p->node], offset, cross);
        carom_mat3_apply((carom_const_vectors)state->R[p->node], cross, now);
        carom_add_scaled(1, now, value);
    }
}

void carom_grid_point_field(carom_grid *grid, const carom_state *state, carom_point_field field) {
    double(*values)[3] = (carom_vectors)grid->values;
#pragma omp parallel for schedule(static) if (grid->node_count > CAROM_GRID_SHARED)
    for (int k = 0; k < grid->node_count; k++)
        node_vector(grid, state, field, k, values[k]);
    for (int i = grid->node_count; i < grid->point_count; i++) {
        const carom_section_point *p = &grid->sections[i - grid->node_count];
        node_vector(grid, state, field, p->node, values[i]);
        add_turn(grid, state, field, p, values[i]);
    }
}

void carom_grid_contact_state(carom_grid *grid, const carom_state *state) {
#pragma omp parallel for schedule(static) if (grid->node_count > CAROM_GRID_SHARED)
    for (int k = 0; k < grid->node_count; k++)
        grid->contact_state[k] = carom_traces_touch(&grid->traces, state, k);
    for (int i = grid->node_count; i < grid->point_count; i++)
        grid->contact_state[i] = grid->contact_state[grid->sections[i - grid->node_count].node];
}
