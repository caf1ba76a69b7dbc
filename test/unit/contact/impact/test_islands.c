// SPDX-License-Identifier: MIT
// Tests src/contact/impact/islands.c, src/contact/impact/contact_solve.c, src/contact/impact/sweeps.c.
// Islands and colours of random lists of contacts: they satisfy their definitions, and neither the order of islands nor the
// number of threads changes a bit of the result.
#include "../../../support.h"
#include "carom/threads.h"
#include "contact/impact/islands.h"
#include "math/vec3.h"

// Enough contacts for colours whose contacts are divided among threads.
enum { NODES = 24000, FIXED = 20, CONTACTS = 9000 };

// Nodes with masses; the first ones are fixed, some others can move along a line only.
typedef struct ground {
    double mass[NODES];
    int of_node[NODES];
    carom_restraint items[NODES];
    carom_restraints restraints;
    double w[NODES][3];
    carom_contact_solve solve;
} ground;

static carom_mobility mobility_of(const ground *g) {
    return (carom_mobility){g->mass, &g->restraints, NULL};
}

static void make_nodes(ground *g, uint64_t *seed) {
    *g = (ground){0};
    for (int k = 0; k < NODES; k++) {
        g->mass[k] = random_real(seed, 0.5, 2);
        g->of_node[k] = -1;
        for (int i = 0; i < 3; i++)
            g->w[k][i] = random_real(seed, -1, 1);
        if (k >= FIXED && k % 50)
            continue;
        carom_restraint *r = &g->items[g->restraints.count];
        r->node = k;
        for (int i = 0; i < (k < FIXED ? 3 : 2); i++) {
            double d[3] = {i == 0, i == 1, i == 2};
            assert_ok(carom_restraint_add(r, d, 0, error));
        }
        g->of_node[k] = g->restraints.count++;
    }
    g->restraints.items = g->items;
    g->restraints.of_node = g->of_node;
}

// Contacts of nodes with faces whose node numbers are in a range of `spread`; some weights are zero.
static void add_contacts(ground *g, int count, int begin, int end, int spread, double friction, uint64_t *seed) {
    for (int c = 0; c < count; c++) {
        int place = (int)random_real(seed, begin, end - spread);
        carom_contact contact = {.kind = CAROM_CONTACT_NODE_FACE, .count = 4, .weight = {1, -0.5, c % 7 ? -0.3 : 0, -0.2}};
        for (int k = 0; k < 4; k++) {
            bool used = true;
            // four different nodes; some faces belong to an obstacle
            while (used) {
                bool obstacle = k > 0 && c % 5 == 0;
                contact.node[k] = obstacle ? (int)random_real(seed, 0, FIXED) : place + (int)random_real(seed, 0, spread);
                used = false;
                for (int j = 0; j < k; j++)
                    used = used || contact.node[j] == contact.node[k];
            }
        }
        for (int i = 0; i < 3; i++)
            contact.normal[i] = random_real(seed, -1, 1);
        carom_normalize(contact.normal);
        assert_true(carom_contact_solve_add(&g->solve, &contact, mobility_of(g), friction, -0.01, (const double(*)[3])g->w));
    }
}

static bool share_a_node(const carom_solved_contact *a, const carom_solved_contact *b) {
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++)
            if (a->contact.node[k] == b->contact.node[j] && carom_solved_contact_moves(a, k) &&
                carom_solved_contact_moves(b, j))
                return true;
    return false;
}

