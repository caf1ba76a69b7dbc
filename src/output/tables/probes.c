// SPDX-License-Identifier: MIT
// Writes probes.csv: motion, contact force, stress and strain of chosen nodes over time. A probe observes one node or several;
// of several nodes it reports the mean weighted by mass, which for a whole body is its centre of mass.
#include "output/tables/probes.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "model/model.h"
#include "model/rigid.h"
#include "model/state.h"

// The columns of a quantity: NAME.PREFIX with each of the endings.
typedef struct quantity {
    size_t wanted; // place of its flag in the definition
    const char *prefix;
    const char *const *endings;
} quantity;

static const char *const axes[] = {"x", "y", "z", NULL};
static const char *const stresses[] = {"xx", "yy", "zz", "xy", "yz", "xz", NULL};
static const char *const strains[] = {"1", "2", "3", NULL};
static const char *const mises[] = {"von_mises", NULL};

// In the order of the file.
static const quantity quantities[] = {
    {offsetof(carom_probe_def, position), "", axes},  {offsetof(carom_probe_def, displacement), "u", axes},
    {offsetof(carom_probe_def, velocity), "v", axes}, {offsetof(carom_probe_def, acceleration), "a", axes},
    {offsetof(carom_probe_def, force), "f", axes},    {offsetof(carom_probe_def, stress), "s", stresses},
    {offsetof(carom_probe_def, stress), "", mises},   {offsetof(carom_probe_def, strain), "e", strains},
    {offsetof(carom_probe_def, rotation), "r", axes}, {offsetof(carom_probe_def, angular_velocity), "w", axes},
    {offsetof(carom_probe_def, momentum), "p", axes}, {offsetof(carom_probe_def, angular_momentum), "l", axes},
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

bool carom_probe_is_rigid(const carom_probe_def *def) {
    return def->rotation || def->angular_velocity || def->momentum || def->angular_momentum;
}

carom_status carom_probe_check_body(const carom_model *model, const carom_probe_def *def, const int *nodes, int count,
                                    int *body, carom_error *error) {
    const char *wanted = def->rotation           ? "rotation"
                         : def->angular_velocity ? "angular_velocity"
                         : def->momentum         ? "momentum"
                                                 : "angular_momentum";
    *body = carom_model_node_body(model, nodes[0]);
    bool rigid = carom_model_rigid(model, *body) >= 0, obstacle = carom_poses_has(&model->poses, *body);
    for (int k = 1; k < count; k++)
        if (carom_model_node_body(model, nodes[k]) != *body)
            return carom_fail(error, CAROM_BAD_INPUT, "`%s` is that of one body, and the nodes are of several", wanted);
    if (!rigid && !obstacle)
        return carom_fail(error, CAROM_BAD_INPUT, "only rigid bodies have `%s`, and '%s' deforms: remove it from `record`",
                          wanted, model->bodies[*body].name);
    if (obstacle && (def->momentum || def->angular_momentum))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "only rigid bodies have `%s`, and the obstacle '%s' has no mass: remove it from `record`",
                          def->momentum ? "momentum" : "angular_momentum", model->bodies[*body].name);
    return CAROM_OK;
}

static bool records(const carom_probe_def *def, const quantity *q) {
    return *(const bool *)((const char *)def + q->wanted);
}

// Names the columns of a probe; their number. Without a text they are only counted.
static int name_columns(const carom_probe_def *def, carom_text *header) {
    int count = 0;
    for (int q = 0; q < QUANTITIES; q++)
        for (const char *const *ending = quantities[q].endings; *ending && records(def, &quantities[q]); ending++, count++)
            if (header)
                carom_text_print(header, ",%s.%s%s", def->name, quantities[q].prefix, *ending);
    return count;
}

int carom_probes_columns(const carom_probe_def *defs, int count) {
    // the time
    int columns = 1;
    for (int i = 0; i < count; i++)
        columns += name_columns(&defs[i], NULL);
    return columns;
}

carom_status carom_probes_open(carom_probes *probes, const char *path, const carom_model *model, const carom_probe_def *defs,
                               int count, int64_t resume_size, carom_error *error) {
    *probes = (carom_probes){.csv = carom_csv_closed(), .count = count};
    probes->items = carom_allocate(count, sizeof *probes->items);
    probes->memory = carom_allocate(count, sizeof *probes->memory);
    if (!probes->items || !probes->memory)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the probes");

    // find the nodes and name the columns
    carom_text header = {0};
    carom_text_print(&header, "time");
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && !status; i++) {
        carom_probe *probe = &probes->items[i];
        probe->def = &defs[i];
        // fails if the selection is empty
        status = carom_model_select(model, &defs[i].where, &probe->nodes, &probe->count, error);
        if (!status && (defs[i].stress || defs[i].strain))
            status = carom_around_create(model, probe->nodes, probe->count, &probe->around, error);
        if (!status && carom_probe_is_rigid(&defs[i]))
            status = carom_probe_check_body(model, &defs[i], probe->nodes, probe->count, &probe->body, error);
        name_columns(&defs[i], &header);
    }
    if (!status)
        return carom_csv_begin(&probes->csv, path, &header, resume_size, error);
    carom_text_release(&header);
    return status;
}

