// SPDX-License-Identifier: MIT
// Macros for kernels (loops with most of the computation), which are compiled once for each generation of vector registers, and
// for functions that are also compiled for devices.
#ifndef CAROM_BASE_KERNEL_H
#define CAROM_BASE_KERNEL_H

#include "base/processor.h"

// Defines the kernel `name`, which runs `body`. It is compiled once for each generation of vector registers, and the best copy
// for the processor is called, or the one that CAROM_KERNELS names (base/processor.h). `parameters` and `arguments` are those
// of the function, in parentheses. `body` calls functions that are CAROM_INLINE, so that they are compiled with it.
#ifdef CAROM_KERNEL_COPIES
#define CAROM_KERNEL(name, parameters, arguments, body)                          \
    __attribute__((target("arch=x86-64-v4"))) static void name##_v4 parameters { \
        body;                                                                    \
    }                                                                            \
    __attribute__((target("arch=x86-64-v3"))) static void name##_v3 parameters { \
        body;                                                                    \
    }                                                                            \
    static void name##_baseline parameters {                                     \
        body;                                                                    \
    }                                                                            \
    static void name parameters {                                                \
        switch (carom_kernels_chosen()) {                                        \
        case CAROM_KERNELS_V4: name##_v4 arguments; break;                       \
        case CAROM_KERNELS_V3: name##_v3 arguments; break;                       \
        default: name##_baseline arguments; break;                               \
        }                                                                        \
    }
#else
#define CAROM_KERNEL(name, parameters, arguments, body) \
    static void name parameters {                       \
        body;                                           \
    }
#endif
// A function that a kernel rarely calls. It is not inlined, and its arguments are in one struct that is set for the call only,
// so that it does not take registers from the kernel. It is compiled once, for baseline registers, with the same results.
#ifdef __CUDACC__
#define CAROM_SELDOM static __device__ __noinline__
#else
#define CAROM_SELDOM static __attribute__((noinline, cold, unused))
#endif

#ifdef __CUDACC__
#define CAROM_INLINE static __device__ __forceinline__
#else
#define CAROM_INLINE static inline __attribute__((always_inline))
#endif

// Placed before a loop that must not be unrolled.
#ifdef __CUDACC__
#define CAROM_ROLLED _Pragma("unroll 1")
#else
#define CAROM_ROLLED _Pragma("GCC unroll 1")
#endif

// Scalar functions that are also compiled for devices. CAROM_SHARED functions are declared as usual; their bodies are in a
// header (*_body.h) that one source includes, and the file for devices. Functions used by these bodies only are CAROM_LOCAL,
// and arrays of constants CAROM_TABLE.
#ifdef __CUDACC__
#define CAROM_SHARED static __device__
#define CAROM_LOCAL static __device__
#define CAROM_TABLE static __device__ const
#else
#define CAROM_SHARED
#define CAROM_LOCAL static inline
#define CAROM_TABLE static const
#endif

#endif
