// SPDX-License-Identifier: MIT
// Threads. Results never depend on their number.
#ifndef CAROM_THREADS_H
#define CAROM_THREADS_H

#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sets the threads for all simulations of this process; 0: as many as the machine has. Call it between steps, from one thread.
CAROM_API void carom_set_threads(int threads);
// The number in use, at least 1. Small models always use one thread (carom_sim_threads).
CAROM_API int carom_threads(void);

#ifdef __cplusplus
}
#endif
#endif