void carom_probe_mean(const int *nodes, int count, const double *mass, const double (*values)[3], double result[3]) {
    if (count == 1) {
        for (int i = 0; i < 3; i++)
            result[i] = values[nodes[0]][i];
        return;
    }
    double sum[3] = {0}, weight = 0, total = 0;
    for (int k = 0; k < count; k++)
        total += mass[nodes[k]];
    for (int k = 0; k < count; k++) {
        // nodes of a rigid body other than its centre have no mass: all have the same weight
        double m = total > 0 ? mass[nodes[k]] : 1;
        weight += m;
        for (int i = 0; i < 3; i++)
            sum[i] += m * values[nodes[k]][i];
    }
    for (int i = 0; i < 3; i++)
        result[i] = sum[i] / weight;
}

void carom_probe_motion(const carom_probe *probe, const carom_state *state, double velocity[3], double impulse[3]) {
    carom_probe_mean(probe->nodes, probe->count, carom_model_mass(state->model), carom_state_velocities(state), velocity);
    impulse[0] = impulse[1] = impulse[2] = 0;
    for (int k = 0; k < probe->count; k++)
        for (int i = 0; i < 3; i++)
            impulse[i] += state->impulse[probe->nodes[k]][i];
}

// Means since the previous row: the change of velocity, and the impulse of contact, over the time between. At the start there
// is none; the impulse of the first kick belongs to the interval that follows.
static void take_means(carom_probes *probes, int i, const carom_state *state, double acceleration[3], double force[3]) {
    carom_probe_memory *last = &probes->memory[i], now = {.time = state->time};
    carom_probe_motion(&probes->items[i], state, now.velocity, now.impulse);
    double passed = state->step > 0 ? now.time - last->time : 0;
    for (int c = 0; c < 3; c++) {
        acceleration[c] = passed > 0 ? (now.velocity[c] - last->velocity[c]) / passed : 0;
        force[c] = passed > 0 ? (now.impulse[c] - last->impulse[c]) / passed : 0;
        if (state->step == 0)
            now.impulse[c] = 0;
    }
    *last = now;
}

// The quantities in the order of the columns.
carom_status carom_probes_row(carom_probes *probes, const carom_state *state, carom_error *error) {
    const carom_model *model = state->model;
    const double *mass = carom_model_mass(model);
    carom_csv *csv = &probes->csv;
    carom_csv_real(csv, carom_state_time(state));
    for (int i = 0; i < probes->count; i++) {
        carom_probe *probe = &probes->items[i];
        double x[3], X[3], v[3], a[3], f[3];
        carom_probe_mean(probe->nodes, probe->count, mass, carom_state_positions(state), x);
        carom_probe_mean(probe->nodes, probe->count, mass, carom_model_reference(model), X);
        carom_probe_mean(probe->nodes, probe->count, mass, carom_state_velocities(state), v);
        take_means(probes, i, state, a, f);
        // displacement of the mean equals the mean displacement, because the weights are the same
        const double u[3] = {x[0] - X[0], x[1] - X[1], x[2] - X[2]};
        double stress[6], von_mises, strain[3];
        if (probe->def->stress || probe->def->strain)
            carom_around_show(&probe->around, state, stress, &von_mises, strain);
        carom_rigid_motion motion = {0};
        if (carom_probe_is_rigid(probe->def))
            carom_state_rigid_motion(state, probe->body, &motion);
        const double *const values[QUANTITIES] = {x,
                                                  u,
                                                  v,
                                                  a,
                                                  f,
                                                  stress,
                                                  &von_mises,
                                                  strain,
                                                  motion.rotation,
                                                  motion.angular_velocity,
                                                  motion.momentum,
                                                  motion.angular_momentum};
        for (int q = 0; q < QUANTITIES; q++)
            for (int c = 0; records(probe->def, &quantities[q]) && quantities[q].endings[c]; c++)
                carom_csv_real(csv, values[q][c]);
    }
    return carom_csv_end_row(csv, error);
}

void carom_probes_restore(carom_probes *probes, const void *memory, const carom_state *state) {
    if (memory && probes->count)
        memcpy(probes->memory, memory, (size_t)probes->count * sizeof *probes->memory);
    for (int i = 0; !memory && i < probes->count; i++) {
        probes->memory[i].time = state->time;
        carom_probe_motion(&probes->items[i], state, probes->memory[i].velocity, probes->memory[i].impulse);
    }
}

carom_status carom_probes_close(carom_probes *probes, carom_error *error) {
    for (int i = 0; i < probes->count && probes->items; i++) {
        free(probes->items[i].nodes);
        carom_around_release(&probes->items[i].around);
    }
    free(probes->items);
    free(probes->memory);
    probes->items = NULL;
    probes->memory = NULL;
    return carom_csv_close(&probes->csv, error);
}
