// SPDX-License-Identifier: MIT
// Continuous collision detection against exact truth.
//
// Built contacts: a configuration that touches exactly, on a lattice of integers, at a rational time p/q, and integer
// velocities; the positions at both ends are then integers and the contact at p/q is exact. A query that misses it, or is
// later, is wrong.
//
// Decided queries: random corners on a small lattice. The features touch at t if f(t) = 0 (all in one plane) and g_j(t) >= 0
// for all j (the foot inside), polynomials with integer coefficients. Roots are isolated on a dyadic grid by Bernstein
// coefficients, in exact integers; where a g_j is too near zero to tell on the last grid the query is not decided, and not
// counted.
//
// Built misses: a plane between the features, with one unit of an ever finer lattice on both sides together.
#include "../support.h"
#include "carom/contact.h"

typedef __int128 integer;

enum { KINDS = 3, DEGREE = 4, FINEST = 22 };

#if defined(__SANITIZE_ADDRESS__)
enum { SHARE = 20 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { SHARE = 20 };
#else
enum { SHARE = 1 };
#endif
#else
enum { SHARE = 1 };
#endif

typedef struct query {
    int kind; // 0 node-face, 1 edge-edge, 2 node-segment
    long long x[2][4][3];
} query;

static int vertex_count(int kind) {
    return kind == 2 ? 3 : 4;
}

static bool ask(int kind, const double x0[4][3], const double x1[4][3], double *toi) {
    const double tolerance = 1e-6;
    if (kind == 0)
        return carom_ccd_node_face(x0, x1, tolerance, toi);
    return kind == 1 ? carom_ccd_edge_edge(x0, x1, tolerance, toi) : carom_ccd_node_segment(x0, x1, tolerance, toi);
}

// All orders of the vertices that mean the same features.
static const int orders[KINDS][8][4] = {
    {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 2, 1, 3}, {0, 1, 3, 2}, {0, 3, 2, 1}, {0, 1, 2, 3}, {0, 1, 2, 3}},
    {{0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 3, 2}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 0, 1}, {2, 3, 1, 0}, {3, 2, 1, 0}},
    {{0, 1, 2, 0}, {0, 2, 1, 0}, {0, 1, 2, 0}, {0, 2, 1, 0}, {0, 1, 2, 0}, {0, 2, 1, 0}, {0, 1, 2, 0}, {0, 2, 1, 0}},
};

static void place(const query *q, int order, double scale, double x[2][4][3]) {
    for (int end = 0; end < 2; end++)
        for (int k = 0; k < vertex_count(q->kind); k++)
            for (int i = 0; i < 3; i++)
                x[end][k][i] = scale * (double)q->x[end][orders[q->kind][order][k]][i];
}

static void show(const query *q) {
    for (int k = 0; k < vertex_count(q->kind); k++)
        print_message("    {%lld, %lld, %lld} -> {%lld, %lld, %lld}\n", q->x[0][k][0], q->x[0][k][1], q->x[0][k][2],
                      q->x[1][k][0], q->x[1][k][1], q->x[1][k][2]);
}

static int64_t whole(uint64_t *seed, int64_t low, int64_t high) {
    return (int64_t)floor(random_real(seed, (double)low, (double)high + 1));
}

typedef struct polynomial {
    integer c[DEGREE + 1];
} polynomial;

static polynomial times(polynomial a, polynomial b) {
    polynomial r = {{0}};
    for (int i = 0; i <= DEGREE; i++)
        for (int j = 0; i + j <= DEGREE; j++)
            r.c[i + j] += a.c[i] * b.c[j];
    return r;
}

static polynomial plus(polynomial a, polynomial b, int sign) {
    for (int i = 0; i <= DEGREE; i++)
        a.c[i] += sign * b.c[i];
    return a;
}

typedef struct vector {
    polynomial at[3];
} vector;

static vector between(const query *q, int from, int to) {
    vector r = {0};
    for (int i = 0; i < 3; i++) {
        r.at[i].c[0] = q->x[0][to][i] - q->x[0][from][i];
        r.at[i].c[1] = q->x[1][to][i] - q->x[1][from][i] - r.at[i].c[0];
    }
    return r;
}

static polynomial dot(const vector *a, const vector *b) {
    polynomial r = times(a->at[0], b->at[0]);
    r = plus(r, times(a->at[1], b->at[1]), 1);
    return plus(r, times(a->at[2], b->at[2]), 1);
}

static vector cross(const vector *a, const vector *b) {
    vector r;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        r.at[i] = plus(times(a->at[j], b->at[k]), times(a->at[k], b->at[j]), -1);
    }
    return r;
}

