// SPDX-License-Identifier: MIT
// A device that finds the forces of a model: it has the elements and the lists, takes positions, and gives the sum at each
// node, with the bits of carom_model_force_beside. Theory and layout: docs/theory/device.md.
#ifndef CAROM_DEVICE_DEVICE_H
#define CAROM_DEVICE_DEVICE_H

#include "contact/impact/sweeps.h"
#include "device/backend.h"
#include "device/copies.h"
#include "model/forces/forces.h"
#include "model/remote.h"

typedef struct carom_device carom_device;

// CAROM_BAD_INPUT if an element or a law of the model is not on devices, by its name.
carom_status carom_device_accepts(const carom_model *model, carom_error *error);

// The backend that CAROM_DEVICE_EMULATE asks for, or the object of CUDA. CAROM_BAD_INPUT if there is none.
carom_status carom_device_find_backend(const carom_backend **backend, carom_error *error);

// Opens the device and brings the model to it, which must outlive it. CAROM_BAD_INPUT if there is none, or if it has too little
// memory.
carom_status carom_device_create(const carom_backend *backend, const carom_model *model, carom_device **device,
                                 carom_error *error);
void carom_device_release(carom_device *device);

// Its name, such as "NVIDIA H200".
const char *carom_device_name(const carom_device *device);
// Bytes of the device that the model takes.
size_t carom_device_bytes(const carom_device *device);

// The one state whose forces the device finds, and of which it keeps arrays from step to step: the history and the losses of
// materials, the envelopes of stress that it raises (model/forces/peaks.h), and motion (below). It becomes state->remote: the
// arrays of the state hold older numbers until somebody says that they are read (model/remote.h).
void carom_device_serve(carom_device *device, carom_state *state);

// True if the device finds the energies of all elements; those of others are found by the processor.
bool carom_device_stores(const carom_device *device);
// As carom_model_force_beside, for the positions of the state that it serves. Where motion stays, positions of the nodes of the
// processor are taken, only forces on them are filled, and the state gets the positions of the nodes of elements that raise the
// largest stresses of a body. Forces are not numbers once the device has failed.
void carom_device_force(carom_device *device, const carom_state *state, double (*force)[3], const carom_beside *beside);
// As carom_model_viscous_force, after carom_device_force at the same positions: the forces of stiffness damping at velocities
// w.
void carom_device_viscous_force(carom_device *device, const double (*w)[3], double (*viscous)[3]);
// What went wrong, or NULL.
const char *carom_device_fault(const carom_device *device);

// Arrays of all nodes; NULL: none.
typedef struct carom_device_motion {
    double (*x)[3], (*v)[3], (*w)[3], (*kicks)[3], (*force)[3], (*drag)[3];
} carom_device_motion;

// Motion may stay on the device: the processor has the nodes `here`, ascending, and the device all others, which nothing but
// forces of elements, dead loads and mass damping moves. `motion`: the arrays of the state and of its method, which must
// outlive the stay; `kicks` is what contact keeps of the last kick, if it does. CAROM_BAD_INPUT if the device has too little
// memory.
carom_status carom_device_stay(carom_device *device, const int *here, int count, const carom_device_motion *motion,
                               carom_error *error);
// Sends x, v, w and kicks.
void carom_device_send(carom_device *device);
// Brings arrays, of the nodes of the device: all of them, or those of a list. Rows of other nodes stay as they are.
void carom_device_bring(carom_device *device, const carom_device_motion *motion);
void carom_device_fetch(carom_device *device, const int *nodes, int count, const carom_device_motion *motion);

// One number per node; those that have changed since the last call, some of them perhaps twice. `nodes` must stay as they are
// until the answer has been taken.
typedef struct carom_device_until {
    const double *of;
    const int *nodes;
    int count; // -1: all
} carom_device_until;

