// SPDX-License-Identifier: MIT
// Theory: docs/theory/nodal.md
// Stabilised nodal integration of tetrahedra and bricks: C. R. Dohrmann, M. W. Heinstein, J. Jung, S. W. Key, W. R. Witkowski,
// Int. J. Numer. Meth. Engng 47 (2000) 1549-1568 (mean strain around nodes); M. A. Puso, J. Solberg, ibid. 67 (2006) 841-867
// (stabilisation).
//
// The deformation gradient is averaged over the neighbourhood of each node a, a quarter of each tetrahedron and an octant of
// each brick there,
//
//     V_a F_a = sum_e V_ea F_ea,   E = sum_a V_a [W - alpha W~](F_a) + alpha sum_e V_e W~(F_e).
//
// The law is evaluated at one point per node instead of one per tetrahedron, of which there are five or six per node, and this
// removes volumetric locking. The last sum, over cells as usual, suppresses modes that the averages do not resolve. W~ has the
// shear modulus of W and lambda~ = min(lambda, 2 mu), a Poisson's ratio of at most 1/3, so that the cells do not lock either.
// The elastic laws are linear in Lame's constants, so both parts are the law itself with other constants:
//
//     patches: lambda - alpha lambda~, (1 - alpha) mu;   cells: alpha lambda~, alpha mu.
//
// This file has the cells, which are those of tet4 and hex8 with the constants of their part. Patches are in nodal_patch.c.
#include "element/average/nodal.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/param.h"
#include "element/average/isochoric.h"
#include "element/body_step.h"
#include "element/bound.h"
#include "element/element.h"
#include "element/solid/solid_kernel.h"
#include "element/solid/solid_point.h"

static const carom_param params[] = {
    CAROM_ROW(carom_nodal_params, stabilisation, CAROM_PARAM_REAL, "", .initial = "auto", .min = 0, .max = 0.5,
              .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
              .doc = "Part of the energy that is taken cell by cell, against modes that the averages around nodes do not "
                     "resolve. More is stiffer. `auto`: 0.05, or 0.01 for elastoplastic materials."),
};

static void settle(void *params_, bool flows) {
    carom_nodal_params *p = params_;
    if (isnan(p->stabilisation))
        p->stabilisation = flows ? 0.01 : 0.05;
}

// Splitting the law in two parts requires Lame constants, or a law that splits into shape and volume itself
// (nodal_isochoric.c).
static carom_status accepts(const void *params_, const carom_material *material, carom_error *error) {
    (void)params_;
    bool splits = material->bulk && material->shear && material->isochoric;
    return carom_kernel_law_of(material) != CAROM_KERNEL_NONE || splits
               ? CAROM_OK
               : carom_fail(error, CAROM_BAD_INPUT,
                            "material '%s' has neither Lame constants nor a split into shape and volume", material->kind.name);
}

static double part_of(const carom_block *block) {
    return ((const carom_nodal_params *)block->params)->stabilisation;
}

// A law with the given Lame constants, written as Young's modulus and Poisson's ratio.
static carom_elastic_params law_of(const carom_block *block, carom_lame m) {
    return (carom_elastic_params){
        .young = m.mu * (3 * m.lambda + 2 * m.mu) / (m.lambda + m.mu),
        .poisson = 0.5 * m.lambda / (m.lambda + m.mu),
        .density = block->material->density(block->material_params),
    };
}

// The stabilising part, alpha W~.
carom_elastic_params carom_nodal_cell_law(const carom_block *block) {
    carom_lame m = carom_elastic_lame(block->material_params);
    double alpha = part_of(block);
    return law_of(block, (carom_lame){alpha * fmin(m.lambda, 2 * m.mu), alpha * m.mu});
}

// The rest, W - alpha W~. Its lambda keeps its sign, since |lambda~| <= |lambda| and alpha <= 1/2.
carom_elastic_params carom_nodal_patch_law(const carom_block *block) {
    carom_lame m = carom_elastic_lame(block->material_params);
    double alpha = part_of(block);
    return law_of(block, (carom_lame){m.lambda - alpha * fmin(m.lambda, 2 * m.mu), (1 - alpha) * m.mu});
}

