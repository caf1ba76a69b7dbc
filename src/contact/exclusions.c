// SPDX-License-Identifier: MIT
#include "contact/exclusions.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

carom_status carom_exclusions_build(int body_count, const int (*pairs)[2], int pair_count, carom_exclusions *exclusions,
                                    carom_error *error) {
    *exclusions = (carom_exclusions){.body_count = body_count};
    for (int i = 0; i < pair_count; i++)
        for (int k = 0; k < 2; k++)
            if (pairs[i][k] < 0 || pairs[i][k] >= body_count)
                return carom_fail(error, CAROM_BAD_INPUT, "there is no body %d to exclude from contact", pairs[i][k]);
    int *begin = exclusions->begin = carom_allocate((int64_t)body_count + 1, sizeof *begin);
    exclusions->others = carom_allocate(2 * (int64_t)pair_count, sizeof *exclusions->others);
    if (!begin || !exclusions->others) {
        carom_exclusions_release(exclusions);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the exclusions of contact");
    }
    // counting sort: how many each body has, where its list begins, and the list
    for (int i = 0; i < pair_count; i++) {
        begin[pairs[i][0] + 1]++;
        begin[pairs[i][1] + 1]++;
    }
    for (int b = 0; b < body_count; b++)
        begin[b + 1] += begin[b];
    for (int i = 0; i < pair_count; i++) {
        exclusions->others[begin[pairs[i][0]]++] = pairs[i][1];
        exclusions->others[begin[pairs[i][1]]++] = pairs[i][0];
    }
    // filling has moved each beginning to that of the next body
    memmove(begin + 1, begin, (size_t)body_count * sizeof *begin);
    begin[0] = 0;
    return CAROM_OK;
}

static int by_number(const void *a, const void *b) {
    const int *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

carom_status carom_exclusions_add_seams(int node_count, const int (*pairs)[2], int64_t pair_count, carom_exclusions *exclusions,
                                        carom_error *error) {
    if (!pair_count)
        return CAROM_OK;
    int *begin = exclusions->seam_begin = carom_allocate((int64_t)node_count + 1, sizeof *begin);
    int *others = exclusions->seam_others = carom_allocate(2 * pair_count, sizeof *others);
    exclusions->node_count = node_count;
    if (!begin || !others || pair_count > INT32_MAX / 2)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the seams of contact");
    // counting sort, as above, both ways
    for (int64_t i = 0; i < pair_count; i++)
        for (int k = 0; k < 2; k++)
            begin[pairs[i][k] + 1]++;
    for (int k = 0; k < node_count; k++)
        begin[k + 1] += begin[k];
    for (int64_t i = 0; i < pair_count; i++)
        for (int k = 0; k < 2; k++)
            others[begin[pairs[i][k]]++] = pairs[i][!k];
    // filling has moved each beginning to the end of its list; each node is kept once, and the lists move together
    int kept = 0, from = 0;
    for (int k = 0; k < node_count; k++) {
        int to = begin[k];
        begin[k] = kept;
        if (to > from)
            qsort(others + from, (size_t)(to - from), sizeof *others, by_number);
        for (int i = from; i < to; i++)
            if (i == from || others[i] != others[i - 1])
                others[kept++] = others[i];
        from = to;
    }
    begin[node_count] = kept;
    return CAROM_OK;
}

carom_status carom_exclusions_add_carriers(int node_count, const int *carrier, carom_exclusions *exclusions,
                                           carom_error *error) {
    exclusions->carrier = carom_allocate(node_count, sizeof *carrier);
    if (!exclusions->carrier)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the seams of contact");
    memcpy(exclusions->carrier, carrier, (size_t)node_count * sizeof *carrier);
    return CAROM_OK;
}

// True if one rigid body carries all of some nodes.
static bool are_one(const int *carrier, int count_a, const int *a, int count_b, const int *b) {
    int first = carrier[a[0]];
    bool one = first >= 0;
    for (int i = 1; i < count_a; i++)
        one = one && carrier[a[i]] == first;
    for (int i = 0; i < count_b; i++)
        one = one && carrier[b[i]] == first;
    return one;
}

bool carom_seam_joins(const carom_exclusions *exclusions, int count_a, const int *a, int count_b, const int *b) {
    if (exclusions->carrier && are_one(exclusions->carrier, count_a, a, count_b, b))
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
    if (from->carrier && carom_exclusions_add_carriers(from->node_count, from->carrier, to, &unused))
        return false;
    return copy_list(from->body_count, from->begin, from->others, &to->begin, &to->others) &&
           copy_list(from->node_count, from->seam_begin, from->seam_others, &to->seam_begin, &to->seam_others);
}

void carom_exclusions_release(carom_exclusions *exclusions) {
    free(exclusions->begin);
    free(exclusions->others);
    free(exclusions->seam_begin);
    free(exclusions->seam_others);
    free(exclusions->carrier);
    *exclusions = (carom_exclusions){0};
}