// f and the g_j of a query; how many of these.
static int conditions(const query *q, polynomial *f, polynomial g[4]) {
    if (q->kind == 0) {
        vector d[3] = {between(q, 0, 1), between(q, 0, 2), between(q, 0, 3)};
        vector a = between(q, 1, 2), b = between(q, 1, 3), n = cross(&a, &b);
        *f = dot(&d[0], &n);
        for (int j = 0; j < 3; j++) {
            vector turn = cross(&d[j], &d[(j + 1) % 3]);
            g[j] = dot(&turn, &n);
        }
        return 3;
    }
    if (q->kind == 1) {
        vector r = between(q, 2, 0), a = between(q, 0, 1), b = between(q, 2, 3), n = cross(&a, &b);
        vector br = cross(&b, &r), ar = cross(&a, &r);
        polynomial square = dot(&n, &n);
        *f = dot(&r, &n);
        g[0] = dot(&br, &n);
        g[1] = plus(square, g[0], -1);
        g[2] = dot(&ar, &n);
        g[3] = plus(square, g[2], -1);
        return 4;
    }
    vector d[2] = {between(q, 0, 1), between(q, 0, 2)}, turn = cross(&d[0], &d[1]);
    *f = turn.at[2];
    polynomial product = times(d[0].at[0], d[1].at[0]), zero = {{0}};
    g[0] = plus(zero, plus(product, times(d[0].at[1], d[1].at[1]), 1), -1);
    return 1;
}

// p(k/2^m) 2^(4m)
static integer value_at(const polynomial *p, integer k, int m) {
    integer sum = 0;
    for (int i = DEGREE; i >= 0; i--)
        sum = sum * k + p->c[i] * ((integer)1 << (m * (DEGREE - i)));
    return sum;
}

// 1, -1 if p keeps that sign on the cell for certain, 0 if that is not known.
static int sign_on(const polynomial *p, integer k, int m) {
    long double slope = 0, value = (long double)value_at(p, k, m) / powl(2, DEGREE * m);
    for (int i = 1; i <= DEGREE; i++)
        slope += i * fabsl((long double)p->c[i]);
    long double bound = 1.001L * slope / powl(2, m);
    return value > bound ? 1 : value < -bound ? -1 : 0;
}

typedef enum verdict { MISS, HIT, OPEN } verdict;

// When the first contact is: between these times, and whether f is steep there.
typedef struct instant {
    double low, high;
    bool steep;
} instant;

// The first contact in the cell from k/2^m to (k + 1)/2^m.
static verdict decide_cell(const polynomial *f, const polynomial *g, int count, integer k, int m, instant *time) {
    // coefficients of f on the cell in s = 2^m t - k, times 2^(3m); then those of Bernstein, times 3
    integer c[4] = {0};
    for (int i = 3; i >= 0; i--) {
        for (int j = 3; j > 0; j--)
            c[j] = c[j] * k + c[j - 1];
        c[0] = c[0] * k + f->c[i] * ((integer)1 << (m * (3 - i)));
    }
    integer b[4] = {3 * c[0], 3 * c[0] + c[1], 3 * c[0] + 2 * c[1] + c[2], 3 * (c[0] + c[1] + c[2] + c[3])};
    if ((b[0] > 0 && b[1] > 0 && b[2] > 0 && b[3] > 0) || (b[0] < 0 && b[1] < 0 && b[2] < 0 && b[3] < 0))
        return MISS;
    bool inside = true;
    for (int j = 0; j < count; j++) {
        int sign = sign_on(&g[j], k, m);
        if (sign < 0)
            return MISS;
        inside = inside && sign > 0;
    }
    if (m == FINEST) {
        bool root = b[0] == 0 || b[3] == 0 || (b[0] > 0) != (b[3] > 0);
        polynomial slope = {{f->c[1], 2 * f->c[2], 3 * f->c[3]}};
        *time = (instant){ldexp((double)k, -m), ldexp((double)k + 1, -m), sign_on(&slope, k, m) != 0};
        return inside && root ? HIT : OPEN;
    }
    verdict first = decide_cell(f, g, count, 2 * k, m + 1, time);
    return first != MISS ? first : decide_cell(f, g, count, 2 * k + 1, m + 1, time);
}

static verdict decide(const query *q, instant *time) {
    polynomial f, g[4];
    int count = conditions(q, &f, g);
    bool zero = true;
    for (int i = 0; i <= 3; i++)
        zero = zero && f.c[i] == 0;
    return zero ? OPEN : decide_cell(&f, g, count, 0, 0, time);
}

