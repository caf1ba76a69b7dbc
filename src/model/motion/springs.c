// SPDX-License-Identifier: MIT
// Theory: docs/theory/joints.md
// Springs between a node of a rigid body and another node or the ground: finds their nodes, and computes their forces, their
// energy and a bound of the frequency that they give the bodies. (Forces of their dampers: integrator/spring_kick.h.)
#include "model/motion/springs.h"

#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "math/sum.h"
#include "math/vec3.h"

// Maximum distance of the end of a spring from a node, relative to the size of the model.
static const double node_tolerance = 1e-9;

static bool is_ground(const carom_spot_def *spot) {
    return strcmp(spot->body, "ground") == 0;
}

// Finds the node of a body at a point.
static carom_status find_node(const carom_model *model, const carom_spot_def *spot, int *node, carom_error *error) {
    int b = carom_model_body(model, spot->body);
    double least = HUGE_VAL, size = carom_norm(spot->point);
    if (b < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "there is no body '%s' for a spring", spot->body);
    const carom_body *body = &model->bodies[b];
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++) {
        double offset[3];
        carom_difference(model->X[k], spot->point, offset);
        size = fmax(size, carom_norm(model->X[k]));
        if (carom_norm(offset) < least) {
            least = carom_norm(offset);
            *node = k;
        }
    }
    if (least <= node_tolerance * size)
        return CAROM_OK;
    const double *x = model->X[*node];
    return carom_fail(error, CAROM_BAD_INPUT,
                      "body '%s' has no node at [%g, %g, %g] for the end of a spring: the nearest is at [%.10g, %.10g, %.10g]",
                      spot->body, spot->point[0], spot->point[1], spot->point[2], x[0], x[1], x[2]);
}

static bool is_rigid(const carom_model *model, int node) {
    return node >= 0 && model->rigid.count && model->rigid.of_node[node] != -1;
}

static carom_status add(carom_model *model, const carom_spring_def *def, carom_spring *spring, carom_error *error) {
    const carom_spot_def *ends[2] = {&def->from, &def->to};
    carom_status status = CAROM_OK;
    double n[3];
    *spring = (carom_spring){.stiffness = def->stiffness, .damping = def->damping, .length = def->length};
    for (int e = 0; e < 2 && !status; e++) {
        spring->node[e] = -1;
        if (is_ground(ends[e]))
            carom_copy(ends[e]->point, spring->point);
        else
            status = find_node(model, ends[e], &spring->node[e], error);
    }
    if (status)
        return status;
    if (!is_rigid(model, spring->node[0]) && !is_rigid(model, spring->node[1]))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "a spring needs a rigid body at one of its ends; between deformable bodies use a body of one `bar` element: its "
            "stiffness is young x area / length");
    if (spring->node[0] == spring->node[1])
        return carom_fail(error, CAROM_BAD_INPUT, "both ends of a spring are at one node: give one of them another `point`");
    if (!(def->stiffness >= 0) || !(def->damping >= 0) || !isfinite(def->stiffness) || !isfinite(def->damping))
        return carom_fail(error, CAROM_BAD_INPUT, "stiffness and damping of a spring are numbers >= 0");
    if (def->stiffness == 0 && def->damping == 0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "the spring from '%s' to '%s' has neither `stiffness` nor `damping`, so that it does nothing: give it "
            "one of them",
            def->from.body, def->to.body);
    double now = carom_spring_line(spring, (carom_const_vectors)model->X, n);
    spring->length = isnan(def->length) ? now : def->length;
    if (!(spring->length >= 0))
        return carom_fail(error, CAROM_BAD_INPUT, "the length of a spring is a number >= 0");
    if (now == 0 && (spring->length > 0 || spring->damping > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the ends of a spring are at one point, so it has no direction: remove its `damping` and give it "
                          "the `length` 0");
    model->springs.damped = model->springs.damped || spring->damping > 0;
    return CAROM_OK;
}

carom_status carom_model_add_springs(carom_model *model, const carom_model_def *def, carom_error *error) {
    if (!def->spring_count)
        return CAROM_OK;
    model->springs.items = carom_arena_allocate(model->arena, def->spring_count, sizeof *model->springs.items);
    if (!model->springs.items)
        return carom_no_memory(error, "the springs");
    carom_status status = CAROM_OK;
    for (int s = 0; s < def->spring_count && !status; s++)
        status = add(model, &def->springs[s], &model->springs.items[model->springs.count++], error);
    return status;
}

double carom_spring_line(const carom_spring *spring, const double (*x)[3], double n[3]) {
    const double *a = spring->node[0] < 0 ? spring->point : x[spring->node[0]];
    const double *b = spring->node[1] < 0 ? spring->point : x[spring->node[1]];
    carom_difference(a, b, n);
    double length = carom_norm(n);
    for (int i = 0; i < 3 && length > 0; i++)
        n[i] /= length;
    return length;
}

