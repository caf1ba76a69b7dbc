// SPDX-License-Identifier: MIT
// Tests src/model/parts/partition.c, src/model/parts/work_estimate.c, src/model/parts/owners.c, src/model/node_graph.c.
// Weights of nodes by computational cost; distribution of nodes to processes: balanced, small bodies undivided, any number of
// processes.
#include "../../../blocks.h"
#include "model/node_graph.h"
#include "model/parts/owners.h"

enum { NODES_MAX = 20000, PARTS_MAX = 64 };

static int owner[NODES_MAX];
static int64_t weight[NODES_MAX];

// Finds the weights of all parts. Returns their sum, the weight of the model.
static int64_t weigh_parts(const carom_model *model, int parts, int64_t *part) {
    int64_t whole = 0;
    memset(part, 0, (size_t)parts * sizeof *part);
    for (int k = 0; k < model->node_count; k++) {
        assert_in_range(owner[k], 0, parts - 1);
        part[owner[k]] += weight[k];
        whole += weight[k];
    }
    return whole;
}

// The weight of a body.
static int64_t weight_of(const carom_model *model, int body) {
    int64_t sum = 0;
    for (int i = 0; i < model->bodies[body].node_count; i++)
        sum += weight[model->bodies[body].node_begin + i];
    return sum;
}

// Equal boxes that differ in one property each: material, quadrature, or damping. Weights are in the order of their costs.
static void costs_are_distinguished(void **state) {
    (void)state;
    static const carom_hex8_params one_point = {.integration = CAROM_HEX8_ONE_POINT, .hourglass = 0.1};
    bench b;
    bench_start(&b);
    for (int i = 0; i < 4; i++)
        block_add(&b, VECTOR(2 * i, 0, 0), VECTOR(2 * i + 1, 1, 1), (const int[3]){3, 3, 3}, VECTOR(0, 0, 0),
                  i == 2 ? "neo-hookean" : "linear");
    b.bodies[0].element.params = &one_point;
    b.bodies[3].damping.stiffness = 0.01;
    bench_build(&b);
    carom_partition_weigh(b.model, weight);
    for (int i = 1; i < 4; i++)
        assert_true(weight_of(b.model, i) > 1.1 * (double)weight_of(b.model, i - 1));
    assert_true(weight_of(b.model, 3) > 2 * weight_of(b.model, 2));
    bench_end(&b);
}

// Nodes on a surface have more weight with contact, inner nodes do not.
static void contact_has_weight(void **state) {
    (void)state;
    int64_t free_weight[2] = {0};
    for (int contact = 0; contact < 2; contact++) {
        bench b;
        bench_start(&b);
        b.def.contact.enabled = contact;
        block_add(&b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), (const int[3]){2, 2, 2}, VECTOR(0, 0, 0), "linear");
        bench_build(&b);
        carom_partition_weigh(b.model, weight);
        // a corner, and an inner node
        int corner = 0, inside = 0;
        for (int k = 0; k < b.model->node_count; k++) {
            const double *X = b.model->X[k];
            corner = X[0] + X[1] + X[2] == 0 ? k : corner;
            inside = X[0] == 0.5 && X[1] == 0.5 && X[2] == 0.5 ? k : inside;
        }
        if (contact) {
            assert_true(weight[corner] > free_weight[0]);
            assert_int_equal(weight[inside], free_weight[1]);
        }
        free_weight[0] = weight[corner];
        free_weight[1] = weight[inside];
        bench_end(&b);
    }
}

// One box: every part has an equal share, up to one or two nodes.
static void shares_are_equal(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    block_add(&b, VECTOR(0, 0, 0), VECTOR(3, 2, 1), (const int[3]){18, 12, 6}, VECTOR(0, 0, 0), "neo-hookean");
    bench_build(&b);
    carom_error error;
    carom_partition_weigh(b.model, weight);
    int64_t most = 0;
    for (int k = 0; k < b.model->node_count; k++)
        most = weight[k] > most ? weight[k] : most;
    for (int parts = 1; parts <= PARTS_MAX; parts += parts < 9 ? 1 : 11) {
        int64_t part[PARTS_MAX], whole;
        assert_int_equal(carom_partition_bisect(b.model, weight, parts, owner, &error), CAROM_OK);
        whole = weigh_parts(b.model, parts, part);
        for (int p = 0; p < parts; p++)
            assert_true(llabs(part[p] - whole / parts) < 3 * most);
    }
    bench_end(&b);
}

// Many small bodies and a large one: small bodies are not divided, the large one is.
static void small_bodies_stay_whole(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    block_add(&b, VECTOR(0, 0, 0), VECTOR(3, 2, 1), (const int[3]){18, 12, 6}, VECTOR(0, 0, 0), "neo-hookean");
    for (int i = 0; i < 3; i++)
        block_add(&b, VECTOR(i, 0, 1.5), VECTOR(i + 0.5, 0.5, 2), (const int[3]){1, 1, 1}, VECTOR(0, 0, 0), "neo-hookean");
    bench_build(&b);
    carom_error error;
    carom_partition_weigh(b.model, weight);
    assert_int_equal(carom_partition_bisect(b.model, weight, 4, owner, &error), CAROM_OK);
    bool used[4] = {false};
    for (int body = 0; body < b.model->body_count; body++)
        for (int i = 0; i < b.model->bodies[body].node_count; i++) {
            int k = b.model->bodies[body].node_begin + i;
            used[owner[k]] = true;
            if (body > 0)
                assert_int_equal(owner[k], owner[b.model->bodies[body].node_begin]);
        }
    assert_true(used[0] && used[1] && used[2] && used[3]);
    bench_end(&b);
}

