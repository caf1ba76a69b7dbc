// SPDX-License-Identifier: MIT
// Converts numbers of nodes and elements of the whole model to those of the subdomain of this process (model.h), by bisection:
// in a subdomain the numbers of the whole ascend among owned nodes, among ghosts, and among elements.
#include "model/collective.h"

#include "base/bisect.h"

// The place of a number among ascending ones in [begin, end), or -1.
static int find(const int *numbers, int begin, int end, int number) {
    int place = begin + carom_last_at(numbers + begin, sizeof *numbers, end - begin, number);
    return begin < end && numbers[place] == number ? place : -1;
}

int carom_model_local_node(const carom_model *model, int global) {
    if (!carom_model_is_subdomain(model))
        return global;
    int owned = find(model->part.global, 0, model->part.owned_count, global);
    return owned >= 0 ? owned : find(model->part.global, model->part.owned_count, model->node_count, global);
}

int carom_model_local_element(const carom_model *model, int global) {
    return carom_model_is_subdomain(model) ? find(model->part.element_global, 0, model->element_count, global) : global;
}
