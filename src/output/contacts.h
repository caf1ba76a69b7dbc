// SPDX-License-Identifier: MIT
// contacts.csv: one row for each impulse of contact, in the order in which they happened. What a kick returns of an impact (carom_hit.amends) is part of the
// row of that impact, so that rows are as many as events and add up to what the bodies received.
//
// Impulses are heard of while a step is made. They wait in memory until the state after the step is known to be good, so that the file
// never tells of steps that were taken back.
#ifndef CAROM_OUTPUT_CONTACTS_H
#define CAROM_OUTPUT_CONTACTS_H

#include "carom/state.h"
#include "contact/response.h"
#include "output/csv.h"

// An impulse, and the step that it belongs to.
typedef struct carom_heard {
    int64_t step;
    carom_hit hit;
} carom_heard;

typedef struct carom_contacts {
    carom_csv csv;
    int every; // only every so many steps
    int64_t count, capacity;
    carom_heard *heard; // waiting
    int64_t amended;    // where to look first for an impact that is amended
    bool failed;        // memory ran out; some are missing
} carom_contacts;

// Columns of the table.
int carom_contacts_columns(void);

// resume_size as in carom_csv_open.
carom_status carom_contacts_open(carom_contacts *contacts, const char *path, int every, int64_t resume_size,
                                 carom_error *error);
// Hears of an impulse, or of what amends one heard before in the same step.
void carom_contacts_hear(carom_contacts *contacts, const carom_hit *hit, int64_t step);
// Writes rows for all that was heard of up to the step of the state, and forgets the rest.
carom_status carom_contacts_write(carom_contacts *contacts, const carom_state *state, carom_error *error);
carom_status carom_contacts_close(carom_contacts *contacts, carom_error *error);

#endif
