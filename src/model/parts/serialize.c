// SPDX-License-Identifier: MIT
// Serialises models to send them to other processes: one traversal counts, writes or reads their bytes (byte_walk.h). Structs
// with padding or pointers are traversed field by field, others as arrays. Data that depend on the blocks only (gather lists,
// chunks and tiles) are rebuilt after reading.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/param.h"
#include "carom/material.h"
#include "element/element.h"
#include "model/parts/byte_walk.h"
#include "model/parts/extract.h"

#define FIELD CAROM_BYTE_WALK_FIELD
#define ARRAY CAROM_BYTE_WALK_ARRAY
#define BUFFER CAROM_BYTE_WALK_BUFFER

static const char magic[] = "carom model 1";

// Sent as arrays: they have no padding.
_Static_assert(sizeof(carom_contact) == 14 * sizeof(int) + 16 * sizeof(double), "carom_contact has padding");
_Static_assert(sizeof(carom_load_face) == 4 * sizeof(int) + sizeof(double), "carom_load_face has padding");
_Static_assert(sizeof(carom_damping) == 2 * sizeof(double), "carom_damping has padding");

static bool is_good(const carom_byte_walk *p) {
    return !p->status;
}

// The last entry of a list of offsets.
static int last_of(const carom_byte_walk *p, const int *begin, int count) {
    return is_good(p) && begin && count >= 0 ? begin[count] : 0;
}

static void walk_nodes(carom_byte_walk *p, carom_model *m) {
    FIELD(p, m->node_count);
    ARRAY(p, m->X, m->node_count);
    ARRAY(p, m->mass, m->node_count);
    ARRAY(p, m->v0, m->node_count);
    ARRAY(p, m->R, m->node_count);
    ARRAY(p, m->inertia, m->node_count);
    ARRAY(p, m->spin0, m->node_count);
    ARRAY(p, m->load, m->node_count);
    ARRAY(p, m->mass_damping, m->node_count);
    FIELD(p, m->loaded);
    FIELD(p, m->damped);
    FIELD(p, m->skip_peaks);
}

static void walk_schedule(carom_byte_walk *p, carom_schedule *schedule) {
    FIELD(p, schedule->ramp);
    FIELD(p, schedule->count);
    ARRAY(p, schedule->points, schedule->count);
}

static void walk_live_loads(carom_byte_walk *p, carom_live_loads *live) {
    FIELD(p, live->count);
    FIELD(p, live->node_count);
    ARRAY(p, live->nodes, live->node_count);
    BUFFER(p, live->items, live->count);
    for (int l = 0; is_good(p) && l < live->count; l++) {
        carom_live_load *load = &live->items[l];
        walk_schedule(p, &load->schedule);
        FIELD(p, load->node_count);
        ARRAY(p, load->nodes, load->node_count);
        ARRAY(p, load->force, load->node_count);
        FIELD(p, load->face_count);
        ARRAY(p, load->faces, load->face_count);
        FIELD(p, load->pressure);
        FIELD(p, load->plane);
    }
}

static void walk_limit(carom_byte_walk *p, carom_limit *limit, int node_count) {
    ARRAY(p, limit->begin, (int64_t)node_count + 1);
    int count = last_of(p, limit->begin, node_count);
    ARRAY(p, limit->nodes, count);
    ARRAY(p, limit->weight, count);
    ARRAY(p, limit->offset, node_count);
}

static void walk_body(carom_byte_walk *p, carom_body *body) {
    carom_byte_walk_name(p, body->name);
    carom_byte_walk_name(p, body->group);
    FIELD(p, body->node_begin);
    FIELD(p, body->node_count);
    FIELD(p, body->ghost_begin);
    FIELD(p, body->ghost_count);
    FIELD(p, body->block_begin);
    FIELD(p, body->block_count);
    FIELD(p, body->mass);
    FIELD(p, body->damping);
    ARRAY(p, body->node_ids, (int64_t)body->node_count + body->ghost_count);
    FIELD(p, body->set_count);
    BUFFER(p, body->sets, body->set_count);
    for (int s = 0; is_good(p) && s < body->set_count; s++) {
        carom_byte_walk_name(p, body->sets[s].name);
        FIELD(p, body->sets[s].count);
        ARRAY(p, body->sets[s].nodes, body->sets[s].count);
    }
    walk_limit(p, &body->limit, body->node_count);
}

