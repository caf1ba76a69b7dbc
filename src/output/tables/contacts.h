// SPDX-License-Identifier: MIT
// contacts.csv: one row for each contact impulse, in the order of events. The part of an impact that a
// later kick returns (carom_hit.amends) is added to the row of that impact: there are as many rows as
// events, and the rows of a body add up to the impulse it received.
//
// Impulses are reported while a step is computed. They are kept in memory until the state after the step is accepted, so that
// the file never contains impulses of a discarded step.
#ifndef CAROM_OUTPUT_TABLES_CONTACTS_H
#define CAROM_OUTPUT_TABLES_CONTACTS_H

#include "carom/state.h"
#include "contact/response.h"
#include "output/tables/csv.h"

// An impulse, and the step that it belongs to.
typedef struct carom_pending_impulse {
    int64_t step;
    carom_hit hit;
} carom_pending_impulse;

typedef struct carom_contacts {
    carom_csv csv;
    int every; // impulses of every n-th step only
    int64_t count, capacity;
    carom_pending_impulse *pending; // waiting
    int64_t amended;                // index behind the last impulse that was amended
    bool failed;                    // memory ran out; impulses are missing
} carom_contacts;

// Number of columns of the table.
int carom_contacts_columns(void);

// resume_size as in carom_csv_open.
carom_status carom_contacts_open(carom_contacts *contacts, const char *path, int every, int64_t resume_size,
                                 carom_error *error);
// Records an impulse, or adds an amendment to one that was recorded in the same step.
void carom_contacts_record(carom_contacts *contacts, const carom_hit *hit, int64_t step);
// Writes all recorded impulses up to the step of the state, and discards the others.
carom_status carom_contacts_write(carom_contacts *contacts, const carom_state *state, carom_error *error);
carom_status carom_contacts_close(carom_contacts *contacts, carom_error *error);

#endif
