// SPDX-License-Identifier: MIT
// Links the nodes that take part in common impacts (disjoint sets), and replaces the motion of a cluster that is held by a
// rigid one (cluster.h): velocity V = sum m w/sum m and angular velocity W, I W = L about its centre of mass, with the masses m
// and velocities w of its nodes, its inertia I and angular momentum L; subject to restraints and planes.
#include "contact/impact/cluster.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/disjoint_sets.h"
#include "math/inertia.h"
#include "math/vec3.h"

carom_status carom_clusters_reserve(carom_clusters *clusters, int node_count, carom_error *error) {
    carom_arena *arena = carom_arena_create();
    bool enough = arena;
    *clusters = (carom_clusters){.arena = arena, .capacity = node_count};
    clusters->parent = carom_arena_reserve(arena, node_count, sizeof *clusters->parent, &enough);
    clusters->held = carom_arena_reserve(arena, node_count, sizeof *clusters->held, &enough);
    clusters->departs = carom_arena_reserve(arena, node_count, sizeof *clusters->departs, &enough);
    clusters->ground_count = carom_arena_reserve(arena, node_count, sizeof *clusters->ground_count, &enough);
    clusters->ground = carom_arena_reserve(arena, node_count, sizeof *clusters->ground, &enough);
    clusters->is_touched = carom_arena_reserve(arena, node_count, sizeof *clusters->is_touched, &enough);
    clusters->touched = carom_allocate(node_count, sizeof *clusters->touched);
    if (!enough || !clusters->touched)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
    carom_disjoint_start(clusters->parent, node_count);
    return CAROM_OK;
}

void carom_clusters_release(carom_clusters *clusters) {
    free(clusters->touched);
    carom_arena_release(clusters->arena);
    *clusters = (carom_clusters){0};
}

void carom_clusters_clear(carom_clusters *clusters) {
    for (int i = 0; i < clusters->count; i++) {
        int k = clusters->touched[i];
        clusters->parent[k] = k;
        clusters->held[k] = clusters->departs[k] = clusters->is_touched[k] = false;
        clusters->ground_count[k] = 0;
    }
    clusters->count = 0;
}

int carom_clusters_root(const carom_clusters *clusters, int node) {
    return carom_disjoint_root(clusters->parent, node);
}

// The smallest node of a cluster is its root, so the result does not depend on the order of links.
int carom_clusters_link(carom_clusters *clusters, const int *nodes, int count) {
    int root = carom_clusters_root(clusters, nodes[0]);
    for (int k = 0; k < count; k++) {
        if (!clusters->is_touched[nodes[k]]) {
            int *touched = carom_grow(clusters->touched, clusters->count, &clusters->capacity, sizeof *touched);
            clusters->failed = clusters->failed || !touched;
            if (!touched)
                continue;
            clusters->touched = touched;
            clusters->is_touched[nodes[k]] = true;
            clusters->touched[clusters->count++] = nodes[k];
        }
        int other = carom_clusters_root(clusters, nodes[k]);
        int low = other < root ? other : root, high = other < root ? root : other;
        clusters->held[low] = clusters->held[low] || clusters->held[high];
        for (int i = 0; low != high && i < clusters->ground_count[high] && clusters->ground_count[low] < 3; i++)
            clusters->ground[low][clusters->ground_count[low]++] = clusters->ground[high][i];
        root = carom_disjoint_join(clusters->parent, low, high);
    }

    // shortens later searches for the root (path compression)
    for (int k = 0; k < count; k++)
        clusters->parent[nodes[k]] = root;
    return root;
}

// True if all these nodes belong to one cluster that is held. *departs: one of them does not move with it.
static bool are_held(const carom_clusters *clusters, const int *nodes, int count, bool *departs) {
    int root = carom_clusters_root(clusters, nodes[0]);
    bool together = clusters->held[root];
    *departs = false;
    for (int k = 0; k < count && together; k++) {
        together = carom_clusters_root(clusters, nodes[k]) == root;
        *departs = *departs || clusters->departs[nodes[k]];
    }
    return together;
}

bool carom_clusters_holds(const carom_clusters *clusters, const int *nodes, int count) {
    bool departs;
    return are_held(clusters, nodes, count, &departs) && !departs;
}

bool carom_clusters_fails_to_hold(const carom_clusters *clusters, const int *nodes, int count) {
    bool departs;
    return are_held(clusters, nodes, count, &departs) && departs;
}

