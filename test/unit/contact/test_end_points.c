// SPDX-License-Identifier: MIT
// Tests src/contact/end_points.c, src/contact/columns.c.
// Contacts between ends of bars and points on common lines: found in any order, orientation and position; overlaps are refused.
#include <time.h>

#include "../../support.h"
#include "contact/end_points.h"
#include "math/vec3.h"

enum { MAX = 256 };

// A line in space, and the bodies on it by their coordinates. Body b is a bar from `from` to `to`, or a point if these are
// equal.
typedef struct row {
    double point[3], direction[3];
    int count;
    double from[MAX], to[MAX];
} row;

typedef struct search {
    int count;
    carom_extent extents[MAX];
    char names[MAX][16];
    carom_contact contacts[MAX];
    int contact_count;
    double gravity[3];
    carom_contact_laws laws;
} search;

static void place(const row *r, double s, double position[3]) {
    carom_copy(r->point, position);
    carom_add_scaled(s, r->direction, position);
}

// Bodies are numbered in the order of calls; the nodes of body b are 2 b (from) and 2 b + 1 (to), the same one for a point.
static void add(search *s, const row *r, int i) {
    int b = s->count++;
    bool point = r->from[i] == r->to[i];
    snprintf(s->names[b], sizeof s->names[b], "b%d", b);
    s->extents[b] = (carom_extent){.body = b, .name = s->names[b], .node = {2 * b, 2 * b + !point}};
    place(r, r->from[i], s->extents[b].position[0]);
    place(r, r->to[i], s->extents[b].position[1]);
}

static carom_status find(search *s, carom_error *error) {
    carom_contact_list list = {0};
    carom_status status = carom_contact_end_points(s->extents, s->count, s->gravity, &s->laws, &list, error);
    assert_true(list.count <= MAX);
    s->contact_count = list.count;
    if (list.count)
        memcpy(s->contacts, list.items, (size_t)list.count * sizeof *list.items);
    free(list.items);
    return status;
}

// The contact between two bodies, or NULL; it must lead from `left` to `right`.
static const carom_contact *between(const search *s, int left, int right) {
    for (int c = 0; c < s->contact_count; c++)
        if (s->contacts[c].body[0] == left && s->contacts[c].body[1] == right)
            return &s->contacts[c];
    return NULL;
}

static void random_direction(uint64_t *seed, double d[3]) {
    do
        for (int i = 0; i < 3; i++)
            d[i] = random_real(seed, -1, 1);
    while (carom_norm(d) < 0.2);
    carom_normalize(d);
}

// A row of bars and points in order of the line, some of them touching, bars in both orientations.
static void random_row(uint64_t *seed, int count, bool with_bars, row *r) {
    double at = 0;
    *r = (row){.count = count};
    random_direction(seed, r->direction);
    for (int i = 0; i < 3; i++)
        r->point[i] = random_real(seed, -5, 5);
    bool last_is_point = false;
    for (int i = 0; i < count; i++) {
        bool bar = with_bars && random_real(seed, 0, 1) < 0.7;
        bool touches = random_real(seed, 0, 1) < 0.3 && !(last_is_point && !bar);
        double begin = touches ? at : at + random_real(seed, 0.01, 1), end = bar ? begin + random_real(seed, 0.1, 2) : begin;
        bool turned = random_real(seed, 0, 1) < 0.5;
        r->from[i] = turned ? end : begin;
        r->to[i] = turned ? begin : end;
        at = end;
        last_is_point = !bar;
    }
}

static void shuffle(uint64_t *seed, int *order, int count) {
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int j = (int)random_real(seed, 0, i + 1), t = order[i];
        order[i] = order[j], order[j] = t;
    }
}

// The node of a body of the row at its end of lower or higher coordinate.
static int facing(const row *r, int i, int body, bool high) {
    if (r->from[i] == r->to[i])
        return 2 * body;
    return 2 * body + ((r->to[i] > r->from[i]) == high);
}

static void check_row(const search *s, const row *r, const int *body_of) {
    // the axis has either direction, the same for all contacts of the row
    bool forward = r->count > 1 && between(s, body_of[0], body_of[1]);
    for (int i = 0; i + 1 < r->count; i++) {
        int left = forward ? i : i + 1, right = forward ? i + 1 : i;
        const carom_contact *c = between(s, body_of[left], body_of[right]);
        if (!c)
            fail_msg("neighbours %d and %d of %d have no contact", i, i + 1, r->count);
        assert_int_equal(c->kind, CAROM_CONTACT_END_END);
        assert_int_equal(c->count, 2);
        assert_int_equal(c->node[0], facing(r, left, body_of[left], forward));
        assert_int_equal(c->node[1], facing(r, right, body_of[right], !forward));
        assert_true(c->weight[0] == -1 && c->weight[1] == 1 && c->offset == 0);
        assert_near(carom_dot(c->normal, r->direction), forward ? 1 : -1, 1e-12);
        assert_near(carom_norm(c->normal), 1, 1e-15);
    }
}

