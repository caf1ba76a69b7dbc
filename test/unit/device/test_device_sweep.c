// SPDX-License-Identifier: MIT
// Tests src/device/device_sweep.c, src/device/threads_sweep.h, src/contact/impact/sweep_body.h.
// Gauss-Seidel sweeps over contacts on a device give the impulses and velocities of those by threads, to the last bit; if the
// device cannot run them, threads do.
#include "../../solids.h"
#include "carom/threads.h"
#include "contact/impact/islands.h"
#include "contact/impact/sweeps.h"
#include "device/device.h"
#include "model/model.h"

enum { EVERY = 3, FIXED = 30 }; // nodes of the processor, and those of them that do not move

static int pieces = -1; // of memory that a device still has; -1: enough

static void *allocate_pieces(size_t bytes) {
    if (pieces == 0)
        return NULL;
    pieces -= pieces > 0;
    return carom_backend_emulation()->allocate(bytes);
}

typedef struct setting {
    solid s;
    const carom_model *model;
    carom_device *device;
    int *here, count;
    double *mass;
    int *of_node;
    carom_restraint *items;
    carom_restraints restraints;
    carom_vectors w;
    carom_contact_solve solve;
    carom_sweeper sweeper;    // counts groups, and passes them to the device
    int asked, done, largest; // groups passed to the device and solved by it; contacts of the largest one
} setting;

static carom_mobility mobility_of(const setting *t) {
    return (carom_mobility){t->mass, &t->restraints, NULL};
}

static bool count_and_run(const carom_sweeper *sweeper, carom_contact_solve *solve, const carom_solve_group *group,
                          carom_sweep_limits limits, double (*v)[3]) {
    setting *t = sweeper->context;
    const carom_sweeper *device = carom_device_sweeper(t->device);
    bool ran = device->run(device, solve, group, limits, v);
    t->asked++;
    t->largest = group->count > t->largest ? group->count : t->largest;
    t->done += ran;
    return ran;
}

// A block with `cells` cells along each edge.
static void start(setting *t, int cells) {
    carom_error error;
    static carom_backend backend;
    backend = *carom_backend_emulation();
    backend.allocate = allocate_pieces;
    *t = (setting){0};
    solid_start(&t->s, &solid_cases[5], VECTOR(1, 1, 1), (const int[]){cells, cells, cells}, "neo-hookean",
                (carom_elastic_params){3, 0.3, 1});
    bench_build(&t->s.b);
    t->model = t->s.b.model;
    assert_int_equal(carom_device_create(&backend, t->model, &t->device, &error), CAROM_OK);
    int nodes = t->model->node_count;
    t->here = solid_reserve(nodes, sizeof *t->here);
    for (int k = 0; k < nodes; k += EVERY)
        t->here[t->count++] = k;
    assert_int_equal(carom_device_stay(t->device, t->here, t->count, &(carom_device_motion){0}, &error), CAROM_OK);
    t->mass = solid_reserve(nodes, sizeof *t->mass);
    t->of_node = solid_reserve(nodes, sizeof *t->of_node);
    t->items = solid_reserve(t->count, sizeof *t->items);
    t->w = solid_reserve(nodes, sizeof *t->w);
    t->sweeper = (carom_sweeper){count_and_run, t};
    t->restraints = (carom_restraints){.items = t->items, .of_node = t->of_node};
}

static void end(setting *t) {
    carom_device_release(t->device);
    carom_contact_solve_release(&t->solve);
    free(t->here), free(t->mass), free(t->of_node), free(t->items), free(t->w);
    bench_end(&t->s.b);
}

// New masses and velocities. The first nodes of the processor do not move; `guides`: some others in one direction only.
static void make_nodes(setting *t, bool guides, uint64_t *seed) {
    t->restraints.count = 0;
    for (int k = 0; k < t->model->node_count; k++) {
        t->mass[k] = random_real(seed, 0.5, 2);
        t->of_node[k] = -1;
        for (int i = 0; i < 3; i++)
            t->w[k][i] = random_real(seed, -1, 1);
    }
    for (int n = 0; n < t->count; n++) {
        if (n >= FIXED && !(guides && n % 40 == 0))
            continue;
        carom_restraint *r = &t->items[t->restraints.count];
        *r = (carom_restraint){.node = t->here[n]};
        for (int i = 0; i < (n < FIXED ? 3 : 2); i++)
            assert_ok(carom_restraint_add(r, VECTOR(i == 0, i == 1, i == 2), 0, error));
        t->of_node[t->here[n]] = t->restraints.count++;
    }
}

// Nodes against faces, or edges against edges, of neighbouring nodes of the processor. Some weights are zero; some faces belong
// to obstacles; some contacts have three nodes.
static void add_contacts(setting *t, int count, int spread, double friction, uint64_t *seed) {
    t->solve.count = 0;
    for (int c = 0; c < count; c++) {
        int place = (int)random_real(seed, 0, t->count - spread);
        carom_contact contact = {
            .kind = CAROM_CONTACT_NODE_FACE, .count = c % 11 ? 4 : 3, .weight = {1, -0.5, c % 7 ? -0.3 : 0, c % 11 ? -0.2 : 0}};
        for (int k = 0; k < contact.count; k++) {
            bool used = true;
            while (used) {
                bool obstacle = k > 0 && c % 5 == 0;
                contact.node[k] =
                    t->here[obstacle ? (int)random_real(seed, 0, FIXED) : place + (int)random_real(seed, 0, spread)];
                used = false;
                for (int j = 0; j < k; j++)
                    used = used || contact.node[j] == contact.node[k];
            }
        }
        for (int i = 0; i < 3; i++)
            contact.normal[i] = random_real(seed, -1, 1);
        carom_normalize(contact.normal);
        assert_true(carom_contact_solve_add(&t->solve, &contact, mobility_of(t), c % 3 ? friction : 0, -0.01,
                                            (carom_const_vectors)t->w));
    }
}

