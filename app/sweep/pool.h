// SPDX-License-Identifier: MIT
// Runs of a sweep as processes, with a limited number at a time.
#ifndef CAROM_APP_SWEEP_POOL_H
#define CAROM_APP_SWEEP_POOL_H

#include "app/sweep/sweep.h"

typedef struct carom_pool_def {
    int jobs;    // processes at a time
    int threads; // of each
    // Called when a run has ended and its status and message are known; a failure ends the sweep.
    carom_status (*ended)(carom_sweep *sweep, int point, void *context, carom_error *error);
    // Called about 20 times a second, with the number of running processes.
    void (*tick)(const carom_sweep *sweep, int running, void *context);
    void *context;
} carom_pool_def;

// Runs all points that are waiting, each as `carom run` with the folder of the point as its output; what it prints goes to
// log.txt there. A run with a checkpoint is resumed. SIGINT, SIGTERM and SIGHUP interrupt all runs, which write their
// checkpoints; a second signal ends them at once. Returns CAROM_INTERRUPTED then.
carom_status carom_pool_run(carom_sweep *sweep, const carom_pool_def *def, carom_error *error);

#endif
