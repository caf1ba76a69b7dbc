// SPDX-License-Identifier: MIT
// Finds the neighbours among bars and point masses on common lines (end_points.h; docs/theory/end_points.md). Lines are found
// class by class: directions are grouped into classes, and the columns of a class (columns.h) limit the comparisons to bodies
// near the line.
#include "contact/end_points.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "contact/columns.h"
#include "math/vec3.h"

// A body lies on a line if its distance from it is below this fraction of the distances along it. Scenes give coordinates with
// six digits or more.
static const double line_tolerance = 1e-6;

// Directions whose angle is below this belong to one class; larger than line_tolerance, so that a line is in one class.
static const double class_tolerance = 4e-6;

// Two point masses nearer than this fraction of their distances from the origin coincide.
static const double coincidence_tolerance = 1e-12;

enum {
    CLASSES_MAX = 64,   // largest number of directions that are searched one by one; with more, all pairs are compared
    VELOCITIES_MAX = 11 // their differences are at most 55 directions
};

// Two ends that overlap by less than this fraction of their coordinates touch: the overlap is rounding.
static const double overlap_tolerance = 1e-12;

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
        if (carom_norm(across) > line_tolerance * (carom_norm(r) + size))
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

// The contact laws, and the bodies whose contact with some other body is disabled.
typedef struct rules {
    const carom_contact_laws *laws;
    bool *passes; // per body: its contact with some body is disabled; NULL: no contact is disabled
    int body_count;
} rules;

static carom_status find_rules(const carom_extent *extents, int count, const carom_contact_laws *laws, rules *r,
                               carom_error *error) {
    *r = (rules){.laws = laws};
    bool any = laws->general.no_contact;
    for (int i = 0; i < laws->count && !any; i++)
        any = laws->exceptions[i].law.no_contact && laws->exceptions[i].body[0] >= 0;
    if (!any)
        return CAROM_OK;
    for (int i = 0; i < count; i++)
        if (extents[i].body >= r->body_count)
            r->body_count = extents[i].body + 1;
    r->passes = carom_allocate(r->body_count, sizeof *r->passes);
    if (!r->passes)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
    for (int b = 0; b < r->body_count; b++)
        r->passes[b] = laws->general.no_contact;
    for (int i = 0; i < laws->count; i++)
        for (int side = 0; side < 2; side++) {
            int body = laws->exceptions[i].body[side];
            if (laws->exceptions[i].law.no_contact && body >= 0 && body < r->body_count)
                r->passes[body] = true;
        }
    return CAROM_OK;
}

static bool can_pass(const rules *r, const carom_extent *e) {
    return r->passes && r->passes[e->body];
}

// False if contact between the two bodies is disabled.
static bool can_touch(const rules *r, const carom_extent *a, const carom_extent *b) {
    int body[2] = {a->body, b->body};
    return !can_pass(r, a) || !can_pass(r, b) || !carom_contact_law_of(r->laws, body).no_contact;
}

// True if a member between two others can touch both, so that these never meet.
static bool is_between(const rules *r, const carom_extent *members, int i, int j) {
    for (int k = i + 1; k < j; k++)
        if (can_touch(r, &members[i], &members[k]) && can_touch(r, &members[k], &members[j]))
            return true;
    return false;
}

static carom_status refuse_points(const char *first, const char *second, carom_error *error) {
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "point masses '%s' and '%s' are at the same place: contact has no direction; move one of them, or disable "
        "this contact: contact.pairs: [{bodies: [%s, %s], touch: false}]",
        first, second, first, second);
}

// The contact between two members of a line.
static carom_status pair_two(const line *l, const carom_extent *left, const carom_extent *right, carom_contact_list *contacts,
                             carom_error *error) {
    double gap = right->coordinate[0] - left->coordinate[1];
    double round_off = overlap_tolerance * (fabs(left->coordinate[0]) + fabs(right->coordinate[1]));
    if (gap < -round_off)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "bodies '%s' and '%s' overlap by %g at the start: move one of them by that much along their common line",
            left->name, right->name, -gap);
    if (is_point(left) && is_point(right) && gap <= round_off)
        return refuse_points(left->name, right->name, error);
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
static carom_status pair_up(const line *l, carom_extent *members, int count, const rules *r, carom_contact_list *contacts,
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

    for (int i = 0; i < count; i++) {
        // a member that can touch all bodies separates member i from those behind it
        bool hidden = false;
        for (int j = i + 1; j < count && !hidden; j++) {
            bool touches = can_touch(r, &members[i], &members[j]);
            if (touches && !is_between(r, members, i, j)) {
                carom_status status = pair_two(l, &members[i], &members[j], contacts, error);
                if (status)
                    return status;
            }
            hidden = touches && !can_pass(r, &members[j]);
        }
    }
    return CAROM_OK;
}

