// SPDX-License-Identifier: MIT
// Decides whether `carom run --resume` continues the run of a directory, has nothing to do because that run is complete, or is
// refused because the complete run is another one.
#include "app/run/finished.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "app/message.h"
#include "app/result.h"
#include "app/verdicts.h"

bool carom_has_checkpoint(const char *directory) {
    char path[CAROM_TEXT_MAX + 32];
    struct stat info;
    snprintf(path, sizeof path, "%s/checkpoint.carom", directory);
    return stat(path, &info) == 0;
}

// True if the gates are those of the result. Changed gates would need values that may not be in the summary.
static bool same_gates(const carom_result *result, const carom_scene *scene, const carom_sim *sim) {
    static const carom_summary nothing;
    if (carom_scene_expectation_count(scene) != result->verdict_count)
        return false;
    for (int i = 0; i < result->verdict_count; i++) {
        // only name and condition are used
        carom_verdict gate = carom_scene_judge(scene, i, sim, &nothing);
        if (strcmp(gate.name, result->verdicts[i].name) != 0 || strcmp(gate.condition, result->verdicts[i].condition) != 0)
            return false;
    }
    return true;
}

// How this run differs from the complete one; NULL if it does not.
static const char *difference(const carom_result *result, const carom_scene *scene, const carom_sim *sim) {
    char hash[32];
    snprintf(hash, sizeof hash, "0x%016" PRIx64, carom_model_hash(carom_sim_model(sim)));
    // from the largest difference to the smallest: the first one is reported
    if (strcmp(hash, result->model_hash) != 0)
        return "another model (bodies, loads, restraints or contact)";
    if (strcmp(carom_sim_integrator(sim)->name, result->integrator) != 0)
        return "another integrator";
    if (carom_sim_step_size(sim) != result->step_size)
        return "another time step";
    return same_gates(result, scene, sim) ? NULL : "other gates in `expect:`";
}

static int compare(const char *directory, const carom_result *result, const carom_scene *scene, const carom_sim *sim,
                   int attempt, bool quiet) {
    const char *other = difference(result, scene, sim);
    if (other)
        return carom_refuse("cannot resume: the run in %s is complete and had %s (run without --resume to replace it)",
                            directory, other);
    int64_t steps = carom_sim_step_count(sim);
    // the same run with a later end, for which no state was kept
    if (steps > result->summary.steps)
        return carom_refuse("cannot resume: the run in %s is complete at time %g and kept no checkpoint to go on from "
                            "(output.checkpoint.every keeps one)",
                            directory, result->summary.last.time);
    if (steps < result->summary.steps)
        return carom_refuse("cannot resume: the run in %s has reached time %g, which is later than time.end", directory,
                            result->summary.last.time);
    // with on_event: stop a complete run has these events only from the checks at its end
    bool stops = carom_scene_time(scene)->on_event == CAROM_ON_EVENT_STOP;
    bool open = result->summary.events[CAROM_EVENT_UNBALANCED] > 0;
    if (carom_sim_retries(sim, attempt, &result->summary, &(carom_error){.status = CAROM_NUMERICAL}))
        return CAROM_RUN_ANOTHER;
    if (stops && (open || result->summary.events[CAROM_EVENT_CONTACT_MISSED] > 0)) {
        carom_say_error("nothing to do: the run in %s is complete, and %s", directory,
                        open ? "its ledger does not balance at the end" : "surfaces intersect in it");
        return CAROM_EXIT_NUMERICAL;
    }
    if (!quiet)
        printf("nothing to do: the run in %s is complete\n", directory);
    return carom_verdicts_failed(result->verdicts, result->verdict_count) > 0 ? CAROM_EXIT_GATE : CAROM_EXIT_DONE;
}

int carom_finished_before(const char *directory, const carom_scene *scene, const carom_sim *sim, int attempt, bool quiet) {
    carom_result result;
    // with a checkpoint the run is resumed, even if it was complete: its end may have been changed
    if (carom_has_checkpoint(directory) || !carom_result_read(directory, &result, NULL))
        return CAROM_RUN_NEEDED;
    int code = result.completed ? compare(directory, &result, scene, sim, attempt, quiet) : CAROM_RUN_NEEDED;
    carom_result_release(&result);
    return code;
}
