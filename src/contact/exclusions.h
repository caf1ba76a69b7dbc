// SPDX-License-Identifier: MIT
// Pairs that are excluded from the search for contact: bodies that pass through each other, and the seams of tied surfaces.
#ifndef CAROM_CONTACT_EXCLUSIONS_H
#define CAROM_CONTACT_EXCLUSIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/status.h"

// Pairs of bodies without contact, and pairs of opposite nodes in a seam: two nodes, edges or faces with such a pair of nodes
// have no contact, nor have two all of whose nodes belong to one rigid body. Start from {0}: nothing is excluded, each body can
// touch itself.
typedef struct carom_exclusions {
    int body_count;
    int *begin; // per body: the bodies that it does not touch are others[begin[b]] to others[begin[b + 1] - 1]
    int *others;
    int node_count;
    int *seam_begin;  // per node: those opposite it are seam_others[seam_begin[k]] to before that of k + 1; NULL: no seams
    int *seam_others; // ascending
    int *rigid_body;  // per node: its rigid body, or below 0; NULL: no part is tied to a rigid body
} carom_exclusions;

// Excludes pairs of bodies; a pair of equal numbers excludes contact of a body with itself. Order and repetitions do not
// matter.
carom_status carom_exclusions_build(int body_count, const int (*pairs)[2], int pair_count, carom_exclusions *exclusions,
                                    carom_error *error);
// Adds the seams, once: pairs of nodes opposite each other, in any order; repetitions do not matter. CAROM_NO_MEMORY.
carom_status carom_exclusions_add_seams(int node_count, const int (*pairs)[2], int64_t pair_count, carom_exclusions *exclusions,
                                        carom_error *error);

// Adds the rigid body of each node, if parts are tied to rigid bodies; seams must have been added. CAROM_NO_MEMORY.
carom_status carom_exclusions_add_rigid_bodies(int node_count, const int *rigid_body, carom_exclusions *exclusions,
                                               carom_error *error);

// A copy with memory of its own, to be released. False if memory is short.
bool carom_exclusions_copy(const carom_exclusions *from, carom_exclusions *to);

void carom_exclusions_release(carom_exclusions *exclusions);

// True if two bodies do not touch each other, or a body does not touch itself. `exclusions` may be NULL.
static inline bool carom_exclusions_between(const carom_exclusions *exclusions, int a, int b) {
    if (exclusions && exclusions->begin)
        for (int i = exclusions->begin[a]; i < exclusions->begin[a + 1]; i++)
            if (exclusions->others[i] == b)
                return true;
    return false;
}

// True if a feature with the nodes a is opposite a feature with the nodes b in a seam, or both belong to one rigid body.
bool carom_seam_joins(const carom_exclusions *exclusions, int count_a, const int *a, int count_b, const int *b);

// The same; costs nothing where there are no seams. `exclusions` may be NULL.
static inline bool carom_exclusions_at_seam(const carom_exclusions *exclusions, int count_a, const int *a, int count_b,
                                            const int *b) {
    return exclusions && exclusions->seam_begin && carom_seam_joins(exclusions, count_a, a, count_b, b);
}

#endif
