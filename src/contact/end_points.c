// SPDX-License-Identifier: MIT
// Theory: docs/theory/end_points.md
#include "contact/end_points.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "math/vec3.h"

// A body lies on a line if its distance from it is below this fraction of the distances along it. Scenes give coordinates with
// six digits or more.
static const double on_line = 1e-6;

// Two ends that overlap by less than this fraction of their coordinates touch: the coordinates were computed.
static const double touching = 1e-12;

typedef struct line {
    double point[3], direction[3];
} line;

// True for a point mass.
static bool is_point(const carom_extent *e) {
    return e->node[0] == e->node[1];
}

// Coordinate of a position along a line.
static double along(const line *l, const double position[3]) {
    double r[3];
    carom_difference(position, l->point, r);
    return carom_dot(r, l->direction);
}

// True if both ends of a body lie on a line.
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

// Order along the line by the middle of the bodies; ties by body, so that the result does not depend on the order given.
static int by_coordinate(const void *a_, const void *b_) {
    const carom_extent *a = a_, *b = b_;
    double left = a->coordinate[0] + a->coordinate[1], right = b->coordinate[0] + b->coordinate[1];
    if (left != right)
        return left < right ? -1 : 1;
    return a->body - b->body;
}

// False if the laws keep two bodies apart.
static bool can_touch(const carom_contact_laws *laws, const carom_extent *a, const carom_extent *b) {
    int body[2] = {a->body, b->body};
    return !carom_contact_law_of(laws, body).apart;
}

// True if a member between two others can touch both, and so keeps them from ever meeting.
static bool is_between(const carom_contact_laws *laws, const carom_extent *members, int i, int j) {
    for (int k = i + 1; k < j; k++)
        if (can_touch(laws, &members[i], &members[k]) && can_touch(laws, &members[k], &members[j]))
            return true;
    return false;
}

// The contact between two members of a line.
static carom_status pair_two(const line *l, const carom_extent *left, const carom_extent *right, carom_contact_list *contacts,
                             carom_error *error) {
    double gap = right->coordinate[0] - left->coordinate[1];
    double round_off = touching * (fabs(left->coordinate[0]) + fabs(right->coordinate[1]));
    if (gap < -round_off)
        return carom_fail(error, CAROM_BAD_INPUT, "bodies '%s' and '%s' overlap by %g at the start", left->name, right->name,
                          -gap);
    if (is_point(left) && is_point(right) && gap <= round_off)
        return carom_fail(error, CAROM_BAD_INPUT, "point masses '%s' and '%s' are at the same place: contact has no direction",
                          left->name, right->name);
    carom_contact *items = carom_grow(contacts->items, contacts->count, &contacts->capacity, sizeof *items);
    if (!items)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
    contacts->items = items;
    carom_contact *contact = &items[contacts->count++];
    *contact = (carom_contact){
        .kind = CAROM_CONTACT_END_END,
        .count = 2,
        .node = {left->node[1], right->node[0]},
        .weight = {-1, 1},
        .body = {left->body, right->body},
    };
    carom_copy(l->direction, contact->normal);
    return CAROM_OK;
}

// One contact for each two neighbours among the members of a line.
static carom_status pair_up(const line *l, carom_extent *members, int count, const carom_contact_laws *laws,
                            carom_contact_list *contacts, carom_error *error) {
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

    // without exceptions only the next one is a neighbour
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count && (j == i + 1 || laws->count); j++) {
            if (!can_touch(laws, &members[i], &members[j]) || is_between(laws, members, i, j))
                continue;
            carom_status status = pair_two(l, &members[i], &members[j], contacts, error);
            if (status)
                return status;
        }
    return CAROM_OK;
}

// All extents on a line, in their order; how many.
static int members_of(const line *l, const carom_extent *extents, int count, bool points_only, carom_extent *members) {
    int found = 0;
    for (int i = 0; i < count; i++)
        if ((!points_only || is_point(&extents[i])) && lies_on(l, &extents[i]))
            members[found++] = extents[i];
    return found;
}

static bool is_parallel(const double a[3], const double b[3]) {
    double across[3];
    carom_cross(a, b, across);
    return carom_norm(across) <= on_line * carom_norm(a) * carom_norm(b);
}

