// SPDX-License-Identifier: MIT
// What models need and methods lack. The words of a refusal and the advice in it follow from the tables of the methods: the
// methods that are named take the model as it is, with their default parameters.
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

// A need: its name, what a method without it says of itself, and whether a model has it; `which` takes the words for the first
// thing that has. NULL: `accepts` of the method says.
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
        snprintf(which, WHICH, " such as '%s'", model->bodies[model->rigid.items[0].body].name);
    return model->rigid.count;
}

// Nodes that are glued to a rigid body are points of it.
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
        snprintf(which, WHICH, ", such as '%s'", model->bodies[model->poses.items[0].body].name);
    return model->poses.count;
}

static bool has_history(const carom_model *model, char which[WHICH]) {
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        if (!block->history_size)
            continue;
        snprintf(which, WHICH, ", such as '%s' of body '%s'", block->material->kind.name, model->bodies[block->body].name);
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
    [CAROM_NEED_FRAMES] = {"beams", "cannot turn frames", has_frames},
    [CAROM_NEED_RIGID] = {"rigid bodies", "does not know rigid bodies", has_rigid},
    [CAROM_NEED_TIES] = {"`tied` and `connections`", "knows neither `tied` nor `connections`", has_ties},
    [CAROM_NEED_WINDOWS] = {"restraints with `from`, `until`", "does not let nodes go at a time (restraints with from, until)",
                            has_windows},
    [CAROM_NEED_OBSTACLES] = {"obstacles", "knows no obstacles", has_obstacles},
    [CAROM_NEED_HISTORY] = {"materials with history", "does not know materials with history", has_history},
    [CAROM_NEED_BRANCHES] = {"viscous branches beside a law that flows",
                             "does not know viscous branches beside a law that flows", has_branches},
    [CAROM_NEED_DAMPING] = {"damping", "has no damping", has_damping},
    [CAROM_NEED_STIFFNESS_DAMPING] = {"stiffness damping", "has no stiffness damping", has_stiffness_damping},
    [CAROM_NEED_SCHEDULES] = {"loads and motions that change in time",
                              "takes constant dead loads and constant prescribed velocities only", has_schedules},
    [CAROM_NEED_CONTACT] = {"contact of bodies"},
    [CAROM_NEED_SURFACES] = {"contact of surfaces"},
    [CAROM_NEED_RESTITUTION] = {"restitution below 1"},
    [CAROM_NEED_FRICTION] = {"friction"},
};

const char *carom_need_name(carom_need what) {
    return needs[what].name;
}

// What a method lacks of what the model needs; NULL if nothing. `which` as in the table.
static const carom_lack *find_lack(const carom_integrator *method, const carom_model *model, const void *params,
                                   char which[WHICH]) {
    which[0] = 0;
    for (const carom_lack *lack = method->lacks; lack && lack->need; lack++)
        if (needs[lack->need].find && (!lack->when || lack->when(model, params)) && needs[lack->need].find(model, which))
            return lack;
    return NULL;
}

// True if the method takes the model with its default parameters.
static bool takes(const carom_integrator *method, const carom_model *model) {
    carom_pick pick = {&method->kind, NULL};
    void *params = NULL;
    bool taken = !carom_pick_copy(&pick, &params, NULL) && !carom_integrator_accepts(method, model, params, NULL);
    free(params);
    return taken;
}

// ": use newmark-dcr, asynchronous or energy-momentum", the other methods that take the model.
static void list_takers(const carom_integrator *method, const carom_model *model, carom_text *text) {
    const carom_catalogue *all = carom_integrators();
    const char *names[CAROM_CATALOGUE_MAX];
    int count = 0;
    for (int i = 0; i < all->count; i++)
        if (all->kinds[i] != &method->kind && takes((const carom_integrator *)all->kinds[i], model))
            names[count++] = all->kinds[i]->name;
    for (int i = 0; i < count; i++)
        carom_text_print(text, "%s%s", i == 0 ? ": use " : i + 1 < count ? ", " : " or ", names[i]);
    if (count == 0)
        carom_text_print(text, ", and no other method takes the whole model");
}

carom_status carom_integrator_accepts(const carom_integrator *method, const carom_model *model, const void *params,
                                      carom_error *error) {
    char which[WHICH];
    const carom_lack *lack = find_lack(method, model, params, which);
    if (!lack)
        return method->accepts(model, params, error);
    // a question without an answer in words, as of list_takers
    if (!error)
        return CAROM_BAD_INPUT;
    carom_text text = {0};
    carom_text_print(&text, "%s%s%s %s%s", method->equilibrium ? "a static analysis" : method->kind.name,
                     lack->with ? " with " : "", lack->with ? lack->with : "", needs[lack->need].refusal, which);
    if (lack->instead)
        carom_text_print(&text, ": use %s", lack->instead);
    else
        list_takers(method, model, &text);
    carom_status status =
        text.failed ? carom_no_memory(error, "a message") : carom_fail(error, CAROM_BAD_INPUT, "%s", text.data);
    carom_text_release(&text);
    return status;
}
