// SPDX-License-Identifier: MIT
// Only faces whose swept boxes overlap can meet; their features are tested one by one.
#include "contact/pairs/crossing.h"

#include <math.h>

#include "contact/narrow/face_pairs.h"
#include "math/vec3.h"

// The fraction of the motion at which two faces come within reach of each other, or HUGE_VAL.
static double meeting_of(const carom_surface *surface, int f, int g, const double (*x0)[3], const double (*x1)[3],
                         double reach) {
    carom_face_pair pairs[CAROM_FACE_PAIRS];
    double first = HUGE_VAL;
    for (int i = 0, count = carom_face_pairs_of(surface, f, g, pairs); i < count; i++) {
        double x[4][3] = {{0}}, v[4][3] = {{0}}, time;
        for (int k = 0; k < carom_narrow_count(pairs[i].kind); k++) {
            carom_copy(x0[pairs[i].nodes[k]], x[k]);
            carom_difference(x1[pairs[i].nodes[k]], x[k], v[k]);
        }
        if (carom_narrow_level(pairs[i].kind, (carom_const_vectors)x, (carom_const_vectors)v, 0, 1, reach, &time))
            first = fmin(first, time);
    }
    return first;
}

// True if this meeting precedes another one: by time, then by bodies, so that the order of the tree has no effect.
static bool precedes(const carom_crossing *one, const carom_crossing *other) {
    if (one->part != other->part)
        return one->part < other->part;
    return one->body[0] != other->body[0] ? one->body[0] < other->body[0] : one->body[1] < other->body[1];
}

carom_status carom_surface_crossing(carom_audit *audit, const double (*x0)[3], const double (*x1)[3], double reach,
                                    carom_crossing *first, carom_error *error) {
    const carom_surface *surface = audit->surface;
    carom_tree *tree = &audit->tree;
    *first = (carom_crossing){.part = HUGE_VAL};
    carom_status status = carom_tree_fit(tree, x0, x1, reach, false, error);
    if (!status)
        status = carom_tree_query(tree, audit->exclusions, CAROM_TREE_BETWEEN, error);
    for (int p = 0; p < CAROM_TREE_PARTS && !status; p++)
        for (int64_t i = 0; i < tree->parts[p].count; i++) {
            int f = tree->parts[p].pairs[i][0], g = tree->parts[p].pairs[i][1];
            int a = surface->body[f], b = surface->body[g];
            if (carom_audit_are_immovable(audit, a, b))
                continue;
            carom_crossing found = {meeting_of(surface, f, g, x0, x1, reach), {a < b ? a : b, a < b ? b : a}};
            if (precedes(&found, first))
                *first = found;
        }
    return status;
}
