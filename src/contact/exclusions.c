// SPDX-License-Identifier: MIT
// Builds and queries the pairs that are excluded from contact (exclusions.h): pairs of bodies and pairs of nodes opposite each
// other in seams, both stored as sorted adjacency lists, per body and per node.
#include "contact/exclusions.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/sort.h"

// Lists each number of a pair with the other one, ascending and each once: those of k are others[begin[k]] to before
// begin[k + 1]. False if memory is short.
static bool list_both_directions(int count, const int (*pairs)[2], int64_t pair_count, int **begin_list, int **other_list) {
    int *begin = *begin_list = carom_allocate((int64_t)count + 1, sizeof *begin);
    int *others = *other_list = carom_allocate(2 * pair_count, sizeof *others);
    if (!begin || !others || pair_count > INT32_MAX / 2)
        return false;
    // counting sort: lengths of the lists, their beginnings, then their entries
    for (int64_t i = 0; i < pair_count; i++)
        for (int k = 0; k < 2; k++)
            begin[pairs[i][k] + 1]++;
    for (int k = 0; k < count; k++)
        begin[k + 1] += begin[k];
    for (int64_t i = 0; i < pair_count; i++)
        for (int k = 0; k < 2; k++)
            others[begin[pairs[i][k]]++] = pairs[i][!k];
    // filling has moved each beginning to the end of its list; remove duplicates and compact the lists
    int kept = 0, from = 0;
    for (int k = 0; k < count; k++) {
        int to = begin[k], own = carom_sort_once(others + from, to - from);
        memmove(others + kept, others + from, (size_t)own * sizeof *others);
        begin[k] = kept;
        kept += own;
        from = to;
    }
    begin[count] = kept;
    return true;
}

carom_status carom_exclusions_build(int body_count, const int (*pairs)[2], int pair_count, carom_exclusions *exclusions,
                                    carom_error *error) {
    *exclusions = (carom_exclusions){.body_count = body_count};
    for (int i = 0; i < pair_count; i++)
        for (int k = 0; k < 2; k++)
            if (pairs[i][k] < 0 || pairs[i][k] >= body_count)
                return carom_fail(error, CAROM_BAD_INPUT, "there is no body %d to exclude from contact", pairs[i][k]);
    if (list_both_directions(body_count, pairs, pair_count, &exclusions->begin, &exclusions->others))
        return CAROM_OK;
    carom_exclusions_release(exclusions);
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the exclusions of contact");
}

carom_status carom_exclusions_add_seams(int node_count, const int (*pairs)[2], int64_t pair_count, carom_exclusions *exclusions,
                                        carom_error *error) {
    if (!pair_count)
        return CAROM_OK;
    exclusions->node_count = node_count;
    return list_both_directions(node_count, pairs, pair_count, &exclusions->seam_begin, &exclusions->seam_others)
               ? CAROM_OK
               : carom_fail(error, CAROM_NO_MEMORY, "no memory for the seams of contact");
}

carom_status carom_exclusions_add_rigid_bodies(int node_count, const int *rigid_body, carom_exclusions *exclusions,
                                               carom_error *error) {
    exclusions->rigid_body = carom_allocate(node_count, sizeof *rigid_body);
    if (!exclusions->rigid_body)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the seams of contact");
    memcpy(exclusions->rigid_body, rigid_body, (size_t)node_count * sizeof *rigid_body);
    return CAROM_OK;
}

// True if all nodes belong to one rigid body.
static bool are_one(const int *rigid_body, int count_a, const int *a, int count_b, const int *b) {
    int first = rigid_body[a[0]];
    bool one = first >= 0;
    for (int i = 1; i < count_a; i++)
        one = one && rigid_body[a[i]] == first;
    for (int i = 0; i < count_b; i++)
        one = one && rigid_body[b[i]] == first;
    return one;
}

bool carom_seam_joins(const carom_exclusions *exclusions, int count_a, const int *a, int count_b, const int *b) {
    if (exclusions->rigid_body && are_one(exclusions->rigid_body, count_a, a, count_b, b))
        return true;
    for (int i = 0; i < count_a; i++)
        for (int j = 0; j < count_b; j++) {
            int low = exclusions->seam_begin[a[i]], high = exclusions->seam_begin[a[i] + 1];
            while (low < high) {
                int middle = low + (high - low) / 2;
                if (exclusions->seam_others[middle] == b[j])
                    return true;
                if (exclusions->seam_others[middle] < b[j])
                    low = middle + 1;
                else
                    high = middle;
            }
        }
    return false;
}

// A copy of a compressed list; nothing if there is none. False if memory is short.
static bool copy_list(int rows, const int *begin, const int *items, int **begin_copy, int **items_copy) {
    if (!begin)
        return true;
    *begin_copy = carom_allocate((int64_t)rows + 1, sizeof *begin);
    *items_copy = carom_allocate(begin[rows], sizeof *items);
    if (!*begin_copy || !*items_copy)
        return false;
    memcpy(*begin_copy, begin, ((size_t)rows + 1) * sizeof *begin);
    if (begin[rows])
        memcpy(*items_copy, items, (size_t)begin[rows] * sizeof *items);
    return true;
}

bool carom_exclusions_copy(const carom_exclusions *from, carom_exclusions *to) {
    *to = (carom_exclusions){.body_count = from->body_count, .node_count = from->node_count};
    carom_error unused;
    if (from->rigid_body && carom_exclusions_add_rigid_bodies(from->node_count, from->rigid_body, to, &unused))
        return false;
    return copy_list(from->body_count, from->begin, from->others, &to->begin, &to->others) &&
           copy_list(from->node_count, from->seam_begin, from->seam_others, &to->seam_begin, &to->seam_others);
}

void carom_exclusions_release(carom_exclusions *exclusions) {
    free(exclusions->begin);
    free(exclusions->others);
    free(exclusions->seam_begin);
    free(exclusions->seam_others);
    free(exclusions->rigid_body);
    *exclusions = (carom_exclusions){0};
}
