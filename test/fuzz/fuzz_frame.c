// SPDX-License-Identifier: MIT
// Any bytes are a frame of a result: read or refused, never a crash, a leak or a hang. What is read has a surface whose numbers
// all stand for something.
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "output/back/surface_cells.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const carom_cell_surface *surface) {
    for (int b = 0; b < surface->body_count; b++) {
        const carom_cell_surface_body *body = &surface->bodies[b];
        int64_t count = (int64_t)body->cell_count * ((int)body->shape + 1);
        for (int64_t i = 0; i < count; i++)
            if (surface->cells[body->place + i] < 0 || surface->cells[body->place + i] >= surface->node_count)
                abort();
        for (int e = body->edge_begin; e < body->edge_begin + body->edge_count; e++)
            if (surface->edges[e][0] < 0 || surface->edges[e][1] < 0 || surface->edges[e][0] >= surface->node_count ||
                surface->edges[e][1] >= surface->node_count)
                abort();
    }
    for (int k = 0; k < surface->node_count; k++)
        for (int64_t i = surface->around_begin[k]; i < surface->around_begin[k + 1]; i++)
            if (surface->points[k] >= surface->point_count || surface->around[i] < 0 ||
                surface->around[i] >= surface->cell_count)
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[] = "frame-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
    carom_vtu_file file;
    carom_cell_surface surface;
    carom_error error = {0};
    if (carom_vtu_open(&file, path, &error) == CAROM_OK) {
        if (carom_cell_surface_create(&file, &surface, &error) == CAROM_OK) {
            check(&surface);
            carom_cell_surface_release(&surface);
        } else if (!error.message[0]) {
            abort();
        }
        carom_vtu_close(&file);
    } else if (!error.message[0]) {
        abort();
    }
    unlink(path);
    return 0;
}
