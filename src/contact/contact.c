// SPDX-License-Identifier: MIT
// Parameter tables of contact, and the kinematics of one contact (contact.h) with restraints and rigid bodies: gap, rate
// (normal relative velocity), softness d.(A d) (inverse mass along d), impulses on its nodes, and the momentum and work that it
// exchanges with the ground.
#include "contact/contact.h"

#include <math.h>
#include <stddef.h>

#include "math/vec3.h"

// Softness below this fraction of that without restraints is rounding: no node can move in this direction. The projection on
// free directions has a relative error of about 1e-16, and softness is quadratic in it, so rounding is below 1e-30.
static const double restrained_softness = 1e-24;

// The same for bodies with joints, as a fraction of the softness without them. The softness is a difference of two numbers, so
// its rounding is larger, as that of dependent rows (linkage_factor.c).
static const double linked_softness = 1e-10;

static const char *const resolves[] = {"exact", "projection", NULL};
static const char *const moves[] = {"pair", "node", NULL};
static const char *const on_holds[] = {"warn", "stop", NULL};

// clang-format off
// The keys of `friction` as a map; `static` is stored in the member of `friction` itself.
#define FRICTION_PARTS(owner, default, allowed)                                                                                \
    {.name = "friction.static", .type = CAROM_PARAM_REAL, .offset = offsetof(owner, friction), .unit = "",                     \
     .initial = default, CAROM_RANGE_NONNEGATIVE, .flags = allowed, .doc = "Coefficient at rest."},                            \
    {.name = "friction.kinetic", .type = CAROM_PARAM_REAL, .offset = offsetof(owner, friction_kinetic), .unit = "",            \
     .initial = "auto", CAROM_RANGE_NONNEGATIVE, .flags = CAROM_PARAM_ALLOW_AUTO,                                              \
     .doc = "Coefficient of fast sliding, at most that at rest."},                                                             \
    {.name = "friction.decay", .type = CAROM_PARAM_REAL, .offset = offsetof(owner, friction_decay), .unit = "time/length",     \
     .initial = "0", CAROM_RANGE_NONNEGATIVE,                                                                                  \
     .doc = "How fast the coefficient falls: at a slip speed of 1/decay by 63 percent of `static` - `kinetic`."}
// clang-format on

static const carom_param contact_params[] = {
    {.name = "restitution",
     .type = CAROM_PARAM_REAL,
     .offset = offsetof(carom_contact_def, restitution),
     .unit = "",
     .initial = "0",
     CAROM_RANGE_UNIT,
     .doc = "Local restitution e at the contact point: separation speed over approach speed of the touching material. The "
            "macroscopic restitution of whole bodies emerges from their waves and is reported in the summary."},
    {.name = "friction",
     .type = CAROM_PARAM_REAL,
     .offset = offsetof(carom_contact_def, friction),
     .unit = "",
     .initial = "0",
     CAROM_RANGE_NONNEGATIVE,
     .doc = "Coulomb coefficient mu. A map of `static`, `kinetic` and `decay` instead: it falls with the slip speed v, "
            "kinetic + (static - kinetic) exp(-decay v)."},
    FRICTION_PARTS(carom_contact_def, "0", 0),
    {.name = "resolve",
     .type = CAROM_PARAM_CHOICE,
     .offset = offsetof(carom_contact_def, resolve),
     .unit = "",
     .initial = "exact",
     .choices = resolves,
     .doc = "`exact`: impacts at their exact times inside the drift of a step; positions are never changed. `projection`: "
            "after the drift, overlap removed by a mass-weighted projection, then the impulse (Cirak & West)."},
    {.name = "layer",
     .type = CAROM_PARAM_REAL,
     .offset = offsetof(carom_contact_def, layer),
     .unit = "",
     .initial = "1e-4",
     .min = 1e-5,
     .max = 1e-2,
     .doc = "Thickness of the layer around surfaces in which they act on each other, in units of the shortest side of a "
            "face."},
    {.name = "thickness",
     .type = CAROM_PARAM_REAL,
     .offset = offsetof(carom_contact_def, thickness),
     .unit = "length",
     .initial = "0",
     CAROM_RANGE_NONNEGATIVE,
     .doc = "Distance that the surfaces of different bodies keep from each other, for instance the thickness of a coat of "
            "paint."},
    {.name = "return_work",
     .type = CAROM_PARAM_BOOL,
     .offset = offsetof(carom_contact_def, return_work),
     .unit = "",
     .initial = "false",
     .doc = "With `resolve: projection`: whether the impulse of a pair compensates the work of its projection against the "
            "forces on its nodes, eq. (15) of Cirak & West."},
    {.name = "moves",
     .type = CAROM_PARAM_CHOICE,
     .offset = offsetof(carom_contact_def, moves),
     .unit = "",
     .initial = "pair",
     .choices = moves,
     .doc = "With `resolve: projection`: the nodes that a projection moves. `pair`: all nodes of the pair, in proportion to "
            "their mobilities, so that the mass centre stays. `node`: the penetrating node alone or, of two edges, that of "
            "the first body, as in the paper of Cirak & West."},
    {.name = "return_spin",
     .type = CAROM_PARAM_BOOL,
     .offset = offsetof(carom_contact_def, return_spin),
     .unit = "",
     .initial = "false",
     .doc = "With `resolve: projection`: whether a pair is turned as a rigid body such that neither its projection nor its "
            "impulse changes its angular momentum."},
    {.name = "on_hold",
     .type = CAROM_PARAM_CHOICE,
     .offset = offsetof(carom_contact_def, on_hold),
     .unit = "",
     .initial = "warn",
     .choices = on_holds,
     .doc = "What happens when an endless cascade of impacts can only be ended by moving its nodes as one rigid body to the "
            "end of the step (`events.contact_held` of the summary): `warn` counts it and goes on, `stop` ends the run."},
    {.name = "self",
     .type = CAROM_PARAM_BOOL,
     .offset = offsetof(carom_contact_def, self),
     .unit = "",
     .initial = "true",
     .doc = "Whether the surface of a body can touch itself, as a folding strip does."},
};

