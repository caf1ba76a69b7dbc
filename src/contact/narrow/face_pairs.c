// SPDX-License-Identifier: MIT
#include "contact/narrow/face_pairs.h"

// The sides of a face: three of a triangle, one of a line, none of a point.
static int sides_of(const carom_surface *surface, int f) {
    if (surface->corners < 3)
        return 0;
    return f < surface->full_count ? 3 : surface->faces[f][0] != surface->faces[f][1];
}

int carom_face_pairs_of(const carom_surface *surface, int f, int g, carom_face_pair *pairs) {
    const int *a = surface->faces[f], *b = surface->faces[g];
    // points and lines meet faces, and not each other
    bool solid = f < surface->full_count || g < surface->full_count;
    int sides[2] = {solid ? sides_of(surface, f) : 0, solid ? sides_of(surface, g) : 0}, count = 0;
    carom_narrow_kind kind = surface->corners == 3 ? CAROM_NARROW_NODE_FACE : CAROM_NARROW_NODE_SEGMENT;
    for (int i = 0; i < surface->corners; i++) {
        if (g < surface->full_count)
            pairs[count++] = (carom_face_pair){kind, {a[i], b[0], b[1], b[2]}, false};
        if (f < surface->full_count)
            pairs[count++] = (carom_face_pair){kind, {b[i], a[0], a[1], a[2]}, true};
        for (int j = 0; j < sides[1] && i < sides[0]; j++)
            pairs[count++] = (carom_face_pair){CAROM_NARROW_EDGE_EDGE, {a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]}, false};
    }
    return count;
}
