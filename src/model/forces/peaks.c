// SPDX-License-Identifier: MIT
// Records the extremes of stress and strain of a run (peaks.h). A check of the present positions computes the scores of each
// element (peak_scores.h), raises its envelopes (its extremes so far), and finds the extremes of each chunk of elements; then
// the chunks of a body are compared in their order. Extremes do not depend on order: of equal scores the earliest step counts,
// and of one step the first element, so that the result is the same for any number of threads and processes.
#include "model/forces/peaks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "element/peak_values.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/forces/peak_scores.h"
#include "model/limits.h"
#include "model/model.h"
#include "model/remote.h"

_Static_assert((int)CAROM_EXTREME_LEAST == (int)CAROM_PEAK_LEAST && (int)CAROM_EXTREME_STRAIN == (int)CAROM_PEAK_STRAIN &&
                   (int)CAROM_EXTREME_KINDS == (int)CAROM_PEAK_KINDS,
               "kernels and the model number the kinds of peaks differently");

// The record of one body and kind. ELEMENT is counted through the whole model from 1; 0: there is no peak yet.
enum { ROW_IS_SET, ROW_SCORE, ELEMENT, SCORE, TIME, X, RECORD = X + 3 };

// Two numbers precede the records: the start has been checked, and the last check was that of a row.
enum { STARTED, CLOSED, HEAD };

// Values by which the peaks of two processes are compared, or that are copied from the winner: score, time, element, position.
enum { ENTRIES = 6 };

// Number of elements from which on several threads perform a check.
enum { SHARED = 2048 };

// The best scores of a chunk, with the indices of their elements in the chunk.
typedef struct best {
    double score[CAROM_PEAK_KINDS];
    int element[CAROM_PEAK_KINDS];
} best;

struct carom_peaks {
    carom_arena *arena;              // owns everything except state arrays
    double *numbers;                 // state array: HEAD, then the records of all bodies with stresses
    double *envelopes;               // state array: CAROM_ENVELOPES per element
    int *place;                      // per body: the number of its first record; -1: it has none
    int *element_begin, *cell_begin; // per body: number of elements, and of cells in frames, before its own
    int record_count;
    bool *scored;        // per block: it has elements with scores, and
    bool *passes;        // its force kernel compares stresses
    int64_t passed_step; // the step of the last force pass that compared, -1: none; and its time
    double passed_time;
    best *bests; // scratch, per chunk
    // scratch, per block: a device has checked it as a whole in a force pass, and the best scores it has reported
    bool *whole;
    best *of_block;
    bool *left;       // scratch, per block: a device could not check one of its elements
    int *chunk_begin; // per block: its first chunk; its last entry is the number of all chunks
    // for elements that output one field at a time: each block has its own section, as threads check several blocks at once
    double *scratch;
    int64_t *scratch_begin; // per block
    double *join_buffer;    // scratch of carom_peaks_join; NULL in a whole model
    bool *in;               // scratch: the record takes part in the comparison of processes
};

const char *carom_peak_name(carom_peak_kind kind) {
    static const char *const names[CAROM_PEAK_KINDS] = {"max_von_mises", "max_principal", "min_principal", "max_strain"};
    return names[kind];
}

bool carom_body_has_peak(const carom_model *model, int body, carom_peak_kind kind) {
    const carom_body *b = &model->bodies[body];
    for (int i = b->block_begin; i < b->block_begin + b->block_count; i++) {
        carom_peak_source source = carom_peak_source_of(model->blocks[i].element);
        if (carom_block_is_scored(model, &model->blocks[i]) && carom_peak_source_has(&source, kind))
            return true;
    }
    return false;
}