// Cells with the fraction alpha of the energy and the same fraction of the mass would have the short steps of tet4. With the
// larger share sqrt(alpha) of the mass they have longer ones, and patches lose little.
double carom_nodal_cell_share(const carom_nodal_params *params_) {
    return sqrt(params_->stabilisation);
}

bool carom_nodal_is_open(const carom_block *block) {
    bool cells = block->element == &carom_nodal_tet4.element || block->element == &carom_nodal_hex8.element;
    return cells && carom_law_of(block->material) == CAROM_LAW_NEO_HOOKEAN;
}

// A cell block seen as one of the ordinary element, with the law `law`.
static carom_block ordinary(const carom_block *block, const void *law) {
    static const carom_hex8_params full = {.integration = CAROM_HEX8_FULL};
    carom_block own = *block;
    own.element = block->element->cell == CAROM_CELL_TET4 ? &carom_element_tet4.element : &carom_element_hex8.element;
    own.params = &full;
    // Averages around nodes provide the law and its barrier against inversion. A single cell with a twentieth of the energy
    // cannot resist them: it may be flattened or temporarily inverted, and its law must then still be defined.
    if (carom_nodal_is_open(block))
        own.material = carom_law_material(CAROM_LAW_OPEN);
    own.material_params = law;
    return own;
}

static carom_status prepare(const carom_block *block, const double (*X)[3], double *mass, carom_error *error) {
    carom_block own = ordinary(block, block->material_params);
    return own.element->prepare(&own, X, mass, error);
}

static void energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *energy_) {
    if (carom_nodal_is_split(block)) {
        carom_nodal_split_energy(block, begin, end, x, X, energy_);
        return;
    }
    carom_elastic_params law = carom_nodal_cell_law(block);
    carom_block own = ordinary(block, &law);
    own.element->energy(&own, begin, end, x, X, energy_);
}

static void force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force_) {
    if (carom_nodal_is_split(block)) {
        carom_nodal_split_force(block, begin, end, x, X, force_);
        return;
    }
    carom_elastic_params law = carom_nodal_cell_law(block);
    carom_block own = ordinary(block, &law);
    own.element->force(&own, begin, end, x, X, force_);
}

static void stiffness(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *K) {
    if (carom_nodal_is_split(block)) {
        carom_nodal_stiffness(block, begin, end, x, X, K);
        return;
    }
    carom_elastic_params law = carom_nodal_cell_law(block);
    carom_block own = ordinary(block, &law);
    own.element->stiffness(&own, begin, end, x, X, K);
}

static void stable_step(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *step) {
    if (carom_nodal_is_split(block)) {
        carom_solid_stable_step(block, begin, end, x, X, step);
    } else {
        carom_elastic_params law = carom_nodal_cell_law(block);
        carom_block own = ordinary(block, &law);
        own.element->stable_step(&own, begin, end, x, X, step);
    }
    for (int e = begin; e < end; e++)
        // The ordinary element counts the full mass; omega^2 is inversely proportional to it.
        step[e] *= sqrt(carom_nodal_cell_share(block->params));
}

static void bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                  double *measures) {
    if (carom_nodal_is_split(block)) {
        carom_block own = ordinary(block, block->material_params);
        carom_split_bound(block, &own, begin, end, motion, share, measures);
        carom_plain_bound(block, begin, end, motion, share, NULL);
        return;
    }
    carom_elastic_params law = carom_nodal_cell_law(block);
    carom_block own = ordinary(block, &law);
    own.element->bound(&own, begin, end, motion, share, measures);
    // patches bound the compression
    if (carom_nodal_is_open(block))
        for (int e = begin; e < end; e++)
            carom_bound_measure(0, 0, 0, HUGE_VAL, e, measures);
}

// The cells carry the whole mass of the body; patches have none.
static void masses(const carom_block *block, const double (*X)[3], double *mass) {
    if (!carom_block_has_cells(block))
        return;
    carom_block own = ordinary(block, block->material_params);
    carom_solid_masses(&own, X, mass);
}

