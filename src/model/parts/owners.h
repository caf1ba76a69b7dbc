// SPDX-License-Identifier: MIT
// Which process owns which node. The result of a run does not depend on it, only its speed: any owners will do.
#ifndef CAROM_MODEL_PARTS_OWNERS_H
#define CAROM_MODEL_PARTS_OWNERS_H

#include "carom/parallel.h"
#include "model/model.h"

// The work of each node in a step, in picoseconds or so: its share of its elements, its own kick and drift, its contact
// (work_estimate.c).
void carom_partition_weigh(const carom_model *model, int64_t *weight);

// Deals nodes to `parts` processes by recursive bisection (partition.c): owner[k] from 0 to parts - 1. Bodies that are small
// beside a share stay whole. There may be fewer nodes than parts.
carom_status carom_partition_bisect(const carom_model *model, const int64_t *weight, int parts, int *owner, carom_error *error);

// The same by bisection or by Scotch. CAROM_BAD_INPUT if the program lacks Scotch.
carom_status carom_owners_by_weight(const carom_model *model, carom_partition way, const int64_t *weight, int parts, int *owner,
                                    carom_error *error);

// Those of the start. Tests and experiments choose other ways by the environment: CAROM_OWNERS=bisection or =scotch overrides
// the way that was asked for; =random deals each node by chance, =random:SEED with that seed, =stripes one node to each process
// in turn, =first all of them to the first process. CAROM_BAD_INPUT if it is anything else.
carom_status carom_owners_find(const carom_model *model, carom_partition way, int parts, int *owner, carom_error *error);

// By chance, the same for the same seed.
void carom_owners_by_chance(const carom_model *model, uint64_t seed, int parts, int *owner);

#endif
