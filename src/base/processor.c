// SPDX-License-Identifier: MIT
// Selects which compiled copy of the kernels (kernel.h) runs, by the features of the processor and the environment variable
// CAROM_KERNELS.
#include "base/processor.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[CAROM_KERNELS_COUNT] = {"baseline", "v3", "v4"};

const char *carom_kernels_name(carom_kernels kernels) {
    return names[kernels];
}

// __builtin_cpu_supports tests whether the processor has a feature and the system saves its registers. Not all compilers
// support the names of the levels, so single features are tested; every processor with these has the other features of the
// level.
carom_kernels carom_kernels_best(void) {
#ifdef CAROM_KERNEL_COPIES
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) {
        bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
        return v4 ? CAROM_KERNELS_V4 : CAROM_KERNELS_V3;
    }
#endif
    return CAROM_KERNELS_BASELINE;
}

// The copy that CAROM_KERNELS names; CAROM_KERNELS_COUNT if it is not set, or unknown.
static carom_kernels asked(void) {
    const char *name = getenv("CAROM_KERNELS");
    int k = 0;
    while (k < CAROM_KERNELS_COUNT && (!name || strcmp(name, names[k]) != 0))
        k++;
    return (carom_kernels)k;
}

bool carom_kernels_can_be_chosen(void) {
    return !getenv("CAROM_KERNELS") || asked() <= carom_kernels_best();
}

carom_kernels carom_kernels_chosen(void) {
    // threads that call this simultaneously compute the same result
    static atomic_int known = -1;
    int kernels = atomic_load_explicit(&known, memory_order_relaxed);
    if (kernels < 0) {
        carom_kernels lower = asked(), best = carom_kernels_best();
        kernels = (int)(lower < best ? lower : best);
        atomic_store_explicit(&known, kernels, memory_order_relaxed);
    }
    return (carom_kernels)kernels;
}
