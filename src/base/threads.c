// SPDX-License-Identifier: MIT
// The number of threads, a property of the process. Results do not depend on it: all sums have a fixed order.
#include "carom/threads.h"

#include <omp.h>

void carom_set_threads(int threads) {
    omp_set_num_threads(threads > 0 ? threads : omp_get_num_procs());
}

int carom_threads(void) {
    return omp_get_max_threads();
}