// A line of bars and points, bodies in any order: each has contacts with its neighbours only.
static void check_order(uint64_t *seed, int count, bool bars) {
    static search s;
    row r;
    random_row(seed, count, bars, &r);
    int order[MAX], body_of[MAX];
    shuffle(seed, order, r.count);
    s.count = 0;
    for (int i = 0; i < r.count; i++) {
        body_of[order[i]] = i;
        add(&s, &r, order[i]);
    }
    assert_ok(find(&s, error));
    assert_int_equal(s.contact_count, r.count - 1);
    check_row(&s, &r, body_of);
}

// Lines of few and of many bodies.
static void any_order(void **state) {
    (void)state;
    uint64_t seed = 21;
    for (int trial = 0; trial < 3000; trial++)
        check_order(&seed, 1 + trial % 12, trial % 4 != 0);
    seed = 23;
    for (int trial = 0; trial < 20; trial++)
        check_order(&seed, MAX, trial % 2);
}

// Two parallel lines with their bodies in mixed order: contacts are within a line only.
static void parallel_lines(void **state) {
    (void)state;
    uint64_t seed = 22;
    static search s;
    for (int trial = 0; trial < 1000; trial++) {
        row rows[2];
        // each row has a bar: a row of points alone has no axis
        for (int k = 0; k < 2; k++) {
            random_row(&seed, 2 + trial % 5, true, &rows[k]);
            for (int i = 0; i < rows[k].count; i++)
                if (rows[k].from[i] == rows[k].to[i] && i + 1 == rows[k].count)
                    rows[k].to[i] += 0.5;
        }
        double across[3];
        memcpy(rows[1].direction, rows[0].direction, sizeof across);
        carom_cross(rows[0].direction, fabs(rows[0].direction[0]) < 0.7 ? VECTOR(1, 0, 0) : VECTOR(0, 1, 0), across);
        carom_copy(rows[0].point, rows[1].point);
        carom_add_scaled(random_real(&seed, 0.01, 2), across, rows[1].point);

        int total = rows[0].count + rows[1].count, order[MAX], body_of[2][MAX];
        shuffle(&seed, order, total);
        s.count = 0;
        for (int i = 0; i < total; i++) {
            int k = order[i] >= rows[0].count, member = order[i] - k * rows[0].count;
            body_of[k][member] = i;
            add(&s, &rows[k], member);
        }
        assert_ok(find(&s, error));
        assert_int_equal(s.contact_count, total - 2);
        check_row(&s, &rows[0], body_of[0]);
        check_row(&s, &rows[1], body_of[1]);
    }
}

// Bars that are not on a common line have no contacts.
static void not_collinear(void **state) {
    (void)state;
    const row rows[] = {
        {.direction = {1, 0, 0}, .to = {1}},
        {.point = {1, 0, 0}, .direction = {0, 1, 0}, .to = {1}},       // perpendicular
        {.point = {2, 0.001, 0}, .direction = {1, 0, 0}, .to = {1}},   // parallel, with a small offset
        {.point = {3, 0, 0}, .direction = {0.8, 0.6, 0}, .to = {1}},   // begins on the line, in another direction
        {.point = {0.5, 0.3, 0.7}, .direction = {0, 0, 1}, .to = {0}}, // a point on none of the lines
    };
    static search s;
    s.count = 0;
    for (int i = 0; i < 5; i++)
        add(&s, &rows[i], 0);
    assert_ok(find(&s, error));
    assert_int_equal(s.contact_count, 0);

    // three points of a triangle at rest: any two define a line, but neither motion nor gravity is along it
    s.count = 0;
    add(&s, &(row){.point = {0, 0, 0}}, 0);
    add(&s, &(row){.point = {1, 0, 0}}, 0);
    add(&s, &(row){.point = {0, 1, 0}}, 0);
    assert_ok(find(&s, error));
    assert_int_equal(s.contact_count, 0);
}

