// SPDX-License-Identifier: MIT
// Internals of `nodal`, elements that average the deformation gradient around nodes (nodal.c): a body has blocks of cells, its
// tetrahedra and bricks, which carry mass and a small part of the energy, and blocks of patches, which carry the rest. A patch
// is the neighbourhood of one node: that node and all nodes of the cells around it.
#ifndef CAROM_ELEMENT_AVERAGE_NODAL_H
#define CAROM_ELEMENT_AVERAGE_NODAL_H

#include "element/solid.h"

// Numbers per patch of n nodes, in batches (carom_lane): gradients g_b of its nodes except the first, the volume of the patch,
// and for each node the volume that moves with the patch (the share of its lumped mass over the density).
enum { CAROM_NODAL_NODES_MAX = 255 };

static inline int carom_nodal_volume(int n) {
    return 3 * (n - 1);
}

static inline int carom_nodal_share(int n, int a) {
    return 3 * (n - 1) + 1 + a;
}

static inline int carom_nodal_size(int n) {
    return 4 * n - 2;
}

// One of these numbers of a patch.
static inline double carom_nodal_number(const carom_block *block, int e, int k) {
    return block->data[carom_lane(e, k, block->data_size)];
}

// The volumes of patches, as `volume` of carom_element.
void carom_nodal_volumes(const carom_block *block, int begin, int end, const double (*X)[3], double *volume);

extern const carom_solid_element carom_nodal_tet4, carom_nodal_hex8;
extern const carom_element carom_nodal_patch;

// True for cells whose law is defined for every F, also for det F <= 0 (`open-neo-hookean`, material/laws.h): the patches of
// their nodes have the barrier.
bool carom_nodal_is_open(const carom_block *block);

// The two parts of the law, by their constants: of cells and of patches.
carom_elastic_params carom_nodal_cell_law(const carom_block *block);
carom_elastic_params carom_nodal_patch_law(const carom_block *block);
// The part of the masses of the nodes that moves with the cells when stable steps are estimated; patches have the rest.
double carom_nodal_cell_share(const carom_nodal_params *params);

// Settings of the patches of a mesh.
typedef struct carom_patch_design {
    const carom_element *tet4, *hex8, *patch; // elements of cells and patches
    // Patches of tetrahedra get faces after the numbers above: the places of three nodes each, as doubles, as many for all
    // patches of a size as the largest needs (nodal_arrange.c).
    bool faces;
    double part; // the fraction of the volumes of the nodes that moves with the patches
} carom_patch_design;
carom_status carom_patches_arrange(const carom_patch_design *design, const carom_mesh *mesh, struct carom_arena *arena,
                                   carom_arrangement *arrangement, carom_error *error);
carom_element_arrange carom_nodal_arrange;
carom_element_body_step carom_nodal_body_step;

// The mean deformation gradient of a patch at positions x; if no node moves by more than u, it changes by at most u `change`.
void carom_nodal_patch_map(const carom_block *block, int e, const double (*x)[3], double F[3][3], double *change);

// Forces and energies of patches in batches, for the elastic laws.
carom_element_values carom_nodal_force, carom_nodal_energy;
const carom_single *carom_nodal_single(const carom_block *block);

// Laws that split into shape and volume instead (nodal_isochoric.c): energies and forces of cells and patches alike,
// the tangent of a patch, and bounds.
bool carom_nodal_is_split(const carom_block *block);
// Parameters of a block with a split law: a factor of W_iso, and a bulk modulus.
typedef struct carom_nodal_part {
    double shape, bulk;
} carom_nodal_part;
carom_nodal_part carom_nodal_part_of(const carom_block *block);
carom_element_values carom_nodal_split_energy, carom_nodal_split_force;
// Matrices of patches of any law, and of cells of laws that split.
carom_element_values carom_nodal_stiffness;
double carom_nodal_split_tangent(const carom_block *block, int e, const double F[9], double A[81]);
// Bounds of patches of these laws.
carom_element_bound carom_nodal_split_bound;

// The points of a cell or of a patch, one after the other: volume, gradients of the nodes, and F.
typedef struct carom_nodal_visit {
    const carom_block *block;
    int e, q;
    double volume, g[CAROM_NODAL_NODES_MAX][3], F[9];
} carom_nodal_visit;
static inline carom_nodal_visit carom_nodal_visit_start(const carom_block *block, int e) {
    carom_nodal_visit visit;
    visit.block = block;
    visit.e = e;
    visit.q = -1;
    return visit;
}
bool carom_nodal_visit_next(carom_nodal_visit *visit, const double (*x)[3], const double (*X)[3]);

#endif
