// SPDX-License-Identifier: MIT
// Virtual tips of bars. A tip element gives the fraction 1/CAROM_GHOST_PART of its length to a ghost, a massless spring of the
// same section outside of its node. Two ghosts that meet are springs in series.
#include "integrator/multisymplectic/ghost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "element/element.h"
#include "math/vec3.h"
#include "model/model.h"

// The fraction of its length that a tip element keeps.
static const double kept = 1 - 1.0 / CAROM_GHOST_PART;

// A node at the end of a bar, with its element.
typedef struct tip {
    int neighbour;
    int element;    // among all elements of the model
    double length;  // of its element
    double modulus; // E A
    double axis[3]; // outward unit vector
} tip;

// False if the node is not the end of a bar of small strain.
static bool find_tip(const carom_model *model, int node, tip *t) {
    if (model->gather_begin[node + 1] - model->gather_begin[node] != 1)
        return false;
    int slot = model->gather[model->gather_begin[node]], element = 0, b = 0;
    for (; slot >= model->block_slot[b + 1]; b++)
        element += model->blocks[b].count;
    const carom_block *block = &model->blocks[b];
    if (block->element != &carom_element_bar || ((const carom_bar_params *)block->params)->strain != CAROM_BAR_SMALL)
        return false;
    // the element of a slot: batches of CAROM_LANES elements with six components each
    int64_t begin = slot - model->block_slot[b];
    int e = (int)(begin / (CAROM_LANES * 6) * CAROM_LANES + begin % CAROM_LANES);
    const int *n = &block->nodes[2 * e];
    t->element = element + e;
    t->neighbour = n[0] == node ? n[1] : n[0];
    carom_difference(model->X[node], model->X[t->neighbour], t->axis);
    t->length = carom_normalize(t->axis);
    t->modulus = ((const carom_bar_params *)block->params)->area * block->material->uniaxial(block->material_params, 0).tangent;
    return true;
}

// True if the node can meet the end of another bar.
static bool is_end_of_pair(const carom_model *model, int node) {
    const carom_candidates *c = &model->candidates;
    for (int i = c->begin[node]; i < c->begin[node + 1]; i++)
        if (c->items[c->of_node[i]].kind == CAROM_CONTACT_END_END)
            return true;
    return false;
}

// Lists a tip once, whatever the number of its contacts.
static void add_tip(carom_ghosts *ghosts, int node, const tip *t) {
    for (int i = 0; i < ghosts->tip_count; i++)
        if (ghosts->tips[i][0] == node)
            return;
    ghosts->tips[ghosts->tip_count][0] = node;
    ghosts->tips[ghosts->tip_count++][1] = t->neighbour;
    ghosts->element_share[t->element] -= 1.0 / CAROM_GHOST_PART;
}

// The ghosts of one contact; those that can never press keep length 0.
static carom_status add_ghost(const carom_model *model, int candidate, carom_ghosts *ghosts, carom_error *error) {
    const carom_contact *contact = &model->candidates.items[candidate];
    carom_ghost ghost = {0};
    double softness[2] = {0}, stiffness[2] = {0};
    for (int k = 0; k < contact->count; k++) {
        tip t;
        int node = contact->node[k];
        bool bar = find_tip(model, node, &t);
        if (contact->kind == CAROM_CONTACT_NODE_PLANE) {
            // only the end of a bar meets a plane, and only if no other bar is in between
            double out = bar ? -carom_dot(t.axis, contact->normal) : 0;
            if (bar && fabs(fabs(out) - 1) > 1e-6)
                return carom_fail(error, CAROM_BAD_INPUT, "contact-integrator 2 requires planes perpendicular to the bars");
            if (out < 0 || (!bar && model->gather_begin[node + 1] - model->gather_begin[node] != 1) ||
                is_end_of_pair(model, node))
                return CAROM_OK;
        }
        if (!bar)
            continue;
        ghost.reach[k] = t.length / CAROM_GHOST_PART;
        // a spring of the length of the ghost, and the rest of the element behind it
        softness[k] = ghost.reach[k] / t.modulus;
        stiffness[k] = t.modulus / (kept * t.length);
        add_tip(ghosts, node, &t);
    }
    double sum = softness[0] + softness[1];
    if (!(sum > 0))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "contact-integrator 2 needs a bar of small strain on one side of each contact: node %lld of body '%s' has "
            "none",
            (long long)carom_body_node_id(&model->bodies[contact->body[0]], contact->node[0]),
            model->bodies[contact->body[0]].name);
    ghost.length = ghost.reach[0] + ghost.reach[1];
    ghost.stiffness = 1 / sum;
    for (int k = 0; k < 2; k++)
        ghost.share[k] = softness[k] / sum;
    ghosts->items[candidate] = ghost;

    // the row sum of M^-1 K bounds its eigenvalues
    for (int k = 0; k < contact->count; k++) {
        double square = 2 * (stiffness[k] + ghost.stiffness) / model->mass[contact->node[k]];
        ghosts->stable_step = fmin(ghosts->stable_step, 2 / sqrt(square));
    }
    return CAROM_OK;
}

carom_status carom_ghosts_create(const carom_model *model, carom_ghosts *ghosts, carom_error *error) {
    int count = model->candidates.count;
    *ghosts = (carom_ghosts){
        .items = carom_allocate(count, sizeof *ghosts->items),
        .tips = carom_allocate(2 * (int64_t)count, sizeof *ghosts->tips),
        .element_share = carom_allocate(model->element_count, sizeof *ghosts->element_share),
        .stable_step = HUGE_VAL,
    };
    carom_status status = CAROM_OK;
    if (!ghosts->items || !ghosts->tips || !ghosts->element_share)
        status = carom_no_memory(error, "the tips of bars");
    for (int e = 0; !status && e < model->element_count; e++)
        ghosts->element_share[e] = 1;
    for (int c = 0; !status && c < count; c++)
        status = add_ghost(model, c, ghosts, error);
    for (int e = 0; !status && e < model->element_count; e++)
        // an element with two tips would be shortened twice
        if (ghosts->element_share[e] < kept)
            status = carom_fail(error, CAROM_BAD_INPUT, "contact-integrator 2 needs bars of at least two elements");
    if (status)
        carom_ghosts_release(ghosts);
    return status;
}

void carom_ghosts_release(carom_ghosts *ghosts) {
    free(ghosts->items);
    free(ghosts->tips);
    free(ghosts->element_share);
    *ghosts = (carom_ghosts){0};
}

void carom_ghosts_stretch(const carom_ghosts *ghosts, int node_count, const double (*x)[3], double (*z)[3]) {
    memcpy(z, x, (size_t)node_count * sizeof *z);
    for (int t = 0; t < ghosts->tip_count; t++) {
        const double *end = x[ghosts->tips[t][0]], *next = x[ghosts->tips[t][1]];
        for (int i = 0; i < 3; i++)
            z[ghosts->tips[t][0]][i] = next[i] + (end[i] - next[i]) / kept;
    }
}

void carom_ghosts_shrink(const carom_ghosts *ghosts, double (*x)[3]) {
    for (int t = 0; t < ghosts->tip_count; t++) {
        double *end = x[ghosts->tips[t][0]];
        const double *next = x[ghosts->tips[t][1]];
        for (int i = 0; i < 3; i++)
            end[i] = next[i] + kept * (end[i] - next[i]);
    }
}
