// SPDX-License-Identifier: MIT
// Functions of elements without stored energy: energy, forces and stiffness are zero, and the stable step is unbounded.
#include "element/line/no_energy.h"

#include <math.h>
#include <string.h>

void carom_no_energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *energy) {
    (void)block, (void)x, (void)X;
    for (int e = begin; e < end; e++)
        energy[e] = 0;
}

void carom_no_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force) {
    (void)x, (void)X;
    int size = 3 * block->node_count;
    for (int e = begin; e < end; e++)
        for (int i = 0; i < size; i++)
            force[carom_lane(e, i, size)] = 0;
}

static void clear_matrices(const carom_block *block, int begin, int end, double *matrices) {
    size_t size = 9 * (size_t)block->node_count * (size_t)block->node_count;
    memset(matrices + size * (size_t)begin, 0, size * sizeof(double) * (size_t)(end - begin));
}

void carom_no_stiffness(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *stiffness) {
    (void)x, (void)X;
    clear_matrices(block, begin, end, stiffness);
}

void carom_no_balanced(const carom_block *block, int begin, int end, const double (*x0)[3], const double (*x1)[3],
                       const double (*X)[3], double *force, double *tangent) {
    (void)x1;
    carom_no_force(block, begin, end, x0, X, force);
    if (tangent)
        clear_matrices(block, 0, end - begin, tangent);
}

void carom_no_stable_step(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                          double *step) {
    (void)block, (void)x, (void)X;
    for (int e = begin; e < end; e++)
        step[e] = HUGE_VAL;
}

bool carom_no_energy_turns_freely(const carom_block *block) {
    (void)block;
    return true;
}