double carom_nodal_body_step(const carom_block *blocks, int block_count, const double (*X)[3]) {
    for (int b = 0; b < block_count; b++)
        if (carom_nodal_is_split(&blocks[b]))
            return 0;
    return carom_body_step_elastic(blocks, block_count, 3, masses, X);
}

static void volume(const carom_block *block, int begin, int end, const double (*X)[3], double *volume_) {
    carom_block own = ordinary(block, block->material_params);
    carom_solid_volume(&own, begin, end, X, volume_);
}

// The data of a single cell are the numbers of the ordinary element, followed by the law.
enum { LAW = sizeof(carom_elastic_params) / sizeof(double) };

// For asynchronous steps: the law of the cells is stored with the data of each cell.
static void single_prepare(const carom_block *block, const carom_single *single, int e, const double (*X)[3], double *data) {
    carom_elastic_params law = carom_nodal_cell_law(block);
    carom_block own = ordinary(block, &law);
    single->prepare(&own, e, X, data);
    memcpy(data + single->data_size, &law, sizeof law);
}

static void tet4_prepare(const carom_block *block, int e, const double (*X)[3], double *data) {
    single_prepare(block, carom_tet4_single(block), e, X, data);
}

static void tet4_force(const carom_block *block, const double *data, const double (*q)[3], double (*f)[3]) {
    carom_block own = ordinary(block, data + CAROM_TET4_DATA);
    carom_tet4_single(&own)->force(&own, data, q, f);
}

static void hex8_prepare(const carom_block *block, int e, const double (*X)[3], double *data) {
    single_prepare(block, carom_hex8_single(block), e, X, data);
}

static void hex8_force(const carom_block *block, const double *data, const double (*q)[3], double (*f)[3]) {
    carom_block own = ordinary(block, data + CAROM_HEX8_SINGLE);
    carom_hex8_single(&own)->force(&own, data, q, f);
}

static const carom_single *single(const carom_block *block) {
    static const carom_single tet4 = {CAROM_TET4_DATA + LAW, tet4_prepare, tet4_force};
    static const carom_single hex8 = {CAROM_HEX8_SINGLE + LAW, hex8_prepare, hex8_force};
    if (carom_nodal_is_split(block))
        return NULL;
    return block->element->cell == CAROM_CELL_TET4 ? &tet4 : &hex8;
}

#define KIND                                                                                                                  \
    {                                                                                                                         \
        .name = "nodal", .summary = "Tetrahedra or bricks with the strain averaged around nodes, stabilised; does not lock.", \
        .reference =                                                                                                          \
            "M. A. Puso, J. Solberg: A stabilized nodally integrated tetrahedral. Int. J. Numer. Meth. Engng 67 (2006) "      \
            "841-867.",                                                                                                       \
        CAROM_PARAMS(params, carom_nodal_params)                                                                              \
    }

#define CELLS(cell_, node_count_, data_size_)                                                                                 \
    .kind = KIND, .cell = cell_, .node_count = node_count_, .data_size = data_size_, .needs_material = true,                  \
    .accepts = accepts, .points = carom_solid_points, .prepare = prepare, .energy = energy, .force = force,                   \
    .stiffness = stiffness, .stable_step = stable_step, .body_step = carom_nodal_body_step, .stiffens = carom_solid_stiffens, \
    .turns_freely = carom_solid_turns_freely, .bound = bound, .volume = volume, .single = single

const carom_solid_element carom_nodal_tet4 = {
    .element = {CELLS(CAROM_CELL_TET4, 4, CAROM_TET4_DATA)},
    .shape = &carom_shape_tet4,
};

const carom_solid_element carom_nodal_hex8 = {
    .element = {CELLS(CAROM_CELL_HEX8, 8, 0)},
    .shape = &carom_shape_hex8,
};

// The element that a scene names. Arranging a mesh turns it into blocks of the two kinds above and of patches.
const carom_element carom_element_nodal = {
    .kind = KIND,
    .nonnegative = true,
    .cell = CAROM_CELL_TET4,
    .also = CAROM_CELL_HEX8,
    .node_count = 4,
    .needs_material = true,
    .fields = CAROM_SOLID_FIELDS,
    .accepts = accepts,
    .settle = settle,
    .arrange = carom_nodal_arrange,
};
