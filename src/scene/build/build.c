// SPDX-License-Identifier: MIT
// Creates the model of a scene from its definition: restraints and loads are converted to directions and schedules, the model
// is created, and then everything is checked that requires a model: probes, the integrator, the time step.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/peak.h"
#include "math/vec3.h"
#include "model/forces/peaks.h"
#include "model/rigid.h"
#include "output/tables/around.h"
#include "output/tables/probes.h"
#include "scene/expect.h"
#include "scene/scene.h"

// Two unit vectors that span the plane normal to `line`. The axis least aligned with the line ensures a cross product that is
// not zero.
static void across(const double line[3], double first[3], double second[3]) {
    double unit[3] = {line[0], line[1], line[2]};
    carom_normalize(unit);
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(unit[i]) < fabs(unit[least]))
            least = i;
    double axis[3] = {0, 0, 0};
    axis[least] = 1;
    carom_cross(unit, axis, first);
    carom_normalize(first);
    carom_cross(unit, first, second);
}

// The factor of a load or motion over time.
static carom_schedule schedule(double ramp, const carom_list *history) {
    return (carom_schedule){.ramp = ramp, .count = history->count, .points = history->items};
}

// NaN marks a pressure that is not given; the model requires 0.
static carom_load_def load_def(const carom_scene_force *load) {
    carom_load_def def = {
        .where = load->where,
        .pressure = isnan(load->pressure) ? 0 : load->pressure,
        .dead = !load->following,
        .schedule = schedule(load->ramp, &load->history),
    };
    memcpy(def.force, load->force, sizeof def.force);
    memcpy(def.acceleration, load->acceleration, sizeof def.acceleration);
    memcpy(def.traction, load->traction, sizeof def.traction);
    return def;
}

// A restraint is stored as its blocked directions: those given, the normal of `plane`, two directions
// normal to `line`, or the axes of `fix`.
static carom_restraint_def restraint_def(const carom_scene_restraint *restraint) {
    static const double none[3] = {0, 0, 0};
    carom_restraint_def def = {.where = restraint->where, .clamped = restraint->clamped};
    def.from = isnan(restraint->from) ? 0 : restraint->from;
    def.until = isnan(restraint->until) ? 0 : restraint->until;
    memcpy(def.velocity, restraint->velocity, sizeof def.velocity);
    def.schedule = schedule(restraint->ramp, &restraint->history);
    def.motion_count = restraint->velocities.count;
    def.motion = restraint->velocities.items;
    if (restraint->directions.count) {
        def.direction_count = restraint->directions.count;
        memcpy(def.direction, restraint->directions.items, sizeof def.direction);
    } else if (memcmp(restraint->plane, none, sizeof none) != 0) {
        def.direction_count = 1;
        memcpy(def.direction[0], restraint->plane, sizeof def.direction[0]);
    } else if (memcmp(restraint->line, none, sizeof none) != 0) {
        def.direction_count = 2;
        across(restraint->line, def.direction[0], def.direction[1]);
    } else {
        for (int axis = 0; axis < 3; axis++)
            if (strchr(restraint->fix, "xyz"[axis]))
                def.direction[def.direction_count++][axis] = 1;
    }
    return def;
}

// A joint with its motor.
static carom_joint_def joint_def(const carom_scene_joint *joint) {
    carom_joint_def def = joint->joint;
    def.driven = !isnan(joint->speed);
    def.speed = def.driven ? joint->speed : 0;
    def.schedule = schedule(joint->ramp, &joint->history);
    def.from = isnan(joint->from) ? 0 : joint->from;
    def.until = isnan(joint->until) ? 0 : joint->until;
    return def;
}

// True if a gate uses a largest stress or strain, of the model or of a body.
static bool has_peak_gate(const carom_scene_def *def) {
    const carom_scene_gate *gates = def->gates.items;
    for (int i = 0; i < def->gates.count; i++) {
        const char *dot = strrchr(gates[i].name, '.'), *name = dot ? dot + 1 : gates[i].name;
        for (int kind = 0; kind < CAROM_PEAK_KINDS; kind++)
            if (strcmp(name, carom_peak_name((carom_peak_kind)kind)) == 0)
                return true;
    }
    return false;
}

