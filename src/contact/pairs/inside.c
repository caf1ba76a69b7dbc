// SPDX-License-Identifier: MIT
// Decides which points are inside closed bodies (inside.h). A point is inside a closed surface if the sum of the signed solid
// angles of its faces, seen from the point, is 4 pi; it is 0 outside (A. van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng. 30
// (1983) 125-126); in the plane the angle is 2 pi inside.
#include "contact/pairs/inside.h"

#include <math.h>

#include "math/functions.h"
#include "math/vec3.h"

// The signed solid angle of a face seen from a point, as a fraction of the full angle.
static double part_of_view(const carom_surface *surface, const int *nodes, const double (*x)[3], const double from[3]) {
    double r[3][3], across[3];
    for (int i = 0; i < surface->corners; i++)
        carom_difference(x[nodes[i]], from, r[i]);
    const double pi = 3.14159265358979323846;
    if (surface->corners == 2)
        return carom_atan2(r[0][0] * r[1][1] - r[0][1] * r[1][0], r[0][0] * r[1][0] + r[0][1] * r[1][1]) / (2 * pi);
    double a = carom_norm(r[0]), b = carom_norm(r[1]), c = carom_norm(r[2]);
    carom_cross(r[1], r[2], across);
    // The formula of van Oosterom and Strackee: tan(angle/2) = a.(b x c) / below.
    double below = a * b * c + carom_dot(r[0], r[1]) * c + carom_dot(r[1], r[2]) * a + carom_dot(r[2], r[0]) * b;
    return 2 * carom_atan2(carom_dot(r[0], across), below) / (4 * pi);
}

bool carom_surface_encloses(const carom_surface *surface, int body, const double (*x)[3], const double point[3]) {
    double sum = 0;
    for (int f = 0; f < surface->full_count; f++)
        if (surface->body[f] == body)
            sum += part_of_view(surface, surface->faces[f], x, point);
    // the sum is 0 or +-1 up to rounding
    return fabs(sum) > 0.5;
}

// The box around the surface of a body.
static void find_box(const carom_surface *s, int body, const double (*x)[3], double low[3], double high[3]) {
    for (int i = 0; i < 3; i++) {
        low[i] = HUGE_VAL;
        high[i] = -HUGE_VAL;
    }
    for (int v = 0; v < s->vertex_count; v++)
        for (int i = 0; i < s->corners && s->node_body[s->vertices[v]] == body; i++) {
            low[i] = fmin(low[i], x[s->vertices[v]][i]);
            high[i] = fmax(high[i], x[s->vertices[v]][i]);
        }
}

int64_t carom_surface_points_inside(const carom_surface *surface, const bool *filled, const carom_exclusions *exclusions,
                                    const bool *immovable, const double (*x)[3]) {
    int64_t count = 0;
    if (surface->face_count == surface->full_count)
        return 0;
    for (int b = 0; b < surface->body_count; b++) {
        if (!filled[b] || surface->open[b])
            continue;
        double low[3], high[3];
        find_box(surface, b, x, low, high);
        for (int v = 0; v < surface->vertex_count; v++) {
            int node = surface->vertices[v], own = surface->node_body[node];
            bool near = surface->thin[own];
            for (int i = 0; i < surface->corners && near; i++)
                near = low[i] < x[node][i] && x[node][i] < high[i];
            bool immobile = immovable && immovable[b] && immovable[own];
            if (near && !immobile && !carom_exclusions_between(exclusions, b, own))
                count += carom_surface_encloses(surface, b, x, x[node]);
        }
    }
    return count;
}
