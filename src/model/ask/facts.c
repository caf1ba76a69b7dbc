// SPDX-License-Identifier: MIT
// Properties of a body or a model before the first step (carom/facts.h): sums over the nodes in the reference configuration,
// and the speeds c of waves, from the density rho and Young's and shear moduli E, G of the materials at zero strain:
//     bar        c = sqrt(E / rho)
//     sheet      c = sqrt(E / ((1 - nu^2) rho)),  nu = E / (2 G) - 1
//     solid      c = sqrt(G (4 G - E) / ((3 G - E) rho))
//     shear      c = sqrt(G / rho)
#include "carom/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/sum.h"
#include "math/sym3.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/motion/damping.h"
#include "model/rigid.h"
#include "model/watch/frequency_bound.h"

static int ascending(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

// Box, mass and mass centre of nodes [begin, end).
static void add_up_masses(const carom_model *model, int begin, int end, carom_facts *facts) {
    carom_sum mass = {0}, moment[3] = {0};
    carom_model_box(model, begin, end, facts->low, facts->high);
    for (int k = begin; k < end; k++) {
        carom_sum_add(&mass, model->mass[k]);
        for (int i = 0; i < 3; i++)
            carom_sum_add(&moment[i], model->mass[k] * model->X[k][i]);
    }
    facts->mass = carom_sum_value(&mass);
    for (int i = 0; i < 3; i++)
        facts->center[i] = carom_sum_value(&moment[i]) / facts->mass;
}

// Adds the inertia of the section of a node with a frame: R diag(inertia) R^T.
static void add_frame(const carom_model *model, int node, carom_sum tensor[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 3; a++)
                carom_sum_add(&tensor[i][k], model->R[node][i][a] * model->inertia[node][a] * model->R[node][k][a]);
}

// Adds a term of R I R^T to an entry: the rotational inertia of a rigid body about its centre of mass.
static void add_moment(const carom_rigid_body *one, int i, int k, int a, carom_sum *sum) {
    carom_sum_add(sum, one->R[i][a] * one->inertia[a] * one->R[k][a]);
}

// sum of m (|r|^2 I - r r^T), r from the mass centre.
static void find_moments(const carom_model *model, int begin, int end, carom_facts *facts) {
    carom_sum sums[3][3] = {0};
    double tensor[6], axes[3][3];
    for (int n = begin; n < end; n++) {
        double r[3];
        for (int i = 0; i < 3; i++)
            r[i] = model->X[n][i] - facts->center[i];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                carom_sum_add(&sums[i][k], model->mass[n] * ((i == k ? carom_dot(r, r) : 0) - r[i] * r[k]));
        if (carom_model_has_frame(model, n))
            add_frame(model, n, sums);
    }
    for (int r = 0; r < model->rigid.count; r++) {
        const carom_rigid_body *one = &model->rigid.items[r];
        for (int i = 0; i < 9 && one->centre >= begin && one->centre < end; i++)
            for (int a = 0; a < 3; a++)
                add_moment(one, i / 3, i % 3, a, &sums[i / 3][i % 3]);
    }
    for (int i = 0; i < 9; i++)
        tensor[carom_sym3_place[i]] = carom_sum_value(&sums[i / 3][i % 3]);
    carom_sym3_eigen(tensor, facts->moments, axes);
    qsort(facts->moments, 3, sizeof *facts->moments, ascending);
}

// True if the parameters of a plane element select plane stress.
static bool is_plane_stress(const carom_block *block) {
    const carom_kind *kind = &block->element->kind;
    for (int i = 0; i < kind->param_count; i++)
        if (kind->params[i].type == CAROM_PARAM_CHOICE && strcmp(kind->params[i].name, "plane") == 0) {
            const int *choice = (const void *)((const char *)block->params + kind->params[i].offset);
            return strcmp(kind->params[i].choices[*choice], "stress") == 0;
        }
    return false;
}

// Density times the square of the speed of longitudinal waves; NaN if a modulus is unknown.
static double find_modulus(const carom_block *block, double E, double G) {
    int dimension = carom_cell_dimension(block->element->cell);
    if (dimension == 1)
        return E;
    if (dimension == 2 && (!block->element->plane || is_plane_stress(block))) {
        double nu = E / (2 * G) - 1;
        return E / (1 - nu * nu);
    }
    return G * (4 * G - E) / (3 * G - E);
}

// dP_12/dF_12 at zero strain, for a law without a shear modulus.
static double shear_of_tangent(const carom_material *law, const void *params) {
    static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double P[9], A[81];
    return law->solid && isfinite(law->solid(params, unit, P, A)) ? A[10] : NAN;
}

static void add_waves(const carom_block *block, carom_facts *facts) {
    const carom_material *law = block->material;
    if (!law)
        return;
    const void *params = block->material_params;
    double rho = law->density(params);
    double E = law->young ? law->young(params) : law->uniaxial ? law->uniaxial(params, 0).tangent : NAN;
    double G = law->shear ? law->shear(params) : shear_of_tangent(law, params);
    // fmax ignores a NaN
    facts->longitudinal = fmax(facts->longitudinal, sqrt(find_modulus(block, E, G) / rho));
    facts->shear = fmax(facts->shear, sqrt(G / rho));
}

static double damped_step(const carom_model *model, int block) {
    return carom_damping_step(&model->bodies[model->blocks[block].body].damping, model->block_step[block]);
}

carom_facts carom_model_facts(const carom_model *model, int body) {
    const carom_body *b = body >= 0 ? &model->bodies[body] : NULL;
    int begin = b ? b->node_begin : 0, end = b ? begin + b->node_count : model->node_count;
    int first = b ? b->block_begin : 0, last = b ? first + b->block_count : model->block_count;
    carom_facts facts = {.nodes = end - begin, .longitudinal = NAN, .shear = NAN, .stable_step = HUGE_VAL};
    add_up_masses(model, begin, end, &facts);
    find_moments(model, begin, end, &facts);
    if (b && carom_poses_has(&model->poses, body)) {
        // an obstacle has no mass: its centre is the mean of its nodes
        facts.obstacle = true;
        facts.mass = 0;
        memset(facts.moments, 0, sizeof facts.moments);
    }
    for (int s = first; s < last; s++) {
        facts.elements += model->blocks[s].count;
        // neither point masses nor rigid bodies have a material
        facts.lumped = facts.lumped || model->blocks[s].material;
        facts.stable_step = fmin(facts.stable_step, damped_step(model, s));
        add_waves(&model->blocks[s], &facts);
    }
    return facts;
}

// Records the shortest element of a block if it is shorter than `found`.
static void find_shorter(const carom_model *model, const carom_block *block, carom_shortest *found) {
    double *steps = carom_block_steps(block, (carom_const_vectors)model->X);
    int best = -1;
    for (int e = 0; steps && e < block->count; e++)
        if (steps[e] < found->step) {
            found->step = steps[e];
            best = e;
        }
    free(steps);
    if (best < 0)
        return;
    found->body = block->body;
    found->element = carom_block_id(block, best);
    const int *nodes = &block->nodes[(int64_t)best * block->node_count];
    // an element with nodes outside its cell is located at its cell
    int count = block->element->node_count > 0 ? block->element->node_count : block->node_count;
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int a = 0; a < count; a++)
            sum += model->X[nodes[a]][i];
        found->center[i] = sum / count;
    }
}

carom_shortest carom_model_shortest(const carom_model *model) {
    carom_shortest found = {.body = -1, .step = HUGE_VAL};
    double stable = carom_model_stable_step(model);
    int body = -1;
    for (int s = 0; s < model->block_count && body < 0 && isfinite(stable); s++)
        if (damped_step(model, s) == stable)
            body = model->blocks[s].body;
    for (int s = 0; s < model->block_count; s++)
        if (model->blocks[s].body == body && carom_block_has_cells(&model->blocks[s]))
            find_shorter(model, &model->blocks[s], &found);
    return found;
}
