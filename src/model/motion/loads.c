// SPDX-License-Identifier: MIT
// Builds the loads of a model and evaluates those that change. Constant dead loads (forces fixed in time and direction) are
// summed into one array of forces. All others are evaluated at each kick, in the order of the loads, faces and nodes, by one
// thread: there are few faces compared with elements, and the sums have one order.
#include "model/motion/loads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "math/vec3.h"

// Number of nodes above which threads are faster: 2 ns per node, against some 20 us to start a thread group.
enum { SHARED_NODES = 16384 };

static carom_status check(const carom_load_def *load, carom_error *error) {
    char owner[CAROM_NAME_MAX + 32];
    snprintf(owner, sizeof owner, "load on body '%s'", load->where.body);
    // NaN and infinity from a program would spread over the whole model within one step.
    bool finite = isfinite(load->pressure);
    for (int i = 0; i < 3; i++)
        finite = finite && isfinite(load->force[i]) && isfinite(load->acceleration[i]) && isfinite(load->traction[i]);
    if (!finite)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: it is not finite", owner);
    return carom_schedule_check(&load->schedule, owner, error);
}

static bool acts_on_faces(const carom_load_def *load) {
    return carom_norm(load->traction) > 0 || load->pressure != 0;
}

// A pressure acts along the current normals of its faces unless it is declared dead.
static bool is_following(const carom_load_def *load) {
    return load->pressure != 0 && !load->dead;
}

// Adds the dead forces of a load, for a load factor of 1, to an array over all nodes.
static carom_status add_dead(const carom_model *model, const carom_load_def *load, const carom_load_face *faces, int face_count,
                             double (*force)[3], carom_error *error) {
    if (carom_norm(load->force) > 0 || carom_norm(load->acceleration) > 0) {
        // Forces and accelerations act on nodes, tractions and pressures on faces: one definition may give both.
        int *nodes, count;
        carom_status status = carom_model_select(model, &load->where, &nodes, &count, error);
        if (status)
            return status;
        for (int i = 0; i < count; i++) {
            // A force is distributed evenly among the nodes, an acceleration by their masses.
            carom_add_scaled(1.0 / count, load->force, force[nodes[i]]);
            carom_add_scaled(model->mass[nodes[i]], load->acceleration, force[nodes[i]]);
        }
        free(nodes);
    }
    const double(*X)[3] = (carom_const_vectors)model->X;
    for (int f = 0; f < face_count; f++) {
        double area[4] = {0}, normal[4][3] = {{0}};
        carom_load_face_areas(&faces[f], X, area);
        // A dead pressure acts along the normals of the reference.
        if (load->dead)
            carom_load_face_normals(&faces[f], X, normal);
        for (int a = 0; a < 4 && faces[f].nodes[a] >= 0; a++) {
            carom_add_scaled(area[a], load->traction, force[faces[f].nodes[a]]);
            carom_add_scaled(-load->pressure, normal[a], force[faces[f].nodes[a]]);
        }
    }
    return CAROM_OK;
}

// Adds a live load: its dead part on the nodes that have one, and its pressure on faces. `force` is scratch.
static carom_status add_live(carom_model *model, const carom_load_def *load, const carom_load_face *faces, int face_count,
                             double (*force)[3], carom_error *error) {
    carom_live_load *live = &model->live.items[model->live.count++];
    // Scratch of all nodes; the load itself stores only those it acts on.
    memset(force, 0, (size_t)model->node_count * sizeof *force);
    carom_status status = add_dead(model, load, faces, face_count, force, error);
    if (status)
        return status;
    for (int k = 0; k < model->node_count; k++)
        // First counted, then filled: the arena does not grow arrays.
        live->node_count += carom_norm(force[k]) > 0;
    live->nodes = carom_arena_allocate(model->arena, live->node_count, sizeof *live->nodes);
    live->force = carom_arena_allocate(model->arena, live->node_count, sizeof *live->force);
    if (!live->nodes || !live->force || !carom_schedule_copy(model->arena, &load->schedule, &live->schedule))
        return carom_no_memory(error, "the loads");
    for (int k = 0, i = 0; k < model->node_count; k++) {
        if (!(carom_norm(force[k]) > 0))
            continue;
        live->nodes[i] = k;
        carom_copy(force[k], live->force[i++]);
    }
    if (!is_following(load))
        return CAROM_OK;
    // Pressure is evaluated on the faces at the positions of each kick.
    live->pressure = load->pressure;
    live->face_count = face_count;
    live->faces = carom_arena_copy(model->arena, faces, (size_t)face_count * sizeof *faces);
    return live->faces ? CAROM_OK : carom_no_memory(error, "the loads");
}