// Point masses have contacts if their relative motion is along their line, or if it is along gravity, in any order of the
// bodies.
static void points_in_any_order(void **state) {
    (void)state;
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const double at[3][3] = {{0, 0, 0}, {1, 0, 0}, {5, 7, 0}};
    static search s;
    for (int o = 0; o < 6; o++)
        for (int with_gravity = 0; with_gravity < 2; with_gravity++) {
            int body_of[3];
            s.count = 0;
            memcpy(s.gravity, VECTOR(with_gravity ? -9.81 : 0, 0, 0), sizeof s.gravity);
            for (int i = 0; i < 3; i++) {
                int k = orders[o][i];
                body_of[k] = i;
                add(&s, &(row){.point = {at[k][0], at[k][1], at[k][2]}}, 0);
                if (k == 0 && !with_gravity)
                    s.extents[i].velocity[0] = 1;
            }
            assert_ok(find(&s, error));
            assert_int_equal(s.contact_count, 1);
            const carom_contact *c = between(&s, body_of[0], body_of[1]);
            const carom_contact *back = between(&s, body_of[1], body_of[0]);
            assert_true((c && c->normal[0] == 1) || (back && back->normal[0] == -1));
        }
    memset(s.gravity, 0, sizeof s.gravity);
}

static void refuse(const double (*spans)[2], int count, const char *message, const char *first, const char *second) {
    static search s;
    row r = {.point = {7, -3, 2}, .direction = {0.6, 0, -0.8}, .count = count};
    s.count = 0;
    for (int i = 0; i < count; i++) {
        r.from[i] = spans[i][0], r.to[i] = spans[i][1];
        add(&s, &r, i);
    }
    carom_error error = {0};
    assert_int_equal(find(&s, &error), CAROM_BAD_INPUT);
    char one[16], other[16];
    snprintf(one, sizeof one, "'%s'", first);
    snprintf(other, sizeof other, "'%s'", second);
    if (!strstr(error.message, message) || !strstr(error.message, one) || !strstr(error.message, other))
        fail_msg("'%s' does not say '%s' of %s and %s", error.message, message, one, other);
}

static void overlaps(void **state) {
    (void)state;
    refuse((const double[][2]){{0, 1}, {0.75, 2}}, 2, "overlap by 0.25 at the start", "b0", "b1");
    refuse((const double[][2]){{2, 0.75}, {1, 0}}, 2, "overlap by 0.25 at the start", "b0", "b1");
    refuse((const double[][2]){{0, 1}, {5, 6}, {5.5, 7}}, 3, "overlap by 0.5 at the start", "b1", "b2");
    // one inside the other, a point inside a bar (also in its middle), the same bar twice
    refuse((const double[][2]){{0, 4}, {1, 2}}, 2, "overlap by", "b0", "b1");
    refuse((const double[][2]){{0, 4}, {1, 1}}, 2, "overlap by 1 at the start", "b0", "b1");
    refuse((const double[][2]){{0, 4}, {2, 2}}, 2, "overlap by 2 at the start", "b0", "b1");
    refuse((const double[][2]){{2, 2}, {0, 4}}, 2, "overlap by 2 at the start", "b0", "b1");
    refuse((const double[][2]){{0, 4}, {0, 4}}, 2, "overlap by 4 at the start", "b0", "b1");
    // the overlap of bodies that are not consecutive
    refuse((const double[][2]){{0, 10}, {1, 2}, {3, 4}}, 3, "overlap by", "b0", "b2");
}

static void coincident_points(void **state) {
    (void)state;
    const char *message = "at the same place: contact has no direction";
    refuse((const double[][2]){{1, 1}, {1, 1}}, 2, message, "b0", "b1");
    refuse((const double[][2]){{0, 0}, {1, 1}, {1, 1}}, 3, message, "b1", "b2");
    refuse((const double[][2]){{0, 0}, {0, 0}, {1, 1}}, 3, message, "b0", "b1");
    refuse((const double[][2]){{3, 3}, {0, 1}, {3, 3}}, 3, message, "b0", "b2");
}

// Touching is allowed: bars end to end, a point at either end of a bar, two points at the two ends.
static void touching(void **state) {
    (void)state;
    static search s;
    row r = {.direction = {0.6, 0.8, 0}, .point = {1e6, 1, 1}, .count = 5, .from = {0, 0, 2, 1, 2}, .to = {0, 1, 1.5, 1.5, 2}};
    s.count = 0;
    for (int i = 0; i < 5; i++)
        add(&s, &r, i);
    assert_ok(find(&s, error));
    assert_int_equal(s.contact_count, 4);
    const int row_order[5] = {0, 1, 3, 2, 4};
    for (int i = 0; i < 4; i++)
        assert_non_null(between(&s, row_order[i], row_order[i + 1]));
}

static void nothing_to_pair(void **state) {
    (void)state;
    static search s;
    s.count = 0;
    assert_ok(find(&s, error));
    assert_int_equal(s.contact_count, 0);
    add(&s, &(row){.direction = {1, 0, 0}, .to = {1}}, 0);
    assert_ok(find(&s, error));
    assert_int_equal(s.contact_count, 0);
}

