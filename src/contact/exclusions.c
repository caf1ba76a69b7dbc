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

void carom_exclusions_release(carom_exclusions *exclusions) {
    free(exclusions->begin);
    free(exclusions->others);
    *exclusions = (carom_exclusions){0};
}