// Fills the definition of the model, with arrays in the arena. False if memory is short.
static bool model_def(carom_scene *scene, const carom_cast *cast, carom_model_def *model) {
    const carom_scene_def *def = &scene->def;
    const carom_scene_restraint *restraints = def->restraints.items;
    carom_restraint_def *restraint_defs = carom_arena_allocate(scene->arena, def->restraints.count, sizeof *restraint_defs);
    const carom_scene_force *loads = def->loads.items;
    int load_count = def->loads.count + scene->added_count;
    carom_load_def *load_defs = carom_arena_allocate(scene->arena, load_count, sizeof *load_defs);
    const carom_scene_joint *joints = def->joints.items;
    carom_joint_def *joint_defs = carom_arena_allocate(scene->arena, def->joints.count, sizeof *joint_defs);
    if (!restraint_defs || !load_defs || !joint_defs)
        return false;
    for (int i = 0; i < def->joints.count; i++)
        joint_defs[i] = joint_def(&joints[i]);
    for (int i = 0; i < def->restraints.count; i++)
        restraint_defs[i] = restraint_def(&restraints[i]);
    for (int i = 0; i < def->loads.count; i++)
        load_defs[i] = load_def(&loads[i]);
    for (int i = 0; i < scene->added_count; i++)
        load_defs[def->loads.count + i] = scene->added[i];

    *model = carom_default_model_def();
    model->body_count = cast->count;
    model->bodies = cast->bodies;
    model->skip_peaks = !def->output.history_peaks && !has_peak_gate(def);
    model->restraint_count = def->restraints.count;
    model->restraints = restraint_defs;
    model->load_count = load_count;
    model->loads = load_defs;
    model->tie_count = def->ties.count;
    model->ties = def->ties.items;
    model->connection_count = def->connections.count;
    model->connections = def->connections.items;
    model->joint_count = def->joints.count;
    model->joints = joint_defs;
    model->spring_count = def->springs.count;
    model->springs = def->springs.items;
    memcpy(model->gravity, def->gravity, sizeof model->gravity);
    model->contact = def->contact;
    model->contact.plane_count = def->planes.count;
    model->contact.planes = def->planes.items;
    model->contact.pair_count = def->pairs.count;
    model->contact.pairs = def->pairs.items;
    return true;
}

// Reports a time step that the run would refuse, at its place in the file.
static void check_time(carom_scene *scene, double stable, const carom_tree *root, carom_report *report) {
    const carom_time_def *time = &scene->def.time;
    carom_place place = carom_scene_place(carom_tree_get(root, "time"), "step");
    // without elastic elements there is no stable step
    double turn = carom_model_turn_step(scene->model);
    if (isnan(time->step) && isinf(stable) && isinf(turn)) {
        carom_report_add(report, place, "time.step", "nothing is elastic, so `auto` has no step to choose; give a number");
        return;
    }
    double step = isnan(time->step) ? fmin(time->safety * stable, turn) : time->step, steps = time->end / step;
    const carom_integrator *method = (const carom_integrator *)scene->def.integrator.kind;
    double bound = stable * carom_integrator_stability(method, scene->def.integrator.params);
    // the tolerance accepts a step printed by carom and typed in again
    if (step > bound * (1 + 1e-9) && time->on_event == CAROM_ON_EVENT_STOP)
        carom_report_add(report, place, "time.step",
                         "%g is larger than the stable step %g (use a smaller one, `auto`, or on_event: warn)", step, bound);
    // beyond 2^53 a time n * step is no longer exact
    if (steps > 9e15)
        carom_report_add(report, place, "time.step", "%g steps of %g to time.end = %g are too many (at most 9e15)%s", steps,
                         step, time->end,
                         isnan(time->step) ? "; the step is that of the model: is a length or a material out of scale?" : "");
}

// Checks that each probe selects at least one node, which needs the model.
static carom_status check_probes(carom_scene *scene, const carom_tree *root, carom_report *report, carom_error *error) {
    const carom_tree *list = carom_tree_get(carom_tree_get(root, "output"), "probes");
    for (int i = 0; i < scene->def.output.probe_count; i++) {
        int *nodes, count;
        carom_error reason;
        carom_status status = carom_model_select(scene->model, &scene->probes[i].where, &nodes, &count, &reason);
        carom_around around = {0};
        if (!status && (scene->probes[i].stress || scene->probes[i].strain))
            status = carom_around_create(scene->model, nodes, count, &around, &reason);
        int body;
        if (!status && carom_probe_is_rigid(&scene->probes[i]))
            status = carom_probe_check_body(scene->model, &scene->probes[i], nodes, count, &body, &reason);
        carom_around_release(&around);
        free(nodes);
        if (status == CAROM_NO_MEMORY)
            return carom_fail(error, status, "%s", reason.message);
        char path[64];
        snprintf(path, sizeof path, "output.probes[%d]", i);
        if (status)
            carom_report_add(report, carom_tree_at(list, i)->place, path, "%s", reason.message);
    }
    return CAROM_OK;
}

// Checks that the model has the fields to be written; the first missing one is reported.
static void check_fields(carom_scene *scene, const carom_tree *root, carom_report *report) {
    const carom_tree *fields = carom_tree_get(carom_tree_get(root, "output"), "fields");
    carom_error reason;
    int wrong;
    if (!carom_output_check_names(&scene->def.output, scene->model, scene->def.integrator.kind, &wrong, &reason))
        return;
    char path[64];
    snprintf(path, sizeof path, "output.fields.names[%d]", wrong);
    carom_report_add(report, carom_tree_at(carom_tree_get(fields, "names"), wrong)->place, path, "%s", reason.message);
}

