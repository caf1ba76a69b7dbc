// SPDX-License-Identifier: MIT
// Finds the coefficients of restitution and friction between two bodies (law.h). Friction that falls with the slip speed v, as
// in LS-DYNA and Abaqus (after Oden and Martins 1985):
//
//     mu(v) = mu_k + (mu_s - mu_k) exp(-d v)
//
// A solve uses v at its start, so that the cone is constant during the solve (docs/theory/response.md).
#include "contact/law.h"

#include "contact/cone.h"
#include "contact/contact.h"
#include "math/functions.h"

carom_contact_law carom_contact_law_of(const carom_contact_laws *laws, const int body[2]) {
    int first = body[0] < body[1] ? body[0] : body[1], second = body[0] < body[1] ? body[1] : body[0];
    // binary search; without an exception the general law holds
    int begin = 0, end = laws->count;
    while (begin < end) {
        int middle = begin + (end - begin) / 2;
        const int *pair = laws->exceptions[middle].body;
        if (pair[0] == first && pair[1] == second)
            return laws->exceptions[middle].law;
        if (pair[0] < first || (pair[0] == first && pair[1] < second))
            begin = middle + 1;
        else
            end = middle;
    }
    return laws->general;
}

bool carom_contact_law_varies(const carom_contact_law *law) {
    return law->decay > 0 && law->kinetic < law->friction;
}

double carom_contact_law_friction(const carom_contact_law *law, double speed) {
    if (!carom_contact_law_varies(law))
        return law->friction;
    return law->kinetic + (law->friction - law->kinetic) * carom_exp(-law->decay * speed);
}

double carom_contact_friction(const carom_contact_law *law, const carom_contact *contact, const double (*v)[3]) {
    double u[3], t[3];
    if (!carom_contact_law_varies(law))
        return law->friction;
    carom_contact_velocity(contact, v, u);
    return carom_contact_law_friction(law, carom_cone_slide(contact->normal, u, t));
}
