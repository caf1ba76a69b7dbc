// SPDX-License-Identifier: MIT
// Tests src/contact/rigid_motion_field.c, src/contact/contact.c.
// Contacts whose sides have nodes of rigid bodies and free nodes in any mixture: velocity, impulse and response are consistent,
// and an impulse changes momentum and angular momentum accordingly.
#include "../../support.h"
#include "contact/contact.h"
#include "math/mat3.h"
#include "math/turn.h"

// Two bodies with four nodes of their own, two tied nodes and a centre each, and free nodes.
enum { BODIES = 2, OWN = 4, FREE = 6, TIED = 4, NODES = BODIES * (OWN + 1) + TIED + FREE, ROWS = NODES + BODIES };

typedef struct world {
    carom_rigid_body items[BODIES];
    int of_node[NODES], tied[TIED];
    double x[NODES][3], v[ROWS][3], mass[NODES];
    double R[BODIES][3][3], l[BODIES][3], soft[BODIES][3][3];
    carom_rigid_bodies rigid_bodies;
    carom_mobility mobility;
} world;

static void create(world *w, uint64_t *seed) {
    *w = (world){0};
    for (int k = 0; k < NODES; k++)
        for (int i = 0; i < 3; i++) {
            w->x[k][i] = random_real(seed, -1, 1);
            w->v[k][i] = random_real(seed, -1, 1);
        }
    for (int k = 0; k < NODES; k++) {
        w->of_node[k] = -1;
        w->mass[k] = random_real(seed, 0.5, 2);
    }
    for (int r = 0; r < BODIES; r++) {
        carom_rigid_body *one = &w->items[r];
        *one = (carom_rigid_body){
            .number = r, .body = r, .node_begin = r * (OWN + 1), .node_count = OWN, .tied_count = TIED / BODIES};
        one->centre = one->node_begin + OWN;
        one->tied = &w->tied[r * TIED / BODIES];
        one->mass = w->mass[one->centre] = random_real(seed, 1, 3);
        for (int i = 0; i < 3; i++) {
            one->inertia[i] = random_real(seed, 1, 1.5);
            w->l[r][i] = random_real(seed, -1, 1);
        }
        w->of_node[one->centre] = -2 - r;
        for (int g = 0; g < one->tied_count; g++)
            w->tied[r * TIED / BODIES + g] = BODIES * (OWN + 1) + r * TIED / BODIES + g;
        for (int i = 0; i < carom_rigid_body_size(one); i++) {
            w->of_node[carom_rigid_body_node(one, i)] = r;
            w->mass[carom_rigid_body_node(one, i)] = 0;
        }
        carom_mat3_identity(w->R[r]);
        carom_turn_freely(one->inertia, w->l[r], 1, w->R[r]);
    }
    w->rigid_bodies = (carom_rigid_bodies){.count = BODIES, .items = w->items, .of_node = w->of_node, .first_row = NODES};
    w->rigid_bodies.R = w->R;
    w->rigid_bodies.l = w->l;
    w->rigid_bodies.soft = w->soft;
    w->mobility = (carom_mobility){w->mass, NULL, &w->rigid_bodies};
    for (int r = 0; r < BODIES; r++)
        carom_rigid_bodies_refresh(&w->rigid_bodies, r, w->v);
    carom_rigid_bodies_spread(&w->rigid_bodies, (carom_const_vectors)w->x, w->v);
}

// A random node of body r (own or tied), or a free one.
static int pick(const world *w, int r, uint64_t *seed) {
    bool carried = r >= 0 && random_real(seed, 0, 1) < 0.6;
    if (!carried)
        return NODES - 1 - (int)random_real(seed, 0, FREE - 1e-9);
    return carom_rigid_body_node(&w->items[r], (int)random_real(seed, 0, carom_rigid_body_size(&w->items[r]) - 1e-9));
}

static bool has(const carom_contact *contact, int count, int node) {
    for (int k = 0; k < count; k++)
        if (contact->node[k] == node)
            return true;
    return false;
}

