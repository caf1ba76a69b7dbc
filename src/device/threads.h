// SPDX-License-Identifier: MIT
// The work of one thread of a device: the force of one element, the sum at one node, the kick and the drift of one node. The
// formulas are those of the batched kernels (element/*_body.h), compiled for lanes of one. C and C++: emulate.c runs these
// functions in loops, cuda.cu as kernels.
//
// Element forces are stored where their nodes read them: the slots of node k are those from gather_begin[k] to
// gather_begin[k + 1], in the order of the elements, three numbers each. A group of elements sorts its forces by slot before it
// writes them, so that neighbouring threads write neighbouring memory, and begins the sums of nodes whose first elements it has
// (docs/theory/device.md).
#ifndef CAROM_DEVICE_THREADS_H
#define CAROM_DEVICE_THREADS_H

#ifndef CAROM_LANES_ONE
#error "threads have lanes of one: define CAROM_LANES_ONE before anything is included"
#endif

#include <stdbool.h>
#include <stddef.h>

#include "device/calls.h"
#include "device/thread_batch.h"
#include "device/threads_points.h"
#include "device/threads_shell.h"
#include "device/threads_volume.h"
#include "element/average/mean_dilatation_body.h"
#include "element/average/nodal_body.h"
#include "element/line/bar_body.h"
#include "element/solid/height_and_turn.h"
#include "element/solid/solid_batch.h"
#include "math/exact_cut.h"
#include "model/node_terms.h"

// The limits and envelopes with which a thread compares the stress of its element.
CAROM_INLINE carom_extremes carom_thread_extremes(const carom_thread_block *b, const carom_thread_call *call) {
    carom_extremes extremes;
    extremes.envelopes = call->watches ? call->envelopes + (ptrdiff_t)CAROM_ENVELOPES * b->first : NULL;
    extremes.count = b->count;
    for (int kind = 0; kind < CAROM_EXTREME_KINDS; kind++) {
        extremes.limit[kind] = call->limit[kind];
        extremes.score[kind] = CAROM_NO_SCORE;
        extremes.element[kind] = 0;
    }
    return extremes;
}

CAROM_INLINE void carom_thread_bar(const carom_element_batch *at) {
    const carom_thread_block *b = at->block;
    const double *x1 = at->call->x + 3 * (ptrdiff_t)b->nodes[2 * (ptrdiff_t)at->e];
    const double *x2 = at->call->x + 3 * (ptrdiff_t)b->nodes[2 * (ptrdiff_t)at->e + 1];
    const double *data = b->data + CAROM_BAR_DATA * (ptrdiff_t)at->e;
    double d[3], gradient[3], f[6];
    for (int i = 0; i < 3; i++)
        d[i] = x2[i] - x1[i];
    double strain = carom_bar_strain_of(b->green, data, d, gradient);
    carom_bar_forces(b->factor, data, carom_elastic_stress(b->young, strain), gradient, f);
    for (int a = 0; a < 2; a++)
        for (int i = 0; i < 3; i++)
            carom_sink_at(at->sink, a)[i * at->sink->stride] = f[3 * a + i];
}

