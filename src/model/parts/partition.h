// SPDX-License-Identifier: MIT
// Which process owns which node. The result of a run does not depend on it, only its speed: any owners will do.
#ifndef CAROM_MODEL_PARTS_PARTITION_H
#define CAROM_MODEL_PARTS_PARTITION_H

#include "carom/model.h"

// The work of each node in a step, in picoseconds or so: its share of its elements, its own kick and drift, its contact
// (work_estimate.c).
void carom_partition_weigh(const carom_model *model, int64_t *weight);

// Deals nodes to `parts` processes by recursive bisection: owner[k] from 0 to parts - 1. Bodies that are small beside a share
// stay whole. There may be fewer nodes than parts.
carom_status carom_partition_bisect(const carom_model *model, const int64_t *weight, int parts, int *owner, carom_error *error);

#endif
