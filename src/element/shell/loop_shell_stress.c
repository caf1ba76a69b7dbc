// SPDX-License-Identifier: MIT
// The von Mises stress of shells with the St. Venant-Kirchhoff law in batches, as a field of frames and for the first
// evaluation of peaks; later evaluations of peaks are part of the force kernel (loop_shell_kernel.c).
#include <math.h>

#include "element/batch.h"
#include "element/shell/loop_shell_faces.h"

// The mean over the points of each of eight elements. False if a lane requires the evaluation of loop_shell_field.c.
CAROM_INLINE bool batch(const carom_shell *s, int variant, int e0, const double (*x)[3], carom_lanes *stress) {
    int n = carom_shell_nodes(s, variant);
    carom_shell_faces faces = carom_shell_faces_of(s);
    carom_lanes at[CAROM_SHELL_CAPACITY];
    carom_shell_mean mean;
    carom_shell_mean_start(&mean);
    carom_kernel_gather(s->block, n, e0, x, at);
    for (int q = 0; q < s->point_count; q++) {
        carom_shell_weights w;
        carom_shell_surface y;
        const double *data = carom_shell_check(s, variant, e0, q, at, &w, &y);
        carom_shell_mean_add(&faces, &y, data, &mean);
    }
    return carom_shell_mean_end(&mean, stress);
}

CAROM_INLINE void range(const carom_shell *s, int variant, int begin, int end, const double (*x)[3], double *values,
                        bool *left) {
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_lanes stress;
        bool all = batch(s, variant, e0, x, &stress);
        for (int e = e0 > begin ? e0 : begin; e < end && e < e0 + CAROM_LANES; e++)
            values[e] = all ? stress[e - e0] : NAN;
        *left = *left || !all;
    }
}

CAROM_SHELL_KERNELS(von_mises, range(s, variant, begin, end, x, values, left),
                    (const carom_shell *s, int begin, int end, const double (*x)[3], double *values, bool *left),
                    (s, begin, end, x, values, left))

bool carom_shell_kernel_von_mises(const carom_block *block, int begin, int end, const double (*x)[3], double *values) {
    carom_shell s = carom_shell_of(block);
    bool left = false;
    von_mises(&s, begin, end, x, values, &left);
    return !left;
}
