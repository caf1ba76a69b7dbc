// SPDX-License-Identifier: MIT
// Elements that average volumes, in a thread of a device: bricks with mean dilatation, cells of tetrahedra and their nodes.
#ifndef CAROM_DEVICE_THREADS_VOLUME_H
#define CAROM_DEVICE_THREADS_VOLUME_H

#include "device/sink.h"
#include "device/threads_flow.h"
#include "element/average/isochoric.h"
#include "element/average/mean_dilatation_body.h"
#include "element/solid/tet4_body.h"
#ifdef __CUDACC__
#include "element/average/dilation_body.h"
#endif

// P of the shape at point q, as carom_split_batch.
CAROM_INLINE void carom_thread_shape(const carom_thread_block *b, const carom_thread_call *call, int e, int q,
                                     const carom_lanes *volume, const carom_lanes F[9], carom_lanes P[9]) {
    double f[9], stress[9];
    if (b->history) {
        carom_thread_flow(b, call, e, q, 1, volume, F, P);
        return;
    }
    for (int a = 0; a < 9; a++)
        f[a] = F[a][0];
    bool answer = carom_thread_rubber(b, 1, f, stress) < HUGE_VAL;
    for (int a = 0; a < 9; a++)
        P[a][0] = answer ? stress[a] : NAN;
}

// Reference positions and displacements.
CAROM_INLINE void carom_thread_displace(const carom_thread_block *b, const carom_thread_call *call, int count, int e,
                                        carom_lanes *q, carom_lanes *u) {
    carom_thread_take_all(b, count, e, call->X, q);
    carom_thread_take_all(b, count, e, call->x, u);
    for (int d = 0; d < 3 * count; d++)
        u[d] = u[d] - q[d];
}

CAROM_INLINE void carom_thread_dilated(const carom_thread_block *b, const carom_thread_call *call, int e,
                                       const carom_sink *sink) {
    carom_lanes q[CAROM_HEX8_DOFS], u[CAROM_HEX8_DOFS], Q[3][4][3], f[CAROM_HEX8_DOFS];
    carom_dilated_points p;
    carom_thread_displace(b, call, 8, e, q, u);
    carom_dilated_look(q, u, b->factor, &p);
    carom_lanes_clear(36, &Q[0][0][0]);
    CAROM_ROLLED
    for (int point = 0; point < 8; point++) {
        carom_lanes P[9], volume;
        carom_hex8_point_volume(&p.j[point], &volume);
        carom_thread_shape(b, call, e, carom_hex8_point_number(point), &volume, p.F[point], P);
        carom_dilated_collect(&p, point, P, Q);
    }
    carom_hex8_forces(Q, f);
    carom_thread_put(sink, 8, f);
}

CAROM_INLINE void carom_thread_tet4_volume(const carom_thread_block *b, const carom_thread_call *call, int e,
                                           const carom_sink *sink) {
    carom_lanes q[CAROM_TET4_DOFS], u[CAROM_TET4_DOFS], B[9], V, H[9], F[9], P[9], f[CAROM_TET4_DOFS], growth;
    carom_thread_displace(b, call, 4, e, q, u);
    carom_tet4_load(b->data + carom_thread_lane(e, CAROM_TET4_DATA), B, &V);
    carom_tet4_map(u, B, H);
    carom_split_deform(H, F, &growth);
    carom_thread_shape(b, call, e, 0, &V, F, P);
    carom_tet4_forces(B, &V, P, f);
    carom_thread_put(sink, 4, f);
}

// The patch around a node (volume_patch.c): slopes of its size are added up at the places of the forces, face after face. Of
// its numbers 4 n - 2 are those of a patch of `nodal`, of which number 3 (n - 1) is the volume; then come the faces.
CAROM_INLINE void carom_thread_volume(const carom_thread_block *b, const carom_thread_call *call, int e,
                                      const carom_sink *sink) {
    int n = b->node_count, faces = (b->data_size - (4 * n - 2)) / 3;
    const int *nodes = b->nodes + (ptrdiff_t)e * n;
    const double *data = b->data + carom_thread_lane(e, b->data_size), *centre = call->x + 3 * (ptrdiff_t)nodes[0];
    double sum = 0, start = 4 * data[CAROM_LANES * 3 * (ptrdiff_t)(n - 1)];
    for (int a = 0; a < n; a++)
        for (int i = 0; i < 3; i++)
            carom_sink_at(sink, a)[i] = 0;
    for (int face = 0; face < faces; face++) {
        double d[3][3], *slope[3];
        for (int k = 0; k < 3; k++) {
            int corner = (int)data[CAROM_LANES * (ptrdiff_t)(4 * n - 2 + 3 * face + k)];
            carom_difference(call->x + 3 * (ptrdiff_t)nodes[corner], centre, d[k]);
            slope[k] = carom_sink_at(sink, corner);
        }
        sum += carom_split_face(d[0], d[1], d[2], slope[0], slope[1], slope[2]);
    }
    carom_dilation mean = carom_split_dilation(b->factor, (sum / 6 - start) / start);
    for (int i = 0; i < 3; i++) {
        double rest = 0;
        for (int a = 1; a < n; a++) {
            double *at = &carom_sink_at(sink, a)[i];
            rest -= *at;
            *at = -0.25 * mean.slope * *at;
        }
        carom_sink_at(sink, 0)[i] = -0.25 * mean.slope * rest;
    }
}

#endif
