// SPDX-License-Identifier: MIT
// One update of one contact by projected Gauss-Seidel, in a thread of a device: loads its record and velocities, updates them
// (contact/impact/sweep_body.h), and stores them.
#ifndef CAROM_DEVICE_THREADS_SWEEP_H
#define CAROM_DEVICE_THREADS_SWEEP_H

#include <string.h>

#include "device/calls.h"

// The index of part p of the record of contact i: records are stored in groups of 32, part by part.
CAROM_INLINE ptrdiff_t carom_thread_part_place(int i, int p) {
    return ((ptrdiff_t)(i / 32) * CAROM_THREAD_PARTS + p) * 32 + i % 32;
}

// Rows bypass the first-level cache, since threads of other multiprocessors change them between two barriers.
#ifdef __CUDACC__
CAROM_INLINE void carom_thread_take_row(const double *row, double v[3]) {
    double2 first = __ldcg((const double2 *)row);
    v[0] = first.x, v[1] = first.y, v[2] = __ldcg(row + 2);
}

CAROM_INLINE void carom_thread_put_row(double *row, const double v[3]) {
    __stcg((double2 *)row, make_double2(v[0], v[1]));
    __stcg(row + 2, v[2]);
}
#else
CAROM_INLINE void carom_thread_take_row(const double *row, double v[3]) {
    carom_copy(row, v);
}

CAROM_INLINE void carom_thread_put_row(double *row, const double v[3]) {
    carom_copy(v, row);
}
#endif

CAROM_INLINE void carom_thread_take_rows(const carom_thread_sweep *s, const carom_plain_contact *one, double v[4][3]) {
    for (int k = 0; k < 4; k++)
        carom_thread_take_row(s->v + 4 * (ptrdiff_t)one->node[k], v[k]);
}

CAROM_INLINE void carom_thread_put_rows(const carom_thread_sweep *s, const carom_plain_contact *one, const double v[4][3]) {
    for (int k = 0; k < 4; k++)
        if (one->reaction[k] != 0)
            carom_thread_put_row(s->v + 4 * (ptrdiff_t)one->node[k], v[k]);
}

// Updates a contact with the given record and impulses. Unchanged rows are not written.
CAROM_INLINE bool carom_thread_relax(const carom_thread_sweep *s, const carom_plain_contact *one, double impulse[4],
                                     bool *changed) {
    double v[4][3];
    carom_thread_take_rows(s, one, v);
    bool moved = carom_plain_relax(one, s->floor, impulse, v, changed);
    if (*changed)
        carom_thread_put_rows(s, one, (const double(*)[3])v);
    return moved;
}

// Applies the impulse of a contact.
CAROM_INLINE void carom_thread_apply(const carom_thread_sweep *s, const carom_plain_contact *one, const double impulse[4]) {
    double v[4][3], J[3];
    carom_thread_take_rows(s, one, v);
    carom_plain_impulse(one, impulse, J);
    carom_plain_push(one, J, v);
    carom_thread_put_rows(s, one, (const double(*)[3])v);
}

#endif
