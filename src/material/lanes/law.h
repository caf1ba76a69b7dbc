// SPDX-License-Identifier: MIT
// The elastic laws on batches (stress.h): which law a material is, and kernels for each of them.
#ifndef CAROM_MATERIAL_LANES_LAW_H
#define CAROM_MATERIAL_LANES_LAW_H

#include "material/elastic.h"
#include "material/lanes/stress.h"
#include "material/material.h"

static inline carom_kernel_law carom_kernel_law_of(const carom_material *material) {
    if (material == &carom_material_linear)
        return CAROM_KERNEL_LINEAR;
    if (material == &carom_material_st_venant_kirchhoff)
        return CAROM_KERNEL_ST_VENANT_KIRCHHOFF;
    if (material == &carom_material_neo_hookean)
        return CAROM_KERNEL_NEO_HOOKEAN;
    if (material == &carom_material_open_neo_hookean)
        return CAROM_KERNEL_OPEN;
    return CAROM_KERNEL_NONE;
}

// Defines `name`_linear, `name`_st_venant_kirchhoff, `name`_neo_hookean and `name`_open, which run `body` with `law` as a
// constant, so that the compiler sees one law in each; and `name`, which calls the one for the material of `block`. A law
// without batches must not get here. `parameters` and `arguments` are those of the functions, in parentheses.
#define CAROM_KERNEL_LAWS(name, body, parameters, arguments)                                                       \
    CAROM_KERNEL_OF_LAW(name##_linear, CAROM_KERNEL_LINEAR, body, parameters, arguments)                           \
    CAROM_KERNEL_OF_LAW(name##_st_venant_kirchhoff, CAROM_KERNEL_ST_VENANT_KIRCHHOFF, body, parameters, arguments) \
    CAROM_KERNEL_OF_LAW(name##_neo_hookean, CAROM_KERNEL_NEO_HOOKEAN, body, parameters, arguments)                 \
    CAROM_KERNEL_OF_LAW(name##_open, CAROM_KERNEL_OPEN, body, parameters, arguments)                               \
    static void name parameters {                                                                                  \
        switch (carom_kernel_law_of(block->material)) {                                                            \
        case CAROM_KERNEL_LINEAR: name##_linear arguments; break;                                                  \
        case CAROM_KERNEL_ST_VENANT_KIRCHHOFF: name##_st_venant_kirchhoff arguments; break;                        \
        case CAROM_KERNEL_OPEN: name##_open arguments; break;                                                      \
        default: name##_neo_hookean arguments; break;                                                              \
        }                                                                                                          \
    }
#define CAROM_KERNEL_OF_LAW(name, law_, body, parameters, arguments) \
    CAROM_KERNEL(name, parameters, arguments, const carom_kernel_law law = law_; body)

#endif
