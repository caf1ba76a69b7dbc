// SPDX-License-Identifier: MIT
// Any bytes are a frame of a result: read or refused, never a crash, a leak or a hang. What is read has a surface whose numbers
// all stand for something.
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "output/back/skin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const carom_skin *skin) {
    for (int b = 0; b < skin->body_count; b++) {
        const carom_skin_body *body = &skin->bodies[b];
        int64_t count = (int64_t)body->cell_count * ((int)body->shape + 1);
        for (int64_t i = 0; i < count; i++)
            if (skin->cells[body->place + i] < 0 || skin->cells[body->place + i] >= skin->node_count)
                abort();
        for (int e = body->edge_begin; e < body->edge_begin + body->edge_count; e++)
            if (skin->edges[e][0] < 0 || skin->edges[e][1] < 0 || skin->edges[e][0] >= skin->node_count ||
                skin->edges[e][1] >= skin->node_count)
                abort();
    }
    for (int k = 0; k < skin->node_count; k++)
        for (int64_t i = skin->around_begin[k]; i < skin->around_begin[k + 1]; i++)
            if (skin->points[k] >= skin->point_count || skin->around[i] < 0 || skin->around[i] >= skin->cell_count)
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[] = "frame-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
    carom_vtu_file file;
    carom_skin skin;
    carom_error error = {0};
    if (carom_vtu_open(&file, path, &error) == CAROM_OK) {
        if (carom_skin_create(&file, &skin, &error) == CAROM_OK) {
            check(&skin);
            carom_skin_release(&skin);
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
