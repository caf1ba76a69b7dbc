// SPDX-License-Identifier: MIT
// Writes history.csv: the energy ledger over time, and quantities of each body. The columns of the ledger come first: those of
// every model, `damping` if a body or a spring is damped, `plasticity` and `viscosity` if a material has history, and
// `energy_ratio`. Then come the peaks of all bodies, the sums of all bodies, and the forces on obstacles (load cells). The same
// code writes the names and the values of the columns, so that header and rows cannot disagree. The sums over a body run in the
// order of its nodes and elements: the same bits for any number of threads.
#include "output/tables/history.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/rigid.h"
#include "math/vec3.h"
#include "model/forces/forces.h"
#include "model/forces/peaks.h"
#include "model/model.h"
#include "model/state.h"
#include "model/state/history.h"
#include "model/state/ledger.h"

// The energies and momenta of one body.
typedef struct body_sums {
    double kinetic, internal, momentum[3], angular_momentum[3];
    double parts[CAROM_ELEMENT_PARTS];
    double plasticity, viscosity;
} body_sums;

// A column of a body: its name in the header, and the place of its value in the struct that a row is written from.
typedef struct column {
    const char *name;
    size_t offset;
} column;

static const column body_columns[] = {
    {"kinetic", offsetof(body_sums, kinetic)},        {"internal", offsetof(body_sums, internal)},
    {"px", offsetof(body_sums, momentum[0])},         {"py", offsetof(body_sums, momentum[1])},
    {"pz", offsetof(body_sums, momentum[2])},         {"lx", offsetof(body_sums, angular_momentum[0])},
    {"ly", offsetof(body_sums, angular_momentum[1])}, {"lz", offsetof(body_sums, angular_momentum[2])},
};
// Columns of bodies whose materials have history.
static const column flow_columns[] = {
    {"plasticity", offsetof(body_sums, plasticity)},
    {"viscosity", offsetof(body_sums, viscosity)},
};

// Columns of rigid bodies.
static const column rigid_columns[] = {
    {"rx", offsetof(carom_rigid_motion, rotation[0])},         {"ry", offsetof(carom_rigid_motion, rotation[1])},
    {"rz", offsetof(carom_rigid_motion, rotation[2])},         {"wx", offsetof(carom_rigid_motion, angular_velocity[0])},
    {"wy", offsetof(carom_rigid_motion, angular_velocity[1])}, {"wz", offsetof(carom_rigid_motion, angular_velocity[2])},
};

enum {
    RIGID_COLUMNS = sizeof rigid_columns / sizeof *rigid_columns,
    BODY_COLUMNS = sizeof body_columns / sizeof *body_columns,
    FLOW_COLUMNS = sizeof flow_columns / sizeof *flow_columns,
};

// True if the files of this model have the column.
static bool is_present(const carom_ledger_column *c, const carom_model *model, carom_history_choice choice) {
    return (c->presence != CAROM_LEDGER_DAMPED || model->damped || model->springs.damped || choice.damped) &&
           (c->presence != CAROM_LEDGER_INELASTIC || carom_model_has_history(model));
}

static bool has_history(const carom_model *model, const carom_body *body) {
    bool any = false;
    for (int b = body->block_begin; b < body->block_begin + body->block_count; b++)
        any = any || model->blocks[b].history_size;
    return any;
}

// The element of a body if its energy is reported in parts (membrane and bending), else NULL.
static const carom_element *parted(const carom_model *model, const carom_body *body) {
    const carom_element *element = body->block_count ? model->blocks[body->block_begin].element : NULL;
    return element && element->split ? element : NULL;
}

// Number of bodies above which the columns of peaks are left out by default: more than 400 columns are impractical.
enum { PEAKS_MAX = 100 };

carom_history_choice carom_history_choose(const carom_output_def *def, const carom_model *model, bool damped) {
    bool few = model->body_count <= PEAKS_MAX || def->history_bodies;
    return (carom_history_choice){def->history_bodies, few && def->history_peaks, damped};
}

static const char *const cell_columns[CAROM_CELL_SUMS] = {"force_x", "force_y", "force_z", "moment_x", "moment_y", "moment_z"};

