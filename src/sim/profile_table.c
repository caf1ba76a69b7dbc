// SPDX-License-Identifier: MIT
// Prints the profile of a run as a table, and writes it as a member of summary.json.
#include "sim/profile_table.h"

#include <inttypes.h>

#include "base/stream.h"

// Time of all phases, including the set-up before the run.
static carom_phase_time total_of(const carom_summary *summary) {
    carom_phase_time total = {0};
    for (int i = 0; i < CAROM_PHASE_COUNT; i++) {
        total.wall += summary->profile[i].wall;
        total.processor += summary->profile[i].processor;
    }
    return total;
}

// Fraction of the time of its threads that a phase used.
static double busy(carom_phase_time time, int threads) {
    return time.wall > 0 ? time.processor / (time.wall * threads) : 0;
}

static void put_line(FILE *stream, const char *name, carom_phase_time time, double total, int threads) {
    fprintf(stream, "  %-10s%12.3f%10.1f %%%12.3f%10.0f %%", name, time.wall, total > 0 ? 100 * time.wall / total : 0,
            time.processor, 100 * busy(time, threads));
}

// The line of a phase; with the mean and the largest time of all processes, if there are several. Set-up is that of the first.
static void put_phase(FILE *stream, const carom_summary *summary, carom_phase phase, double total) {
    put_line(stream, carom_phase_name(phase), summary->profile[phase], total, summary->threads);
    if (summary->processes > 1 && phase != CAROM_PHASE_SETUP)
        fprintf(stream, "%12.3f%12.3f", summary->profile_mean[phase].wall, summary->profile_most[phase].wall);
    fputc('\n', stream);
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
    fprintf(stream, "  %-10s%12s%12s%12s%12s", "time", "seconds", "share", "processor", "threads");
    if (summary->processes > 1)
        fprintf(stream, "%12s%12s", "mean", "most");
    fputc('\n', stream);
    for (int i = 0; i < CAROM_PHASE_COUNT; i++)
        if (summary->profile[i].wall > 0)
            put_phase(stream, summary, (carom_phase)i, total.wall);
    put_line(stream, "all", total, total.wall, summary->threads);
    fputc('\n', stream);
    if (summary->processes > 1)
        fputs("  of the first process; mean and most: seconds of all processes\n", stream);
    fprintf(stream, "  memory: %.0f MB", 1e-6 * (double)summary->memory[0]);
    if (summary->processes > 1)
        fprintf(stream, ", of other processes %.0f MB at most", 1e-6 * (double)summary->memory[1]);
    fputc('\n', stream);
    if (summary->threads > 1)
        fprintf(stream, "  %.1f of %d threads used on average\n", summary->threads_used, summary->threads);
    if (summary->imbalance > 0)
        fprintf(stream, "  nodes redistributed %d %s; the busiest of %d processes has %.2f of the mean work\n",
                summary->rebalances, summary->rebalances == 1 ? "time" : "times", summary->processes, summary->imbalance);
    return carom_stream_close(&text);
}

// The members of a phase; with several processes also the mean and largest times.
static void put_members(carom_text *text, const carom_summary *summary, carom_phase phase) {
    const carom_phase_time own = summary->profile[phase], mean = summary->profile_mean[phase],
                           most = summary->profile_most[phase];
    const struct {
        const char *key;
        double value;
    } members[] = {
        {"seconds", own.wall},
        {"processor_seconds", own.processor},
        {"efficiency", busy(own, summary->threads)},
        {"mean_seconds", mean.wall},
        {"most_seconds", most.wall},
        {"mean_processor_seconds", mean.processor},
        {"most_processor_seconds", most.processor},
    };
    int count = summary->processes > 1 && phase != CAROM_PHASE_SETUP ? 7 : 3;
    for (int i = 0; i < count; i++) {
        carom_text_print(text, "%s\"%s\": ", i ? ", " : "", members[i].key);
        carom_json_real(text, members[i].value);
    }
}

void carom_profile_put(carom_text *text, const carom_summary *summary) {
    carom_phase_time total = total_of(summary);
    if (total.wall == 0)
        return;
    carom_text_print(text, "  \"threads_used\": ");
    carom_json_real(text, summary->threads_used);
    carom_text_print(text, ",\n  \"memory\": [%" PRId64 ", %" PRId64 "]", summary->memory[0], summary->memory[1]);
    carom_text_print(text, ",\n  \"profile\": {");
    for (int i = 0, count = 0; i < CAROM_PHASE_COUNT; i++) {
        if (!(summary->profile[i].wall > 0))
            continue;
        carom_text_print(text, "%s\n    \"%s\": {", count++ ? "," : "", carom_phase_name((carom_phase)i));
        put_members(text, summary, (carom_phase)i);
        carom_text_print(text, "}");
    }
    carom_text_print(text, "\n  },\n");
}
