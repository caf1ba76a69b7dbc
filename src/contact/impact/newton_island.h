// SPDX-License-Identifier: MIT
// Solves the contacts of a small island of rigid bodies by Newton's method in the velocities of its bodies, in which redundant
// contacts are no unknowns (docs/theory/rest.md).
#ifndef CAROM_CONTACT_IMPACT_NEWTON_ISLAND_H
#define CAROM_CONTACT_IMPACT_NEWTON_ISLAND_H

#include "contact/impact/contact_solve.h"

// Finds the impulses of a group in which only rigid bodies without joints move, beginning with those of its swept contacts,
// until no rate is wrong by more than the newton_floor of the group, or by less than `coarse` where redundant contacts prevent
// that. False if the method does not converge or its matrix has no space; impulses are then unchanged. Velocities are not
// changed: the impulses are applied to those of the start of the solve.
bool carom_newton_island_run(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility,
                             double coarse);

// Its scratch data of the contacts, bodies and blocks of a list (contact_solve.h).
typedef struct carom_newton_space carom_newton_space;

// Reserves it in an arena for so many contacts and bodies; *enough becomes false if memory is short.
carom_newton_space *carom_newton_space_reserve(carom_arena *arena, int64_t contacts, int bodies, bool *enough);

#endif
