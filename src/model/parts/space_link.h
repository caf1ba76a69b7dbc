// SPDX-License-Identifier: MIT
// The contact space of a part (model.h): its nodes are those of contact of all processes, and every process knows all of their
// motion. The link tells who owns which, and brings their numbers from their owners to all.
#ifndef CAROM_MODEL_PARTS_SPACE_LINK_H
#define CAROM_MODEL_PARTS_SPACE_LINK_H

#include "math/vec3.h"
#include "model/model.h"

// Vectors of a node that travel together at most.
enum { CAROM_SPACE_TOGETHER = 4 };

typedef struct carom_space_link {
    int count;           // nodes of contact that this process owns
    int *mine;           // their numbers in the part, ascending
    int *local;          // per node of the space: its number in the part if this process owns it, else -1
    carom_shares shares; // nodes of contact of each process
    int *place;          // their numbers in the space, process after process
    double *sent;        // room for the vectors of this process
    double *received;    // and of all
    carom_vectors x;     // room for positions in the space
    carom_arena *arena;  // of all these
} carom_space_link;

// For a part with `space` and `in_space`. All processes call it.
carom_status carom_space_link_create(const carom_model *part, carom_space_link **link, carom_error *error);
void carom_space_link_release(carom_space_link *link);

// What connects the part of a process to those of the others: ghosts, and the link. All processes call both.
// Disconnect in any case, before the model is released.
carom_status carom_subdomain_connect(carom_model *part, const carom_model *space, carom_error *error);
void carom_subdomain_disconnect(carom_model *part);

// Brings `count` vectors of each node of contact to all processes: mine[i] are over the nodes of the part, all[i] over those of
// the space. All processes call it. Not for whole models, which have no link: there both are the same.
void carom_space_gather(const carom_model *part, int count, const double (*const *mine)[3], double (*const *all)[3]);

// The same positions where contact looks at them: in a whole model x itself, else those in the space, brought there; they
// are valid until the next call.
const double (*carom_space_positions(const carom_model *model, const double (*x)[3]))[3];

#endif
