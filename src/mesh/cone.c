// SPDX-License-Identifier: MIT
// Cuts quadrilaterals into triangles and convex cells into tetrahedra, consistently between neighbours (cone.h).
#include "mesh/cone.h"

#include <stdbool.h>
#include <string.h>

void carom_cut_quad(const int quad[4], int triangles[2][3]) {
    int first = 0;
    for (int i = 1; i < 4; i++)
        if (quad[i] < quad[first])
            first = i;
    for (int t = 0; t < 2; t++) {
        triangles[t][0] = quad[first];
        triangles[t][1] = quad[(first + 1 + t) % 4];
        triangles[t][2] = quad[(first + 2 + t) % 4];
    }
}

int carom_cut_cell(const int *nodes, int size, const int (*faces)[4], int face_count, int tets[CAROM_CONE_MAX][4]) {
    int apex = nodes[0], count = 0;
    for (int i = 1; i < size; i++)
        apex = nodes[i] < apex ? nodes[i] : apex;
    for (int f = 0; f < face_count; f++) {
        int face[4], corners = faces[f][3] < 0 ? 3 : 4, triangles[2][3];
        bool touches = false;
        for (int i = 0; i < corners; i++) {
            face[i] = nodes[faces[f][i]];
            touches = touches || face[i] == apex;
        }
        if (touches)
            continue;
        if (corners == 4)
            carom_cut_quad(face, triangles);
        else
            memcpy(triangles[0], face, sizeof triangles[0]);
        for (int t = 0; t < corners - 2; t++, count++)
            // faces are seen from outside, so their nodes are reversed for a positive volume
            memcpy(tets[count], (const int[]){triangles[t][0], triangles[t][2], triangles[t][1], apex}, sizeof tets[count]);
    }
    return count;
}
