// SPDX-License-Identifier: MIT
// The batch size of element kernels.
#ifndef CAROM_LANES_H
#define CAROM_LANES_H

// Elements are processed in batches of this many, one per lane of a vector register.
enum { CAROM_LANES = 8 };

#endif