static void walk_bodies(carom_byte_walk *p, carom_model *m) {
    FIELD(p, m->body_count);
    BUFFER(p, m->bodies, m->body_count);
    for (int b = 0; is_good(p) && b < m->body_count; b++)
        walk_body(p, &m->bodies[b]);
}

// Parameters are sent one by one: the bytes between them may be uninitialised.
static void walk_params(carom_byte_walk *p, const carom_kind *kind, const void **params) {
    char *read = NULL;
    if (p->reading && is_good(p)) {
        *params = read = carom_arena_allocate(p->arena, 1, kind->params_size);
        p->status = read ? CAROM_OK : CAROM_NO_MEMORY;
    }
    for (int i = 0; is_good(p) && i < kind->param_count; i++) {
        size_t offset = kind->params[i].offset, size = carom_param_size(kind->params[i].type);
        if (read)
            carom_byte_walk_bytes(p, read + offset, size);
        else
            carom_byte_walk_put(p, (const char *)*params + offset, size);
    }
}

// Element and material of a block, by name. An unknown name comes from another version of the program.
static void walk_kinds(carom_byte_walk *p, carom_block *block) {
    char element[CAROM_NAME_MAX] = {0}, material[CAROM_NAME_MAX] = {0};
    int number = p->reading ? 0 : carom_element_number(block->element);
    if (!p->reading) {
        snprintf(element, sizeof element, "%s", block->element->kind.name);
        snprintf(material, sizeof material, "%s", block->material ? block->material->kind.name : "");
    }
    carom_byte_walk_name(p, element);
    carom_byte_walk_name(p, material);
    FIELD(p, number);
    if (p->reading) {
        block->element = carom_element_find(element, number);
        block->material = (const carom_material *)carom_catalogue_find(carom_materials(), material);
    }
    // an element made by `arrange` has the parameters of its kind
    const carom_element *kind = carom_element_find(element, 0);
    if (!block->element || !kind || (material[0] && !block->material)) {
        carom_byte_walk_refuse(p);
        return;
    }
    walk_params(p, &kind->kind, &block->params);
    if (block->material)
        walk_params(p, &block->material->kind, &block->material_params);
}

static void walk_block(carom_byte_walk *p, carom_block *block) {
    walk_kinds(p, block);
    FIELD(p, block->body);
    FIELD(p, block->count);
    FIELD(p, block->node_count);
    FIELD(p, block->data_size);
    FIELD(p, block->variant);
    FIELD(p, block->point_count);
    FIELD(p, block->form);
    FIELD(p, block->history_size);
    ARRAY(p, block->nodes, (int64_t)block->count * block->node_count);
    ARRAY(p, block->data, carom_lanes_size(block->count, block->data_size));
    ARRAY(p, block->ids, block->count);
    ARRAY(p, block->cells, block->count);
}

static void walk_blocks(carom_byte_walk *p, carom_model *m) {
    FIELD(p, m->block_count);
    FIELD(p, m->element_count);
    FIELD(p, m->element_node_count);
    BUFFER(p, m->blocks, m->block_count);
    for (int b = 0; is_good(p) && b < m->block_count; b++)
        walk_block(p, &m->blocks[b]);
    ARRAY(p, m->block_step, m->block_count);
}

static void walk_driven(carom_byte_walk *p, carom_driven *driven) {
    FIELD(p, driven->count);
    FIELD(p, driven->base);
    if (driven->count < 0 || driven->count > 3)
        carom_byte_walk_refuse(p);
    for (int i = 0; is_good(p) && i < driven->count; i++) {
        FIELD(p, driven->items[i].motion);
        FIELD(p, driven->items[i].along);
        FIELD(p, driven->items[i].gain);
    }
}

