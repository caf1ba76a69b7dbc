// SPDX-License-Identifier: MIT
// Parts of a model for all processes: rank 0 makes them and sends them.
#ifndef CAROM_SIM_PARTS_H
#define CAROM_SIM_PARTS_H

#include "model/model.h"

// The part of this process, by the owners of all nodes; `whole` and `owner` are those of rank 0, NULL elsewhere. `space` is the
// contact space of the whole model, on all processes; it must outlive the part. Collective, and agreed upon by all: where
// memory is short on one process, all fail and nobody has a part. Release it by carom_subdomains_release.
carom_status carom_subdomains_distribute(const carom_model *whole, const int *owner, const carom_model *space,
                                         carom_model **part, carom_error *error);
// Collective. NULL is allowed.
void carom_subdomains_release(carom_model *part);

// A model that rank 0 has, on the others as well: `model` is NULL there, and `copy` is to be released. On rank 0 there is no
// copy. Collective, and agreed upon by all.
carom_status carom_subdomains_broadcast(const carom_model *model, carom_model **copy, carom_error *error);

#endif
