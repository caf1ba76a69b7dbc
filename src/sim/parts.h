// SPDX-License-Identifier: MIT
// Subdomains of a model for all processes: rank 0 extracts and sends them.
#ifndef CAROM_SIM_PARTS_H
#define CAROM_SIM_PARTS_H

#include "model/model.h"

// The subdomain of this process, from the owners of all nodes; `whole` and `owner` are given on rank 0 and NULL on the others.
// `space` is the contact space of the whole model, on all processes; it must outlive the subdomain. Collective: if memory is
// short on one process, all fail and none has a subdomain. Release it by carom_subdomains_release.
carom_status carom_subdomains_distribute(const carom_model *whole, const int *owner, const carom_model *space,
                                         carom_model **part, carom_error *error);
// Collective. NULL is allowed.
void carom_subdomains_release(carom_model *part);

// Broadcasts a model from rank 0. On the others `model` is NULL, and `copy` is to be released; on rank 0 `copy` is NULL.
// Collective: all processes return the same status.
carom_status carom_subdomains_broadcast(const carom_model *model, carom_model **copy, carom_error *error);

#endif