// Islands against labels that are spread until nothing changes; colours against their definition.
static void satisfy_their_definitions(void **state) {
    (void)state;
    static ground g;
    static int label[CONTACTS];
    uint64_t seed = 1;
    for (int round = 0; round < 6; round++) {
        make_nodes(&g, &seed);
        // from many small islands to one, in which some nodes have more contacts than there are colours
        add_contacts(&g, 300, FIXED, round < 5 ? 2000 : FIXED + 9, round < 5 ? 6 + 4 * round : 8, 0, &seed);
        carom_islands islands = {0};
        assert_true(carom_islands_find(&islands, &g.solve, NULL));
        int n = g.solve.count;
        for (int i = 0; i < n; i++)
            label[i] = i;
        for (bool changed = true; changed;) {
            changed = false;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < i; j++)
                    if (label[i] != label[j] && share_a_node(&g.solve.items[i], &g.solve.items[j])) {
                        label[i] = label[j] = label[i] < label[j] ? label[i] : label[j];
                        changed = true;
                    }
        }
        int uncoloured = 0;
        for (int i = 0; i < n; i++) {
            uint64_t taken = 0;
            for (int j = 0; j < n; j++)
                assert_int_equal(label[i] == label[j], islands.island[i] == islands.island[j]);
            for (int j = 0; j < i; j++)
                if (islands.colour[j] < 64 && share_a_node(&g.solve.items[i], &g.solve.items[j]))
                    taken |= UINT64_C(1) << islands.colour[j];
            int least = 0;
            while (least < 64 && taken >> least & 1)
                least++;
            assert_int_equal(islands.colour[i], least);
            uncoloured += least == 64;
        }
        assert_int_equal(uncoloured > 0, round == 5);
        // each contact occurs once, sorted by colour, then by number
        for (int i = 0; i < islands.count; i++) {
            carom_solve_group group = carom_islands_group(&islands, i, false);
            for (int p = 0; p < group.count; p++) {
                int at = group.order[p], before = p ? group.order[p - 1] : -1;
                assert_int_equal(islands.island[at], i);
                assert_true(p == 0 || islands.colour[before] < islands.colour[at] ||
                            (islands.colour[before] == islands.colour[at] && before < at));
            }
            for (int c = 0; c < group.colour_count; c++)
                for (int p = group.colours[c]; p < group.colours[c + 1]; p++)
                    assert_int_equal(islands.colour[group.order[p]], c);
            for (int p = group.colours[group.colour_count]; p < group.count; p++)
                assert_int_equal(islands.colour[group.order[p]], 64);
        }
        carom_islands_release(&islands);
        carom_contact_solve_release(&g.solve);
    }
}

static void assert_equal_islands(const carom_islands *kept, const carom_contact_solve *solve) {
    carom_islands fresh = {0};
    assert_true(carom_islands_find(&fresh, solve, NULL));
    assert_int_equal(kept->count, fresh.count);
    assert_memory_equal(kept->begin, fresh.begin, ((size_t)fresh.count + 1) * sizeof *fresh.begin);
    assert_memory_equal(kept->first, fresh.first, ((size_t)fresh.count + 1) * sizeof *fresh.first);
    assert_memory_equal(kept->order, fresh.order, (size_t)solve->count * sizeof *fresh.order);
    assert_memory_equal(kept->island, fresh.island, (size_t)solve->count * sizeof *fresh.island);
    assert_memory_equal(kept->colour, fresh.colour, (size_t)solve->count * sizeof *fresh.colour);
    assert_memory_equal(kept->colours, fresh.colours, (size_t)fresh.first[fresh.count] * sizeof *fresh.colours);
    carom_islands_release(&fresh);
}

