// SPDX-License-Identifier: MIT
// Tests src/model/state/state.c, src/model/parts/space_link.c.
// Hashes of arrays of nodes and elements by their numbers in the whole model, and the contact nodes of a part. The test has one
// process, which owns all nodes of the part.
#include "../../../blocks.h"
#include "model/collective.h"
#include "model/parts/space_link.h"
#include "model/state.h"

enum { NODES = 4 * 3 * 2, ELEMENTS = 3 * 2 };

static void start(bench *b) {
    bench_start(b);
    block_add(b, VECTOR(0, 0, 0), VECTOR(3, 2, 1), (const int[3]){3, 2, 1}, VECTOR(1, 2, 3), "linear");
    bench_build(b);
    assert_int_equal(b->model->node_count, NODES);
    assert_int_equal(b->model->element_count, ELEMENTS);
}

// A state with an array of elements, filled by their numbers.
static carom_state *state_of(const carom_model *model, const int *element_global) {
    carom_state *state;
    assert_ok(carom_state_create(model, &state, error));
    double *values = carom_state_add_elemental(state, "of elements", 2);
    assert_non_null(values);
    for (int i = 0; i < 2 * ELEMENTS; i++)
        values[i] = 1.5 + 2 * (element_global ? element_global[i / 2] : i / 2) + i % 2;
    return state;
}

// The state of a model with other numbers of its nodes and elements has the hash of the whole one.
static void hash_by_global_numbers(void **unused) {
    (void)unused;
    static int global[NODES], element_global[ELEMENTS];
    bench b;
    start(&b);
    carom_model part = *b.model;
    for (int k = 0; k < NODES; k++)
        global[k] = NODES - 1 - k;
    for (int e = 0; e < ELEMENTS; e++)
        element_global[e] = ELEMENTS - 1 - e;
    part.part.global = global;
    part.part.element_global = element_global;
    carom_state *whole = state_of(b.model, NULL), *state = state_of(&part, element_global);
    assert_true(state->arrays[state->array_count - 1].per_element);
    assert_int_equal(state->arrays[state->array_count - 1].components, 2);
    for (int k = 0; k < NODES; k++) {
        memcpy(state->x[k], whole->x[NODES - 1 - k], sizeof *state->x);
        memcpy(state->v[k], whole->v[NODES - 1 - k], sizeof *state->v);
    }
    assert_true(carom_state_is_finite(state));
    assert_int_equal(carom_state_hash(state), carom_state_hash(whole));
    state->x[3][1] += 1;
    assert_int_not_equal(carom_state_hash(state), carom_state_hash(whole));
    // a node of another process does not enter the hash
    state->x[3][1] = whole->x[NODES - 4][1];
    part.part.owned_count = NODES - 1;
    assert_int_not_equal(carom_state_hash(state), carom_state_hash(whole));
    carom_state_release(whole);
    carom_state_release(state);
    bench_end(&b);
}

static void nodes_of_contact(void **unused) {
    (void)unused;
    static int global[NODES], in_space[NODES];
    static double first[NODES][3], second[NODES][3], all_first[NODES][3], all_second[NODES][3];
    bench b;
    start(&b);
    carom_model part = *b.model, space = *b.model;
    space.node_count = 0;
    for (int k = 0; k < NODES; k++) {
        global[k] = k;
        in_space[k] = k % 3 == 0 ? space.node_count++ : -1;
        for (int i = 0; i < 3; i++) {
            first[k][i] = 10 * k + i;
            second[k][i] = -10 * k - i;
        }
    }
    part.part.global = global;
    part.part.in_space = in_space;
    part.part.space = &space;
    carom_space_link *link;
    assert_ok(carom_space_link_create(&part, &link, error));
    part.part.link = link;
    carom_space_gather(&part, 2, (const double(*const[])[3]){(carom_const_vectors)first, (carom_const_vectors)second},
                       (double(*const[])[3]){all_first, all_second});
    for (int k = 0; k < NODES; k += 3) {
        assert_memory_equal(all_first[in_space[k]], first[k], sizeof first[k]);
        assert_memory_equal(all_second[in_space[k]], second[k], sizeof second[k]);
        assert_int_equal(link->local[in_space[k]], k);
    }
    assert_memory_equal(carom_space_positions(&part, (carom_const_vectors)first), all_first, sizeof first / 3);
    assert_ptr_equal(carom_space_positions(b.model, (carom_const_vectors)first), first);
    carom_space_link_release(link);
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_by_global_numbers),
        cmocka_unit_test(nodes_of_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