// Normals with 1 - n.n' below this belong to one plane.
static const double normal_tolerance = 1e-9;

// Prescribed velocities that differ from that of the cluster by more than this, relative to their size, change distances.
static const double speed_rounding = 64 * DBL_EPSILON;

// A direction whose component orthogonal to the earlier ones is below this fraction of its length adds no condition.
static const double dependence_threshold = 1e-6;

bool carom_clusters_keeps_distance(const carom_clusters *clusters, int root, const carom_contact *fixed,
                                   const carom_contact *contact) {
    bool leans = false;
    for (int i = 0; i < clusters->ground_count[root] && !leans; i++)
        leans = carom_dot(fixed[clusters->ground[root][i]].normal, contact->normal) > 1 - normal_tolerance;
    return leans;
}

// Clusters that were linked may list one plane several times, or three planes with coplanar normals: the new plane replaces a
// dependent one. With three independent planes the cluster is at rest, and closes no further contact.
void carom_clusters_add_ground(carom_clusters *clusters, int root, const carom_contact *fixed, int i) {
    if (carom_clusters_keeps_distance(clusters, root, fixed, &fixed[i]))
        return;
    int *ground = clusters->ground[root], kept = 0;
    for (int j = 0; j < clusters->ground_count[root]; j++) {
        bool known = false;
        for (int k = 0; k < kept; k++)
            known = known || carom_dot(fixed[ground[k]].normal, fixed[ground[j]].normal) > 1 - normal_tolerance;
        if (!known)
            ground[kept++] = ground[j];
    }
    if (kept == 3) {
        double across[3];
        carom_cross(fixed[ground[0]].normal, fixed[ground[1]].normal, across);
        kept -= fabs(carom_dot(across, fixed[ground[2]].normal)) < dependence_threshold;
    }
    if (kept < 3)
        ground[kept++] = i;
    clusters->ground_count[root] = kept;
}

// The rigid motion of a cluster at time t.
typedef struct rigid_motion {
    double centre[3]; // of mass
    double V[3];      // velocity of the centre
    double W[3];      // angular velocity
    bool outside;     // a restraint or a plane takes momentum
} rigid_motion;

// Orthonormal directions in which a cluster moves at prescribed speeds.
typedef struct prescribed_motion {
    int count;
    double direction[3][3];
    double speed[3];
} prescribed_motion;

// Adds the condition direction . V = speed.
static void add_condition(prescribed_motion *prescribed, const double direction[3], double speed) {
    double rest[3];
    carom_copy(direction, rest);
    for (int i = 0; i < prescribed->count; i++) {
        double along = carom_dot(prescribed->direction[i], direction);
        carom_add_scaled(-along, prescribed->direction[i], rest);
        speed -= along * prescribed->speed[i];
    }
    double length = carom_norm(rest);
    if (prescribed->count == 3 || !(length > dependence_threshold))
        return;
    carom_copy(rest, prescribed->direction[prescribed->count]);
    for (int i = 0; i < 3; i++)
        prescribed->direction[prescribed->count][i] /= length;
    prescribed->speed[prescribed->count++] = speed / length;
}

// Imposes restraints and planes on a motion. Planes exert forces along their normals only, so a cluster on a single plane may
// slide along it and rotate about its normal. In all other cases the angular velocity is set to zero.
static void impose_conditions(const prescribed_motion *prescribed, bool restrained, double I[3][3], const double L[3],
                              rigid_motion *m) {
    for (int i = 0; i < prescribed->count; i++)
        carom_add_scaled(prescribed->speed[i] - carom_dot(prescribed->direction[i], m->V), prescribed->direction[i], m->V);
    m->outside = prescribed->count > 0;
    if (!m->outside)
        return;
    m->W[0] = m->W[1] = m->W[2] = 0;
    const double *n = prescribed->direction[0];
    double across[3] = {carom_dot(I[0], n), carom_dot(I[1], n), carom_dot(I[2], n)}, inertia = carom_dot(n, across);
    // nodes on a line along the normal have no inertia about it
    if (prescribed->count == 1 && !restrained && inertia > CAROM_INERTIA_REGULARIZATION * (I[0][0] + I[1][1] + I[2][2]))
        carom_add_scaled(carom_dot(L, n) / inertia, n, m->W);
}