// Blocks are the same in all subdomains, including empty ones: all processes have the same record numbers.
static bool find_places(carom_peaks *peaks, const carom_model *model, int64_t *buffer) {
    int elements = 0, cells = 0;
    carom_arena *arena = peaks->arena;
    bool enough = arena;
    peaks->place = carom_arena_reserve(arena, model->body_count, sizeof *peaks->place, &enough);
    peaks->element_begin = carom_arena_reserve(arena, model->body_count, sizeof *peaks->element_begin, &enough);
    peaks->cell_begin = carom_arena_reserve(arena, model->body_count, sizeof *peaks->cell_begin, &enough);
    peaks->bests = carom_arena_reserve(arena, model->chunk_count, sizeof *peaks->bests, &enough);
    peaks->scratch_begin = carom_arena_reserve(arena, model->block_count, sizeof *peaks->scratch_begin, &enough);
    peaks->passes = carom_arena_reserve(arena, model->block_count, sizeof *peaks->passes, &enough);
    peaks->scored = carom_arena_reserve(arena, model->block_count, sizeof *peaks->scored, &enough);
    peaks->whole = carom_arena_reserve(arena, model->block_count, sizeof *peaks->whole, &enough);
    peaks->left = carom_arena_reserve(arena, model->block_count, sizeof *peaks->left, &enough);
    peaks->of_block = carom_arena_reserve(arena, model->block_count, sizeof *peaks->of_block, &enough);
    peaks->chunk_begin = carom_arena_reserve(arena, (int64_t)model->block_count + 1, sizeof *peaks->chunk_begin, &enough);
    if (!enough)
        return false;
    for (int b = 0, c = 0; b <= model->block_count; b++) {
        while (c < model->chunk_count && model->chunks[c].block < b)
            c++;
        peaks->chunk_begin[b] = c;
    }
    for (int b = 0; b < model->body_count; b++) {
        const carom_body *body = &model->bodies[b];
        bool any = false;
        peaks->element_begin[b] = elements;
        peaks->cell_begin[b] = cells;
        for (int i = body->block_begin; i < body->block_begin + body->block_count; i++) {
            const carom_block *block = &model->blocks[i];
            elements += block->count;
            cells += carom_block_has_cells(block) ? block->count : 0;
            if (!carom_block_is_scored(model, block))
                continue;
            any = true;
            peaks->scored[i] = block->count > 0;
            peaks->passes[i] = carom_extremes_known(block);
            peaks->scratch_begin[i] = *buffer;
            *buffer += carom_peak_buffer(block);
        }
        peaks->place[b] = any ? peaks->record_count : -1;
        peaks->record_count += any ? CAROM_PEAK_KINDS : 0;
    }
    return true;
}

static carom_limits limits_of(const void *unused, const carom_state *state, int64_t i) {
    (void)unused;
    return i >= HEAD && (i - HEAD) % RECORD == ELEMENT ? carom_limits_element(state->model) : CAROM_LIMITS_NONE;
}

bool carom_peaks_register(carom_state *state) {
    carom_peaks *peaks = carom_allocate(1, sizeof *peaks);
    int64_t buffer = 0;
    if (peaks)
        peaks->arena = carom_arena_create();
    if (!peaks || !find_places(peaks, state->model, &buffer)) {
        carom_peaks_release(peaks);
        return false;
    }
    if (peaks->record_count == 0) {
        carom_peaks_release(peaks);
        return true;
    }
    state->peaks = peaks;
    bool enough = true;
    peaks->scratch = carom_arena_reserve(peaks->arena, buffer, sizeof *peaks->scratch, &enough);
    peaks->passed_step = -1;
    peaks->numbers = carom_state_add_silent(state, "peaks", HEAD + (int64_t)RECORD * peaks->record_count);
    peaks->envelopes = carom_state_add_elemental(state, "stress envelopes", CAROM_ENVELOPES);
    carom_state_limit(state, peaks->numbers, limits_of, NULL);
    if (peaks->envelopes)
        state->arrays[state->array_count - 1].silent = true;
    carom_state_assign(state, peaks->envelopes, CAROM_ARRAYS_ENVELOPES);
    if (carom_model_is_subdomain(state->model)) {
        peaks->join_buffer =
            carom_arena_reserve(peaks->arena, (int64_t)ENTRIES * peaks->record_count, sizeof *peaks->join_buffer, &enough);
        peaks->in = carom_arena_reserve(peaks->arena, peaks->record_count, sizeof *peaks->in, &enough);
    }
    return enough && peaks->numbers && peaks->envelopes;
}