static void random_lattice(void **state) {
    (void)state;
    uint64_t seed = 7;
    int64_t hits = 0, misses = 0, open = 0, alarms = 0, missed = 0, late = 0, touching = 0, asked = 0;
    double earliest = 0;
    for (int trial = 0; trial < 300000 / SHARE; trial++) {
        // from coarse, with many ties, to fine
        query q = {.kind = trial % KINDS};
        int64_t range = 1 + trial / KINDS % 16;
        for (int end = 0; end < 2; end++)
            for (int k = 0; k < 4; k++)
                for (int i = 0; i < 3; i++)
                    q.x[end][k][i] = whole(&seed, -range, range);
        double x[2][4][3], toi;
        instant time = {1, 1, false};
        verdict truth = decide(&q, &time);
        for (int order = 0; order < 2; order++) {
            place(&q, order == 0 ? 0 : (int)whole(&seed, 1, 5), 1, x);
            bool found = ask(q.kind, (const double(*)[3])x[0], (const double(*)[3])x[1], &toi);
            asked++;
            open += truth == OPEN;
            misses += truth == MISS;
            hits += truth == HIT;
            alarms += truth == MISS && found;
            missed += truth == HIT && !found;
            if (truth != HIT || !found)
                continue;
            late += toi > time.high;
            touching += time.steep ? 0 : 1;
            if (time.steep)
                earliest = fmax(earliest, time.low - toi);
        }
        if (truth == HIT && missed && missed < 5)
            show(&q);
    }
    print_message("random lattice: %lld queries, %lld hits (%lld where f only touches zero), %lld "
                  "misses, %lld not decided; missed %lld, late "
                  "%lld, false alarms %lld, early by %.1e at most\n",
                  (long long)asked, (long long)hits, (long long)touching, (long long)misses, (long long)open, (long long)missed,
                  (long long)late, (long long)alarms, earliest);
    assert_int_equal(missed, 0);
    assert_int_equal(late, 0);
    assert_int_equal(alarms, 0);
    assert_true(earliest < 1e-6);
}

enum { FAMILIES = 10 };

static const char *const family_names[FAMILIES] = {
    "generic", "in one plane", "parallel or on a line", "vertex or edge", "sliver", "fast", "no motion",
    "grazing", "no length",    "far from origin"};

// The velocities of a query of the family, whose features are spanned by u and v.
static void build_velocities(int kind, int family, uint64_t *seed, const int64_t u[3], const int64_t v[3], int64_t V[4][3]) {
    int64_t reach = family == 5 ? 100000 : 20, rigid[3];
    for (int i = 0; i < 3; i++)
        rigid[i] = whole(seed, -reach, reach);
    for (int k = 0; k < vertex_count(kind); k++) {
        int64_t a = whole(seed, -5, 5), b = whole(seed, -5, 5);
        for (int i = 0; i < 3; i++) {
            V[k][i] = whole(seed, -reach, reach);
            if (family == 1)
                V[k][i] = a * u[i] + b * v[i];
            if (family == 2 && whole(seed, 0, 9) < 8)
                V[k][i] = a * u[i] + (k < 2 ? rigid[i] : 0);
            if (family == 6)
                V[k][i] = 0;
            // sliding, with a small part across
            if (family == 7)
                V[k][i] = 50 * (a * u[i] + b * v[i]) + whole(seed, -1, 1);
            if (kind == 2 && i == 2)
                V[k][i] = whole(seed, -9, 9);
        }
    }
}

// A contact at p/q, in the family.
static query build(int kind, int family, uint64_t *seed, int64_t p, int64_t q) {
    query r = {.kind = kind};
    int64_t X[4][3] = {{0}}, V[4][3], u[3], v[3];
    int vertices = vertex_count(kind);

    // two directions that span the features
    for (int i = 0; i < 3; i++) {
        u[i] = whole(seed, -9, 9);
        v[i] = whole(seed, -9, 9);
    }
    if (kind == 2)
        u[2] = v[2] = 0;
    if (family == 2)
        for (int i = 0; i < 3; i++)
            v[i] = whole(seed, -1, 1) * u[i];
    if (family == 4)
        for (int i = 0; i < 3; i++)
            u[i] *= 1000, v[i] = u[i] + (kind == 2 && i == 2 ? 0 : whole(seed, -1, 1));
    if (family == 8)
        for (int i = 0; i < 3; i++)
            v[i] = 0, u[i] = kind == 2 || whole(seed, 0, 1) ? 0 : u[i];

    // the touching configuration around the origin, where the contact is
    int64_t part[3] = {whole(seed, 0, 4), whole(seed, 0, 4), whole(seed, 1, 4)};
    if (family == 3)
        part[whole(seed, 0, 1)] = 0, part[whole(seed, 0, 1)] = 0;
    for (int i = 0; i < 3; i++) {
        if (kind == 0) {
            X[1][i] = part[2] * u[i];
            X[2][i] = part[2] * v[i];
            X[3][i] = -part[0] * u[i] - part[1] * v[i];
        } else if (kind == 1) {
            int64_t end = family == 3 ? 0 : 3;
            X[0][i] = -part[0] * u[i];
            X[1][i] = part[2] * u[i];
            X[2][i] = -part[1] * v[i];
            X[3][i] = end * v[i];
        } else {
            X[1][i] = -part[0] * u[i];
            X[2][i] = part[2] * u[i];
        }
    }

    build_velocities(kind, family, seed, u, v, V);
    int64_t far[3] = {0};
    for (int i = 0; i < 3; i++)
        far[i] = family == 9 ? whole(seed, -1000000000, 1000000000) : whole(seed, -20, 20);
    for (int k = 0; k < vertices; k++)
        for (int i = 0; i < 3; i++) {
            r.x[0][k][i] = far[i] + X[k][i] - p * V[k][i];
            r.x[1][k][i] = far[i] + X[k][i] + (q - p) * V[k][i];
        }
    return r;
}

