// SPDX-License-Identifier: MIT
// Isoparametric solids of any shape: energy, force, stiffness, mass and stable step by quadrature of a pointwise law.
//
// These functions are general and not batched. They are used for laws without a kernel, and as the reference in tests of the
// kernels.
#ifndef CAROM_ELEMENT_SOLID_H
#define CAROM_ELEMENT_SOLID_H

#include "element/functions.h"
#include "element/solid_shape.h"

// The solids in space with their numbers of nodes, and the plane elements. Each has a shape and a kind of the catalogue; each
// solid in space also has kernels, from functions with its name (solid_batch.h).
#define CAROM_SOLIDS(X) X(tet4, 4) X(hex8, 8) X(wedge6, 6)
#define CAROM_PLANES(X) X(tri3, 3) X(quad4, 4)
#define CAROM_SOLID_SHAPE(name, nodes) extern const carom_solid_shape carom_shape_##name;
CAROM_PLANES(CAROM_SOLID_SHAPE)
CAROM_SOLIDS(CAROM_SOLID_SHAPE)

// An element kind whose functions are the general ones below.
typedef struct carom_solid_element {
    carom_element element;
    const carom_solid_shape *shape;
} carom_solid_element;

static inline const carom_solid_shape *carom_solid_shape_of(const carom_block *block) {
    return ((const carom_solid_element *)block->element)->shape;
}

// True unless the law is that of small displacements, which is not invariant under rotations.
bool carom_solid_turns_freely(const carom_block *block);

// A solid needs a law in three dimensions.
carom_status carom_solid_accepts(const void *params, const carom_material *material, carom_error *error);
// Lumped (row-sum) masses. Fails if the Jacobian of an element is not positive at every point, or if a plane element is not
// level.
carom_status carom_solid_prepare(const carom_block *block, const double (*X)[3], double *mass, carom_error *error);
void carom_solid_volume(const carom_block *block, int begin, int end, const double (*X)[3], double *volume);
// Adds the masses of the block alone.
void carom_solid_masses(const carom_block *block, const double (*X)[3], double *mass);
carom_element_values carom_solid_energy, carom_solid_force, carom_solid_stiffness, carom_solid_stable_step;
// The smallest height of each element over its points, up to a constant factor, from height[0] on; negative or zero if it is
// inverted.
carom_element_values carom_solid_heights;
// The stable step of an unstrained body, at most 2.5 percent below 2/omega_max (body_step.c); 0 for laws without batches of
// eight (material/laws.h), NaN if memory is short.
carom_element_body_step carom_solid_body_step;

// The fields of all solids: Cauchy stress (xx, yy, zz, xy, yz, xz), von Mises stress, principal stresses and principal
// values of Green's strain (largest first), each averaged over the element's volume.
#define CAROM_SOLID_FIELDS                                          \
    {                                                               \
        {"stress", 6}, {"von_mises", 1}, {"principal_stress", 3}, { \
            "principal_strain", 3                                   \
        }                                                           \
    }
void carom_solid_field(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], int field,
                       double *values);
// Several fields: values[f] begins with element `begin`; NULL for fields that are not required.
void carom_solid_fields(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *const values[]);

#endif