void carom_peaks_release(carom_peaks *peaks) {
    if (peaks)
        carom_arena_release(peaks->arena);
    free(peaks);
}

static double *record_of(const carom_peaks *peaks, int body, int kind) {
    return peaks->numbers + HEAD + (ptrdiff_t)RECORD * (peaks->place[body] + kind);
}

// Raises the envelopes of some elements, of which the first has the number `first`, and the best scores of their chunk.
static void take_scores(const carom_peaks *peaks, const carom_peak_scores *scores, int first, int before, int count,
                        bool started, best *found) {
    for (int kind = 0; kind < CAROM_ENVELOPES; kind++)
        for (int i = 0; i < count; i++) {
            double *envelope = &peaks->envelopes[(ptrdiff_t)CAROM_ENVELOPES * (first + i) + kind];
            double score = scores->of[kind][i];
            if (score > *envelope || (!started && score > CAROM_NO_SCORE))
                *envelope = score;
        }
    for (int kind = 0; kind < CAROM_PEAK_KINDS; kind++)
        for (int i = 0; i < count; i++)
            if (scores->of[kind][i] > found->score[kind]) {
                found->score[kind] = scores->of[kind][i];
                found->element[kind] = before + i;
            }
}

// Checks some elements of a chunk, from `begin` on in its block.
static void check_one(const carom_state *state, const carom_chunk *chunk, int begin, int end, carom_peak_limits *limits,
                      best *found) {
    const carom_model *model = state->model;
    const carom_peaks *peaks = state->peaks;
    int before = begin - chunk->begin, first = chunk->first + before;
    bool started = peaks->numbers[STARTED] != 0;
    carom_peak_scores scores;
    limits->envelopes = started ? &peaks->envelopes[(ptrdiff_t)CAROM_ENVELOPES * first] : NULL;
    for (int kind = 0; kind < CAROM_PEAK_KINDS; kind++)
        limits->of[kind] = found->score[kind] > limits->of[kind] ? found->score[kind] : limits->of[kind];
    carom_peak_find_scores(&model->blocks[chunk->block], begin, end, (carom_const_vectors)state->x,
                           (carom_const_vectors)model->X, limits, peaks->scratch + peaks->scratch_begin[chunk->block], &scores);
    take_scores(peaks, &scores, first, before, end - begin, started, found);
}

// The extremes of the body since the last row: the extreme of the run is at least that.
static void find_limits(const carom_peaks *peaks, int body, double limits[CAROM_PEAK_KINDS]) {
    for (int kind = 0; kind < CAROM_PEAK_KINDS; kind++) {
        const double *record = record_of(peaks, body, kind);
        limits[kind] = record[ROW_IS_SET] ? record[ROW_SCORE] : CAROM_NO_SCORE;
    }
}

static void check_chunk(const carom_state *state, int c, bool passed) {
    const carom_model *model = state->model;
    const carom_peaks *peaks = state->peaks;
    const carom_chunk *chunk = &model->chunks[c];
    const carom_block *block = &model->blocks[chunk->block];
    best *found = &peaks->bests[c];
    // the force pass has checked this chunk
    if (passed && peaks->passes[chunk->block] && !peaks->left[chunk->block])
        return;
    for (int kind = 0; kind < CAROM_PEAK_KINDS; kind++)
        found->score[kind] = CAROM_NO_SCORE;
    if (!peaks->scored[chunk->block])
        return;
    carom_peak_limits limits;
    find_limits(peaks, block->body, limits.of);
    for (int begin = chunk->begin; begin < chunk->end; begin += CAROM_SCORES_MAX) {
        int end = begin + CAROM_SCORES_MAX < chunk->end ? begin + CAROM_SCORES_MAX : chunk->end;
        check_one(state, chunk, begin, end, &limits, found);
    }
}

// The centre of the nodes of a cell, which come first among those of its element; for a patch its central node.
static void find_middle(const carom_block *block, int element, const double (*x)[3], double middle[3]) {
    const int *nodes = &block->nodes[(ptrdiff_t)element * block->node_count];
    int count = carom_block_has_cells(block) ? block->element->node_count : 1;
    middle[0] = middle[1] = middle[2] = 0;
    for (int i = 0; i < count; i++)
        carom_add_scaled(1.0 / count, x[nodes[i]], middle);
}

