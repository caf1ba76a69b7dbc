// SPDX-License-Identifier: MIT
// Solves the equations of velocity_update.h for the factors k of the impulses that return energy. The positive root k is found
// by a damped Newton iteration on the convex function, with the Hessian A + diag(-c/k^2); the smallest root by Newton's method
// on the equations themselves, which need not converge. A is stored by rows, its factors within a skyline: points couple only
// with neighbours, which have neighbouring numbers.
#include "contact/quadrature/velocity_update.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "base/kernel.h"
#include "base/sort.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "solver/dense.h"

enum {
    ITERATIONS = 80, // quadratic convergence needs about ten
    HALVINGS = 40,   // of a line search: down to rounding
    // points above which threads share loops: 200 rows of a product take 30 microseconds
    PARALLEL_POINTS = 200,
};

// The equations of the points that take part; names as in the header.
typedef struct equations {
    int n;
    carom_arena *memory; // of all arrays
    int *point;          // index of each in the list of the caller
    int64_t *begin;      // n + 1; the entries of row i of A are begin[i] to begin[i + 1] - 1, in the order of columns
    int *column;
    double *A;
    int64_t *diagonal; // per row: where its entry on the diagonal is
    int *first;        // per row: its first column
    int64_t *row;      // n + 1; entry (i, j) of the factors, first[i] <= j <= i, is H[row[i] + j - first[i]]
    double *H;         // scratch
    double *b, *c, *k;
    double *Ak, *step, *trial;
} equations;

// Reserves the arrays per point; one block of memory holds the six vectors.
static bool reserve(equations *q, int count) {
    q->memory = carom_arena_create();
    bool enough = q->memory;
    q->point = carom_arena_reserve(q->memory, count, sizeof *q->point, &enough);
    q->begin = carom_arena_reserve(q->memory, (int64_t)count + 1, sizeof *q->begin, &enough);
    q->diagonal = carom_arena_reserve(q->memory, count, sizeof *q->diagonal, &enough);
    q->first = carom_arena_reserve(q->memory, count, sizeof *q->first, &enough);
    q->row = carom_arena_reserve(q->memory, (int64_t)count + 1, sizeof *q->row, &enough);
    q->b = carom_arena_reserve(q->memory, (int64_t)6 * count, sizeof *q->b, &enough);
    if (!enough)
        return false;
    q->c = q->b + count;
    q->k = q->c + count;
    q->Ak = q->k + count;
    q->step = q->Ak + count;
    q->trial = q->step + count;
    return true;
}

// F_l.F_m/(2 m) at one node, along its free directions.
static double node_coupling(const double a[3], const double b[3], int node, carom_mobility mobility) {
    double free_part[3];
    carom_copy(b, free_part);
    carom_restraints_project(mobility.restraints, node, free_part);
    return 0.5 * carom_dot(a, free_part) / mobility.mass[node];
}

// A_lm: the sum over common nodes.
static double coupling(const carom_update_point *p, const carom_update_point *q, carom_mobility mobility) {
    double sum = 0;
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < q->count; j++)
            if (p->node[i] == q->node[j])
                sum += node_coupling(p->force[i], q->force[j], p->node[i], mobility);
    return sum;
}

// b_l: the work rate of F_l at the velocities v.
static double work_rate(const carom_update_point *p, carom_mobility mobility, const double (*v)[3]) {
    double sum = 0;
    for (int i = 0; i < p->count; i++) {
        double f[3];
        carom_copy(p->force[i], f);
        carom_restraints_project(mobility.restraints, p->node[i], f);
        sum += carom_dot(f, v[p->node[i]]);
    }
    return sum;
}

// Selects the points that have energy to return and act on a movable node. Energies below 1e-13 of the largest are rounding.
static void select_points(equations *q, const carom_update_point *points, int count, carom_mobility mobility) {
    double largest = 0;
    for (int l = 0; l < count; l++)
        largest = fmax(largest, -points[l].energy);
    for (int l = 0; l < count; l++)
        if (-points[l].energy > 1e-13 * largest && coupling(&points[l], &points[l], mobility) > 0)
            q->point[q->n++] = l;
}

// The equations of each node: those of node `code` are consecutive, in ascending order.
typedef struct incidence {
    int count;
    carom_coded *items, *space;
    int *begin; // per equation: where its nodes begin in `at`
    int *at;    // per node of an equation: where the equations of that node begin in `items`
} incidence;

