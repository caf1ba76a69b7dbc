// SPDX-License-Identifier: MIT
// A background thread that writes frames: a mutex and a condition variable pass it one job at a time.
#include "output/frames/writer.h"

#include <string.h>

#include "base/numerals.h"
#include "base/platform.h"

static void *work(void *context) {
    carom_writer *writer = context;
    // The locale is a property of each thread, and numbers are written with a decimal point.
    carom_numerals numerals = carom_numerals_enter();
    pthread_mutex_lock(&writer->mutex);
    while (!writer->ends || writer->job) {
        if (!writer->job) {
            pthread_cond_wait(&writer->changed, &writer->mutex);
            continue;
        }
        // The job runs without the lock: the run may read the status meanwhile.
        carom_writer_job job = writer->job;
        pthread_mutex_unlock(&writer->mutex);
        carom_error error = {0};
        carom_status status = job(writer->context, &error);
        pthread_mutex_lock(&writer->mutex);
        writer->job = NULL;
        if (status && !writer->status) {
            writer->status = status;
            writer->error = error;
        }
        pthread_cond_broadcast(&writer->changed);
    }
    pthread_mutex_unlock(&writer->mutex);
    carom_numerals_leave(numerals);
    return NULL;
}

carom_status carom_writer_open(carom_writer *writer, carom_error *error) {
    *writer = (carom_writer){0};
    // With default attributes neither of these can fail.
    pthread_mutex_init(&writer->mutex, NULL);
    pthread_cond_init(&writer->changed, NULL);
    int reason = carom_platform_start_thread(&writer->thread, NULL, work, writer);
    writer->is_open = reason == 0;
    if (reason == 0)
        return CAROM_OK;
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->mutex);
    return carom_fail(error, CAROM_NO_MEMORY, "cannot start a thread that writes frames: %s", strerror(reason));
}

void carom_writer_close(carom_writer *writer) {
    if (!writer->is_open)
        return;
    pthread_mutex_lock(&writer->mutex);
    writer->ends = true;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->mutex);
    pthread_join(writer->thread, NULL);
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->mutex);
    writer->is_open = false;
}

void carom_writer_begin(carom_writer *writer, carom_writer_job job, void *context) {
    pthread_mutex_lock(&writer->mutex);
    writer->job = job;
    writer->context = context;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->mutex);
}

// With the lock held.
static carom_status return_status(const carom_writer *writer, carom_error *error) {
    if (writer->status && error)
        *error = writer->error;
    return writer->status;
}

carom_status carom_writer_wait(carom_writer *writer, carom_error *error) {
    if (!writer->is_open)
        return CAROM_OK;
    pthread_mutex_lock(&writer->mutex);
    while (writer->job)
        pthread_cond_wait(&writer->changed, &writer->mutex);
    carom_status status = return_status(writer, error);
    pthread_mutex_unlock(&writer->mutex);
    return status;
}

carom_status carom_writer_check(carom_writer *writer, carom_error *error) {
    if (!writer->is_open)
        return CAROM_OK;
    pthread_mutex_lock(&writer->mutex);
    carom_status status = writer->job ? CAROM_OK : return_status(writer, error);
    pthread_mutex_unlock(&writer->mutex);
    return status;
}