// Solves all islands, with a sweeper or without. Returns the velocities of all nodes, followed by the impulses of all contacts.
static double *solve_all(setting *t, const carom_sweeper *sweeper, int most) {
    carom_islands islands = {0};
    int n = 3 * t->model->node_count;
    double *found = solid_reserve(n + 4 * t->solve.count, sizeof *found);
    carom_vectors before = solid_reserve(t->model->node_count, sizeof *before);
    memcpy(before, t->w, sizeof *t->w * (size_t)t->model->node_count);
    assert_true(carom_islands_find(&islands, &t->solve, NULL));
    for (int c = 0; c < t->solve.count; c++) {
        t->solve.items[c].normal = 0;
        memset(t->solve.items[c].tangential, 0, sizeof t->solve.items[c].tangential);
    }
    t->solve.sweeper = sweeper;
    t->solve.most = most;
    for (int i = 0; i < islands.count; i++) {
        carom_solve_group group = carom_islands_group(&islands, i, true);
        carom_contact_solve_group(&t->solve, &group, mobility_of(t), 1e-3, t->w);
    }
    memcpy(found, t->w, (size_t)n * sizeof *found);
    for (int c = 0; c < t->solve.count; c++) {
        found[n + 4 * c] = t->solve.items[c].normal;
        memcpy(found + n + 4 * c + 1, t->solve.items[c].tangential, 3 * sizeof *found);
    }
    memcpy(t->w, before, sizeof *t->w * (size_t)t->model->node_count);
    free(before);
    carom_islands_release(&islands);
    return found;
}

// Solves by threads, then on the device or, if it cannot, by threads. True if the device has solved all islands.
static bool is_solved(setting *t, int most) {
    size_t size = sizeof(double) * (3 * (size_t)t->model->node_count + 4 * (size_t)t->solve.count);
    double *threads = solve_all(t, NULL, most);
    t->asked = t->done = t->largest = 0;
    double *device = solve_all(t, &t->sweeper, most);
    assert_memory_equal(threads, device, size);
    assert_true(t->asked > 0);
    // the contacts change velocities
    assert_memory_not_equal(threads, t->w, 3 * sizeof(double) * (size_t)t->model->node_count);
    free(threads), free(device);
    return t->asked == t->done;
}

static void compare(setting *t, int most) {
    assert_true(is_solved(t, most));
}

// Without and with friction, converged and with few sweeps; lists that grow and shrink; one island and many.
static void same_bits(void **state) {
    (void)state;
    static setting t;
    start(&t, 15);
    uint64_t seed = 3;
    const int counts[] = {300, 2500, 40, 2500};
    for (int round = 0; round < 8; round++) {
        make_nodes(&t, false, &seed);
        add_contacts(&t, counts[round % 4], round % 4 == 3 ? 8 : 400, round < 4 ? 0 : 0.3, &seed);
        compare(&t, 0);
        compare(&t, 3);
        compare(&t, 2000);
    }
    end(&t);
}

// Nodes with more contacts than there are colours.
static void contacts_without_colour(void **state) {
    (void)state;
    static setting t;
    start(&t, 15);
    uint64_t seed = 5;
    make_nodes(&t, false, &seed);
    int all = t.count;
    t.count = FIXED + 12;
    add_contacts(&t, 500, 12, 0.2, &seed);
    t.count = all;
    compare(&t, 20);
    end(&t);
}

// An island with restrained nodes that move is left to the threads; single contacts elsewhere are not.
static void guided_nodes_are_left_alone(void **state) {
    (void)state;
    static setting t;
    start(&t, 15);
    uint64_t seed = 7;
    make_nodes(&t, true, &seed);
    add_contacts(&t, 2000, 900, 0.2, &seed);
    compare(&t, 20);
    assert_true(t.largest < 100);
    end(&t);
}

// A device without memory for one of the arrays, at first or for a longer list, leaves sweeps to the threads from then on.
static void threads_stand_in_for_memory(void **state) {
    (void)state;
    static setting t;
    uint64_t seed = 9;
    for (int grows = 0; grows < 2; grows++)
        for (int left = 0; left < (grows ? 3 : 6); left++) {
            start(&t, 8);
            make_nodes(&t, false, &seed);
            if (grows) {
                add_contacts(&t, 100, 200, 0.2, &seed);
                compare(&t, 3);
            }
            add_contacts(&t, 800, 200, 0.2, &seed);
            pieces = left;
            // arrays: velocities at two times and notes, then records and impulses
            bool enough = left == (grows ? 2 : 5);
            assert_true(is_solved(&t, 3) == enough);
            pieces = -1;
            assert_true(is_solved(&t, 3) == enough);
            assert_true(enough || t.done == 0);
            end(&t);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),
        cmocka_unit_test(threads_stand_in_for_memory),
        cmocka_unit_test(contacts_without_colour),
        cmocka_unit_test(guided_nodes_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