static bool find_incidence(const equations *q, const carom_update_point *points, incidence *of) {
    int total = 0;
    bool enough = true;
    of->begin = carom_arena_reserve(q->memory, (int64_t)q->n + 1, sizeof *of->begin, &enough);
    for (int i = 0; enough && i < q->n; i++)
        of->begin[i + 1] = total += points[q->point[i]].count;
    of->items = carom_arena_reserve(q->memory, total, sizeof *of->items, &enough);
    of->space = carom_arena_reserve(q->memory, total, sizeof *of->space, &enough);
    of->at = carom_arena_reserve(q->memory, total, sizeof *of->at, &enough);
    if (!enough)
        return false;
    // first by node, to find where each node begins; the item is the place in `at`, in the order of the equations
    for (int i = 0; i < q->n; i++)
        for (int a = 0; a < points[q->point[i]].count; a++)
            of->items[of->begin[i] + a] = (carom_coded){(uint64_t)points[q->point[i]].node[a], of->begin[i] + a};
    of->count = total;
    carom_sort_coded(of->items, of->space, total);
    for (int m = 0, first = 0; m < total; m++) {
        first = m && of->items[m].code == of->items[m - 1].code ? first : m;
        of->at[of->items[m].item] = first;
    }
    // then the equations themselves
    for (int m = 0; m < total; m++) {
        int low = 0, high = q->n;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (of->begin[middle] <= of->items[m].item)
                low = middle;
            else
                high = middle;
        }
        of->items[m].item = low;
    }
    return true;
}

// The columns of row i, each at least once, into `list` (if not NULL); returns how many there are.
static int collect(const incidence *of, int i, int *list) {
    int count = 0;
    for (int a = of->begin[i]; a < of->begin[i + 1]; a++)
        for (int m = of->at[a]; m < of->count && of->items[m].code == of->items[of->at[a]].code; m++, count++)
            if (list)
                list[count] = of->items[m].item;
    return count;
}

// The same in ascending order, each once.
static int sort_columns(const incidence *of, int i, int *list) {
    int all = collect(of, i, list), count = 0;
    qsort(list, (size_t)all, sizeof *list, carom_compare_ints);
    for (int m = 0; m < all; m++)
        if (m == 0 || list[m] != list[m - 1])
            list[count++] = list[m];
    return count;
}

// Columns of all rows, and the skyline.
static bool find_pattern(equations *q, const carom_update_point *points) {
    incidence of = {0};
    bool ready = true;
    int *counts = carom_arena_reserve(q->memory, q->n, sizeof *counts, &ready);
    ready = ready && find_incidence(q, points, &of);
    // capacity for all columns, with repetitions
    for (int i = 0; ready && i < q->n; i++)
        q->begin[i + 1] = q->begin[i] + collect(&of, i, NULL);
    q->column = carom_arena_reserve(q->memory, ready ? q->begin[q->n] : 0, sizeof *q->column, &ready);
#pragma omp parallel for schedule(static) if (q->n > PARALLEL_POINTS)
    for (int i = 0; i < (ready ? q->n : 0); i++)
        counts[i] = sort_columns(&of, i, q->column + q->begin[i]);
    // rows without repetitions are moved together
    for (int64_t i = 0, from = 0; ready && i < q->n; i++) {
        int64_t next = q->begin[i + 1];
        memmove(q->column + q->begin[i], q->column + from, (size_t)counts[i] * sizeof *q->column);
        q->begin[i + 1] = q->begin[i] + counts[i];
        from = next;
        q->first[i] = q->column[q->begin[i]];
        q->row[i + 1] = q->row[i] + i + 1 - q->first[i];
        for (q->diagonal[i] = q->begin[i]; q->column[q->diagonal[i]] != i;)
            q->diagonal[i]++;
    }
    q->A = carom_arena_reserve(q->memory, ready ? q->begin[q->n] : 0, sizeof *q->A, &ready);
    q->H = carom_arena_reserve(q->memory, ready ? q->row[q->n] : 0, sizeof *q->H, &ready);
    return ready;
}

static void assemble(equations *q, const carom_update_point *points, carom_mobility mobility, const double (*v)[3]) {
#pragma omp parallel for schedule(static) if (q->n > PARALLEL_POINTS)
    for (int i = 0; i < q->n; i++) {
        const carom_update_point *p = &points[q->point[i]];
        q->b[i] = work_rate(p, mobility, v) + p->driven;
        q->c[i] = p->energy;
        // symmetric to the last bit: both entries are those of the lower triangle
        for (int64_t e = q->begin[i]; e < q->begin[i + 1]; e++) {
            const carom_update_point *other = &points[q->point[q->column[e]]];
            q->A[e] = q->column[e] <= i ? coupling(p, other, mobility) : coupling(other, p, mobility);
        }
    }
}