const carom_param *carom_contact_params(int *count) {
    *count = sizeof contact_params / sizeof *contact_params;
    return contact_params;
}

const carom_param *carom_plane_params(int *count) {
    static const carom_param params[] = {
        {.name = "name",
         .type = CAROM_PARAM_NAME,
         .offset = offsetof(carom_plane_def, name),
         .unit = "",
         .doc = "Name of the plane in results."},
        {.name = "point",
         .type = CAROM_PARAM_VEC3,
         .offset = offsetof(carom_plane_def, point),
         .unit = "length",
         .initial = "[0, 0, 0]",
         .doc = "A point of the plane."},
        {.name = "normal",
         .type = CAROM_PARAM_VEC3,
         .offset = offsetof(carom_plane_def, normal),
         .unit = "",
         .flags = CAROM_PARAM_NONZERO,
         .doc = "Normal of the plane, of any length; bodies stay on the side it points to."},
    };
    *count = sizeof params / sizeof *params;
    return params;
}

const carom_param *carom_contact_pair_params(int *count) {
    static const carom_param params[] = {
        {.name = "touch",
         .type = CAROM_PARAM_BOOL,
         .offset = offsetof(carom_contact_pair_def, touch),
         .unit = "",
         .initial = "true",
         .doc = "`false`: the two pass through each other."},
        {.name = "restitution",
         .type = CAROM_PARAM_REAL,
         .offset = offsetof(carom_contact_pair_def, restitution),
         .unit = "",
         .initial = "auto",
         CAROM_RANGE_UNIT,
         .flags = CAROM_PARAM_ALLOW_AUTO,
         .doc = "Local restitution between the two; `auto`: that of `contact`."},
        {.name = "friction",
         .type = CAROM_PARAM_REAL,
         .offset = offsetof(carom_contact_pair_def, friction),
         .unit = "",
         .initial = "auto",
         CAROM_RANGE_NONNEGATIVE,
         .flags = CAROM_PARAM_ALLOW_AUTO,
         .doc = "Coulomb coefficient between the two, or its `static`, `kinetic` and `decay`; `auto`: as in `contact`."},
        FRICTION_PARTS(carom_contact_pair_def, "auto", CAROM_PARAM_ALLOW_AUTO),
    };
    *count = sizeof params / sizeof *params;
    return params;
}

// g = n.sum w_k x_k - offset.
double carom_contact_gap(const carom_contact *contact, const double (*x)[3]) {
    double gap = -contact->offset;
    for (int k = 0; k < contact->count; k++)
        gap += contact->weight[k] * carom_dot(contact->normal, x[contact->node[k]]);
    return gap;
}

