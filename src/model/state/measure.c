// SPDX-License-Identifier: MIT
// Energies and momenta of a state as exact sums over nodes and elements (math/exact.h): the residual of the ledger is a
// difference of energies that agree in nearly all digits, and threads compute parts of the sums in any order.
#include <string.h>

#include "math/exact.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/forces/forces.h"
#include "model/model.h"
#include "model/motion/springs.h"
#include "model/node_terms.h"
#include "model/remote.h"
#include "model/state/ledger.h"

// The sums over nodes.
enum { KINETIC, MOMENTUM, ANGULAR = MOMENTUM + 3, EXTERNAL = ANGULAR + 3, SUMS };

static void of_nodes(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const carom_state *state = context;
    const carom_model *model = state->model;
    for (int k = begin; k < end; k++) {
        const double *x = state->x[k], *v = state->v[k];
        // obstacles have neither energy nor momentum
        double m = model->mass[k] > CAROM_MASSLESS ? model->mass[k] : 0, moment[3];
        carom_cross(x, v, moment);
        terms[KINETIC][k - begin] = 0.5 * m * carom_dot(v, v);
        for (int i = 0; i < 3; i++) {
            terms[MOMENTUM + i][k - begin] = m * v[i];
            terms[ANGULAR + i][k - begin] = m * moment[i];
        }
    }
}

// The same, and the potential of dead loads, zero at the reference.
static void of_loaded_nodes(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const carom_state *state = context;
    const carom_model *model = state->model;
    of_nodes(context, begin, end, terms);
    for (int k = begin; k < end; k++)
        terms[EXTERNAL][k - begin] = carom_terms_external(model->load[k], state->x[k], model->X[k]);
}

// Rotational energy and angular momentum of nodes with frames.
static void of_frames(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const carom_state *state = context;
    const carom_model *model = state->model;
    for (int k = begin; k < end; k++) {
        double body[3], space[3];
        for (int i = 0; i < 3; i++)
            // Spins and inertias are given in the axes of the frame; the angular momentum is transformed to the axes of space.
            body[i] = model->inertia[k][i] * state->spin[k][i];
        carom_mat3_apply((carom_const_vectors)state->R[k], body, space);
        terms[0][k - begin] = 0.5 * carom_dot(body, state->spin[k]);
        for (int i = 0; i < 3; i++)
            terms[1 + i][k - begin] = space[i];
    }
}

double carom_rigid_turning(const carom_state *state, int r, double l[3]) {
    const carom_rigid_body *one = &state->model->rigid.items[r];
    double rate[3], body[3];
    carom_mat3_apply_transposed((carom_const_vectors)state->turned[r], state->turn_rate[r], rate);
    for (int i = 0; i < 3; i++)
        body[i] = one->inertia[i] * rate[i];
    carom_mat3_apply((carom_const_vectors)state->turned[r], body, l);
    return 0.5 * carom_dot(body, rate);
}

// Rotation of rigid bodies; every process has all of them.
static void add_rigid(const carom_state *state, carom_exact sums[SUMS]) {
    for (int r = 0; r < state->model->rigid.count; r++) {
        double l[3];
        carom_exact_add(&sums[KINETIC], carom_rigid_turning(state, r, l));
        for (int i = 0; i < 3; i++)
            carom_exact_add(&sums[ANGULAR + i], l[i]);
    }
}

void carom_ledger_measure(const carom_state *state, double *energies, carom_ledger_row *row) {
    const carom_model *model = state->model;
    carom_exact sums[SUMS] = {0};
    carom_state_read(state, CAROM_ARRAYS_MOTION | (energies ? 0 : CAROM_ARRAYS_HISTORY));
    if (model->loaded)
        carom_model_sum_nodes(model, sums, SUMS, of_loaded_nodes, state);
    else
        carom_model_sum_nodes(model, sums, EXTERNAL, of_nodes, state);
    if (model->R) {
        carom_exact turning[4] = {0};
        carom_model_sum_nodes(model, turning, 4, of_frames, state);
        carom_exact_merge(&sums[KINETIC], &turning[0]);
        for (int i = 0; i < 3; i++)
            carom_exact_merge(&sums[ANGULAR + i], &turning[1 + i]);
    }
    add_rigid(state, sums);
    row->kinetic = carom_exact_value(&sums[KINETIC]);
    row->internal = energies ? carom_model_sum_energies(model, energies)
                             : carom_model_energy(model, (carom_const_vectors)state->x, (const double(*)[3][3])state->R,
                                                  state->element_energy);
    // kept for the audits of groups of bodies (group_energy.h)
    if (energies)
        memcpy(state->element_energy, energies, (size_t)model->element_count * sizeof *energies);
    if (model->springs.count)
        row->internal += carom_model_spring_energy(model, (carom_const_vectors)state->x);
    row->external = carom_exact_value(&sums[EXTERNAL]);
    for (int i = 0; i < 3; i++) {
        row->momentum[i] = carom_exact_value(&sums[MOMENTUM + i]);
        row->angular_momentum[i] = carom_exact_value(&sums[ANGULAR + i]);
    }
}
