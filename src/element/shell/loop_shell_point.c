// SPDX-License-Identifier: MIT
// The shell at one quadrature point, for any law of sheets. With y = (a_1, a_2, a_11, a_22, a_12),
//
//     J = |a_1 x a_2|,  a_3 = a_1 x a_2/J,  g_ab = a_a.a_b,  b_ab = a_ab.a_3,  alpha = (g - G)/2,  beta = b - B
//     W = area * integral of w(alpha + z beta) dz over the thickness: three Gauss points, exact for a law linear in strain
//
// with the reference metric G and curvature B and the energy density w of the law. First derivatives, with n^ab and m^ab
// conjugate to alpha and beta, the contravariant base a^c, q = m^ab a_ab, k^c = q.a^c:
//
//     dW/da_1 = n^11 a_1 + n^12 a_2 - k^1 a_3,  dW/da_2 = n^22 a_2 + n^12 a_1 - k^2 a_3,  dW/da_ab = m^ab a_3
//
// Second derivatives of m^ab b_ab for fixed m:
//
//     d2/da_ab da_c = -m^ab a^c (x) a_3
//     d2/da_c da_d = a_3 (x) (k^d a^c - g^cd (q.a_3) a_3) + k^c a^d (x) a_3
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "element/shell/loop_shell.h"
#include "math/vec3.h"

// The tables of regular patches, computed once: ranges are so short that computing a table would take as long as the kernel.
static double one_point[1][CAROM_LOOP_ROWS][CAROM_LOOP_REGULAR];
static double three_points[CAROM_SHELL_POINTS_MAX][CAROM_LOOP_ROWS][CAROM_LOOP_REGULAR];

static void make_tables(void) {
    carom_loop_points(1, one_point);
    carom_loop_points(CAROM_SHELL_POINTS_MAX, three_points);
}

carom_shell carom_shell_of(const carom_block *block) {
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    pthread_once(&made, make_tables);
    const carom_loop_shell_params *params = block->params;
    int point_count = carom_shell_point_count(params);
    return (carom_shell){
        .block = block,
        .n = block->node_count,
        .point_count = point_count,
        .thickness = params->thickness,
        .layers = block->point_count ? carom_layers_of(params->layers) : NULL,
        .N = (const double(*)[CAROM_LOOP_ROWS][CAROM_LOOP_REGULAR])(point_count == 1 ? one_point : three_points),
    };
}

// The weights of one point, from the table of regular patches or from the data of the element.
void carom_shell_read_rows(const carom_shell *s, int e, int q, carom_shell_rows *rows) {
    const carom_block *block = s->block;
    int n = s->n, size = block->data_size, variant = block->variant;
    int begin = CAROM_SHELL_REFERENCE * s->point_count + carom_shell_weight_size(variant, n) * q;
    memset(rows->offset, 0, sizeof rows->offset);
    for (int a = 0; a < n; a++)
        rows->mass[a] = variant == CAROM_SHELL_REGULAR ? s->N[q][0][a] : block->data[carom_lane(e, begin + a, size)];
    for (int k = 0; k < 3 * CAROM_SHELL_ROWS; k++)
        for (int a = 0; a < n; a++) {
            int row = variant == CAROM_SHELL_AFFINE ? k : k / 3;
            rows->D[k * n + a] = variant == CAROM_SHELL_REGULAR ? s->N[q][1 + k / 3][a]
                                                                : block->data[carom_lane(e, begin + n + row * n + a, size)];
        }
    for (int k = 0; variant == CAROM_SHELL_AFFINE && k < 3 * CAROM_SHELL_ROWS; k++)
        rows->offset[k / 3][k % 3] = block->data[carom_lane(e, begin + 16 * n + k, size)];
}

// The surface at a point: base vectors, normal, metric and curvature from the weights and the nodes.
void carom_shell_place(const carom_shell *s, int e, const carom_shell_rows *rows, const double (*x)[3],
                       carom_shell_point *point) {
    const int *nodes = &s->block->nodes[(ptrdiff_t)s->n * e];
    for (int k = 0; k < 3 * CAROM_SHELL_ROWS; k++) {
        double sum = rows->offset[k / 3][k % 3];
        for (int a = 0; a < s->n; a++)
            sum += rows->D[k * s->n + a] * x[nodes[a]][k % 3];
        point->y[k / 3][k % 3] = sum;
    }
    const double *a1 = point->y[0], *a2 = point->y[1];
    carom_cross(a1, a2, point->normal);
    point->J = carom_normalize(point->normal);
    point->g[0] = carom_dot(a1, a1);
    point->g[1] = carom_dot(a2, a2);
    point->g[2] = carom_dot(a1, a2);
    for (int k = 0; k < 3; k++)
        point->b[k] = carom_dot(point->y[2 + k], point->normal);
    double det = point->J * point->J;
    for (int i = 0; i < 3; i++) {
        point->up[0][i] = (point->g[1] * a1[i] - point->g[2] * a2[i]) / det;
        point->up[1][i] = (point->g[0] * a2[i] - point->g[2] * a1[i]) / det;
    }
}

// Shear components are doubled, so that they are conjugate to the stress components.
void carom_shell_strain(const carom_shell *s, int e, int q, const carom_shell_point *point, double strain[6]) {
    for (int k = 0; k < 3; k++) {
        strain[k] = (k == 2 ? 1 : 0.5) * (point->g[k] - *carom_shell_data(s, e, q, CAROM_SHELL_METRIC + k));
        strain[3 + k] = (k == 2 ? 2 : 1) * (point->b[k] - *carom_shell_data(s, e, q, CAROM_SHELL_CURVATURE + k));
    }
}

