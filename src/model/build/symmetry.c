// SPDX-License-Identifier: MIT
// Decides which components of momentum a run must conserve, for the checks of its results. By Noether's theorem one is
// conserved if the model is invariant under translation along, or rotation about, an axis. A force conserves the momentum along
// an axis if it has no component along it, and the angular momentum about it, wherever it acts, if it is parallel to it.
// Friction of a plane may act in any tangential direction; the directions of pressure on deforming faces and of mass damping
// are arbitrary as well.
#include "model/symmetry.h"

#include "model/collective.h"
#include "model/model.h"

static void break_by(carom_symmetry *symmetry, const double force[3]) {
    for (int i = 0; i < 3; i++) {
        symmetry->linear[i] = symmetry->linear[i] && force[i] == 0;
        // A force whose line of action misses the axis has a moment about it unless it is parallel to it.
        symmetry->angular[i] = symmetry->angular[i] && force[(i + 1) % 3] == 0 && force[(i + 2) % 3] == 0;
    }
}

carom_symmetry carom_model_symmetry(const carom_model *model) {
    // Any restraint or joint may exchange momentum with the ground, whatever its direction.
    bool free = model->restraints.count == 0;
    for (int q = 0; q < model->rigid.linkage_count; q++)
        free = free && !model->rigid.linkages[q].grounded;
    for (int s = 0; s < model->springs.count; s++)
        free = free && model->springs.items[s].node[0] >= 0 && model->springs.items[s].node[1] >= 0;
    bool turns = free;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        turns = turns && (!block->element->turns_freely || block->element->turns_freely(block));
    }
    carom_symmetry symmetry = {{free, free, free}, {turns, turns, turns}};
    for (int k = 0; model->loaded && k < model->node_count; k++)
        break_by(&symmetry, model->load[k]);
    static const double all[3] = {1, 1, 1};
    for (int l = 0; l < model->live.count; l++) {
        const carom_live_load *load = &model->live.items[l];
        for (int i = 0; i < load->node_count; i++)
            break_by(&symmetry, load->force[i]);
        if (load->face_count || load->function || load->array_function)
            break_by(&symmetry, all);
    }
    for (int b = 0; b < model->body_count; b++)
        if (model->bodies[b].damping.mass > 0)
            break_by(&symmetry, all);
    for (int p = 0; model->contact.enabled && p < model->contact.plane_count; p++)
        break_by(&symmetry, model->contact.friction > 0 ? all : model->contact.planes[p].normal);
    // a symmetry that is broken in one process is broken for the whole model
    carom_vote vote = {0};
    for (int i = 0; i < 3; i++) {
        vote.bits[i] = !symmetry.linear[i];
        vote.bits[3 + i] = !symmetry.angular[i];
    }
    carom_model_vote(model, &vote);
    for (int i = 0; i < 3; i++) {
        symmetry.linear[i] = !vote.bits[i];
        symmetry.angular[i] = !vote.bits[3 + i];
    }
    return symmetry;
}
