// SPDX-License-Identifier: MIT
// Which vector registers the processor has. Results never depend on it: kernels make the same operations in the same order
// with registers of any width.
#ifndef CAROM_BASE_PROCESSOR_H
#define CAROM_BASE_PROCESSOR_H

#include <stdbool.h>

// Kernels have several copies where the compiler knows how to make them. Not with sanitizers, of which gcc and clang tell in
// different ways: the compiler would take long.
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

// Copies of the kernels, in ascending order: for the instructions that every processor of the kind has, and for the levels
// x86-64-v3 (AVX2) and x86-64-v4 (AVX-512).
typedef enum carom_kernels { CAROM_KERNELS_BASELINE, CAROM_KERNELS_V3, CAROM_KERNELS_V4, CAROM_KERNELS_COUNT } carom_kernels;

// "baseline", "v3", "v4".
const char *carom_kernels_name(carom_kernels kernels);

// The best copy for this processor that was compiled.
carom_kernels carom_kernels_best(void);

// That copy, or the lower one that the environment variable CAROM_KERNELS names when the first kernel is called; other values
// of it change nothing.
carom_kernels carom_kernels_chosen(void);

// True if CAROM_KERNELS is not set, or names a copy that this processor can run.
bool carom_kernels_can_be_chosen(void);

#endif
