// SPDX-License-Identifier: MIT
// Output of a run: files and cadences.
#ifndef CAROM_OUTPUT_H
#define CAROM_OUTPUT_H

#include "carom/model.h"

#ifdef __cplusplus
extern "C" {
#endif

// The names of the units that the numbers of a scene are in, for labels: carom computes with the numbers as they are.
typedef struct carom_units {
    bool given;                                                              // without it all names are empty
    char length[CAROM_NAME_MAX], mass[CAROM_NAME_MAX], time[CAROM_NAME_MAX]; // "mm", "t", "s"
} carom_units;

// Channel frequency classes of SAE J211 and ISO 6487, for accelerometers and load cells.
typedef enum carom_filter {
    CAROM_FILTER_NONE,
    CAROM_FILTER_CFC_60,
    CAROM_FILTER_CFC_180,
    CAROM_FILTER_CFC_600,
    CAROM_FILTER_CFC_1000,
} carom_filter;

// A probe records nodes at every history row. A selection of several nodes is recorded as their mass-weighted mean.
typedef struct carom_probe_def {
    char name[CAROM_NAME_MAX]; // begins the names of its columns
    carom_selection where;     // at least one node
    bool position;             // columns NAME.x, NAME.y, NAME.z
    bool displacement;         // columns NAME.ux, NAME.uy, NAME.uz
    bool velocity;             // columns NAME.vx, NAME.vy, NAME.vz
    bool acceleration;         // columns NAME.ax, NAME.ay, NAME.az: mean since the previous row
    bool force;                // columns NAME.fx, NAME.fy, NAME.fz: contact force on all the nodes, mean since the previous row
    bool stress;               // columns NAME.sxx, syy, szz, sxy, syz, sxz, von_mises; nodes of solids only
    bool strain;               // columns NAME.e1, e2, e3, principal strains in descending order; nodes of solids only
    bool rotation;             // columns NAME.rx, NAME.ry, NAME.rz; nodes of one rigid body or obstacle only
    bool angular_velocity;     // columns NAME.wx, NAME.wy, NAME.wz; nodes of one rigid body or obstacle only
    bool momentum;             // columns NAME.px, NAME.py, NAME.pz; of a rigid body only
    bool angular_momentum;     // columns NAME.lx, NAME.ly, NAME.lz, about its mass centre; of a rigid body only
    int filter;                // carom_filter of acceleration and force, in probes_filtered.csv
    double second;             // units of time in a second, for the filter; 0: 1
} carom_probe_def;

// Formats of the frames. Both hold the same points, cells and fields.
typedef enum carom_field_format {
    CAROM_FIELDS_VTU,    // fields.pvd and fields/*.vtu
    CAROM_FIELDS_VTKHDF, // fields.vtkhdf
    CAROM_FIELDS_BOTH,   // twice the disk
} carom_field_format;

// Precision of the numbers in frames.
typedef enum carom_field_precision {
    CAROM_PRECISION_AUTO,   // double; single in large models
    CAROM_PRECISION_SINGLE, // four bytes, seven digits
    CAROM_PRECISION_DOUBLE, // as computed
} carom_field_precision;

// A setting that may be `auto`.
typedef enum carom_switch { CAROM_SWITCH_AUTO, CAROM_SWITCH_OFF, CAROM_SWITCH_ON } carom_switch;

// Definition of the output. Steps are whole steps of the simulation, and the first and the last state are always written.
typedef struct carom_output_def {
    char directory[CAROM_TEXT_MAX]; // created if missing; other files in it are not changed
    int history_every;              // steps between rows of history.csv and probes.csv; CAROM_AUTO: about 1000 rows in all
    bool history_bodies;            // per-body columns
    bool history_peaks;             // columns of the largest stresses and strains of each body, of at most 100 bodies or
                                    // with history_bodies; the summary has them all
    bool history_pairs;             // pairs.csv: mean contact forces between bodies, at the rows of the history
    int pairs_most;                 // rows for so many pairs, the first that touched; 0: for all
    double force_window;            // length of the windows of peak forces (carom_sim_set_force_window); 0 or NaN: automatic
    bool contacts;                  // contacts.csv: each impulse of contact
    int contacts_every;             // only every so many steps; 1: all
    int fields_every;               // steps between frames; 0: none; CAROM_AUTO: about 100 frames in all
    int fields_format;              // carom_field_format
    int fields_precision;           // carom_field_precision
    int fields_compress;            // carom_switch: packed by zlib; AUTO: in large models (.vtkhdf files always)
    int fields_surface;             // carom_switch: of solids only the outer faces; AUTO: in very large models
    int fields_name_count;          // 0: all fields, or those that large models keep
    const char (*fields_names)[CAROM_NAME_MAX]; // of fields to write, "all" for all of them; read while the run is set up
    int fields_at_count;                        // further frames
    const double *fields_at;                    // at the first step at or after each of these times; read at setup
    int checkpoint_every;                       // steps between checkpoints; 0: none
    double checkpoint_minutes;                  // minutes of wall time between checkpoints; 0: none
    int probe_count;                            // 0: no probes.csv
    const carom_probe_def *probes;              // read while the run is set up
} carom_output_def;

// Output to "out" with history and fields at their automatic cadence; and a probe of all nodes of a body yet to be named that
// records position, displacement and velocity.
CAROM_API carom_output_def carom_default_output_def(void);
CAROM_API carom_probe_def carom_default_probe_def(void);

// The frames of a run, once all `auto` settings are resolved.
typedef struct carom_frame_forecast {
    int every;          // steps between frames; 0: none, or only those at given times
    int thinned;        // 1: as many as usual; n: every n-th of the usual hundred, because the model is large
    int64_t count;      // of frames
    bool single;        // precision
    bool compress;      // packed
    bool surface;       // of solids only the outer faces
    bool reduced;       // without the fields that large models leave out
    double frame_bytes; // of one frame, an upper estimate
    double bytes;       // of all of them
} carom_frame_forecast;

// Computes it before a run of so many steps. The rule depends on the model, the number of steps and the definition alone. Takes
// time and memory in proportion to the model.
CAROM_API carom_status carom_output_forecast(const carom_output_def *def, const carom_model *model,
                                             const carom_kind *integrator, int64_t steps, carom_frame_forecast *forecast,
                                             carom_error *error);
// The same in a sentence for the user, if carom has reduced anything to limit the size of the result: "frames of a large model:
// ..."; else "".
CAROM_API void carom_output_forecast_text(const carom_output_def *def, const carom_frame_forecast *forecast, char *text,
                                          size_t size);
// Rows of history.csv in a run of so many steps: the start, every n-th step and the end.
CAROM_API int64_t carom_output_rows(const carom_output_def *def, int64_t steps);
// Fails if `fields_names` has a field that the model does not have, with the nearest name; `wrong` becomes its index.
CAROM_API carom_status carom_output_check_names(const carom_output_def *def, const carom_model *model,
                                                const carom_kind *integrator, int *wrong, carom_error *error);

// True if this build can write that format (VTKHDF needs HDF5).
CAROM_API bool carom_output_supports(carom_field_format format);

#ifdef __cplusplus
}
#endif
#endif
