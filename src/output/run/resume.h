// SPDX-License-Identifier: MIT
// Checks of the directory of a resumed run, and changes in it.
#ifndef CAROM_OUTPUT_RUN_RESUME_H
#define CAROM_OUTPUT_RUN_RESUME_H

#include "output/run/output.h"

// Steps between rows and between frames.
typedef struct carom_cadences {
    int history, fields;
} carom_cadences;

// A hash of the names, columns and nodes of the probes.
carom_status carom_probes_hash(const carom_probe_def *probes, int count, const carom_model *model, uint64_t *hash,
                               carom_error *error);

// Fails if files of the bookmark are missing or truncated, or if the definition would mix different forms of rows or frames;
// `style` is that of the frames to come.
carom_status carom_resume_check(const carom_output_def *def, const carom_model *model, const carom_bookmark *resume,
                                const carom_style *style, carom_error *error);

// Calls `report` (if not NULL) with a sentence for each file whose cadence changes at `step`, or that begins or ends there.
// Tables that are no longer written are cut back to the bookmark.
void carom_resume_report(const carom_output_def *def, const carom_bookmark *resume, const carom_cadences *now, int64_t step,
                         void (*report)(const char *text, void *context), void *context);

#endif
