// SPDX-License-Identifier: MIT
// Rayleigh damping of bodies: forces of stiffness damping (damping_body.h has the equations), mass damping of a kick, and the
// stable step with damping.
#include "model/motion/damping.h"

#include <math.h>
#include <stddef.h>

#include "base/allocate.h"
#include "element/slots.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/motion/damping_body.h"
#include "model/node_terms.h"

// Damping is computed for a chunk of elements at a time, with arrays on the stack.
enum {
    // Maximum number of elements of a chunk.
    CHUNK = 64,
    // Maximum number of nodes of all elements of a chunk: large patches form smaller chunks.
    CHUNK_NODES = 2048,
    // Number of nodes that a thread takes at a time.
    THREAD_NODES = 512,
    // Number of elements above which several threads are used: each costs some 300 ns.
    SHARED = 256
};

static int chunk_size(const carom_block *block) {
    // Batches are not divided, since reference data are laid out in lanes.
    int fit = CHUNK_NODES / block->node_count / CAROM_LANES * CAROM_LANES;
    return fit < CHUNK ? fit : CHUNK;
}

const carom_param *carom_damping_params(int *count) {
    static const carom_param params[] = {
        {.name = "mass",
         .type = CAROM_PARAM_REAL,
         .offset = offsetof(carom_damping, mass),
         .unit = "1/time",
         .initial = "0",
         CAROM_RANGE_NONNEGATIVE,
         .doc = "Coefficient a of the force -a M v. It slows down rigid motion too."},
        {.name = "stiffness",
         .type = CAROM_PARAM_REAL,
         .offset = offsetof(carom_damping, stiffness),
         .unit = "time",
         .initial = "0",
         CAROM_RANGE_NONNEGATIVE,
         .doc = "Coefficient b of the force -b K v. It makes the stable step h smaller: sqrt(h^2 + b^2) - b."},
    };
    *count = sizeof params / sizeof *params;
    return params;
}

double carom_damping_step(const carom_damping *damping, double step) {
    // h (h + 2 b) = step^2, written without cancellation
    double b = damping->stiffness;
    // A body without stiffness has an infinite step, with damping as well.
    return isinf(step) ? step : step * (step / (sqrt(step * step + b * b) + b));
}

carom_status carom_model_spread_damping(carom_model *model, const carom_model_def *def, carom_error *error) {
    (void)def;
    bool any = false;
    for (int b = 0; b < model->body_count; b++)
        any = any || model->bodies[b].damping.mass > 0;
    if (!any)
        return CAROM_OK;
    model->mass_damping = carom_arena_allocate(model->arena, model->node_count, sizeof *model->mass_damping);
    if (!model->mass_damping)
        return carom_no_memory(error, "the model");
    for (int b = 0; b < model->body_count; b++)
        for (int k = 0; k < model->bodies[b].node_count; k++)
            model->mass_damping[model->bodies[b].node_begin + k] = model->bodies[b].damping.mass;
    return CAROM_OK;
}

bool carom_model_is_viscous(const carom_model *model) {
    for (int b = 0; b < model->body_count; b++)
        if (model->bodies[b].damping.stiffness > 0)
            return true;
    return false;
}

// Damping forces of elements [begin, end) of a block, begin a multiple of CAROM_LANES; `out` and `slots` are those of the whole
// block.
static void find_forces(const carom_block *block, double b, int begin, int end, const double (*x)[3], const double (*w)[3],
                        const double (*X)[3], const double *slots, double *out) {
    // a separate block in which each element has its own copies of its nodes
    int n = block->node_count, nodes[CHUNK_NODES];
    double y[CHUNK_NODES][3], Y[CHUNK_NODES][3], u[CHUNK_NODES][3], r[CHUNK_NODES][3], step[CHUNK];
    carom_damping_rigid body[CHUNK];
    for (int e = begin; e < end; e++) {
        const int *of = &block->nodes[n * e];
        int c = e - begin;
        for (int a = 0; a < n; a++)
            carom_copy(w[of[a]], u[n * c + a]);
        step[c] = carom_damping_open(of, n, x, &r[n * c], &u[n * c], &body[c]);
        for (int a = 0; a < n; a++) {
            int k = n * c + a;
            nodes[k] = k;
            carom_copy(X[of[a]], Y[k]);
            carom_copy(x[of[a]], y[k]);
            carom_add_scaled(step[c], u[k], y[k]);
        }
    }
    // A block over the copies of the nodes, so that elements that share a node are perturbed in different directions.
    carom_block own = carom_block_at(block, begin, end - begin);
    own.nodes = nodes;
    own.data = block->data + (ptrdiff_t)begin * block->data_size;
    double *f = out + carom_lane(begin, 0, 3 * n), still[3 * CHUNK_NODES];
    const double *f0 = slots + carom_lane(begin, 0, 3 * n);
    block->element->force(&own, 0, own.count, (carom_const_vectors)y, (carom_const_vectors)Y, f);
    if (block->history) {
        own.nodes = &block->nodes[n * begin];
        block->element->force(&own, 0, own.count, x, X, still);
        f0 = still;
    }

    for (int c = 0; c < own.count; c++) {
        double(*d)[3] = &y[n * c];
        for (int a = 0; a < n; a++)
            for (int i = 0; i < 3; i++) {
                int64_t at = carom_lane(c, 3 * a + i, 3 * n);
                d[a][i] = carom_damping_quotient(b, step[c], f[at], f0[at]);
            }
        bool takes = carom_damping_close(&body[c], (carom_const_vectors)&u[n * c], d);
        for (int a = 0; a < n; a++)
            for (int i = 0; i < 3; i++)
                f[carom_lane(c, 3 * a + i, 3 * n)] = takes ? d[a][i] : 0;
    }
}