// More processes than nodes: some have none, without an error. Nodes at one point are distributed evenly as well.
static void few_nodes(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    block_add(&b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), (const int[3]){1, 1, 1}, VECTOR(0, 0, 0), "neo-hookean");
    bench_build(&b);
    carom_error error;
    carom_partition_weigh(b.model, weight);
    for (int parts = 1; parts <= PARTS_MAX; parts++) {
        int64_t part[PARTS_MAX];
        assert_int_equal(carom_partition_bisect(b.model, weight, parts, owner, &error), CAROM_OK);
        weigh_parts(b.model, parts, part);
        int empty = 0;
        for (int p = 0; p < parts; p++)
            empty += part[p] == 0;
        assert_int_equal(empty, parts > 8 ? parts - 8 : 0);
    }
    bench_end(&b);
}

// True if nodes a and b have an element in common.
static bool are_joined(const carom_model *model, int a, int b) {
    for (int i = 0; i < model->block_count; i++)
        for (int e = 0; e < model->blocks[i].count; e++) {
            const int *nodes = &model->blocks[i].nodes[e * model->blocks[i].node_count];
            bool has_a = false, has_b = false;
            for (int n = 0; n < model->blocks[i].node_count; n++) {
                has_a = has_a || nodes[n] == a;
                has_b = has_b || nodes[n] == b;
            }
            if (has_a && has_b)
                return true;
        }
    return false;
}

// The neighbours of a node are all nodes with a common element, each once.
static void graph_is_complete(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    block_add(&b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), (const int[3]){3, 2, 1}, VECTOR(0, 0, 0), "linear");
    bench_add_bar(&b, VECTOR(2, 0, 0), VECTOR(3, 0, 0), 3, VECTOR(0, 0, 0), CAROM_BAR_GREEN);
    bench_build(&b);
    carom_error error;
    carom_node_graph graph;
    assert_int_equal(carom_node_graph_create(b.model, &graph, &error), CAROM_OK);
    for (int k = 0; k < b.model->node_count; k++) {
        int count = 0;
        for (int other = 0; other < b.model->node_count; other++)
            count += other != k && are_joined(b.model, k, other);
        assert_int_equal(graph.begin[k + 1] - graph.begin[k], count);
        for (int64_t i = graph.begin[k]; i < graph.begin[k + 1]; i++) {
            assert_true(graph.neighbour[i] != k && are_joined(b.model, k, graph.neighbour[i]));
            for (int64_t j = graph.begin[k]; j < i; j++)
                assert_int_not_equal(graph.neighbour[i], graph.neighbour[j]);
        }
    }
    carom_node_graph_release(&graph);
    bench_end(&b);
}

static carom_status find_owners(const carom_model *model, const char *asked, carom_partition way, carom_error *error) {
    if (asked)
        setenv("CAROM_OWNERS", asked, 1);
    else
        unsetenv("CAROM_OWNERS");
    carom_status status = carom_owners_find(model, way, 3, owner, error);
    unsetenv("CAROM_OWNERS");
    return status;
}

// The distribution chosen by the environment; a program without Scotch reports this.
static void distributions(void **state) {
    (void)state;
    static int before[NODES_MAX];
    bench b;
    bench_start(&b);
    block_add(&b, VECTOR(0, 0, 0), VECTOR(3, 2, 1), (const int[3]){6, 4, 2}, VECTOR(0, 0, 0), "linear");
    bench_build(&b);
    int n = b.model->node_count;
    size_t size = (size_t)n * sizeof *owner;
    carom_error error;
    assert_int_equal(find_owners(b.model, NULL, CAROM_PARTITION_BISECTION, &error), CAROM_OK);
    memcpy(before, owner, size);
    assert_int_equal(find_owners(b.model, "bisection", CAROM_PARTITION_SCOTCH, &error), CAROM_OK);
    assert_memory_equal(owner, before, size);
    assert_int_equal(find_owners(b.model, "first", CAROM_PARTITION_BISECTION, &error), CAROM_OK);
    for (int k = 0; k < n; k++)
        assert_int_equal(owner[k], 0);
    assert_int_equal(find_owners(b.model, "stripes", CAROM_PARTITION_BISECTION, &error), CAROM_OK);
    for (int k = 0; k < n; k++)
        assert_int_equal(owner[k], k % 3);
    assert_int_equal(find_owners(b.model, "random:5", CAROM_PARTITION_BISECTION, &error), CAROM_OK);
    memcpy(before, owner, size);
    carom_owners_by_chance(b.model, 5, 3, owner);
    assert_memory_equal(owner, before, size);
    carom_owners_by_chance(b.model, 6, 3, owner);
    assert_memory_not_equal(owner, before, size);
    assert_int_equal(find_owners(b.model, NULL, CAROM_PARTITION_SCOTCH, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "without Scotch"));
    assert_int_equal(find_owners(b.model, "fair", CAROM_PARTITION_BISECTION, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "CAROM_OWNERS=fair"));
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_are_distinguished), cmocka_unit_test(contact_has_weight), cmocka_unit_test(shares_are_equal),
        cmocka_unit_test(small_bodies_stay_whole), cmocka_unit_test(few_nodes),          cmocka_unit_test(graph_is_complete),
        cmocka_unit_test(distributions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
