// SPDX-License-Identifier: MIT
// Scores: the stresses and strains of elements whose extremes a run records (peaks.h), from the output fields of elements.
#ifndef CAROM_MODEL_FORCES_PEAK_SCORES_H
#define CAROM_MODEL_FORCES_PEAK_SCORES_H

#include "carom/peak.h"
#include "element/peak_values.h"
#include "model/model.h"

// Number of elements that are evaluated at a time.
enum { CAROM_SCORES_MAX = 256 };

// Scores are defined in element/peak_values.h. A value that is not finite, as in an inverted element, gives no score.
typedef struct carom_peak_scores {
    double of[CAROM_PEAK_KINDS][CAROM_SCORES_MAX];
} carom_peak_scores;

// Indices of the fields in the table of an element; -1: it has none.
typedef struct carom_peak_source {
    int von_mises, principal, strain; // of tensors
    int axial_stress, axial_strain;   // of bars
} carom_peak_source;

carom_peak_source carom_peak_source_of(const carom_element *element);
bool carom_peak_source_has(const carom_peak_source *source, carom_peak_kind kind);

// True if the stresses of the block are those of the cells of its body: true for all blocks, but of a body with patches
// (elements over all nodes around a face or a node: loop-shell, nodal) for the patches only, as in output. Blocks of beams have
// none.
bool carom_block_is_scored(const carom_model *model, const carom_block *block);

// Length of the scratch array of a block, for all its calls together.
int64_t carom_peak_buffer(const carom_block *block);

// Thresholds of scores: a score has an effect if it is above the envelope of the element or above the limit of its body.
typedef struct carom_peak_limits {
    double of[CAROM_PEAK_KINDS]; // of the body
    const double *envelopes;     // of the first element of the range, CAROM_ENVELOPES numbers each; NULL: all scores count
} carom_peak_limits;

// Computes the scores of elements [begin, end) of a block, at most CAROM_SCORES_MAX of them; missing scores are CAROM_NO_SCORE,
// and so may be those that are above neither threshold. Each range writes to its own section of the scratch.
void carom_peak_find_scores(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                            const carom_peak_limits *limits, double *scratch, carom_peak_scores *scores);

#endif