static void walk_motion(carom_byte_walk *p, carom_motion *motion) {
    FIELD(p, motion->velocity);
    walk_schedule(p, &motion->schedule);
    FIELD(p, motion->count);
    ARRAY(p, motion->points, motion->count);
}

static void walk_ties(carom_byte_walk *p, carom_model *m) {
    carom_tie_rows *rows = &m->ties.rows;
    carom_elimination *e = &m->ties.elimination;
    FIELD(p, rows->count);
    FIELD(p, rows->surfaces);
    ARRAY(p, rows->begin, (int64_t)rows->count + 1);
    int entries = last_of(p, rows->begin, rows->count);
    ARRAY(p, rows->node, entries);
    ARRAY(p, rows->weight, entries);
    FIELD(p, e->count);
    ARRAY(p, e->node, e->count);
    ARRAY(p, e->follows, e->count);
    ARRAY(p, e->begin, (int64_t)e->count + 1);
    entries = last_of(p, e->begin, e->count);
    ARRAY(p, e->leader, entries);
    ARRAY(p, e->weight, entries);
    ARRAY(p, e->of_node, m->node_count);
    ARRAY(p, m->ties.island, m->body_count);
}

static void walk_restraints(carom_byte_walk *p, carom_model *m) {
    carom_restraints *restraints = &m->restraints;
    FIELD(p, restraints->count);
    ARRAY(p, restraints->of_node, m->node_count);
    BUFFER(p, restraints->items, restraints->count);
    for (int r = 0; is_good(p) && r < restraints->count; r++) {
        carom_restraint *item = &restraints->items[r];
        FIELD(p, item->node);
        FIELD(p, item->count);
        FIELD(p, item->direction);
        FIELD(p, item->velocity);
        FIELD(p, item->clamped);
    }
    carom_drives *drives = &m->drives;
    bool driven = drives->of_restraint != NULL;
    FIELD(p, driven);
    if (!driven)
        return;
    BUFFER(p, drives->of_restraint, restraints->count);
    for (int r = 0; is_good(p) && r < restraints->count; r++)
        walk_driven(p, &drives->of_restraint[r]);
    FIELD(p, drives->motion_count);
    BUFFER(p, drives->motions, drives->motion_count);
    for (int i = 0; is_good(p) && i < drives->motion_count; i++)
        walk_motion(p, &drives->motions[i]);
}

static void walk_law(carom_byte_walk *p, carom_contact_law *law) {
    FIELD(p, law->restitution);
    FIELD(p, law->friction);
    FIELD(p, law->kinetic);
    FIELD(p, law->decay);
    FIELD(p, law->no_contact);
}

// The pairs of the definition have been converted to laws.
static void walk_contact_def(carom_byte_walk *p, carom_contact_def *contact) {
    FIELD(p, contact->enabled);
    FIELD(p, contact->restitution);
    FIELD(p, contact->friction);
    FIELD(p, contact->friction_kinetic);
    FIELD(p, contact->friction_decay);
    FIELD(p, contact->resolve);
    FIELD(p, contact->layer);
    FIELD(p, contact->thickness);
    FIELD(p, contact->on_hold);
    FIELD(p, contact->return_work);
    FIELD(p, contact->moves);
    FIELD(p, contact->return_spin);
    FIELD(p, contact->self);
    FIELD(p, contact->plane_count);
    carom_plane_def *planes = NULL;
    BUFFER(p, planes, contact->plane_count);
    for (int i = 0; is_good(p) && i < contact->plane_count; i++) {
        carom_plane_def plane = planes ? planes[i] : contact->planes[i];
        carom_byte_walk_name(p, plane.name);
        FIELD(p, plane.point);
        FIELD(p, plane.normal);
        if (planes)
            planes[i] = plane;
    }
    if (p->reading)
        contact->planes = planes;
}

