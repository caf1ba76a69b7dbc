// SPDX-License-Identifier: MIT
// Prints the summary of a run as tables of at most 100 columns: energies, momenta, pairs of bodies, peaks. The width of a cell
// is fixed: a number that is too long for it is printed with fewer digits.
#include "carom/run.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/stream.h"

// Widths of the columns: a name and four cells make a table of energies; pairs have smaller cells. More than twenty pairs would
// push the energies off the screen; summary.json has them all.
enum { NAME = 24, CELL = 16, SMALL_CELL = 12, LAST_CELL = 14, PLACE_CELL = 11, PAIRS_SHOWN = 20, PEAKS_SHOWN = 5 };

// A number with at most that many digits, right-aligned after at least one blank.
static void put_number(double value, int digits, int width, FILE *stream) {
    char text[64];
    if (value == 0)
        value = 0; // no minus sign before zero
    while (snprintf(text, sizeof text, "%.*g", digits, value) >= width && digits > 1)
        digits--;
    fprintf(stream, "%*s", width, isnan(value) ? "-" : text);
}

// A fraction of a scale, in percent; very small and very large ones are printed with an exponent.
static void put_share(double value, double scale, FILE *stream) {
    char text[64];
    double percent = 100 * (value / scale);
    if (value == 0)
        snprintf(text, sizeof text, "0 %%");
    else if (!isfinite(percent))
        snprintf(text, sizeof text, "-");
    else if (fabs(percent) < 0.0095 || fabs(percent) >= 1e6)
        snprintf(text, sizeof text, "%.1e %%", percent);
    else
        snprintf(text, sizeof text, "%.3f %%", percent);
    fprintf(stream, "%*s\n", CELL, text);
}

// One quantity at the start and at the end of the run, its change, and that change relative to the energy scale.
static void energy_line(const char *name, double start, double end, double scale, FILE *stream) {
    fprintf(stream, "  %-*s", NAME, name);
    put_number(start, 7, CELL, stream);
    put_number(end, 7, CELL, stream);
    put_number(end - start, 4, CELL, stream);
    put_share(end - start, scale, stream);
}

static void rule(FILE *stream) {
    fputs("  ", stream);
    for (int i = 0; i < NAME + 4 * CELL; i++)
        fputc('-', stream);
    fputc('\n', stream);
}

// The columns of a role. Most models are undamped, and few have history: optional columns that are zero are omitted.
static void energy_lines(const carom_summary *summary, carom_ledger_role role, FILE *stream) {
    int count;
    const carom_ledger_column *columns = carom_ledger_columns(&count);
    for (int c = 0; c < count; c++) {
        double start = carom_ledger_value(&summary->first, &columns[c]), end = carom_ledger_value(&summary->last, &columns[c]);
        bool optional = role == CAROM_LEDGER_KNOWN || columns[c].presence != CAROM_LEDGER_ALWAYS;
        if (columns[c].role == role && !(optional && start == 0 && end == 0))
            energy_line(columns[c].label, start, end, summary->energy_scale, stream);
    }
}

static void print_energy(const carom_summary *summary, FILE *stream) {
    const carom_ledger_row *b = &summary->last;
    // The largest energy met, not the energy at the start: a scene that starts at rest has none.
    double scale = summary->energy_scale;
    fprintf(stream, "%-26s%*s%*s%*s%*s\n", "Energy", CELL, "start", CELL, "end", CELL, "change", CELL, "of scale");
    energy_lines(summary, CAROM_LEDGER_PART, stream);
    rule(stream);
    energy_lines(summary, CAROM_LEDGER_TOTAL, stream);
    energy_lines(summary, CAROM_LEDGER_LOSS, stream);
    energy_lines(summary, CAROM_LEDGER_KNOWN, stream);
    rule(stream);
    energy_lines(summary, CAROM_LEDGER_RESIDUAL, stream);
    fprintf(stream, "  %-*s%*s", NAME, "largest residual", 2 * CELL, "");
    put_number(summary->energy_error * scale, 4, CELL, stream);
    put_share(summary->energy_error, 1, stream);
    if (b->largest_account > 0) {
        energy_line("  of it open accounts", 0, b->account, scale, stream);
        fprintf(stream, "  %-*s%*s", NAME, "largest account", 2 * CELL, "");
        put_number(b->largest_account, 4, CELL, stream);
        put_share(b->largest_account, scale, stream);
    }
    // results of earlier versions have none
    if (isfinite(b->energy_ratio)) {
        fprintf(stream, "  %-*s", NAME, "energy ratio");
        put_number(summary->first.energy_ratio, 7, CELL, stream);
        put_number(b->energy_ratio, 7, CELL, stream);
        put_number(b->energy_ratio - summary->first.energy_ratio, 4, CELL, stream);
        fputc('\n', stream);
    }
    if (b->oscillation != 0)
        fputs("  (residual: total + losses - oscillation - total at the start; the scale is the largest energy met)\n", stream);
    else
        fputs("  (residual: total + losses - total at the start; the scale is the largest energy met)\n", stream);
}

