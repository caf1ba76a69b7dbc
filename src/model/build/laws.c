// SPDX-License-Identifier: MIT
// Finds the contact law (restitution, friction, or no contact) of each pair of bodies, or of a body and a plane. Entries of
// `contact.pairs` name bodies, groups and planes; each is expanded into pairs of numbers, and the last entry that names a pair
// applies.
#include "model/build/builders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "element/line/rigid.h"
#include "model/motion/timed_restraints.h"

// Limit of the number of pairs: groups expand to many.
enum { PAIRS_MAX = 1 << 22 };

// A pair of numbers (of bodies, or -1 - p for plane p) with the law of the entry that names it.
typedef struct ruling {
    int body[2]; // ascending
    int entry;
    carom_contact_law law;
} ruling;

// Start from {0}.
typedef struct rulings {
    int count;
    int64_t capacity;
    ruling *items;
} rulings;

static carom_status add(rulings *r, int a, int b, int entry, carom_contact_law law, carom_error *error) {
    if (r->count == PAIRS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "contact.pairs expand to more than %d pairs of bodies", PAIRS_MAX);
    ruling *items = carom_grow(r->items, r->count, &r->capacity, sizeof *items);
    if (!items)
        return carom_no_memory(error, "the laws of contact");
    r->items = items;
    items[r->count++] = (ruling){{a < b ? a : b, a < b ? b : a}, entry, law};
    return CAROM_OK;
}

// Finds all bodies and planes (as -1 - p) with that name; returns how many. `found` has space for all.
static int find_sides(const carom_model *model, const carom_contact_def *def, const char *name, int *found) {
    int count = 0;
    for (int b = 0; b < model->body_count; b++)
        if (carom_body_is_called(&model->bodies[b], name))
            found[count++] = b;
    for (int p = 0; p < def->plane_count; p++)
        if (strcmp(def->planes[p].name, name) == 0)
            found[count++] = -1 - p;
    return count;
}

// The default law of all contacts; NaN means `auto`.
static carom_contact_law general_law(const carom_contact_def *def) {
    carom_contact_law law = {.restitution = def->restitution,
                             .friction = def->friction,
                             .kinetic = def->friction_kinetic,
                             .decay = def->friction_decay};
    if (!carom_contact_law_varies(&law))
        law.kinetic = law.friction, law.decay = 0;
    return law;
}

static carom_status check_kinetic(double at_rest, double kinetic, const char *owner, carom_error *error) {
    return kinetic > at_rest
               ? carom_fail(error, CAROM_BAD_INPUT, "%s.friction.kinetic: expected at most %g, that at rest, found %g", owner,
                            at_rest, kinetic)
               : CAROM_OK;
}

// The default law, with the values that the pair gives.
static carom_contact_law law_of_pair(const carom_contact_def *def, const carom_contact_pair_def *pair) {
    carom_contact_def own = *def;
    if (!isnan(pair->restitution))
        own.restitution = pair->restitution;
    if (!isnan(pair->friction)) {
        own.friction = pair->friction;
        own.friction_kinetic = pair->friction_kinetic;
        own.friction_decay = pair->friction_decay;
    }
    carom_contact_law law = general_law(&own);
    law.no_contact = !pair->touch;
    return law;
}

static carom_status add_entry(const carom_model *model, const carom_contact_def *def, int entry, int *const found[2],
                              rulings *r, carom_error *error) {
    const carom_contact_pair_def *pair = &def->pairs[entry];
    carom_contact_law law = law_of_pair(def, pair);
    int count[2];
    if (check_kinetic(pair->friction, pair->friction_kinetic, "contact.pairs", error))
        return CAROM_BAD_INPUT;
    for (int side = 0; side < 2; side++) {
        count[side] = find_sides(model, def, pair->side[side], found[side]);
        if (!count[side])
            return carom_fail(error, CAROM_BAD_INPUT, "contact: there is no body, group or plane '%s'", pair->side[side]);
    }
    bool same = strcmp(pair->side[0], pair->side[1]) == 0;
    carom_status status = CAROM_OK;
    for (int i = 0; i < count[0]; i++)
        // A group with itself: each pair of its bodies once, and each body with itself.
        for (int j = same ? i : 0; j < count[1] && !status; j++)
            // Two planes never meet.
            if (found[0][i] >= 0 || found[1][j] >= 0)
                status = add(r, found[0][i], found[1][j], entry, law, error);
    return status;
}

// True if a node cannot move freely in any direction: three independent ones hold it completely, and two in the x-y plane if it
// stays there.
static bool holds(const carom_restraint *r, bool plane) {
    bool across = plane && r->count == 2 && r->direction[0][2] == 0 && r->direction[1][2] == 0;
    return r->count == 3 || across;
}

// True if all nodes of a body are held, fixed or driven, at all times.
static bool is_held(const carom_model *model, int b) {
    const carom_body *body = &model->bodies[b];
    bool plane = model->blocks[body->block_begin].element->plane;
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++) {
        const carom_restraint *r = carom_restraint_of(&model->restraints, k);
        if (!r || !holds(r, plane) || carom_model_is_windowed(model, model->restraints.of_node[k]))
            return false;
    }
    return true;
}

static int by_bodies(const void *a_, const void *b_) {
    const ruling *a = a_, *b = b_;
    for (int side = 0; side < 2; side++)
        if (a->body[side] != b->body[side])
            return a->body[side] < b->body[side] ? -1 : 1;
    // Entries of the same pair keep the order of the definition, so that the last one is at the end of its run.
    return (a->entry > b->entry) - (a->entry < b->entry);
}

static bool same_bodies(const ruling *a, const ruling *b) {
    return a->body[0] == b->body[0] && a->body[1] == b->body[1];
}

