// SPDX-License-Identifier: MIT
// Assignment of nodes to processes. The result of a run does not depend on it, only its speed: any assignment is valid.
#ifndef CAROM_MODEL_PARTS_OWNERS_H
#define CAROM_MODEL_PARTS_OWNERS_H

#include "carom/parallel.h"
#include "model/model.h"

// Estimates the work of each node in a step, approximately in picoseconds: its fraction of its elements, its own kick and
// drift, its contact (work_estimate.c).
void carom_partition_weigh(const carom_model *model, int64_t *weight);

// Distributes nodes to `parts` processes by recursive bisection (partition.c): owner[k] from 0 to parts - 1. Bodies that are
// small compared with the nodes of a process are not divided. There may be fewer nodes than processes.
carom_status carom_partition_bisect(const carom_model *model, const int64_t *weight, int parts, int *owner, carom_error *error);

// The same by bisection or by Scotch. CAROM_BAD_INPUT if the program was built without Scotch.
carom_status carom_owners_by_weight(const carom_model *model, carom_partition method, const int64_t *weight, int parts,
                                    int *owner, carom_error *error);

// The assignment at the start. Tests and experiments override the requested method by the environment: CAROM_OWNERS=bisection
// or =scotch; =random assigns each node at random, =random:SEED with that seed, =stripes cyclically, =first all nodes to the
// first process. CAROM_BAD_INPUT if it is anything else.
carom_status carom_owners_find(const carom_model *model, carom_partition method, int parts, int *owner, carom_error *error);

// Assigns nodes at random; the same seed gives the same assignment.
void carom_owners_by_chance(const carom_model *model, uint64_t seed, int parts, int *owner);

#endif
