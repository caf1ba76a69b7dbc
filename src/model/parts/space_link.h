// SPDX-License-Identifier: MIT
// The contact space of a subdomain (model.h): its nodes are the contact nodes of all processes, and every process has the
// motion of all of them. The link stores which process owns which node, and sends nodal vectors from their owners to all
// processes.
#ifndef CAROM_MODEL_PARTS_SPACE_LINK_H
#define CAROM_MODEL_PARTS_SPACE_LINK_H

#include "math/vec3.h"
#include "model/model.h"

// Maximum number of vectors per node in one message.
enum { CAROM_SPACE_TOGETHER = 4 };

typedef struct carom_space_link {
    int count;           // number of contact nodes that this process owns
    int *mine;           // their numbers in the subdomain, ascending
    int *local;          // per node of the space: its number in the subdomain if this process owns it, else -1
    carom_shares shares; // number of contact nodes of each process
    int *place;          // their numbers in the space, process after process
    double *sent;        // send buffer for the vectors of this process
    double *received;    // receive buffer for those of all processes
    carom_vectors x;     // buffer for positions in the space
    carom_arena *arena;  // owns the above
} carom_space_link;

// Creates the link of a subdomain with `space` and `in_space`. Collective.
carom_status carom_space_link_create(const carom_model *part, carom_space_link **link, carom_error *error);
void carom_space_link_release(carom_space_link *link);

// Connect the subdomain of a process to those of the others: ghosts, and the link. Both are collective. Disconnect also after a
// failure, before the model is released.
carom_status carom_subdomain_connect(carom_model *part, const carom_model *space, carom_error *error);
void carom_subdomain_disconnect(carom_model *part);

// Sends `count` vectors of each contact node to all processes: mine[i] are over the nodes of the subdomain, all[i] over those
// of the space. Collective. Not for whole models, which have no link: there both are the same.
void carom_space_gather(const carom_model *part, int count, const double (*const *mine)[3], double (*const *all)[3]);

// Positions of the nodes of the contact space: in a whole model x itself, else a buffer with gathered values; valid until the
// next call.
const double (*carom_space_positions(const carom_model *model, const double (*x)[3]))[3];

#endif