#define CAROM_THREAD_LAW_FORCE(NAME, name, ...) \
    if (kind == CAROM_THREAD_##NAME)            \
        carom_##name##_force(at, law, extremes);
#define CAROM_THREAD_SHEET_FORCE(NAME, name, nodes, ...) \
    if (kind == CAROM_THREAD_##NAME) {                   \
        carom_sheet sheet = at->block->sheet;            \
        sheet.law = law;                                 \
        sheet.stress = stress;                           \
        carom_sheet_force(at, nodes, &sheet);            \
    }
#define CAROM_THREAD_SHELL_FORCE(NAME, VARIANT, nodes, ...) \
    if (kind == CAROM_THREAD_##NAME)                        \
        carom_thread_shell(at, CAROM_SHELL_##VARIANT, nodes ? points : at->block->point_count, extremes);
#define CAROM_THREAD_SINGLE_FORCE(NAME, element, nodes, group, force, ...) \
    if (kind == CAROM_THREAD_##NAME)                                       \
        force(at);
#define CAROM_THREAD_POINTS_FORCE(NAME, name, nodes, ...) \
    if (kind == CAROM_THREAD_##NAME##_POINTS)             \
        carom_thread_points(at, nodes);
// The force of an element of a kind. Kernels have constants for the kind, the law, plane stress of plane elements, and the
// number of points of regular patches. `extremes` may be NULL.
CAROM_INLINE void carom_thread_force(const carom_element_batch *at, int kind, carom_kernel_law law, bool stress, int points,
                                     carom_extremes *extremes) {
    CAROM_THREAD_BY_LAW(CAROM_THREAD_LAW_FORCE, )
    CAROM_THREAD_SHEETS(CAROM_THREAD_SHEET_FORCE, )
    CAROM_THREAD_SHELLS(CAROM_THREAD_SHELL_FORCE, )
    CAROM_THREAD_SINGLE(CAROM_THREAD_SINGLE_FORCE, )
    CAROM_THREAD_FULL_SOLIDS(CAROM_THREAD_POINTS_FORCE, )
}

#define CAROM_THREAD_SHELL_ENERGY(NAME, VARIANT, ...) \
    if (kind == CAROM_THREAD_##NAME)                  \
        return carom_thread_shell_energy(b, call, e, CAROM_SHELL_##VARIANT);
#define CAROM_THREAD_SOLID_ENERGY(NAME, name, ...) \
    if (kind == CAROM_THREAD_##NAME)               \
        carom_##name##_energy(&at, law, &W);
// The stored energy of a solid or a shell.
CAROM_INLINE double carom_thread_energy(const carom_thread_block *b, const carom_thread_call *call, int e, int kind,
                                        carom_kernel_law law) {
    CAROM_THREAD_SHELLS(CAROM_THREAD_SHELL_ENERGY, )
    const carom_element_batch at = {b, call, e, kind == CAROM_THREAD_HEX8_ONE_POINT, NULL};
    carom_lanes W = {0};
    CAROM_THREAD_SOLIDS(CAROM_THREAD_SOLID_ENERGY, )
    return W[0];
}
#undef CAROM_THREAD_SHELL_ENERGY
#undef CAROM_THREAD_SOLID_ENERGY

// True if an element is inverted or has rotated by more than an angle with this sine. True for NaN. For a patch only inversion
// is checked, with a margin for rounding, since the processor repeats the check.
CAROM_INLINE bool carom_thread_check_at(const carom_thread_block *b, const carom_thread_check *check, int e) {
    carom_lanes height, turn, norm, slope;
    if (b->kind == CAROM_THREAD_PATCH) {
        const double enough = 1e-9;
        carom_thread_call call;
        call.x = check->x;
        const carom_element_batch at = {b, &call, e, false, NULL};
        carom_batch_nodes nodes;
        carom_lanes F[9];
        int n = carom_batch_list(&at, &nodes);
        carom_nodal_gradient(&at, &nodes, n, carom_batch_data(&at, b->data_size), F);
        carom_shape_height_of(F, 3, &height);
        return !(height[0] > enough);
    }
    carom_lanes q[3 * CAROM_SOLID_NODES], start[3 * CAROM_SOLID_NODES];
    int count = b->solid->node_count;
    carom_thread_take_all(b, count, e, check->x, q);
    if (b->kind == CAROM_THREAD_HEX8_ONE_POINT || check->sine < HUGE_VAL)
        carom_thread_take_all(b, count, e, check->X, start);
    if (b->kind == CAROM_THREAD_HEX8_ONE_POINT)
        carom_shape_mean_height(start, q, &height);
    else
        carom_shape_height(b->solid, q, &height);
    bool wrong = !(height[0] > 0);
    if (check->sine < HUGE_VAL) {
        carom_shape_turn(b->solid, start, q, &turn, &norm, &slope);
        wrong = wrong || !(turn[0] <= check->sine);
    }
    return wrong;
}

// True if a node is behind a plane.
CAROM_INLINE bool carom_thread_is_behind(const carom_thread_nodes *n, const carom_thread_planes *planes, int k) {
    const double *x = n->x + 3 * (ptrdiff_t)k;
    bool behind = false;
    for (int p = 0; p < planes->count; p++)
        behind = behind || !(carom_terms_dot(planes->normal[p], x) >= planes->offset[p]);
    return behind;
}

// Component c of the nodal positions of element e, which has a largest score of its block; 0 beyond its last node.
CAROM_INLINE double carom_thread_top_place(const carom_thread_block *b, const carom_thread_call *call, int e, int c) {
    return c < 3 * b->node_count ? call->x[3 * (ptrdiff_t)b->nodes[(ptrdiff_t)e * b->node_count + c / 3] + c % 3] : 0;
}

// The sum at node k: loads first, then elements in ascending order. If a group has begun the sum, it is in the first slot.
CAROM_INLINE void carom_thread_gather(const carom_thread_nodes *n, int k, double f[3]) {
    for (int c = 0; c < 3; c++)
        f[c] = n->start ? n->start[3 * (ptrdiff_t)k + c] : 0;
    for (int i = n->gather_begin[k]; i < n->gather_begin[k + 1]; i++)
        for (int c = 0; c < 3; c++)
            f[c] += n->slots[3 * (ptrdiff_t)i + c];
}

// w+ = w- + h M^-1 f of node k; returns its change of speed (integrator/newmark_kick.c).
CAROM_INLINE double carom_thread_kick(const carom_thread_nodes *n, int k, double h, const double f[3]) {
    double scale = h / n->mass[k];
    for (int c = 0; c < 3; c++) {
        double *w = &n->w[3 * (ptrdiff_t)k + c];
        *w = *w + scale * f[c];
    }
    return scale * CAROM_LANE_ROOT(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
}

CAROM_INLINE void carom_thread_drift(const carom_thread_nodes *n, int k, double h) {
    if (n->held && n->held[k])
        return;
    for (int c = 0; c < 3; c++)
        n->x[3 * (ptrdiff_t)k + c] += h * n->w[3 * (ptrdiff_t)k + c];
}

// The kick of a node that the device keeps, with mass damping (integrator/newmark_kick.c), and the velocity change that contact
// needs (contact/impact/repay.c). Returns its change of speed.
CAROM_INLINE double carom_thread_push_node(const carom_thread_nodes *n, const carom_thread_push *push, int k) {
    ptrdiff_t at = 3 * (ptrdiff_t)k;
    double f[3] = {n->force[at], n->force[at + 1], n->force[at + 2]}, before[3], w[3], drag[3] = {0, 0, 0};
    double mass = n->mass[k], a = n->damping ? n->damping[k] : 0, c = 0.5 * push->h * a;
    for (int i = 0; i < 3; i++)
        n->before[at + i] = before[i] = n->w[at + i];
    double change = carom_thread_kick(n, k, push->h, f);
    for (int i = 0; i < 3; i++)
        w[i] = n->w[at + i];
    if (c > 0) {
        carom_terms_slow(c, before, w);
        carom_terms_drag(a, mass, before, w, drag);
        for (int i = 0; i < 3; i++) {
            n->w[at + i] = w[i];
            n->drag[at + i] = drag[i];
            n->force[at + i] = f[i] + drag[i];
        }
    }
    for (int i = 0; n->kicks && i < 3; i++)
        n->kicks[at + i] = (w[i] - before[i]) / push->part - (n->damping ? push->step * drag[i] / mass : 0);
    return change;
}

// The terms of a node in the sums of a kick: those of dead loads, then those of damping, which are added separately.
CAROM_INLINE void carom_thread_kick_terms(const carom_thread_nodes *n, double h, int k,
                                          double terms[2][CAROM_THREAD_KICK_SUMS]) {
    ptrdiff_t at = 3 * (ptrdiff_t)k;
    for (int a = 0; a < CAROM_THREAD_KICK_SUMS; a++)
        terms[0][a] = terms[1][a] = 0;
    if (n->load)
        carom_terms_impulse(n->x + at, h, n->load + at, &terms[0][0], &terms[0][3]);
    if (!n->damping)
        return;
    carom_terms_impulse(n->x + at, h, n->drag + at, &terms[1][0], &terms[1][3]);
    terms[1][CAROM_THREAD_KICK_SUMS - 1] = -carom_terms_work(h, n->drag + at, n->before + at, n->w + at);
}

// The velocity of a node after a kick, into v, and its terms in the sums of the motion; true if it is finite.
CAROM_INLINE bool carom_thread_settle_node(const carom_thread_nodes *n, double after, int k, double *v,
                                           double terms[CAROM_THREAD_MOTION_SUMS]) {
    ptrdiff_t at = 3 * (ptrdiff_t)k;
    const double *w = n->w + at;
    carom_terms_velocity(n->before + at, w, after, v + at);
    terms[0] = carom_terms_kinetic(n->mass[k], v + at);
    terms[1] = n->load ? carom_terms_external(n->load + at, n->x + at, n->X + at) : 0;
    double sum = w[0] + w[1] + w[2];
    // x - x is 0 only if x is finite
    return sum - sum == 0;
}

// True if the last kick has changed the velocity of a node too much (carom_thread_pushed). True for NaN.
CAROM_INLINE bool carom_thread_is_pushed(const carom_thread_nodes *n, const carom_thread_pushed *pushed, int k,
                                         double *square) {
    ptrdiff_t at = 3 * (ptrdiff_t)k;
    double wait = pushed->until[k] - pushed->now, u[3];
    for (int i = 0; i < 3; i++)
        u[i] = n->w[at + i] - n->v[at + i];
    bool waits = wait > 0;
    wait = (wait + 1) * (wait + 2);
    *square = carom_terms_dot(u, u);
    return waits && !(*square * wait * wait <= pushed->most);
}

// The bits of a term.
CAROM_INLINE uint64_t carom_thread_bits(double term) {
    uint64_t bits;
    memcpy(&bits, &term, sizeof bits);
    return bits;
}

#endif
