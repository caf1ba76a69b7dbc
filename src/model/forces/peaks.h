// SPDX-License-Identifier: MIT
// The extremes of stress and strain over all steps: of each body with place and time, and of each element.
//
// They are part of the state: they are saved, and a run that returns to an earlier state returns to its peaks. Nothing depends
// on them, and they do not enter the hash. Docs: docs/theory/peaks.md.
#ifndef CAROM_MODEL_FORCES_PEAKS_H
#define CAROM_MODEL_FORCES_PEAKS_H

#include "carom/peak.h"
#include "model/forces/forces.h"
#include "model/forces/peak_scores.h"
#include "model/state.h"

typedef struct carom_peaks carom_peaks;

// Registers the arrays of peaks with a state; `state->peaks` stays NULL where no element has stresses. False if memory is
// short.
bool carom_peaks_register(carom_state *state);
void carom_peaks_release(carom_peaks *peaks);

// The peaks of the start, at which the first row stands.
void carom_peaks_start(carom_state *state);
// Takes the present positions into account. `row`: a row of the history shows them, and the next one begins after them.
void carom_peaks_check(carom_state *state, bool row);

// Whoever finds the forces at the end of a step may take the positions into account in the same pass, as far as kernels of
// forces can: the look at this step does the rest. Positions, time and step of the state have to be those of its end.
void carom_peaks_ask(const carom_state *state, carom_beside *beside);
// True if the look at the end of a step needs the positions of all nodes: blocks that no pass of forces has looked at.
bool carom_peaks_need_positions(const carom_state *state);
// A chunk of elements in this pass. False: its kernel does not compare, or nobody asks for it.
bool carom_peaks_begin_chunk(const carom_peaks *peaks, const carom_model *model, const carom_chunk *chunk,
                             carom_extremes *extremes);
void carom_peaks_end_chunk(const carom_peaks *peaks, const carom_model *model, const carom_chunk *chunk,
                           const carom_extremes *extremes);
// A block in this pass as a whole, by a device: the best score of each kind that is beyond what the body has had, or
// CAROM_NO_SCORE, and the first element that has it.
void carom_peaks_pass_block(const carom_peaks *peaks, int block, const double score[CAROM_PEAK_KINDS],
                            const int element[CAROM_PEAK_KINDS]);
// The same where the device has no answer: the look does it. What the device has raised of envelopes stays right.
void carom_peaks_leave_block(const carom_peaks *peaks, int block);

// Brings the peaks of all processes together: each has those of its elements. To be called by all of them.
void carom_peaks_join(const carom_state *state);

// True if elements of the body have such a value.
bool carom_body_has_peak(const carom_model *model, int body, carom_peak_kind kind);
// The extreme of a body since the row before; NaN if there is none.
double carom_peaks_of_row(const carom_state *state, int body, carom_peak_kind kind);
// The extreme of a body since the start, of a whole state. False if there is none.
bool carom_peaks_of_run(const carom_state *state, int body, carom_peak_kind kind, carom_peak *peak);
// CAROM_ENVELOPES numbers for each element, block after block; NULL where no element has stresses.
const double *carom_peaks_envelopes(const carom_state *state);

#endif
