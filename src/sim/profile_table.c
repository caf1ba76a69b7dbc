// SPDX-License-Identifier: MIT
// The profile of a run as a table to read, and as a member of summary.json.
#include "sim/profile_table.h"

#include "base/stream.h"

// Time of all phases. Set-up comes before the run and has a line, but is part of the total.
static carom_phase_time total_of(const carom_summary *summary) {
    carom_phase_time total = {0};
    for (int i = 0; i < CAROM_PHASE_COUNT; i++) {
        total.wall += summary->profile[i].wall;
        total.processor += summary->profile[i].processor;
    }
    return total;
}

// How much of the time of its threads a phase had work for them.
static double busy(carom_phase_time time, int threads) {
    return time.wall > 0 ? time.processor / (time.wall * threads) : 0;
}

static void put_line(FILE *stream, const char *name, carom_phase_time time, double total, int threads) {
    fprintf(stream, "  %-10s%12.3f%10.1f %%%12.3f%10.0f %%\n", name, time.wall, total > 0 ? 100 * time.wall / total : 0,
            time.processor, 100 * busy(time, threads));
}

char *carom_profile_table(const carom_summary *summary) {
    carom_phase_time total = total_of(summary);
    if (total.wall == 0)
        return NULL;
    carom_stream text;
    carom_stream_open(&text);
    FILE *stream = text.file;
    if (!stream)
        return NULL;
    fprintf(stream, "  %-10s%12s%12s%12s%12s\n", "time", "seconds", "share", "processor", "threads");
    for (int i = 0; i < CAROM_PHASE_COUNT; i++)
        if (summary->profile[i].wall > 0)
            put_line(stream, carom_phase_name((carom_phase)i), summary->profile[i], total.wall, summary->threads);
    put_line(stream, "all", total, total.wall, summary->threads);
    if (summary->threads > 1)
        fprintf(stream, "  teams of %.1f of %d threads in the mean\n", summary->threads_used, summary->threads);
    return carom_stream_close(&text);
}

void carom_profile_put(carom_text *text, const carom_summary *summary) {
    carom_phase_time total = total_of(summary);
    if (total.wall == 0)
        return;
    carom_text_print(text, "  \"threads_used\": ");
    carom_json_real(text, summary->threads_used);
    carom_text_print(text, ",\n  \"profile\": {");
    for (int i = 0, count = 0; i < CAROM_PHASE_COUNT; i++) {
        if (!(summary->profile[i].wall > 0))
            continue;
        carom_text_print(text, "%s\n    \"%s\": {\"seconds\": ", count++ ? "," : "", carom_phase_name((carom_phase)i));
        carom_json_real(text, summary->profile[i].wall);
        carom_text_print(text, ", \"processor_seconds\": ");
        carom_json_real(text, summary->profile[i].processor);
        carom_text_print(text, ", \"efficiency\": ");
        carom_json_real(text, busy(summary->profile[i], summary->threads));
        carom_text_print(text, "}");
    }
    carom_text_print(text, "\n  },\n");
}
