// SPDX-License-Identifier: MIT
// Ends all ranks as a last resort. Ranks agree upon a failure wherever it can be foreseen. But memory may be short on one of
// them within a collective operation, and then the others would wait forever. Such a rank ends all of them, with a message;
// files are left as by a killed run, and the last checkpoint is complete.
#ifndef CAROM_PARALLEL_INSIST_H
#define CAROM_PARALLEL_INSIST_H

#include "parallel/parallel.h"

// To be called after a collective function has returned. Ends all ranks if memory is short on this one and the last agreement
// was not a failure; otherwise returns the status. Not collective.
carom_status carom_parallel_insist(carom_status status, const carom_error *error);

#endif
