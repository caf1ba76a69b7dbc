// SPDX-License-Identifier: MIT
// Frequencies of solids: the lowest ones of a free cube, and the highest one, which limits the step.
//
// The reference of the cube is Ritz' method with products of Legendre polynomials of total degree up to 8 (W. M. Visscher et
// al., J. Acoust. Soc. Am. 90 (1991) 2154, with powers): upper bounds that are exact to five digits for the lowest modes. One
// mode of the cube is known in closed form, Lame's: omega a/c_t = sqrt(2) pi.
#include "../solids.h"
#include "carom/threads.h"

#define PI 3.14159265358979323846

enum { VECTORS = 26, MODES = 20, CHECKED = 5, DEGREE = 8 };

// A symmetric matrix K, rows i with columns i - band ... i, and a diagonal M.
typedef struct pencil {
    int size, band;
    double *K, *M;
} pencil;

static double *entry(pencil *p, int i, int j) {
    assert_true(j <= i && i - j <= p->band);
    return &p->K[(int64_t)i * (p->band + 1) + j - i + p->band];
}

static pencil pencil_of(int size, int band) {
    return (pencil){size, band, solid_reserve((int64_t)size * (band + 1), sizeof(double)), solid_reserve(size, sizeof(double))};
}

static void pencil_release(pencil *p) {
    free(p->K);
    free(p->M);
}

// K + shift M = L L^T in place.
static void factor(pencil *p, double shift) {
    for (int i = 0; i < p->size; i++)
        *entry(p, i, i) += shift * p->M[i];
    for (int i = 0; i < p->size; i++)
        for (int j = i > p->band ? i - p->band : 0; j <= i; j++) {
            int first = i > p->band ? i - p->band : 0;
            first = j - p->band > first ? j - p->band : first;
            const double *a = entry(p, i, first), *b = entry(p, j, first);
            double sum = *entry(p, i, j);
            for (int k = 0; k < j - first; k++)
                sum -= a[k] * b[k];
            assert_true(i != j || sum > 0);
            *entry(p, i, j) = i == j ? sqrt(sum) : sum / *entry(p, j, j);
        }
}

static void solve(pencil *p, double *x) {
    for (int i = 0; i < p->size; i++) {
        int first = i > p->band ? i - p->band : 0;
        const double *row = entry(p, i, first);
        for (int j = first; j < i; j++)
            x[i] -= row[j - first] * x[j];
        x[i] /= row[i - first];
    }
    for (int i = p->size - 1; i >= 0; i--) {
        int first = i > p->band ? i - p->band : 0;
        const double *row = entry(p, i, first);
        x[i] /= row[i - first];
        for (int j = first; j < i; j++)
            x[j] -= row[j - first] * x[i];
    }
}

static double product(const pencil *p, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < p->size; i++)
        sum += p->M[i] * a[i] * b[i];
    return sum;
}

// Diagonalises a small symmetric matrix by Jacobi's rotations.
static void jacobi(double A[VECTORS][VECTORS]) {
    for (int sweep = 0; sweep < 15; sweep++)
        for (int p = 0; p < VECTORS; p++)
            for (int q = p + 1; q < VECTORS; q++) {
                if (fabs(A[p][q]) < 1e-300)
                    continue;
                double theta = 0.5 * (A[q][q] - A[p][p]) / A[p][q];
                double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < VECTORS; k++) {
                    double kp = A[k][p], kq = A[k][q];
                    A[k][p] = c * kp - s * kq, A[k][q] = s * kp + c * kq;
                }
                for (int k = 0; k < VECTORS; k++) {
                    double pk = A[p][k], qk = A[q][k];
                    A[p][k] = c * pk - s * qk, A[q][k] = s * pk + c * qk;
                }
            }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The lowest MODES values of omega, by inverse iteration of a subspace: Y = (K + shift M)^-1 M X.
static void lowest(pencil *p, double shift, double omega[MODES]) {
    uint64_t seed = 5;
    double *X = solid_reserve((int64_t)VECTORS * p->size, sizeof *X), *Y = solid_reserve((int64_t)VECTORS * p->size, sizeof *Y);
    for (int64_t i = 0; i < (int64_t)VECTORS * p->size; i++)
        Y[i] = random_real(&seed, -1, 1);
    factor(p, shift);
    double A[VECTORS][VECTORS], values[VECTORS];
    for (int iteration = 0; iteration < 14; iteration++) {
        // orthonormal, twice for rounding
        for (int v = 0; v < VECTORS; v++) {
            double *y = &Y[(int64_t)v * p->size];
            for (int u = 0; u < 2 * v; u++) {
                const double *other = &Y[(int64_t)(u % v) * p->size];
                double share = product(p, y, other);
                for (int i = 0; i < p->size; i++)
                    y[i] -= share * other[i];
            }
            double length = sqrt(product(p, y, y));
            for (int i = 0; i < p->size; i++)
                y[i] /= length;
        }
        memcpy(X, Y, sizeof *X * (size_t)VECTORS * (size_t)p->size);
        for (int v = 0; v < VECTORS; v++) {
            double *y = &Y[(int64_t)v * p->size];
            for (int i = 0; i < p->size; i++)
                y[i] *= p->M[i];
            solve(p, y);
        }
    }
    for (int u = 0; u < VECTORS; u++)
        for (int v = 0; v < VECTORS; v++)
            A[u][v] = product(p, &X[(int64_t)u * p->size], &Y[(int64_t)v * p->size]);
    jacobi(A);
    for (int v = 0; v < VECTORS; v++)
        values[v] = 1 / A[v][v] - shift;
    qsort(values, VECTORS, sizeof *values, ascending);
    // six rigid motions cost nothing
    for (int v = 0; v < 6; v++)
        assert_near(values[v], 0, 1e-9);
    for (int v = 0; v < MODES; v++)
        omega[v] = sqrt(fmax(values[v], 0));
    free(X);
    free(Y);
}

