// SPDX-License-Identifier: MIT
// A probe observes one node or several; of several nodes it reports the mean weighted by mass, which for a
// whole body is its centre of mass.
#include "output/probes.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "model/state.h"

int carom_probes_columns(const carom_probe_def *defs, int count) {
    // the time
    int columns = 1;
    for (int i = 0; i < count; i++)
        columns += 3 * (defs[i].position + defs[i].displacement + defs[i].velocity);
    return columns;
}

// NAME.x, NAME.y, NAME.z with a prefix: "" for positions, u for displacements, v for velocities.
static void name_columns(carom_text *header, const char *probe, const char *prefix) {
    for (const char *axis = "xyz"; *axis; axis++)
        carom_text_print(header, ",%s.%s%c", probe, prefix, *axis);
}

carom_status carom_probes_open(carom_probes *probes, const char *path, const carom_model *model, const carom_probe_def *defs,
                               int count, int64_t resume_size, carom_error *error) {
    *probes = (carom_probes){.csv = carom_csv_closed(), .count = count};
    probes->items = carom_allocate(count, sizeof *probes->items);
    if (!probes->items)
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
        if (defs[i].position)
            name_columns(&header, defs[i].name, "");
        if (defs[i].displacement)
            name_columns(&header, defs[i].name, "u");
        if (defs[i].velocity)
            name_columns(&header, defs[i].name, "v");
    }
    carom_text_append(&header, "\n", 1);
    if (!status)
        status = carom_csv_open(&probes->csv, path, &header, resume_size, error);
    carom_text_release(&header);
    return status;
}

void carom_probe_mean(const int *nodes, int count, const double *mass, const double (*values)[3], double result[3]) {
    if (count == 1) {
        for (int i = 0; i < 3; i++)
            result[i] = values[nodes[0]][i];
        return;
    }
    double sum[3] = {0}, weight = 0;
    for (int k = 0; k < count; k++) {
        double m = mass[nodes[k]];
        weight += m;
        for (int i = 0; i < 3; i++)
            sum[i] += m * values[nodes[k]][i];
    }
    for (int i = 0; i < 3; i++)
        result[i] = sum[i] / weight;
}

static void write_vector(carom_csv *csv, const double value[3]) {
    for (int i = 0; i < 3; i++)
        carom_csv_real(csv, value[i]);
}

// Positions, displacements and velocities in the order of the columns.
carom_status carom_probes_row(carom_probes *probes, const carom_state *state, carom_error *error) {
    const carom_model *model = state->model;
    const double *mass = carom_model_mass(model);
    carom_csv_real(&probes->csv, carom_state_time(state));
    for (int i = 0; i < probes->count; i++) {
        const carom_probe *probe = &probes->items[i];
        double x[3], X[3], v[3];
        carom_probe_mean(probe->nodes, probe->count, mass, carom_state_positions(state), x);
        carom_probe_mean(probe->nodes, probe->count, mass, carom_model_reference(model), X);
        carom_probe_mean(probe->nodes, probe->count, mass, carom_state_velocities(state), v);
        // displacement of the mean equals the mean displacement, because the weights are the same
        const double u[3] = {x[0] - X[0], x[1] - X[1], x[2] - X[2]};
        if (probe->def->position)
            write_vector(&probes->csv, x);
        if (probe->def->displacement)
            write_vector(&probes->csv, u);
        if (probe->def->velocity)
            write_vector(&probes->csv, v);
    }
    return carom_csv_end_row(&probes->csv, error);
}

carom_status carom_probes_close(carom_probes *probes, carom_error *error) {
    for (int i = 0; i < probes->count && probes->items; i++)
        free(probes->items[i].nodes);
    free(probes->items);
    probes->items = NULL;
    return carom_csv_close(&probes->csv, error);
}