// The relative velocity of a contact with sides of rigid bodies. Such a side contributes s V + W x a, with the sum s of its
// weights and its weighted arm a; the other nodes contribute w_k v_k.
static void rigid_velocity(const carom_contact *contact, const double (*v)[3], double u[3]) {
    u[0] = u[1] = u[2] = 0;
    for (int k = 0; k < contact->count; k++)
        if (contact->weight[k] != 0 && !carom_contact_has_rigid_node(contact, k))
            carom_add_scaled(contact->weight[k], v[contact->node[k]], u);
    for (int s = 0; s < 2; s++) {
        const carom_contact_side *side = &contact->side[s];
        double turn[3];
        if (!side->centre)
            continue;
        carom_cross(v[side->turn], side->arm, turn);
        for (int i = 0; i < 3; i++)
            u[i] += side->sign * v[side->centre][i] + turn[i];
    }
}

void carom_contact_velocity(const carom_contact *contact, const double (*v)[3], double u[3]) {
    if (carom_contact_is_rigid(contact)) {
        rigid_velocity(contact, v, u);
        return;
    }
    u[0] = u[1] = u[2] = 0;
    // nodes without weight are not read: other threads may be changing their velocities
    for (int k = 0; k < contact->count; k++)
        if (contact->weight[k] != 0)
            carom_add_scaled(contact->weight[k], v[contact->node[k]], u);
}

double carom_contact_rate(const carom_contact *contact, const double (*v)[3]) {
    double u[3];
    carom_contact_velocity(contact, v, u);
    return carom_dot(contact->normal, u);
}

// The contribution of the rigid body of a side: a.(s^2 b/M + (J^-1 (r x b)) x r).
static double rigid_inverse_mass(const carom_contact_side *side, carom_mobility mobility, const double a[3],
                                 const double b[3]) {
    const carom_rigid_bodies *rigid_bodies = mobility.rigid_bodies;
    double first[3], second[3], turn[3];
    int r = side->turn - rigid_bodies->first_row;
    if (rigid_bodies->items[r].linkage)
        return carom_linkage_inverse_mass(rigid_bodies, side, side, a, b);
    carom_cross(side->arm, a, first);
    carom_cross(side->arm, b, second);
    for (int i = 0; i < 3; i++)
        turn[i] = carom_dot(rigid_bodies->soft[r][i], second);
    return side->sign * side->sign * carom_dot(a, b) / rigid_bodies->items[r].mass + carom_dot(first, turn);
}

// The coupling of two sides whose bodies belong to one linkage: an impulse on one body moves the other.
static double linked_inverse_mass(const carom_contact *contact, carom_mobility mobility, const double a[3], const double b[3]) {
    const carom_rigid_bodies *rigid_bodies = mobility.rigid_bodies;
    const carom_contact_side *sides = contact->side;
    if (!sides[0].centre || !sides[1].centre)
        return 0;
    int r = sides[0].turn - rigid_bodies->first_row, s = sides[1].turn - rigid_bodies->first_row;
    if (!rigid_bodies->items[r].linkage || rigid_bodies->items[r].linkage != rigid_bodies->items[s].linkage)
        return 0;
    return carom_linkage_inverse_mass(rigid_bodies, &sides[0], &sides[1], a, b) +
           carom_linkage_inverse_mass(rigid_bodies, &sides[1], &sides[0], a, b);
}

// Adds sum w_k^2/m_k a.(P_k b) over the nodes of no rigid body.
static double add_nodes(const carom_contact *contact, carom_mobility mobility, const double a[3], const double b[3],
                        double inverse_mass) {
    for (int k = 0; k < contact->count; k++) {
        double free[3];
        if (carom_contact_has_rigid_node(contact, k))
            continue;
        carom_copy(b, free);
        carom_restraints_project(mobility.restraints, contact->node[k], free);
        inverse_mass += contact->weight[k] * contact->weight[k] / mobility.mass[contact->node[k]] * carom_dot(a, free);
    }
    return inverse_mass;
}

