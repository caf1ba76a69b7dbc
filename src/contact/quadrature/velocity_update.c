// SPDX-License-Identifier: MIT
// The positive root is found by a damped Newton iteration on the convex function, with the Hessian A +
// diag(-c/k^2); the smallest root by Newton's method on the equations themselves, which need not converge.
// A is stored densely with a skyline: points couple only with neighbours, which have neighbouring numbers.
#include "contact/quadrature/velocity_update.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/functions.h"
#include "math/vec3.h"

enum {
    ITERATIONS = 80, // quadratic convergence needs about ten
    HALVINGS = 40,   // of a line search: down to rounding
    // below, starting threads costs more than it saves: so many rows of a product take 30 microseconds
    PARALLEL_POINTS = 200,
};

// The equations of the points that take part; names as in the header.
typedef struct equations {
    int n;
    int *point; // index of each in the list of the caller
    int *first; // per row of A: its first nonzero entry
    double *A;  // n x n
    double *H;  // scratch, n x n
    double *b, *c, *k;
    double *Ak, *step, *trial;
} equations;

static void release(equations *q) {
    free(q->point);
    free(q->first);
    free(q->A);
    free(q->H);
    free(q->b);
}

// One block of memory holds the six vectors.
static bool reserve(equations *q, int count) {
    q->point = carom_allocate(count, sizeof *q->point);
    q->first = carom_allocate(count, sizeof *q->first);
    q->A = carom_allocate((int64_t)count * count, sizeof *q->A);
    q->H = carom_allocate((int64_t)count * count, sizeof *q->H);
    q->b = carom_allocate((int64_t)6 * count, sizeof *q->b);
    if (!q->point || !q->first || !q->A || !q->H || !q->b)
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
    const carom_restraint *r = carom_restraint_of(mobility.restraints, node);
    if (r)
        carom_restraint_project(r, free_part);
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
        const carom_restraint *r = carom_restraint_of(mobility.restraints, p->node[i]);
        if (r)
            carom_restraint_project(r, f);
        sum += carom_dot(f, v[p->node[i]]);
    }
    return sum;
}

