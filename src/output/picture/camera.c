// SPDX-License-Identifier: MIT
// Direction, projection and rays of the camera of a picture, in perspective or parallel projection.
#include "output/picture/camera.h"

#include <math.h>

#include "math/functions.h"
#include "math/vec3.h"

// Distance of the eye in radii of the scene: a visible perspective in which lengths can still be compared.
static const double eye_distance = 6;

// Two unit vectors normal to an axis, the first as near to x as possible, or to y if the axis is nearly x.
static void find_across(const double axis[3], double first[3], double second[3]) {
    int k = fabs(axis[0]) < 0.9 ? 0 : 1;
    for (int i = 0; i < 3; i++)
        first[i] = (i == k) - axis[k] * axis[i];
    carom_normalize(first);
    carom_cross(axis, first, second);
}

carom_camera carom_camera_aim(const double vertical[3], double azimuth, double elevation, bool parallel) {
    carom_camera camera = {.distance = parallel ? 0 : eye_distance, .scale = 1};
    double x[3], y[3], z[3];
    carom_copy(vertical, z);
    carom_normalize(z);
    find_across(z, x, y);
    double ca = carom_cos(azimuth), sa = carom_sin(azimuth), ce = carom_cos(elevation), se = carom_sin(elevation);
    for (int i = 0; i < 3; i++) {
        camera.back[i] = ce * (ca * x[i] + sa * y[i]) + se * z[i];
        camera.right[i] = -sa * x[i] + ca * y[i];
    }
    carom_cross(camera.back, camera.right, camera.up);
    return camera;
}

void carom_camera_project(const carom_camera *camera, const double position[3], double pixel[3]) {
    double z = carom_dot(position, camera->back);
    // 1 / (distance - z), which is linear in the picture, serves as depth
    double nearness = camera->distance > 0 ? camera->distance / (camera->distance - z) : 1;
    pixel[0] = camera->shift[0] + camera->scale * nearness * carom_dot(position, camera->right);
    pixel[1] = camera->shift[1] - camera->scale * nearness * carom_dot(position, camera->up);
    pixel[2] = camera->distance > 0 ? nearness : z;
}

void carom_camera_ray(const carom_camera *camera, const double pixel[2], double from[3], double along[3]) {
    double x = (pixel[0] - camera->shift[0]) / camera->scale, y = (camera->shift[1] - pixel[1]) / camera->scale;
    double start = camera->distance > 0 ? camera->distance : eye_distance;
    for (int i = 0; i < 3; i++) {
        double target = x * camera->right[i] + y * camera->up[i];
        from[i] = start * camera->back[i] + (camera->distance > 0 ? 0 : target);
        along[i] = camera->distance > 0 ? target - from[i] : -camera->back[i];
    }
}
