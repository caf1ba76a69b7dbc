// SPDX-License-Identifier: MIT
// Declarations of the kernels of solids and plane elements, which compute forces and energies of eight elements at a time.
#ifndef CAROM_ELEMENT_SOLID_SOLID_KERNEL_H
#define CAROM_ELEMENT_SOLID_SOLID_KERNEL_H

#include "element/batch.h"
#include "element/solid.h"
#include "element/solid/tet4_body.h"
#include "element/solid/tet4_single.h"

// Stored numbers of a single brick: its reference positions.
enum { CAROM_HEX8_SINGLE = 24 };

// tri3 and quad4.
carom_element_values carom_plane_force, carom_plane_energy;
// Solids in space; by the general functions if the law has no kernel.
carom_element_values carom_solid_kernel_force, carom_solid_kernel_energy;
// Defines `function`, of type carom_element_values: it calls for each solid in space a kernel, which calls `range` of the file
// with its shape, and for plane elements `plane` of the file.
#define CAROM_SOLID_RANGE(name, nodes) \
    CAROM_KERNEL(name, CAROM_VALUES, CAROM_VALUES_GIVEN, range(block, begin, end, x, X, values, &carom_shape_##name))
#define CAROM_SOLID_CALL(name, nodes) \
    if (shape == &carom_shape_##name) \
        name CAROM_VALUES_GIVEN;
#define CAROM_SOLID_VALUES(function)                                  \
    CAROM_SOLIDS(CAROM_SOLID_RANGE)                                   \
    void function CAROM_VALUES {                                      \
        const carom_solid_shape *shape = carom_solid_shape_of(block); \
        CAROM_SOLIDS(CAROM_SOLID_CALL)                                \
        if (shape->dimension == 2)                                    \
            plane CAROM_VALUES_GIVEN;                                 \
    }

// The batch record of a block (element/batch.h); forces and energies are stored for elements in [begin, end).
carom_element_batch carom_batch_of(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3]);
// hex8 without batches, for any law.
carom_element_values carom_hex8_force_plain, carom_hex8_energy_plain;

// The force of a single element, for methods in which each element has its own step.
const carom_single *carom_hex8_single(const carom_block *block);
const carom_single *carom_solid_single(const carom_block *block);

#endif