// Selects the points that have energy to return and can move something, and assembles their equations.
// Energies below 1e-13 of the largest are rounding.
static void assemble(equations *q, const carom_update_point *points, int count, carom_mobility mobility, const double (*v)[3]) {
    double largest = 0;
    for (int l = 0; l < count; l++)
        largest = fmax(largest, -points[l].energy);
    for (int l = 0; l < count; l++)
        if (-points[l].energy > 1e-13 * largest && coupling(&points[l], &points[l], mobility) > 0)
            q->point[q->n++] = l;
            // rows are independent; later ones have more entries
#pragma omp parallel for schedule(dynamic, 8) if (q->n > PARALLEL_POINTS)
    for (int i = 0; i < q->n; i++) {
        const carom_update_point *p = &points[q->point[i]];
        q->b[i] = work_rate(p, mobility, v) + p->driven;
        q->c[i] = p->energy;
        // symmetric by construction
        for (int j = 0; j <= i; j++)
            q->A[i * q->n + j] = q->A[j * q->n + i] = coupling(p, &points[q->point[j]], mobility);
        while (q->A[i * q->n + q->first[i]] == 0)
            q->first[i]++;
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
        q->Ak[i] = 0;
        for (int j = 0; j < q->n; j++)
            q->Ak[i] += q->A[i * q->n + j] * k[j];
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

// Solves H s = s in place by a Cholesky factorisation that respects the skyline; false if H is not positive
// definite.
static bool solve_symmetric(double *H, double *s, const int *first, int n) {
    for (int i = 0; i < n; i++) {
        double *row = H + (ptrdiff_t)i * n;
        for (int j = first[i]; j <= i; j++) {
            const double *other = H + (ptrdiff_t)j * n;
            double sum = row[j];
            for (int m = first[i] > first[j] ? first[i] : first[j]; m < j; m++)
                sum -= row[m] * other[m];
            // off the diagonal, then the square root on it
            if (i > j)
                row[j] = sum / other[j];
            else if (sum > 0)
                row[i] = sqrt(sum);
            else
                return false;
        }
        for (int j = first[i]; j < i; j++)
            s[i] -= row[j] * s[j];
        s[i] /= row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = H + (ptrdiff_t)i * n;
        s[i] /= row[i];
        for (int j = first[i]; j < i; j++)
            s[j] -= row[j] * s[i];
    }
    return true;
}

// Solves H s = s in place by Gaussian elimination with partial pivoting; false if H is singular.
static bool solve_general(double *H, double *s, int n) {
    for (int k = 0; k < n; k++) {
        // the largest pivot of the column
        int p = k;
        for (int i = k + 1; i < n; i++)
            p = fabs(H[i * n + k]) > fabs(H[p * n + k]) ? i : p;
        if (!(fabs(H[p * n + k]) > 0))
            return false;
        for (int j = 0; j < n && p != k; j++) {
            double t = H[k * n + j];
            H[k * n + j] = H[p * n + j];
            H[p * n + j] = t;
        }
        double t = s[k];
        s[k] = s[p];
        s[p] = t;
        for (int i = k + 1; i < n; i++) {
            double f = H[i * n + k] / H[k * n + k];
            for (int j = k + 1; j < n; j++)
                H[i * n + j] -= f * H[k * n + j];
            s[i] -= f * s[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            s[i] -= H[i * n + j] * s[j];
        s[i] /= H[i * n + i];
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

// Newton direction of the convex function; returns the slope along it. Rounding may make H indefinite: a
// growing multiple of the identity cures that.
static double newton_direction(equations *q) {
    // the mean eigenvalue of A is the unit of the shift
    double trace = 0, slope = 0;
    for (int i = 0; i < q->n; i++)
        trace += q->A[i * q->n + i];
    for (double shift = 0;; shift = shift > 0 ? 100 * shift : 1e-12 * trace / q->n) {
        memcpy(q->H, q->A, (size_t)q->n * (size_t)q->n * sizeof *q->H);
        for (int i = 0; i < q->n; i++) {
            q->H[i * q->n + i] += -q->c[i] / (q->k[i] * q->k[i]) + shift;
            q->step[i] = -(q->Ak[i] + q->b[i] + q->c[i] / q->k[i]);
        }
        if (solve_symmetric(q->H, q->step, q->first, q->n))
            break;
    }
    for (int i = 0; i < q->n; i++)
        slope += q->step[i] * (q->Ak[i] + q->b[i] + q->c[i] / q->k[i]);
    return slope;
}

// Starts from the roots of the uncoupled equations.
static void find_positive(equations *q) {
    for (int i = 0; i < q->n; i++)
        q->k[i] = single_root(q->A[i * q->n + i], q->b[i], q->c[i], false);
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

// Newton's method on k (A k + b) + c = 0; false if it does not converge.
static bool find_smallest(equations *q) {
    for (int i = 0; i < q->n; i++)
        q->k[i] = single_root(q->A[i * q->n + i], q->b[i], q->c[i], true);
    multiply(q, q->k);
    for (int n = 0; n < ITERATIONS && !is_solved(q); n++) {
        for (int i = 0; i < q->n; i++) {
            for (int j = 0; j < q->n; j++)
                q->H[i * q->n + j] = q->k[i] * q->A[i * q->n + j];
            q->H[i * q->n + i] += q->Ak[i] + q->b[i];
            // H = diag(k) A + diag(A k + b)
            q->step[i] = -(q->k[i] * (q->Ak[i] + q->b[i]) + q->c[i]);
        }
        if (!solve_general(q->H, q->step, q->n))
            return false;
        for (int i = 0; i < q->n; i++)
            q->k[i] += q->step[i];
        multiply(q, q->k);
    }
    return is_solved(q);
}

// The smallest root is tried if asked for; the positive one always exists.
carom_status carom_velocity_update(carom_update_point *points, int count, carom_mobility mobility, const double (*v)[3],
                                   carom_root root, double *left, carom_error *error) {
    equations q = {0};
    *left = 0;
    if (!reserve(&q, count)) {
        release(&q);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the impulses of %d points", count);
    }
    assemble(&q, points, count, mobility, v);
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
    release(&q);
    return CAROM_OK;
}
