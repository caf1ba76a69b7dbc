// SPDX-License-Identifier: MIT
// Sums the contact load on each obstacle, and finds its peaks (load_cells.h). The sums are in an array of the state, so that a
// restart continues them. Impulses are added in the order in which they are recorded, which is the same for any number of
// threads and processes, with compensated summation (Kahan, Neumaier).
#include "model/state/load_cells.h"

#include <math.h>

#include "math/vec3.h"
#include "model/motion/obstacle_motion.h"

// Offsets in the record of a cell: sums, their compensation, the sums at the start of the current window, peaks.
enum {
    SUM,
    COMPENSATION = SUM + CAROM_CELL_SUMS,
    WINDOW_START = COMPENSATION + CAROM_CELL_SUMS,
    PEAK_FORCE = WINDOW_START + CAROM_CELL_SUMS,
    PEAK_FORCE_TIME,
    PEAK_MOMENT,
    PEAK_MOMENT_TIME,
    RECORD
};

static const char array_name[] = "load cells";

bool carom_cells_register(carom_state *state) {
    int count = state->model->poses.count;
    if (!count)
        return true;
    state->cells = carom_state_add_silent(state, array_name, (int64_t)RECORD * count);
    return state->cells != NULL;
}

static void add(double *record, int i, double term) {
    double sum = record[SUM + i] + term;
    record[COMPENSATION + i] +=
        fabs(record[SUM + i]) >= fabs(term) ? (record[SUM + i] - sum) + term : (term - sum) + record[SUM + i];
    record[SUM + i] = sum;
}

// Two obstacles do not touch each other.
int carom_cells_arm(const carom_state *state, const carom_hit *hit, double arm[3]) {
    const carom_poses *poses = &state->model->poses;
    carom_copy(hit->spot.point, arm);
    for (int side = 0; side < 2 && state->cells; side++) {
        int body = hit->contact.body[side];
        if (!carom_poses_has(poses, body))
            continue;
        const carom_pose *pose = &poses->items[poses->of_body[body]];
        carom_placed placed = carom_pose_at(pose, hit->time);
        double about[3];
        carom_placed_cell(pose, &placed, about);
        carom_difference(hit->spot.point, about, arm);
        return side;
    }
    return -1;
}

void carom_cells_book(carom_state *state, const carom_hit *hit) {
    double arm[3], impulse[3], moment[3];
    int side = carom_cells_arm(state, hit, arm);
    if (side < 0)
        return;
    double *record = state->cells + (ptrdiff_t)RECORD * state->model->poses.of_body[hit->contact.body[side]];
    // the impulse acts on the second side, its opposite on the first
    for (int i = 0; i < 3; i++)
        impulse[i] = side ? hit->impulse[i] : -hit->impulse[i];
    carom_cross(arm, impulse, moment);
    for (int i = 0; i < 3; i++) {
        add(record, CAROM_CELL_FORCE + i, impulse[i]);
        add(record, CAROM_CELL_MOMENT + i, moment[i]);
    }
}

void carom_cells_sums(const carom_state *state, int pose, double sums[CAROM_CELL_SUMS]) {
    const double *record = state->cells + (ptrdiff_t)RECORD * pose;
    for (int i = 0; i < CAROM_CELL_SUMS; i++)
        sums[i] = record[SUM + i] + record[COMPENSATION + i];
}

// The peaks, updated with a window of that length that ends now.
static carom_cell_peaks with_window(const carom_state *state, int pose, double length) {
    const double *record = state->cells + (ptrdiff_t)RECORD * pose;
    carom_cell_peaks peaks = {record[PEAK_FORCE], record[PEAK_FORCE_TIME], record[PEAK_MOMENT], record[PEAK_MOMENT_TIME]};
    double now[CAROM_CELL_SUMS];
    carom_cells_sums(state, pose, now);
    for (int i = 0; i < CAROM_CELL_SUMS; i++)
        now[i] = (now[i] - record[WINDOW_START + i]) / length;
    double force = carom_norm(now + CAROM_CELL_FORCE), moment = carom_norm(now + CAROM_CELL_MOMENT);
    if (force > peaks.force) {
        peaks.force = force;
        peaks.force_time = state->time;
    }
    if (moment > peaks.moment) {
        peaks.moment = moment;
        peaks.moment_time = state->time;
    }
    return peaks;
}

carom_cell_peaks carom_cells_peaks(const carom_state *state, int pose) {
    const carom_force_window *window = &state->books.window;
    double passed = state->time - window->begin;
    // an incomplete window counts with the length of a whole one
    return with_window(state, pose, fmax(passed, window->length > 0 ? window->length : HUGE_VAL));
}

void carom_cells_end_window(carom_state *state, double passed) {
    for (int p = 0; p < state->model->poses.count && state->cells && passed > 0; p++) {
        double *record = state->cells + (ptrdiff_t)RECORD * p;
        carom_cell_peaks peaks = with_window(state, p, passed);
        record[PEAK_FORCE] = peaks.force;
        record[PEAK_FORCE_TIME] = peaks.force_time;
        record[PEAK_MOMENT] = peaks.moment;
        record[PEAK_MOMENT_TIME] = peaks.moment_time;
        carom_cells_sums(state, p, record + WINDOW_START);
    }
}
