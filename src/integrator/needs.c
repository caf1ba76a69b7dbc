// SPDX-License-Identifier: MIT
// Features that models need and methods lack. The refusal of a model and its advice are composed from the tables of the
// methods: the methods that it names support the model as it is, with their default parameters.
#include <stdlib.h>

#include "base/allocate.h"
#include "base/catalogue.h"
#include "carom/integrator.h"
#include "carom/text.h"
#include "element/point_law.h"
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
    [CAROM_NEED_HISTORY] = {"materials with history", "does not support materials with history", has_history},
    [CAROM_NEED_BRANCHES] = {"viscous branches combined with plasticity",
                             "does not support viscous branches combined with plasticity", has_branches},
    [CAROM_NEED_DAMPING] = {"damping", "has no damping", has_damping},
    [CAROM_NEED_STIFFNESS_DAMPING] = {"stiffness damping", "has no stiffness damping", has_stiffness_damping},
    [CAROM_NEED_SCHEDULES] = {"loads and motions that change in time",
                              "supports only constant dead loads and constant prescribed velocities", has_schedules},
    [CAROM_NEED_CONTACT] = {"contact of bodies"},
    [CAROM_NEED_SURFACES] = {"contact of surfaces"},
    [CAROM_NEED_RESTITUTION] = {"restitution below 1"},
    [CAROM_NEED_FRICTION] = {"friction"},
};

const char *carom_need_name(carom_need what) {
    return needs[what].name;
}

// The first need of the model that the method lacks; NULL if there is none. `which` as in the table.
static const carom_lack *find_lack(const carom_integrator *method, const carom_model *model, const void *params,
                                   char which[WHICH]) {
    which[0] = 0;
    for (const carom_lack *lack = method->lacks; lack && lack->need; lack++)
        if (needs[lack->need].find && (!lack->when || lack->when(model, params)) && needs[lack->need].find(model, which))
            return lack;
    return NULL;
}

// True if the method supports the model with its default parameters.
static bool supports(const carom_integrator *method, const carom_model *model) {
    carom_pick pick = {&method->kind, NULL};
    void *params = NULL;
    bool taken = !carom_pick_copy(&pick, &params, NULL) && !carom_integrator_accepts(method, model, params, NULL);
    free(params);
    return taken;
}

// Appends ": use newmark-dcr, asynchronous or energy-momentum", the other methods that support the model.
static void list_supporting_methods(const carom_integrator *method, const carom_model *model, carom_text *text) {
    const carom_catalogue *all = carom_integrators();
    const char *names[CAROM_CATALOGUE_MAX];
    int count = 0;
    for (int i = 0; i < all->count; i++)
        if (all->kinds[i] != &method->kind && supports((const carom_integrator *)all->kinds[i], model))
            names[count++] = all->kinds[i]->name;
    for (int i = 0; i < count; i++)
        carom_text_print(text, "%s%s", i == 0 ? ": use " : i + 1 < count ? ", " : " or ", names[i]);
    if (count == 0)
        carom_text_print(text, ", and no other method supports the whole model");
}

carom_status carom_integrator_accepts(const carom_integrator *method, const carom_model *model, const void *params,
                                      carom_error *error) {
    char which[WHICH];
    const carom_lack *lack = find_lack(method, model, params, which);
    if (!lack)
        return method->accepts(model, params, error);
    // a query that needs no message, as by list_supporting_methods
    if (!error)
        return CAROM_BAD_INPUT;
    carom_text text = {0};
    carom_text_print(&text, "%s%s%s %s%s", method->equilibrium ? "a static analysis" : method->kind.name,
                     lack->with ? " with " : "", lack->with ? lack->with : "", needs[lack->need].refusal, which);
    if (lack->instead)
        carom_text_print(&text, ": use %s", lack->instead);
    else
        list_supporting_methods(method, model, &text);
    carom_status status =
        text.failed ? carom_no_memory(error, "a message") : carom_fail(error, CAROM_BAD_INPUT, "%s", text.data);
    carom_text_release(&text);
    return status;
}