static int cell_count(const carom_model *model) {
    return model->poses.count < CAROM_CELLS_MAX ? model->poses.count : CAROM_CELLS_MAX;
}

// A row that is written, or the names of the columns, which are counted and, with a header, written with commas between them.
typedef struct line {
    carom_csv *csv; // NULL: names
    carom_text *header;
    int count;
} line;

// Writes the value of a column or, for the header, its name; `body` is NULL for columns of the whole model.
static void put(line *l, const carom_body *body, const char *name, double value) {
    if (l->csv)
        carom_csv_real(l->csv, value);
    else if (l->header)
        carom_text_print(l->header, "%s%s%s%s", l->count ? "," : "", body ? body->name : "", body ? "." : "", name);
    l->count++;
}

static void put_columns(line *l, const carom_body *body, const column *columns, int count, const void *values) {
    for (int i = 0; i < count; i++)
        put(l, body, columns[i].name, *(const double *)(const void *)((const char *)values + columns[i].offset));
}

// Adds the rotational energy and angular momentum of the cross-section at node k of a beam, from inertia and spin in its own
// axes.
static void add_rotation(const carom_state *state, int k, body_sums *sums) {
    const double *spin = state->spin[k], *inertia = state->model->inertia[k];
    for (int j = 0; j < 3; j++) {
        sums->kinetic += 0.5 * inertia[j] * spin[j] * spin[j];
        for (int i = 0; i < 3; i++)
            sums->angular_momentum[i] += state->R[k][i][j] * inertia[j] * spin[j];
    }
}

// Kinetic energy sum m v^2 / 2, momentum sum m v, angular momentum about the origin sum m x cross v, and
// internal energy, with its parts.
static body_sums sum_body(carom_history *history, const carom_state *state, const carom_body *body) {
    const carom_model *model = state->model;
    const double(*velocity)[3] = carom_state_velocities(state);
    body_sums sums = {0};
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++) {
        const double *x = state->x[k], *v = velocity[k];
        double m = model->mass[k] > CAROM_MASSLESS ? model->mass[k] : 0;
        sums.kinetic += 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int i = 0; i < 3; i++) {
            // component i of the cross product, by cyclic permutation
            int j = (i + 1) % 3, h = (i + 2) % 3;
            sums.momentum[i] += m * v[i];
            sums.angular_momentum[i] += m * (x[j] * v[h] - x[h] * v[j]);
        }
        if (model->R)
            add_rotation(state, k, &sums);
    }
    for (int r = 0; r < model->rigid.count; r++) {
        double l[3];
        if (&model->bodies[model->rigid.items[r].body] != body)
            continue;
        sums.kinetic += carom_rigid_turning(state, r, l);
        for (int i = 0; i < 3; i++)
            sums.angular_momentum[i] += l[i];
    }
    for (int b = body->block_begin; b < body->block_begin + body->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        carom_block_energy(model, block, (carom_const_vectors)state->x, (const double(*)[3][3])state->R, history->energy);
        for (int e = 0; e < block->count; e++)
            sums.internal += history->energy[e];
        if (!parted(model, body))
            continue;
        // the parts of the energy of an element are adjacent
        block->element->split(block, 0, block->count, (carom_const_vectors)state->x, (carom_const_vectors)model->X,
                              history->energy);
        for (int i = 0; i < CAROM_ELEMENT_PARTS * block->count; i++)
            sums.parts[i % CAROM_ELEMENT_PARTS] += history->energy[i];
    }
    carom_material_losses losses = {0};
    if (has_history(model, body))
        losses = carom_history_losses(state, (int)(body - model->bodies));
    // pending losses are part of the internal energy, as in the columns of the whole model
    sums.internal += losses.pending;
    sums.plasticity = losses.plasticity;
    sums.viscosity = losses.viscosity;
    return sums;
}

