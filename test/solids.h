// SPDX-License-Identifier: MIT
// Shared by the tests of solids: every element with all its choices, and models of one box or rectangle.
#ifndef CAROM_TEST_SOLIDS_H
#define CAROM_TEST_SOLIDS_H

#include "math/vec3.h"
#include "model/model.h"
#include "support.h"

typedef struct solid_case {
    const char *name, *element;
    int choice; // carom_plane or carom_hex8_integration, or of `nodal` carom_cell_type
    bool plane;
} solid_case;

static const solid_case solid_cases[] = {
    {"tri3, plane strain", "tri3", CAROM_PLANE_STRAIN, true},
    {"tri3, plane stress", "tri3", CAROM_PLANE_STRESS, true},
    {"quad4, plane strain", "quad4", CAROM_PLANE_STRAIN, true},
    {"quad4, plane stress", "quad4", CAROM_PLANE_STRESS, true},
    {"tet4", "tet4", 0, false},
    {"hex8", "hex8", CAROM_HEX8_FULL, false},
    {"hex8, one point", "hex8", CAROM_HEX8_ONE_POINT, false},
    {"nodal, tetrahedra", "nodal", CAROM_CELL_TET4, false},
    {"nodal, bricks", "nodal", CAROM_CELL_HEX8, false},
    {"wedge6", "wedge6", 0, false},
};

enum { SOLID_CASES = sizeof solid_cases / sizeof *solid_cases };

static inline void *solid_reserve(int64_t count, size_t size) {
    assert_true(count > 0 && count < 100000000);
    // the compiler cannot see that the assertion ends the test
    void *memory = calloc(count > 0 ? (size_t)count : 1, size);
    assert_non_null(memory);
    return memory;
}

// True for elements that are not cells: they are tested as whole bodies only.
static inline bool solid_is_nodal(const solid_case *c) {
    return strcmp(c->element, "nodal") == 0;
}

static inline bool solid_is_tet(const solid_case *c) {
    return strcmp(c->element, "tet4") == 0 || (solid_is_nodal(c) && c->choice == CAROM_CELL_TET4);
}

typedef struct solid {
    bench b;
    carom_plane_element_params plane;
    carom_hex8_params hex;
    carom_nodal_params nodal;
} solid;

// Replaces each brick by two wedges. Faces of bricks do not exist any more.
static inline void solid_halve(carom_mesh *mesh) {
    static const int half[2][6] = {{0, 1, 2, 4, 5, 6}, {0, 2, 3, 4, 6, 7}};
    carom_cell_block *block = &mesh->blocks[0];
    int *nodes = solid_reserve((int64_t)12 * block->count, sizeof *nodes);
    for (int i = 0; i < 12 * block->count; i++)
        nodes[i] = block->nodes[8 * (i / 12) + half[i / 6 % 2][i % 6]];
    free(block->nodes);
    *block = (carom_cell_block){.type = CAROM_CELL_WEDGE6, .count = 2 * block->count, .nodes = nodes};
    for (int s = 0; s < mesh->face_set_count; s++)
        free(mesh->face_sets[s].nodes);
    mesh->face_set_count = 0;
}

// Starts a model of one body; the test may still change mesh, body and definition before it builds. A plane case has no z.
static inline carom_body_def *solid_start(solid *s, const solid_case *c, const double size[3], const int cells[3],
                                          const char *material, carom_elastic_params law) {
    bench_start(&s->b);
    carom_rectangle_params rectangle = {.columns = cells[0], .rows = cells[1], .cells = strcmp(c->element, "tri3") == 0};
    carom_box_params box = {.cells = solid_is_tet(c), .grading = {1, 1, 1}};
    memcpy(box.elements, cells, sizeof box.elements);
    memcpy(box.to, size, sizeof box.to);
    memcpy(rectangle.to, (const double[]){size[0], size[1], 0}, sizeof rectangle.to);
    carom_body_def *body =
        bench_add(&s->b, c->plane ? "rectangle" : "box", c->plane ? (void *)&rectangle : (void *)&box, VECTOR(0, 0, 0));
    if (strcmp(c->element, "wedge6") == 0)
        solid_halve(&s->b.meshes[0]);
    s->plane = (carom_plane_element_params){.thickness = 1, .plane = c->choice};
    s->hex = (carom_hex8_params){.integration = c->choice, .hourglass = 0.1};
    s->nodal = (carom_nodal_params){.stabilisation = 0.05};
    s->b.materials[0] = law;
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), c->element), c->plane            ? (void *)&s->plane
                                                                                     : solid_is_nodal(c) ? (void *)&s->nodal
                                                                                                         : &s->hex};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), material), &s->b.materials[0]};
    return body;
}

static inline bool solid_is_inside(const double x[3], const double size[3], bool plane) {
    for (int i = 0; i < (plane ? 2 : 3); i++)
        if (!(x[i] > 1e-9 && x[i] < size[i] - 1e-9))
            return false;
    return true;
}

// Moves the inner nodes of the mesh at random.
static inline void solid_distort(solid *s, const double size[3], bool plane, double most, uint64_t *seed) {
    carom_mesh *mesh = &s->b.meshes[0];
    for (int k = 0; k < mesh->node_count; k++)
        if (solid_is_inside(mesh->nodes[k], size, plane))
            for (int i = 0; i < (plane ? 2 : 3); i++)
                mesh->nodes[k][i] += random_real(seed, -most, most);
}

// Forces on all nodes.
static inline void solid_force(const carom_model *model, const double (*x)[3], double (*force)[3]) {
    memset(force, 0, sizeof *force * (size_t)model->node_count);
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        int n = block->node_count;
        double *slots = solid_reserve(carom_lanes_size(block->count, 3 * n), sizeof *slots);
        block->element->force(block, 0, block->count, x, (const double(*)[3])model->X, slots);
        for (int e = 0; e < block->count; e++)
            for (int d = 0; d < 3 * n; d++)
                force[block->nodes[n * e + d / 3]][d % 3] += slots[carom_lane(e, d, 3 * n)];
        free(slots);
    }
}

// The largest eigenvalue of M^-1 K of a whole model without strain by power iteration, which comes from below.
static inline double solid_fastest(const carom_model *model, uint64_t *seed) {
    int n = model->node_count;
    double(*v)[3] = solid_reserve(n, sizeof *v), (*f)[3] = solid_reserve(n, sizeof *f), (*x)[3] = solid_reserve(n, sizeof *x);
    double value = 0, small = 1e-6;
    bool plane = model->blocks[0].element->plane;
    for (int k = 0; k < 3 * n; k++)
        v[k / 3][k % 3] = plane && k % 3 == 2 ? 0 : random_real(seed, -1, 1);
    for (int round = 0; round < 400; round++) {
        double length = 0;
        for (int k = 0; k < n; k++)
            length += model->mass[k] * carom_dot(v[k], v[k]);
        for (int k = 0; k < 3 * n; k++) {
            v[k / 3][k % 3] /= sqrt(length);
            x[k / 3][k % 3] = model->X[k / 3][k % 3] + small * v[k / 3][k % 3];
        }
        solid_force(model, (const double(*)[3])x, f);
        value = 0;
        for (int k = 0; k < n; k++) {
            value -= carom_dot(f[k], v[k]) / small;
            for (int i = 0; i < 3; i++)
                v[k][i] = -f[k][i] / (small * model->mass[k]);
        }
    }
    free(v);
    free(f);
    free(x);
    return value;
}

#endif
