// SPDX-License-Identifier: MIT
// Restrained directions of nodes (restraint.h; docs/theory/restraint.md): they are orthonormalised as they are added, and
// removed from vectors by projection.
#include "contact/restraint.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "math/vec3.h"

// A unit direction whose component orthogonal to the earlier ones is shorter than this is in their span.
static const double parallel_threshold = 1e-9;

// Two prescribed speeds that differ by less than this, relative to their size, are the same.
static const double speed_tolerance = 1e-9;

carom_status carom_restraint_add(carom_restraint *restraint, const double direction[3], double speed, carom_error *error) {
    double d[3];
    carom_copy(direction, d);
    if (!(carom_normalize(d) > 0))
        return carom_fail(error, CAROM_BAD_INPUT, "a restrained direction is zero");

    // the speed that earlier directions prescribe along the new one, and the part of it that is orthogonal to them:
    // Gram-Schmidt, twice because once loses orthogonality for nearly parallel directions
    double known = carom_dot(restraint->velocity, d);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < restraint->count; i++)
            carom_add_scaled(-carom_dot(restraint->direction[i], d), restraint->direction[i], d);

    // no new direction: the velocities must agree
    double left = carom_normalize(d);
    if (restraint->count == 3 || left < parallel_threshold) {
        if (fabs(known - speed) > speed_tolerance * (carom_norm(restraint->velocity) + fabs(speed)))
            return carom_fail(error, CAROM_BAD_INPUT, "restrained twice along (%g, %g, %g), with velocities %g and %g",
                              direction[0], direction[1], direction[2], known, speed);
        return CAROM_OK;
    }

    // the speed along `direction` fixes the speed along its new part
    carom_copy(d, restraint->direction[restraint->count++]);
    carom_add_scaled((speed - known) / left, d, restraint->velocity);
    return CAROM_OK;
}

void carom_restraint_project(const carom_restraint *restraint, double vector[3]) {
    // exactly zero, not up to rounding: a fixed node never moves
    if (restraint->count == 3) {
        vector[0] = vector[1] = vector[2] = 0;
        return;
    }
    for (int i = 0; i < restraint->count; i++)
        carom_add_scaled(-carom_dot(restraint->direction[i], vector), restraint->direction[i], vector);
}

void carom_restraint_impose(const carom_restraint *restraint, double velocity[3]) {
    carom_restraint_project(restraint, velocity);
    for (int i = 0; i < 3; i++)
        velocity[i] += restraint->velocity[i];
}

void carom_restraints_reserve(const carom_restraints *from, carom_arena *arena, carom_restraints *to, bool *enough) {
    *to = *from;
    to->items = carom_arena_reserve(arena, from->count, sizeof *to->items, enough);
    if (*enough && from->count)
        memcpy(to->items, from->items, (size_t)from->count * sizeof *to->items);
}
