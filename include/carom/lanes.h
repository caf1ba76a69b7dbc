// SPDX-License-Identifier: MIT
#ifndef CAROM_LANES_H
#define CAROM_LANES_H

// Elements are worked on in batches of this many, one per lane of a vector register.
enum { CAROM_LANES = 8 };

#endif