static const carom_elastic_params steel = {.young = 2.6, .poisson = 0.3, .density = 1}; // c_t = 1

// Legendre's polynomials on [-1, 1], orthonormal, and their derivatives.
static void legendre(double x, double P[DEGREE + 1], double D[DEGREE + 1]) {
    P[0] = 1, P[1] = x;
    D[0] = 0, D[1] = 1;
    for (int n = 1; n < DEGREE; n++) {
        P[n + 1] = ((2 * n + 1) * x * P[n] - n * P[n - 1]) / (n + 1);
        D[n + 1] = D[n - 1] + (2 * n + 1) * P[n];
    }
    for (int n = 0; n <= DEGREE; n++)
        P[n] *= sqrt(n + 0.5), D[n] *= sqrt(n + 0.5);
}

static void ritz(double omega[MODES]) {
    // integrals of products in one dimension, by Simpson's rule on so many points that rounding is all that remains
    static double I[3][DEGREE + 1][DEGREE + 1]; // P P, P' P, P' P'
    memset(I, 0, sizeof I);
    enum { POINTS = 4000 };
    for (int k = 0; k <= POINTS; k++) {
        double P[DEGREE + 1], D[DEGREE + 1], weight = (k % POINTS == 0 ? 1 : k % 2 ? 4 : 2) * 2.0 / (3 * POINTS);
        legendre(2.0 * k / POINTS - 1, P, D);
        for (int a = 0; a <= DEGREE; a++)
            for (int b = 0; b <= DEGREE; b++) {
                I[0][a][b] += weight * P[a] * P[b];
                I[1][a][b] += weight * D[a] * P[b];
                I[2][a][b] += weight * D[a] * D[b];
            }
    }
    int power[600][4], count = 0;
    for (int c = 0; c < 3; c++)
        for (int l = 0; l <= DEGREE; l++)
            for (int m = 0; l + m <= DEGREE; m++)
                for (int n = 0; l + m + n <= DEGREE; n++)
                    memcpy(power[count++], (const int[]){l, m, n, c}, sizeof power[0]);
    pencil p = pencil_of(count, count - 1);
    double mu = 1, lambda = 1.5;
    for (int i = 0; i < count; i++) {
        p.M[i] = 1;
        for (int j = 0; j <= i; j++) {
            // G_ab = integral of d_a phi_i d_b phi_j
            double G[3][3];
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) {
                    G[a][b] = 1;
                    for (int d = 0; d < 3; d++) {
                        int s = power[i][d], t = power[j][d];
                        G[a][b] *= a == d && b == d ? I[2][s][t] : a == d ? I[1][s][t] : b == d ? I[1][t][s] : I[0][s][t];
                    }
                }
            int c = power[i][3], e = power[j][3];
            // the cube has side 2 here: omega is half that of side 1
            *entry(&p, i, j) = 4 * (lambda * G[c][e] + mu * G[e][c] + (c == e ? mu * (G[0][0] + G[1][1] + G[2][2]) : 0));
        }
    }
    lowest(&p, 1, omega);
    pencil_release(&p);
}

static void assembled(const solid_case *c, int n, double omega[MODES]) {
    solid s;
    solid_start(&s, c, VECTOR(1, 1, 1), (const int[]){n, n, n}, "linear", steel);
    bench_build(&s.b);
    const double(*X)[3] = (const double(*)[3])s.b.model->X;
    int size = 3 * s.b.model->node_count, reach = solid_is_nodal(c) ? 2 : 1;
    pencil p = pencil_of(size, 3 * (reach * ((n + 1) * (n + 1) + n + 2) + 1));
    for (int b = 0; b < s.b.model->block_count; b++) {
        const carom_block *block = &s.b.model->blocks[b];
        int nodes = block->node_count, dofs = 3 * nodes;
        double *K = solid_reserve((int64_t)block->count * dofs * dofs, sizeof *K), *own = K;
        block->element->stiffness(block, 0, block->count, X, X, K);
        for (int e = 0; e < block->count; e++, own += dofs * dofs)
            for (int r = 0; r < dofs; r++)
                for (int k = 0; k < dofs; k++) {
                    int i = 3 * block->nodes[nodes * e + r / 3] + r % 3, j = 3 * block->nodes[nodes * e + k / 3] + k % 3;
                    if (j <= i)
                        *entry(&p, i, j) += own[dofs * r + k];
                }
        free(K);
    }
    for (int i = 0; i < size; i++)
        p.M[i] = s.b.model->mass[i / 3];
    lowest(&p, 1, omega);
    pencil_release(&p);
    bench_end(&s.b);
}

