// SPDX-License-Identifier: MIT
// A prescribed velocity is integrated exactly between two points of its tables (carom_motion_integrate).
#include "model/motion/restraints.h"

#include <math.h>

#include "math/vec3.h"
#include "model/motion/obstacle_motion.h"

// The earliest time after t at which the motion has a kink, but not later than `end`.
static double next_kink(const carom_motion *motion, double t, double end) {
    // The ramp ends with a jump of curvature, a table has a kink at each of its points.
    if (motion->schedule.ramp > t)
        end = fmin(end, motion->schedule.ramp);
    for (int i = 0; i < motion->schedule.count; i++)
        if (motion->schedule.points[i][0] > t)
            end = fmin(end, motion->schedule.points[i][0]);
    for (int i = 0; i < motion->count; i++)
        if (motion->points[i][0] > t)
            end = fmin(end, motion->points[i][0]);
    return end;
}

static void integrate(const carom_motion *motion, double time, double path[3]) {
    path[0] = path[1] = path[2] = 0;
    // From kink to kink: within each piece the integrand is smooth.
    for (double t = 0, end; t < time; t = end) {
        end = next_kink(motion, t, time);
        carom_motion_integrate(motion, t, end, path);
    }
}

void carom_model_path(const carom_model *model, double time, double (*path)[3]) {
    const carom_drives *drives = &model->drives;
    for (int r = 0; r < model->restraints.count; r++) {
        const carom_driven *driven = drives->of_restraint ? &drives->of_restraint[r] : NULL;
        bool varies = driven && driven->count;
        // The part that does not change in time grows linearly.
        const double *constant = varies ? driven->base : model->restraints.items[r].velocity;
        for (int i = 0; i < 3; i++)
            path[r][i] = time * constant[i];
        for (int i = 0; varies && i < driven->count; i++) {
            double led[3];
            integrate(&drives->motions[driven->items[i].motion], time, led);
            // The velocity is linear in the speeds along the given directions, and so is the path.
            carom_add_scaled(carom_dot(driven->items[i].along, led), driven->items[i].gain, path[r]);
        }
        carom_model_pose_way(model, r, time, path[r]);
    }
}