// Three components, then the text `end`.
static void vector_line(const char *name, const double value[3], const char *end, FILE *stream) {
    fprintf(stream, "  %-*s", NAME, name);
    for (int i = 0; i < 3; i++)
        put_number(value[i], 7, CELL, stream);
    fputs(end, stream);
}

// Momentum at the start, impulse from outside, momentum at the end, and the relative error of this balance.
static void momentum_lines(const char *const names[3], const double start[3], const double outside[3], const double end[3],
                           double balance_error, FILE *stream) {
    vector_line(names[0], start, "\n", stream);
    vector_line(names[1], outside, "\n", stream);
    vector_line(names[2], end, "", stream);
    fprintf(stream, "%*.1e\n", CELL, balance_error);
}

const char *carom_momentum_name(int momentum) {
    static const char *const names[6] = {"px", "py", "pz", "lx", "ly", "lz"};
    return names[momentum];
}

// The conserved components of the momenta.
static void print_conserved(const carom_summary *summary, FILE *stream) {
    bool any = false;
    for (int i = 0; i < 6; i++) {
        if (!summary->conserved[i])
            continue;
        fprintf(stream, "%s%s", any ? ", " : "  conserved: ", carom_momentum_name(i));
        any = true;
    }
    if (any)
        fprintf(stream, " (largest change %.1e, %.1e)\n", summary->conserved_error[0], summary->conserved_error[1]);
}

static void print_momenta(const carom_summary *summary, FILE *stream) {
    static const char *const linear[] = {"linear, start", "  from outside", "linear, end"};
    static const char *const angular[] = {"angular, start", "  from outside", "angular, end"};
    const carom_ledger_row *a = &summary->first, *b = &summary->last;
    fprintf(stream, "\n%-26s%*s%*s%*s%*s\n", "Momentum", CELL, "x", CELL, "y", CELL, "z", CELL, "largest error");
    momentum_lines(linear, a->momentum, summary->external_impulse, b->momentum, summary->momentum_error, stream);
    momentum_lines(angular, a->angular_momentum, summary->external_angular_impulse, b->angular_momentum,
                   summary->angular_momentum_error, stream);
    fputs("  (from outside: loads, restraints, planes; error: |end - start - from outside| over its scale)\n", stream);
    print_conserved(summary, stream);
}

const char *carom_resultant_name(int resultant) {
    static const char *const names[4] = {"loads", "load_moment", "reactions", "reaction_moment"};
    return names[resultant];
}

// Of a static analysis: the resultants of loads and reactions.
static void print_forces(const carom_summary *summary, FILE *stream) {
    static const char *const names[] = {"loads", "  their moment", "reactions", "  their moment"};
    fprintf(stream, "\n%-26s%*s%*s%*s\n", "Forces", CELL, "x", CELL, "y", CELL, "z");
    for (int i = 0; i < 4; i++)
        vector_line(names[i], summary->forces[i], "\n", stream);
    fputs("  (at the end: of all loads and all restraints on the bodies; moments about the origin)\n", stream);
}

// A long name gets a separate line.
static void print_pair_name(const carom_pair_label *label, FILE *stream) {
    char name[2 * CAROM_NAME_MAX + 8];
    int size = snprintf(name, sizeof name, "%s - %s", label->name[0], label->name[1]);
    fprintf(stream, "  %-*s", NAME, name);
    if (size > NAME)
        fprintf(stream, "\n  %-*s", NAME, "");
}

static void print_pair(const carom_pair_record *pair, const carom_pair_label *label, FILE *stream) {
    char restitution[32] = "-";
    if (isfinite(label->restitution))
        snprintf(restitution, sizeof restitution, fabs(label->restitution) < 1000 ? "%.4f" : "%.3g", label->restitution);
    print_pair_name(label, stream);
    fprintf(stream, "%10" PRId64, pair->events);
    put_number(pair->first_contact, 6, SMALL_CELL, stream);
    put_number(pair->last_contact, 6, SMALL_CELL, stream);
    put_number(pair->impulse, 5, SMALL_CELL, stream);
    put_number(pair->approach, 5, SMALL_CELL, stream);
    fprintf(stream, "%*s\n", LAST_CELL, restitution);
}

