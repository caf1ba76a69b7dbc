// SPDX-License-Identifier: MIT
// The last resort. Ranks agree upon what fails wherever that can be foreseen. Lack of memory can strike one of them anywhere,
// in the midst of what all do together: the others then wait for an answer that does not come. Such a rank ends all of them,
// with a message; files are as a killed run leaves them, and the last checkpoint is whole.
#ifndef CAROM_PARALLEL_INSIST_H
#define CAROM_PARALLEL_INSIST_H

#include "parallel/parallel.h"

// Stands where a function that all ranks have called comes back. Ends all ranks if memory is short on this one and the last
// agreement was none upon a failure; returns the status otherwise. Not collective.
carom_status carom_parallel_insist(carom_status status, const carom_error *error);

#endif