// a.(A b); contributions of rigid bodies are summed first.
double carom_contact_inverse_mass(const carom_contact *contact, carom_mobility mobility, const double a[3], const double b[3]) {
    double inverse_mass = 0;
    for (int s = 0; s < 2; s++)
        if (contact->side[s].centre)
            inverse_mass += rigid_inverse_mass(&contact->side[s], mobility, a, b);
    if (mobility.rigid_bodies && mobility.rigid_bodies->linkage_count)
        inverse_mass += linked_inverse_mass(contact, mobility, a, b);
    return add_nodes(contact, mobility, a, b, inverse_mass);
}

// Finds the sides that joints prevent from moving along d: their softness is rounding. Returns their number. Bodies without
// joints are never stuck, even if they are much heavier.
static int find_stuck(const carom_contact *contact, carom_mobility mobility, const double d[3], bool stuck[2]) {
    double linked = linked_inverse_mass(contact, mobility, d, d), free = 0;
    for (int s = 0; s < 2; s++) {
        const carom_contact_side *side = &contact->side[s];
        const carom_rigid_body *one =
            side->centre ? &mobility.rigid_bodies->items[side->turn - mobility.rigid_bodies->first_row] : NULL;
        stuck[s] = one && one->linkage;
        if (!stuck[s])
            continue;
        double softness = rigid_inverse_mass(side, mobility, d, d), scale = side->sign * side->sign / one->mass;
        for (int i = 0; i < 3; i++)
            scale += carom_dot(side->arm, side->arm) / one->inertia[i];
        linked += softness;
        free += scale;
    }
    for (int s = 0; s < 2; s++)
        stuck[s] = stuck[s] && linked <= linked_softness * free;
    return stuck[0] + stuck[1];
}

static double rigid_softness(const carom_contact *contact, carom_mobility mobility, const double d[3]) {
    bool stuck[2];
    double softness = 0;
    if (carom_contact_is_within_body(contact))
        return 0;
    if (!find_stuck(contact, mobility, d, stuck))
        return carom_contact_inverse_mass(contact, mobility, d, d);
    for (int s = 0; s < 2; s++)
        if (contact->side[s].centre && !stuck[s])
            softness += rigid_inverse_mass(&contact->side[s], mobility, d, d);
    return add_nodes(contact, mobility, d, d, softness);
}

double carom_contact_softness(const carom_contact *contact, carom_mobility mobility, const double d[3]) {
    double free_of_restraints = 0;
    if (carom_contact_is_rigid(contact))
        return rigid_softness(contact, mobility, d);
    // nodes restrained in all directions have no projection error, and those of obstacles have no mass
    for (int k = 0; k < contact->count; k++)
        if (carom_contact_moves(contact, mobility, k))
            free_of_restraints += contact->weight[k] * contact->weight[k] / mobility.mass[contact->node[k]];
    double softness = carom_contact_inverse_mass(contact, mobility, d, d);
    // nodes that cannot move along d leave only the square of a projection error
    return softness > restrained_softness * free_of_restraints ? softness : 0;
}

// An impulse does not act on a node with weight zero; a node with three restrained directions does not move.
bool carom_contact_moves(const carom_contact *contact, carom_mobility mobility, int k) {
    const carom_restraint *restraint = carom_restraint_of(mobility.restraints, contact->node[k]);
    return contact->weight[k] != 0 && !(restraint && restraint->count == 3) && !carom_contact_has_rigid_node(contact, k);
}

// Applies the impulse to the rigid body of a side.
static void push_rigid_body(const carom_contact_side *side, carom_mobility mobility, const double J[3], double (*v)[3]) {
    const carom_rigid_bodies *rigid_bodies = mobility.rigid_bodies;
    int r = side->turn - rigid_bodies->first_row;
    double moment[3];
    if (rigid_bodies->items[r].linkage) {
        carom_linkage_push(rigid_bodies, side, J, v);
        return;
    }
    carom_cross(side->arm, J, moment);
    carom_add_scaled(side->sign / rigid_bodies->items[r].mass, J, v[side->centre]);
    for (int i = 0; i < 3; i++)
        v[side->turn][i] += carom_dot(rigid_bodies->soft[r][i], moment);
}

void carom_contact_push(const carom_contact *contact, carom_mobility mobility, const double J[3], double (*v)[3]) {
    for (int s = 0; s < 2; s++)
        if (contact->side[s].centre)
            push_rigid_body(&contact->side[s], mobility, J, v);
    carom_contact_push_nodes(contact, mobility, J, v);
}

