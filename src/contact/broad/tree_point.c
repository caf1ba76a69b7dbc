// SPDX-License-Identifier: MIT
// Finds the faces near a point, by a descent through the tree (tree.h).
#include "contact/broad/tree.h"

#include <math.h>

// Boxes are in single precision: distances from them have a relative error of a few 6e-8.
static const double box_rounding = 1 + 1e-6;

enum {
    LANES = CAROM_TREE_WIDTH,
    DEEP = (LANES - 1) * CAROM_TREE_LEVELS + LANES // size of a stack: all but one child of each level are pending
};

// Square of the distance of a point from box k of a block, in the coordinates of the tree.
static double square_from_box(const carom_block_boxes *boxes, int k, const double at[3]) {
    double square = 0;
    for (int i = 0; i < 3; i++) {
        double gap = fmax(fmax((double)boxes->lower[i][k] - at[i], at[i] - (double)boxes->upper[i][k]), 0);
        square += gap * gap;
    }
    return square;
}

bool carom_tree_find_near(const carom_tree *tree, int body, const double point[3], double reach, carom_tree_visit *visit,
                          void *context) {
    struct {
        int level, block;
    } stack[DEEP];
    double at[3], scaled = reach * tree->scale * box_rounding;
    for (int i = 0; i < 3; i++)
        at[i] = (point[i] - tree->centre[i]) * tree->scale;
    int depth = 0;
    if (tree->level_count) {
        stack[depth].level = tree->level_count - 1;
        stack[depth++].block = 0;
    }
    while (depth) {
        int level = stack[--depth].level, block = stack[depth].block, here = tree->level_begin[level] + block;
        for (int k = 0; k < LANES; k++) {
            int tag = tree->tags[here][k], child = LANES * block + k;
            if ((tag != body && tag != CAROM_TREE_MIXED) || square_from_box(&tree->boxes[here], k, at) > scaled * scaled)
                continue;
            if (level) {
                stack[depth].level = level - 1;
                stack[depth++].block = child;
            } else if (visit(context, tree->order[child]))
                return true;
        }
    }
    return false;
}