// The rigid motion with the linear and angular momentum of the nodes of a cluster, subject to restraints and planes.
static rigid_motion motion_of(const carom_clusters *clusters, int root, const carom_contact *fixed, carom_mobility mobility,
                              double t, const double (*b)[3], const double (*w)[3]) {
    rigid_motion m = {0};
    prescribed_motion prescribed = {0};
    double mass = 0, L[3] = {0}, I[3][3] = {{0}};

    // mass, centre of mass and mean velocity
    for (int i = 0; i < clusters->count; i++) {
        int k = clusters->touched[i];
        if (carom_clusters_root(clusters, k) != root)
            continue;
        const carom_restraint *restraint = carom_restraint_of(mobility.restraints, k);
        for (int c = 0; restraint && c < restraint->count; c++)
            add_condition(&prescribed, restraint->direction[c], carom_dot(restraint->direction[c], restraint->velocity));
        mass += mobility.mass[k];
        carom_add_scaled(mobility.mass[k], b[k], m.centre);
        carom_add_scaled(mobility.mass[k] * t, w[k], m.centre);
        carom_add_scaled(mobility.mass[k], w[k], m.V);
    }
    for (int i = 0; i < 3; i++) {
        m.centre[i] /= mass;
        m.V[i] /= mass;
    }

    // angular momentum and inertia about the centre
    for (int i = 0; i < clusters->count; i++) {
        int k = clusters->touched[i];
        if (carom_clusters_root(clusters, k) != root)
            continue;
        double r[3], r_cross_w[3];
        carom_difference(b[k], m.centre, r);
        carom_add_scaled(t, w[k], r);
        carom_cross(r, w[k], r_cross_w);
        carom_add_scaled(mobility.mass[k], r_cross_w, L);
        carom_inertia_add(mobility.mass[k], r, I);
    }
    bool restrained = prescribed.count > 0;
    for (int i = 0; i < clusters->ground_count[root]; i++)
        add_condition(&prescribed, fixed[clusters->ground[root][i]].normal, 0);
    impose_conditions(&prescribed, restrained, I, L, &m);
    if (!m.outside)
        carom_inertia_spin((carom_const_vectors)I, L, m.W);
    return m;
}

// The first touched node of an obstacle in the cluster; -1: none.
static int obstacle_node_of(const carom_clusters *clusters, int root, carom_mobility mobility, const carom_carry *carry) {
    for (int i = 0; carry->velocity && i < clusters->count; i++) {
        int k = clusters->touched[i];
        if (carom_clusters_root(clusters, k) == root && !(mobility.mass[k] > CAROM_MASSLESS))
            return k;
    }
    return -1;
}

carom_held carom_clusters_hold(carom_clusters *clusters, int root, const carom_contact *fixed, carom_mobility mobility,
                               const carom_carry *carry, double now, double t, double (*b)[3], double (*w)[3]) {
    int obstacle_node = obstacle_node_of(clusters, root, mobility, carry);
    rigid_motion m = motion_of(clusters, root, fixed, mobility, t, (carom_const_vectors)b, (carom_const_vectors)w);
    // the rigid velocity from time t on; b changes such that positions at time t are unchanged
    carom_held held = {0};
    for (int i = 0; i < clusters->count; i++) {
        int k = clusters->touched[i];
        if (carom_clusters_root(clusters, k) != root)
            continue;
        double x[3], r[3], u[3], shared[3], change[3], x_cross_change[3];
        carom_copy(b[k], x);
        carom_add_scaled(t, w[k], x);
        carom_difference(x, m.centre, r);
        carom_cross(m.W, r, u);
        carom_add_scaled(1, m.V, u);
        // an obstacle moves by an affine map, and disjoint pieces remain disjoint under one affine map
        if (obstacle_node >= 0)
            carry->velocity(carry, obstacle_node, now, x, u);
        carom_copy(u, shared);
        carom_restraints_impose(mobility.restraints, k, u);
        carom_difference(u, shared, change);
        clusters->departs[k] = carom_norm(change) > speed_rounding * (carom_norm(u) + carom_norm(shared));
        carom_difference(u, w[k], change);
        held.energy += 0.5 * mobility.mass[k] * (carom_dot(w[k], w[k]) - carom_dot(u, u));
        if (m.outside) {
            carom_cross(x, change, x_cross_change);
            carom_add_scaled(mobility.mass[k], change, held.ground.impulse);
            carom_add_scaled(mobility.mass[k], x_cross_change, held.ground.moment);
        }
        carom_copy(u, w[k]);
        for (int c = 0; c < 3; c++)
            b[k][c] = x[c] - t * u[c];
    }
    clusters->held[root] = true;
    return held;
}
