// SPDX-License-Identifier: MIT
#include "app/verdicts.h"

#include <stdlib.h>

#include "app/message.h"

carom_verdict *carom_verdicts_judge(const carom_scene *scene, const carom_sim *sim, const carom_summary *summary, int *count) {
    *count = carom_scene_expectation_count(scene);
    if (*count == 0)
        return NULL;
    carom_verdict *verdicts = calloc((size_t)*count, sizeof *verdicts);
    if (!verdicts) {
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
        fprintf(stream, "%11.5g   %s\n", verdicts[i].value, verdicts[i].condition);
    }
}
