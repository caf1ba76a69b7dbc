// SPDX-License-Identifier: MIT
// Forces and energies of the whole model, assembled from its blocks in a fixed order.
#ifndef CAROM_MODEL_FORCES_FORCES_H
#define CAROM_MODEL_FORCES_FORCES_H

#include "carom/model.h"

// Internal forces plus loads of all nodes without frames; those of other nodes are unchanged. `slots` is scratch for
// carom_model_slot_count numbers, here and below.
//
// `energies`, where not NULL, receives the stored energies of all elements, model->element_count numbers, in the same pass:
// this is cheaper than a second pass in steps that write a row.
void carom_model_force(const carom_model *model, const double (*x)[3], double *slots, double (*force)[3], double *energies);

// Further results of elements in the same pass.
typedef struct carom_force_outputs {
    double *energies;          // as above; NULL: none
    struct carom_peaks *peaks; // stresses and strains may raise these (model/forces/peaks.h); NULL: none
    const carom_flow *flow;    // what is requested of laws with history; NULL: CAROM_USE_READ
} carom_force_outputs;
void carom_model_force_outputs(const carom_model *model, const double (*x)[3], double *slots, double (*force)[3],
                               const carom_force_outputs *outputs);
int64_t carom_model_slot_count(const carom_model *model);

// Moments and forces, loads included, on all nodes with frames, in the axes of each node; other nodes are unchanged.
void carom_model_wrench(const carom_model *model, const double (*x)[3], const double (*R)[3][3], double *slots,
                        double (*moment)[3], double (*force)[3]);

// True if the model is large enough for threads to share the work of its elements; else one thread does all of it.
bool carom_model_is_shared(const carom_model *model);

// Stored energy of each element of a block. R may be NULL in a model without frames.
void carom_block_energy(const carom_model *model, const carom_block *block, const double (*x)[3], const double (*R)[3][3],
                        double *energies);

// Keeps, of the energies of elements [begin, end) of a block (the first is that of `begin`), those that are counted in this
// process (model/collective.h), in order; returns how many. All, in a whole model.
int carom_block_counted(const carom_model *model, const carom_block *block, int begin, int end, double *energies);

// Stored energy of all elements, of all processes: an exact sum. `energies` receives that of each, in the order of the model.
double carom_model_energy(const carom_model *model, const double (*x)[3], const double (*R)[3][3], double *energies);
// The sum of stored energies that are known already.
double carom_model_sum_energies(const carom_model *model, double *energies);

#endif
