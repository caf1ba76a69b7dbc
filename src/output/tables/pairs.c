// SPDX-License-Identifier: MIT
// Writes pairs.csv: the contact force between each two bodies that have touched. The state accumulates for each pair of bodies
// the number of impulses, the normal impulse and the total impulse vector with its moment. A row holds the differences to the
// previous row, divided by the time between: the mean contact force and its moment.
#include "output/tables/pairs.h"

#include <string.h>

#include "model/model.h"

static const char *const columns[] = {"time",    "body_1",  "body_2",   "events",   "normal",  "force_x",
                                      "force_y", "force_z", "moment_x", "moment_y", "moment_z"};

enum { COLUMNS = sizeof columns / sizeof *columns };

int carom_pairs_columns(void) {
    return COLUMNS;
}

carom_status carom_pairs_open(carom_pair_table *pairs, const char *path, int most, int64_t resume_size,
                              const carom_pair_sums *last, carom_error *error) {
    *pairs = (carom_pair_table){.csv = carom_csv_closed(), .most = most};
    if (last)
        pairs->last = *last;
    return carom_csv_begin_named(&pairs->csv, path, columns, COLUMNS, resume_size, error);
}

carom_status carom_pairs_row(carom_pair_table *pairs, const carom_state *state, carom_error *error) {
    // zero at the start and for a repeated row at the end of a run: there is no mean force then
    double passed = state->time - pairs->last.time;
    carom_csv *csv = &pairs->csv;
    carom_status status = CAROM_OK;
    int shown = pairs->most > 0 && pairs->most < state->pair_count ? pairs->most : state->pair_count;
    for (int p = 0; p < shown && passed > 0 && !status; p++) {
        const carom_pair_record now = carom_state_pair(state, p), *record = &now;
        carom_pair_sum *last = &pairs->last.items[p];
        carom_csv_real(csv, state->time);
        for (int side = 0; side < 2; side++)
            carom_csv_text(csv, carom_model_side_name(state->model, record->body[side]));
        carom_csv_integer(csv, record->events - last->events);
        carom_csv_real(csv, (record->impulse - last->impulse) / passed);
        for (int i = 0; i < 3; i++)
            carom_csv_real(csv, (record->push[i] - last->push[i]) / passed);
        for (int i = 0; i < 3; i++)
            carom_csv_real(csv, (record->moment[i] - last->moment[i]) / passed);
        status = carom_csv_end_row(csv, error);
        *last = (carom_pair_sum){.events = record->events, .impulse = record->impulse};
        memcpy(last->push, record->push, sizeof last->push);
        memcpy(last->moment, record->moment, sizeof last->moment);
    }
    pairs->last.time = state->time;
    return status;
}