// Fraction of the run beyond which a force window hides peaks.
static const double long_window = 0.05;

// The forces of the same pairs. Results of versions that did not measure them have none.
static void print_pair_forces(const carom_summary *summary, const carom_pair_label *labels, FILE *stream) {
    if (!(summary->force_window > 0))
        return;
    fprintf(stream, "\n%-26s%*s%*s%*s%*s\n", "Contact forces", CELL, "peak force", CELL, "at time", CELL, "duration", CELL,
            "in contact");
    for (int i = 0; i < summary->pair_count && i < PAIRS_SHOWN; i++) {
        const carom_pair_record *pair = &summary->pairs[i];
        print_pair_name(&labels[i], stream);
        put_number(pair->peak_force, 6, CELL, stream);
        put_number(pair->peak_force > 0 ? pair->peak_time : (double)NAN, 6, CELL, stream);
        put_number(pair->last_contact - pair->first_contact, 6, CELL, stream);
        put_number(pair->contact_time, 6, CELL, stream);
        fputc('\n', stream);
    }
    fprintf(stream,
            "  (force: largest mean of the normal force over a window of %.4g; duration: first to last contact;\n"
            "   in contact: length of all windows with an impulse)\n",
            summary->force_window);
    double part = summary->force_window / (summary->last.time - summary->first.time);
    if (part > long_window)
        fprintf(stream, "  (this window is %.0f %% of the run and hides shorter peaks: set output.history.force_window)\n",
                100 * fmin(part, 1));
}

static void print_pairs(const carom_summary *summary, const carom_pair_label *labels, FILE *stream) {
    if (summary->pair_count == 0) {
        fputs("\nContacts: none\n", stream);
        return;
    }
    fprintf(stream, "\n%-26s%10s%*s%*s%*s%*s%*s\n", "Contacts", "events", SMALL_CELL, "first", SMALL_CELL, "last", SMALL_CELL,
            "impulse", SMALL_CELL, "approach", LAST_CELL, "restitution");
    bool known = false;
    for (int i = 0; i < summary->pair_count && i < PAIRS_SHOWN; i++) {
        print_pair(&summary->pairs[i], &labels[i], stream);
        known = known || isfinite(labels[i].restitution);
    }
    if (summary->pair_count > PAIRS_SHOWN)
        fprintf(stream, "  and %d more pairs\n", summary->pair_count - PAIRS_SHOWN);
    if (known)
        fputs("  (restitution of whole bodies: speed at which their mass centres part over that of their approach)\n", stream);
    else
        fputs("  (restitution of whole bodies: only for two bodies that touch no other one and separate)\n", stream);
    print_pair_forces(summary, labels, stream);
}

// A peak: its value, element, place and time.
static void print_peak(const char *name, const carom_peak *peak, FILE *stream) {
    fprintf(stream, "  %-*s", NAME, name);
    if (strlen(name) > NAME)
        fprintf(stream, "\n  %-*s", NAME, "");
    put_number(peak->value, 5, SMALL_CELL, stream);
    fprintf(stream, "%*" PRId64, PLACE_CELL, peak->element);
    for (int i = 0; i < 3; i++)
        put_number(peak->x[i], 4, PLACE_CELL, stream);
    put_number(peak->time, 5, SMALL_CELL, stream);
    fputc('\n', stream);
}

// The least peak of von Mises stress of a body that is shown: that of the body in place PEAKS_SHOWN, in descending order.
static double least_shown(const carom_summary *summary) {
    double most[PEAKS_SHOWN];
    int count = 0;
    for (int i = 0; i < summary->peak_count; i++) {
        double value = summary->peaks[i].value;
        int at = count;
        if (summary->peaks[i].kind != CAROM_PEAK_VON_MISES)
            continue;
        for (; at > 0 && value > most[at - 1]; at--)
            if (at < PEAKS_SHOWN)
                most[at] = most[at - 1];
        if (at < PEAKS_SHOWN)
            most[at] = value;
        count += count < PEAKS_SHOWN;
    }
    return count == PEAKS_SHOWN ? most[PEAKS_SHOWN - 1] : -HUGE_VAL;
}