// True if the angle between two directions is below a small bound.
static bool within(const double a[3], const double b[3], double angle) {
    double across[3];
    carom_cross(a, b, across);
    return carom_norm(across) <= angle * carom_norm(a) * carom_norm(b);
}

static bool is_parallel(const double a[3], const double b[3]) {
    return within(a, b, line_tolerance);
}

// True if two point masses remain on the line through them.
static bool share_line(const carom_extent *a, const carom_extent *b, const line *l, const double gravity[3], bool all_on_it) {
    double u[3], speed = carom_norm(a->velocity) + carom_norm(b->velocity);
    carom_difference(a->velocity, b->velocity, u);
    if (carom_norm(u) > line_tolerance * speed)
        return is_parallel(u, l->direction);
    return all_on_it || (carom_norm(gravity) > 0 && is_parallel(gravity, l->direction));
}

// False if two point masses certainly move off the line through them: a test without roots and divisions, for the case that all
// pairs are compared.
static bool may_share(const carom_extent *a, const carom_extent *b) {
    double u[3], d[3], across[3];
    carom_difference(a->velocity, b->velocity, u);
    carom_difference(b->position[0], a->position[0], d);
    carom_cross(u, d, across);
    double uu = carom_dot(u, u), speed = carom_dot(a->velocity, a->velocity) + carom_dot(b->velocity, b->velocity);
    // (|a| + |b|)^2 <= 2 (a^2 + b^2); the factor 4 covers rounding
    bool moves = uu > 4 * line_tolerance * line_tolerance * speed;
    return !moves || !(carom_dot(across, across) > 4 * line_tolerance * line_tolerance * uu * carom_dot(d, d));
}

static bool line_through(const carom_extent *a, const carom_extent *b, line *l) {
    carom_copy(a->position[0], l->point);
    carom_difference(b->position[0], a->position[0], l->direction);
    double size = carom_norm(a->position[0]) + carom_norm(b->position[0]);
    return carom_normalize(l->direction) > coincidence_tolerance * size;
}

// A line that a bar (second is -1) or two point masses define, and its members in the pool.
typedef struct found_line {
    int first, second;
    line line;
    int begin, count;
} found_line;

// An extent on a line; `next` is the next line of the same extent.
typedef struct membership {
    int extent, line, next;
} membership;

// Input and state of the search.
typedef struct search {
    const carom_extent *extents;
    int count;
    rules rules;
    double (*place)[3]; // of the first end of each extent
    bool *is_bar, *is_free;
    double size;   // of the box around all extents
    int *list;     // scratch, an entry per extent
    int *others;   // scratch, an entry per extent
    int *lines_of; // last membership of each extent, -1 if there is none
    carom_extent *members;
    int line_count, pool_count;
    int64_t line_capacity, pool_capacity;
    found_line *lines;
    membership *pool;
    carom_arena *arena; // owns these arrays except `lines` and `pool`
} search;

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
}

// Reach of the columns: members lie within line_tolerance times the distances along a line, which is parallel to its class
// within class_tolerance, and the box bounds these distances.
static double reach_of(const search *s) {
    return (3 * line_tolerance + class_tolerance) * s->size;
}

// Appends a line with all its members in the columns.
static carom_status add_line(search *s, const carom_columns *columns, const line *l, int first, int second,
                             carom_error *error) {
    found_line *lines = carom_grow(s->lines, s->line_count, &s->line_capacity, sizeof *lines);
    if (!lines)
        return no_memory(error);
    s->lines = lines;
    found_line *f = &lines[s->line_count];
    *f = (found_line){.first = first, .second = second, .line = *l, .begin = s->pool_count};
    int found = carom_columns_collect(columns, l->point, -1, s->list);
    for (int i = 0; i < found; i++) {
        int e = s->list[i];
        if (!lies_on(l, &s->extents[e]))
            continue;
        membership *pool = carom_grow(s->pool, s->pool_count, &s->pool_capacity, sizeof *pool);
        if (!pool)
            return no_memory(error);
        s->pool = pool;
        pool[s->pool_count] = (membership){e, s->line_count, s->lines_of[e]};
        s->lines_of[e] = s->pool_count++;
        f->count++;
    }
    s->line_count++;
    return CAROM_OK;
}