// Compares the best scores of a chunk, or of a whole block, with the record of its body. Chunks come in ascending order, and
// the first of equal scores is kept.
static void take_best(const carom_state *state, const carom_chunk *chunk, const best *found) {
    const carom_model *model = state->model;
    const carom_block *block = &model->blocks[chunk->block];
    for (int kind = 0; kind < CAROM_PEAK_KINDS; kind++) {
        double score = found->score[kind];
        if (score <= CAROM_NO_SCORE)
            continue;
        double *record = record_of(state->peaks, block->body, kind);
        if (!record[ROW_IS_SET] || score > record[ROW_SCORE]) {
            record[ROW_IS_SET] = 1;
            record[ROW_SCORE] = score;
        }
        if (record[ELEMENT] && score <= record[SCORE])
            continue;
        record[SCORE] = score;
        record[TIME] = state->time;
        record[ELEMENT] = 1 + carom_model_global_element(model, chunk->first + found->element[kind]);
        find_middle(block, chunk->begin + found->element[kind], (carom_const_vectors)state->x, &record[X]);
    }
}

// The first check after a row resets the extremes of the row.
static void begin_row(carom_peaks *peaks) {
    for (int r = 0; peaks->numbers[CLOSED] != 0 && r < peaks->record_count; r++)
        peaks->numbers[HEAD + (ptrdiff_t)RECORD * r + ROW_IS_SET] = 0;
    peaks->numbers[CLOSED] = 0;
}

void carom_peaks_request(const carom_state *state, carom_force_outputs *outputs) {
    carom_peaks *peaks = state->peaks;
    // the very first check has no envelopes to compare with
    if (!peaks || peaks->numbers[STARTED] == 0)
        return;
    begin_row(peaks);
    memset(peaks->whole, 0, (size_t)state->model->block_count * sizeof *peaks->whole);
    memset(peaks->left, 0, (size_t)state->model->block_count * sizeof *peaks->left);
    peaks->passed_step = state->step;
    peaks->passed_time = state->time;
    outputs->peaks = peaks;
}

bool carom_peaks_begin_chunk(const carom_peaks *peaks, const carom_model *model, const carom_chunk *chunk,
                             carom_extremes *extremes) {
    if (!peaks->passes[chunk->block])
        return false;
    extremes->envelopes = peaks->envelopes + (ptrdiff_t)CAROM_ENVELOPES * chunk->first;
    extremes->count = chunk->end - chunk->begin;
    find_limits(peaks, model->blocks[chunk->block].body, extremes->limit);
    for (int kind = 0; kind < CAROM_PEAK_KINDS; kind++)
        extremes->score[kind] = CAROM_NO_SCORE;
    return true;
}

void carom_peaks_end_chunk(const carom_peaks *peaks, const carom_model *model, const carom_chunk *chunk,
                           const carom_extremes *extremes) {
    best *found = &peaks->bests[chunk - model->chunks];
    memcpy(found->score, extremes->score, sizeof found->score);
    memcpy(found->element, extremes->element, sizeof found->element);
}

void carom_peaks_pass_block(const carom_peaks *peaks, int block, const double score[CAROM_PEAK_KINDS],
                            const int element[CAROM_PEAK_KINDS]) {
    best *found = &peaks->of_block[block];
    memcpy(found->score, score, sizeof found->score);
    memcpy(found->element, element, sizeof found->element);
    peaks->whole[block] = true;
}

void carom_peaks_leave_block(const carom_peaks *peaks, int block) {
    peaks->left[block] = true;
}

// True if the force pass has checked the present positions.
static bool is_passed(const carom_state *state) {
    const carom_peaks *peaks = state->peaks;
    return peaks && peaks->passed_step == state->step && peaks->passed_time == state->time;
}

// True if carom_peaks_check still has to compare with the envelopes of the state and raise them.
static bool needs_envelopes(const carom_state *state) {
    const carom_peaks *peaks = state->peaks;
    bool left = peaks && !is_passed(state);
    for (int b = 0; peaks && b < state->model->block_count; b++)
        left = left || peaks->left[b];
    return left;
}