static void walk_laws(carom_byte_walk *p, carom_contact_laws *laws) {
    walk_law(p, &laws->general);
    FIELD(p, laws->count);
    carom_contact_exception *exceptions = NULL;
    BUFFER(p, exceptions, laws->count);
    for (int i = 0; is_good(p) && i < laws->count; i++) {
        carom_contact_exception exception = exceptions ? exceptions[i] : laws->exceptions[i];
        FIELD(p, exception.body);
        walk_law(p, &exception.law);
        if (exceptions)
            exceptions[i] = exception;
    }
    if (p->reading)
        laws->exceptions = exceptions;
}

// Exclusions allocate their own memory, which is filled from an array in the arena.
static void walk_exclusions(carom_byte_walk *p, carom_exclusions *exclusions) {
    carom_exclusions read = *exclusions;
    int count = p->reading ? 0 : last_of(p, read.begin, read.body_count);
    int joined = p->reading ? 0 : last_of(p, read.seam_begin, read.node_count);
    FIELD(p, read.body_count);
    FIELD(p, count);
    ARRAY(p, read.begin, (int64_t)read.body_count + 1);
    ARRAY(p, read.others, count);
    FIELD(p, read.node_count);
    FIELD(p, joined);
    ARRAY(p, read.seam_begin, (int64_t)read.node_count + 1);
    ARRAY(p, read.seam_others, joined);
    if (!p->reading || !is_good(p))
        return;
    if (last_of(p, read.begin, read.body_count) != count || last_of(p, read.seam_begin, read.node_count) != joined)
        carom_byte_walk_refuse(p);
    else if (!carom_exclusions_copy(&read, exclusions))
        p->status = CAROM_NO_MEMORY;
}

static void walk_surface(carom_byte_walk *p, carom_surface *s) {
    bool given = s->arena != NULL;
    FIELD(p, given);
    if (!given || !is_good(p))
        return;
    carom_arena *arena = p->arena;
    if (p->reading) {
        p->arena = s->arena = carom_arena_create();
        p->status = s->arena ? CAROM_OK : CAROM_NO_MEMORY;
    }
    FIELD(p, s->corners);
    FIELD(p, s->node_count);
    FIELD(p, s->body_count);
    FIELD(p, s->face_count);
    FIELD(p, s->full_count);
    FIELD(p, s->vertex_count);
    FIELD(p, s->edge_count);
    ARRAY(p, s->faces, s->face_count);
    ARRAY(p, s->body, s->face_count);
    ARRAY(p, s->source, s->face_count);
    ARRAY(p, s->owned, s->face_count);
    ARRAY(p, s->face_edges, s->face_count);
    ARRAY(p, s->vertices, s->vertex_count);
    ARRAY(p, s->node_body, s->node_count);
    ARRAY(p, s->node_faces_begin, (int64_t)s->node_count + 1);
    ARRAY(p, s->node_faces, last_of(p, s->node_faces_begin, s->node_count));
    ARRAY(p, s->edges, s->edge_count);
    ARRAY(p, s->edge_faces_begin, (int64_t)s->edge_count + 1);
    ARRAY(p, s->edge_faces, last_of(p, s->edge_faces_begin, s->edge_count));
    ARRAY(p, s->open, s->body_count);
    ARRAY(p, s->thin, s->body_count);
    p->arena = arena;
}

static void walk_contact(carom_byte_walk *p, carom_model *m) {
    walk_contact_def(p, &m->contact);
    walk_laws(p, &m->laws);
    walk_exclusions(p, &m->exclusions);
    walk_surface(p, &m->surface);
    FIELD(p, m->candidates.count);
    ARRAY(p, m->candidates.items, m->candidates.count);
    ARRAY(p, m->candidates.begin, (int64_t)m->node_count + 1);
    ARRAY(p, m->candidates.of_node, last_of(p, m->candidates.begin, m->node_count));
    ARRAY(p, m->filled, m->body_count);
    ARRAY(p, m->immovable, m->body_count);
    FIELD(p, m->surface_length);
    FIELD(p, m->contact_length);
    FIELD(p, m->hash);
}

