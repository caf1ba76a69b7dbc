// SPDX-License-Identifier: MIT
#include "model/peak_hints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "element/estimate.h"
#include "math/vec3.h"
#include "model/peak_scores.h"

// Estimates that nobody has looked at, after which no more are made until somebody does.
enum { UNREAD_MAX = 16 };

bool carom_peak_hints_create(carom_peak_hints *hints, const carom_model *model) {
    int64_t size = 0;
    const double *X = &model->X[0][0];
    hints->begin = carom_allocate(model->block_count, sizeof *hints->begin);
    hints->slope = carom_allocate(model->block_count, sizeof *hints->slope);
    if (!hints->begin || !hints->slope)
        return false;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        hints->begin[b] = -1;
        if (carom_block_is_scored(model, block))
            hints->slope[b] = carom_estimate_slope(block, (carom_const_vectors)model->X);
        if (!(hints->slope[b] > 0))
            continue;
        hints->begin[b] = size;
        size += carom_lanes_size(block->count, CAROM_ESTIMATES);
    }
    hints->any = size > 0;
    if (!hints->any)
        return true;
    for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)model->node_count; i++)
        hints->far = fmax(hints->far, fabs(X[i]));
    hints->estimates = carom_allocate(size, sizeof *hints->estimates);
    hints->positions = carom_allocate(3 * (int64_t)model->node_count, sizeof *hints->positions);
    return hints->estimates && hints->positions;
}

void carom_peak_hints_release(carom_peak_hints *hints) {
    free(hints->estimates);
    free(hints->begin);
    free(hints->slope);
    free(hints->positions);
    *hints = (carom_peak_hints){0};
}

void carom_peak_hints_ask(carom_peak_hints *hints, const carom_model *model, const double (*x)[3], carom_beside *beside) {
    if (!hints->any || hints->unread > UNREAD_MAX)
        return;
    double *positions = hints->positions, reach = hints->far;
    const double *from = &x[0][0];
    ptrdiff_t n = 3 * (ptrdiff_t)model->node_count;
    for (ptrdiff_t i = 0; i < n; i++) {
        double size = fabs(from[i]);
        positions[i] = from[i];
        reach = size > reach ? size : reach;
    }
    hints->reach = reach;
    hints->made = true;
    hints->unread++;
    beside->estimates = hints->estimates;
    beside->estimates_begin = hints->begin;
}

bool carom_peak_hints_hold(carom_peak_hints *hints, const carom_model *model, const double (*x)[3]) {
    hints->unread = 0;
    return hints->made && memcmp(hints->positions, x, 3 * (size_t)model->node_count * sizeof *hints->positions) == 0;
}
