// SPDX-License-Identifier: MIT
// Finds why a run of a sweep has failed: from the errors in its log, or from the failed gates (`expect:`) in its summary.
#include "app/sweep/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/result.h"
#include "carom/text.h"

// Sets a message with the path of the sweep removed, so that sweeps in two directories have the same table.
static void set_message(carom_sweep *sweep, int point, const char *text) {
    carom_case *run = &sweep->cases[point];
    char path[CAROM_PATH_MAX];
    carom_text message = {0};
    carom_case_path(sweep, point, "", path);
    for (const char *found; (found = strstr(text, path)); text = found + strlen(path)) {
        carom_text_append(&message, text, (size_t)(found - text));
        carom_text_append(&message, run->folder, strlen(run->folder));
    }
    carom_text_append(&message, text, strlen(text));
    carom_case_set_message(run, message.data ? message.data : "", message.size);
    carom_text_release(&message);
}

// Takes the last error message of the command, else the first finding in the scene.
static void find_error(carom_sweep *sweep, int point) {
    static const char own[] = "carom: error: ", finding[] = ": error: ";
    char path[CAROM_PATH_MAX], line[1200], error[1200] = "";
    bool said = false;
    carom_case_path(sweep, point, "log.txt", path);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, own, strlen(own)) == 0) {
            snprintf(error, sizeof error, "%s", line + strlen(own));
            said = true;
        } else if (!said && !*error && strstr(line, finding)) {
            snprintf(error, sizeof error, "%s", line);
        }
    }
    if (file)
        fclose(file);
    set_message(sweep, point, error);
}

static void find_gates(carom_sweep *sweep, int point) {
    char path[CAROM_PATH_MAX];
    carom_result result;
    carom_text text = {0};
    carom_case_path(sweep, point, "", path);
    if (!carom_result_read(path, &result, NULL))
        return;
    for (int i = 0; i < result.verdict_count; i++) {
        const carom_verdict *verdict = &result.verdicts[i];
        if (!verdict->passed)
            carom_text_print(&text, "%sexpected %s %s, found %.6g", text.size ? "; " : "", verdict->name, verdict->condition,
                             verdict->value);
    }
    set_message(sweep, point, text.data ? text.data : "");
    carom_text_release(&text);
    carom_result_release(&result);
}

void carom_case_find_message(carom_sweep *sweep, int point, int signal) {
    char text[64];
    switch (sweep->cases[point].status) {
    case CAROM_CASE_DONE: set_message(sweep, point, ""); break;
    case CAROM_CASE_GATE: find_gates(sweep, point); break;
    case CAROM_CASE_KILLED:
        snprintf(text, sizeof text, signal ? "ended by signal %d" : "ended for an unknown reason", signal);
        set_message(sweep, point, text);
        break;
    default: find_error(sweep, point); break;
    }
}
