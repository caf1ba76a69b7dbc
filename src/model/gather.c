// SPDX-License-Identifier: MIT
// Builds the gather lists (which slots of the element force buffer belong to each node) and chunks (ranges of elements for
// threads) that the assembly of forces needs.
#include "base/allocate.h"
#include "element/gather_lists.h"
#include "model/model.h"

// Finds the slots of the element forces of each node, ascending.
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

// Divides blocks into ranges of elements that a thread evaluates at a time.
carom_status carom_model_find_chunks(carom_model *model, const carom_model_def *def, carom_error *error) {
    (void)def;
    enum { CHUNK = CAROM_CHUNK_MAX };
    for (int b = 0; b < model->block_count; b++)
        // A chunk lies within one block, since a block has one kind of element.
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
