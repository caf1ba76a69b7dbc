// SPDX-License-Identifier: MIT
// The choice among the elastic laws that have batched formulas (stress.h): which law a material is, and macros that make a
// kernel for each of them.
#ifndef CAROM_MATERIAL_LANES_LAW_H
#define CAROM_MATERIAL_LANES_LAW_H

#include "material/elastic.h"
#include "material/lanes/stress.h"
#include "material/material.h"

static inline carom_kernel_law carom_kernel_law_of(const carom_material *material) {
    carom_law law = carom_law_of(material);
    return law < (carom_law)CAROM_KERNEL_NONE ? (carom_kernel_law)law : CAROM_KERNEL_NONE;
}

// Defines kernels `name`_linear and so on, one for each law with batches. Each runs `body` with `law` as a constant, so that it
// is compiled for this law. Also defines `name`, which calls the kernel for the material of `block`. Must not be called for a
// law without batches. `parameters` and `arguments` are those of the functions, in parentheses.
#define CAROM_KERNEL_LAWS(name, body, parameters, arguments) \
    CAROM_KERNEL_SOME_LAWS(CAROM_BATCHED_LAWS, name, body, parameters, arguments)
// The same for the laws of a list.
#define CAROM_KERNEL_SOME_LAWS(LIST, name, body, parameters, arguments) \
    LIST(CAROM_KERNEL_OF_LAW, name, body, parameters, arguments)        \
    static void name parameters {                                       \
        switch (carom_kernel_law_of(block->material)) {                 \
            LIST(CAROM_KERNEL_CASE, name, arguments)                    \
        default: break;                                                 \
        }                                                               \
    }
#define CAROM_KERNEL_OF_LAW(NAME, law_, name, body, parameters, arguments) \
    CAROM_KERNEL(name##_##law_, parameters, arguments, const carom_kernel_law law = CAROM_KERNEL_##NAME; body)
#define CAROM_KERNEL_CASE(NAME, law_, name, arguments) \
    case CAROM_KERNEL_##NAME:                          \
        name##_##law_ arguments;                       \
        break;

#endif
