// SPDX-License-Identifier: MIT
// Tests src/contact/linkage.c, src/contact/linkage_rows.c, src/contact/linkage_flight.c, src/contact/linkage_hub.c,
// src/contact/anderson.c.
// Linkages of rigid bodies. Rows of joints: the discrete gradient between two poses is exact, rates and second derivatives
// agree with finite differences. Drifts: a closed ring of bodies conserves energy and momenta for any length, remains closed,
// and is reversible. Responses to impulses refer to the pose at the start of a drift, also if this is restarted. One body on a
// ball joint or a hinge: its response is that of the rows, and in many drifts neither does the joint open nor the energy
// change.
#include "../../support.h"
#include "contact/rigid_motion_field.h"
#include "math/sym3.h"
#include "math/turn.h"

enum { BODIES = 3, ROWS = 9 };

#define MATRIX(A) ((const double(*)[3])(A))

// Numbers between -1 and 1, the same in every run.
static double some(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

static void some_vector(uint64_t *seed, double v[3]) {
    for (int i = 0; i < 3; i++)
        v[i] = some(seed);
}

static void move(carom_link_pose *pose, const double V[3], const double W[3], double t) {
    double turn[3] = {t * W[0], t * W[1], t * W[2]}, none[3] = {0}, moved[3], T[3][3], R[3][3];
    carom_add_scaled(t, V, pose->c);
    carom_cayley(turn, none, T, moved);
    carom_mat3_multiply(MATRIX(T), MATRIX(pose->R), R);
    carom_mat3_copy(MATRIX(R), pose->R);
}

static double rate_of(const carom_link_row *row, const carom_link_pose *from, const carom_link_pose *to,
                      const double (*velocity)[2][3]) {
    carom_link_gradient gradient;
    double rate = 0;
    carom_link_gradient_find(row, from, to, &gradient);
    for (int s = 0; s < 2; s++)
        if (row->body[s] >= 0)
            rate +=
                carom_dot(gradient.of[s], velocity[row->body[s]][0]) + carom_dot(gradient.of[s] + 3, velocity[row->body[s]][1]);
    return rate;
}

static void test_rows(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int n = 0; n < 200; n++) {
        carom_link_pose from[2], to[2], near[2], back[2];
        double velocity[2][2][3];
        for (int b = 0; b < 2; b++) {
            carom_mat3_identity(from[b].R);
            some_vector(&seed, from[b].c);
            some_vector(&seed, velocity[b][0]);
            some_vector(&seed, velocity[b][1]);
            move(&from[b], velocity[b][0], velocity[b][1], 1.3);
            some_vector(&seed, velocity[b][0]);
            some_vector(&seed, velocity[b][1]);
            to[b] = near[b] = back[b] = from[b];
            move(&to[b], velocity[b][0], velocity[b][1], 0.7);
            move(&near[b], velocity[b][0], velocity[b][1], 1e-4);
            move(&back[b], velocity[b][0], velocity[b][1], -1e-4);
        }
        carom_link_row row = {.kind = (carom_link_kind)(n % 3), .body = {0, n % 5 ? 1 : -1}, .direction = n % 7 % 3};
        for (int s = 0; s < 2; s++) {
            some_vector(&seed, row.at[s]);
            some_vector(&seed, row.along[s]);
        }
        const double(*v)[2][3] = (const double(*)[2][3])velocity;
        double change = carom_link_value(&row, to) - carom_link_value(&row, from);
        assert_true(fabs(change - 0.7 * rate_of(&row, from, to, v)) < 2e-15);
        double first = carom_link_value(&row, near) - carom_link_value(&row, back);
        assert_true(fabs(first / 2e-4 - rate_of(&row, from, from, v)) < 1e-7);
        double second = carom_link_value(&row, near) + carom_link_value(&row, back) - 2 * carom_link_value(&row, from);
        assert_true(fabs(second / 1e-8 - carom_link_bias(&row, from, v)) < 1e-6);
    }
}

