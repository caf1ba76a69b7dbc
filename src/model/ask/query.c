// SPDX-License-Identifier: MIT
// Queries of a model: names, counts, box, contact extent, stable step.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/bisect.h"
#include "element/body_step.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/motion/damping.h"
#include "model/motion/springs.h"
#include "model/watch/frequency_bound.h"

int carom_model_node_count(const carom_model *model) {
    return model->node_count;
}

int carom_model_body_count(const carom_model *model) {
    return model->body_count;
}

int carom_model_element_count(const carom_model *model) {
    return model->element_count;
}

const char *carom_model_body_name(const carom_model *model, int body) {
    return model->bodies[body].name;
}

// The body with that name, as in scenes and results; -1 if there is none.
int carom_model_body(const carom_model *model, const char *name) {
    for (int b = 0; b < model->body_count; b++)
        if (strcmp(model->bodies[b].name, name) == 0)
            return b;
    return -1;
}

int carom_model_body_begin(const carom_model *model, int body) {
    return model->bodies[body].node_begin;
}

int carom_model_body_size(const carom_model *model, int body) {
    return model->bodies[body].node_count;
}

const double (*carom_model_reference(const carom_model *model))[3] {
    return (carom_const_vectors)model->X;
}

const double *carom_model_mass(const carom_model *model) {
    return model->mass;
}

int carom_model_node_body(const carom_model *model, int node) {
    const carom_body *bodies = model->bodies;
    bool ghost = node >= model->part.owned_count;
    return carom_last_at(ghost ? &bodies->ghost_begin : &bodies->node_begin, sizeof *bodies, model->body_count, node);
}

void carom_model_box(const carom_model *model, int begin, int end, double low[3], double high[3]) {
    for (int i = 0; i < 3; i++) {
        low[i] = HUGE_VAL;
        high[i] = -HUGE_VAL;
    }
    for (int k = begin; k < end; k++)
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], model->X[k][i]);
            high[i] = fmax(high[i], model->X[k][i]);
        }
}

int64_t carom_model_node_id(const carom_model *model, int node) {
    return carom_body_node_id(&model->bodies[carom_model_node_body(model, node)], node);
}

int carom_model_block_count(const carom_model *model) {
    return model->block_count;
}

const carom_block *carom_model_block(const carom_model *model, int block) {
    return &model->blocks[block];
}

int carom_model_face_count(const carom_model *model) {
    return model->surface.full_count;
}

carom_face carom_model_face(const carom_model *model, int face) {
    const carom_surface *surface = &model->surface;
    carom_face f = {.corners = surface->corners, .body = surface->body[face]};
    memcpy(f.nodes, surface->faces[face], sizeof f.nodes);
    return f;
}

carom_contact_extent carom_model_contact_extent(const carom_model *model) {
    const carom_surface *surface = &model->surface;
    carom_contact_extent extent = {
        .faces = surface->full_count, .corners = surface->corners, .planes = model->contact.plane_count};
    for (int b = 0; b < model->body_count && surface->face_count; b++) {
        const carom_body *body = &model->bodies[b];
        bool meets =
            surface->node_faces_begin[body->node_begin + body->node_count] > surface->node_faces_begin[body->node_begin];
        // a body can touch others if its nodes have faces, or lines and points (thin parts), which are counted separately
        extent.bodies += meets && !surface->thin[b];
        extent.thin += meets && surface->thin[b];
    }
    for (int i = 0; i < model->candidates.count; i++)
        // Contacts of nodes with planes are counted with their planes.
        extent.pairs += model->candidates.items[i].kind == CAROM_CONTACT_END_END;
    return extent;
}

const carom_contact_def *carom_model_contact(const carom_model *model) {
    return &model->contact;
}

const char *carom_model_side_name(const carom_model *model, int side) {
    // Planes are numbered -1, -2, ... so that a side is one number.
    return side >= 0 ? model->bodies[side].name : model->contact.planes[-1 - side].name;
}

uint64_t carom_model_hash(const carom_model *model) {
    return model->hash;
}

// The stable step 2/omega of elements and springs together. `step` is that of the elements alone, 2/omega_e. The largest
// eigenvalue of a sum of stiffness matrices is at most the sum of theirs: omega^2 <= omega_e^2 + omega_s^2, with omega_s^2 the
// bound of carom_model_spring_square.
static double with_springs(const carom_model *model, double step) {
    double square = carom_model_spring_square(model);
    return square > 0 ? 2 / sqrt(square + (isinf(step) ? 0 : 4 / (step * step))) : step;
}

