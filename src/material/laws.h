// SPDX-License-Identifier: MIT
// The list of constitutive laws: X(CONSTANT, name, ...) stands for a law and its table, carom_material_##name, and further
// arguments are passed on. Enums, the catalogue, the kernels of elements and those of devices are made from it. C and C++. The
// laws of the isochoric stretches (rubbers), which are evaluated point by point (material/rubber), are CAROM_RUBBER_LAWS of
// carom/material.h.
#ifndef CAROM_MATERIAL_LAWS_H
#define CAROM_MATERIAL_LAWS_H

#include "carom/material.h"

// Laws of Lame's constants with batches (material/lanes/stress.h).
#define CAROM_LAME_LAWS(X, ...) X(LINEAR, linear, __VA_ARGS__) CAROM_FINITE_LAWS(X, __VA_ARGS__)
// Laws of finite strains, for which material/lanes/point_bound.h has bounds of the stiffness.
#define CAROM_FINITE_LAWS(X, ...)                            \
    X(ST_VENANT_KIRCHHOFF, st_venant_kirchhoff, __VA_ARGS__) \
    X(NEO_HOOKEAN, neo_hookean, __VA_ARGS__)
// The neo-Hookean law without its infinite energy at zero volume, for elements that only stabilise others: below the volume
// CAROM_OPEN_VOLUME its dependence on the volume is continued by a parabola, so that it is defined for every F. Not available
// in scenes.
#define CAROM_INNER_LAWS(X, ...) X(OPEN, open_neo_hookean, __VA_ARGS__)
// Laws with history.
#define CAROM_HISTORY_LAWS(X, ...) \
    X(J2, j2, __VA_ARGS__)         \
    X(VISCOELASTIC, viscoelastic, __VA_ARGS__)

// Laws with batched kernels, laws with batched bounds of the stiffness, and laws that are available in scenes.
#define CAROM_BATCHED_LAWS(X, ...) CAROM_LAME_LAWS(X, __VA_ARGS__) CAROM_INNER_LAWS(X, __VA_ARGS__)
#define CAROM_BOUNDED_LAWS(X, ...) CAROM_FINITE_LAWS(X, __VA_ARGS__) CAROM_INNER_LAWS(X, __VA_ARGS__)
#define CAROM_NAMED_LAWS(X, ...) \
    CAROM_LAME_LAWS(X, __VA_ARGS__) CAROM_RUBBER_LAWS(X, __VA_ARGS__) CAROM_HISTORY_LAWS(X, __VA_ARGS__)

#define CAROM_LAW_CONSTANT(NAME, name, prefix) prefix##NAME,

typedef enum carom_law {
    CAROM_BATCHED_LAWS(CAROM_LAW_CONSTANT, CAROM_LAW_) CAROM_RUBBER_LAWS(CAROM_LAW_CONSTANT, CAROM_LAW_)
        CAROM_HISTORY_LAWS(CAROM_LAW_CONSTANT, CAROM_LAW_) CAROM_LAW_OTHER, // of a user
} carom_law;

// Kernels of elements: a law with batches, or one of these.
typedef enum carom_kernel_law {
    CAROM_BATCHED_LAWS(CAROM_LAW_CONSTANT, CAROM_KERNEL_) CAROM_KERNEL_NONE, // a law without batches
    CAROM_KERNEL_FLOW, // a law with history (element/j2_batch.h); on devices also rubbers
} carom_kernel_law;

#endif

// The headers of the laws of the first invariant: their parameters; with CAROM_FIRST_TEXT their functions too.
#ifdef CAROM_FIRST_PAGES
#include "material/gent.h"
#include "material/yeoh.h"
#endif