// Three bodies connected by ball joints, with their memory.
typedef struct ring {
    carom_arena *arena;
    carom_rigid_body items[BODIES];
    carom_rigid_bodies rigid_bodies;
    carom_link_row rows[ROWS];
    int bodies[BODIES];
    carom_linkage linkage;
    carom_linkage_space space;
    double since[BODIES], R[BODIES][3][3], l[BODIES][3], soft[BODIES][3][3], place[BODIES][3], w[2 * BODIES + 1][3];
} ring;

// Bodies 0 - 1 - 2 and, if it is closed, 2 - 0, on ball joints at the points.
static void build(ring *g, int joints) {
    static const double points[3][3] = {{1, 0, 0}, {0.5, 1, 0.2}, {-0.2, 0.3, 0.1}};
    static const double places[BODIES][3] = {{0.3, -0.1, 0}, {1, 0.6, 0.1}, {0.1, 0.8, 0.3}};
    *g = (ring){.arena = carom_arena_create()};
    for (int b = 0; b < BODIES; b++) {
        g->items[b] =
            (carom_rigid_body){.centre = b + 1, .mass = 1 + b, .inertia = {0.3 + b, 0.4 + b, 0.6 + b}, .linkage = 1, .seat = b};
        carom_mat3_identity(g->R[b]);
        carom_copy(places[b], g->place[b]);
        g->bodies[b] = b;
    }
    for (int j = 0; j < joints; j++)
        for (int i = 0; i < 3; i++) {
            carom_link_row *row = &g->rows[g->linkage.row_count++];
            *row = (carom_link_row){.kind = CAROM_LINK_POINT, .motor = -1, .body = {j, (j + 1) % BODIES}, .direction = i};
            for (int s = 0; s < 2; s++)
                carom_difference(points[j], places[row->body[s]], row->at[s]);
        }
    g->linkage.body_count = BODIES;
    g->linkage.bodies = g->bodies;
    g->linkage.rows = g->rows;
    g->linkage.size = 1;
    bool enough = true;
    carom_linkage_reserve(&g->linkage, g->arena, &g->space, &enough);
    assert_true(enough);
    g->rigid_bodies = (carom_rigid_bodies){.count = BODIES,
                                           .items = g->items,
                                           .first_row = BODIES + 1,
                                           .linkage_count = 1,
                                           .linkages = &g->linkage,
                                           .links = &g->space,
                                           .R = g->R,
                                           .l = g->l,
                                           .soft = g->soft,
                                           .place = g->place,
                                           .since = g->since};
}

static void arrive(ring *g) {
    for (int b = 0; b < BODIES; b++)
        carom_rigid_bodies_refresh(&g->rigid_bodies, b, g->w);
    carom_linkage_arrive(&g->rigid_bodies, 0);
}

static void throw(ring * g) {
    uint64_t seed = 11;
    double impulse[BODIES][2][3], change[BODIES][2][3] = {0};
    for (int b = 0; b < BODIES; b++) {
        some_vector(&seed, impulse[b][0]);
        some_vector(&seed, impulse[b][1]);
    }
    arrive(g);
    carom_linkage_kick(&g->rigid_bodies, 0, (const double(*)[2][3])impulse, NULL, change);
    for (int b = 0; b < BODIES; b++) {
        carom_copy(change[b][0], g->w[b + 1]);
        carom_rigid_bodies_momentum(&g->rigid_bodies, b, change[b][1], g->l[b]);
    }
    arrive(g);
}

// Energy, momentum, angular momentum about the origin.
static void measure(const ring *g, double m[7]) {
    memset(m, 0, 7 * sizeof *m);
    for (int b = 0; b < BODIES; b++) {
        double p[3], cross[3];
        for (int i = 0; i < 3; i++)
            p[i] = g->items[b].mass * g->w[b + 1][i];
        m[0] += 0.5 * carom_dot(p, g->w[b + 1]) + 0.5 * carom_dot(g->l[b], g->w[BODIES + 1 + b]);
        carom_cross(g->place[b], p, cross);
        for (int i = 0; i < 3; i++) {
            m[1 + i] += p[i];
            m[4 + i] += cross[i] + g->l[b][i];
        }
    }
}