// The bound of the elastic part alone; damping is taken into account by carom_model_stable_step.
double carom_model_undamped_step(const carom_model *model) {
    double smallest = HUGE_VAL;
    for (int b = 0; b < model->block_count; b++)
        smallest = fmin(smallest, model->block_step[b]);
    return with_springs(model, smallest);
}

// A lower bound of 2/omega_max of a block alone, by its stiffest element; NaN if memory is short.
static double block_step(const carom_block *block, const double (*X)[3]) {
    double smallest = HUGE_VAL;
    // One step per element, of which the smallest counts.
    double *step = carom_block_steps(block, X);
    if (!step)
        return NAN;
    // fmin would drop a NaN, which a stiffness overflow causes; that step is 0, as for an infinite stiffness
    for (int e = 0; e < block->count; e++)
        smallest = fmin(smallest, isnan(step[e]) ? 0 : step[e]);
    free(step);
    return smallest;
}

int carom_body_element_count(const carom_model *model, const carom_body *body) {
    int count = 0;
    for (int b = body->block_begin; b < body->block_begin + body->block_count; b++)
        count += model->blocks[b].count;
    return count;
}

static bool is_large(const carom_model *model, const carom_body *body) {
    return carom_body_element_count(model, body) >= CAROM_BODY_STEP_SHARED;
}

// The stable step of a body by a kind of element that bounds the frequency of the whole body, which is sharper than the bound
// by elements; 0 if there is no such bound, NaN if memory is short.
static double body_step(const carom_model *model, const carom_body *body) {
    const carom_block *blocks = &model->blocks[body->block_begin];
    const carom_element *element = body->block_count ? blocks->element : NULL;
    return element && element->body_step ? element->body_step(blocks, body->block_count, (carom_const_vectors)model->X) : 0;
}

// The same for all bodies: threads share the work of each large body, then the small bodies.
static void find_body_steps(const carom_model *model, double *steps) {
    for (int i = 0; i < model->body_count; i++)
        if (is_large(model, &model->bodies[i]))
            steps[i] = body_step(model, &model->bodies[i]);
#pragma omp parallel for schedule(dynamic) if (model->body_count > 1)
    for (int i = 0; i < model->body_count; i++)
        if (!is_large(model, &model->bodies[i]))
            steps[i] = body_step(model, &model->bodies[i]);
}

carom_status carom_model_find_steps(carom_model *model, const carom_model_def *def, carom_error *error) {
    (void)def;
    model->block_step = carom_arena_allocate(model->arena, model->block_count, sizeof *model->block_step);
    double *whole_steps = carom_arena_allocate(model->arena, model->body_count, sizeof *whole_steps);
    if (!model->block_step || !whole_steps)
        return carom_no_memory(error, "the stable step");
    const double(*X)[3] = (carom_const_vectors)model->X;
    find_body_steps(model, whole_steps);
    for (int i = 0; i < model->body_count; i++) {
        const carom_body *body = &model->bodies[i];
        double whole = whole_steps[i];
        for (int b = body->block_begin; b < body->block_begin + body->block_count; b++) {
            // NaN is kept: it means lack of memory, and is reported below.
            model->block_step[b] = whole > 0 || isnan(whole) ? whole : block_step(&model->blocks[b], X);
            if (isnan(model->block_step[b]))
                return carom_no_memory(error, "the stable step");
            // An elastic element has a positive frequency; with huge moduli or tiny masses it overflows.
            if (!(model->block_step[b] > 0) || (model->blocks[b].material && isinf(model->block_step[b])))
                return carom_fail(
                    error, CAROM_BAD_INPUT,
                    "body '%s': stiffness/mass overflows double precision, so there is no stable step: check the units of "
                    "modulus and density",
                    body->name);
        }
    }
    return CAROM_OK;
}

double carom_model_step_of_elements(const carom_model *model) {
    // the largest frequency of the model is at most that of its stiffest block, and this at most that of its stiffest element
    double smallest = HUGE_VAL;
    for (int b = 0; b < model->block_count; b++) {
        const carom_damping *damping = &model->bodies[model->blocks[b].body].damping;
        smallest = fmin(smallest, carom_damping_step(damping, model->block_step[b]));
    }
    return smallest;
}

double carom_model_stable_step(const carom_model *model) {
    return with_springs(model, carom_model_step_of_elements(model));
}
