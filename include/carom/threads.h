// SPDX-License-Identifier: MIT
// Threads. Results never depend on their number.
#ifndef CAROM_THREADS_H
#define CAROM_THREADS_H

#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// Threads for all simulations of this process; 0: as many as the machine has.
CAROM_API void carom_set_threads(int threads);
CAROM_API int carom_threads(void);

#ifdef __cplusplus
}
#endif
#endif
