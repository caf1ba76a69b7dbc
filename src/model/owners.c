// SPDX-License-Identifier: MIT
#include "model/owners.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "model/partition.h"

static carom_status bisect(const carom_model *model, int parts, int *owner, carom_error *error) {
    int64_t *weight = carom_allocate(model->node_count, sizeof *weight);
    if (!weight)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory to share %d nodes among processes", model->node_count);
    carom_partition_weigh(model, weight);
    carom_status status = carom_partition_bisect(model, weight, parts, owner, error);
    free(weight);
    return status;
}

carom_status carom_model_find_owners(const carom_model *model, int parts, int *owner, carom_error *error) {
    const char *way = getenv("CAROM_OWNERS");
    if (!way || !*way || strcmp(way, "bisection") == 0)
        return bisect(model, parts, owner, error);
    bool random = strncmp(way, "random", 6) == 0 && (way[6] == 0 || way[6] == ':');
    if (!random && strcmp(way, "stripes") != 0 && strcmp(way, "first") != 0)
        return carom_fail(error, CAROM_BAD_INPUT, "CAROM_OWNERS=%s: expected bisection, random, random:SEED, stripes or first",
                          way);
    uint64_t seed = random && way[6] ? strtoull(way + 7, NULL, 10) : 1;
    for (int k = 0; k < model->node_count; k++)
        owner[k] = random          ? (int)(carom_hash_mix(carom_hash_mix(seed) + (uint64_t)k) % (uint64_t)parts)
                   : way[0] == 's' ? k % parts
                                   : 0;
    return CAROM_OK;
}
