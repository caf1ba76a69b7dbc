// SPDX-License-Identifier: MIT
// A device that computes the forces of a model: it stores the elements and the lists, receives positions, and returns the sum
// at each node, with the bits of carom_model_force_outputs. Theory and layout: docs/theory/device.md.
#ifndef CAROM_DEVICE_DEVICE_H
#define CAROM_DEVICE_DEVICE_H

#include "contact/impact/sweeps.h"
#include "device/backend.h"
#include "device/copies.h"
#include "model/forces/forces.h"
#include "model/remote.h"

typedef struct carom_device carom_device;

// A row of the table of what devices support: an element, one of its settings in the words of scenes, and the laws that are
// supported with them. Elements without forces need no row.
enum { CAROM_DEVICE_ELEMENTS = 3 };
typedef struct carom_device_row {
    const carom_element *elements[CAROM_DEVICE_ELEMENTS]; // of blocks; all of one name. The others are NULL
    const char *with;                                     // the setting; NULL: any
    int (*setting)(const carom_block *block);             // reads it; NULL: the elements differ by it
    int value;                                            // what it must be
    unsigned laws;                                        // 1U << carom_law for each
} carom_device_row;

const carom_device_row *carom_device_rows(int *count);
bool carom_device_row_has(const carom_device_row *row, const carom_material *law);

// CAROM_BAD_INPUT if devices do not support an element or a law of the model; the message names it, and settings of the element
// that they support.
carom_status carom_device_accepts(const carom_model *model, carom_error *error);

// The emulation if the environment variable CAROM_DEVICE_EMULATE is set, or the shared object for CUDA. CAROM_BAD_INPUT if
// there is none.
carom_status carom_device_find_backend(const carom_backend **backend, carom_error *error);

// Opens the device and sends the model, which must outlive it. CAROM_BAD_INPUT if there is no device, or if it has too little
// memory.
carom_status carom_device_create(const carom_backend *backend, const carom_model *model, carom_device **device,
                                 carom_error *error);
void carom_device_release(carom_device *device);

// Its name, such as "NVIDIA H200".
const char *carom_device_name(const carom_device *device);
// Bytes of the device that the model takes.
size_t carom_device_bytes(const carom_device *device);

// Sets the one state whose forces the device computes, and of which it keeps arrays from step to step: the history and the
// losses of materials, the envelopes of stress that it raises (model/forces/peaks.h), and motion (below). The device becomes
// state->remote: the arrays of the state are outdated until a caller announces that it reads them (model/remote.h).
void carom_device_serve(carom_device *device, carom_state *state);

// True if the device can compute the energies of all elements; otherwise the processor computes the missing ones.
bool carom_device_stores(const carom_device *device);
// As carom_model_force_outputs, for the positions of the state that it serves. If motion stays on the device, only positions of
// the nodes of the processor are sent and only forces on these are returned, and the state receives the positions of the nodes
// of elements that raise the largest stresses of a body. Forces are NaN once the device has failed.
void carom_device_force(carom_device *device, const carom_state *state, double (*force)[3], const carom_force_outputs *beside);
// As carom_model_viscous_force, after carom_device_force at the same positions: the forces of stiffness damping at velocities
// w.
void carom_device_viscous_force(carom_device *device, const double (*w)[3], double (*viscous)[3]);
// The first error of the device; NULL: none.
const char *carom_device_fault(const carom_device *device);

// Arrays of all nodes; NULL: none.
typedef struct carom_device_motion {
    double (*x)[3], (*v)[3], (*w)[3], (*kicks)[3], (*force)[3], (*drag)[3];
} carom_device_motion;

// Prepares motion that stays on the device: the processor keeps the nodes `here`, ascending, and the device all others, which
// nothing but forces of elements, dead loads and mass damping may move. `motion`: the arrays of the state and of its method,
// which must outlive it; `kicks` are the velocity changes by the last kick if contact needs them. CAROM_BAD_INPUT if the device
// has too little memory.
carom_status carom_device_stay(carom_device *device, const int *here, int count, const carom_device_motion *motion,
                               carom_error *error);
// Sends x, v, w and kicks.
void carom_device_send(carom_device *device);
// Copies arrays of the nodes of the device to the processor: of all of them, or of those of a list. Rows of other nodes do not
// change.
void carom_device_copy_back(carom_device *device, const carom_device_motion *motion);
void carom_device_fetch(carom_device *device, const int *nodes, int count, const carom_device_motion *motion);

// One number per node, and the nodes for which it has changed since the last call, possibly with repetitions. `nodes` must not
// change until carom_device_take_pushed.
typedef struct carom_device_until {
    const double *of;
    const int *nodes;
    int count; // -1: all
} carom_device_until;

// Queries the nodes of the device whose velocity the last kick has changed by u = w - v such that u^2 m^2 <= most does not
// hold, with m = (until - now + 1) (until - now + 2), where until > now (integrator/examination_times.h). The result is
// available after the next forces or carom_device_wait. carom_device_take_pushed returns their number; *nodes, ascending, and
// the squares of their u are valid until the next call.
void carom_device_query_pushed(carom_device *device, carom_device_until until, double now, double most);
void carom_device_wait(carom_device *device);
int carom_device_take_pushed(carom_device *device, const int **nodes, const double **squares);

// A drift of the nodes of the device.
void carom_device_drift(carom_device *device, double h);
// A kick of length h of the nodes of the device by the last forces, before a drift of length `step`; the fraction `after` of it
// acts later. Returns their largest change of speed, the largest square of their speeds, and CAROM_KICK_SUMS sums for the
// ledger (model/state/ledger.h). Velocities of the state do not change.
void carom_device_push(carom_device *device, double h, double step, double after, double *most, double *fastest,
                       carom_exact *sums);
// The velocities of a state after a kick of which the fraction `after` acts later; false if one of them is not finite. The sums
// over these nodes are members of carom_remote. Uses the results of carom_device_push if `after` is the same.
bool carom_device_settle(carom_device *device, double after);

// Checks the shapes of elements (carom_model_check_shapes) and the nodes inside bodies behind planes, at the positions of the
// last forces: true if no element is inverted or rotated too far, and no node is deeper than `depth` behind a plane. False: the
// processor has to check.
bool carom_device_finds_no_violation(carom_device *device, bool followed, bool turns, double depth);
// The part of it that concerns planes.
bool carom_device_finds_no_node_behind(carom_device *device, double depth);

// True if a step of central differences of this length is stable for all bodies, by the bounds of carom_model_stiffening at the
// positions of the last forces, if motion stays on the device. False: the processor has to decide.
bool carom_device_proves_step(carom_device *device, double step);

// Copies, on the device, its motion and the envelopes that it has raised, for another state with the same arrays, whose
// `remote` refers to the copy. Returns the sets that were copied; 0 if motion does not stay, or memory is short. The second
// function copies the positions of all nodes; NULL if that fails.
unsigned carom_device_keep(carom_device *device, carom_device_copy copy, carom_state *to);
carom_remote *carom_device_keep_positions(carom_device *device, double (*to)[3]);

// If motion stays on the device: the solver that sweeps over contacts of the nodes of the processor (contact/impact/sweeps.h).
// Valid as long as the device.
const carom_sweeper *carom_device_sweeper(carom_device *device);

// Seconds spent on waiting for the device and on the work it leaves to the processor, bytes that were copied, and the number of
// islands of contacts that it has swept.
typedef struct carom_device_times {
    double waiting, settling;
    double to, from;
    double islands;
} carom_device_times;
carom_device_times carom_device_spent(const carom_device *device);

#endif