static void built_contacts(void **state) {
    (void)state;
    uint64_t seed = 11;
    int64_t missed[FAMILIES] = {0}, late[FAMILIES] = {0}, asked = 0, unequal = 0;
    for (int trial = 0; trial < 200000 / SHARE; trial++) {
        int kind = trial % KINDS, family = trial / KINDS % FAMILIES;
        int64_t parts = whole(&seed, 1, 7), p = whole(&seed, 0, parts);
        query q = build(kind, family, &seed, p, parts);
        // scales 1e-3 and 1e3 about the middle one, and powers of two; all exact
        static const double scales[] = {1e3, 1, 1e6, 0x1p-150, 0x1p+120};
        double first = 0;
        for (int s = 0; s < 5; s++) {
            double x[2][4][3], toi = 2;
            int order = s == 1 || s == 2 ? (int)whole(&seed, 0, 7) : 0;
            place(&q, order, scales[s], x);
            bool found = ask(kind, (const double(*)[3])x[0], (const double(*)[3])x[1], &toi);
            asked++;
            missed[family] += !found;
            late[family] += found && (long double)toi * parts > p;
            if ((!found || (long double)toi * parts > p) && missed[family] + late[family] < 3) {
                print_message("%s, kind %d, %lld/%lld, scale %g: %s %.17g\n", family_names[family], kind, (long long)p,
                              (long long)parts, scales[s], found ? "hit at" : "miss", toi);
                show(&q);
            }
            if (s == 3)
                first = toi;
            unequal += s == 4 && toi != first;
        }
    }
    int64_t wrong = 0;
    for (int family = 0; family < FAMILIES; family++) {
        print_message("built, %-22s missed %lld, late %lld\n", family_names[family], (long long)missed[family],
                      (long long)late[family]);
        wrong += missed[family] + late[family];
    }
    print_message("built: %lld queries, %lld differ under scaling by a power of two\n", (long long)asked, (long long)unequal);
    assert_int_equal(wrong, 0);
    assert_int_equal(unequal, 0);
}

// One feature stays in z >= 1, the other in z <= 0, the corners anywhere else up to `size`; then all is sheared by an integer
// matrix of determinant one, so that no axis is special. The pair never comes nearer than about 1/size of its extent.
static query build_miss(int kind, uint64_t *seed, int64_t size) {
    query r = {.kind = kind};
    int64_t shear[6];
    for (int i = 0; i < 6; i++)
        shear[i] = whole(seed, -2, 2);
    int across = kind == 2 ? 1 : 2;
    for (int end = 0; end < 2; end++)
        for (int k = 0; k < 4; k++) {
            long long *x = r.x[end][k];
            for (int i = 0; i < 3; i++)
                x[i] = whole(seed, -size, size);
            bool first = k < (kind == 1 ? 2 : 1);
            int64_t height = whole(seed, 0, 2) == 0 ? 0 : whole(seed, 0, size);
            x[across] = first ? 1 + height : -height;
            x[0] += shear[0] * x[1] + (kind == 2 ? 0 : shear[1] * x[2]);
            x[1] += shear[2] * x[0] + (kind == 2 ? 0 : shear[3] * x[2]);
            x[2] += shear[4] * x[0] + shear[5] * x[1];
        }
    return r;
}

static void built_misses(void **state) {
    (void)state;
    uint64_t seed = 13;
    for (int bits = 8; bits <= 44; bits += 4) {
        int64_t alarms = 0, asked = 60000 / SHARE;
        for (int trial = 0; trial < asked; trial++) {
            query q = build_miss(trial % KINDS, &seed, (int64_t)1 << bits);
            double x[2][4][3], toi;
            place(&q, (int)whole(&seed, 0, 7), 1, x);
            alarms += ask(q.kind, (const double(*)[3])x[0], (const double(*)[3])x[1], &toi);
        }
        print_message("built misses, gap 2^-%d of the size: %lld false alarms in %lld\n", bits, (long long)alarms,
                      (long long)asked);
        if (bits <= 40)
            assert_int_equal(alarms, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_lattice),
        cmocka_unit_test(built_contacts),
        cmocka_unit_test(built_misses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
