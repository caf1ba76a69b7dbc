// SPDX-License-Identifier: MIT
// What a run writes into its directory, and when.
#ifndef CAROM_OUTPUT_H
#define CAROM_OUTPUT_H

#include "carom/model.h"

#ifdef __cplusplus
extern "C" {
#endif

// A probe records nodes at every history row. A selection of several nodes is recorded as their mass-weighted mean.
typedef struct carom_probe_def {
    char name[CAROM_NAME_MAX]; // begins the names of its columns
    carom_selection where;     // at least one node
    bool position;             // columns NAME.x, NAME.y, NAME.z
    bool displacement;         // columns NAME.ux, NAME.uy, NAME.uz
    bool velocity;             // columns NAME.vx, NAME.vy, NAME.vz
} carom_probe_def;

// Formats of the frames. Both hold the same points, cells and fields.
typedef enum carom_field_format {
    CAROM_FIELDS_VTU,    // fields.pvd and fields/*.vtu
    CAROM_FIELDS_VTKHDF, // fields.vtkhdf
    CAROM_FIELDS_BOTH,   // twice the disk
} carom_field_format;

// What is written where. Steps are whole steps of the simulation, and the first and the last state are always written.
typedef struct carom_output_def {
    char directory[CAROM_TEXT_MAX]; // made if it is not there; files of others in it are left alone
    int history_every;              // steps between rows of history.csv and probes.csv; CAROM_AUTO: about 1000 rows in all
    bool history_bodies;            // per-body columns
    bool history_pairs;             // pairs.csv: mean contact forces between bodies, at the rows of the history
    bool contacts;                  // contacts.csv: each impulse of contact
    int contacts_every;             // only every so many steps; 1: all
    int fields_every;               // steps between frames; 0: none; CAROM_AUTO: about 100 frames in all
    int fields_format;              // carom_field_format
    int checkpoint_every;           // steps between checkpoints; 0: none
    double checkpoint_minutes;      // minutes of wall time between checkpoints; 0: none
    int probe_count;                // 0: no probes.csv
    const carom_probe_def *probes;  // read while the run is set up
} carom_output_def;

// Output to "out" with history and fields at their automatic pace; and a probe of all nodes of a body yet to be named that
// records position, displacement and velocity.
CAROM_API carom_output_def carom_default_output_def(void);
CAROM_API carom_probe_def carom_default_probe_def(void);

// True if this build can write that format (VTKHDF needs HDF5).
CAROM_API bool carom_output_supports(carom_field_format format);

#ifdef __cplusplus
}
#endif
#endif