// The root of a single equation A k^2 + b k + c = 0: the positive one, or the one that vanishes with c.
// Each form avoids cancellation.
static double single_root(double A, double b, double c, bool smallest) {
    double root = sqrt(b * b - 4 * A * c);
    if (b > 0)
        return -2 * c / (b + root);
    return smallest && b < 0 ? 2 * c / (root - b) : (root - b) / (2 * A);
}

// A k, into q->Ak.
static void multiply(const equations *q, const double *k) {
#pragma omp parallel for schedule(static) if (q->n > PARALLEL_POINTS)
    for (int i = 0; i < q->n; i++) {
        double sum = 0;
        for (int64_t e = q->begin[i]; e < q->begin[i + 1]; e++)
            sum += q->A[e] * k[q->column[e]];
        q->Ak[i] = sum;
    }
}

// True if every equation holds up to rounding; expects A k in Ak.
static bool is_solved(const equations *q) {
    for (int i = 0; i < q->n; i++) {
        // relative to the larger of its terms
        double error = q->k[i] * (q->Ak[i] + q->b[i]) + q->c[i];
        if (!(fabs(error) <= 1e-13 * fmax(-q->c[i], fabs(q->k[i] * q->b[i]))))
            return false;
    }
    return true;
}

// target -= factor * column, for all columns of a row.
CAROM_INLINE void subtract(double *target, double factor, const double *column, int count) {
    for (int k = 0; k < count; k++)
        target[k] -= factor * column[k];
}

// Eliminates column j from the rows below that have an entry there, up to row `last`; `column` is scratch for these entries.
CAROM_INLINE void eliminate_rows(const equations *q, int j, int last, double pivot, double *column) {
    for (int i = j + 1; i <= last; i++) {
        double *entry = q->H + q->row[i] + j - q->first[i];
        column[i] = q->first[i] <= j ? *entry / pivot : 0;
        if (q->first[i] <= j) {
            *entry = column[i];
            subtract(entry + 1, column[i], column + j + 1, i - j);
        }
    }
}

CAROM_KERNEL(eliminate, (const equations *q, int j, int last, double pivot, double *column), (q, j, last, pivot, column),
             eliminate_rows(q, j, last, pivot, column))

// Solves H s = s in place by a Cholesky factorisation that respects the skyline; false if H is not positive
// definite. Outer-product form: columns are eliminated one after another, so that the inner loop runs along a row.
static bool solve_symmetric(const equations *q, double *s, double *column) {
    for (int j = 0, last = 0; j < q->n; j++) {
        double *pivot = q->H + q->row[j] + j - q->first[j];
        if (!(*pivot > 0))
            return false;
        *pivot = sqrt(*pivot);
        // the last row with an entry in columns up to j: since A is symmetric, it is the last column of rows up to j
        int far = q->column[q->begin[j + 1] - 1];
        last = far > last ? far : last;
        eliminate(q, j, last, *pivot, column);
    }
    for (int i = 0; i < q->n; i++) {
        const double *row = q->H + q->row[i] - q->first[i];
        for (int j = q->first[i]; j < i; j++)
            s[i] -= row[j] * s[j];
        s[i] /= row[i];
    }
    for (int i = q->n - 1; i >= 0; i--) {
        const double *row = q->H + q->row[i] - q->first[i];
        s[i] /= row[i];
        for (int j = q->first[i]; j < i; j++)
            s[j] -= row[j] * s[i];
    }
    return true;
}

// k.A k/2 + b.k + sum c ln k; leaves A k in Ak.
static double convex_function(const equations *q, const double *k) {
    double sum = 0;
    multiply(q, k);
    for (int i = 0; i < q->n; i++)
        sum += k[i] * (0.5 * q->Ak[i] + q->b[i]) + q->c[i] * carom_log(k[i]);
    return sum;
}