// Points of a lattice with gaps, with a few velocities along its axes. Further points far away, each with another velocity,
// give more directions than the search sorts by: it then compares every pair, and must find the same contacts.
static void sorted_as_compared(void **state) {
    (void)state;
    uint64_t seed = 24;
    static search s, direct;
    int contacts = 0;
    for (int trial = 0; trial < 300; trial++) {
        s.count = 0;
        for (int i = 0; i < 5 * 5 * 5; i++) {
            if (random_real(&seed, 0, 1) < 0.4)
                continue;
            add(&s, &(row){.point = {i % 5, i / 5 % 5, i / 25}}, 0);
            int axis = (int)random_real(&seed, 0, 6);
            if (axis < 3)
                s.extents[s.count - 1].velocity[axis] = trial % 3 - 1;
        }
        memcpy(s.gravity, VECTOR(0, trial % 2, 0), sizeof s.gravity);
        direct = s;
        for (int i = 0; i < 12; i++) {
            add(&direct, &(row){.point = {100 + 1.7 * i * i, 17.7 + 31.3 * i, 35.5 + 3.1 * i * i * i}}, 0);
            direct.extents[direct.count - 1].velocity[0] = 0.123 * (i + 1);
            direct.extents[direct.count - 1].velocity[1] = 0.456 * (i + 1) * (i + 1);
        }
        assert_ok(find(&s, error));
        assert_ok(find(&direct, error));
        assert_int_equal(s.contact_count, direct.contact_count);
        contacts += s.contact_count;
        for (int c = 0; c < s.contact_count; c++) {
            assert_memory_equal(s.contacts[c].body, direct.contacts[c].body, sizeof s.contacts[c].body);
            assert_memory_equal(s.contacts[c].normal, direct.contacts[c].normal, sizeof s.contacts[c].normal);
        }
    }
    assert_true(contacts > 3000);
}

// If contact is disabled between bodies on a line, the next body with contact is the neighbour, also across other bodies.
static void laws_on_a_line(void **state) {
    (void)state;
    const carom_contact_exception exceptions[] = {
        {{-1, 4}, {.no_contact = true}}, {{1, 2}, {.no_contact = true}}, {{1, 3}, {.no_contact = true}}};
    static search s;
    s.count = 0;
    for (int i = 0; i < 6; i++)
        add(&s, &(row){.direction = {1, 0, 0}, .from = {i}, .to = {i + 0.5}}, 0);
    s.laws = (carom_contact_laws){.count = 3, .exceptions = exceptions};
    assert_ok(find(&s, error));
    const int pairs[][2] = {{0, 1}, {0, 2}, {1, 4}, {2, 3}, {3, 4}, {4, 5}};
    assert_int_equal(s.contact_count, 6);
    for (int i = 0; i < 6; i++)
        assert_non_null(between(&s, pairs[i][0], pairs[i][1]));
    s.laws = (carom_contact_laws){0};
}

// A quarter of a million points: comparing all pairs would take minutes.
static void large_lattice(void **state) {
    (void)state;
    enum { N = 63, COUNT = N * N * N };
    carom_extent *extents = calloc(COUNT, sizeof *extents);
    assert_non_null(extents);
    for (int i = 0; i < COUNT; i++) {
        extents[i] = (carom_extent){.body = i, .name = "p", .node = {i, i}};
        for (int end = 0; end < 2; end++)
            memcpy(extents[i].position[end], VECTOR(0.1 * (i % N), 0.1 * (i / N % N), 0.1 * (i / N / N)), 3 * sizeof(double));
        extents[i].velocity[0] = i % N < N / 2;
    }
    carom_contact_list list = {0};
    clock_t begin = clock();
    assert_ok(carom_contact_end_points(extents, COUNT, VECTOR(0, 0, -1), &(carom_contact_laws){0}, &list, error));
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    // along gravity, and along the relative velocity
    assert_int_equal(list.count, 2 * N * N * (N - 1));
    if (seconds > 30)
        fail_msg("%g s of processor time", seconds);
    free(list.items);
    free(extents);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order),          cmocka_unit_test(parallel_lines),
        cmocka_unit_test(not_collinear),      cmocka_unit_test(points_in_any_order),
        cmocka_unit_test(overlaps),           cmocka_unit_test(coincident_points),
        cmocka_unit_test(touching),           cmocka_unit_test(nothing_to_pair),
        cmocka_unit_test(sorted_as_compared), cmocka_unit_test(laws_on_a_line),
        cmocka_unit_test(large_lattice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