// Asks for the nodes of the device that the last kick has pushed by u = w - v such that u^2 m^2 <= most does not hold, with
// m = (until - now + 1) (until - now + 2), where until > now (integrator/examination_times.h). The answer comes with the next
// forces, or when somebody waits. Then takes it: returns their number; *nodes, ascending, and the square of their u, are valid
// until the next call.
void carom_device_ask_pushed(carom_device *device, carom_device_until until, double now, double most);
void carom_device_wait(carom_device *device);
int carom_device_take_pushed(carom_device *device, const int **nodes, const double **squares);

// A drift of the nodes of the device.
void carom_device_drift(carom_device *device, double h);
// A kick of length h of the nodes of the device by the forces that were found, before a drift of length `step`, of which
// `after` acts later: their largest change of speed, the largest square of their speeds, and CAROM_KICK_SUMS sums for the books
// (model/state/ledger.h). Velocities of the state stay as they are.
void carom_device_push(carom_device *device, double h, double step, double after, double *most, double *fastest,
                       carom_exact *sums);
// The velocities of a state after a kick of which `after` acts later; false if one of them is not finite. The sums over these
// nodes are those of carom_remote. The kick has found all this already if it was told the same.
bool carom_device_settle(carom_device *device, double after);

// A look at the shapes of elements (carom_model_check_shapes) and at nodes inside bodies behind planes, at the positions of
// the last forces: true if neither an element is inside out, nor one has turned too far, nor a node is deeper than `depth`
// behind a plane. False: the processor has to look.
bool carom_device_sees_nothing(carom_device *device, bool followed, bool turns, double depth);

// True if a step of central differences of this length is stable for all bodies, by the bounds of carom_model_stiffening at the
// positions of the last forces, where motion stays. False: the processor has to judge.
bool carom_device_proves_step(carom_device *device, double step);

// A copy, on the device, of what it has of the motion that stays and of the envelopes that it has raised, for another state
// with the same arrays, whose `remote` keeps it. Returns the sets that it has copied; 0 if motion does not stay, or there is no
// memory. The same of the positions of all nodes; NULL likewise.
unsigned carom_device_keep(carom_device *device, carom_device_copy copy, carom_state *to);
carom_remote *carom_device_keep_positions(carom_device *device, double (*to)[3]);

// Where motion stays: who sweeps over contacts of the nodes of the processor (contact/impact/sweeps.h). Valid as long as the
// device.
const carom_sweeper *carom_device_sweeper(carom_device *device);

// Seconds that were spent on waiting for the device and on what it could not do itself, bytes that were copied, and islands of
// contacts that it has swept.
typedef struct carom_device_times {
    double waiting, settling;
    double to, from;
    double islands;
} carom_device_times;
carom_device_times carom_device_spent(const carom_device *device);

// For benchmarks: `count` steps of length h without contact, restraints and loads that change, all on the device, from x and w
// and back to them. `most` receives the largest change of speed of the last kick. Returns the seconds of the steps alone.
double carom_device_leap(carom_device *device, int count, double h, double (*x)[3], double (*w)[3], double *most);

// Likewise the seconds of one call of each part of a step, the mean of `count`, at the positions that the device has: the
// drift, forces without and with a comparison of stresses, the best of each block, sums at the nodes, the kick with its sums
// brought, nodes that were pushed, a wait for nothing. The device is of no use afterwards. False if it failed.
typedef enum carom_device_part {
    CAROM_PART_DRIFT,
    CAROM_PART_FORCE,
    CAROM_PART_WATCHED,
    CAROM_PART_TOPS,
    CAROM_PART_GATHER,
    CAROM_PART_PUSH,
    CAROM_PART_PUSHED,
    CAROM_PART_WAIT,
    CAROM_SUBDOMAINS
} carom_device_part;
const char *carom_device_part_name(carom_device_part part);
bool carom_device_measure_parts(carom_device *device, int count, double seconds[CAROM_SUBDOMAINS]);

#endif