// "max_von_mises, max_strain": the peaks that some bodies have; empty if there are none.
static void list_peaks(const carom_model *model, const char *body, char *text, size_t size) {
    text[0] = 0;
    for (int kind = 0; kind < CAROM_PEAK_KINDS; kind++) {
        bool has = false;
        for (int b = 0; b < model->body_count; b++)
            has = has || ((!body || carom_body_is_called(&model->bodies[b], body)) &&
                          carom_body_has_peak(model, b, (carom_peak_kind)kind));
        size_t used = strlen(text);
        if (has)
            snprintf(text + used, size - used, "%s%s", used ? ", " : "", carom_peak_name((carom_peak_kind)kind));
    }
}

// Checks that the bodies of gates on a largest stress or strain have it, which needs the model.
static void check_peak_gates(const carom_scene *scene, const carom_tree *root, carom_report *report) {
    const carom_tree *expect = carom_tree_get(root, "expect");
    const carom_scene_gate *gates = scene->def.gates.items;
    for (int i = 0; i < scene->def.gates.count; i++) {
        carom_subject subject;
        bool single = carom_subject_find_peak(gates[i].name, &subject);
        const char *name = single ? strrchr(gates[i].name, '.') + 1 : gates[i].name;
        char has[128];
        int kind = 0;
        while (kind < CAROM_PEAK_KINDS && strcmp(name, carom_peak_name((carom_peak_kind)kind)) != 0)
            kind++;
        list_peaks(scene->model, single ? subject.body : NULL, has, sizeof has);
        if (kind == CAROM_PEAK_KINDS || strstr(has, name))
            continue;
        carom_place place = carom_tree_branch(expect, gates[i].name)->place;
        const char *rest = has[0] ? has : "no stress at all";
        if (single)
            carom_report_add(report, place, "expect", "'%s' has no %s; it has %s", subject.body, name, rest);
        else
            carom_report_add(report, place, "expect", "no body has %s; there is %s", name, rest);
    }
}

// Creates the model; if it is refused, reports the entry at fault.
static carom_status create_model(carom_scene *scene, const carom_tree *root, const carom_mesh *meshes, carom_report *report,
                                 carom_error *error) {
    carom_error reason;
    carom_cast cast;
    carom_model_def def;
    carom_status status = carom_cast_create(scene, meshes, &cast, error);
    if (!status && !model_def(scene, &cast, &def))
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the scene");
    if (!status) {
        carom_status created = carom_model_create(&def, &scene->model, &reason);
        if (created == CAROM_BAD_INPUT)
            carom_scene_blame(&def, cast.entry, root, report);
        else if (created)
            status = carom_fail(error, created, "%s", reason.message);
    }
    carom_cast_release(&cast);
    return status;
}

// True if the method accepts the model with restitution 1; then the fault lies in `restitution` and is
// reported there.
static bool blame_restitution(const carom_scene *scene, const carom_tree *root, const carom_error *reason,
                              carom_report *report) {
    const carom_integrator *method = (const carom_integrator *)scene->def.integrator.kind;
    const carom_tree *contact = carom_tree_get(root, "contact");
    carom_model elastic = *scene->model;
    carom_error other;
    elastic.contact.restitution = 1;
    if (!carom_tree_get(contact, "restitution") ||
        carom_integrator_accepts(method, &elastic, scene->def.integrator.params, &other))
        return false;
    carom_report_add(report, carom_scene_place(contact, "restitution"), "integrator", "%s", reason->message);
    return true;
}

carom_status carom_scene_build(carom_scene *scene, const carom_tree *root, const carom_mesh *meshes, carom_report *report,
                               carom_error *error) {
    carom_error reason;
    carom_status status = create_model(scene, root, meshes, report, error);
    if (status || !scene->model)
        return status;
    status = check_probes(scene, root, report, error);
    if (status)
        return status;
    check_fields(scene, root, report);
    check_peak_gates(scene, root, report);

    const carom_integrator *integrator = (const carom_integrator *)scene->def.integrator.kind;
    // an analysis is treated as an integrator; messages name the key of the file
    const char *method = scene->def.analysis.kind ? "analysis" : "integrator";
    status = integrator->accepts ? carom_integrator_accepts(integrator, scene->model, scene->def.integrator.params, &reason)
                                 : CAROM_OK;
    if (status == CAROM_NO_MEMORY)
        return carom_fail(error, status, "%s", reason.message);
    if (status && !blame_restitution(scene, root, &reason, report))
        carom_report_add(report, carom_scene_place(root, method), method, "%s", reason.message);
    double stable = carom_model_stable_step(scene->model);
    if (isnan(stable))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the stable step");
    if (!scene->def.analysis.kind)
        check_time(scene, stable, root, report);
    carom_scene_check_units(scene, root, report);
    carom_scene_note_edges(scene, root, report);
    return CAROM_OK;
}
