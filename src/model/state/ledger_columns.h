// SPDX-License-Identifier: MIT
// The list of ledger columns: names, roles, units and labels. The tables and figures of a run, the page, the gates and the
// balance of energy are generated from it.
#ifndef CAROM_MODEL_STATE_LEDGER_COLUMNS_H
#define CAROM_MODEL_STATE_LEDGER_COLUMNS_H

#include "carom/ledger.h"

// COLUMN(name, member of carom_ledger_row, role, presence, unit, label). The order is part of the file format, and a file is
// recognised by its first columns: add new ones at the end.
#define CAROM_LEDGER_COLUMNS(COLUMN)                                                         \
    COLUMN(time, time, OTHER, ALWAYS, "time", "time")                                        \
    COLUMN(kinetic, kinetic, PART, ALWAYS, "energy", "kinetic")                              \
    COLUMN(internal, internal, PART, ALWAYS, "energy", "internal")                           \
    COLUMN(external, external, PART, ALWAYS, "energy", "external")                           \
    COLUMN(friction, friction, LOSS, ALWAYS, "energy", "lost by friction")                   \
    COLUMN(restitution, restitution, LOSS, ALWAYS, "energy", "lost by restitution")          \
    COLUMN(projection, projection, LOSS, ALWAYS, "energy", "lost by projection")             \
    COLUMN(total, total, TOTAL, ALWAYS, "energy", "total")                                   \
    COLUMN(residual, residual, RESIDUAL, ALWAYS, "energy", "residual (unexplained)")         \
    COLUMN(px, momentum[0], OTHER, ALWAYS, "momentum", "momentum x")                         \
    COLUMN(py, momentum[1], OTHER, ALWAYS, "momentum", "momentum y")                         \
    COLUMN(pz, momentum[2], OTHER, ALWAYS, "momentum", "momentum z")                         \
    COLUMN(lx, angular_momentum[0], OTHER, ALWAYS, "angular_momentum", "angular momentum x") \
    COLUMN(ly, angular_momentum[1], OTHER, ALWAYS, "angular_momentum", "angular momentum y") \
    COLUMN(lz, angular_momentum[2], OTHER, ALWAYS, "angular_momentum", "angular momentum z") \
    COLUMN(contacts, contacts, OTHER, ALWAYS, "", "contacts in a step")                      \
    COLUMN(penetration, penetration, OTHER, ALWAYS, "length", "largest overlap")             \
    COLUMN(oscillation, oscillation, KNOWN, ALWAYS, "energy", "oscillation (known)")         \
    COLUMN(damping, damping, LOSS, DAMPED, "energy", "lost by damping")                      \
    COLUMN(plasticity, plasticity, LOSS, INELASTIC, "energy", "lost by plasticity")          \
    COLUMN(viscosity, viscosity, LOSS, INELASTIC, "energy", "lost by viscosity")             \
    COLUMN(energy_ratio, energy_ratio, OTHER, ALWAYS, "", "energy over initial energy and work")

// Expands to its arguments if the role is that of a loss.
#define CAROM_LEDGER_IF_LOSS_OTHER(...)
#define CAROM_LEDGER_IF_LOSS_PART(...)
#define CAROM_LEDGER_IF_LOSS_TOTAL(...)
#define CAROM_LEDGER_IF_LOSS_LOSS(...) __VA_ARGS__
#define CAROM_LEDGER_IF_LOSS_KNOWN(...)
#define CAROM_LEDGER_IF_LOSS_RESIDUAL(...)

#endif
