// SPDX-License-Identifier: MIT
#include "contact/end_points.h"

#include <math.h>
#include <stdlib.h>

#include "math/vec3.h"

// How far from a line, relative to the distances along it, a body may be and still lie on it.
static const double on_line = 1e-6;

typedef struct line {
    double point[3], direction[3];
} line;

static bool is_point(const carom_extent *e) {
    return e->node[0] == e->node[1];
}

static double along(const line *l, const double position[3]) {
    double r[3];
    carom_difference(position, l->point, r);
    return carom_dot(r, l->direction);
}

static bool lies_on(const line *l, const carom_extent *e) {
    double span[3], size = 0;
    carom_difference(e->position[1], e->position[0], span);
    size = carom_norm(span);
    for (int end = 0; end < 2; end++) {
        double r[3], across[3];
        carom_difference(e->position[end], l->point, r);
        carom_cross(r, l->direction, across);
        if (carom_norm(across) > on_line * (carom_norm(r) + size))
            return false;
    }
    return true;
}

// The axis of the first extent: a bar's own; a point mass looks for a partner it is apart from.
static bool find_line(const carom_extent *extents, int count, line *l) {
    const carom_extent *first = &extents[0];
    carom_copy(first->position[0], l->point);
    carom_difference(first->position[1], first->position[0], l->direction);
    for (int i = 1; i < count && !(carom_norm(l->direction) > 0); i++)
        carom_difference(extents[i].position[0], first->position[0], l->direction);
    return carom_normalize(l->direction) > 0;
}

static int by_coordinate(const void *a_, const void *b_) {
    const carom_extent *a = a_, *b = b_;
    double left = a->coordinate[0] + a->coordinate[1], right = b->coordinate[0] + b->coordinate[1];
    if (left != right)
        return left < right ? -1 : 1;
    return a->body - b->body;
}

static carom_status pair_up(const line *l, carom_extent *members, int count, carom_contact *contacts, int *contact_count,
                            carom_error *error) {
    // in the order of the line, each with its smaller coordinate first
    for (int i = 0; i < count; i++) {
        carom_extent *e = &members[i];
        double s[2] = {along(l, e->position[0]), along(l, e->position[1])};
        int near = s[0] <= s[1] ? 0 : 1, node[2] = {e->node[0], e->node[1]};
        for (int end = 0; end < 2; end++) {
            e->node[end] = node[near ^ end];
            e->coordinate[end] = s[near ^ end];
        }
    }
    qsort(members, (size_t)count, sizeof *members, by_coordinate);

    for (int i = 0; i + 1 < count; i++) {
        const carom_extent *left = &members[i], *right = &members[i + 1];
        double gap = right->coordinate[0] - left->coordinate[1];
        double round_off = 1e-12 * (fabs(left->coordinate[0]) + fabs(right->coordinate[1]));
        if (gap < -round_off)
            return carom_fail(error, CAROM_BAD_INPUT, "bodies '%s' and '%s' overlap by %g at the start", left->name,
                              right->name, -gap);
        if (is_point(left) && is_point(right) && gap <= round_off)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "point masses '%s' and '%s' are at the same place: contact has no direction", left->name,
                              right->name);
        carom_contact *contact = &contacts[(*contact_count)++];
        *contact = (carom_contact){
            .kind = CAROM_CONTACT_END_END,
            .count = 2,
            .node = {left->node[1], right->node[0]},
            .weight = {-1, 1},
            .body = {left->body, right->body},
        };
        carom_copy(l->direction, contact->normal);
    }
    return CAROM_OK;
}

// Moves extent i to place `to` <= i; those between move up by one.
static void move_forward(carom_extent *extents, int i, int to) {
    carom_extent moved = extents[i];
    for (; i > to; i--)
        extents[i] = extents[i - 1];
    extents[to] = moved;
}

carom_status carom_contact_end_points(carom_extent *extents, int count, carom_contact *contacts, int *contact_count,
                                      carom_error *error) {
    // bars first: they have an axis of their own
    for (int i = 0, bars = 0; i < count; i++)
        if (!is_point(&extents[i]))
            move_forward(extents, i, bars++);

    // line after line: its members to the front, pair them, go on with the rest
    *contact_count = 0;
    while (count > 1) {
        line l;
        if (!find_line(extents, count, &l))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "point masses '%s' and '%s' are at the same place: contact has no direction", extents[0].name,
                              extents[1].name);
        int members = 1;
        for (int i = 1; i < count; i++)
            if (lies_on(&l, &extents[i]))
                move_forward(extents, i, members++);
        carom_status status = pair_up(&l, extents, members, contacts, contact_count, error);
        if (status)
            return status;
        extents += members;
        count -= members;
    }
    return CAROM_OK;
}