static int batches_of(const carom_model *m) {
    int count = 0;
    for (int b = 0; b < m->block_count; b++)
        count += (m->blocks[b].count + CAROM_LANES - 1) / CAROM_LANES;
    return count;
}

static void walk_part(carom_byte_walk *p, carom_model *m) {
    carom_part *part = &m->part;
    FIELD(p, part->owned_count);
    int64_t ghosts = (int64_t)m->node_count - part->owned_count;
    ARRAY(p, part->global, m->node_count);
    ARRAY(p, part->element_global, m->element_count);
    ARRAY(p, part->block_first, m->block_count);
    ARRAY(p, part->ghost_owner, ghosts);
    ARRAY(p, part->ghost_place, ghosts);
    ARRAY(p, part->home, is_good(p) ? batches_of(m) : 0);
    FIELD(p, part->whole_nodes);
    FIELD(p, part->whole_elements);
    FIELD(p, part->whole_restraints);
    FIELD(p, part->whole_live_nodes);
    FIELD(p, part->extent);
    ARRAY(p, part->in_space, m->node_count);
    ARRAY(p, part->numbers, m->node_count);
    FIELD(p, part->replicated);
}

static void walk(carom_byte_walk *p, carom_model *m) {
    char start[sizeof magic];
    memcpy(start, magic, sizeof magic);
    carom_byte_walk_bytes(p, start, sizeof start);
    if (memcmp(start, magic, sizeof magic) != 0)
        carom_byte_walk_refuse(p);
    walk_nodes(p, m);
    walk_live_loads(p, &m->live);
    walk_bodies(p, m);
    walk_blocks(p, m);
    walk_restraints(p, m);
    walk_ties(p, m);
    walk_contact(p, m);
    walk_part(p, m);
}

// Functions are not sent, and kinds are sent by name.
static carom_status check(const carom_model *model, carom_error *error) {
    for (int l = 0; l < model->live.count; l++)
        if (model->live.items[l].function || model->live.items[l].array_function)
            return carom_fail(error, CAROM_BAD_INPUT, "loads given by a function of a program run on one process");
    return carom_model_check_kinds(model, error);
}

carom_status carom_model_pack(const carom_model *model, void **bytes, int64_t *size, carom_error *error) {
    *bytes = NULL;
    *size = 0;
    carom_status status = check(model, error);
    if (status)
        return status;
    // the traversal takes a model that it may change
    carom_model copy = *model;
    carom_byte_walk p = {0};
    walk(&p, &copy);
    p.size = p.at;
    p.bytes = carom_allocate(p.size, 1);
    if (!p.bytes)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory to send a model of %lld bytes", (long long)p.size);
    p.at = 0;
    walk(&p, &copy);
    *bytes = p.bytes;
    *size = p.size;
    return CAROM_OK;
}

static carom_status read_model(const void *bytes, int64_t size, carom_model *model, carom_error *error) {
    carom_byte_walk p = {.reading = true, .from = bytes, .size = size, .arena = model->arena};
    walk(&p, model);
    if (p.status == CAROM_NO_MEMORY)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for a model of %lld bytes", (long long)size);
    if (p.status || p.at != size)
        return carom_fail(error, CAROM_BAD_INPUT, "%lld bytes are not those of a model: they do not fit at byte %lld",
                          (long long)size, (long long)p.at);
    // a whole model and a contact space are their own contact space
    if (!carom_model_is_subdomain(model))
        model->part.space = model;
    carom_status status = carom_model_find_gather_lists(model, NULL, error);
    if (!status)
        status = carom_model_find_chunks(model, NULL, error);
    return status ? status : carom_model_find_tiles(model, NULL, error);
}

carom_status carom_model_unpack(const void *bytes, int64_t size, carom_model **model, carom_error *error) {
    *model = NULL;
    carom_model *m = carom_model_allocate();
    if (!m)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for a model of %lld bytes", (long long)size);
    carom_status status = read_model(bytes, size, m, error);
    if (status)
        carom_model_release(m);
    else
        *model = m;
    return status;
}
