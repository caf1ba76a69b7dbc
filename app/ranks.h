// SPDX-License-Identifier: MIT
// Runs with several processes: their start, and decisions of rank 0 before a run.
#ifndef CAROM_APP_RANKS_H
#define CAROM_APP_RANKS_H

#include "app/options.h"
#include "carom/status.h"

// Number of processes that mpirun, or a similar program, has started with this one, from the environment; 1 if none.
int carom_ranks_started(void);

// `carom` that mpirun has started on several processes: the program `carom-mpi` takes its place, or it refuses, because each
// process would run the whole scene. Returns CAROM_EXIT_DONE if there is nothing to do, else an exit code after a message.
int carom_ranks_replace(char **argv);

// --ranks N: mpirun starts `carom-mpi` with the other arguments on N processes, and this program waits for their end. Returns
// true, and the exit code, if this was done or is not possible; false if this process must do the work itself: the option was
// not given, or the processes are running already.
bool carom_ranks_launch(const carom_arguments *arguments, int *code);

// Starts the communication of `carom-mpi`, once; returns an exit code after a message. From then on only rank 0 prints
// messages.
int carom_ranks_begin(void);
// Ends it, if it was started; returns the exit code of rank 0.
int carom_ranks_end(int code);

// Ends all processes at once with a message and an exit code, where no collective decision is possible; does nothing if there
// is one process.
void carom_ranks_abandon(carom_status status, const char *message);

// Broadcasts from rank 0 whether to continue; returns the same on all.
bool carom_ranks_go_on(bool go_on);

#endif
