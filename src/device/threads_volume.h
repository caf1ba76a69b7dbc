// SPDX-License-Identifier: MIT
// Tetrahedra whose change of volume is averaged around nodes (`volume: nodal`): the forces by the energy of the volume of one
// patch, the tetrahedra around a node, in a thread of a device.
#ifndef CAROM_DEVICE_THREADS_VOLUME_H
#define CAROM_DEVICE_THREADS_VOLUME_H

#include "device/thread_batch.h"
#include "element/average/isochoric.h"
#include "element/average/isochoric_body.h"

// The patch around a node (volume_patch.c): derivatives of its volume are summed in the memory of the forces, face by face. Its
// first 4 n - 2 numbers are those of a patch of `nodal`, of which number 3 (n - 1) is the volume; then come the faces.
CAROM_INLINE void carom_thread_volume(const carom_element_batch *at) {
    const carom_thread_block *b = at->block;
    const carom_thread_call *call = at->call;
    const carom_sink *sink = at->sink;
    int e = at->e, n = b->node_count, faces = (b->data_size - (4 * n - 2)) / 3;
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
            double *f = &carom_sink_at(sink, a)[i];
            rest -= *f;
            *f = -0.25 * mean.slope * *f;
        }
        carom_sink_at(sink, 0)[i] = -0.25 * mean.slope * rest;
    }
}

#endif
