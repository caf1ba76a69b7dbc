// SPDX-License-Identifier: MIT
#include "contact/impact/encounter.h"

#include <float.h>
#include <limits.h>
#include <math.h>

#include "math/vec3.h"

double carom_encounter_speed(const carom_contact *contact, const double (*w)[3]) {
    double speed = 0;
    for (int k = 0; k < contact->count; k++)
        speed += fabs(contact->weight[k]) * carom_norm(w[contact->node[k]]);
    return speed;
}

double carom_encounter_rounding(const carom_contact *contact, const double (*x)[3]) {
    double place = fabs(contact->offset);
    for (int k = 0; k < contact->count; k++)
        place += fabs(contact->weight[k]) * fabs(carom_dot(contact->normal, x[contact->node[k]]));
    return 16 * DBL_EPSILON * place;
}

int carom_encounter_movers(const carom_contact *contact, carom_mobility mobility, int begin, int end, int nodes[4]) {
    int count = 0;
    for (int k = begin; k < end; k++)
        if (carom_contact_moves(contact, mobility, k))
            nodes[count++] = contact->node[k];
    return count;
}

int carom_encounter_hits(const carom_contact *contact, carom_mobility mobility, const int *hits) {
    int split = contact->kind == CAROM_CONTACT_EDGE_EDGE ? 2 : 1, least = INT_MAX;
    for (int side = 0; side < 2; side++) {
        int movers[4], most = 0;
        int count = carom_encounter_movers(contact, mobility, side ? split : 0, side ? contact->count : split, movers);
        for (int k = 0; k < count; k++)
            most = hits[movers[k]] > most ? hits[movers[k]] : most;
        least = count && most < least ? most : least;
    }
    return least == INT_MAX ? 0 : least;
}

double carom_encounter_escape(const carom_contact *contact, double side, double level, double distance, double rate,
                              double step, const double (*w)[3]) {
    double u[3];
    carom_contact_velocity(contact, w, u);
    double most = fmax(16 * level / step, 4 * carom_norm(u) * sqrt(level / side));
    return fmax((0.5 * level - distance) / step, fmin(2 * fabs(rate), most));
}
