// SPDX-License-Identifier: MIT
// Tests src/contact/impact/newton_island.c, src/solver/block_envelope.c.
// Random islands of rigid bodies on a floor, with redundant contacts, mass ratios of up to 8000 and friction: the impulses
// satisfy Signorini's and Coulomb's laws far better than those of sweeps do, and without bounce contact adds no energy. Stacks
// of light bodies under heavy ones.
#include "../../../support.h"
#include "contact/contact.h"
#include "contact/impact/contact_solve.h"
#include "math/turn.h"

// Each body has nodes at its surface and one at its mass centre. Node 0 is not used.
enum {
    BODIES = 9,
    OWN = 8,
    NODES = 1 + BODIES * (OWN + 1),
    ROWS = NODES + BODIES,
    PER_PAIR = 5,
    CONTACTS = 2 * BODIES * PER_PAIR
};

// Speeds before the kick, which is 1.
static const double motion = 0.01;

typedef struct world {
    carom_rigid_body items[BODIES];
    int of_node[NODES];
    double x[NODES][3], v[ROWS][3], before[ROWS][3], mass[NODES];
    double R[BODIES][3][3], l[BODIES][3], soft[BODIES][3][3];
    carom_rigid_bodies rigid_bodies;
    carom_mobility mobility;
    carom_contact_solve solve;
} world;

static void create(world *w, uint64_t *seed) {
    *w = (world){.rigid_bodies = {.count = BODIES, .first_row = NODES}};
    w->rigid_bodies.items = w->items;
    w->rigid_bodies.of_node = w->of_node;
    w->rigid_bodies.R = w->R;
    w->rigid_bodies.l = w->l;
    w->rigid_bodies.soft = w->soft;
    w->mobility = (carom_mobility){w->mass, NULL, &w->rigid_bodies};
    w->of_node[0] = -1;
    for (int r = 0; r < BODIES; r++) {
        carom_rigid_body *one = &w->items[r];
        *one = (carom_rigid_body){.number = r, .body = r, .node_begin = 1 + r * (OWN + 1), .node_count = OWN};
        one->centre = one->mass_node = one->node_begin + OWN;
        one->mass = w->mass[one->centre] = exp(random_real(seed, 0, 9));
        w->of_node[one->centre] = -2 - r;
        carom_mat3_identity(w->R[r]);
        for (int i = 0; i < 3; i++) {
            one->inertia[i] = one->mass * random_real(seed, 0.1, 0.15);
            // a kick of gravity, and some motion
            w->l[r][i] = one->mass * random_real(seed, -motion, motion);
            w->v[one->centre][i] = random_real(seed, -motion, motion) - (i == 2);
            w->x[one->centre][i] = i == 2 ? r + 0.5 : 0;
        }
        for (int k = 0; k < OWN; k++) {
            w->of_node[one->node_begin + k] = r;
            for (int i = 0; i < 3; i++)
                w->x[one->node_begin + k][i] = w->x[one->centre][i] + (k >> i & 1 ? 0.5 : -0.5) + random_real(seed, -0.1, 0.1);
        }
        carom_rigid_bodies_refresh(&w->rigid_bodies, r, w->v);
    }
    memcpy(w->before, w->v, sizeof w->v);
}

// A contact of a body with the floor, or of a node of it with a face of another one, in a random direction about the vertical.
static carom_contact contact_of(const world *w, int upper, int lower, uint64_t *seed) {
    carom_contact contact = {.kind = lower < 0 ? CAROM_CONTACT_NODE_PLANE : CAROM_CONTACT_NODE_FACE,
                             .count = lower < 0 ? 1 : 4,
                             .weight = {1, -0.2, -0.3, -0.5},
                             .normal = {random_real(seed, -0.3, 0.3), random_real(seed, -0.3, 0.3), 1}};
    carom_normalize(contact.normal);
    contact.node[0] = w->items[upper].node_begin + (int)random_real(seed, 0, 4 - 1e-9);
    for (int k = 1; k < contact.count; k++)
        contact.node[k] = w->items[lower].node_begin + 4 + (contact.node[0] + k) % 4;
    carom_rigid_bodies_set_sides(&w->rigid_bodies, &contact, (carom_const_vectors)w->x, (carom_const_vectors)w->v, 0);
    return contact;
}

// A corner of a body on the top of the one below, or on the floor.
static carom_contact corner_of(const world *w, int r, int corner) {
    carom_contact contact = {.kind = r == 0 ? CAROM_CONTACT_NODE_PLANE : CAROM_CONTACT_NODE_FACE,
                             .count = r == 0 ? 1 : 4,
                             .weight = {1, -1, 0, 0},
                             .normal = {0, 0, 1},
                             .node = {w->items[r].node_begin + corner}};
    for (int k = 1; k < contact.count; k++)
        contact.node[k] = w->items[r - 1].node_begin + 4 + (corner + k - 1) % 4;
    carom_rigid_bodies_set_sides(&w->rigid_bodies, &contact, (carom_const_vectors)w->x, (carom_const_vectors)w->v, 0);
    return contact;
}

