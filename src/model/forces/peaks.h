// SPDX-License-Identifier: MIT
// Extremes of stress and strain over all steps: of each body with position and time, and of each element.
//
// They belong to the state: they are saved, and a run that returns to an earlier state returns to its peaks. Nothing depends on
// them, and they do not enter the hash. Theory: docs/theory/peaks.md.
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

// Computes the peaks of the initial state, which the first row contains.
void carom_peaks_start(carom_state *state);
// Updates the peaks with the present positions. `row`: these peaks enter a row of the history, and the next row begins after
// them.
void carom_peaks_check(carom_state *state, bool row);

// Code that evaluates forces at the end of a step may update the peaks in the same pass, as far as force kernels support it;
// carom_peaks_check of this step does the rest. Positions, time and step of the state must be those of the end of the step.
void carom_peaks_request(const carom_state *state, carom_force_outputs *outputs);
// True if the check at the end of a step needs the positions of all nodes, for blocks that no force pass has checked.
bool carom_peaks_need_positions(const carom_state *state);
// Begins a chunk of elements in this pass. False: its kernel does not compare, or it is not needed.
bool carom_peaks_begin_chunk(const carom_peaks *peaks, const carom_model *model, const carom_chunk *chunk,
                             carom_extremes *extremes);
void carom_peaks_end_chunk(const carom_peaks *peaks, const carom_model *model, const carom_chunk *chunk,
                           const carom_extremes *extremes);
// Records a block that a device has checked as a whole in this pass: per kind, the best score above that of the body so far, or
// CAROM_NO_SCORE, and the first element that has it.
void carom_peaks_pass_block(const carom_peaks *peaks, int block, const double score[CAROM_PEAK_KINDS],
                            const int element[CAROM_PEAK_KINDS]);
// Declares that the device could not check a block, which carom_peaks_check then checks. Envelopes that the device has raised
// stay valid.
void carom_peaks_leave_block(const carom_peaks *peaks, int block);

// Combines the peaks of all processes; each process has those of its elements. Collective.
void carom_peaks_join(const carom_state *state);

// True if elements of the body have such a value.
bool carom_body_has_peak(const carom_model *model, int body, carom_peak_kind kind);
// The extreme of a body since the previous row; NaN if there is none.
double carom_peaks_of_row(const carom_state *state, int body, carom_peak_kind kind);
// The extreme of a body since the start, of a whole state. False if there is none.
bool carom_peaks_of_run(const carom_state *state, int body, carom_peak_kind kind, carom_peak *peak);
// CAROM_ENVELOPES numbers for each element, block after block; NULL where no element has stresses.
double *carom_peaks_envelopes(const carom_state *state);

#endif
