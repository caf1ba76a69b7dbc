// SPDX-License-Identifier: MIT
// Engines, which run a method (an integrator): threads of one process, several processes, or a device; the features that each
// lacks, and refusals of a model with advice.
#ifndef CAROM_INTEGRATOR_ENGINES_H
#define CAROM_INTEGRATOR_ENGINES_H

#include "carom/integrator.h"

typedef enum carom_engine {
    CAROM_ENGINE_THREADS, // of one process: lacks nothing
    CAROM_ENGINE_RANKS,   // several processes
    CAROM_ENGINE_DEVICE,  // forces by a device
    CAROM_ENGINE_COUNT
} carom_engine;

// "on several processes"
const char *carom_engine_words(carom_engine engine);
// What the engine lacks for that method, in addition to the lacks of the method; ends with CAROM_NEED_NONE. NULL: nothing, or
// it does not run the method.
const carom_lack *carom_engine_lacks(carom_engine engine, const carom_integrator *method);
// True if it runs the method.
bool carom_engine_runs(carom_engine engine, const carom_integrator *method);
// As carom_integrator_accepts, for a run by that engine.
carom_status carom_engine_accepts(carom_engine engine, const carom_integrator *method, const carom_model *model,
                                  const void *params, carom_error *error);

// The end of a refusal: ": set `instead`, or `remedy`". Both may be NULL; without `instead` these are the other methods that
// support the model with their default parameters.
typedef struct carom_advice {
    carom_engine engine;
    const carom_integrator *method;
    const carom_model *model;
    const char *instead, *remedy;
} carom_advice;

// Fails with CAROM_BAD_INPUT, the message, and the advice.
carom_status carom_refuse_model(const carom_advice *advice, carom_error *error, const char *format, ...) CAROM_PRINTF(3, 4);

#endif