static double opened(const ring *g) {
    carom_link_pose pose[BODIES];
    double worst = 0;
    for (int b = 0; b < BODIES; b++) {
        carom_copy(g->place[b], pose[b].c);
        carom_mat3_copy(MATRIX(g->R[b]), pose[b].R);
    }
    for (int i = 0; i < g->linkage.row_count; i++)
        worst = fmax(worst, fabs(carom_link_value(&g->rows[i], pose)));
    return worst;
}

static void fly(ring *g, double t) {
    assert_true(carom_linkage_fly(&g->rigid_bodies, 0, t, 1, (const double(*)[3])g->w));
    carom_linkage_land(&g->rigid_bodies, 0, g->w);
    arrive(g);
}

static void test_flight(void **state) {
    (void)state;
    for (int joints = 2; joints <= 3; joints++) {
        ring g;
        double before[7], after[7], start[BODIES][3];
        build(&g, joints);
        throw(&g);
        measure(&g, before);
        memcpy(start, g.place, sizeof start);
        // long and short drifts, and some so short that rounding of positions over the length is a noticeable speed
        static const double lengths[] = {0.1, 0.05, 1e-3, 1e-9, 1e-13, 0.2, 0.02};
        for (int n = 0; n < 7; n++)
            fly(&g, lengths[n]);
        measure(&g, after);
        for (int i = 0; i < 7; i++)
            assert_true(fabs(after[i] - before[i]) < 1e-14);
        assert_true(opened(&g) < 1e-15);
        double way[3];
        carom_difference(g.place[0], start[0], way);
        assert_true(carom_norm(way) > 0.01);
        // with reversed velocities the drifts are their own inverses
        for (int n = 6; n >= -1; n--) {
            for (int b = 0; b < BODIES && (n == 6 || n == -1); b++)
                for (int i = 0; i < 3; i++) {
                    g.w[b + 1][i] *= -1;
                    g.l[b][i] *= -1;
                }
            arrive(&g);
            if (n >= 0)
                fly(&g, lengths[n]);
        }
        for (int b = 0; b < BODIES; b++)
            for (int i = 0; i < 3; i++)
                assert_true(fabs(g.place[b][i] - start[b][i]) < 1e-13);
        carom_arena_release(g.arena);
    }
}

// The response is symmetric, keeps joints closed, has the momentum of the impulse, and agrees with the kick.
static void test_response(void **state) {
    (void)state;
    ring g;
    build(&g, 3);
    throw(&g);
    memset(g.w, 0, sizeof g.w);
    const double a[3] = {0.2, 1, -0.3}, b[3] = {1, 0.5, 0.25};
    const int row = g.rigid_bodies.first_row;
    const carom_contact_side sides[2] = {{.turn = row, .sign = 1, .arm = {0.3, 0.2, -0.5}},
                                         {.turn = row + 2, .sign = 1, .arm = {-0.1, 0.7, 0.4}}};
    double one = carom_linkage_inverse_mass(&g.rigid_bodies, &sides[0], &sides[1], a, b),
           two = carom_linkage_inverse_mass(&g.rigid_bodies, &sides[1], &sides[0], b, a);
    assert_true(fabs(one - two) < 1e-15);
    carom_linkage_push(&g.rigid_bodies, &sides[1], b, g.w);
    double u[3];
    carom_cross(g.w[BODIES + 1], sides[0].arm, u);
    carom_add_scaled(1, g.w[1], u);
    assert_true(fabs(carom_dot(a, u) - one) < 1e-15);
    double p[3] = {0}, change[BODIES][2][3], impulse[BODIES][2][3] = {0};
    for (int k = 0; k < BODIES; k++)
        carom_add_scaled(g.items[k].mass, g.w[k + 1], p);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(p[i] - b[i]) < 1e-14);
    carom_copy(b, impulse[2][0]);
    carom_cross(sides[1].arm, b, impulse[2][1]);
    carom_linkage_kick(&g.rigid_bodies, 0, (const double(*)[2][3])impulse, NULL, change);
    for (int k = 0; k < BODIES; k++)
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(change[k][0][i] - g.w[k + 1][i]) < 1e-14);
            assert_true(fabs(change[k][1][i] - g.w[BODIES + 1 + k][i]) < 1e-14);
        }
    carom_arena_release(g.arena);
}

