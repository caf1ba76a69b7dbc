// SPDX-License-Identifier: MIT
// Decides whether a method can run a model: features that models need and that methods, several processes or a device lack. The
// refusal of a model and its advice are composed from the tables of these: the methods that it names support the model as it
// is, with their default parameters.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/catalogue.h"
#include "carom/integrator.h"
#include "carom/text.h"
#include "device/device.h"
#include "element/point_law.h"
#include "integrator/engines.h"
#include "integrator/stepper.h"
#include "material/material.h"
#include "model/model.h"
#include "model/motion/damping.h"

enum { WHICH = 3 * CAROM_NAME_MAX };

// A need: its name, the predicate of the refusal, and a function that returns whether a model has it; this writes a phrase for
// the first such item to `which`. NULL: `accepts` of the method decides.
typedef struct need {
    const char *name, *refusal;
    bool (*find)(const carom_model *model, char which[WHICH]);
} need;

static bool has_frames(const carom_model *model, char which[WHICH]) {
    (void)which;
    return model->R;
}

static bool has_rigid(const carom_model *model, char which[WHICH]) {
    if (model->rigid.count)
        snprintf(which, WHICH, " (body '%s')", model->bodies[model->rigid.items[0].body].name);
    return model->rigid.count;
}

// Nodes tied to a rigid body are points of it, and need no support for ties.
static bool has_ties(const carom_model *model, char which[WHICH]) {
    (void)which;
    return carom_ties_any(&model->ties);
}

static bool has_windows(const carom_model *model, char which[WHICH]) {
    (void)which;
    return model->windows.count;
}

static bool has_obstacles(const carom_model *model, char which[WHICH]) {
    if (model->poses.count)
        snprintf(which, WHICH, " (body '%s')", model->bodies[model->poses.items[0].body].name);
    return model->poses.count;
}

static bool has_history(const carom_model *model, char which[WHICH]) {
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        if (!block->history_size)
            continue;
        snprintf(which, WHICH, " ('%s' of body '%s')", block->material->kind.name, model->bodies[block->body].name);
        return true;
    }
    return false;
}

static bool has_branches(const carom_model *model, char which[WHICH]) {
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        if (!carom_block_flows(block) || !block->material->inelastic->relaxation)
            continue;
        snprintf(which, WHICH, " ('%s' of body '%s')", block->material->kind.name, model->bodies[block->body].name);
        return true;
    }
    return false;
}

static bool has_damping(const carom_model *model, char which[WHICH]) {
    (void)which;
    return model->damped;
}

static bool has_stiffness_damping(const carom_model *model, char which[WHICH]) {
    (void)which;
    return carom_model_is_viscous(model);
}

static bool has_schedules(const carom_model *model, char which[WHICH]) {
    (void)which;
    return model->live.count > 0 || model->drives.of_restraint;
}

static const need needs[CAROM_NEED_COUNT] = {
    [CAROM_NEED_FRAMES] = {"beams", "does not support beams (rotational degrees of freedom)", has_frames},
    [CAROM_NEED_RIGID] = {"rigid bodies", "does not support rigid bodies", has_rigid},
    [CAROM_NEED_TIES] = {"`tied` and `connections`", "supports neither `tied` nor `connections`", has_ties},
    [CAROM_NEED_WINDOWS] = {"restraints with `from`, `until`", "does not support time-limited restraints (`from`, `until`)",
                            has_windows},
    [CAROM_NEED_OBSTACLES] = {"obstacles", "does not support obstacles", has_obstacles},
    [CAROM_NEED_HISTORY] = {"plasticity and viscosity", "does not support plasticity or viscosity", has_history},
    [CAROM_NEED_BRANCHES] = {"viscous branches combined with plasticity",
                             "does not support viscous branches combined with plasticity", has_branches},
    [CAROM_NEED_DAMPING] = {"damping", "has no damping", has_damping},
    [CAROM_NEED_STIFFNESS_DAMPING] = {"stiffness damping", "has no stiffness damping", has_stiffness_damping},
    [CAROM_NEED_SCHEDULES] = {"loads and motions that change in time",
                              "supports only constant dead loads and constant prescribed velocities", has_schedules},
    [CAROM_NEED_CONTACT] = {"contact of bodies", "does not support contact of bodies"},
    [CAROM_NEED_SURFACES] = {"contact of surfaces"},
    [CAROM_NEED_RESTITUTION] = {"restitution below 1"},
    [CAROM_NEED_FRICTION] = {"friction"},
};

const char *carom_need_name(carom_need what) {
    return needs[what].name;
}

// Projection moves nodes of several processes.
static bool is_projected(const carom_model *model, const void *params) {
    (void)params;
    return model->contact.resolve == CAROM_RESOLVE_PROJECTION;
}

// What several processes lack if each has a part of the model.
static const carom_lack lacks_of_parts[] = {
    {CAROM_NEED_FRAMES},
    // an impact moves all nodes of a body
    {CAROM_NEED_RIGID},
    {CAROM_NEED_TIES},
    {CAROM_NEED_WINDOWS},
    {CAROM_NEED_OBSTACLES},
    {CAROM_NEED_CONTACT, "contact.resolve: projection", is_projected, "contact.resolve: exact"},
    {CAROM_NEED_NONE},
};
// The same if each has the whole model, which is sent without these.
static const carom_lack lacks_of_solver[] = {{CAROM_NEED_WINDOWS}, {CAROM_NEED_OBSTACLES}, {CAROM_NEED_NONE}};

static const carom_lack *const lacks_of_ranks[] = {
    [CAROM_SHARES_NOTHING] = NULL, [CAROM_SHARES_PARTS] = lacks_of_parts, [CAROM_SHARES_SOLVER] = lacks_of_solver};