// Islands kept from one list to the next equal those found from the list alone, whatever changes: nothing but values, a node of
// one contact, whether a side can move, the order of two contacts, the length of the list. In short lists and in long ones that
// are divided among threads.
static void are_kept_only_for_the_same_movers(void **state) {
    (void)state;
    static ground g;
    uint64_t seed = 5;
    for (int length = 200; length < CONTACTS; length += CONTACTS / 2) {
        make_nodes(&g, &seed);
        add_contacts(&g, length, FIXED, length < 1000 ? 2000 : NODES, 12, 0, &seed);
        carom_islands islands = {0};
        for (int round = 0; round < 60; round++) {
            int n = g.solve.count, at = (int)random_real(&seed, 0, n - 1);
            carom_solved_contact *one = &g.solve.items[at], other = g.solve.items[at + 1];
            switch (round % 6) {
            case 0: one->before[0] += 1, one->target -= 1, one->contact.normal[0] = 0.5; break;
            case 1: one->contact.node[0] = FIXED + (one->contact.node[0] + 7) % 1900; break;
            case 2: one->reaction[1] = one->reaction[1] == 0 ? 1 : 0; break;
            case 3: g.solve.items[at + 1] = *one, *one = other; break;
            case 4: g.solve.count--; break;
            case 5: add_contacts(&g, 1, FIXED, 2000, 12, 0, &seed); break;
            }
            assert_true(carom_islands_find(&islands, &g.solve, NULL));
            assert_equal_islands(&islands, &g.solve);
            assert_int_equal(islands.noted, g.solve.count);
        }
        // an empty list has no islands, and those of the next list are found again
        int n = g.solve.count;
        g.solve.count = 0;
        assert_true(carom_islands_find(&islands, &g.solve, NULL));
        assert_int_equal(islands.count, 0);
        g.solve.count = n;
        assert_true(carom_islands_find(&islands, &g.solve, NULL));
        assert_equal_islands(&islands, &g.solve);
        carom_islands_release(&islands);
        carom_contact_solve_release(&g.solve);
    }
}

// Solves all islands and returns a sum over the bits of velocities and impulses.
static uint64_t solve_all(ground *g, bool shared, bool backwards, int threads) {
    carom_islands islands = {0};
    carom_set_threads(threads);
    assert_true(carom_islands_find(&islands, &g->solve, NULL));
    for (int i = 0; i < islands.count; i++) {
        carom_solve_group group = carom_islands_group(&islands, backwards ? islands.count - 1 - i : i, shared);
        carom_contact_solve_group(&g->solve, &group, mobility_of(g), 1e-9, g->w);
    }
    uint64_t sum = 0, bits;
    for (int k = 0; k < NODES; k++)
        for (int i = 0; i < 3; i++) {
            memcpy(&bits, &g->w[k][i], sizeof bits);
            sum = 31 * sum + bits;
        }
    for (int c = 0; c < g->solve.count; c++) {
        memcpy(&bits, &g->solve.items[c].normal, sizeof bits);
        sum = 31 * sum + bits;
    }
    carom_islands_release(&islands);
    return sum;
}

static void same_bits(void **state) {
    (void)state;
    static ground g;
    for (int kind = 0; kind < 4; kind++) {
        uint64_t first = 0;
        for (int variant = 0; variant < 5; variant++) {
            uint64_t seed = 7;
            make_nodes(&g, &seed);
            add_contacts(&g, kind < 2 ? CONTACTS : 400, FIXED, NODES, kind < 2 ? 23000 : 8, kind % 2 ? 0.3 : 0, &seed);
            uint64_t sum = solve_all(&g, variant > 1, variant == 1, (const int[]){1, 1, 2, 3, 8}[variant]);
            carom_contact_solve_release(&g.solve);
            if (variant == 0)
                first = sum;
            assert_true(sum == first);
        }
    }
    carom_set_threads(1);
}

// The impulses of an island do not depend on the other contacts of the list.
static void islands_are_independent(void **state) {
    (void)state;
    static ground one, both;
    uint64_t seed = 9;
    make_nodes(&one, &seed);
    add_contacts(&one, 60, FIXED, 500, 12, 0.2, &seed);
    uint64_t other = seed;
    seed = 9;
    make_nodes(&both, &seed);
    add_contacts(&both, 60, FIXED, 500, 12, 0.2, &seed);
    assert_true(seed == other);
    add_contacts(&both, 300, 600, 1500, 12, 0, &seed);
    solve_all(&one, false, false, 1);
    solve_all(&both, false, false, 1);
    for (int c = 0; c < one.solve.count; c++)
        assert_true(one.solve.items[c].normal == both.solve.items[c].normal);
    assert_memory_equal(one.w, both.w, 600 * sizeof *one.w);
    carom_contact_solve_release(&one.solve);
    carom_contact_solve_release(&both.solve);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(satisfy_their_definitions),
        cmocka_unit_test(are_kept_only_for_the_same_movers),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(islands_are_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