// A node and a face, or two edges; each side with nodes of at most one body.
static carom_contact contact_of(const world *w, uint64_t *seed) {
    carom_contact contact = {.kind = random_real(seed, 0, 1) < 0.5 ? CAROM_CONTACT_NODE_FACE : CAROM_CONTACT_EDGE_EDGE,
                             .count = 4};
    int split = carom_contact_split(&contact), body[2];
    double sum[2] = {0};
    for (int s = 0; s < 2; s++)
        body[s] = (int)random_real(seed, 0, 3 - 1e-9) - 1;
    for (int k = 0; k < 4; k++) {
        do
            contact.node[k] = pick(w, body[k >= split], seed);
        while (has(&contact, k, contact.node[k]));
        contact.weight[k] = random_real(seed, 0.1, 1);
        sum[k >= split] += contact.weight[k];
    }
    for (int k = 0; k < 4; k++)
        contact.weight[k] /= k >= split ? -sum[1] : sum[0];
    for (int i = 0; i < 3; i++)
        contact.normal[i] = random_real(seed, -1, 1);
    carom_normalize(contact.normal);
    return contact;
}

// Momentum and angular momentum about the origin of a field.
static void momenta_of(const world *w, const double (*v)[3], double p[3], double L[3]) {
    for (int i = 0; i < 3; i++)
        p[i] = L[i] = 0;
    for (int k = 0; k < NODES; k++) {
        double moment[3];
        carom_cross(w->x[k], v[k], moment);
        carom_add_scaled(w->mass[k], v[k], p);
        carom_add_scaled(w->mass[k], moment, L);
    }
    for (int r = 0; r < BODIES; r++) {
        double l[3];
        carom_rigid_bodies_momentum(&w->rigid_bodies, r, v[NODES + r], l);
        carom_add_scaled(1, l, L);
    }
}

static void mixtures(void **state) {
    (void)state;
    uint64_t seed = 5;
    int mixed = 0, joined = 0, one = 0;
    for (int trial = 0; trial < 3000; trial++) {
        world w;
        create(&w, &seed);
        carom_contact contact = contact_of(&w, &seed);
        carom_rigid_bodies_set_sides(&w.rigid_bodies, &contact, (carom_const_vectors)w.x, (carom_const_vectors)w.v, 0);
        int carried = 0;
        for (int k = 0; k < 4; k++) {
            assert_int_equal(carom_contact_has_rigid_node(&contact, k), w.of_node[contact.node[k]] >= 0);
            carried += carom_contact_has_rigid_node(&contact, k);
        }
        bool whole = carried == 4 && !contact.side[1].centre;
        mixed += carried > 0 && carried < 4;
        one += carom_contact_is_within_body(&contact);
        joined += contact.rigid_nodes[0] >> carom_contact_split(&contact) != 0;
        assert_int_equal(whole, carom_contact_is_within_body(&contact));

        // the rows of nodes of bodies follow from their motion, so the weighted sum over nodes is the velocity
        double u[3], plain[3] = {0}, after[3], J[3], p[2][3], L[2][3];
        for (int k = 0; k < 4; k++)
            carom_add_scaled(contact.weight[k], w.v[contact.node[k]], plain);
        carom_contact_velocity(&contact, (carom_const_vectors)w.v, u);
        for (int i = 0; i < 3; i++) {
            assert_near(u[i], plain[i], 1e-13);
            J[i] = random_real(&seed, -1, 1);
        }
        momenta_of(&w, (carom_const_vectors)w.v, p[0], L[0]);
        carom_contact_push(&contact, w.mobility, J, w.v);
        carom_contact_velocity(&contact, (carom_const_vectors)w.v, after);
        momenta_of(&w, (carom_const_vectors)w.v, p[1], L[1]);
        double expected[3] = {0};
        for (int k = 0; k < 4; k++) {
            double moment[3];
            carom_cross(w.x[contact.node[k]], J, moment);
            carom_add_scaled(contact.weight[k], moment, expected);
        }
        for (int i = 0; i < 3; i++) {
            double a[3] = {i == 0, i == 1, i == 2};
            assert_near(carom_contact_inverse_mass(&contact, w.mobility, a, J), after[i] - u[i], 1e-13);
            assert_near(p[1][i], p[0][i], 1e-13);
            assert_near(L[1][i] - L[0][i], expected[i], 1e-13);
        }
        if (whole)
            assert_true(carom_contact_softness(&contact, w.mobility, contact.normal) == 0);
        else
            assert_true(carom_contact_softness(&contact, w.mobility, contact.normal) > 0);
    }
    assert_true(mixed > 500 && joined > 100 && one > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(mixtures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