// Adds a force given by a function of the program, and the nodes that it may act on.
static carom_status add_function(carom_model *model, const carom_load_def *load, carom_error *error) {
    carom_live_load *live = &model->live.items[model->live.count++];
    int *nodes;
    carom_status status = carom_model_select(model, &load->where, &nodes, &live->node_count, error);
    if (status)
        return status;
    live->nodes = carom_arena_copy(model->arena, nodes, (size_t)live->node_count * sizeof *nodes);
    live->force = carom_arena_allocate(model->arena, live->node_count, sizeof *live->force);
    free(nodes);
    if (!live->nodes || !live->force || !carom_schedule_copy(model->arena, &load->schedule, &live->schedule))
        return carom_no_memory(error, "the loads");
    live->function = load->function;
    live->array_function = load->array_function;
    live->context = load->context;
    // a selection names one body, or an array of copies of one body
    if (live->node_count) {
        const carom_body *body = &model->bodies[carom_model_node_body(model, live->nodes[0])];
        live->plane = body->block_count && model->blocks[body->block_begin].element->plane;
    }
    return CAROM_OK;
}

static carom_status add_load(carom_model *model, const carom_model_def *def, const carom_load_def *load, double (*force)[3],
                             carom_error *error) {
    carom_load_face *faces = NULL;
    int face_count = 0;
    carom_status status = check(load, error);
    if (!status && acts_on_faces(load))
        status = carom_model_select_faces(model, def, &load->where, &faces, &face_count, error);
    // Constant and dead: summed once into one array.
    if (!status && carom_schedule_is_constant(&load->schedule) && !is_following(load))
        status = add_dead(model, load, faces, face_count, model->load, error);
    else if (!status)
        status = add_live(model, load, faces, face_count, force, error);
    free(faces);
    if (!status && load->function && load->array_function)
        status = carom_fail(error, CAROM_BAD_INPUT, "load on body '%s': it has two functions, expected one", load->where.body);
    if (!status && (load->function || load->array_function))
        status = add_function(model, load, error);
    return status;
}

carom_status carom_model_survey_live(carom_model *model, carom_error *error) {
    carom_live_loads *live = &model->live;
    if (live->count == 0)
        return CAROM_OK;
    bool *reached = carom_arena_allocate(model->arena, model->node_count, sizeof *reached);
    if (!reached)
        return carom_no_memory(error, "the loads");
    for (int l = 0; l < live->count; l++) {
        const carom_live_load *load = &live->items[l];
        for (int i = 0; i < load->node_count; i++)
            // A node with several loads is listed once, so that it is cleared once per evaluation.
            reached[load->nodes[i]] = true;
        for (int f = 0; f < load->face_count; f++)
            for (int a = 0; a < 4 && load->faces[f].nodes[a] >= 0; a++)
                reached[load->faces[f].nodes[a]] = true;
    }
    for (int k = 0; k < model->node_count; k++)
        live->node_count += reached[k];
    live->nodes = carom_arena_allocate(model->arena, live->node_count, sizeof *live->nodes);
    if (!live->nodes)
        return carom_no_memory(error, "the loads");
    for (int k = 0, i = 0; k < model->node_count; k++)
        if (reached[k])
            live->nodes[i++] = k;
    return CAROM_OK;
}

