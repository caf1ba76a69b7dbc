// SPDX-License-Identifier: MIT
// Assembles the tangent stiffness of a model as a sparse matrix. Threads compute the element matrices of a batch of elements;
// one thread then adds them in the order of the elements, so that no sum depends on the number of threads.
#include "model/forces/stiffness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/interrupt.h"
#include "math/vec3.h"

enum {
    // Number of elements of a batch.
    BATCH = 1024,
    // Number of elements of a batch that a thread takes at a time. Both are multiples of CAROM_LANES.
    THREAD_ELEMENTS = 16
};

carom_status carom_model_has_stiffness(const carom_model *model, carom_error *error) {
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        if (!block->element->stiffness)
            return carom_fail(error, CAROM_BAD_INPUT, "element '%s' of body '%s' has no stiffness matrix",
                              block->element->kind.name, model->bodies[block->body].name);
    }
    return CAROM_OK;
}

carom_status carom_stiffness_create(const carom_model *model, const carom_unknowns *unknowns, carom_sparse **matrix,
                                    carom_error *error) {
    *matrix = NULL;
    const carom_tied_elements *tied = &unknowns->tied;
    carom_cliques *sets = carom_allocate((int64_t)model->block_count + 1, sizeof *sets);
    if (!sets)
        return carom_no_memory(error, "the stiffness");
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        // Each block is a set of cliques of equal size, which the matrix identifies by its index.
        sets[b] = (carom_cliques){block->count, block->node_count, block->nodes};
    }
    // Elements with slave nodes couple more nodes than their own.
    sets[model->block_count] = tied->cliques;
    carom_status status = carom_sparse_create(model->node_count, (const int(*)[3])unknowns->index,
                                              model->block_count + (tied->cliques.count > 0), sets, matrix, error);
    free(sets);
    if (!status)
        // With positions the elimination order is found by nested dissection.
        carom_sparse_locate(*matrix, (carom_const_vectors)model->X);
    return status;
}

// The elements [begin, end) of a block as a separate block; `begin` is a multiple of CAROM_LANES.
static carom_block part_of(const carom_block *block, int begin, int end) {
    carom_block part = carom_block_at(block, begin, end - begin);
    part.data = block->data ? block->data + carom_lane(begin, 0, block->data_size) : NULL;
    part.ids = block->ids ? block->ids + begin : NULL;
    part.cells = block->cells ? block->cells + begin : NULL;
    return part;
}

// Adds the product of an element's matrix with a vector of nodes.
static void add_product(int n, const int *nodes, const double *matrix, const double (*motion)[3], double (*product)[3]) {
    for (int b = 0; b < n; b++) {
        const double *u = motion[nodes[b]];
        // Most nodes do not move if only restraints do.
        if (u[0] == 0 && u[1] == 0 && u[2] == 0)
            continue;
        for (int i = 0; i < 3 * n; i++)
            product[nodes[i / 3]][i % 3] += carom_dot(&matrix[3 * n * i + 3 * b], u);
    }
}

// Adds the contribution of slave nodes of a batch of elements.
static bool add_tied(const carom_tied_elements *tied, int b, const carom_block *part, int begin, const double *K,
                     carom_sparse *matrix) {
    int n = part->node_count;
    bool enough = true;
    for (int i = tied->begin ? tied->begin[b] : 0; tied->begin && i < tied->begin[b + 1] && enough; i++) {
        int e = tied->element[i] - begin;
        if (e >= 0 && e < part->count && carom_tied_keeps(tied, matrix, b, begin + e, begin + e + 1))
            enough =
                carom_tied_add(tied->elimination, n, part->nodes + (ptrdiff_t)e * n, 1, K + (ptrdiff_t)9 * n * n * e, matrix);
    }
    return enough;
}

