// SPDX-License-Identifier: MIT
// The cells of an obstacle: geometry without stored energy. They define its shape for contact and for the frames.
//
// The motion of all nodes is prescribed (model/motion/obstacle_motion.h), so that their mass has no effect: every impulse on
// them is projected to zero. But sums over nodes and quotients by masses include all nodes. Each node therefore has a positive
// mass so small that its contribution to a sum with the masses of bodies is lost in rounding, for any velocity and length of a
// scene, while quotients by it remain finite.
#include "element/line/obstacle.h"

#include "element/line/no_energy.h"

static carom_status prepare(const carom_block *block, const double (*X)[3], double *mass, carom_error *error) {
    (void)X, (void)error;
    for (int64_t i = 0; i < (int64_t)block->count * block->node_count; i++)
        mass[block->nodes[i]] = CAROM_OBSTACLE_MASS;
    return CAROM_OK;
}

#define OBSTACLE(type, nodes, flat)                                                                                            \
    {                                                                                                                          \
        CAROM_NO_ENERGY, .kind = {.name = "obstacle", .summary = "A cell of an obstacle.", .reference = "", .params_size = 1}, \
                         .cell = type, .node_count = nodes, .plane = flat, .prepare = prepare,                                 \
                         .stiffness = carom_no_stiffness, .balanced = carom_no_balanced,                                       \
                         .turns_freely = carom_no_energy_turns_freely                                                          \
    }

// By type of cell, in space; then the plane ones, which lie in a plane scene.
#define IN_SPACE(type, nodes) OBSTACLE(type, nodes, false),
static const carom_element cells[] = {
    OBSTACLE(CAROM_CELL_POINT, 1, false),
    OBSTACLE(CAROM_CELL_LINE2, 2, false),
    CAROM_FACED_CELLS(IN_SPACE) OBSTACLE(CAROM_CELL_TRI3, 3, true),
    OBSTACLE(CAROM_CELL_QUAD4, 4, true),
};

enum { CELLS = sizeof cells / sizeof *cells };

const carom_element *carom_element_obstacle(carom_cell_type type, bool plane) {
    for (int i = CELLS - 1; i >= 0; i--)
        if (cells[i].cell == type && (cells[i].plane == plane || carom_cell_dimension(type) != 2))
            return &cells[i];
    return NULL;
}

bool carom_element_is_obstacle(const carom_element *element) {
    return element >= cells && element < cells + CELLS;
}
