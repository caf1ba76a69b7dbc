// SPDX-License-Identifier: MIT
// The runs of a sweep (sweep.h): names of their statuses, their paths and settings, and the exit code of the sweep.
#include <stdlib.h>
#include <string.h>

#include "app/message.h"
#include "app/sweep/sweep.h"

static const char *const names[CAROM_CASE_STATUS_COUNT] = {
    "waiting", "done", "gate", "refused", "failed", "interrupted", "killed",
};

const char *carom_case_status_name(carom_case_status status) {
    return names[status];
}

carom_case_status carom_case_status_find(const char *name) {
    for (int i = 0; i < CAROM_CASE_STATUS_COUNT; i++)
        if (strcmp(names[i], name) == 0)
            return (carom_case_status)i;
    return CAROM_CASE_WAITING;
}

bool carom_case_is_final(carom_case_status status) {
    return status == CAROM_CASE_DONE || status == CAROM_CASE_GATE || status == CAROM_CASE_FAILED;
}

int carom_sweep_exit_code(const carom_sweep *sweep) {
    bool found[CAROM_CASE_STATUS_COUNT] = {false};
    for (int i = 0; i < sweep->study.point_count; i++)
        found[sweep->cases[i].status] = true;
    if (found[CAROM_CASE_INTERRUPTED] || found[CAROM_CASE_WAITING])
        return CAROM_EXIT_INTERRUPTED;
    if (found[CAROM_CASE_FAILED] || found[CAROM_CASE_KILLED])
        return CAROM_EXIT_NUMERICAL;
    if (found[CAROM_CASE_REFUSED])
        return CAROM_EXIT_INPUT;
    return found[CAROM_CASE_GATE] ? CAROM_EXIT_GATE : CAROM_EXIT_DONE;
}

void carom_case_path(const carom_sweep *sweep, int point, const char *name, char path[static CAROM_PATH_MAX]) {
    snprintf(path, CAROM_PATH_MAX, "%s/runs/%s%s%s", sweep->directory, sweep->cases[point].folder, *name ? "/" : "", name);
}

char *carom_case_setting(const carom_sweep *sweep, int point, int key) {
    const char *name = sweep->study.keys[key], *value = carom_study_value(&sweep->study, point, key);
    size_t size = strlen(name) + strlen(value) + 2;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s=%s", name, value);
    return text;
}

void carom_case_set_message(carom_case *run, const char *text, size_t size) {
    free(run->message);
    run->message = size > 0 ? strndup(text, size) : NULL;
}