void carom_contact_push_nodes(const carom_contact *contact, carom_mobility mobility, const double J[3], double (*v)[3]) {
    for (int k = 0; k < contact->count; k++) {
        // nodes that do not move are not written: other threads may use them
        if (!carom_contact_moves(contact, mobility, k))
            continue;
        double free[3];
        carom_copy(J, free);
        carom_restraints_project(mobility.restraints, contact->node[k], free);
        carom_add_scaled(contact->weight[k] / mobility.mass[contact->node[k]], free, v[contact->node[k]]);
    }
}

// Adds the reaction of the joints of the rigid body of a side to the impulse on it.
static void add_joints(const carom_contact_side *side, const carom_rigid_bodies *rigid_bodies, const double J[3],
                       carom_ground *ground) {
    double impulse[3], moment[3];
    if (!rigid_bodies->items[side->turn - rigid_bodies->first_row].linkage)
        return;
    ground->work += carom_linkage_reaction(rigid_bodies, side, J, impulse, moment);
    carom_add_scaled(1, impulse, ground->impulse);
    carom_add_scaled(1, moment, ground->moment);
}

carom_ground carom_contact_ground(const carom_contact *contact, carom_mobility mobility, const double J[3],
                                  const double (*x)[3], const double (*v)[3], double t) {
    carom_ground ground = {0};
    // the impulses on a free pair add up to zero exactly; recording their rounding would hide an error
    bool grounded = contact->kind == CAROM_CONTACT_NODE_PLANE;
    for (int k = 0; k < contact->count; k++)
        grounded = grounded || carom_restraint_of(mobility.restraints, contact->node[k]);

    for (int k = 0; grounded && k < contact->count; k++) {
        double part[3], position[3], moment[3];
        for (int i = 0; i < 3; i++)
            part[i] = contact->weight[k] * J[i];
        const carom_restraint *r = carom_restraint_of(mobility.restraints, contact->node[k]);
        if (r) {
            // the restraint balances the part of the impulse along its directions, and does work at its prescribed velocity
            ground.work -= carom_dot(part, r->velocity);
            carom_restraint_project(r, part);
        }
        carom_copy(x[contact->node[k]], position);
        carom_add_scaled(t, v[contact->node[k]], position);
        carom_cross(position, part, moment);
        carom_add_scaled(1, part, ground.impulse);
        carom_add_scaled(1, moment, ground.moment);
    }
    for (int s = 0; s < 2; s++)
        if (contact->side[s].centre)
            add_joints(&contact->side[s], mobility.rigid_bodies, J, &ground);
    return ground;
}

double carom_contact_work_correction(const carom_contact *contact, carom_mobility mobility, const double J[3],
                                     const double (*before)[3], const double (*after)[3]) {
    double work = 0;
    for (int k = 0; k < contact->count; k++) {
        const carom_restraint *r = carom_restraint_of(mobility.restraints, contact->node[k]);
        if (!r)
            continue;
        double change[3], free[3];
        for (int i = 0; i < 3; i++)
            change[i] = after[contact->node[k]][i] - before[contact->node[k]][i];
        carom_copy(change, free);
        carom_restraint_project(r, free);
        carom_add_scaled(-1, free, change);
        work += 0.5 * contact->weight[k] * carom_dot(J, change);
    }
    return work;
}

carom_spot carom_contact_spot(const carom_contact *contact, const double (*x)[3], const double (*v)[3], double t) {
    int split = contact->kind == CAROM_CONTACT_EDGE_EDGE ? 2 : 1;
    double sum[2][3] = {0}, weight[2] = {0};
    for (int k = 0; k < contact->count; k++) {
        double position[3];
        carom_copy(x[contact->node[k]], position);
        carom_add_scaled(t, v[contact->node[k]], position);
        carom_add_scaled(contact->weight[k], position, sum[k >= split]);
        weight[k >= split] += contact->weight[k];
    }

    // The weights of a side add up to 1 or -1, so its point is sum/weight. A plane has no nodes: the spot is the node itself.
    bool two = contact->count > split;
    carom_spot spot = {.gap = -contact->offset};
    for (int side = 0; side < 1 + two; side++) {
        carom_add_scaled((two ? 0.5 : 1) / weight[side], sum[side], spot.point);
        spot.gap += carom_dot(contact->normal, sum[side]);
    }
    return spot;
}