// A drift is run to its end and restarted. The response to an impulse is then again that of the pose at its start.
static void test_second_beginning(void **state) {
    (void)state;
    ring g;
    double kinetic[BODIES], start_R[BODIES][3][3], start_l[BODIES][3], swept[BODIES][3];
    double shape[BODIES + 1][3] = {0}, x[BODIES + 1][3] = {0}, v[2][2 * BODIES + 1][3] = {0};
    ring first;
    build(&g, 2);
    g.rigid_bodies.kinetic = kinetic, g.rigid_bodies.start_R = start_R, g.rigid_bodies.start_l = start_l,
    g.rigid_bodies.swept = swept;
    g.rigid_bodies.shape = shape;
    throw(&g);
    for (int b = 0; b < BODIES; b++)
        carom_copy(g.place[b], x[b + 1]);
    memcpy(&first, &g, sizeof first);
    const carom_contact_side side = {.centre = 1, .turn = BODIES + 1, .sign = 1, .arm = {0.2, -0.3, 0.5}};
    const double P[3] = {0.7, 1.1, -0.4}, y[3] = {x[1][0] + 0.2, x[1][1] - 0.3, x[1][2] + 0.5};
    carom_linkage_push(&g.rigid_bodies, &side, P, v[0]);
    carom_rigid_bodies_begin(&g.rigid_bodies, 0.2, (const double(*)[3])x, g.w);
    carom_rigid_bodies_cut(&g.rigid_bodies, 0, 0.2, g.w);
    assert_true(fabs(g.place[0][0] - x[1][0]) > 1e-3);
    memcpy(g.R, first.R, sizeof g.R);
    memcpy(g.l, first.l, sizeof g.l);
    memcpy(g.w, first.w, sizeof g.w);
    carom_rigid_bodies_begin(&g.rigid_bodies, 0.2, (const double(*)[3])x, g.w);
    carom_linkage_push(&g.rigid_bodies, &side, P, v[1]);
    assert_memory_equal(v[0], v[1], sizeof v[0]);
    double sum[3], turn[3];
    carom_cross(y, P, turn);
    for (int i = 0; i < 3; i++)
        sum[i] = -P[i], turn[i] = -turn[i];
    for (int b = 0; b < BODIES; b++) {
        double p[3], L[3];
        carom_rigid_bodies_total_momentum(&g.rigid_bodies, b, x[b + 1], v[1][b + 1], v[1][BODIES + 1 + b], p, L);
        carom_add_scaled(1, p, sum);
        carom_add_scaled(1, L, turn);
    }
    assert_true(carom_norm(sum) < 1e-14 && carom_norm(turn) < 1e-14);
    carom_arena_release(g.arena);
}

