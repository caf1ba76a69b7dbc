// SPDX-License-Identifier: MIT
// Mean stresses and strains of the solid elements around selected nodes, weighted by volume and mass, for probes. Where strains
// are averaged around nodes (`nodal`), those of the nodes themselves.
#include "output/tables/around.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/state.h"

// The number of the field of that name in the table of an element; -1: it has none.
static int find_field(const carom_element *element, const char *name) {
    for (int f = 0; f < CAROM_ELEMENT_FIELDS_MAX && element->fields[f].name; f++)
        if (strcmp(element->fields[f].name, name) == 0)
            return f;
    return -1;
}

// True for blocks with a volume and a stress.
static bool is_solid(const carom_block *block) {
    return block->element->volume && block->element->field && find_field(block->element, "stress") >= 0;
}

// True for patches that have the whole stress of their node, which is the first of a patch: the cells around have none.
static bool is_nodal(const carom_block *block) {
    return is_solid(block) && !carom_block_has_cells(block) && !block->element->parted;
}

static bool add_item(carom_around *around, int block, int element, double weight) {
    carom_around_element *items = carom_grow(around->items, around->count, &around->capacity, sizeof *items);
    if (!items)
        return false;
    around->items = items;
    items[around->count++] = (carom_around_element){block, element, weight};
    return true;
}

// The stress of a cell that shows only a part of it lacks the mean over the patches at its nodes: the weight of the cell is
// distributed equally to these patches. `patch` sums up the weights of each node.
static void distribute_to_patches(const carom_block *block, int e, double weight, double *patch) {
    int n = block->element->node_count;
    for (int c = 0; block->element->parted && c < n; c++)
        patch[block->nodes[(ptrdiff_t)e * block->node_count + c]] += weight / n;
}

static bool add_patches(carom_around *around, const double *patch) {
    const carom_model *model = around->model;
    bool enough = true;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        for (int e = 0; block->element->parted && !carom_block_has_cells(block) && e < block->count; e++) {
            double weight = patch[block->nodes[(ptrdiff_t)e * block->node_count]];
            enough = enough && (weight == 0 || add_item(around, b, e, weight));
        }
    }
    return enough;
}

// Visits the patches of the nodes: first the volume of each is found, then they take the weights of their nodes.
static bool visit_patches(carom_around *around, const int *place, double *volume, const double *share) {
    bool enough = true;
    for (int b = 0; b < around->model->block_count; b++) {
        const carom_block *block = &around->model->blocks[b];
        for (int e = 0; is_nodal(block) && e < block->count; e++) {
            int k = place[block->nodes[(ptrdiff_t)e * block->node_count]] - 1;
            if (k >= 0 && share)
                enough = enough && add_item(around, b, e, share[k]);
            else if (k >= 0)
                volume[k] = 1;
        }
    }
    return enough;
}

// Visits each corner of a solid element that is one of the selected nodes. It is called twice: first to sum up the volume
// around each node, then to compute the weights of the elements and, in `patch`, those of the nodes.
static bool visit(carom_around *around, const int *place, double *volume, const double *share, double *patch) {
    const carom_model *model = around->model;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        for (int e = 0; is_solid(block) && carom_block_has_cells(block) && e < block->count; e++) {
            const int *corner = &block->nodes[(ptrdiff_t)e * block->node_count];
            double own = -1, weight = 0;
            for (int c = 0; c < block->element->node_count; c++) {
                int k = place[corner[c]] - 1;
                if (k < 0)
                    continue;
                if (own < 0) {
                    block->element->volume(block, e, e + 1, (carom_const_vectors)model->X, around->values);
                    own = around->values[e];
                }
                if (patch)
                    weight += share[k] * own / volume[k];
                else
                    volume[k] += own;
            }
            if (!patch || own < 0)
                continue;
            if (!add_item(around, b, e, weight))
                return false;
            distribute_to_patches(block, e, weight, patch);
        }
    }
    return true;
}

carom_status carom_around_create(const carom_model *model, const int *nodes, int count, carom_around *around,
                                 carom_error *error) {
    *around = (carom_around){.model = model};
    int largest = 0;
    for (int b = 0; b < model->block_count; b++)
        largest = model->blocks[b].count > largest ? model->blocks[b].count : largest;
    around->values = carom_allocate(6 * (int64_t)largest, sizeof *around->values);
    int *place = carom_allocate(model->node_count, sizeof *place);
    double *volume = carom_allocate(count, sizeof *volume), *share = carom_allocate(count, sizeof *share), mass = 0;
    double *patch = carom_allocate(model->node_count, sizeof *patch);
    carom_status status = CAROM_OK;
    if (!around->values || !place || !volume || !share || !patch)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the stress of probes");
    for (int k = 0; k < count && !status; k++) {
        place[nodes[k]] = k + 1;
        mass += model->mass[nodes[k]];
    }
    for (int k = 0; k < count && !status; k++)
        share[k] = count == 1 ? 1 : mass > 0 ? model->mass[nodes[k]] / mass : 1.0 / count;
    if (!status) {
        visit(around, place, volume, share, NULL);
        visit_patches(around, place, volume, NULL);
    }
    for (int k = 0; k < count && !status; k++)
        if (!(volume[k] > 0))
            status = carom_fail(error, CAROM_BAD_INPUT, "stress and strain are recorded at nodes of solids only");
    if (!status && (!visit(around, place, volume, share, patch) || !add_patches(around, patch) ||
                    !visit_patches(around, place, volume, share)))
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the stress of probes");
    free(place);
    free(volume);
    free(share);
    free(patch);
    return status;
}

void carom_around_release(carom_around *around) {
    free(around->items);
    free(around->values);
    *around = (carom_around){0};
}

static void add_field(carom_around *around, const carom_around_element *item, const carom_state *state, const char *name,
                      double *sum) {
    const carom_block *block = &around->model->blocks[item->block];
    int field = find_field(block->element, name), components = field >= 0 ? block->element->fields[field].components : 0;
    if (field < 0)
        return;
    block->element->field(block, item->element, item->element + 1, (carom_const_vectors)state->x,
                          (carom_const_vectors)around->model->X, field, around->values);
    for (int c = 0; c < components; c++)
        sum[c] += item->weight * around->values[(ptrdiff_t)components * item->element + c];
}

void carom_around_show(carom_around *around, const carom_state *state, double stress[6], double *von_mises, double strain[3]) {
    memset(stress, 0, 6 * sizeof *stress);
    memset(strain, 0, 3 * sizeof *strain);
    *von_mises = 0;
    for (int64_t i = 0; i < around->count; i++) {
        add_field(around, &around->items[i], state, "stress", stress);
        add_field(around, &around->items[i], state, "von_mises", von_mises);
        add_field(around, &around->items[i], state, "principal_strain", strain);
    }
}