// Where an engine runs a model, what is said of a method that it does not run, and what helps in each case; NULL: nothing.
static const struct {
    const char *where, *refusal, *remedy;
} engines[CAROM_ENGINE_COUNT] = {
    [CAROM_ENGINE_THREADS] = {""},
    [CAROM_ENGINE_RANKS] = {"on several processes", "runs on one process", "remove --ranks"},
    [CAROM_ENGINE_DEVICE] = {"on a device", "is not on the device yet"},
};

const char *carom_engine_words(carom_engine engine) {
    return engines[engine].where;
}

const carom_lack *carom_engine_lacks(carom_engine engine, const carom_integrator *method) {
    return engine == CAROM_ENGINE_RANKS ? lacks_of_ranks[method->sharing] : NULL;
}

bool carom_engine_runs(carom_engine engine, const carom_integrator *method) {
    return engine == CAROM_ENGINE_THREADS || (engine == CAROM_ENGINE_DEVICE ? method->device : method->sharing != 0);
}

// The first row that holds for the model; NULL if there is none. A row without a condition, of a need that cannot be found in a
// model, is left to `accepts` of the method. `which` as in the table.
static const carom_lack *find_lack(const carom_lack *lack, const carom_model *model, const void *params, char which[WHICH]) {
    which[0] = 0;
    for (; lack && lack->need; lack++)
        if ((needs[lack->need].find || lack->when) && (!lack->when || lack->when(model, params)) &&
            (!needs[lack->need].find || needs[lack->need].find(model, which)))
            return lack;
    return NULL;
}

// True if the method supports the model with its default parameters.
static bool supports(carom_engine engine, const carom_integrator *method, const carom_model *model) {
    carom_pick pick = {&method->kind, NULL};
    void *params = NULL;
    bool taken = !carom_pick_copy(&pick, &params, NULL) && !carom_engine_accepts(engine, method, model, params, NULL);
    free(params);
    return taken;
}

// Appends "newmark-dcr, asynchronous or energy-momentum", the other methods that support the model; returns their number.
static int list_supporting_methods(const carom_advice *advice, carom_text *text) {
    const carom_catalogue *all = carom_integrators();
    const char *names[CAROM_CATALOGUE_MAX];
    int count = 0;
    for (int i = 0; i < all->count; i++)
        if (all->kinds[i] != &advice->method->kind &&
            supports(advice->engine, (const carom_integrator *)all->kinds[i], advice->model))
            names[count++] = all->kinds[i]->name;
    for (int i = 0; i < count; i++)
        carom_text_print(text, "%s%s", i == 0 ? ": use " : i + 1 < count ? ", " : " or ", names[i]);
    return count;
}

carom_status carom_refuse_model(const carom_advice *advice, carom_error *error, const char *format, ...) {
    // a query that needs no message, as by list_supporting_methods
    if (!error)
        return CAROM_BAD_INPUT;
    carom_error message;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message.message, sizeof message.message, format, arguments);
    va_end(arguments);
    carom_text text = {0};
    carom_text_print(&text, "%s", message.message);
    const char *where = engines[advice->engine].where;
    bool any = advice->instead;
    if (any)
        carom_text_print(&text, ": set %s", advice->instead);
    else
        any = list_supporting_methods(advice, &text);
    if (advice->remedy)
        carom_text_print(&text, "%s%s", any ? ", or " : ": ", advice->remedy);
    else if (!any)
        carom_text_print(&text, ", and no other method supports the whole model%s%s", *where ? " " : "", where);
    carom_status status =
        text.failed ? carom_no_memory(error, "a message") : carom_fail(error, CAROM_BAD_INPUT, "%s", text.data);
    carom_text_release(&text);
    return status;
}

// CAROM_BAD_INPUT if the model has one of the lacks of a method, or of an engine.
static carom_status refuse_lacks(const carom_lack *lacks, carom_advice advice, const void *params, carom_error *error) {
    char which[WHICH];
    const carom_lack *lack = find_lack(lacks, advice.model, params, which);
    if (!lack)
        return CAROM_OK;
    const char *where = engines[advice.engine].where;
    if (lack->instead && strncmp(lack->instead, "or ", 3) == 0)
        advice.remedy = lack->instead + 3;
    else
        advice.instead = lack->instead;
    return carom_refuse_model(
        &advice, error, "%s%s%s %s%s%s%s", advice.method->equilibrium ? "a static analysis" : advice.method->kind.name,
        lack->with ? " with " : "", lack->with ? lack->with : "", needs[lack->need].refusal, which, *where ? " " : "", where);
}

carom_status carom_integrator_accepts(const carom_integrator *method, const carom_model *model, const void *params,
                                      carom_error *error) {
    carom_advice advice = {.method = method, .model = model};
    carom_status status = refuse_lacks(method->lacks, advice, params, error);
    return status ? status : method->accepts(model, params, error);
}

carom_status carom_engine_accepts(carom_engine engine, const carom_integrator *method, const carom_model *model,
                                  const void *params, carom_error *error) {
    carom_advice advice = {engine, method, model, NULL, engines[engine].remedy};
    if (!carom_engine_runs(engine, method))
        return carom_refuse_model(&advice, error, "%s %s", method->kind.name, engines[engine].refusal);
    carom_status status = carom_integrator_accepts(method, model, params, error);
    if (!status)
        status = refuse_lacks(carom_engine_lacks(engine, method), advice, params, error);
    return !status && engine == CAROM_ENGINE_DEVICE ? carom_device_accepts(model, error) : status;
}
