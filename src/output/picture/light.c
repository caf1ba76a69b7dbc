// SPDX-License-Identifier: MIT
// Computes how much light of sky and lamp arrives at each corner of the drawn triangles and on the ground, by shadow maps: for
// each of many directions the bodies are drawn as seen from there, keeping the depth only. A point is lit from that direction
// if no surface is nearer to the light. The directions to the sky are spread over the upper half by the golden angle, those to
// the lamp over a narrow cone.
#include "output/picture/light.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "output/picture/scan.h"

enum { MAP = 512, SKY = 80, LAMP = 32 };

// Radius that a map covers, half-angle of the cone of the lamp, and the golden angle.
static const double map_radius = 1.25, lamp_half_angle = 0.16, golden_angle = 2.39996322972865332;
// Points are moved off their surface by `offset_cells` cells of a map and compared with a tolerance of `depth_cells`, so that a
// surface does not shade itself.
static const double offset_cells = 2.5, depth_cells = 1.5;

typedef struct map {
    double towards[3], x[3], y[3];
    float *depth; // MAP x MAP, along `towards`
} map;

// The place of a position in a map, in cells, and its depth.
static void place(const map *m, const double position[3], double at[3]) {
    at[0] = (carom_dot(position, m->x) / map_radius + 1) * 0.5 * MAP;
    at[1] = (carom_dot(position, m->y) / map_radius + 1) * 0.5 * MAP;
    at[2] = carom_dot(position, m->towards);
}

static void draw(map *m, const carom_shapes *shapes) {
    int k = fabs(m->towards[0]) < 0.9 ? 0 : 1;
    for (int i = 0; i < 3; i++)
        m->x[i] = (i == k) - m->towards[k] * m->towards[i];
    carom_normalize(m->x);
    carom_cross(m->towards, m->x, m->y);
    for (int i = 0; i < MAP * MAP; i++)
        m->depth[i] = -INFINITY;
    for (int64_t s = 0; s < shapes->count; s++) {
        double corners[3][2], depths[3];
        for (int i = 0; i < 3; i++) {
            double at[3];
            place(m, shapes->shapes[s].corners[i].at, at);
            corners[i][0] = at[0];
            corners[i][1] = at[1];
            depths[i] = at[2];
        }
        carom_scan scan;
        if (!carom_scan_begin(&scan, (const double(*)[2])corners, MAP))
            continue;
        for (int row = scan.row_begin; row < scan.row_end; row++) {
            int begin, end;
            if (!carom_scan_row(&scan, row, MAP, &begin, &end))
                continue;
            for (int column = begin; column < end; column++) {
                double w[3];
                carom_scan_weights(&scan, column, row, w);
                float depth = (float)(w[0] * depths[0] + w[1] * depths[1] + w[2] * depths[2]);
                if (depth > m->depth[row * MAP + column])
                    m->depth[row * MAP + column] = depth;
            }
        }
    }
}

// True if a point with this normal is not shadowed in the direction of the map.
static bool is_free(const map *m, const double position[3], const double normal[3]) {
    const double cell = 2 * map_radius / MAP;
    double lifted[3], at[3];
    carom_copy(position, lifted);
    carom_add_scaled(offset_cells * cell, normal, lifted);
    place(m, lifted, at);
    if (!(at[0] >= 0 && at[1] >= 0 && at[0] < MAP && at[1] < MAP))
        return true;
    return at[2] + depth_cells * cell >= m->depth[(int)at[1] * MAP + (int)at[0]];
}

// Adds one direction to all places. Light from the sky is weighted by the angle at which it arrives; light from the lamp only
// by visibility, since its angle is evaluated for each pixel.
static void add(const map *m, carom_shapes *shapes, carom_floor *floors, int floor_count, bool lamp) {
    for (int64_t s = 0; s < shapes->count; s++)
        for (int i = 0; i < 3; i++) {
            carom_corner *corner = &shapes->shapes[s].corners[i];
            double cosine = carom_dot(corner->normal, m->towards);
            if (cosine > 0 && is_free(m, corner->at, corner->normal))
                *(lamp ? &corner->key : &corner->sky) += lamp ? 1.0 / LAMP : 2 * cosine / SKY;
        }
    for (int f = 0; f < floor_count; f++) {
        double cosine = carom_dot(floors[f].normal, m->towards);
        for (int row = 0; row < CAROM_FLOOR_SIZE && cosine > 0; row++)
            for (int column = 0; column < CAROM_FLOOR_SIZE; column++) {
                double position[3];
                carom_floor_cell(&floors[f], row, column, position);
                if (is_free(m, position, floors[f].normal))
                    floors[f].light[row * CAROM_FLOOR_SIZE + column][lamp] += (float)(lamp ? 1.0 / LAMP : 2 * cosine / SKY);
            }
    }
}

// A plane that does not face the zenith receives less light from the sky; only its shadows matter, so its light is normalised
// by that of a point without bodies nearby.
static void balance(carom_floor *floor, const double open[2]) {
    for (int i = 0; i < CAROM_FLOOR_SIZE * CAROM_FLOOR_SIZE; i++)
        for (int k = 0; k < 2; k++)
            floor->light[i][k] = open[k] > 0 ? fminf(floor->light[i][k] / (float)open[k], 1) : 1;
}

carom_status carom_light(carom_shapes *shapes, carom_floor *floors, int floor_count, const double vertical[3],
                         const double lamp[3], carom_error *error) {
    map m = {.depth = carom_allocate((int64_t)MAP * MAP, sizeof *m.depth)};
    double(*open)[2] = carom_allocate(floor_count, sizeof *open);
    bool good = m.depth && open;
    for (int f = 0; f < floor_count; f++)
        memset(floors[f].light, 0, sizeof *floors[f].light * CAROM_FLOOR_SIZE * CAROM_FLOOR_SIZE);
    for (int d = 0; good && d < SKY + LAMP; d++) {
        bool of_lamp = d >= SKY;
        const double *axis = of_lamp ? lamp : vertical;
        double share = of_lamp ? (d - SKY + 0.5) / LAMP : (d + 0.5) / SKY, angle = golden_angle * d, x[3], y[3];
        // equal areas of the half sphere, or of the disc across the cone
        double along = of_lamp ? 1 : 1 - share, across = of_lamp ? lamp_half_angle * sqrt(share) : sqrt(1 - along * along);
        const double helper[3] = {fabs(axis[0]) < 0.7, fabs(axis[0]) >= 0.7, 0};
        carom_cross(axis, helper, x);
        carom_normalize(x);
        carom_cross(axis, x, y);
        for (int i = 0; i < 3; i++)
            m.towards[i] = along * axis[i] + across * (carom_cos(angle) * x[i] + carom_sin(angle) * y[i]);
        carom_normalize(m.towards);
        draw(&m, shapes);
        add(&m, shapes, floors, floor_count, of_lamp);
        for (int f = 0; f < floor_count; f++) {
            double cosine = carom_dot(floors[f].normal, m.towards);
            if (cosine > 0)
                open[f][of_lamp] += of_lamp ? 1.0 / LAMP : 2 * cosine / SKY;
        }
    }
    for (int f = 0; good && f < floor_count; f++)
        balance(&floors[f], open[f]);
    free(m.depth);
    free(open);
    return good ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the light of a picture");
}
