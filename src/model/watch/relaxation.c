// SPDX-License-Identifier: MIT
// Theory: docs/theory/inelastic.md
// Limits the step by the relaxation times of viscoelastic materials. A branch (one term of the relaxation function) with the
// relaxation time t damps a vibration of the frequency w by about pi g w t per cycle where w t is small, with g its fraction of
// the stiffness. Steps of length t reproduce that within half a percent, longer ones progressively less: a third is missing
// with 4 t, all of it with 16 t. Waves that a step resolves have w h well below 1, so that at most a fraction g t/h of their
// energy is missing.
#include "model/watch/relaxation.h"

#include <math.h>

#include "model/model.h"

// Branches with a smaller g t/h are not resolved, since shorter steps would cost more than they gain.
static const double relevant_share = 0.05;

// Reads branch i of a block: false if the block has no more.
static bool branch_of(const carom_block *block, int i, double *part, double *time) {
    const carom_inelastic *law = block->material ? block->material->inelastic : NULL;
    if (!law || !law->relaxation)
        return false;
    carom_pairs rows = law->relaxation(block->material_params);
    if (i >= rows.count)
        return false;
    *part = rows.rows[i][0];
    *time = rows.rows[i][1];
    return true;
}

double carom_model_relaxing_step(const carom_model *model, double step) {
    double least = step, part, time;
    for (int b = 0; b < model->block_count; b++)
        for (int i = 0; branch_of(&model->blocks[b], i, &part, &time); i++)
            if (part * time > relevant_share * step)
                least = fmin(least, time);
    return least;
}

carom_unresolved carom_model_unresolved(const carom_model *model, double step) {
    carom_unresolved found = {.body = -1};
    double part, time;
    for (int b = 0; b < model->block_count; b++)
        for (int i = 0; branch_of(&model->blocks[b], i, &part, &time); i++) {
            // a step that was set to the relaxation time exceeds it by rounding at most
            if (!(step > time * (1 + 1e-9)))
                continue;
            found.count++;
            if (found.body >= 0 && !(part * time > found.part * found.time))
                continue;
            found.body = model->blocks[b].body;
            found.part = part;
            found.time = time;
        }
    return found;
}
