// SPDX-License-Identifier: MIT
// Laws that split, on batches (isochoric.h).
#ifndef CAROM_ELEMENT_AVERAGE_ISOCHORIC_LANES_H
#define CAROM_ELEMENT_AVERAGE_ISOCHORIC_LANES_H

#include "element/average/isochoric_body.h"
#include "element/batch.h"

// P of W_iso at point q of the eight elements from e0 on; those in [begin, end) commit and book where the block says so, with
// the volumes that the points stand for. NaN where the law has no answer.
void carom_split_batch(const carom_block *block, int e0, int q, int begin, int end, const carom_lanes *volume,
                       const carom_lanes F[9], carom_lanes P[9]);

#endif
