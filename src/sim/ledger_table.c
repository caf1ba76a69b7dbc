// SPDX-License-Identifier: MIT
#include "sim/ledger_table.h"

#include <inttypes.h>
#include <math.h>

enum { CELL = 16, PAIRS_SHOWN = 20 };

// A share of a scale, in percent; small ones keep their order of magnitude.
static void print_share(double value, double scale, char text[static 32]) {
    double percent = 100 * value / scale;
    if (value == 0)
        snprintf(text, 32, "0 %%");
    else if (!isfinite(percent))
        snprintf(text, 32, "-");
    else if (fabs(percent) < 0.0095)
        snprintf(text, 32, "%.1e %%", percent);
    else
        snprintf(text, 32, "%.3f %%", percent);
}

static void energy_line(const char *name, double start, double end, double scale, FILE *stream) {
    char share[32];
    print_share(end - start, scale, share);
    fprintf(stream, "  %-24s%*.7g%*.7g%*.4g%*s\n", name, CELL, start, CELL, end, CELL, end - start, CELL, share);
}

static void rule(FILE *stream) {
    fputs("  ", stream);
    for (int i = 0; i < 24 + 4 * CELL; i++)
        fputc('-', stream);
    fputc('\n', stream);
}

static void print_energy(const carom_summary *summary, FILE *stream) {
    const carom_ledger_row *a = &summary->first, *b = &summary->last;
    double scale = summary->energy_scale;
    fprintf(stream, "%-26s%*s%*s%*s%*s\n", "Energy", CELL, "start", CELL, "end", CELL, "change", CELL, "of scale");
    energy_line("kinetic", a->kinetic, b->kinetic, scale, stream);
    energy_line("internal", a->internal, b->internal, scale, stream);
    energy_line("external", a->external, b->external, scale, stream);
    rule(stream);
    energy_line("total", a->total, b->total, scale, stream);
    energy_line("lost by restitution", a->restitution, b->restitution, scale, stream);
    energy_line("lost by friction", a->friction, b->friction, scale, stream);
    energy_line("lost by projection", a->projection, b->projection, scale, stream);
    rule(stream);
    energy_line("residual (unexplained)", a->residual, b->residual, scale, stream);
    char share[32];
    print_share(summary->energy_drift, 1, share);
    fprintf(stream, "  %-24s%*s%*s%*.4g%*s\n", "largest residual", CELL, "", CELL, "", CELL, summary->energy_drift * scale,
            CELL, share);
}

static void vector_line(const char *name, const double value[3], FILE *stream) {
    fprintf(stream, "  %-24s%*.7g%*.7g%*.7g", name, CELL, value[0], CELL, value[1], CELL, value[2]);
}

const char *const carom_momentum_names[6] = {"px", "py", "pz", "lx", "ly", "lz"};

// The components that must stay as they were.
static void print_conserved(const carom_summary *summary, FILE *stream) {
    bool any = false;
    for (int i = 0; i < 6; i++) {
        if (!summary->conserved[i])
            continue;
        fprintf(stream, "%s%s", any ? ", " : "  conserved: ", carom_momentum_names[i]);
        any = true;
    }
    if (any)
        fprintf(stream, " (largest change %.1e, %.1e)\n", summary->conserved_drift[0], summary->conserved_drift[1]);
}

static void print_momenta(const carom_summary *summary, FILE *stream) {
    const carom_ledger_row *a = &summary->first, *b = &summary->last;
    fprintf(stream, "\n%-26s%*s%*s%*s%*s\n", "Momentum", CELL, "x", CELL, "y", CELL, "z", CELL, "largest drift");
    vector_line("linear, start", a->momentum, stream);
    fputc('\n', stream);
    vector_line("linear, end", b->momentum, stream);
    fprintf(stream, "%*.1e\n", CELL, summary->momentum_drift);
    vector_line("angular, start", a->angular_momentum, stream);
    fputc('\n', stream);
    vector_line("angular, end", b->angular_momentum, stream);
    fprintf(stream, "%*.1e\n", CELL, summary->angular_momentum_drift);
    print_conserved(summary, stream);
}

static void print_pairs(const carom_summary *summary, const carom_pair_label *labels, FILE *stream) {
    if (summary->pair_count == 0) {
        fputs("\nContacts: none\n", stream);
        return;
    }
    fprintf(stream, "\n%-26s%10s%12s%12s%12s%12s%14s\n", "Contacts", "events", "first", "last", "impulse", "approach",
            "restitution");
    for (int i = 0; i < summary->pair_count && i < PAIRS_SHOWN; i++) {
        const carom_pair_record *pair = &summary->pairs[i];
        char name[2 * CAROM_NAME_MAX + 8], restitution[32] = "-";
        snprintf(name, sizeof name, "%s - %s", labels[i].name[0], labels[i].name[1]);
        if (isfinite(labels[i].restitution))
            snprintf(restitution, sizeof restitution, "%.4f", labels[i].restitution);
        fprintf(stream, "  %-24s%10" PRId64 "%12.6g%12.6g%12.5g%12.5g%14s\n", name, pair->events, pair->first_contact,
                pair->last_contact, pair->impulse, pair->approach, restitution);
    }
    if (summary->pair_count > PAIRS_SHOWN)
        fprintf(stream, "  and %d more pairs\n", summary->pair_count - PAIRS_SHOWN);
    fputs("  (restitution of whole bodies: separation speed of the mass centres at the end over approach speed)\n", stream);
}

static void print_events(const carom_summary *summary, FILE *stream) {
    bool any = false;
    for (int i = 0; i < CAROM_EVENT_COUNT; i++) {
        if (summary->events[i] == 0)
            continue;
        fprintf(stream, "%s %s %" PRId64, any ? "," : "\nNumerical events:", carom_event_name((carom_event)i),
                summary->events[i]);
        any = true;
    }
    if (any)
        fputc('\n', stream);
    if (summary->max_penetration > 0)
        fprintf(stream, "%sLargest penetration: %.4g\n", any ? "" : "\n", summary->max_penetration);
}

void carom_ledger_table_print(const carom_summary *summary, const carom_pair_label *labels, FILE *stream) {
    print_energy(summary, stream);
    print_momenta(summary, stream);
    print_pairs(summary, labels, stream);
    print_events(summary, stream);
}