// The first five frequencies, each as often as it occurs (two and three are equal), with eight elements on a side. Those of
// full integration come from below with the square of the size of the elements; those of tetrahedra from both sides.
static void free_cube(void **state) {
    (void)state;
    double exact[MODES], coarse[MODES], fine[MODES];
    ritz(exact);
    int lame = 0;
    for (int m = 6; m < MODES; m++)
        lame += fabs(exact[m] - sqrt(2) * PI) < 1e-3;
    assert_int_equal(lame, 3);
    for (int c = 0; c < SOLID_CASES; c++) {
        const solid_case *kind = &solid_cases[c];
        if (kind->plane)
            continue;
        bool full = strcmp(kind->name, "hex8") == 0, tets = strcmp(kind->name, "tet4") == 0;
        assembled(kind, 8, fine);
        // averages around nodes are softer
        if (solid_is_nodal(kind)) {
            double finer[MODES];
            assembled(kind, 10, finer);
            for (int m = 6; m < 6 + CHECKED; m++) {
                assert_true(fine[m] < finer[m] && finer[m] < exact[m]);
                assert_near(finer[m] / exact[m], 1, 0.06);
                assert_true(log((exact[m] - fine[m]) / (exact[m] - finer[m])) / log(1.25) > 1.8);
            }
            continue;
        }
        for (int m = 6; m < 6 + CHECKED; m++)
            assert_near(fine[m] / exact[m], 1, full || tets ? 0.03 : 0.045);
        if (!full)
            continue;
        assembled(kind, 4, coarse);
        for (int m = 6; m < 6 + CHECKED; m++)
            assert_near(log2((coarse[m] - exact[m]) / (fine[m] - exact[m])), 2, 0.15);
    }
}

// 2/omega_max of a body by power iteration, from above.
static double power_step(const carom_model *model, uint64_t *seed) {
    int n = model->node_count;
    double(*v)[3] = solid_reserve(n, sizeof *v), (*x)[3] = solid_reserve(n, sizeof *x), (*f)[3] = solid_reserve(n, sizeof *f);
    double square = 0;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++)
            v[k][i] = random_real(seed, -1, 1);
    for (int iteration = 0; iteration < 600; iteration++) {
        double length = 0, most = 0, work = 0;
        for (int k = 0; k < n; k++) {
            length += model->mass[k] * carom_dot(v[k], v[k]);
            most = fmax(most, carom_norm(v[k]));
        }
        // small, so that the law is linear: K v = -f(X + v)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < 3; i++) {
                v[k][i] *= 1e-4 / most;
                x[k][i] = model->X[k][i] + v[k][i];
            }
        length *= 1e-8 / (most * most);
        solid_force(model, (const double(*)[3])x, f);
        for (int k = 0; k < n; k++)
            for (int i = 0; i < 3; i++) {
                work -= v[k][i] * f[k][i];
                v[k][i] = -f[k][i] / model->mass[k];
            }
        square = work / length;
    }
    free(v);
    free(x);
    free(f);
    return 2 / sqrt(square);
}

// The step of the model is stable, and at most 15 percent below the limit, on regular meshes of cubes and bricks, and on
// distorted ones.
static void stable_step(void **state) {
    (void)state;
    uint64_t seed = 6;
    static const double sizes[2][3] = {{1, 1, 1}, {0.5, 1, 2}};
    for (int c = 0; c < SOLID_CASES; c++)
        for (int shape = 0; shape < 4; shape++) {
            solid s;
            solid_start(&s, &solid_cases[c], sizes[shape % 2], (const int[]){5, 5, 5}, "linear", steel);
            if (shape > 1)
                solid_distort(&s, sizes[shape % 2], solid_cases[c].plane, 0.025, &seed);
            bench_build(&s.b);
            double step = carom_model_stable_step(s.b.model), limit = power_step(s.b.model, &seed);
            if (!(step <= limit && step >= 0.95 * limit))
                fail_msg("%s, shape %d: step %g, power iteration %g", solid_cases[c].name, shape, step, limit);
            bench_end(&s.b);
        }
}

int main(void) {
    carom_set_threads(1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(free_cube), cmocka_unit_test(stable_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