// One body on a ball joint (three rows) or a hinge about y (two more), and its hub.
static void build_held(ring *g, carom_link_hub *hub, bool hinge) {
    static const double point[3] = {1, 0.2, -0.3}, e[3] = {0, 1, 0}, across[2][3] = {{1, 0, 0}, {0, 0, 1}};
    double J[6];
    build(g, 2);
    g->space = (carom_linkage_space){0};
    g->linkage.row_count = 0;
    g->linkage.body_count = 1;
    g->rigid_bodies.count = 1;
    *hub = (carom_link_hub){.turns = hinge ? 1 : 3};
    carom_copy(point, hub->at);
    carom_difference(g->place[0], point, hub->arm);
    for (int i = 0; i < 6; i++)
        J[i] = (i < 3 ? g->items[0].inertia[i] + g->items[0].mass * carom_dot(hub->arm, hub->arm) : 0);
    for (int i = 0; i < 9; i++)
        J[carom_sym3_place[i]] -= i / 3 <= i % 3 ? g->items[0].mass * hub->arm[i / 3] * hub->arm[i % 3] : 0;
    carom_sym3_eigen(J, hub->inertia, hub->axes);
    carom_turn_straighten(hub->axes);
    for (int i = 0; i < 3; i++)
        g->rows[g->linkage.row_count++] =
            (carom_link_row){.kind = CAROM_LINK_POINT, .motor = -1, .body = {0, -1}, .direction = i};
    for (int i = 0; i < 2 && hinge; i++) {
        carom_link_row *row = &g->rows[g->linkage.row_count++];
        *row = (carom_link_row){.kind = CAROM_LINK_ANGLE, .motor = -1, .body = {0, -1}};
        carom_copy(e, row->along[0]);
        carom_copy(across[i], row->along[1]);
    }
    for (int i = 0; i < g->linkage.row_count; i++) {
        carom_difference(point, g->place[0], g->rows[i].at[0]);
        carom_copy(point, g->rows[i].at[1]);
    }
    if (hinge) {
        carom_copy(e, hub->axis);
        carom_copy(e, hub->axes[0]);
        hub->inertia[0] = J[1];
    }
    bool enough = true;
    carom_linkage_reserve(&g->linkage, g->arena, &g->space, &enough);
    assert_true(enough);
    throw(g);
}

static void test_hub(void **state) {
    (void)state;
    for (int hinge = 0; hinge < 2; hinge++) {
        ring rows, held;
        carom_link_hub hub;
        double before[7], after[7], bend[2][3];
        build_held(&rows, &hub, hinge);
        build_held(&held, &hub, hinge);
        held.linkage.hub = &hub;
        held.rigid_bodies.linkages = &held.linkage;
        held.rigid_bodies.links = &held.space;
        held.space.arrived = false;
        arrive(&held);
        for (int i = 0; i < 36; i++)
            assert_true(fabs(held.space.response[i] - rows.space.response[i]) < 1e-14);
        carom_linkage_find_bend(&rows.rigid_bodies, 0, (const double(*)[3])rows.w);
        carom_link_hub_bend(&hub, held.space.from, rows.w[rows.rigid_bodies.first_row], bend);
        for (int i = 0; i < 6; i++)
            assert_true(fabs(bend[i / 3][i % 3] - rows.space.bend[0][i / 3][i % 3]) < 1e-13);
        measure(&held, before);
        for (int n = 0; n < 1000; n++)
            fly(&held, n % 2 ? 0.1 : 1e-9);
        measure(&held, after);
        assert_true(fabs(after[0] - before[0]) < 1e-13 * before[0]);
        assert_true(opened(&held) < 1e-15);
        // the reaction of the ground has no moment about the hub, or for a hinge about its axis
        for (int i = hinge; i < 3; i += hinge ? 3 : 1) {
            double about[2][3];
            const double *m[2] = {before, after};
            for (int t = 0; t < 2; t++) {
                carom_cross(hub.at, m[t] + 1, about[t]);
                carom_difference(m[t] + 4, about[t], about[t]);
            }
            assert_true(fabs(about[1][i] - about[0][i]) < 1e-13);
        }
        carom_arena_release(rows.arena);
        carom_arena_release(held.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_flight),
                                       cmocka_unit_test(test_response), cmocka_unit_test(test_second_beginning),
                                       cmocka_unit_test(test_hub)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
