// SPDX-License-Identifier: MIT
// Theory: docs/theory/rigid.md
// The element of a rigid body: its cells define the shape and store no energy. The model computes the mass and inertia of the
// body (model/build/rigid.c).
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/param.h"
#include "element/line/no_energy.h"
#include "element/line/rigid.h"

static const carom_param params[] = {
    CAROM_ROW(carom_rigid_params, density, CAROM_PARAM_REAL, "mass/length^3", .initial = "auto", .min = 0, .max = HUGE_VAL,
              .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
              .doc = "Density of the inside of its surface, which must be closed; `auto`: `mass` is given."),
    CAROM_ROW(carom_rigid_params, mass, CAROM_PARAM_REAL, "mass", .initial = "auto", .min = 0, .max = HUGE_VAL,
              .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
              .doc = "Its mass, instead of `density`: spread evenly over the inside, or over the surface if that is open."),
    CAROM_ROW(carom_rigid_params, offset, CAROM_PARAM_VEC3, "length", .initial = "[0, 0, 0]",
              .doc = "Where its mass centre is, seen from that of the shape."),
    CAROM_ROW(carom_rigid_params, inertia, CAROM_PARAM_VEC3, "mass length^2", .initial = "[0, 0, 0]", CAROM_RANGE_NONNEGATIVE,
              .doc = "Diagonal of its inertia matrix about the mass centre; zero: that of the shape."),
    CAROM_ROW(carom_rigid_params, products, CAROM_PARAM_VEC3, "mass length^2", .initial = "[0, 0, 0]",
              .doc = "Entries xy, yz, xz of that matrix; requires `inertia`."),
};

// Makes each block of cells a group with the element of their type.
static carom_status arrange(const void *params_, const carom_mesh *mesh, carom_arena *arena, carom_arrangement *arrangement,
                            carom_error *error) {
    (void)params_;
    arrangement->group_count = mesh->block_count;
    arrangement->groups = carom_arena_allocate(arena, mesh->block_count, sizeof *arrangement->groups);
    bool enough = arrangement->groups;
    for (int b = 0, first = 0; enough && b < mesh->block_count; first += mesh->blocks[b++].count) {
        const carom_cell_block *cells = &mesh->blocks[b];
        int size = carom_cell_size(cells->type), slots = cells->count * size;
        carom_group *group = &arrangement->groups[b];
        *group = (carom_group){.element = &carom_rigid_cells[cells->type - CAROM_CELL_TRI3],
                               .count = cells->count,
                               .node_count = size,
                               .nodes = carom_arena_reserve(arena, slots, sizeof *group->nodes, &enough),
                               .cells = carom_arena_reserve(arena, cells->count, sizeof *group->cells, &enough),
                               .data = carom_arena_reserve(arena, 0, sizeof *group->data, &enough)};
        if (enough)
            memcpy(group->nodes, cells->nodes, (size_t)slots * sizeof *group->nodes);
        for (int e = 0; enough && e < cells->count; e++)
            group->cells[e] = first + e;
    }
    return enough ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the elements");
}

// The cells have no mass of their own; the body has.
static carom_status prepare(const carom_block *block, const double (*X)[3], double *mass, carom_error *error) {
    (void)block, (void)X, (void)mass, (void)error;
    return CAROM_OK;
}

#define KIND                                                                                                    \
    .kind = {.name = "rigid",                                                                                   \
             .summary = "A rigid body with six degrees of freedom; the mesh, of any cells, defines its shape.", \
             .reference = "",                                                                                   \
             CAROM_PARAMS(params, carom_rigid_params)},                                                         \
    CAROM_NO_ENERGY, .prepare = prepare, .turns_freely = carom_no_energy_turns_freely

const carom_element carom_element_rigid = {KIND, .cell = CAROM_CELL_TRI3, .node_count = 3, .arrange = arrange};

#define OF_CELL(type, nodes) {KIND, .cell = type, .node_count = nodes},
const carom_element carom_rigid_cells[CAROM_FACED_CELL_COUNT] = {CAROM_FACED_CELLS(OF_CELL)};
