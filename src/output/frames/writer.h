// SPDX-License-Identifier: MIT
// A background thread that performs one job at a time: writing a frame.
#ifndef CAROM_OUTPUT_FRAMES_WRITER_H
#define CAROM_OUTPUT_FRAMES_WRITER_H

#include <pthread.h>
#include <stdbool.h>

#include "carom/status.h"

// A job reads only data of its context, which must not change meanwhile.
typedef carom_status (*carom_writer_job)(void *context, carom_error *error);

// Start from {0}. It must not move while it is open.
typedef struct carom_writer {
    bool is_open;
    pthread_t thread;
    pthread_mutex_t mutex; // guards all that follows
    pthread_cond_t changed;
    carom_writer_job job; // running or waiting to run; NULL: none
    void *context;
    bool ends;
    carom_status status; // of the first job that failed
    carom_error error;
} carom_writer;

// Starts the thread, with signals blocked: the run handles them.
carom_status carom_writer_open(carom_writer *writer, carom_error *error);
// Waits for the last job and ends the thread. A writer that was never opened is permitted.
void carom_writer_close(carom_writer *writer);

// Hands over a job, without waiting for it. The one before must have been waited for.
void carom_writer_begin(carom_writer *writer, carom_writer_job job, void *context);
// Waits until there is no job; returns the failure of the first one that failed. No jobs should follow a failure.
carom_status carom_writer_wait(carom_writer *writer, carom_error *error);
// The same without waiting: CAROM_OK also while a job is running.
carom_status carom_writer_check(carom_writer *writer, carom_error *error);

#endif
