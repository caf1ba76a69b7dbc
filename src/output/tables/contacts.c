// SPDX-License-Identifier: MIT
// Writes contacts.csv, one row for each contact impulse. Impulses arrive while a step is computed, and a step may be discarded
// and repeated with another length. An impulse is therefore kept in memory, together with its step number, until the state
// after that step is accepted. An amendment (carom_hit.amends) is a correction of an impulse reported earlier in the same step:
// it is added to the pending row and never becomes a separate row.
#include "output/tables/contacts.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/state.h"

// The order is part of the file format: ownership.c recognises the file by its first columns.
static const char *const columns[] = {
    "time",    "kind",     "body_1",   "body_2",   "node_1",    "node_2",    "node_3",    "node_4", "point_x", "point_y",
    "point_z", "normal_x", "normal_y", "normal_z", "impulse_x", "impulse_y", "impulse_z", "state",  "gap",
};

enum { COLUMNS = sizeof columns / sizeof *columns };

static const char *const kinds[] = {
    [CAROM_CONTACT_END_END] = "end-end",           [CAROM_CONTACT_NODE_PLANE] = "node-plane",
    [CAROM_CONTACT_NODE_FACE] = "node-face",       [CAROM_CONTACT_EDGE_EDGE] = "edge-edge",
    [CAROM_CONTACT_NODE_SEGMENT] = "node-segment",
};

int carom_contacts_columns(void) {
    return COLUMNS;
}

carom_status carom_contacts_open(carom_contacts *contacts, const char *path, int every, int64_t resume_size,
                                 carom_error *error) {
    *contacts = (carom_contacts){.csv = carom_csv_closed(), .every = every};
    return carom_csv_begin_named(&contacts->csv, path, columns, COLUMNS, resume_size, error);
}

// True if `hit` amends the impulse `pending`: same step, time, kind, nodes and bodies.
static bool is_of(const carom_pending_impulse *pending, const carom_hit *hit, int64_t step) {
    const carom_contact *a = &pending->hit.contact, *b = &hit->contact;
    bool same = pending->step == step && pending->hit.time == hit->time && a->kind == b->kind && a->count == b->count;
    for (int k = 0; same && k < a->count; k++)
        same = a->node[k] == b->node[k];
    return same && memcmp(a->body, b->body, sizeof a->body) == 0;
}

// Adds an amendment to the impulse that it corrects. Amendments arrive in the order of the impacts, so the search begins behind
// the last match. The impulse is absent if its step is not among those that are written.
static void amend(carom_contacts *contacts, const carom_hit *hit, int64_t step) {
    for (int64_t i = 0; i < contacts->count; i++) {
        int64_t place = (contacts->amended + i) % contacts->count;
        if (!is_of(&contacts->pending[place], hit, step))
            continue;
        carom_hit *sum = &contacts->pending[place].hit;
        carom_add_scaled(1, hit->impulse, sum->impulse);
        // the normal may have rotated slightly since the impact: the normal part of the sum refers to the reported normal
        sum->normal = carom_dot(sum->contact.normal, sum->impulse);
        sum->restitution += hit->restitution;
        sum->friction += hit->friction;
        sum->projection += hit->projection;
        contacts->amended = place + 1;
        return;
    }
}

void carom_contacts_record(carom_contacts *contacts, const carom_hit *hit, int64_t step) {
    if (step % contacts->every != 0)
        return;
    if (hit->amends) {
        amend(contacts, hit, step);
        return;
    }
    carom_pending_impulse *pending = carom_grow(contacts->pending, contacts->count, &contacts->capacity, sizeof *pending);
    if (!pending) {
        // the step continues; carom_contacts_write reports the failure
        contacts->failed = true;
        return;
    }
    contacts->pending = pending;
    pending[contacts->count++] = (carom_pending_impulse){step, *hit};
}

// The column `state`: "none" for a contact law without friction, else whether the impulse reached the
// Coulomb limit.
static const char *friction_of(const carom_model *model, const carom_hit *hit) {
    if (carom_contact_law_of(&model->laws, hit->contact.body).friction == 0)
        return "none";
    return hit->slips ? "slip" : "stick";
}

// Impulse and normal refer to the first body: a plane (body[1] < 0) pushes it along the contact normal, a
// second body pushes it against the normal.
static carom_status write_row(carom_csv *csv, const carom_model *model, const carom_hit *hit, carom_error *error) {
    const carom_contact *contact = &hit->contact;
    double sign = contact->body[1] < 0 ? 1 : -1;
    carom_csv_real(csv, hit->time);
    carom_csv_text(csv, kinds[contact->kind]);
    for (int side = 0; side < 2; side++)
        carom_csv_text(csv, carom_model_side_name(model, contact->body[side]));
    for (int k = 0; k < 4; k++)
        if (k < contact->count)
            carom_csv_integer(csv, contact->node[k]);
        else
            carom_csv_text(csv, "");
    carom_csv_reals(csv, hit->spot.point, 3);
    // adding +0.0 turns -0.0 into 0.0, so that no "-0" is printed
    for (int i = 0; i < 3; i++)
        carom_csv_real(csv, sign * contact->normal[i] + 0.0);
    for (int i = 0; i < 3; i++)
        carom_csv_real(csv, sign * hit->impulse[i] + 0.0);
    carom_csv_text(csv, friction_of(model, hit));
    carom_csv_real(csv, hit->spot.gap);
    return carom_csv_end_row(csv, error);
}

carom_status carom_contacts_write(carom_contacts *contacts, const carom_state *state, carom_error *error) {
    carom_status status = contacts->failed
                              ? carom_fail(error, CAROM_NO_MEMORY, "no memory for the contacts of %s", contacts->csv.path)
                              : CAROM_OK;
    // later steps belong to an attempt that was discarded
    for (int64_t i = 0; i < contacts->count && !status; i++)
        if (contacts->pending[i].step <= state->step)
            status = write_row(&contacts->csv, state->model, &contacts->pending[i].hit, error);
    contacts->count = contacts->amended = 0;
    contacts->failed = false;
    return status;
}

// Rows must have been written before: pending impulses are discarded.
carom_status carom_contacts_close(carom_contacts *contacts, carom_error *error) {
    free(contacts->pending);
    contacts->pending = NULL;
    contacts->count = contacts->capacity = 0;
    return carom_csv_close(&contacts->csv, error);
}
