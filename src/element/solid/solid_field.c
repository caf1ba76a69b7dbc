// SPDX-License-Identifier: MIT
// Output fields of a solid, from the means of its stress and strain over its volume (solid_tensors.c). Principal values are
// those of the averaged tensors, not averages of principal values.
#include <math.h>
#include <string.h>

#include "element/solid/solid_point.h"
#include "math/lanes.h"

enum { STRESS, VON_MISES, PRINCIPAL_STRESS, PRINCIPAL_STRAIN };

// Number of elements whose tensors are on the stack at a time: 6 kB.
enum { CHUNK = 64 };

CAROM_INLINE void magnitude(const carom_lanes *x, carom_lanes *size) {
    *size = (carom_lanes)((carom_lanes_bits)*x & INT64_MAX);
}

// Sorts two numbers, the larger one first.
CAROM_INLINE void sort_two(carom_lanes *a, carom_lanes *b) {
    carom_lanes_bits less = *a < *b;
    carom_lanes large, small;
    carom_lanes_choose(&less, b, a, &large);
    carom_lanes_choose(&less, a, b, &small);
    *a = large;
    *b = small;
}

// Eigenvalues of A, largest first, by at most ten sweeps of Jacobi rotations, each of which annihilates one off-diagonal entry.
// The error is the rounding of the largest eigenvalue, also for double eigenvalues, where that of the closed form is the square
// root of it. Off-diagonal entries below 1e-18 of the largest entry have no effect and are not rotated; this is decided for
// each lane, and the sweeps end when no lane has such an entry left.
CAROM_INLINE void eigenvalues(carom_lanes A[3][3], carom_lanes values[3]) {
    carom_lanes scale = {0}, zero = {0}, size;
    for (int i = 0; i < 9; i++) {
        magnitude(&A[i / 3][i % 3], &size);
        carom_lanes_bits larger = size > scale;
        carom_lanes_choose(&larger, &size, &scale, &scale);
    }
    const carom_lanes tiny = 1e-18 * scale;
    for (int sweep = 0; sweep < 10; sweep++) {
        carom_lanes_bits rotated = {0};
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            magnitude(&A[i][j], &size);
            carom_lanes_bits rotates = size > tiny;
            rotated |= rotates;
            // Of the two tangents the smaller one, with which the method converges: sign(r) / (|r| + sqrt(r^2 + 1)). If the
            // square of r overflows, the tangent is zero to all digits. Lanes without a rotation also have a tangent of zero.
            carom_lanes ratio = (A[j][j] - A[i][i]) / (2.0 * A[i][j]), square = ratio * ratio + 1.0, root, t, c;
            carom_lanes_bits sign = (carom_lanes_bits)ratio & INT64_MIN;
            magnitude(&ratio, &size);
            carom_lanes_sqrt(&square, &root);
            t = 1.0 / (size + root);
            t = (carom_lanes)(((carom_lanes_bits)t | sign) & rotates);
            square = t * t + 1.0;
            carom_lanes_sqrt(&square, &root);
            c = 1.0 / root;
            carom_lanes s = t * c, p = A[i][k], q = A[j][k], shift = t * A[i][j];
            A[i][i] -= shift;
            A[j][j] += shift;
            carom_lanes_choose(&rotates, &zero, &A[i][j], &A[i][j]);
            A[j][i] = A[i][j];
            A[i][k] = A[k][i] = c * p - s * q;
            A[j][k] = A[k][j] = s * p + c * q;
        }
        int64_t any = 0;
        for (int l = 0; l < CAROM_LANES; l++)
            any |= rotated[l];
        if (!any)
            break;
    }
    for (int i = 0; i < 3; i++)
        values[i] = A[i][i];
    sort_two(&values[0], &values[1]);
    sort_two(&values[1], &values[2]);
    sort_two(&values[0], &values[1]);
}

