// SPDX-License-Identifier: MIT
// Evaluates the gates of a finished run (the conditions under `expect:` in its scene), and prints them.
#include "app/verdicts.h"

#include <math.h>
#include <stdlib.h>

#include "app/message.h"

carom_verdict *carom_verdicts_judge(const carom_scene *scene, const carom_sim *sim, const carom_summary *summary, int *count) {
    *count = carom_scene_expectation_count(scene);
    if (*count == 0)
        return NULL;
    carom_verdict *verdicts = calloc((size_t)*count, sizeof *verdicts);
    if (!verdicts) {
        // distinguishes this from a scene without gates
        *count = -1;
        return NULL;
    }
    for (int i = 0; i < *count; i++)
        verdicts[i] = carom_scene_judge(scene, i, sim, summary);
    return verdicts;
}

int carom_verdicts_failed(const carom_verdict *verdicts, int count) {
    int failed = 0;
    for (int i = 0; i < count; i++)
        failed += !verdicts[i].passed;
    return failed;
}

// Values below this are rounding errors: their digits depend on compiler and solver, their magnitude does not.
static const double rounding_level = 1e-9;

static void print_number(double value, int digits, char text[static CAROM_VERDICT_TEXT]) {
    // rounding errors: only the order of magnitude, which is the same on every machine
    bool rounding = value != 0 && fabs(value) < rounding_level;
    if (isnan(value))
        snprintf(text, CAROM_VERDICT_TEXT, "-");
    else
        snprintf(text, CAROM_VERDICT_TEXT, rounding ? "%.*e" : "%.*g", rounding ? 0 : digits, value);
}

void carom_verdict_value(const carom_verdict *verdict, int digits, char text[static CAROM_VERDICT_TEXT]) {
    print_number(verdict->value, digits, text);
}

void carom_verdict_error(const carom_verdict *verdict, char text[static CAROM_VERDICT_TEXT]) {
    double error = fabs(verdict->value - verdict->exact);
    text[0] = 0;
    if (isnan(verdict->exact))
        return;
    // no percentage of zero: the absolute error
    if (verdict->exact == 0 || isnan(error) || error == 0) {
        print_number(error, 2, text);
        return;
    }
    double percent = 100 * error / fabs(verdict->exact);
    if (percent < rounding_level)
        snprintf(text, CAROM_VERDICT_TEXT, "rounding");
    else
        snprintf(text, CAROM_VERDICT_TEXT, percent < 99.5 ? "%.2g %%" : percent < 1e4 ? "%.0f %%" : "%.0e %%", percent);
}

void carom_verdict_print_word(bool passed, FILE *stream) {
    fprintf(stream, "%s%s%s", carom_style_begin(passed ? CAROM_STYLE_GOOD : CAROM_STYLE_BAD, stream), passed ? "PASS" : "FAIL",
            carom_style_end(stream));
}

void carom_verdicts_print(const carom_verdict *verdicts, int count, FILE *stream) {
    fprintf(stream, "%-26s%16s   %s\n", "Expected", "value", "condition");
    for (int i = 0; i < count; i++) {
        fputs("  ", stream);
        carom_verdict_print_word(verdicts[i].passed, stream);
        fputc(' ', stream);
        carom_print_cell(verdicts[i].name, 7, 24, stream);
        fprintf(stream, "%11.5g   %s", verdicts[i].value, verdicts[i].condition);
        // a reference of zero is part of the condition
        if (verdicts[i].reference == CAROM_REFERENCE_EXACT && verdicts[i].exact != 0)
            fprintf(stream, ", exact %.6g", verdicts[i].exact);
        if (verdicts[i].reference == CAROM_REFERENCE_PUBLISHED)
            fprintf(stream, ", published %.6g", verdicts[i].exact);
        fputc('\n', stream);
    }
}
