// SPDX-License-Identifier: MIT
// The smallest ratio of areas and the square of the largest principal stretch of shells (loop_shell_measure_body.h). Guards
// check them for all elements of a model every few steps; they are computed in batches for laws with a batched kernel.
#include <math.h>

#include "element/batch.h"
#include "element/shell/loop_shell_measure_body.h"
#include "material/lanes/point_bound.h"

bool carom_shell_is_batched(const carom_block *block) {
    return carom_law_of(block->material) == CAROM_LAW_ST_VENANT_KIRCHHOFF;
}

// Eight elements; the operations are those of `one`.
CAROM_INLINE void batch(const carom_shell *s, int variant, int e0, const double (*x)[3], carom_lanes *height,
                        carom_lanes *stretch) {
    int n = carom_shell_nodes(s, variant);
    carom_lanes at[CAROM_SHELL_CAPACITY];
    carom_kernel_gather(s->block, n, e0, x, at);
    carom_shell_measure_start(height, stretch);
    for (int q = 0; q < s->point_count; q++) {
        carom_shell_weights w;
        carom_shell_surface y;
        const double *data = carom_shell_check(s, variant, e0, q, at, &w, &y);
        carom_shell_measure_point(&y, data, height, stretch);
    }
}

CAROM_INLINE void range(const carom_shell *s, int variant, int begin, int end, const double (*x)[3], double *height,
                        double *stretch) {
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_lanes h, l;
        batch(s, variant, e0, x, &h, &l);
        for (int e = e0 > begin ? e0 : begin; e < end && e < e0 + CAROM_LANES; e++) {
            height[e - begin] = h[e - e0];
            stretch[e - begin] = l[e - e0];
        }
    }
}

CAROM_SHELL_KERNELS(measure, range(s, variant, begin, end, x, height, stretch),
                    (const carom_shell *s, int begin, int end, const double (*x)[3], double *height, double *stretch),
                    (s, begin, end, x, height, stretch))

// One element with any law.
static void one(const carom_shell *s, int e, const double (*x)[3], double *height, double *stretch) {
    *height = HUGE_VAL;
    *stretch = 0;
    for (int q = 0; q < s->point_count; q++) {
        carom_shell_rows rows;
        carom_shell_point point;
        double strain[6], G[3];
        carom_shell_read_rows(s, e, q, &rows);
        carom_shell_place(s, e, &rows, x, &point);
        carom_shell_strain(s, e, q, &point, strain);
        for (int k = 0; k < 3; k++)
            G[k] = *carom_shell_data(s, e, q, CAROM_SHELL_METRIC + k);
        double det = G[0] * G[1] - G[2] * G[2];
        double mean = 0.5 * (G[1] * point.g[0] + G[0] * point.g[1] - 2 * G[2] * point.g[2]) / det;
        double product = point.J * point.J / det;
        bool good = carom_shell_law(s, e, q, strain, NULL, NULL, NULL) < HUGE_VAL;
        *stretch = fmax(*stretch, mean + sqrt(fmax(mean * mean - product, 0)));
        *height = fmin(*height, good ? sqrt(product) : 0);
    }
}

void carom_shell_measure(const carom_block *block, int begin, int end, const double (*x)[3], double *height, double *stretch) {
    carom_shell s = carom_shell_of(block);
    if (carom_shell_is_batched(block)) {
        measure(&s, begin, end, x, height, stretch);
        return;
    }
    for (int e = begin; e < end; e++)
        one(&s, e, x, &height[e - begin], &stretch[e - begin]);
}
