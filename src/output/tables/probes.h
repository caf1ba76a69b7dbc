// SPDX-License-Identifier: MIT
// probes.csv: motion, contact force, stress and strain of chosen nodes over time.
#ifndef CAROM_OUTPUT_TABLES_PROBES_H
#define CAROM_OUTPUT_TABLES_PROBES_H

#include "carom/output.h"
#include "carom/state.h"
#include "output/tables/around.h"
#include "output/tables/csv.h"

// The values of a probe at the previous row, from which the next row computes means over the interval between both. A
// checkpoint stores the bytes of this struct.
typedef struct carom_probe_memory {
    double time, velocity[3], impulse[3]; // `impulse`: of contact on all nodes of the probe, since the start
} carom_probe_memory;

// A probe with the nodes of its selection, and the elements around them if their stress is recorded.
typedef struct carom_probe {
    const carom_probe_def *def;
    int *nodes;
    int count;
    carom_around around;
    int body; // the rigid body whose rotation is recorded
} carom_probe;

typedef struct carom_probes {
    carom_csv csv;
    int count;
    carom_probe *items;
    carom_probe_memory *memory; // per probe
} carom_probes;

// Number of columns of the table, `time` included.
int carom_probes_columns(const carom_probe_def *defs, int count);

// The definitions must outlive the probes. resume_size as in carom_csv_open.
carom_status carom_probes_open(carom_probes *probes, const char *path, const carom_model *model, const carom_probe_def *defs,
                               int count, int64_t resume_size, carom_error *error);
carom_status carom_probes_row(carom_probes *probes, const carom_state *state, carom_error *error);
carom_status carom_probes_close(carom_probes *probes, carom_error *error);

// Restores the values of the previous row of all probes, `memory`, from a checkpoint. NULL: there are none, and the present
// state counts as the previous row.
void carom_probes_restore(carom_probes *probes, const void *memory, const carom_state *state);

// True if the probe records quantities that only rigid bodies have.
bool carom_probe_is_rigid(const carom_probe_def *def);
// Finds the rigid body of such a probe; fails with CAROM_BAD_INPUT if the nodes do not belong to one rigid body.
carom_status carom_probe_check_body(const carom_model *model, const carom_probe_def *def, const int *nodes, int count,
                                    int *body, carom_error *error);

// Velocity of a probe, and the impulse of contact on it since the start.
void carom_probe_motion(const carom_probe *probe, const carom_state *state, double velocity[3], double impulse[3]);

// Mass-weighted mean of a vector over some nodes; for a single node exactly the vector of this node.
void carom_probe_mean(const int *nodes, int count, const double *mass, const double (*values)[3], double result[3]);

#endif
