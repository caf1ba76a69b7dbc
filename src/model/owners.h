// SPDX-License-Identifier: MIT
// The owners of nodes, as asked for: by bisection (partition.h), or in other ways that tests and experiments choose by the
// variable CAROM_OWNERS of the environment. Results do not depend on it.
#ifndef CAROM_MODEL_OWNERS_H
#define CAROM_MODEL_OWNERS_H

#include "model/model.h"

// owner[k] from 0 to parts - 1. CAROM_OWNERS=random deals each node by chance, =random:SEED with that seed, =stripes one node
// to each process in turn, =first all of them to the first process. CAROM_BAD_INPUT if it is anything else.
carom_status carom_model_find_owners(const carom_model *model, int parts, int *owner, carom_error *error);

#endif
