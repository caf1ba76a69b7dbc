// SPDX-License-Identifier: MIT
// The number of threads of a command, and how waiting threads behave.
#include "app/threads.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/message.h"
#include "carom/parallel.h"
#include "carom/threads.h"

// Beyond any machine; a larger number is a typing error.
enum { THREADS_MAX = 1024 };

// Uses all threads of the machine, divided by the number of processes on it.
static void set_share(void) {
    carom_set_threads(0);
    int threads = carom_threads() / carom_parallel_neighbours();
    carom_set_threads(threads > 1 ? threads : 1);
}

int carom_set_threads_option(const carom_arguments *arguments) {
    int64_t threads = -1;
    if (!carom_arguments_whole(arguments, "threads", 0, THREADS_MAX, &threads))
        return CAROM_EXIT_INPUT;
    // a job script that sets OMP_NUM_THREADS has divided the machine already
    bool shares = threads == 0 || (threads < 0 && carom_parallel_neighbours() > 1 && !getenv("OMP_NUM_THREADS"));
    if (threads > 0)
        carom_set_threads((int)threads);
    else if (shares)
        set_share();
    return CAROM_EXIT_DONE;
}

bool carom_threads_are_fixed(void) {
    const char *text = getenv("CAROM_THREADS");
    bool fixed = text && strcmp(text, "fixed") == 0;
    if (text && !fixed && text[0])
        carom_say_note("CAROM_THREADS=%s is ignored: the only value is 'fixed'; --threads sets a number", text);
    return fixed;
}

// Threads of OpenMP that wait for others spin for a while. On a machine with other load, spinning threads occupy the
// processor of the thread that they wait for: two threads then take ten times the processor time of one. The runtime reads its
// settings when the program is loaded, before main(), so the program executes itself again with a short spin.
void carom_threads_yield(char **argv) {
    static const char *const settings[] = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (getenv(settings[i]))
            return;
    // A spin of a thousand iterations, some microseconds, is sufficient for the short loops of small models.
    if (setenv("OMP_WAIT_POLICY", "passive", 1) == 0 && setenv("GOMP_SPINCOUNT", "1000", 1) == 0)
        execv("/proc/self/exe", argv);
    // If this fails, the settings of the runtime are used.
}
