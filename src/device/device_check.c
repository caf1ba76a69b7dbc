// SPDX-License-Identifier: MIT
// Checks, computed on the device, of the deformation of elements (inversion, rotation) and of nodes behind planes. The device
// reports only whether there may be a violation; if so, the processor repeats the check to find it (model/watch/deformation.h).
#include <math.h>

#include "device/inside.h"
#include "math/vec3.h"
#include "model/interior_nodes.h"
#include "model/model.h"
#include "model/watch/deformation.h"

// Factor of the depth that allows for rounding: the device reports a violation slightly before the processor does.
static const double depth_margin = 0.999;

// The union of the checks that the blocks require (CAROM_CHECK_... of deformation.h). CAROM_CHECK_OTHER stands for a check that
// devices do not support.
static int checks_of(const carom_device *device, bool followed) {
    int all = 0;
    for (int b = 0; b < device->model->block_count; b++) {
        int checks = carom_block_checks(&device->model->blocks[b], followed);
        const carom_thread_block *block = &device->blocks[b];
        bool is_shell = block->kind == CAROM_THREAD_PATCH || carom_thread_is_shell(block->kind);
        bool supported = block->solid || (is_shell && !(checks & CAROM_CHECK_TURN));
        all |= checks && !supported ? CAROM_CHECK_OTHER : checks;
    }
    return all;
}

// Sets the flag wrong_there if any node is deeper than `depth` behind a plane. Only nodes inside a body violate the check, but
// the device tests all nodes: the flag means that the processor must test the interior ones.
static void check_behind(carom_device *device, double depth) {
    const carom_contact_def *contact = &device->model->contact;
    carom_thread_planes planes = {.count = contact->plane_count, .wrong = device->wrong_there};
    for (int p = 0; p < contact->plane_count; p++) {
        carom_copy(contact->planes[p].normal, planes.normal[p]);
        carom_normalize(planes.normal[p]);
        planes.offset[p] = carom_dot(planes.normal[p], contact->planes[p].point) - depth_margin * depth;
    }
    device->backend->check_behind(&device->nodes, &planes);
}

// True if no check has set the flag since it was cleared, and the device has not failed.
static bool nothing_wrong(carom_device *device) {
    device->backend->get(device->wrong, device->wrong_there, sizeof *device->wrong);
    carom_device_wait(device);
    return !*device->wrong && !device->fault;
}

bool carom_device_finds_no_node_behind(carom_device *device, double depth) {
    if (!carom_model_has_interior(device->model))
        return true;
    if (device->model->contact.plane_count > CAROM_THREAD_PLANES)
        return false;
    device->backend->clear(device->wrong_there, sizeof *device->wrong_there);
    check_behind(device, depth);
    return nothing_wrong(device);
}

bool carom_device_finds_no_violation(carom_device *device, bool followed, bool turns, double depth) {
    const carom_model *model = device->model;
    int checks = checks_of(device, followed);
    bool core = carom_model_has_interior(model);
    if (checks & CAROM_CHECK_OTHER || (core && model->contact.plane_count > CAROM_THREAD_PLANES))
        return false;
    if (!checks && !core)
        return true;
    device->backend->clear(device->wrong_there, sizeof *device->wrong_there);
    for (int b = 0; b < model->block_count; b++) {
        int own = carom_block_checks(&model->blocks[b], followed);
        carom_thread_check check = {.x = device->nodes.x,
                                    .X = device->call.X,
                                    .sine = turns && own & CAROM_CHECK_TURN ? carom_deformation_large_turn() : HUGE_VAL,
                                    .wrong = device->wrong_there};
        if (own)
            device->backend->check_elements(&device->blocks[b], &check);
    }
    if (core)
        check_behind(device, depth);
    return nothing_wrong(device);
}
