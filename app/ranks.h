// SPDX-License-Identifier: MIT
// Several processes: how they are started, and what rank 0 tells the others on the way to a run.
#ifndef CAROM_APP_RANKS_H
#define CAROM_APP_RANKS_H

#include "app/options.h"
#include "carom/status.h"

// Processes that mpirun, or the like, has started with this one, as the environment says; 1 if nobody has.
int carom_ranks_started(void);

// `carom` that mpirun has started on several processes: the program `carom-mpi` takes its place, or it refuses, because each
// process would be a run of its own. Returns CAROM_EXIT_DONE if there is nothing to do, else an exit code after a message.
int carom_ranks_replace(char **argv);

// --ranks N: mpirun starts `carom-mpi` with the other arguments on N processes, and this program waits for their end. Returns
// true, and the exit code, if that has happened or is not possible; false if this process is to do the work: the option was not
// given, or is fulfilled already.
bool carom_ranks_launch(const carom_arguments *arguments, int *code);

// Starts the communication of `carom-mpi`, once; returns an exit code after a message. From then on only rank 0 speaks.
int carom_ranks_begin(void);
// Ends it, if it was started; returns the exit code of rank 0.
int carom_ranks_end(int code);

// Ends all processes at once with a message and an exit code, from a place where the others cannot be asked; does nothing where
// there are no others.
void carom_ranks_abandon(carom_status status, const char *message);

// Rank 0 tells the others whether it goes on; returns the same on all.
bool carom_ranks_go_on(bool go_on);

#endif
