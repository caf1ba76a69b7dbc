// SPDX-License-Identifier: MIT
// Weights of nodes for dividing a model among processes: the estimated time of one step spent on a node, its fraction of each
// of its elements, its kicks and drifts (updates of velocity and position) with their ledger entries, and its contact. Figures
// are picoseconds of processor time in a step of newmark-dcr on one thread, from `carom run --profile` on bodies of 10,000 to
// 20,000 elements that stay in the cache; times of elements are divided by their number of nodes. They are valid within a third
// on other processors, and only their ratios matter; costs that they do not cover, such as adaptive steps of soft bodies, are
// measured during the run (sim/rebalance.h).
#include <string.h>

#include "element/element.h"
#include "material/material.h"
#include "model/model.h"
#include "model/parts/owners.h"

// Kicks, drifts and velocities of a node, and the additional cost of drag if any body has damping.
enum { NODE_COST = 10000, DRAG_COST = 18000 };

// Every process computes contact with all contact nodes, whose velocities are exchanged at each kick: 20 nanoseconds per node,
// measured with two boxes of 20 x 20 x 20 bricks on two processes, one of which owned all nodes.
enum { CONTACT_COST = 20000 };

// Stiffness damping evaluates the tangent of an element: 50 to 70 nanoseconds for each of its nodes, of any kind.
enum { VISCOUS_COST = 60000 };

// Per node of an element, by kind and law. One point in a brick costs 7.3 nanoseconds with any law, three points in a shell
// twice as much as one. `nodal` counts cells and patches alike: 5 nanoseconds for those of tetrahedra, 8.5 for those of bricks;
// the table has one value between for both.
typedef struct cost {
    const char *kind;
    int usual;
    int logarithm; // of a law that takes a logarithm at each point
} cost;

static const cost costs[] = {
    {"bar", 6000, 6000},    {"tri3", 4500, 6000},       {"quad4", 7000, 10000}, {"tet4", 3700, 5300},
    {"hex8", 11000, 16000}, {"loop-shell", 4600, 4600}, {"nodal", 6000, 7000},
};

enum { ONE_POINT_BRICK = 7300, THREE_POINT_SHELL = 9700, UNKNOWN_KIND = 6000 };

static bool has_logarithm(const carom_material *material) {
    return material && !material->small && !material->quadratic;
}

static int64_t cost_of(const carom_block *block) {
    const char *kind = block->element->kind.name;
    if (block->element == &carom_element_hex8.element &&
        ((const carom_hex8_params *)block->params)->integration == CAROM_HEX8_ONE_POINT)
        return ONE_POINT_BRICK;
    if (block->element == &carom_element_loop_shell &&
        ((const carom_loop_shell_params *)block->params)->integration == CAROM_SHELL_THREE_POINT)
        return THREE_POINT_SHELL;
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        if (strcmp(kind, costs[i].kind) == 0)
            return has_logarithm(block->material) ? costs[i].logarithm : costs[i].usual;
    return UNKNOWN_KIND;
}

void carom_partition_weigh(const carom_model *model, int64_t *weight) {
    for (int k = 0; k < model->node_count; k++)
        weight[k] = (carom_model_can_touch(model, k) ? CONTACT_COST : 0) + NODE_COST + (model->damped ? DRAG_COST : 0);
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        int64_t each = cost_of(block) + (model->bodies[block->body].damping.stiffness > 0 ? VISCOUS_COST : 0);
        for (int64_t i = 0; i < (int64_t)block->count * block->node_count; i++)
            weight[block->nodes[i]] += each;
    }
}