bool carom_peaks_need_positions(const carom_state *state) {
    const carom_peaks *peaks = state->peaks;
    bool passed = is_passed(state);
    for (int b = 0; peaks && b < state->model->block_count; b++)
        if (!(passed && peaks->passes[b] && !peaks->left[b]) && peaks->scored[b])
            return true;
    return false;
}

static void check_chunks(const carom_state *state, bool passed) {
    const carom_model *model = state->model;
#pragma omp parallel for schedule(static) if (model->element_count > SHARED)
    for (int c = 0; c < model->chunk_count; c++)
        check_chunk(state, c, passed);
}

void carom_peaks_check(carom_state *state, bool row) {
    carom_peaks *peaks = state->peaks;
    const carom_model *model = state->model;
    if (!peaks)
        return;
    bool passed = is_passed(state);
    if (needs_envelopes(state))
        carom_state_write(state, CAROM_ARRAYS_ENVELOPES);
    // needed for elements that no force pass checks
    if (carom_peaks_need_positions(state))
        carom_state_read(state, CAROM_ARRAYS_POSITIONS | CAROM_ARRAYS_HISTORY);
    begin_row(peaks);
    if (!passed)
        memset(peaks->whole, 0, (size_t)model->block_count * sizeof *peaks->whole);
    bool all = true;
    for (int b = 0; b < model->block_count; b++)
        all = all && (peaks->whole[b] || !peaks->scored[b]);
    if (!all)
        check_chunks(state, passed);
    for (int b = 0; b < model->block_count; b++) {
        int begin = peaks->chunk_begin[b], end = peaks->scored[b] ? peaks->chunk_begin[b + 1] : begin;
        if (peaks->whole[b] && begin < end)
            take_best(state, &model->chunks[begin], &peaks->of_block[b]);
        for (int c = begin; !peaks->whole[b] && c < end; c++)
            take_best(state, &model->chunks[c], &peaks->bests[c]);
    }
    peaks->passed_step = -1;
    peaks->numbers[STARTED] = 1;
    peaks->numbers[CLOSED] = row;
}

void carom_peaks_start(carom_state *state) {
    carom_peaks *peaks = state->peaks;
    if (!peaks)
        return;
    memset(peaks->numbers, 0, (size_t)(HEAD + (int64_t)RECORD * peaks->record_count) * sizeof *peaks->numbers);
    carom_peaks_check(state, true);
}

// Finds the largest value of one entry of each record over the processes; processes with a smaller value drop out.
static void keep_largest(const carom_peaks *peaks, int number, double sign, double *buffer) {
    const double *records = peaks->numbers + HEAD;
    bool *in = peaks->in;
    for (int r = 0; r < peaks->record_count; r++)
        buffer[r] = in[r] ? sign * records[(ptrdiff_t)RECORD * r + number] : -HUGE_VAL;
    carom_parallel_most(buffer, peaks->record_count);
    for (int r = 0; r < peaks->record_count; r++)
        in[r] = in[r] && sign * records[(ptrdiff_t)RECORD * r + number] == buffer[r];
}

// Copies the entry of the winners.
static void copy_winners(const carom_peaks *peaks, int number, double sign, const double *buffer) {
    double *records = peaks->numbers + HEAD;
    for (int r = 0; r < peaks->record_count; r++)
        if (buffer[r] > -HUGE_VAL)
            records[(ptrdiff_t)RECORD * r + number] = sign * buffer[r] + 0.0;
}

// Starts the comparison with the records in which an entry is not zero.
static void start_comparison(const carom_peaks *peaks, int number) {
    for (int r = 0; r < peaks->record_count; r++)
        peaks->in[r] = peaks->numbers[HEAD + (ptrdiff_t)RECORD * r + number] != 0;
}