// The last ruling of each pair becomes an exception.
static carom_status keep_last(carom_model *model, rulings *r, carom_error *error) {
    if (r->count)
        qsort(r->items, (size_t)r->count, sizeof *r->items, by_bodies);
    carom_contact_exception *exceptions = carom_arena_allocate(model->arena, r->count, sizeof *exceptions);
    if (!exceptions)
        return carom_no_memory(error, "the laws of contact");
    for (int i = 0; i < r->count; i++) {
        // Not the last of its run: a later entry overrides it.
        if (i + 1 < r->count && same_bodies(&r->items[i], &r->items[i + 1]))
            continue;
        carom_contact_exception *exception = &exceptions[model->laws.count++];
        memcpy(exception->body, r->items[i].body, sizeof exception->body);
        exception->law = r->items[i].law;
    }
    model->laws.exceptions = exceptions;
    return CAROM_OK;
}

// Excludes from the contact search: pairs without contact, and bodies with themselves unless an entry requests self-contact.
static carom_status exclude(carom_model *model, bool self, carom_error *error) {
    const carom_contact_laws *laws = &model->laws;
    int64_t still = 0;
    for (int b = 0; b < model->body_count; b++)
        still += model->immovable[b];
    int64_t most = (int64_t)laws->count + model->body_count + (model->poses.count + 1) * still;
    int(*pairs)[2] = carom_allocate(most, sizeof *pairs), count = 0;
    bool *ruled = carom_allocate(model->body_count, sizeof *ruled);
    carom_status status = pairs && ruled ? CAROM_OK : carom_no_memory(error, "the laws of contact");
    for (int i = 0; i < laws->count && !status; i++) {
        const int *body = laws->exceptions[i].body;
        // An entry for a body with itself overrides `self`.
        if (body[0] == body[1])
            ruled[body[0]] = true;
        if (body[0] < 0 || !laws->exceptions[i].law.no_contact)
            continue;
        memcpy(pairs[count++], body, sizeof *pairs);
    }
    // Without self-contact every body is excluded with itself, except by an entry. A rigid body never touches itself.
    for (int b = 0; b < model->body_count && !status; b++)
        if (carom_element_is_rigid(model->blocks[model->bodies[b].block_begin].element) || (!self && !ruled[b]))
            memcpy(pairs[count++], (const int[2]){b, b}, sizeof *pairs);
    // Obstacles touch neither each other nor themselves, nor other immovable bodies.
    for (int a = 0; a < model->body_count && !status && model->poses.count; a++)
        for (int b = 0; b < model->body_count && carom_poses_has(&model->poses, a); b++)
            if (model->immovable[b] && (!carom_poses_has(&model->poses, b) || a <= b))
                memcpy(pairs[count++], (const int[2]){a, b}, sizeof *pairs);
    if (!status && count)
        status = carom_exclusions_build(model->body_count, (const int(*)[2])pairs, count, &model->exclusions, error);
    free(pairs);
    free(ruled);
    return status;
}

carom_status carom_model_find_laws(carom_model *model, const carom_model_def *def, carom_error *error) {
    const carom_contact_def *contact = &def->contact;
    model->laws.general = general_law(contact);
    if (check_kinetic(contact->friction, contact->friction_kinetic, "contact", error))
        return CAROM_BAD_INPUT;
    int64_t most = (int64_t)model->body_count + contact->plane_count;
    model->immovable = carom_arena_allocate(model->arena, model->body_count, sizeof *model->immovable);
    if (!model->immovable)
        return carom_no_memory(error, "the laws of contact");
    for (int b = 0; b < model->body_count; b++)
        // A body that cannot move receives no impulses, and pairs of two such bodies are not searched.
        model->immovable[b] = is_held(model, b);

    rulings r = {0};
    int *found[2] = {carom_allocate(most, sizeof *found[0]), carom_allocate(most, sizeof *found[1])};
    carom_status status = found[0] && found[1] ? CAROM_OK : carom_no_memory(error, "the laws of contact");
    for (int i = 0; i < contact->pair_count && !status; i++)
        status = add_entry(model, contact, i, found, &r, error);
    free(found[0]);
    free(found[1]);
    if (!status)
        status = keep_last(model, &r, error);
    free(r.items);
    if (!status)
        status = exclude(model, contact->self, error);
    // Tied surfaces do not touch each other at the seam; everywhere else they do.
    if (!status)
        status = carom_exclusions_add_seams(model->node_count, (const int(*)[2])model->ties.seam, model->ties.seam_count,
                                            &model->exclusions, error);
    if (!status && model->ties.tied_count)
        status = carom_exclusions_add_rigid_bodies(model->node_count, model->rigid.of_node, &model->exclusions, error);
    return status;
}

// Hashes the parameters that depend on the speed; models without them keep the hash of earlier versions.
static uint64_t varying_hash(uint64_t h, const carom_contact_law *law) {
    double varying[] = {law->kinetic, law->decay};
    return carom_contact_law_varies(law) ? carom_hash(h, varying, sizeof varying) : h;
}

uint64_t carom_model_laws_hash(uint64_t h, const carom_model *model) {
    const carom_contact_def *contact = &model->contact;
    // As doubles, without the padding bytes of structs.
    double settings[] = {contact->restitution, contact->friction,  contact->resolve,
                         contact->layer,       contact->thickness, contact->self};
    h = varying_hash(carom_hash(h, settings, sizeof settings), &model->laws.general);
    for (int i = 0; i < model->laws.count; i++) {
        const carom_contact_exception *exception = &model->laws.exceptions[i];
        double law[] = {exception->law.restitution, exception->law.friction, exception->law.no_contact};
        h = carom_hash(h, exception->body, sizeof exception->body);
        h = varying_hash(carom_hash(h, law, sizeof law), &exception->law);
    }
    return h;
}
