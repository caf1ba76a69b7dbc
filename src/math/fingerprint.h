// SPDX-License-Identifier: MIT
// What this machine computes, as one number: a hash of 12,000 values of the functions of carom and of square roots, divisions
// and sums. Machines that share a run must have the same one.
#ifndef CAROM_MATH_FINGERPRINT_H
#define CAROM_MATH_FINGERPRINT_H

#include <stdint.h>

uint64_t carom_math_fingerprint(void);

#endif