// Newton direction of the convex function; returns the slope along it. Rounding may make H indefinite; then
// a growing multiple of the identity is added.
static double newton_direction(equations *q) {
    // the mean eigenvalue of A is the unit of the shift
    double trace = 0, slope = 0;
    for (int i = 0; i < q->n; i++)
        trace += q->A[q->diagonal[i]];
    for (double shift = 0;; shift = shift > 0 ? 100 * shift : 1e-12 * trace / q->n) {
        memset(q->H, 0, (size_t)q->row[q->n] * sizeof *q->H);
        for (int i = 0; i < q->n; i++) {
            for (int64_t e = q->begin[i]; e <= q->diagonal[i]; e++)
                q->H[q->row[i] + q->column[e] - q->first[i]] = q->A[e];
            q->H[q->row[i + 1] - 1] += -q->c[i] / (q->k[i] * q->k[i]) + shift;
            q->step[i] = -(q->Ak[i] + q->b[i] + q->c[i] / q->k[i]);
        }
        if (solve_symmetric(q, q->step, q->trial))
            break;
    }
    for (int i = 0; i < q->n; i++)
        slope += q->step[i] * (q->Ak[i] + q->b[i] + q->c[i] / q->k[i]);
    return slope;
}

// Starts from the roots of the uncoupled equations.
static void find_positive(equations *q) {
    for (int i = 0; i < q->n; i++)
        q->k[i] = single_root(q->A[q->diagonal[i]], q->b[i], q->c[i], false);
    double value = convex_function(q, q->k);
    for (int n = 0; n < ITERATIONS && !is_solved(q); n++) {
        double slope = newton_direction(q), s = 1;
        // stay inside k > 0
        for (int i = 0; i < q->n; i++)
            if (q->step[i] < 0)
                s = fmin(s, -0.95 * q->k[i] / q->step[i]);
        double next = HUGE_VAL;
        for (int h = 0; h < HALVINGS; h++, s *= 0.5) {
            for (int i = 0; i < q->n; i++)
                q->trial[i] = q->k[i] + s * q->step[i];
            next = convex_function(q, q->trial);
            // sufficient decrease (Armijo), up to rounding of the function
            if (next <= value + 1e-4 * s * slope + 1e-14 * fabs(value))
                break;
        }
        memcpy(q->k, q->trial, (size_t)q->n * sizeof *q->k);
        value = next;
    }
}

// Newton's method on k (A k + b) + c = 0, with a dense matrix, for comparison with the paper. False if it does not
// converge, or memory is short.
static bool find_smallest(equations *q) {
    bool enough = true;
    double *H = carom_arena_reserve(q->memory, (int64_t)q->n * q->n, sizeof *H, &enough);
    if (!enough)
        return false;
    for (int i = 0; i < q->n; i++)
        q->k[i] = single_root(q->A[q->diagonal[i]], q->b[i], q->c[i], true);
    multiply(q, q->k);
    for (int n = 0; n < ITERATIONS && !is_solved(q); n++) {
        for (int i = 0; i < q->n; i++) {
            memset(H + (ptrdiff_t)i * q->n, 0, (size_t)q->n * sizeof *H);
            for (int64_t e = q->begin[i]; e < q->begin[i + 1]; e++)
                H[(ptrdiff_t)i * q->n + q->column[e]] = q->k[i] * q->A[e];
            H[(ptrdiff_t)i * q->n + i] += q->Ak[i] + q->b[i];
            // H = diag(k) A + diag(A k + b)
            q->step[i] = -(q->k[i] * (q->Ak[i] + q->b[i]) + q->c[i]);
        }
        if (!carom_dense_factorise(q->n, H, q->trial))
            return false;
        carom_dense_substitute(q->n, H, q->trial, q->step);
        for (int i = 0; i < q->n; i++)
            q->k[i] += q->step[i];
        multiply(q, q->k);
    }
    return is_solved(q);
}

// The smallest root is computed for CAROM_ROOT_SMALLEST only; the positive one always exists.
carom_status carom_velocity_update(carom_update_point *points, int count, carom_mobility mobility, const double (*v)[3],
                                   carom_root root, double *left, carom_error *error) {
    equations q = {0};
    *left = 0;
    bool ready = reserve(&q, count);
    if (ready) {
        select_points(&q, points, count, mobility);
        ready = find_pattern(&q, points);
    }
    if (!ready) {
        carom_arena_release(q.memory);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the impulses of %d points", count);
    }
    assemble(&q, points, mobility, v);
    if (root == CAROM_ROOT_POSITIVE || !find_smallest(&q))
        find_positive(&q);
    multiply(&q, q.k);
    for (int l = 0; l < count; l++) {
        // points that do not take part return nothing
        points[l].factor = 0;
        *left -= points[l].energy;
    }
    for (int i = 0; i < q.n; i++) {
        points[q.point[i]].factor = q.k[i];
        // the work that the impulses actually do
        *left -= q.k[i] * (q.Ak[i] + q.b[i]);
    }
    carom_arena_release(q.memory);
    return CAROM_OK;
}
