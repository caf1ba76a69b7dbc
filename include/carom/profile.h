// SPDX-License-Identifier: MIT
// Computing time of a run by phases (carom_run_def.profile).
#ifndef CAROM_PROFILE_H
#define CAROM_PROFILE_H

#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_phase {
    CAROM_PHASE_SETUP,     // reading the scene, meshes, the model, the start of the method
    CAROM_PHASE_ELEMENTS,  // forces and tangents of elements
    CAROM_PHASE_NODES,     // kicks, velocities and ledger terms of nodes
    CAROM_PHASE_SEARCH,    // lists of pairs that are near
    CAROM_PHASE_HITS,      // times of impact, impulses in the drift; contact constraints of implicit methods
    CAROM_PHASE_REST,      // resting contact, repayment of impacts
    CAROM_PHASE_FOLLOWING, // stable steps of deformed bodies, where steps are divided
    CAROM_PHASE_SOLVING,   // factorisation and solution of linear systems
    CAROM_PHASE_GUARDS,    // checks of elements, of speeds and of stability
    CAROM_PHASE_PEAKS,     // largest stresses and strains of each step
    CAROM_PHASE_ROWS,      // energies and momenta for rows and for audits of the ledger
    CAROM_PHASE_AUDITS,    // intersections and distances of surfaces
    CAROM_PHASE_OUTPUT,    // frames, tables and checkpoints, as far as the run waits for them
    CAROM_PHASE_WAITING,   // for frames that are being written
    CAROM_PHASE_EXCHANGE,  // numbers of nodes between processes
    CAROM_PHASE_AGREEMENT, // votes and sums of processes, with the time that one waits for the slowest of them
    CAROM_PHASE_BALANCING, // redistributing the model to processes
    CAROM_PHASE_OTHER,
    CAROM_PHASE_COUNT
} carom_phase;

// Seconds of a phase: on the clock, and of processors, all threads together.
typedef struct carom_phase_time {
    double wall, processor;
} carom_phase_time;

// The name in tables and in summary.json: "elements".
CAROM_API const char *carom_phase_name(carom_phase phase);

// The present values of both clocks, from an arbitrary origin: for a program that measures its own set-up
// (carom_run_def.setup).
CAROM_API carom_phase_time carom_profile_clocks(void);

#ifdef __cplusplus
}
#endif
#endif
