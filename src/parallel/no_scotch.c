// SPDX-License-Identifier: MIT
// Takes the place of scotch.c in builds without the library Scotch: every partition by it is refused.
#include "parallel/scotch.h"

carom_status carom_scotch_part(int count, const int64_t *begin, const int *neighbour, const int64_t *weight, int parts,
                               int *part, carom_error *error) {
    (void)count, (void)begin, (void)neighbour, (void)weight, (void)parts, (void)part;
    return carom_fail(error, CAROM_BAD_INPUT, "this program was built without Scotch: use --partition bisection");
}
