// SPDX-License-Identifier: MIT
// The owners of nodes, as asked for: by bisection or by Scotch, or in other ways that tests and experiments choose by the
// variable CAROM_OWNERS of the environment. Results do not depend on it.
#ifndef CAROM_MODEL_PARTS_OWNERS_H
#define CAROM_MODEL_PARTS_OWNERS_H

#include "carom/parallel.h"
#include "model/model.h"

// owner[k] from 0 to parts - 1, by the weights of nodes (partition.h). CAROM_BAD_INPUT if the program lacks Scotch.
carom_status carom_owners_by_weight(const carom_model *model, carom_partition way, const int64_t *weight, int parts, int *owner,
                                    carom_error *error);

// Those of the start. CAROM_OWNERS=bisection or =scotch overrides the way that was asked for; =random deals each node by
// chance, =random:SEED with that seed, =stripes one node to each process in turn, =first all of them to the first process.
// CAROM_BAD_INPUT if it is anything else.
carom_status carom_owners_find(const carom_model *model, carom_partition way, int parts, int *owner, carom_error *error);

// By chance, the same for the same seed.
void carom_owners_by_chance(const carom_model *model, uint64_t seed, int parts, int *owner);

#endif
