// SPDX-License-Identifier: MIT
// Chooses the method that assigns nodes to processes (owners.h).
#include "model/parts/owners.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "model/node_graph.h"
#include "parallel/scotch.h"

static carom_status by_scotch(const carom_model *model, const int64_t *weight, int parts, int *owner, carom_error *error) {
    carom_node_graph graph;
    carom_status status = carom_node_graph_create(model, &graph, error);
    if (!status)
        status = carom_scotch_part(model->node_count, graph.begin, graph.neighbour, weight, parts, owner, error);
    carom_node_graph_release(&graph);
    return status;
}

carom_status carom_owners_by_weight(const carom_model *model, carom_partition method, const int64_t *weight, int parts,
                                    int *owner, carom_error *error) {
    return method == CAROM_PARTITION_SCOTCH ? by_scotch(model, weight, parts, owner, error)
                                            : carom_partition_bisect(model, weight, parts, owner, error);
}

void carom_owners_by_chance(const carom_model *model, uint64_t seed, int parts, int *owner) {
    for (int k = 0; k < model->node_count; k++)
        owner[k] = (int)(carom_hash_mix(carom_hash_mix(seed) + (uint64_t)k) % (uint64_t)parts);
}

static carom_status by_cost(const carom_model *model, carom_partition method, int parts, int *owner, carom_error *error) {
    int64_t *weight = carom_allocate(model->node_count, sizeof *weight);
    if (!weight)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory to share %d nodes among processes", model->node_count);
    carom_partition_weigh(model, weight);
    carom_status status = carom_owners_by_weight(model, method, weight, parts, owner, error);
    free(weight);
    return status;
}

carom_status carom_owners_find(const carom_model *model, carom_partition method, int parts, int *owner, carom_error *error) {
    const char *requested = getenv("CAROM_OWNERS");
    if (!requested || !*requested)
        return by_cost(model, method, parts, owner, error);
    if (strcmp(requested, "bisection") == 0)
        return by_cost(model, CAROM_PARTITION_BISECTION, parts, owner, error);
    if (strcmp(requested, "scotch") == 0)
        return by_cost(model, CAROM_PARTITION_SCOTCH, parts, owner, error);
    if (strcmp(requested, "random") == 0 || strncmp(requested, "random:", 7) == 0) {
        carom_owners_by_chance(model, requested[6] ? strtoull(requested + 7, NULL, 10) : 1, parts, owner);
        return CAROM_OK;
    }
    bool stripes = strcmp(requested, "stripes") == 0;
    if (!stripes && strcmp(requested, "first") != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "CAROM_OWNERS=%s: expected bisection, scotch, random, random:SEED, stripes or first", requested);
    for (int k = 0; k < model->node_count; k++)
        owner[k] = stripes ? k % parts : 0;
    return CAROM_OK;
}