void carom_peaks_join(const carom_state *state) {
    static const struct {
        int number;
        double sign;
    } entries[ENTRIES] = {{SCORE, 1}, {TIME, -1}, {ELEMENT, -1}, {X, 1}, {X + 1, 1}, {X + 2, 1}};
    const carom_peaks *peaks = state->peaks;
    if (!peaks || !carom_model_is_subdomain(state->model))
        return;
    // by largest score, then earliest time, then first element; then the position of that element
    ptrdiff_t n = peaks->record_count;
    start_comparison(peaks, ELEMENT);
    for (int k = 0; k < ENTRIES; k++)
        keep_largest(peaks, entries[k].number, entries[k].sign, peaks->join_buffer + k * n);
    for (int k = 0; k < ENTRIES; k++)
        copy_winners(peaks, entries[k].number, entries[k].sign, peaks->join_buffer + k * n);
    start_comparison(peaks, ROW_IS_SET);
    keep_largest(peaks, ROW_SCORE, 1, peaks->join_buffer);
    copy_winners(peaks, ROW_SCORE, 1, peaks->join_buffer);
    for (int r = 0; r < n; r++)
        if (peaks->join_buffer[r] > -HUGE_VAL)
            peaks->numbers[HEAD + (ptrdiff_t)RECORD * r + ROW_IS_SET] = 1;
}

static double value_of(carom_peak_kind kind, double score) {
    return kind == CAROM_PEAK_LEAST ? 0 - score : score;
}

double carom_peaks_of_row(const carom_state *state, int body, carom_peak_kind kind) {
    const carom_peaks *peaks = state->peaks;
    if (!peaks || peaks->place[body] < 0)
        return NAN;
    const double *record = record_of(peaks, body, kind);
    return record[ROW_IS_SET] ? value_of(kind, record[ROW_SCORE]) : (double)NAN;
}

double *carom_peaks_envelopes(const carom_state *state) {
    carom_state_read(state, CAROM_ARRAYS_ENVELOPES);
    return state->peaks ? state->peaks->envelopes : NULL;
}

// Finds the cell number in its body, in the order of the frames, and its number in the mesh file.
static void name_cell(const carom_state *state, int b, int e, carom_peak *peak) {
    const carom_model *model = state->model;
    const carom_block *block = &model->blocks[b];
    int64_t place = e;
    for (int i = model->bodies[block->body].block_begin; i < b; i++)
        place += carom_block_has_cells(&model->blocks[i]) ? model->blocks[i].count : 0;
    place = block->cells ? block->cells[e] : place;
    peak->cell = state->peaks->cell_begin[block->body] + place;
    peak->element = block->ids ? block->ids[e] : place;
}

// Finds the first cell of a body at a node.
static void name_cell_at(const carom_state *state, const carom_body *body, int node, carom_peak *peak) {
    for (int b = body->block_begin; b < body->block_begin + body->block_count; b++) {
        const carom_block *block = &state->model->blocks[b];
        for (int i = 0; carom_block_has_cells(block) && i < block->count * block->node_count; i++)
            if (block->nodes[i] == node) {
                name_cell(state, b, i / block->node_count, peak);
                return;
            }
    }
}

bool carom_peaks_of_run(const carom_state *state, int body, carom_peak_kind kind, carom_peak *peak) {
    const carom_peaks *peaks = state->peaks;
    const double *record = peaks && peaks->place[body] >= 0 ? record_of(peaks, body, kind) : NULL;
    if (!record || record[ELEMENT] == 0)
        return false;
    *peak = (carom_peak){.kind = kind, .value = value_of(kind, record[SCORE]), .time = record[TIME], .element = -1, .cell = -1};
    const carom_body *of = &state->model->bodies[body];
    memcpy(peak->body, of->name, sizeof peak->body);
    carom_copy(&record[X], peak->x);
    int e = (int)record[ELEMENT] - 1 - peaks->element_begin[body];
    for (int b = of->block_begin; b < of->block_begin + of->block_count; e -= state->model->blocks[b++].count) {
        const carom_block *block = &state->model->blocks[b];
        // below 0: an element of another body, in a damaged checkpoint
        if (e < 0 || e >= block->count)
            continue;
        if (carom_block_has_cells(block))
            name_cell(state, b, e, peak);
        else
            name_cell_at(state, of, block->nodes[(ptrdiff_t)e * block->node_count], peak);
        break;
    }
    return true;
}