double carom_shell_law(const carom_shell *s, int e, int q, const double strain[6], double force[6], double tangent[6][6],
                       double *membrane) {
    if (s->layers)
        return carom_shell_layers_law(s, e, q, strain, force, tangent, membrane);
    // Gauss points of the thickness, +-sqrt(3/5) and 0; the weights add up to one.
    static const double at[3] = {-0.774596669241483377, 0, 0.774596669241483377}, weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    const carom_material *material = s->block->material;
    double metric[3], area = *carom_shell_data(s, e, q, CAROM_SHELL_AREA) * s->thickness, energy = 0;
    for (int k = 0; k < 3; k++)
        metric[k] = *carom_shell_data(s, e, q, CAROM_SHELL_METRIC + k);
    if (force)
        memset(force, 0, 6 * sizeof *force);
    if (tangent)
        memset(tangent, 0, 36 * sizeof **tangent);
    for (int p = 0; p < 3; p++) {
        double z = 0.5 * s->thickness * at[p], E[3], S[3], C[3][3], scale = weight[p] * area;
        for (int k = 0; k < 3; k++)
            E[k] = strain[k] + z * strain[3 + k];
        double w = material->sheet(s->block->material_params, metric, E, force ? S : NULL, tangent ? C : NULL, NULL);
        if (!(w < HUGE_VAL))
            return HUGE_VAL;
        energy += scale * w;
        // The middle point, z = 0, has the membrane strain alone.
        if (p == 1 && membrane)
            *membrane = area * w;
        for (int k = 0; force && k < 3; k++) {
            force[k] += scale * S[k];
            force[3 + k] += scale * z * S[k];
        }
        for (int k = 0; tangent && k < 9; k++) {
            int i = k / 3, j = k % 3;
            tangent[i][j] += scale * C[i][j];
            tangent[i][3 + j] += scale * z * C[i][j];
            tangent[3 + i][j] += scale * z * C[i][j];
            tangent[3 + i][3 + j] += scale * z * z * C[i][j];
        }
    }
    return energy;
}

// q = m^ab a_ab with both a_12 and a_21, and its contravariant components k.
static void bend(const carom_shell_point *p, const double force[6], double q[3], double k[2]) {
    for (int i = 0; i < 3; i++)
        q[i] = force[3] * p->y[2][i] + force[4] * p->y[3][i] + 2 * force[5] * p->y[4][i];
    k[0] = carom_dot(q, p->up[0]);
    k[1] = carom_dot(q, p->up[1]);
}

// The first derivatives (head of this file).
void carom_shell_gradient(const carom_shell_point *p, const double force[6], double z[15]) {
    double q[3], k[2];
    bend(p, force, q, k);
    for (int i = 0; i < 3; i++) {
        z[i] = force[0] * p->y[0][i] + force[2] * p->y[1][i] - k[0] * p->normal[i];
        z[3 + i] = force[1] * p->y[1][i] + force[2] * p->y[0][i] - k[1] * p->normal[i];
        z[6 + i] = force[3] * p->normal[i];
        z[9 + i] = force[4] * p->normal[i];
        z[12 + i] = 2 * force[5] * p->normal[i];
    }
}

// The geometric stiffness: n and m times the second derivatives of the strains (head of this file).
void carom_shell_add_geometric(const carom_shell_point *p, const double force[6], double h[15][15]) {
    const double *a3 = p->normal, moment[3] = {force[3], force[4], 2 * force[5]};
    double q[3], k[2], up[2][2];
    bend(p, force, q, k);
    double q3 = carom_dot(q, a3);
    for (int c = 0; c < 2; c++)
        for (int e = 0; e < 2; e++)
            up[c][e] = carom_dot(p->up[c], p->up[e]);
    for (int i = 0; i < 3; i++) {
        h[i][i] += force[0];
        h[3 + i][3 + i] += force[1];
        h[i][3 + i] += force[2];
        h[3 + i][i] += force[2];
        for (int j = 0; j < 3; j++)
            for (int c = 0; c < 2; c++) {
                for (int m = 0; m < 3; m++) {
                    double v = moment[m] * p->up[c][i] * a3[j];
                    h[6 + 3 * m + i][3 * c + j] -= v;
                    h[3 * c + j][6 + 3 * m + i] -= v;
                }
                for (int e = 0; e < 2; e++)
                    h[3 * c + i][3 * e + j] +=
                        a3[i] * (k[e] * p->up[c][j] - up[c][e] * q3 * a3[j]) + k[c] * p->up[e][i] * a3[j];
            }
    }
}

// The gradients of the strains: each is the gradient of the energy for a conjugate force of 1. 2 alpha_12 and 2 beta_12 are
// strains 2 and 5.
void carom_shell_strain_gradients(const carom_shell_point *p, double d[6][15]) {
    for (int s = 0; s < 6; s++) {
        double unit[6] = {0};
        unit[s] = 1;
        carom_shell_gradient(p, unit, d[s]);
    }
}

// The material part d^T C d, with d the gradients of the strains, and the geometric part.
void carom_shell_hessian(const carom_shell_point *p, const double force[6], const double tangent[6][6], double h[15][15]) {
    double d[6][15];
    carom_shell_strain_gradients(p, d);
    for (int r = 0; r < 15; r++)
        for (int c = 0; c < 15; c++) {
            double sum = 0;
            for (int s = 0; s < 6; s++)
                for (int t = 0; t < 6; t++)
                    sum += d[s][r] * tangent[s][t] * d[t][c];
            h[r][c] = sum;
        }
    carom_shell_add_geometric(p, force, h);
}
