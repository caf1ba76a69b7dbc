// SPDX-License-Identifier: MIT
#include "base/allocate.h"
#include "element/gather_lists.h"
#include "model/model.h"

// For each node the slots of its element forces, ascending.
carom_status carom_model_find_gather_lists(carom_model *model, const carom_model_def *def, carom_error *error) {
    (void)def;
    model->gather_begin = carom_arena_allocate(model->arena, model->node_count + 1, sizeof *model->gather_begin);
    model->gather = carom_arena_allocate(model->arena, model->element_node_count, sizeof *model->gather);
    model->block_slot = carom_arena_allocate(model->arena, model->block_count + 1, sizeof *model->block_slot);
    if (!model->gather_begin || !model->gather || !model->block_slot)
        return carom_no_memory(error, "the model");
    carom_gather_slots(model->blocks, model->block_count, model->block_slot);
    // Gather lists hold slots as ints.
    if (model->block_slot[model->block_count] > INT32_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%d elements are too many", model->element_count);
    carom_gather_lists(model->blocks, model->block_count, model->block_slot, model->node_count, model->gather_begin,
                       model->gather);
    return CAROM_OK;
}

// Runs of elements that a thread takes at a time.
carom_status carom_model_find_chunks(carom_model *model, const carom_model_def *def, carom_error *error) {
    (void)def;
    enum { CHUNK = CAROM_CHUNK_MAX };
    for (int b = 0; b < model->block_count; b++)
        // Chunks do not cross blocks, since a block is one kind of element.
        model->chunk_count += (model->blocks[b].count + CHUNK - 1) / CHUNK;
    model->chunks = carom_arena_allocate(model->arena, model->chunk_count, sizeof *model->chunks);
    if (!model->chunks)
        return carom_no_memory(error, "the model");
    int c = 0, first = 0;
    for (int b = 0; b < model->block_count; b++) {
        int count = model->blocks[b].count;
        for (int begin = 0; begin < count; begin += CHUNK)
            model->chunks[c++] = (carom_chunk){b, begin, begin + CHUNK < count ? begin + CHUNK : count, first + begin};
        first += count;
    }
    return CAROM_OK;
}
