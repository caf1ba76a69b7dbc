// SPDX-License-Identifier: MIT
// Looks at the shapes of elements and at nodes behind planes: the device tells whether there is anything to be seen, and the
// processor looks for itself if there is (model/watch/deformation.h).
#include <math.h>

#include "device/inside.h"
#include "math/vec3.h"
#include "model/interior_nodes.h"
#include "model/model.h"
#include "model/watch/deformation.h"

// Of the depth: covers rounding.
static const double sure = 0.999;

// What is asked of all blocks, or CAROM_CHECK_OTHER if there is one that devices cannot look at.
static int checks_of(const carom_device *device, bool followed) {
    int all = 0;
    for (int b = 0; b < device->model->block_count; b++) {
        int looks = carom_block_checks(&device->model->blocks[b], followed);
        const carom_thread_block *made = &device->blocks[b];
        bool plain = made->kind == CAROM_THREAD_PATCH || carom_thread_is_shell(made->kind);
        bool known = made->solid || (plain && !(looks & CAROM_CHECK_TURN));
        all |= looks && !known ? CAROM_CHECK_OTHER : looks;
    }
    return all;
}

// Nodes inside bodies and others: if one is so deep behind a plane, it may be one inside.
static void check_behind(carom_device *device, double depth) {
    const carom_contact_def *contact = &device->model->contact;
    carom_thread_planes planes = {.count = contact->plane_count, .wrong = device->wrong_there};
    for (int p = 0; p < contact->plane_count; p++) {
        carom_copy(contact->planes[p].normal, planes.normal[p]);
        carom_normalize(planes.normal[p]);
        planes.offset[p] = carom_dot(planes.normal[p], contact->planes[p].point) - sure * depth;
    }
    device->backend->check_behind(&device->nodes, &planes);
}

bool carom_device_sees_nothing(carom_device *device, bool followed, bool turns, double depth) {
    const carom_model *model = device->model;
    int looks = checks_of(device, followed);
    bool core = carom_model_has_core(model);
    if (looks & CAROM_CHECK_OTHER || (core && model->contact.plane_count > CAROM_THREAD_PLANES))
        return false;
    if (!looks && !core)
        return true;
    device->backend->clear(device->wrong_there, sizeof *device->wrong_there);
    for (int b = 0; b < model->block_count; b++) {
        int own = carom_block_checks(&model->blocks[b], followed);
        carom_thread_check look = {.x = device->nodes.x,
                                   .X = device->call.X,
                                   .sine = turns && own & CAROM_CHECK_TURN ? carom_deformation_large_turn() : HUGE_VAL,
                                   .wrong = device->wrong_there};
        if (own)
            device->backend->look(&device->blocks[b], &look);
    }
    if (core)
        check_behind(device, depth);
    device->backend->get(device->wrong, device->wrong_there, sizeof *device->wrong);
    carom_device_wait(device);
    return !*device->wrong && !device->fault;
}