// For the bodies with the largest von Mises stress, in model order: this stress, extreme principal stresses, and strain.
static void print_peaks(const carom_summary *summary, FILE *stream) {
    static const char *const words[CAROM_PEAK_KINDS] = {"von Mises", "tension", "compression", "strain"};
    if (summary->peak_count == 0)
        return;
    fprintf(stream, "\n%-26s%*s%*s%*s%*s%*s%*s\n", "Largest stress", SMALL_CELL, "value", PLACE_CELL, "element", PLACE_CELL,
            "x", PLACE_CELL, "y", PLACE_CELL, "z", SMALL_CELL, "time");
    double least = least_shown(summary);
    int bodies = 0, shown = 0;
    bool shows = false, principal = false;
    for (int i = 0; i < summary->peak_count; i++) {
        const carom_peak *peak = &summary->peaks[i];
        // the peaks of a body are consecutive, the von Mises stress first
        if (i == 0 || strcmp(peak->body, summary->peaks[i - 1].body) != 0) {
            bodies++;
            shows = shown < PEAKS_SHOWN && (peak->kind != CAROM_PEAK_VON_MISES || peak->value >= least);
            shown += shows;
        }
        char name[CAROM_NAME_MAX + 16];
        snprintf(name, sizeof name, "%s: %s", peak->body, words[peak->kind]);
        if (shows)
            print_peak(name, peak, stream);
        principal = principal || (shows && peak->kind == CAROM_PEAK_PRINCIPAL);
    }
    if (bodies > shown)
        fprintf(stream, "  and %d more %s, with less von Mises stress\n", bodies - shown,
                bodies - shown == 1 ? "body" : "bodies");
    fprintf(stream, "  (means over an element, at all steps%s)\n",
            principal ? "; tension and compression are principal stresses" : "");
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
    if (summary->events[CAROM_EVENT_CONTACT_AMBIGUOUS])
        fputs("  (contact_ambiguous: a node met two faces at once that were equally good; the motion is not unique)\n", stream);
    if (summary->rotated[0])
        fprintf(stream,
                "  (large_rotation: %s has turned by more than ten degrees at time %.6g; the law `linear` is right for small "
                "rotations only)\n",
                summary->rotated, summary->rotated_at);
    // above the values of correct runs, below the tenth that ends a run
    if (summary->guard_unexplained > 0.025)
        fprintf(stream,
                "%sUp to %.2g %% of the energy was unexplained at an audit of the ledger: a smaller time.step, or less "
                "restitution, would leave less\n",
                any ? "" : "\n", 100 * summary->guard_unexplained);
    if (summary->is_static && isfinite(summary->stability_lost))
        fprintf(
            stream,
            "Stability is lost beyond the load factor %.6g: the structure buckles or snaps through there, and would not stay "
            "in what follows\n",
            summary->stability_lost);
    if (summary->max_penetration > 0)
        fprintf(stream, "%sLargest penetration: %.4g\n", any ? "" : "\n", summary->max_penetration);
}

static void print_division(const carom_summary *summary, FILE *stream) {
    const carom_division *division = &summary->division;
    if (division->parts)
        fprintf(stream, "\nDivided steps: %" PRId64 " substeps, the shortest %.4g of %.6g, first at time %.6g for %s\n",
                division->parts, division->smallest, division->nominal, division->time, division->element);
}

static void print_surfaces(const carom_summary *summary, FILE *stream) {
    if (summary->audits == 0)
        return;
    fprintf(stream, "\nSurfaces, checked %" PRId64 " times: %" PRId64 " intersections", summary->audits,
            summary->intersections);
    if (isfinite(summary->minimum_distance))
        fprintf(stream, ", smallest distance between bodies %.4g", summary->minimum_distance);
    fputc('\n', stream);
    if (summary->intersections > 0)
        fputs("  (faces intersect: if the method should prevent this, a smaller time.step may help)\n", stream);
}

static void print_table(const carom_summary *summary, const carom_pair_label *labels, FILE *stream) {
    print_energy(summary, stream);
    if (summary->is_static) {
        print_forces(summary, stream);
    } else {
        print_momenta(summary, stream);
        print_pairs(summary, labels, stream);
    }
    print_peaks(summary, stream);
    print_surfaces(summary, stream);
    print_division(summary, stream);
    if (summary->varies)
        fputs("\nThe last bits may differ from run to run: the solver does not promise them\n", stream);
    print_events(summary, stream);
}

char *carom_ledger_table(const carom_summary *summary, const carom_pair_label *labels) {
    carom_stream stream;
    carom_stream_open(&stream);
    if (stream.file)
        print_table(summary, labels, stream.file);
    return carom_stream_close(&stream);
}