double carom_block_stiffness_damping(const carom_model *model, const carom_block *block) {
    // Stiffness damping does not act on beams, and a point mass does not deform.
    bool deforms = !block->element->framed && block->node_count > 1;
    return deforms ? model->bodies[block->body].damping.stiffness : 0;
}

// The damping forces of a chunk of the model, in pieces of at most chunk_size elements.
static void find_chunk_forces(const carom_model *model, const carom_chunk *part, const double (*x)[3], const double (*w)[3],
                              const double *slots, double *scratch) {
    const carom_block *block = &model->blocks[part->block];
    double factor = carom_block_stiffness_damping(model, block);
    int64_t first = model->block_slot[part->block];
    int size = chunk_size(block);
    for (int begin = part->begin; factor > 0 && begin < part->end; begin += size) {
        int end = begin + size < part->end ? begin + size : part->end;
        find_forces(block, factor, begin, end, x, w, (carom_const_vectors)model->X, slots + first, scratch + first);
    }
}

// Sums the forces on nodes [begin, end) in the order of the elements, so that bits do not depend on the number of threads.
static void gather(const carom_model *model, int begin, int end, const double *scratch, double (*viscous)[3]) {
    int body = carom_model_node_body(model, begin);
    for (int k = begin; k < end; k++) {
        while (k >= model->bodies[body].node_begin + model->bodies[body].node_count)
            body++;
        const carom_body *own = &model->bodies[body];
        double f[3] = {0};
        if (own->damping.stiffness > 0 && carom_block_stiffness_damping(model, &model->blocks[own->block_begin]) > 0)
            carom_slots_gather(scratch, model->gather, model->gather_begin[k], model->gather_begin[k + 1], f);
        carom_copy(f, viscous[k]);
    }
}

void carom_model_viscous_force(const carom_model *model, const double (*x)[3], const double (*w)[3], const double *slots,
                               double *scratch, double (*viscous)[3]) {
    int nodes = model->part.owned_count, pieces = (nodes + THREAD_NODES - 1) / THREAD_NODES;
    bool shared = model->element_count > SHARED;
#pragma omp parallel if (shared)
    {
        // Over the chunks of all blocks: a pile has many blocks of a few elements each.
#pragma omp for schedule(static)
        for (int c = 0; c < model->chunk_count; c++)
            find_chunk_forces(model, &model->chunks[c], x, w, slots, scratch);
#pragma omp for schedule(static)
        for (int p = 0; p < pieces; p++)
            gather(model, p * THREAD_NODES, p + 1 < pieces ? (p + 1) * THREAD_NODES : nodes, scratch, viscous);
    }
}

void carom_model_drag(const carom_model *model, const int *nodes, int count, const carom_restraints *restraints, double h,
                      const double (*w_before)[3], double (*w)[3], double (*drag)[3], double (*force)[3]) {
    for (int j = 0; model->mass_damping && j < count; j++) {
        int k = nodes ? nodes[j] : j;
        double a = model->mass_damping[k], c = 0.5 * h * a;
        if (!(c > 0))
            continue;
        carom_terms_slow(c, w_before[k], w[k]);
        const carom_restraint *restraint = carom_restraint_of(restraints, k);
        if (restraint)
            // Drag acts on free directions only; prescribed velocities are restored.
            carom_restraint_impose(restraint, w[k]);
        carom_terms_drag(a, model->mass[k], w_before[k], w[k], drag[k]);
        carom_add_scaled(1, drag[k], force[k]);
    }
}
