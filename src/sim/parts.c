// SPDX-License-Identifier: MIT
// Subdomains are extracted on rank 0, packed into bytes, and sent to their processes one after the other.
#include "sim/parts.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "model/parts/extract.h"
#include "model/parts/space_link.h"
#include "parallel/parallel.h"

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the model");
}

carom_status carom_subdomains_broadcast(const carom_model *model, carom_model **copy, carom_error *error) {
    void *bytes = NULL;
    int64_t size = 0;
    *copy = NULL;
    carom_status status = model ? carom_model_pack(model, &bytes, &size, error) : CAROM_OK;
    status = CAROM_PARALLEL_AGREE(status, error);
    if (!status) {
        carom_parallel_broadcast(&size, sizeof size);
        if (!model)
            bytes = carom_allocate(size, 1);
        status = CAROM_PARALLEL_AGREE(bytes ? CAROM_OK : no_memory(error), error);
    }
    if (!status) {
        carom_parallel_broadcast(bytes, size);
        if (!model)
            status = carom_model_unpack(bytes, size, copy, error);
        status = CAROM_PARALLEL_AGREE(status, error);
    }
    free(bytes);
    return status;
}

// Extracts and packs the subdomain of another process, on rank 0.
static carom_status make(const carom_model *whole, const int *owner, int rank, void **bytes, int64_t *size,
                         carom_error *error) {
    carom_model *part = NULL;
    carom_status status = carom_model_extract(whole, owner, carom_parallel_size(), rank, &part, error);
    if (!status)
        status = carom_model_pack(part, bytes, size, error);
    carom_model_release(part);
    return status;
}

// Sends one subdomain from rank 0 to process `rank`, which allocates its buffer first. Collective: all processes agree on
// whether there was memory.
static carom_status send(const carom_model *whole, const int *owner, int rank, carom_model **part, carom_error *error) {
    void *bytes = NULL;
    int64_t size = 0;
    bool here = carom_parallel_rank() == rank;
    carom_status status = whole ? make(whole, owner, rank, &bytes, &size, error) : CAROM_OK;
    status = CAROM_PARALLEL_AGREE(status, error);
    if (!status) {
        carom_parallel_broadcast(&size, sizeof size);
        if (here)
            bytes = carom_allocate(size, 1);
        status = CAROM_PARALLEL_AGREE(here && !bytes ? no_memory(error) : CAROM_OK, error);
    }
    if (!status && whole)
        carom_parallel_give(rank, bytes, size);
    if (!status && here) {
        carom_parallel_take(bytes, size);
        status = carom_model_unpack(bytes, size, part, error);
    }
    free(bytes);
    return status;
}

carom_status carom_subdomains_distribute(const carom_model *whole, const int *owner, const carom_model *space,
                                         carom_model **part, carom_error *error) {
    *part = NULL;
    carom_status status = CAROM_OK;
    for (int rank = 1; rank < carom_parallel_size() && !status; rank++)
        status = CAROM_PARALLEL_AGREE(send(whole, owner, rank, part, error), error);
    if (!status && whole)
        status = carom_model_extract(whole, owner, carom_parallel_size(), 0, part, error);
    status = CAROM_PARALLEL_AGREE(status, error);
    if (!status)
        status = carom_subdomain_connect(*part, space, error);
    if (status) {
        carom_subdomains_release(*part);
        *part = NULL;
    }
    return status;
}

void carom_subdomains_release(carom_model *part) {
    carom_subdomain_disconnect(part);
    carom_model_release(part);
}
