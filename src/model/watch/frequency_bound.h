// SPDX-License-Identifier: MIT
// How stiff the bodies are where they are now, and how fast they are compressed: what the next step may be.
#ifndef CAROM_MODEL_WATCH_FREQUENCY_BOUND_H
#define CAROM_MODEL_WATCH_FREQUENCY_BOUND_H

#include "model/model.h"
#include "model/node_elements.h"

// The bodies of a model at a kick. Elements and nodes are numbered as in the whole model.
typedef struct carom_stiffening {
    double stable;  // a step that is stable with the stiffness of this moment, proven; HUGE_VAL if nothing can stiffen
    double squeeze; // the step in which a point would be compressed by CAROM_SQUEEZE_MAX of itself
    double rate;    // the fastest compression or extension, 1/time
    double volume;  // the smallest volume of a point, relative to the reference; at most 0 where one is inside out
    int stiffest;   // element that adds most to the stiffness of the node at which the bound is reached, counted through all
                    // blocks; -1: none
    int squeezed;   // element that asks for the step of compression, likewise
    int smallest;   // element with the smallest volume, likewise
    int body, node; // where the bound is reached; -1: nowhere
    double square;  // omega^2 there
} carom_stiffening;

// True if the stiffness of some body grows with its deformation: then a step has to follow it.
bool carom_block_stiffens(const carom_block *block);
bool carom_model_can_stiffen(const carom_model *model);
// The stable steps of all elements of a block, each by itself; to be freed. NULL if memory is short.
double *carom_block_steps(const carom_block *block, const double (*X)[3]);
// True if the forces of all elements are linear in the displacements.
bool carom_model_is_linear(const carom_model *model);

// Looks at all elements. `slots` is scratch of the size of carom_model_slot_count, `measures` of
// carom_stiffening_buffer(model).
carom_stiffening carom_model_stiffening(const carom_model *model, const carom_kinematics *motion, double *slots,
                                        double *measures);
int64_t carom_stiffening_buffer(const carom_model *model);
// Where the measures of a block begin.
int64_t carom_stiffening_begin(const carom_model *model, int block);
// The stable step of one body by the shares that carom_model_stiffening has left in `slots`; HUGE_VAL if it cannot stiffen.
double carom_model_bound_of(const carom_model *model, int body, const double *slots);
// The same of all bodies, over all processes.
void carom_model_bounds(const carom_model *model, const double *slots, double *steps);

// omega^2 at a node, by the shares of its elements in `slots`.
double carom_model_frequency_at(const carom_model *model, int node, const double *slots);

// Looks at the elements of a vicinity alone, from its batch number `from` on: `stable` is HUGE_VAL. Of `motion` the nodes of
// the vicinity are read.
carom_stiffening carom_model_stiffening_near(const carom_model *model, const carom_vicinity *near, int from,
                                             const carom_kinematics *motion, double *slots, double *measures);

// How fast a batch is compressed or extended, accelerations included, at the last look that saw it: h/2 times as much as in a
// step h by constant accelerations alone.
double carom_stiffening_rate(const carom_model *model, carom_batch batch, const double *measures);

// The volume of an element at the last look that saw it, relative to the reference.
double carom_stiffening_volume(const carom_model *model, int element, const double *measures);

// The block of an element counted through all blocks.
const carom_block *carom_model_block_of(const carom_model *model, int element);

// "element 17 of body 'block'", with the number of its file, for an element counted through all blocks.
void carom_model_name_element(const carom_model *model, int element, char *name, size_t size);
// The same for an element of a block of this process.
void carom_block_name_element(const carom_model *model, int block, int element, char *name, size_t size);

#endif