CAROM_INLINE void principal(const double *tensor, carom_lanes values[3]) {
    static const int place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    carom_lanes A[3][3];
    for (int i = 0; i < 9; i++)
        carom_lanes_load(tensor + CAROM_LANES * place[i / 3][i % 3], &A[i / 3][i % 3]);
    eigenvalues(A, values);
}

CAROM_INLINE void von_mises(const double *stress, carom_lanes *value) {
    carom_lanes s[6];
    for (int c = 0; c < 6; c++)
        carom_lanes_load(stress + CAROM_LANES * c, &s[c]);
    carom_lanes a = s[0] - s[1], b = s[1] - s[2], d = s[2] - s[0];
    carom_lanes square = 0.5 * (a * a + b * b + d * d) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
    carom_lanes_sqrt(&square, value);
}

// Writes the lanes of a batch that lie in [from, to) to the array of a field.
CAROM_INLINE void put(const double *lanes, int components, int first, int from, int to, double *values) {
    for (int l = 0; l < CAROM_LANES; l++)
        for (int c = 0; c < components && first + l >= from && first + l < to; c++)
            values[(ptrdiff_t)components * (first + l - from) + c] = lanes[CAROM_LANES * c + l];
}

CAROM_INLINE void show_batches(const double *tensors, int from, int to, double *const values[]) {
    for (int first = from - from % CAROM_LANES; first < to; first += CAROM_LANES) {
        const double *stress = tensors + carom_lane(first, 0, CAROM_SOLID_TENSORS), *strain = stress + 6 * CAROM_LANES;
        carom_lanes three[3], one;
        double numbers[3 * CAROM_LANES];
        if (values[STRESS])
            put(stress, 6, first, from, to, values[STRESS]);
        if (values[VON_MISES]) {
            von_mises(stress, &one);
            carom_lanes_store(&one, numbers);
            put(numbers, 1, first, from, to, values[VON_MISES]);
        }
        for (int field = PRINCIPAL_STRESS; field <= PRINCIPAL_STRAIN; field++) {
            if (!values[field])
                continue;
            principal(field == PRINCIPAL_STRESS ? stress : strain, three);
            memcpy(numbers, three, sizeof numbers);
            put(numbers, 3, first, from, to, values[field]);
        }
    }
}

CAROM_KERNEL(show, (const double *tensors, int from, int to, double *const values[]), (tensors, from, to, values),
             show_batches(tensors, from, to, values))

void carom_solid_show(const double *tensors, int from, int to, double *const values[]) {
    show(tensors, from, to, values);
}

void carom_solid_put_tensors(int i, const double stress[6], const double strain[6], double *tensors) {
    for (int c = 0; c < 6; c++) {
        tensors[carom_lane(i, c, CAROM_SOLID_TENSORS)] = stress[c];
        tensors[carom_lane(i, 6 + c, CAROM_SOLID_TENSORS)] = strain[c];
    }
}

void carom_solid_fields(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *const values[]) {
    const carom_element_field *fields = block->element->fields;
    for (int first = begin - begin % CAROM_LANES; first < end; first += CHUNK) {
        // lanes without an element are computed as well, but not written
        double tensors[CHUNK * CAROM_SOLID_TENSORS] = {0}, *part[PRINCIPAL_STRAIN + 1];
        int from = first < begin ? begin : first, to = first + CHUNK < end ? first + CHUNK : end;
        carom_solid_tensors(block, first, to, x, X, tensors);
        for (int f = STRESS; f <= PRINCIPAL_STRAIN; f++)
            part[f] = values[f] ? values[f] + (ptrdiff_t)fields[f].components * (from - begin) : NULL;
        carom_solid_show(tensors, from - first, to - first, part);
    }
}

void carom_solid_field(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], int field,
                       double *values) {
    double *all[PRINCIPAL_STRAIN + 1] = {NULL};
    all[field] = values + (ptrdiff_t)block->element->fields[field].components * begin;
    carom_solid_fields(block, begin, end, x, X, all);
}