// Sums, parts of the energy, losses of materials, rotation and angular velocity of a rigid body.
static void put_body(line *l, carom_history *history, const carom_state *state, const carom_model *model, int b) {
    const carom_body *body = &model->bodies[b];
    const carom_element *element = parted(model, body);
    body_sums sums = {0};
    carom_rigid_motion motion = {0};
    bool rigid = carom_model_rigid(model, b) >= 0;
    if (state)
        sums = sum_body(history, state, body);
    if (state && rigid)
        carom_state_rigid_motion(state, b, &motion);
    put_columns(l, body, body_columns, BODY_COLUMNS, &sums);
    for (int i = 0; element && i < CAROM_ELEMENT_PARTS; i++)
        put(l, body, element->parts[i], sums.parts[i]);
    put_columns(l, body, flow_columns, has_history(model, body) ? FLOW_COLUMNS : 0, &sums);
    put_columns(l, body, rigid_columns, rigid ? RIGID_COLUMNS : 0, &motion);
}

// The mean force and moment on each obstacle since the previous row; 0 in the first row.
static void put_cells(line *l, carom_history *history, const carom_state *state, const carom_model *model) {
    double passed = state ? state->time - history->last.time : 0;
    for (int c = 0; c < cell_count(model); c++) {
        double now[CAROM_CELL_SUMS], *last = state ? history->last.sums[c] : NULL;
        if (state)
            carom_cells_sums(state, c, now);
        for (int i = 0; i < CAROM_CELL_SUMS; i++)
            put(l, &model->bodies[model->poses.items[c].body], cell_columns[i], passed > 0 ? (now[i] - last[i]) / passed : 0);
        if (state)
            memcpy(last, now, sizeof now);
    }
    if (state)
        history->last.time = state->time;
}

// Writes the whole line. For the header `history`, `state` and `row` are NULL.
static void put_line(line *l, carom_history *history, const carom_state *state, const carom_ledger_row *row,
                     const carom_model *model, carom_history_choice choice) {
    int count;
    const carom_ledger_column *ledger = carom_ledger_columns(&count);
    for (int i = 0; i < count; i++)
        if (is_present(&ledger[i], model, choice) && l->csv && ledger[i].integer)
            carom_csv_integer(l->csv, (int64_t)carom_ledger_value(row, &ledger[i]));
        else if (is_present(&ledger[i], model, choice))
            put(l, NULL, ledger[i].name, row ? carom_ledger_value(row, &ledger[i]) : 0);
    for (int i = 0; choice.peaks && i < CAROM_PEAK_KINDS * model->body_count; i++) {
        int body = i / CAROM_PEAK_KINDS;
        carom_peak_kind kind = (carom_peak_kind)(i % CAROM_PEAK_KINDS);
        if (carom_body_has_peak(model, body, kind))
            put(l, &model->bodies[body], carom_peak_name(kind), state ? carom_peaks_of_row(state, body, kind) : 0);
    }
    for (int b = 0; choice.bodies && b < model->body_count; b++)
        put_body(l, history, state, model, b);
    put_cells(l, history, state, model);
}

int carom_history_columns(const carom_model *model, carom_history_choice choice) {
    line l = {0};
    put_line(&l, NULL, NULL, NULL, model, choice);
    return l.count;
}

carom_status carom_history_open(carom_history *history, const char *path, const carom_model *model, carom_history_choice choice,
                                int64_t resume_size, carom_error *error) {
    *history = (carom_history){.csv = carom_csv_closed(), .choice = choice};

    carom_text header = {0};
    line l = {.header = &header};
    put_line(&l, NULL, NULL, NULL, model, choice);

    // scratch for the element energies of the largest block, in parts
    int largest = 0;
    for (int b = 0; b < model->block_count; b++)
        if (model->blocks[b].count > largest)
            largest = model->blocks[b].count;
    history->energy = carom_allocate((int64_t)CAROM_ELEMENT_PARTS * largest, sizeof *history->energy);

    carom_status status = carom_csv_begin(&history->csv, path, &header, resume_size, error);
    if (!status && !history->energy)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the energies of the bodies");
    return status;
}

carom_status carom_history_row(carom_history *history, const carom_state *state, const carom_ledger_row *row,
                               carom_error *error) {
    line l = {.csv = &history->csv};
    put_line(&l, history, state, row, state->model, history->choice);
    return carom_csv_end_row(&history->csv, error);
}

carom_status carom_history_close(carom_history *history, carom_error *error) {
    free(history->energy);
    history->energy = NULL;
    return carom_csv_close(&history->csv, error);
}
