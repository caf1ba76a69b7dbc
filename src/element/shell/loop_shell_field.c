// SPDX-License-Identifier: MIT
// Output fields of a shell, as means over the area of the element. Forces and moments per length of the deformed shell are
// tensors of space,
//     N = (J_0/J) n^ab a_a (x) a_b,   M = (J_0/J) m^ab a_a (x) a_b,
// with the area elements J_0 and J of the reference and the deformed surface. The von Mises stress is that of the Cauchy stress
// at the face of the shell where it is larger; for a law with history, in the layer where it is largest (loop_shell_layers.c).
// For the St. Venant-Kirchhoff law it is computed in batches (loop_shell_stress.c). Curvatures are the eigenvalues of g^ac
// b_cb, negative for a sphere whose normals point outward.
#include <math.h>
#include <string.h>

#include "element/shell/loop_shell.h"
#include "math/sym3.h"
#include "math/vec3.h"

enum {
    MEMBRANE_FORCE,
    BENDING_MOMENT,
    VON_MISES,
    THICKNESS,
    PRINCIPAL_CURVATURE,
    MEMBRANE_ENERGY,
    BENDING_ENERGY,
    SHOWN_MAX = 6
};

// The components xx, yy, zz, xy, yz, xz of s^ab a_a (x) a_b.
static void push(const carom_shell_point *p, const double s[3], double factor, double tensor[6]) {
    const double *a1 = p->y[0], *a2 = p->y[1];
    for (int c = 0; c < 6; c++) {
        int i = carom_sym3_row[c], j = carom_sym3_column[c];
        tensor[c] = factor * (s[0] * a1[i] * a1[j] + s[1] * a2[i] * a2[j] + s[2] * (a1[i] * a2[j] + a2[i] * a1[j]));
    }
}

static double von_mises(const double s[6]) {
    double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

// The von Mises stress at the face z = side t/2.
static double face_stress(const carom_shell *s, int e, int q, const carom_shell_point *p, const double strain[6], double growth,
                          double side) {
    double metric[3], E[3], S[3], thinning, tensor[6];
    for (int k = 0; k < 3; k++) {
        metric[k] = *carom_shell_data(s, e, q, CAROM_SHELL_METRIC + k);
        E[k] = strain[k] + 0.5 * side * s->thickness * strain[3 + k];
    }
    if (!(s->block->material->sheet(s->block->material_params, metric, E, S, NULL, &thinning) < HUGE_VAL))
        return 0;
    push(p, S, 1 / (growth * thinning), tensor);
    return von_mises(tensor);
}

// One field at one point.
static void show(const carom_shell *s, int e, int q, const carom_shell_point *p, int field, double value[SHOWN_MAX]) {
    double area = *carom_shell_data(s, e, q, CAROM_SHELL_AREA), strain[6], force[6], membrane = 0, metric[3], thinning = 1;
    for (int k = 0; k < 3; k++)
        metric[k] = *carom_shell_data(s, e, q, CAROM_SHELL_METRIC + k);
    double growth = p->J / sqrt(metric[0] * metric[1] - metric[2] * metric[2]);
    carom_shell_strain(s, e, q, p, strain);
    if (s->layers && (field == VON_MISES || field == THICKNESS)) {
        carom_shell_shown layers = carom_shell_layers_show(s, e, q, strain);
        value[0] = field == VON_MISES ? layers.von_mises : s->thickness * layers.thinning;
        return;
    }
    double all = carom_shell_law(s, e, q, strain, force, NULL, &membrane);
    // Where the law is undefined the forces count as zero; guards of the run report such a state.
    if (!(all < HUGE_VAL)) {
        memset(force, 0, sizeof force);
        all = membrane = 0;
    }
    // Mean and Gaussian curvature; the principal ones are the roots of k^2 - 2 mean k + gauss = 0.
    double det = p->J * p->J, mean = 0.5 * (p->g[1] * p->b[0] + p->g[0] * p->b[1] - 2 * p->g[2] * p->b[2]) / det;
    double gauss = (p->b[0] * p->b[1] - p->b[2] * p->b[2]) / det, root = sqrt(fmax(mean * mean - gauss, 0));
    switch (field) {
    case MEMBRANE_FORCE: push(p, force, 1 / (growth * area), value); break;
    case BENDING_MOMENT: push(p, force + 3, 1 / (growth * area), value); break;
    case VON_MISES:
        value[0] = fmax(face_stress(s, e, q, p, strain, growth, 1), face_stress(s, e, q, p, strain, growth, -1));
        break;
    case THICKNESS:
        s->block->material->sheet(s->block->material_params, metric, strain, NULL, NULL, &thinning);
        value[0] = s->thickness * thinning;
        break;
    case PRINCIPAL_CURVATURE:
        value[0] = mean + root;
        value[1] = mean - root;
        break;
    case MEMBRANE_ENERGY: value[0] = membrane / area; break;
    default: value[0] = (all - membrane) / area; break;
    }
}

// The mean over the points of element e.
static void show_element(const carom_shell *s, int e, const double (*x)[3], int field, int components, double *values) {
    double area = 0, sum[SHOWN_MAX] = {0};
    for (int q = 0; q < s->point_count; q++) {
        carom_shell_rows rows;
        carom_shell_point point;
        double own = *carom_shell_data(s, e, q, CAROM_SHELL_AREA), value[SHOWN_MAX] = {0};
        carom_shell_read_rows(s, e, q, &rows);
        carom_shell_place(s, e, &rows, x, &point);
        show(s, e, q, &point, field, value);
        area += own;
        for (int c = 0; c < components; c++)
            sum[c] += own * value[c];
    }
    for (int c = 0; c < components; c++)
        values[c] = sum[c] / area;
}

double carom_shell_von_mises(const carom_block *block, int e, const double (*x)[3]) {
    carom_shell s = carom_shell_of(block);
    double value;
    show_element(&s, e, x, VON_MISES, 1, &value);
    return value;
}

void carom_shell_field(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], int field,
                       double *values) {
    (void)X;
    carom_shell s = carom_shell_of(block);
    int components = block->element->fields[field].components;
    bool batched = field == VON_MISES && carom_shell_is_batched(block);
    if (batched && carom_shell_kernel_von_mises(block, begin, end, x, values))
        return;
    for (int e = begin; e < end; e++)
        if (!batched || isnan(values[e]))
            show_element(&s, e, x, field, components, &values[(ptrdiff_t)components * e]);
}