void carom_spring_force(const carom_spring *spring, const double (*x)[3], double force[3]) {
    double n[3], length = carom_spring_line(spring, x, n);
    for (int i = 0; i < 3; i++)
        force[i] = -spring->stiffness * (length - spring->length) * n[i];
}

void carom_model_add_spring_forces(const carom_model *model, const double (*x)[3], double (*force)[3]) {
    for (int s = 0; s < model->springs.count; s++) {
        const carom_spring *spring = &model->springs.items[s];
        double f[3];
        carom_spring_force(spring, x, f);
        for (int e = 0; e < 2; e++)
            if (spring->node[e] >= 0)
                carom_add_scaled(e ? -1 : 1, f, force[spring->node[e]]);
    }
}

double carom_model_spring_energy(const carom_model *model, const double (*x)[3]) {
    carom_sum sum = {0};
    for (int s = 0; s < model->springs.count; s++) {
        const carom_spring *spring = &model->springs.items[s];
        double n[3], stretch = carom_spring_line(spring, x, n) - spring->length;
        carom_sum_add(&sum, 0.5 * spring->stiffness * stretch * stretch);
    }
    return carom_sum_value(&sum);
}

// The rigid body that a node belongs to, or NULL.
static const carom_rigid_body *rigid_body_of(const carom_model *model, int node) {
    if (!is_rigid(model, node))
        return NULL;
    int r = model->rigid.of_node[node];
    return &model->rigid.items[r < 0 ? -2 - r : r];
}

static double least_inertia(const carom_rigid_body *one) {
    return fmin(one->inertia[0], fmin(one->inertia[1], one->inertia[2]));
}

// Distance of a node from the point about which its rigid body rotates.
static double arm_of(const carom_model *model, const carom_rigid_body *one, int node) {
    double arm[3];
    carom_difference(model->X[node], model->X[one->centre], arm);
    return carom_norm(arm);
}

// The largest velocity response of a node to a unit impulse: 1/m, or 1/M + r^2/I of a rigid body.
static double softness_of(const carom_model *model, int node) {
    const carom_rigid_body *one = rigid_body_of(model, node);
    if (node < 0)
        return 0;
    if (!one)
        return 1 / model->mass[node];
    double arm = arm_of(model, one, node);
    return 1 / one->mass + arm * arm / least_inertia(one);
}

// An upper bound of the square of the frequency of a single spring. A stretched spring is also stiff in transverse direction,
// with its force over its length, which is less than its stiffness.
static double square_of(const carom_model *model, const carom_spring *spring) {
    return spring->stiffness * (softness_of(model, spring->node[0]) + softness_of(model, spring->node[1]));
}

// The force f of a spring on an arm r of a rotating body has a restoring torque, a rotational stiffness f r: it adds f r / I to
// the square of the frequency.
static double turning_of(const carom_model *model, const carom_spring *spring) {
    double n[3], force = spring->stiffness * fabs(carom_spring_line(spring, (carom_const_vectors)model->X, n) - spring->length);
    double sum = 0;
    for (int e = 0; e < 2; e++) {
        const carom_rigid_body *one = rigid_body_of(model, spring->node[e]);
        if (one)
            sum += force * arm_of(model, one, spring->node[e]) / least_inertia(one);
    }
    return sum;
}

// The body that moves with a node: the rigid body for tied nodes.
static int owner_of(const carom_model *model, int node) {
    const carom_rigid_body *one = rigid_body_of(model, node);
    return one ? one->body : carom_model_node_body(model, node);
}

static bool share_body(const carom_model *model, const carom_spring *a, const carom_spring *b) {
    for (int i = 0; i < 4; i++) {
        int k = a->node[i / 2], l = b->node[i % 2];
        if (k >= 0 && l >= 0 && owner_of(model, k) == owner_of(model, l))
            return true;
    }
    return false;
}

// With K = sum of k_s g_s g_s^T in coordinates with unit masses, the largest eigenvalue is at most that of the matrix of
// sqrt(k_s k_t) g_s.g_t, and this at most a sum over a row: springs without a common body do not contribute. The rotational
// stiffness due to spring forces is added, with the initial forces.
double carom_model_spring_square(const carom_model *model) {
    double most = 0;
    for (int s = 0; s < model->springs.count; s++) {
        double sum = 0, own = square_of(model, &model->springs.items[s]);
        for (int t = 0; t < model->springs.count; t++)
            if (share_body(model, &model->springs.items[s], &model->springs.items[t]))
                sum += sqrt(own * square_of(model, &model->springs.items[t])) + turning_of(model, &model->springs.items[t]);
        most = fmax(most, sum);
    }
    return most;
}

uint64_t carom_model_springs_hash(uint64_t h, const carom_model *model) {
    for (int s = 0; s < model->springs.count; s++) {
        const carom_spring *spring = &model->springs.items[s];
        h = carom_hash(h, spring->node, sizeof spring->node);
        h = carom_hash(h, spring->point, sizeof spring->point);
        h = carom_hash(h, &spring->stiffness, 3 * sizeof spring->stiffness);
    }
    return h;
}