// Directions of lines, nearly parallel ones once. count is -1 if there are more than CLASSES_MAX.
typedef struct directions {
    int count;
    double items[CLASSES_MAX][3];
} directions;

static int class_of(const directions *d, const double direction[3]) {
    for (int c = 0; c < d->count; c++)
        if (within(d->items[c], direction, class_tolerance))
            return c;
    return -1;
}

static void add_direction(directions *d, const double direction[3]) {
    if (d->count < 0 || class_of(d, direction) >= 0)
        return;
    if (d->count == CLASSES_MAX) {
        d->count = -1;
        return;
    }
    carom_copy(direction, d->items[d->count]);
    carom_normalize(d->items[d->count++]);
}

static bool axis_of(const carom_extent *bar, line *l) {
    carom_copy(bar->position[0], l->point);
    carom_difference(bar->position[1], bar->position[0], l->direction);
    return carom_normalize(l->direction) > 0;
}

// True if another bar before this one has the same axis.
static bool is_known_axis(const search *s, const carom_columns *bars, const line *l, int bar) {
    int buckets[CAROM_COLUMN_CELLS], count = carom_columns_find(bars, l->point, buckets);
    for (int b = 0; b < count; b++)
        for (int k = bars->begin[buckets[b]]; k < bars->begin[buckets[b] + 1] && bars->items[k] < bar; k++)
            if (lies_on(l, &s->extents[bars->items[k]]))
                return true;
    return false;
}

// True if a point mass is on the axis of a bar in these columns.
static bool is_on_axis(const search *s, const carom_columns *bars, const carom_extent *point) {
    int buckets[CAROM_COLUMN_CELLS], count = carom_columns_find(bars, point->position[0], buckets);
    for (int b = 0; b < count; b++)
        for (int k = bars->begin[buckets[b]]; k < bars->begin[buckets[b] + 1]; k++) {
            line l;
            if (axis_of(&s->extents[bars->items[k]], &l) && lies_on(&l, point))
                return true;
        }
    return false;
}

// The axes of the bars of one class, each once; point masses on them are no longer free.
static carom_status find_axes(search *s, const directions *d, int class, carom_error *error) {
    carom_columns all, bars;
    double reach = d->count < 0 ? INFINITY : reach_of(s);
    const double *direction = d->count < 0 ? NULL : d->items[class];
    bool made = carom_columns_create(&all, (carom_const_vectors)s->place, NULL, s->count, direction, reach);
    made = carom_columns_create(&bars, (carom_const_vectors)s->place, s->is_bar, s->count, direction, reach) && made;
    carom_status status = made ? CAROM_OK : no_memory(error);
    for (int b = 0; b < s->count && !status; b++) {
        line l;
        if (!s->is_bar[b] || !axis_of(&s->extents[b], &l) || (d->count >= 0 && class_of(d, l.direction) != class))
            continue;
        if (!is_known_axis(s, &bars, &l, b))
            status = add_line(s, &all, &l, b, -1, error);
    }
    for (int i = 0; i < s->count && !status; i++)
        if (s->is_free[i] && is_on_axis(s, &bars, &s->extents[i]))
            s->is_free[i] = false;
    carom_columns_release(&all);
    carom_columns_release(&bars);
    return status;
}

static carom_status find_bars(search *s, carom_error *error) {
    directions d = {0};
    line l;
    for (int b = 0; b < s->count; b++)
        if (s->is_bar[b] && axis_of(&s->extents[b], &l))
            add_direction(&d, l.direction);
    carom_status status = CAROM_OK;
    for (int c = 0; c < (d.count < 0 ? 1 : d.count) && !status; c++)
        status = find_axes(s, &d, c, error);
    return status;
}

static bool share_known_line(const search *s, int a, int b) {
    for (int m = s->lines_of[a]; m >= 0; m = s->pool[m].next)
        for (int n = s->lines_of[b]; n >= 0; n = s->pool[n].next)
            if (s->pool[m].line == s->pool[n].line)
                return true;
    return false;
}

