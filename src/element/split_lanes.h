// SPDX-License-Identifier: MIT
// Laws that split, on batches (split.h).
#ifndef CAROM_ELEMENT_SPLIT_LANES_H
#define CAROM_ELEMENT_SPLIT_LANES_H

#include "element/kernel_law.h"

// P of W_iso at point q of the eight elements from e0 on; those in [begin, end) commit and book where the block says so, with
// the volumes that the points stand for. NaN where the law has no answer.
void carom_split_batch(const carom_block *block, int e0, int q, int begin, int end, const carom_lanes *volume,
                       const carom_lanes F[9], carom_lanes P[9]);

// F = I + H, and det F - 1 without cancellation.
CAROM_INLINE void carom_split_deform(const carom_lanes H[9], carom_lanes F[9], carom_lanes *growth) {
    carom_lanes minors = H[0] * H[4] - H[1] * H[3] + H[4] * H[8] - H[5] * H[7] + H[0] * H[8] - H[2] * H[6];
    carom_lanes det =
        H[0] * (H[4] * H[8] - H[5] * H[7]) - H[1] * (H[3] * H[8] - H[5] * H[6]) + H[2] * (H[3] * H[7] - H[4] * H[6]);
    *growth = H[0] + H[4] + H[8] + minors + det;
    for (int a = 0; a < 9; a++)
        F[a] = a % 4 == 0 ? H[a] + 1.0 : H[a];
}

#endif
