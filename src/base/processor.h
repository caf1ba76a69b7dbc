// SPDX-License-Identifier: MIT
// Which vector registers the processor has, and the compiled copy of the kernels (kernel.h) that uses them. Results do not
// depend on it: kernels perform the same operations in the same order with registers of any width.
#ifndef CAROM_BASE_PROCESSOR_H
#define CAROM_BASE_PROCESSOR_H

#include <stdbool.h>

// Kernels have several copies if the compiler supports it, but not with sanitizers, since compilation would take too long; gcc
// and clang indicate sanitizers differently.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAROM_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CAROM_SANITIZED
#endif
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !defined(CAROM_SANITIZED)
#define CAROM_KERNEL_COPIES
#endif

// Copies of the kernels, in ascending order: for the baseline instructions of the architecture, and for the levels
// x86-64-v3 (AVX2) and x86-64-v4 (AVX-512).
typedef enum carom_kernels { CAROM_KERNELS_BASELINE, CAROM_KERNELS_V3, CAROM_KERNELS_V4, CAROM_KERNELS_COUNT } carom_kernels;

// "baseline", "v3", "v4".
const char *carom_kernels_name(carom_kernels kernels);

// The best compiled copy for this processor.
carom_kernels carom_kernels_best(void);

// The best copy, or the lower one that the environment variable CAROM_KERNELS names at the first call of a kernel; other values
// of the variable are ignored.
carom_kernels carom_kernels_chosen(void);

// True if CAROM_KERNELS is not set, or names a copy that this processor can run.
bool carom_kernels_can_be_chosen(void);

#endif