// Lines through two free point masses, in one class of directions.
static carom_status find_lines(search *s, const double direction[3], double reach, const double gravity[3], bool all_on_one,
                               carom_error *error) {
    carom_columns columns;
    carom_status status = CAROM_OK;
    int *others = s->others, known_lines = s->line_count;
    if (!carom_columns_create(&columns, (carom_const_vectors)s->place, s->is_free, s->count, direction, reach))
        status = no_memory(error);
    for (int i = 0; i < s->count && !status; i++) {
        if (!s->is_free[i])
            continue;
        // if the last line of this point contains all points of its column, every pair in it is known; lines of other classes
        // have other columns
        int last = s->lines_of[i];
        if (last >= 0 && s->pool[last].line >= known_lines &&
            s->lines[s->pool[last].line].count == carom_columns_size(&columns, s->place[i]))
            continue;
        int found = carom_columns_collect(&columns, s->place[i], i, others);
        for (int k = 0; k < found && !status; k++) {
            const carom_extent *a = &s->extents[i], *b = &s->extents[others[k]];
            line l;
            // buckets may contain other points; a line of another direction is found in its own class
            if (!may_share(a, b) || !can_touch(&s->rules, a, b) || !line_through(a, b, &l) ||
                (direction && !within(l.direction, direction, class_tolerance + 2 * line_tolerance)))
                continue;
            if (share_line(a, b, &l, gravity, all_on_one) && !share_known_line(s, i, others[k]))
                status = add_line(s, &columns, &l, i, others[k], error);
        }
    }
    carom_columns_release(&columns);
    return status;
}

// The velocities of free point masses, each once; their number, or -1 if there are more than VELOCITIES_MAX.
static int find_velocities(const search *s, double velocities[VELOCITIES_MAX][3]) {
    int count = 0;
    for (int i = 0; i < s->count; i++) {
        const double *v = s->extents[i].velocity;
        bool known = !s->is_free[i];
        for (int k = 0; k < count && !known; k++)
            known = v[0] == velocities[k][0] && v[1] == velocities[k][1] && v[2] == velocities[k][2];
        if (known)
            continue;
        if (count == VELOCITIES_MAX)
            return -1;
        carom_copy(v, velocities[count++]);
    }
    return count;
}

// The directions that a line through two free point masses can have: that of gravity and those of relative velocities.
static void find_directions(const search *s, const double gravity[3], directions *d) {
    double velocities[VELOCITIES_MAX][3];
    int count = find_velocities(s, velocities);
    *d = (directions){.count = count < 0 ? -1 : 0};
    if (carom_norm(gravity) > 0)
        add_direction(d, gravity);
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++) {
            double u[3];
            carom_difference(velocities[a], velocities[b], u);
            if (carom_norm(u) > 0)
                add_direction(d, u);
        }
}

// The line through the first two free point masses, if all others are on it as well.
static bool find_common_line(const search *s, line *l) {
    int first = -1, second = -1;
    for (int i = 0; i < s->count; i++) {
        if (!s->is_free[i])
            continue;
        if (second < 0 && first >= 0 && !line_through(&s->extents[first], &s->extents[i], l))
            return false;
        if (second < 0 && first >= 0)
            second = i;
        first = first < 0 ? i : first;
        if (second >= 0 && !lies_on(l, &s->extents[i]))
            return false;
    }
    return second >= 0;
}

static carom_status find_points(search *s, const double gravity[3], carom_error *error) {
    line common;
    if (find_common_line(s, &common))
        return find_lines(s, common.direction, reach_of(s), gravity, true, error);
    directions d;
    find_directions(s, gravity, &d);
    if (d.count < 0)
        return find_lines(s, NULL, INFINITY, gravity, false, error);
    carom_status status = CAROM_OK;
    for (int c = 0; c < d.count && !status; c++)
        status = find_lines(s, d.items[c], reach_of(s), gravity, false, error);
    return status;
}

