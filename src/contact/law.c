// SPDX-License-Identifier: MIT
// Only the lookup of coefficients; law.h names the places that apply them.
#include "contact/law.h"

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
