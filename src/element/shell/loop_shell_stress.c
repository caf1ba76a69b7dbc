// SPDX-License-Identifier: MIT
// The von Mises stress of shells with the St. Venant-Kirchhoff law in batches, as a field of frames and of the first look at
// peaks; later looks are made by the pass of the forces (loop_shell_kernel.c).
#include <math.h>

#include "element/batch.h"
#include "element/shell/loop_shell_faces.h"

// The mean over the points of eight elements. False if a lane is left to others.
CAROM_INLINE bool batch(const carom_shell *s, int variant, int e0, const double (*x)[3], carom_lanes *stress) {
    enum { ROOM = 3 * CAROM_SHELL_NODES_MAX };
    int n = variant == CAROM_SHELL_REGULAR ? CAROM_LOOP_REGULAR : s->n;
    carom_shell_faces faces = carom_shell_faces_of(s);
    carom_lanes at[ROOM];
    carom_shell_mean mean;
    carom_shell_mean_start(&mean);
    carom_kernel_gather(s->block, n, e0, x, at);
    for (int q = 0; q < s->point_count; q++) {
        const double *data;
        carom_shell_weights w = carom_shell_weights_of(s, e0, q, &data);
        carom_shell_surface y;
        carom_shell_derive(&w, variant, at, &y);
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

CAROM_KERNEL(regular, (const carom_shell *s, int begin, int end, const double (*x)[3], double *values, bool *left),
             (s, begin, end, x, values, left), range(s, CAROM_SHELL_REGULAR, begin, end, x, values, left))

CAROM_KERNEL(stored, (const carom_shell *s, int begin, int end, const double (*x)[3], double *values, bool *left),
             (s, begin, end, x, values, left), range(s, CAROM_SHELL_STORED, begin, end, x, values, left))

CAROM_KERNEL(affine, (const carom_shell *s, int begin, int end, const double (*x)[3], double *values, bool *left),
             (s, begin, end, x, values, left), range(s, CAROM_SHELL_AFFINE, begin, end, x, values, left))

bool carom_shell_kernel_von_mises(const carom_block *block, int begin, int end, const double (*x)[3], double *values) {
    carom_shell s = carom_shell_of(block);
    bool left = false;
    switch (block->variant) {
    case CAROM_SHELL_REGULAR: regular(&s, begin, end, x, values, &left); break;
    case CAROM_SHELL_STORED: stored(&s, begin, end, x, values, &left); break;
    default: affine(&s, begin, end, x, values, &left); break;
    }
    return !left;
}
