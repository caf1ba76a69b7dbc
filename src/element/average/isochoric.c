// SPDX-License-Identifier: MIT
// Functions that all elements with averaged volumes share (isochoric.h): whether a law can be split into an isochoric and a
// volumetric part, and the derivatives of J. Theory: docs/theory/volumes.md
#include "element/average/isochoric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "material/material.h"
#include "math/cofactor.h"
#include "math/vec3.h"

static bool has_split(const carom_material *material) {
    return material->bulk && (material->isochoric || material->inelastic);
}

carom_status carom_split_accepts(const char *setting, const carom_material *material, carom_error *error) {
    if (has_split(material))
        return CAROM_OK;
    char others[256] = "";
    size_t used = 0;
    const carom_catalogue *all = carom_materials();
    for (int m = 0; m < all->count && used < sizeof others; m++)
        if (has_split((const carom_material *)all->kinds[m]))
            used += (size_t)snprintf(others + used, sizeof others - used, "%s '%s'", used ? "," : "", all->kinds[m]->name);
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "the energy of material '%s' has no isochoric and volumetric parts, which `%s` requires: remove that option, or use "
        "one of:%s",
        material->kind.name, setting, others);
}

// A law is elastoplastic if it reports a plastic strain of its points; this is evaluated with its default parameters.
static bool flows(const carom_material *material) {
    _Alignas(16) char params[4096] = {0};
    double history[CAROM_HISTORY_MAX];
    const carom_inelastic *law = material->inelastic;
    if (!law || !law->show || material->kind.params_size > sizeof params)
        return false;
    carom_param_defaults(material->kind.params, material->kind.param_count, params);
    if (law->size(params, CAROM_POINT_SOLID) <= 0)
        return false;
    law->start(params, CAROM_POINT_SOLID, history);
    return !isnan(law->show(params, CAROM_POINT_SOLID, history, CAROM_INNER_PLASTIC_STRAIN));
}

carom_status carom_split_refuse_flow(const char *instead, const carom_material *material, carom_error *error) {
    return !flows(material)
               ? CAROM_OK
               : carom_fail(error, CAROM_BAD_INPUT,
                            "plastic flow of material '%s' keeps the volume, which makes this element much too stiff "
                            "(volumetric locking): use %s",
                            material->kind.name, instead);
}

double carom_split_growth(const double F[9], double C[9]) {
    double H[9], J, growth;
    carom_mat_cofactor(F, C, &J);
    for (int a = 0; a < 9; a++)
        H[a] = F[a] - (a % 4 == 0);
    carom_mat_growth(H, &growth);
    return growth;
}

// d2J/dF_ij dF_kl = e_ikm e_jln F_mn with the permutation symbol e: i and k determine m = 3 - i - k, and j and l determine n.
void carom_split_add_curvature(double scale, const double F[9], double A[81]) {
    for (int a = 0; a < 81; a++) {
        int i = a / 27, j = a / 9 % 3, k = a / 3 % 3, l = a % 3;
        int sign = (k - i + 3) % 3 == (l - j + 3) % 3 ? 1 : -1;
        if (i != k && j != l)
            A[a] += sign * scale * F[3 * (3 - i - k) + 3 - j - l];
    }
}

// |M^4|^(1/4) in the Frobenius norm, for a symmetric M: never below the largest |eigenvalue|, and at most 9^(1/8) = 1.32 times
// it. M is normalised first, so that no power overflows.
static double fourth_root(double M[81]) {
    double square = 0;
    for (int i = 0; i < 81; i++)
        square += M[i] * M[i];
    double size = sqrt(square);
    if (!(size > 0))
        return size;
    for (int i = 0; i < 81; i++)
        M[i] /= size;
    for (int power = 0; power < 2; power++) {
        double P[81];
        for (int i = 0; i < 81; i++) {
            const double *row = &M[i / 9 * 9], *column = &M[i % 9 * 9]; // symmetric
            double sum = 0;
            for (int k = 0; k < 9; k++)
                sum += row[k] * column[k];
            P[i] = sum;
        }
        memcpy(M, P, sizeof P);
    }
    square = 0;
    for (int i = 0; i < 81; i++)
        square += M[i] * M[i];
    return size * sqrt(sqrt(sqrt(square)));
}

void carom_split_turn(const double A[81], const double L[3][3], double out[81]) {
    double B[81] = {0};
    memset(out, 0, 81 * sizeof *out);
    for (int r = 0; r < 9; r++)
        for (int c = 0; c < 9; c++)
            for (int m = 0; m < 3; m++)
                B[9 * r + c] += A[9 * r + c / 3 * 3 + m] * L[m][c % 3];
    for (int r = 0; r < 9; r++)
        for (int c = 0; c < 9; c++)
            for (int m = 0; m < 3; m++)
                out[9 * r + c] += L[m][r % 3] * B[9 * (r / 3 * 3 + m) + c];
}

// With the Cholesky factor L of G, G = L L^T, the nonzero eigenvalues are those of L^T A L, a matrix of nine by nine for any
// number of nodes.
double carom_split_stiffness(const double A[81], const double G[3][3]) {
    double L[3][3] = {0}, C[81];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double sum = G[i][j];
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            // a plane element has a zero third row
            double root = sqrt(sum > 0 ? sum : 0);
            L[i][j] = i == j ? root : L[j][j] > 0 ? sum / L[j][j] : 0;
        }
    carom_split_turn(A, (carom_const_vectors)L, C);
    return fourth_root(C);
}
