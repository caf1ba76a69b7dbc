// SPDX-License-Identifier: MIT
// The verification manual: the results of `carom verify` as a document.
#ifndef CAROM_APP_VERIFY_VERIFICATION_H
#define CAROM_APP_VERIFY_VERIFICATION_H

#include "carom/scene.h"

// One gate of one scene.
typedef struct carom_verification_row {
    char scene[256];          // papers/dcr/two_bars
    const carom_kind *method; // integrator or analysis
    carom_verdict verdict;    // its value is NaN if nothing was run
} carom_verification_row;

typedef struct carom_verification {
    int count, capacity;
    carom_verification_row *rows;
    bool planned; // nothing was run: the values stay open
} carom_verification;

// Adds the gates of a scene; `verdicts` may be NULL for a scene that was not run.
carom_status carom_verification_add(carom_verification *v, const carom_scene *scene, const char *name,
                                    const carom_verdict *verdicts, carom_error *error);
// The document, in Markdown. The rows are grouped by method and by the kind of their reference.
void carom_verification_print(const carom_verification *v, FILE *stream);
void carom_verification_release(carom_verification *v);

// The head of the document, and the pages and pictures of a method.
extern const char carom_verification_head[];
const char *carom_verification_method(const char *method);

#endif