carom_status carom_model_add_loads(carom_model *model, const carom_model_def *def, carom_error *error) {
    for (int i = 0; i < 3; i++)
        if (!isfinite(def->gravity[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "gravity is not finite");
    // Gravity acts by mass, and is a dead load.
    for (int k = 0; k < model->node_count; k++)
        if (model->mass[k] > CAROM_MASSLESS)
            carom_add_scaled(model->mass[k], def->gravity, model->load[k]);
    if (def->load_count) {
        double(*force)[3] = carom_arena_allocate(model->arena, model->node_count, sizeof *force);
        // a definition with both live forces or pressures and a function makes two live loads
        model->live.items = carom_arena_allocate(model->arena, 2 * (int64_t)def->load_count, sizeof *model->live.items);
        if (!force || !model->live.items)
            return carom_no_memory(error, "the loads");
        for (int l = 0; l < def->load_count; l++) {
            const char *name = def->loads[l].where.body;
            for (int b = 0; b < model->body_count; b++)
                if (carom_poses_has(&model->poses, b) && carom_body_is_called(&model->bodies[b], name))
                    return carom_fail(error, CAROM_BAD_INPUT,
                                      "body '%s' is an obstacle: loads have no effect on it; "
                                      "drive it by `velocity` or `path`, or make it `rigid`",
                                      model->bodies[b].name);
            carom_status status = add_load(model, def, &def->loads[l], force, error);
            if (status)
                return status;
        }
    }
    for (int k = 0; k < model->node_count; k++)
        model->loaded = model->loaded || carom_norm(model->load[k]) > 0;
    return carom_model_survey_live(model, error);
}

// The force of a load function on node number i of the load. A plane body has no stiffness along z.
static void call(const carom_live_load *item, int i, double time, const double (*x)[3], double force[3]) {
    force[0] = force[1] = force[2] = 0;
    item->function(item->context, time, item->nodes[i], x, force);
    if (item->plane)
        force[2] = 0;
}

// Adds the forces of a load function on all nodes of the load to the array of all nodes.
static void call_for_all(const carom_live_load *item, double factor, double time, const double (*x)[3], double (*load)[3]) {
    item->array_function(item->context, time, factor, item->node_count, item->nodes, x, load);
    for (int i = 0; item->plane && i < item->node_count; i++)
        load[item->nodes[i]][2] = 0;
}

void carom_live_load_add(const carom_live_load *item, double factor, double time, const double (*x)[3], double (*load)[3]) {
    if (item->array_function) {
        call_for_all(item, factor, time, x, load);
        return;
    }
    for (int i = 0; i < item->node_count; i++) {
        double own[3];
        if (item->function)
            call(item, i, time, x, own);
        carom_add_scaled(factor, item->function ? own : item->force[i], load[item->nodes[i]]);
    }
    // With a factor of zero the geometry is not evaluated.
    for (int f = 0; f < item->face_count && factor != 0; f++) {
        const carom_load_face *face = &item->faces[f];
        double normal[4][3] = {{0}};
        carom_load_face_normals(face, x, normal);
        for (int a = 0; a < 4 && face->nodes[a] >= 0; a++)
            carom_add_scaled(-factor * item->pressure, normal[a], load[face->nodes[a]]);
    }
}

void carom_model_live_load(const carom_model *model, double time, const double (*x)[3], double (*load)[3]) {
    const carom_live_loads *live = &model->live;
    for (int i = 0; i < live->node_count; i++)
        // Only the nodes of live loads are cleared; others are unchanged.
        load[live->nodes[i]][0] = load[live->nodes[i]][1] = load[live->nodes[i]][2] = 0;
    for (int l = 0; l < live->count; l++)
        carom_live_load_add(&live->items[l], carom_schedule_factor(&live->items[l].schedule, time), time, x, load);
}

// Adds the sizes of the forces of an array function. They only set a scale, so that they may be omitted if memory is short.
static void add_array_sizes(const carom_model *model, const carom_live_load *item, double peak, double time, double *size) {
    double(*force)[3] = carom_allocate(model->node_count, sizeof *force);
    if (force)
        call_for_all(item, peak, time, (carom_const_vectors)model->X, force);
    for (int i = 0; force && i < item->node_count; i++)
        size[item->nodes[i]] += carom_norm(force[item->nodes[i]]);
    free(force);
}

void carom_model_load_sizes(const carom_model *model, double time, double *size) {
#pragma omp parallel for schedule(static) if (model->node_count > SHARED_NODES)
    for (int k = 0; k < model->node_count; k++)
        size[k] = carom_norm(model->load[k]);
    for (int l = 0; l < model->live.count; l++) {
        const carom_live_load *load = &model->live.items[l];
        // The largest factor from the start up to this time.
        double peak = carom_schedule_peak(&load->schedule, time);
        if (load->array_function) {
            add_array_sizes(model, load, peak, time, size);
            continue;
        }
        for (int i = 0; i < load->node_count; i++) {
            // only one value of a function is known; it is a scale, not a bound
            double own[3];
            if (load->function)
                call(load, i, time, (carom_const_vectors)model->X, own);
            size[load->nodes[i]] += peak * carom_norm(load->function ? own : load->force[i]);
        }
        for (int f = 0; f < load->face_count; f++) {
            double area[4] = {0};
            carom_load_face_areas(&load->faces[f], (carom_const_vectors)model->X, area);
            for (int a = 0; a < 4 && load->faces[f].nodes[a] >= 0; a++)
                size[load->faces[f].nodes[a]] += peak * fabs(load->pressure) * area[a];
        }
    }
}

uint64_t carom_live_loads_hash(uint64_t h, const carom_live_loads *live) {
    for (int l = 0; l < live->count; l++) {
        const carom_live_load *item = &live->items[l];
        h = carom_schedule_hash(h, &item->schedule);
        h = carom_hash(h, item->nodes, (size_t)item->node_count * sizeof *item->nodes);
        h = carom_hash(h, item->force, (size_t)item->node_count * sizeof *item->force);
        h = carom_hash(h, &item->pressure, sizeof item->pressure);
        for (int f = 0; f < item->face_count; f++) {
            h = carom_hash(h, item->faces[f].nodes, sizeof item->faces[f].nodes);
            h = carom_hash(h, &item->faces[f].thickness, sizeof item->faces[f].thickness);
        }
    }
    return h;
}
