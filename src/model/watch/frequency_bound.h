// SPDX-License-Identifier: MIT
// Upper bounds of the frequencies of the bodies in their current deformation, and their rates of compression: they limit the
// next step.
#ifndef CAROM_MODEL_WATCH_FREQUENCY_BOUND_H
#define CAROM_MODEL_WATCH_FREQUENCY_BOUND_H

#include "model/model.h"
#include "model/node_elements.h"

// Bounds for the bodies of a model at a kick. Elements and nodes are numbered as in the whole model.
typedef struct carom_stiffening {
    double stable;  // a step that is proven stable with the current stiffness; HUGE_VAL if nothing can stiffen
    double squeeze; // the step in which a point would be compressed by the fraction CAROM_SQUEEZE_MAX
    double rate;    // the fastest compression or extension, 1/time
    double volume;  // the smallest volume of a point, relative to the reference; at most 0 where one is inverted
    int stiffest; // element that contributes most to the stiffness of the node with the largest frequency, counted through all
                  // blocks; -1: none
    int squeezed; // element with the smallest `squeeze`, numbered likewise
    int smallest; // element with the smallest volume, numbered likewise
    int body, node; // where the largest frequency is; -1: nowhere
    double square;  // omega^2 there
} carom_stiffening;

// True if the stiffness of some body grows with its deformation: the step must then adapt to it.
bool carom_block_stiffens(const carom_block *block);
bool carom_model_can_stiffen(const carom_model *model);
// The stable steps of the single elements of a block; to be freed. NULL if memory is short.
double *carom_block_steps(const carom_block *block, const double (*X)[3]);
// True if the forces of all elements are linear in the displacements.
bool carom_model_is_linear(const carom_model *model);

// Evaluates all elements. `slots` is scratch of the size of carom_model_slot_count, `measures` of
// carom_stiffening_buffer(model).
carom_stiffening carom_model_stiffening(const carom_model *model, const carom_kinematics *motion, double *slots,
                                        double *measures);
int64_t carom_stiffening_buffer(const carom_model *model);
// Offset of the measures of a block.
int64_t carom_stiffening_begin(const carom_model *model, int block);
// The stable step of one body from the stiffness shares that carom_model_stiffening has left in `slots`; HUGE_VAL if it cannot
// stiffen.
double carom_model_bound_of(const carom_model *model, int body, const double *slots);
// The same for all bodies, over all processes.
void carom_model_bounds(const carom_model *model, const double *slots, double *steps);

// omega^2 at a node, from the stiffness shares of its elements in `slots`.
double carom_model_frequency_at(const carom_model *model, int node, const double *slots);

// Evaluates the elements of a vicinity only, from its batch number `from` on: `stable` is HUGE_VAL. Of `motion` the nodes of
// the vicinity are read.
carom_stiffening carom_model_stiffening_near(const carom_model *model, const carom_vicinity *near, int from,
                                             const carom_kinematics *motion, double *slots, double *measures);

// Rate of compression or extension of a batch, accelerations included, at the last evaluation that covered it: h/2 times as
// much as in a step h by constant accelerations alone.
double carom_stiffening_rate(const carom_model *model, carom_batch batch, const double *measures);

// The volume of an element at the last evaluation that covered it, relative to the reference.
double carom_stiffening_volume(const carom_model *model, int element, const double *measures);

// The block of an element that is counted through all blocks.
const carom_block *carom_model_block_of(const carom_model *model, int element);

// Prints "element 17 of body 'block'", with its number in the mesh file, for an element counted through all blocks.
void carom_model_name_element(const carom_model *model, int element, char *name, size_t size);
// The same for an element of a block of this process.
void carom_block_name_element(const carom_model *model, int block, int element, char *name, size_t size);

#endif