// The axes of bars, each once.
static carom_status pair_bars(const carom_extent *extents, int count, const carom_contact_laws *laws, carom_extent *members,
                              carom_contact_list *contacts, carom_error *error) {
    for (int b = 0; b < count; b++) {
        if (is_point(&extents[b]))
            continue;
        line l;
        carom_copy(extents[b].position[0], l.point);
        carom_difference(extents[b].position[1], extents[b].position[0], l.direction);
        if (!(carom_normalize(l.direction) > 0))
            continue;
        bool known = false;
        for (int other = 0; other < b; other++)
            known = known || (!is_point(&extents[other]) && lies_on(&l, &extents[other]));
        if (known)
            continue;
        int found = members_of(&l, extents, count, false, members);
        carom_status status = pair_up(&l, members, found, laws, contacts, error);
        if (status)
            return status;
    }
    return CAROM_OK;
}

// Whether two point masses stay on the line through them.
static bool share_line(const carom_extent *a, const carom_extent *b, const line *l, const double gravity[3], bool all_on_it) {
    double u[3], speed = carom_norm(a->velocity) + carom_norm(b->velocity);
    carom_difference(a->velocity, b->velocity, u);
    if (carom_norm(u) > on_line * speed)
        return is_parallel(u, l->direction);
    return all_on_it || (carom_norm(gravity) > 0 && is_parallel(gravity, l->direction));
}

static bool line_through(const carom_extent *a, const carom_extent *b, line *l) {
    carom_copy(a->position[0], l->point);
    carom_difference(b->position[0], a->position[0], l->direction);
    double size = carom_norm(a->position[0]) + carom_norm(b->position[0]);
    return carom_normalize(l->direction) > 1e-12 * size;
}

// Lines found so far; start from {0}, free `items`.
typedef struct lines {
    int count;
    int64_t capacity;
    line *items;
} lines;

static bool is_known(const lines *found, const carom_extent *a, const carom_extent *b) {
    for (int i = 0; i < found->count; i++)
        if (lies_on(&found->items[i], a) && lies_on(&found->items[i], b))
            return true;
    return false;
}

// Lines through point masses that are on no bar's axis, each once.
static carom_status pair_points(const carom_extent *points, int count, const double gravity[3], const carom_contact_laws *laws,
                                carom_extent *members, lines *found, carom_contact_list *contacts, carom_error *error) {
    line l;
    bool all_on_one =
        count > 1 && line_through(&points[0], &points[1], &l) && members_of(&l, points, count, true, members) == count;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            if (!can_touch(laws, &points[i], &points[j]))
                continue;
            if (!line_through(&points[i], &points[j], &l))
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "point masses '%s' and '%s' are at the same place: contact has no direction", points[i].name,
                                  points[j].name);
            if (!share_line(&points[i], &points[j], &l, gravity, all_on_one) || is_known(found, &points[i], &points[j]))
                continue;
            line *items = carom_grow(found->items, found->count, &found->capacity, sizeof *items);
            if (!items)
                return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
            found->items = items;
            items[found->count++] = l;
            carom_status status = pair_up(&l, members, members_of(&l, points, count, true, members), laws, contacts, error);
            if (status)
                return status;
        }
    return CAROM_OK;
}

carom_status carom_contact_end_points(const carom_extent *extents, int count, const double gravity[3],
                                      const carom_contact_laws *laws, carom_contact_list *contacts, carom_error *error) {
    carom_extent *members = carom_allocate(count, sizeof *members), *points = carom_allocate(count, sizeof *points);
    carom_status status = members && points ? pair_bars(extents, count, laws, members, contacts, error)
                                            : carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");

    // the point masses that no bar's axis leads through
    int left = 0;
    for (int i = 0; i < count && !status; i++) {
        bool taken = !is_point(&extents[i]);
        for (int b = 0; b < count && !taken; b++) {
            if (is_point(&extents[b]))
                continue;
            line l;
            carom_copy(extents[b].position[0], l.point);
            carom_difference(extents[b].position[1], extents[b].position[0], l.direction);
            taken = carom_normalize(l.direction) > 0 && lies_on(&l, &extents[i]);
        }
        if (!taken)
            points[left++] = extents[i];
    }
    lines found = {0};
    if (!status)
        status = pair_points(points, left, gravity, laws, members, &found, contacts, error);
    free(found.items);
    free(members);
    free(points);
    return status;
}