carom_status carom_stiffness_assemble(const carom_model *model, const carom_unknowns *unknowns, const double (*x)[3],
                                      const carom_flow *flow, const double (*motion)[3], double (*product)[3],
                                      carom_sparse *matrix, carom_error *error) {
    const double(*X)[3] = (carom_const_vectors)model->X;
    int size = 0;
    for (int b = 0; b < model->block_count; b++) {
        int n = model->blocks[b].node_count, batch = model->blocks[b].count < BATCH ? model->blocks[b].count : BATCH;
        // One buffer for all blocks, as large as the largest batch needs.
        size = 9 * n * n * batch > size ? 9 * n * n * batch : size;
    }
    double *K = carom_allocate(size, sizeof *K);
    if (!K)
        return carom_no_memory(error, "the stiffness");
    carom_sparse_clear(matrix);
    if (motion)
        memset(product, 0, (size_t)model->node_count * sizeof *product);
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        int n = block->node_count, square = 9 * n * n;
        for (int begin = 0; begin < block->count; begin += BATCH) {
            int end = begin + BATCH < block->count ? begin + BATCH : block->count;
            carom_status stop = carom_interrupt_check(error);
            if (stop) {
                free(K);
                return stop;
            }
            carom_block part = part_of(block, begin, end);
            part.flow = flow;
#pragma omp parallel for schedule(static) if (end - begin > 4 * THREAD_ELEMENTS)
            for (int first = 0; first < part.count; first += THREAD_ELEMENTS) {
                int last = first + THREAD_ELEMENTS < part.count ? first + THREAD_ELEMENTS : part.count;
                if (carom_sparse_keeps(matrix, n * (last - first), part.nodes + (ptrdiff_t)first * n) ||
                    carom_tied_keeps(&unknowns->tied, matrix, b, begin + first, begin + last))
                    block->element->stiffness(&part, first, last, x, X, K);
            }
            for (int e = 0; e < part.count; e++) {
                const int *nodes = part.nodes + (ptrdiff_t)e * n;
                if (!carom_sparse_keeps(matrix, n, nodes))
                    continue;
                if (motion)
                    // Before the matrix is rotated: motion and product are in the axes of space.
                    add_product(n, nodes, K + (ptrdiff_t)square * e, motion, product);
                carom_unknowns_turn_matrix(unknowns, n, nodes, K + (ptrdiff_t)square * e);
            }
            carom_sparse_add(matrix, b, begin, end, K);
            if (!add_tied(&unknowns->tied, b, &part, begin, K, matrix)) {
                free(K);
                return carom_no_memory(error, "the stiffness");
            }
        }
    }
    free(K);
    return CAROM_OK;
}

// Derivatives of the area vectors of a face with respect to the positions of its nodes, row by row; returns the number of
// nodes. Area vectors are polynomials of degree two at most, for which central differences are exact.
static int area_derivative(const carom_load_face *face, const double (*x)[3], double *K) {
    carom_load_face local = {.nodes = {0, 1, -1, -1}, .thickness = face->thickness};
    double y[4][3], size = 0;
    int n = 0;
    for (; n < 4 && face->nodes[n] >= 0; n++) {
        local.nodes[n] = n;
        // Relative to the first node: a face far from the origin loses no digits.
        carom_difference(x[face->nodes[n]], x[face->nodes[0]], y[n]);
        size = fmax(size, carom_norm(y[n]));
    }
    for (int j = 0; j < 3 * n; j++) {
        double ahead[4][3] = {{0}}, behind[4][3] = {{0}}, at = y[j / 3][j % 3];
        // A difference as large as the face: exact for polynomials of degree two, with the least rounding.
        y[j / 3][j % 3] = at + size;
        carom_load_face_normals(&local, (carom_const_vectors)y, ahead);
        y[j / 3][j % 3] = at - size;
        carom_load_face_normals(&local, (carom_const_vectors)y, behind);
        y[j / 3][j % 3] = at;
        for (int i = 0; i < 3 * n; i++)
            K[3 * n * i + j] = (ahead[i / 3][i % 3] - behind[i / 3][i % 3]) / (2 * size);
    }
    return n;
}

void carom_stiffness_subtract_loads(const carom_model *model, const carom_unknowns *unknowns, const double (*x)[3],
                                    const double *factors, carom_sparse *matrix) {
    for (int l = 0; l < model->live.count; l++) {
        const carom_live_load *load = &model->live.items[l];
        for (int f = 0; f < load->face_count && factors[l] != 0; f++) {
            const carom_load_face *face = &load->faces[f];
            double K[144];
            int n = area_derivative(face, x, K);
            carom_unknowns_turn_matrix(unknowns, n, face->nodes, K);
            // The force is -p times the area vectors, and K = -df/dx: p times their derivatives is added.
            carom_sparse_add_one(matrix, n, face->nodes, factors[l] * load->pressure, K);
            // if memory is short the tangent is less exact, and more iterations are needed
            if (unknowns->tied.elimination)
                carom_tied_add(unknowns->tied.elimination, n, face->nodes, factors[l] * load->pressure, K, matrix);
        }
    }
}