// The first two free point masses that coincide, in the order of the first and then of the second; -1 if there are none. The
// direction of the columns, (sqrt 2, sqrt 3, sqrt 5)/sqrt 10, is irrational, so few points of a lattice share a column.
static carom_status find_coincident(const search *s, int pair[2], carom_error *error) {
    static const double direction[3] = {0.44721359549995793, 0.54772255750516607, 0.70710678118654746};
    carom_columns columns;
    int *others = s->others;
    pair[0] = pair[1] = -1;
    double far = 0;
    for (int i = 0; i < s->count; i++)
        far = fmax(far, carom_norm(s->place[i]));
    bool made = carom_columns_create(&columns, (carom_const_vectors)s->place, s->is_free, s->count, direction,
                                     8 * coincidence_tolerance * far);
    for (int i = 0; i < s->count && made && pair[0] < 0; i++) {
        int found = s->is_free[i] ? carom_columns_collect(&columns, s->place[i], i, others) : 0;
        line l;
        for (int k = 0; k < found && pair[0] < 0; k++)
            if (can_touch(&s->rules, &s->extents[i], &s->extents[others[k]]) &&
                !line_through(&s->extents[i], &s->extents[others[k]], &l)) {
                pair[0] = i;
                pair[1] = others[k];
            }
    }
    carom_columns_release(&columns);
    return made ? CAROM_OK : no_memory(error);
}

// Bars first, then pairs of point masses, in their order.
static int by_finders(const void *a_, const void *b_) {
    const found_line *a = a_, *b = b_;
    if ((a->second < 0) != (b->second < 0))
        return a->second < 0 ? -1 : 1;
    return a->first != b->first ? a->first - b->first : a->second - b->second;
}

// The contacts of all lines, in the order of the bodies that define them.
static carom_status pair_all(search *s, carom_contact_list *contacts, carom_error *error) {
    int same[2];
    carom_status status = find_coincident(s, same, error);
    if (s->line_count)
        qsort(s->lines, (size_t)s->line_count, sizeof *s->lines, by_finders);
    const found_line stop = {.first = same[0], .second = same[1]};
    for (int i = 0; i < s->line_count && !status; i++) {
        const found_line *f = &s->lines[i];
        if (same[0] >= 0 && by_finders(f, &stop) > 0)
            break;
        for (int k = 0; k < f->count; k++)
            s->members[k] = s->extents[s->pool[f->begin + k].extent];
        status = pair_up(&f->line, s->members, f->count, &s->rules, contacts, error);
    }
    return !status && same[0] >= 0 ? refuse_points(s->extents[same[0]].name, s->extents[same[1]].name, error) : status;
}

// Allocates what depends on the number of extents, and finds the box around them.
static carom_status begin_search(search *s, carom_error *error) {
    carom_arena *arena = s->arena = carom_arena_create();
    bool enough = arena;
    s->place = carom_arena_reserve(arena, s->count, sizeof *s->place, &enough);
    s->is_bar = carom_arena_reserve(arena, s->count, sizeof *s->is_bar, &enough);
    s->is_free = carom_arena_reserve(arena, s->count, sizeof *s->is_free, &enough);
    s->list = carom_arena_reserve(arena, s->count, sizeof *s->list, &enough);
    s->others = carom_arena_reserve(arena, s->count, sizeof *s->others, &enough);
    s->lines_of = carom_arena_reserve(arena, s->count, sizeof *s->lines_of, &enough);
    s->members = carom_arena_reserve(arena, s->count, sizeof *s->members, &enough);
    if (!enough)
        return no_memory(error);
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, span[3] = {0, 0, 0};
    for (int i = 0; i < s->count; i++) {
        const carom_extent *e = &s->extents[i];
        carom_copy(e->position[0], s->place[i]);
        s->is_free[i] = is_point(e);
        s->is_bar[i] = !s->is_free[i];
        s->lines_of[i] = -1;
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], fmin(e->position[0][k], e->position[1][k]));
            high[k] = fmax(high[k], fmax(e->position[0][k], e->position[1][k]));
            span[k] = high[k] - low[k];
        }
    }
    s->size = carom_norm(span);
    return CAROM_OK;
}

carom_status carom_contact_end_points(const carom_extent *extents, int count, const double gravity[3],
                                      const carom_contact_laws *laws, carom_contact_list *contacts, carom_error *error) {
    search s = {.extents = extents, .count = count};
    carom_status status = find_rules(extents, count, laws, &s.rules, error);
    if (!status)
        status = begin_search(&s, error);
    if (!status)
        status = find_bars(&s, error);
    if (!status)
        status = find_points(&s, gravity, error);
    if (!status)
        status = pair_all(&s, contacts, error);
    free(s.rules.passes);
    carom_arena_release(s.arena);
    free(s.lines);
    free(s.pool);
    return status;
}
