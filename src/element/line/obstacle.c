// SPDX-License-Identifier: MIT
// The cells of an obstacle: geometry without stored energy. They carry its shape to contact and to the frames.
//
// The motion of all nodes is prescribed (model/motion/obstacle_motion.h), so that mass decides nothing: every impulse on them
// is projected to zero. Yet sums over nodes and quotients by masses run over all of them alike. Each node therefore has a mass
// that no sum can see: times any velocity and any length of a scene it stays below the last bit of what bodies have, and with
// it forces, kicks, momenta and centres are finite numbers.
#include "element/line/obstacle.h"

#include <math.h>
#include <string.h>

static carom_status prepare(const carom_block *block, const double (*X)[3], double *mass, carom_error *error) {
    (void)X, (void)error;
    for (int64_t i = 0; i < (int64_t)block->count * block->node_count; i++)
        mass[block->nodes[i]] = CAROM_OBSTACLE_MASS;
    return CAROM_OK;
}

static void energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *energy_) {
    (void)block, (void)x, (void)X;
    for (int e = begin; e < end; e++)
        energy_[e] = 0;
}

static void force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force_) {
    (void)x, (void)X;
    int size = 3 * block->node_count;
    for (int e = begin; e < end; e++)
        for (int i = 0; i < size; i++)
            force_[carom_lane(e, i, size)] = 0;
}

static size_t tangent_size(const carom_block *block) {
    return 9 * (size_t)block->node_count * (size_t)block->node_count;
}

static void stiffness(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                      double *stiffness_) {
    (void)x, (void)X;
    size_t size = tangent_size(block);
    memset(stiffness_ + size * (size_t)begin, 0, size * sizeof(double) * (size_t)(end - begin));
}

static void balanced(const carom_block *block, int begin, int end, const double (*x0)[3], const double (*x1)[3],
                     const double (*X)[3], double *force_, double *tangent) {
    (void)x1;
    force(block, begin, end, x0, X, force_);
    if (tangent)
        memset(tangent, 0, tangent_size(block) * sizeof(double) * (size_t)(end - begin));
}

static void stable_step(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *step) {
    (void)block, (void)x, (void)X;
    for (int e = begin; e < end; e++)
        step[e] = HUGE_VAL;
}

static bool turns_freely(const carom_block *block) {
    (void)block;
    return true;
}

#define OBSTACLE(type, nodes, flat)                                                                                            \
    {                                                                                                                          \
        .kind = {.name = "obstacle", .summary = "A cell of an obstacle.", .reference = "", .params_size = 1},                  \
        .nonnegative = true, .cell = type, .node_count = nodes, .plane = flat, .prepare = prepare, .energy = energy,           \
        .force = force, .stiffness = stiffness, .balanced = balanced, .stable_step = stable_step, .turns_freely = turns_freely \
    }

// By type of cell, in space; then the plane ones, which lie in a plane scene.
static const carom_element cells[] = {
    OBSTACLE(CAROM_CELL_POINT, 1, false),  OBSTACLE(CAROM_CELL_LINE2, 2, false), OBSTACLE(CAROM_CELL_TRI3, 3, false),
    OBSTACLE(CAROM_CELL_QUAD4, 4, false),  OBSTACLE(CAROM_CELL_TET4, 4, false),  OBSTACLE(CAROM_CELL_HEX8, 8, false),
    OBSTACLE(CAROM_CELL_WEDGE6, 6, false), OBSTACLE(CAROM_CELL_TRI3, 3, true),   OBSTACLE(CAROM_CELL_QUAD4, 4, true),
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
