// SPDX-License-Identifier: MIT
// Between two points of its tables a prescribed velocity is a polynomial of degree four at most, the cubic of the ramp times a
// straight line: three points of Gauss integrate it exactly.
#include "model/motion/driven_path.h"

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
    // Weights of the unit interval; the points are (1 +- sqrt(3/5))/2 and the middle.
    static const double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    path[0] = path[1] = path[2] = 0;
    // From kink to kink: within each piece the integrand is smooth.
    for (double t = 0, end; t < time; t = end) {
        end = next_kink(motion, t, time);
        for (int q = 0; q < 3; q++) {
            double v[3], at = 0.5 * (1 + (q - 1) * sqrt(0.6));
            carom_motion_velocity(motion, t + at * (end - t), v);
            carom_add_scaled(weight[q] * (end - t), v, path);
        }
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
