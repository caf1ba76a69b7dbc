// SPDX-License-Identifier: MIT
// The list of constitutive laws, as X macros. X(CONSTANT, name, ...) is expanded for each law of a list; the material itself is
// the constant carom_material_##name, and further arguments are passed to X unchanged. The enums, the catalogue of materials
// and the kernels of elements, for the processor and for devices, are generated from these lists. The laws of rubber have a
// list of their own, CAROM_RUBBER_LAWS of carom/material.h. C and C++.
#ifndef CAROM_MATERIAL_LAWS_H
#define CAROM_MATERIAL_LAWS_H

#include "carom/material.h"

// Elastic laws with Lame's constants. Their stress is computed in batches (material/lanes/stress.h).
#define CAROM_LAME_LAWS(X, ...) X(LINEAR, linear, __VA_ARGS__) CAROM_FINITE_LAWS(X, __VA_ARGS__)
// Those of them for finite strains, for which material/lanes/point_bound.h bounds the stiffness.
#define CAROM_FINITE_LAWS(X, ...)                            \
    X(ST_VENANT_KIRCHHOFF, st_venant_kirchhoff, __VA_ARGS__) \
    X(NEO_HOOKEAN, neo_hookean, __VA_ARGS__)
// The neo-Hookean law with a finite energy at zero volume, for terms that only stabilise an element: below the volume ratio
// CAROM_OPEN_VOLUME a parabola continues the dependence on the volume, so that the law is defined for every F. Not available in
// scenes.
#define CAROM_INNER_LAWS(X, ...) X(OPEN, open_neo_hookean, __VA_ARGS__)
// Laws with history variables.
#define CAROM_HISTORY_LAWS(X, ...) \
    X(J2, j2, __VA_ARGS__)         \
    X(VISCOELASTIC, viscoelastic, __VA_ARGS__)

// The laws with batched kernels, those with batched bounds of the stiffness, and those that are available in scenes.
#define CAROM_BATCHED_LAWS(X, ...) CAROM_LAME_LAWS(X, __VA_ARGS__) CAROM_INNER_LAWS(X, __VA_ARGS__)
#define CAROM_BOUNDED_LAWS(X, ...) CAROM_FINITE_LAWS(X, __VA_ARGS__) CAROM_INNER_LAWS(X, __VA_ARGS__)
#define CAROM_NAMED_LAWS(X, ...) \
    CAROM_LAME_LAWS(X, __VA_ARGS__) CAROM_RUBBER_LAWS(X, __VA_ARGS__) CAROM_HISTORY_LAWS(X, __VA_ARGS__)

#define CAROM_LAW_CONSTANT(NAME, name, prefix) prefix##NAME,

typedef enum carom_law {
    CAROM_BATCHED_LAWS(CAROM_LAW_CONSTANT, CAROM_LAW_) CAROM_RUBBER_LAWS(CAROM_LAW_CONSTANT, CAROM_LAW_)
        CAROM_HISTORY_LAWS(CAROM_LAW_CONSTANT, CAROM_LAW_) CAROM_LAW_OTHER, // defined by a user
} carom_law;

// The law for which a kernel of elements is compiled: a law with batches, or one of the two at the end.
typedef enum carom_kernel_law {
    CAROM_BATCHED_LAWS(CAROM_LAW_CONSTANT, CAROM_KERNEL_) CAROM_KERNEL_NONE, // a law without batches
    CAROM_KERNEL_FLOW, // a law with history (element/j2_batch.h); on devices also a law of rubber
} carom_kernel_law;

#endif

// Outside the include guard, since a file may include this part more than once. The headers of the laws W(I1) of rubber: their
// parameters and, with CAROM_FIRST_TEXT, their functions too.
#ifdef CAROM_FIRST_PAGES
#include "material/gent.h"
#include "material/yeoh.h"
#endif
