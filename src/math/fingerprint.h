// SPDX-License-Identifier: MIT
// A hash of the arithmetic of this machine: of 12,000 values of the functions of carom and of square roots, divisions and sums.
// All machines of a distributed run must have the same one.
#ifndef CAROM_MATH_FINGERPRINT_H
#define CAROM_MATH_FINGERPRINT_H

#include <stdint.h>

uint64_t carom_math_fingerprint(void);

#endif
