// SPDX-License-Identifier: MIT
// X-macro lists of the kinds of elements that a device can compute. Each list has the kinds that share one form of kernel; the
// enum of kinds (calls.h), the choice of a kernel for each block of a model (plan.c), the emulation and CUDA expand them.
// X(NAME, ...) stands for the kernel CAROM_THREAD_##NAME; `nodes` is the number of nodes of its elements, 0 for any number;
// further arguments are passed on. C and C++.
#ifndef CAROM_DEVICE_KINDS_H
#define CAROM_DEVICE_KINDS_H

// Fully integrated solids carom_element_##name: X(NAME, name, nodes, ...). They need carom_##name##_force and
// carom_##name##_energy (element/solid/solid_batch.h). For laws that are evaluated point by point they have a second kernel,
// CAROM_THREAD_##NAME##_POINTS.
#define CAROM_THREAD_FULL_SOLIDS(X, ...) \
    X(TET4, tet4, 4, __VA_ARGS__)        \
    X(HEX8, hex8, 8, __VA_ARGS__)        \
    X(WEDGE6, wedge6, 6, __VA_ARGS__)
// All solids: these, and the brick with one-point integration.
#define CAROM_THREAD_SOLIDS(X, ...)          \
    CAROM_THREAD_FULL_SOLIDS(X, __VA_ARGS__) \
    X(HEX8_ONE_POINT, hex8, 8, __VA_ARGS__)
// Solids with a kernel for the upper bound of their stiffness: X(NAME, name, nodes, function that computes it, ...).
#define CAROM_THREAD_BOUNDED(X, ...)                       \
    X(TET4, tet4, 4, carom_thread_tet4_share, __VA_ARGS__) \
    X(HEX8, hex8, 8, carom_hex8_share, __VA_ARGS__)        \
    X(HEX8_ONE_POINT, hex8, 8, carom_hex8_share, __VA_ARGS__)
// Solids that also occur as cells of `nodal`, as carom_nodal_##name.
#define CAROM_THREAD_CELLS(X, ...) \
    X(TET4, tet4, 4, __VA_ARGS__)  \
    X(HEX8, hex8, 8, __VA_ARGS__)
// Kinds with a kernel for each law that has batched formulas: solids, and patches of `nodal` (element/average/nodal.h).
#define CAROM_THREAD_BY_LAW(X, ...)     \
    CAROM_THREAD_SOLIDS(X, __VA_ARGS__) \
    X(PATCH, patch, 0, __VA_ARGS__)

// Plane elements carom_element_##name: X(NAME, name, nodes, ...).
#define CAROM_THREAD_SHEETS(X, ...) \
    X(TRI3, tri3, 3, __VA_ARGS__)   \
    X(QUAD4, quad4, 4, __VA_ARGS__)

// Shells of the variant CAROM_SHELL_##VARIANT: X(NAME, VARIANT, nodes, ...).
#define CAROM_THREAD_SHELLS(X, ...)         \
    X(SHELL, REGULAR, 12, __VA_ARGS__)      \
    X(SHELL_STORED, STORED, 0, __VA_ARGS__) \
    X(SHELL_AFFINE, AFFINE, 0, __VA_ARGS__)

// Elements with one kernel for all their laws: X(NAME, element, nodes, group, function that computes the force, ...), where
// make_##group of plan.c describes a block. VOLUME has the patches around the nodes of TET4_VOLUME, PATCH_POINT those of
// `nodal` with a law that is split into an isochoric and a volumetric part.
#define CAROM_THREAD_SINGLE(X, ...)                                                                  \
    X(HEX8_DILATED, carom_dilated_hex8.element, 8, averaged, carom_dilated_force_batch, __VA_ARGS__) \
    X(TET4_VOLUME, carom_volume_tet4.element, 4, averaged, carom_volume_force_batch, __VA_ARGS__)    \
    X(VOLUME, carom_volume_patch, 0, averaged, carom_thread_volume, __VA_ARGS__)                     \
    X(BAR, carom_element_bar, 2, bar, carom_thread_bar, __VA_ARGS__)                                 \
    X(PATCH_POINT, carom_nodal_patch, 0, patch, carom_thread_patch_point, __VA_ARGS__)

// All kernels but CAROM_THREAD_##NAME##_POINTS of solids.
#define CAROM_THREAD_NAMED(X, ...)      \
    CAROM_THREAD_BY_LAW(X, __VA_ARGS__) \
    CAROM_THREAD_SHEETS(X, __VA_ARGS__) \
    CAROM_THREAD_SHELLS(X, __VA_ARGS__) \
    CAROM_THREAD_SINGLE(X, __VA_ARGS__)

// Is `kind` in a list: false LIST(CAROM_THREAD_IS, )
#define CAROM_THREAD_IS(NAME, ...) || kind == CAROM_THREAD_##NAME
#define CAROM_THREAD_IS_POINTS(NAME, ...) || kind == CAROM_THREAD_##NAME##_POINTS

#endif