static double kinetic(const world *w, const double (*v)[3]) {
    double sum = 0;
    for (int r = 0; r < BODIES; r++) {
        double l[3];
        carom_rigid_bodies_momentum(&w->rigid_bodies, r, v[NODES + r], l);
        sum +=
            0.5 * w->items[r].mass * carom_dot(v[w->items[r].centre], v[w->items[r].centre]) + 0.5 * carom_dot(l, v[NODES + r]);
    }
    return sum;
}

// The largest violation of the two laws, as a rate.
static double violation(const world *w) {
    double largest = 0;
    for (int i = 0; i < w->solve.count; i++) {
        const carom_solved_contact *one = &w->solve.items[i];
        double u[3], t[3], sliding[3];
        carom_contact_velocity(&one->contact, (carom_const_vectors)w->v, u);
        double above = carom_dot(one->contact.normal, u) - one->target;
        double speed = carom_cone_slide(one->contact.normal, u, t), limit = one->friction * one->normal;
        assert_true(one->normal >= 0);
        assert_true(carom_norm(one->tangential) <= limit * (1 + 1e-12));
        largest = fmax(largest, fmax(-above, fmin(above, one->softness * one->normal)));
        // sliding: the impulse opposes it with all of its limit; otherwise there is no sliding
        for (int k = 0; k < 3; k++)
            sliding[k] = one->tangential[k] + limit * t[k];
        largest = fmax(largest, fmin(speed, one->softest * carom_norm(sliding)));
    }
    return largest;
}

// Solves the contacts with an accuracy, by Newton's method or not; returns the violation.
static double run(world *w, double newton_floor) {
    const carom_solve_group all = {.count = w->solve.count, .newton_floor = newton_floor};
    carom_contact_solve_group(&w->solve, &all, w->mobility, newton_floor > 0 ? 1e3 * newton_floor : 1e-9, w->v);
    double wrong = violation(w);
    carom_contact_solve_release(&w->solve);
    return wrong;
}

// The same with random contacts.
static double solve(world *w, double friction, double newton_floor, uint64_t *seed) {
    const carom_const_vectors v = (carom_const_vectors)w->v;
    for (int r = 0; r < BODIES; r++)
        for (int k = 0; k < 2 * PER_PAIR; k++) {
            carom_contact contact = contact_of(w, r, k < PER_PAIR && r > 0 ? r - 1 : r > 2 ? r / 2 - 1 : -1, seed);
            assert_true(carom_contact_solve_add(&w->solve, &contact, w->mobility, friction, 0, v));
        }
    return run(w, newton_floor);
}

static void random_islands(void **state) {
    (void)state;
    const double floor = 1e-9;
    int worse = 0, sweeps_worse = 0, gains = 0, trials = 400;
    for (int trial = 0; trial < trials; trial++) {
        static world w;
        double friction = trial % 4 * 0.2;
        uint64_t seed = 77 + (uint64_t)trial, again;
        create(&w, &seed);
        again = seed;
        double wrong = solve(&w, friction, floor, &seed);
        worse += !(wrong <= 20 * floor);
        gains += kinetic(&w, (carom_const_vectors)w.v) > kinetic(&w, (carom_const_vectors)w.before) * (1 + 1e-9);
        memcpy(w.v, w.before, sizeof w.v);
        sweeps_worse += !(solve(&w, friction, 0, &again) <= 20 * floor);
    }
    print_message("of %d islands %d are less accurate than 2e-8, by sweeps %d; %d gain energy\n", trials, worse, sweeps_worse,
                  gains);
    assert_int_equal(gains, 0);
    // 83 and 222: Newton's method leaves the others to sweeps
    assert_true(worse <= trials / 4);
    assert_true(sweeps_worse > trials / 2);
}

// A stack in which every second body has a ten-thousandth of the mass, a light one below: a change of the impulses that presses
// the light bodies equally from above and from below moves the heavy ones only, by little.
static void light_under_heavy(void **state) {
    (void)state;
    const double floor = 1e-9;
    for (int trial = 0; trial < 20; trial++) {
        static world w;
        uint64_t seed = 5 + (uint64_t)trial;
        create(&w, &seed);
        for (int r = 0; r < BODIES; r++) {
            double share = (r % 2 ? 1e4 : 1) / w.items[r].mass;
            w.items[r].mass = w.mass[w.items[r].centre] *= share;
            for (int i = 0; i < 3; i++) {
                w.items[r].inertia[i] *= share;
                w.l[r][i] = 0;
                w.v[w.items[r].centre][i] = -(i == 2);
            }
            carom_rigid_bodies_refresh(&w.rigid_bodies, r, w.v);
        }
        for (int r = 0; r < BODIES; r++)
            for (int k = 0; k < 4; k++) {
                carom_contact contact = corner_of(&w, r, k);
                assert_true(carom_contact_solve_add(&w.solve, &contact, w.mobility, 0.5, 0, (carom_const_vectors)w.v));
            }
        double wrong = run(&w, floor);
        // the accuracy of sweeps, at least: sweeps alone leave 0.3
        assert_true(wrong <= 1e3 * floor);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_islands),
        cmocka_unit_test(light_under_heavy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
