// SPDX-License-Identifier: MIT
// Tests src/model/parts/extract.c, src/model/parts/extract_space.c, src/model/parts/submodel.c.
// Parts of models: for any distribution of nodes, forces on owned nodes have the bits of the whole model, and the parts
// together have every batch, element and node once. The contact space has the contacts of the whole model in their order.
#include "../../../parts.h"
#include "base/allocate.h"
#include "contact/pairs/audit.h"
#include "model/collective.h"
#include "model/forces/forces.h"
#include "model/motion/damping.h"
#include "model/motion/loads.h"
#include "model/motion/restraints.h"
#include "model/parts/extract.h"
#include "model/tiles.h"
#include "model/watch/frequency_bound.h"

enum { PARTS_MAX = 7 };

// Results of a model at given positions and velocities.
typedef struct results {
    double (*x)[3], (*w)[3], (*force)[3], (*viscous)[3], (*live)[3];
    double *energies;
    carom_restraint *restraints;
} results;

static void *reserve(int64_t count, size_t size) {
    void *memory = carom_allocate(count, size);
    assert_non_null(memory);
    return memory;
}

static results results_reserve(const carom_model *model) {
    size_t size = 3 * sizeof(double);
    int n = model->node_count;
    return (results){reserve(n, size),
                     reserve(n, size),
                     reserve(n, size),
                     reserve(n, size),
                     reserve(n, size),
                     reserve(model->element_count, sizeof(double)),
                     reserve(model->restraints.count, sizeof(carom_restraint))};
}

static void results_release(results *d) {
    free(d->x);
    free(d->w);
    free(d->force);
    free(d->viscous);
    free(d->live);
    free(d->energies);
    free(d->restraints);
}

// Computes all results at the positions and velocities.
static void results_compute(results *d, const carom_model *model) {
    double *slots = reserve(carom_model_slot_count(model), sizeof *slots);
    double *scratch = reserve(carom_model_slot_count(model), sizeof *scratch);
    carom_model_force(model, (carom_const_vectors)d->x, slots, d->force, d->energies);
    if (!model->tiles.count)
        carom_model_viscous_force(model, (carom_const_vectors)d->x, (carom_const_vectors)d->w, slots, scratch, d->viscous);
    carom_model_live_load(model, 0.3, (carom_const_vectors)d->x, d->live);
    if (model->restraints.count)
        memcpy(d->restraints, model->restraints.items, (size_t)model->restraints.count * sizeof *d->restraints);
    carom_model_drive(model, 0.3, d->restraints);
    free(slots);
    free(scratch);
}

static results results_of_whole(const carom_model *model) {
    results d = results_reserve(model);
    uint64_t seed = 5;
    for (int k = 0; k < 3 * model->node_count; k++) {
        bool flat = model->blocks[0].element->plane && k % 3 == 2;
        d.x[k / 3][k % 3] = model->X[k / 3][k % 3] + (flat ? 0 : random_real(&seed, -0.02, 0.02));
        d.w[k / 3][k % 3] = flat ? 0 : random_real(&seed, -1, 1);
    }
    results_compute(&d, model);
    return d;
}

// The results of a part at the same positions. Forces that are not computed are NaN.
static results results_of_part(const carom_model *part, const results *whole) {
    results d = results_reserve(part);
    for (int k = 0; k < part->node_count; k++) {
        memcpy(d.x[k], whole->x[part->part.global[k]], sizeof *d.x);
        memcpy(d.w[k], whole->w[part->part.global[k]], sizeof *d.w);
        for (int i = 0; i < 3; i++)
            d.force[k][i] = d.viscous[k][i] = NAN;
    }
    results_compute(&d, part);
    return d;
}

static void same(const void *a, const void *b, size_t size) {
    if (size)
        assert_memory_equal(a, b, size);
}

// A restraint of the part equals that of the whole model, except for its node number.
static void same_restraint(const carom_restraint *a, const carom_restraint *b) {
    assert_int_equal(a->count, b->count);
    same(a->direction, b->direction, sizeof a->direction);
    same(a->velocity, b->velocity, sizeof a->velocity);
    assert_int_equal(a->clamped, b->clamped);
}

// Compares the properties of nodes and the forces on them.
static void check_nodes(const carom_model *whole, const carom_model *part, const results *d, const results *of_part) {
    for (int k = 0; k < part->node_count; k++) {
        int g = part->part.global[k];
        same(part->X[k], whole->X[g], sizeof *part->X);
        same(part->v0[k], whole->v0[g], sizeof *part->v0);
        same(part->load[k], whole->load[g], sizeof *part->load);
        same(&part->mass[k], &whole->mass[g], sizeof *part->mass);
        assert_true(!whole->mass_damping == !part->mass_damping);
        if (whole->mass_damping)
            same(&part->mass_damping[k], &whole->mass_damping[g], sizeof *part->mass_damping);
        int r = part->restraints.of_node[k], s = whole->restraints.of_node[g];
        assert_true((r < 0) == (s < 0));
        if (r >= 0) {
            assert_int_equal(part->restraints.items[r].node, k);
            same_restraint(&of_part->restraints[r], &d->restraints[s]);
        }
        int body = carom_model_node_body(part, k);
        assert_int_equal(body, carom_model_node_body(whole, g));
        assert_int_equal(carom_model_node_id(part, k), carom_model_node_id(whole, g));
    }
    for (int k = 0; k < part->part.owned_count; k++) {
        int g = part->part.global[k];
        same(of_part->force[k], d->force[g], sizeof *d->force);
        same(of_part->live[k], d->live[g], sizeof *d->live);
        if (!part->tiles.count)
            same(of_part->viscous[k], d->viscous[g], sizeof *d->viscous);
    }
    for (int i = 1; i < part->live.node_count; i++)
        assert_true(part->live.nodes[i] > part->live.nodes[i - 1]);
}

// Compares elements, by their numbers in the whole model; counts those that belong to the part.
static void check_elements(const carom_model *whole, const carom_model *part, const results *d, const results *of_part,
                           int *counted, int *examined) {
    int element = 0, batch = 0;
    assert_int_equal(part->block_count, whole->block_count);
    for (int b = 0; b < part->block_count; b++) {
        const carom_block *block = &part->blocks[b];
        assert_ptr_equal(block->element, whole->blocks[b].element);
        assert_ptr_not_equal(block->params, whole->blocks[b].params);
        for (int e = 0; e < block->count; e++, element++) {
            int g = part->part.element_global[element];
            char name[CAROM_TEXT_MAX], expected[CAROM_TEXT_MAX];
            carom_model_name_element(part, g, name, sizeof name);
            carom_model_name_element(whole, g, expected, sizeof expected);
            assert_string_equal(name, expected);
            same(&of_part->energies[element], &d->energies[g], sizeof *d->energies);
            counted[g] += carom_model_counts(part, &block->nodes[(ptrdiff_t)e * block->node_count]);
            if (e % CAROM_LANES == 0)
                examined[g] += part->part.home[batch++];
        }
    }
    assert_int_equal(element, part->element_count);
}

// Compares sums over all parts with the whole model.
static void check_together(const carom_model *whole, carom_model *const *parts, int count, const int *owner) {
    int owned = 0;
    for (int p = 0; p < count; p++) {
        const carom_part *part = &parts[p]->part;
        owned += part->owned_count;
        for (int k = 0; k < parts[p]->node_count; k++) {
            bool own = owner[part->global[k]] == p;
            assert_true(own == (k < part->owned_count));
            if (k != 0 && k != part->owned_count)
                assert_true(part->global[k] > part->global[k - 1]);
            if (own)
                continue;
            int of = part->ghost_owner[k - part->owned_count], place = part->ghost_place[k - part->owned_count];
            assert_int_equal(of, owner[part->global[k]]);
            assert_true(place < parts[of]->part.owned_count);
            assert_int_equal(parts[of]->part.global[place], part->global[k]);
        }
        assert_int_equal(part->whole_nodes, whole->node_count);
        assert_int_equal(part->whole_elements, whole->element_count);
        assert_int_equal(part->whole_restraints, whole->restraints.count);
        assert_int_equal(part->whole_live_nodes, whole->live.node_count);
        assert_true(part->extent == whole->part.extent && part->extent > 1);
        assert_true(parts[p]->hash == whole->hash);
        assert_int_equal(parts[p]->surface.face_count + parts[p]->candidates.count, 0);
    }
    assert_int_equal(owned, whole->node_count);
}

// Each element is counted once, and each batch belongs to one part.
static void check_counts(const carom_model *whole, const int *counted, const int *examined) {
    for (int b = 0, first = 0; b < whole->block_count; first += whole->blocks[b++].count)
        for (int e = 0; e < whole->blocks[b].count; e++) {
            assert_int_equal(counted[first + e], 1);
            assert_int_equal(examined[first + e], e % CAROM_LANES == 0);
        }
}

static void check_owners(const carom_model *whole, const results *d, int count, const int *owner, int64_t tile) {
    carom_model *parts[PARTS_MAX];
    int *counted = reserve(whole->element_count, sizeof *counted), *examined = reserve(whole->element_count, sizeof *examined);
    for (int p = 0; p < count; p++) {
        assert_ok(carom_model_extract(whole, owner, count, p, &parts[p], error));
        if (tile)
            assert_ok(carom_model_build_tiles(parts[p], tile, error));
        results of_part = results_of_part(parts[p], d);
        check_nodes(whole, parts[p], d, &of_part);
        check_elements(whole, parts[p], d, &of_part, counted, examined);
        results_release(&of_part);
    }
    check_together(whole, parts, count, owner);
    check_counts(whole, counted, examined);
    for (int p = 0; p < count; p++)
        carom_model_release(parts[p]);
    free(counted);
    free(examined);
}

static void same_forces(void **state) {
    (void)state;
    for (int i = 0; i < PARTS_SCENES; i++) {
        parts_scene s;
        parts_starts[i](&s);
        bench_build(&s.b);
        results d = results_of_whole(s.b.model);
        for (int parts = 1; parts <= PARTS_MAX; parts++)
            for (int kind = 0; kind < PARTS_OWNERS; kind++) {
                int *owner = parts_own(s.b.model, parts, kind);
                check_owners(s.b.model, &d, parts, owner, 0);
                free(owner);
            }
        results_release(&d);
        bench_end(&s.b);
    }
}

// Tiles gather owned nodes only.
static void same_forces_of_tiles(void **state) {
    (void)state;
    parts_scene s;
    parts_start_solids(&s);
    bench_build(&s.b);
    results d = results_of_whole(s.b.model);
    int *owner = parts_own(s.b.model, 3, PARTS_BISECTION);
    check_owners(s.b.model, &d, 3, owner, 1);
    check_owners(s.b.model, &d, 3, owner, 10000);
    free(owner);
    results_release(&d);
    bench_end(&s.b);
}

// A part remains valid after the whole model is released.
static void outlives(void **state) {
    (void)state;
    parts_scene s;
    parts_start_solids(&s);
    bench_build(&s.b);
    results d = results_of_whole(s.b.model);
    int *owner = parts_own(s.b.model, 2, PARTS_BISECTION);
    carom_model *part, *space;
    assert_ok(carom_model_extract(s.b.model, owner, 2, 1, &part, error));
    assert_ok(carom_model_extract_space(s.b.model, &space, error));
    bench_end(&s.b);
    results of_part = results_of_part(part, &d);
    for (int k = 0; k < part->part.owned_count; k++)
        same(of_part.force[k], d.force[part->part.global[k]], sizeof *d.force);
    assert_string_equal(carom_model_side_name(space, -1), "floor");
    assert_string_equal(carom_model_side_name(part, 5), "body5");
    assert_true(carom_model_undamped_step(part) > 0 && isfinite(carom_model_undamped_step(part)));
    carom_model_release(part);
    carom_model_release(space);
    results_release(&of_part);
    results_release(&d);
    free(owner);
}

// The lists of the surface, node by node and edge by edge.
static void check_surface(const carom_model *whole, const carom_model *space) {
    const carom_surface *a = &whole->surface, *b = &space->surface;
    const int *numbers = space->part.numbers;
    assert_int_equal(a->face_count, b->face_count);
    assert_int_equal(a->full_count, b->full_count);
    assert_int_equal(a->corners, b->corners);
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->edge_count, b->edge_count);
    if (!a->face_count)
        return;
    assert_int_equal(b->node_count, space->node_count);
    for (int f = 0; f < a->face_count; f++)
        for (int i = 0; i < 3; i++)
            assert_int_equal(numbers[b->faces[f][i]], a->faces[f][i]);
    for (int i = 0; i < a->vertex_count; i++)
        assert_int_equal(numbers[b->vertices[i]], a->vertices[i]);
    for (int i = 0; i < 2 * a->edge_count; i++)
        assert_int_equal(numbers[b->edges[i / 2][i % 2]], a->edges[i / 2][i % 2]);
    for (int k = 0; k <= space->node_count; k++) {
        int g = k < space->node_count ? numbers[k] : whole->node_count;
        assert_int_equal(b->node_faces_begin[k], a->node_faces_begin[g]);
        if (k < space->node_count)
            assert_int_equal(b->node_body[k], a->node_body[g]);
    }
    same(a->node_faces, b->node_faces, (size_t)a->node_faces_begin[whole->node_count] * sizeof(int));
    same(a->face_edges, b->face_edges, (size_t)a->face_count * sizeof *a->face_edges);
    same(a->owned, b->owned, (size_t)a->face_count);
    same(a->body, b->body, (size_t)a->face_count * sizeof(int));
    same(a->source, b->source, (size_t)a->face_count * sizeof(int));
    same(a->open, b->open, (size_t)a->body_count);
    same(a->thin, b->thin, (size_t)a->body_count);
    if (a->edges) {
        same(a->edge_faces_begin, b->edge_faces_begin, ((size_t)a->edge_count + 1) * sizeof(int));
        same(a->edge_faces, b->edge_faces, (size_t)a->edge_faces_begin[a->edge_count] * sizeof(int));
    }
}

static void check_candidates(const carom_model *whole, const carom_model *space) {
    const carom_candidates *a = &whole->candidates, *b = &space->candidates;
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++) {
        carom_contact back = b->items[i];
        for (int n = 0; n < back.count; n++)
            back.node[n] = space->part.numbers[back.node[n]];
        same(&back, &a->items[i], sizeof back);
    }
    assert_true(!a->begin == !b->begin);
    for (int k = 0; a->begin && k < space->node_count; k++)
        for (int i = b->begin[k]; i < b->begin[k + 1]; i++)
            assert_int_equal(b->of_node[i], a->of_node[a->begin[space->part.numbers[k]] + i - b->begin[k]]);
    assert_true(!a->begin || b->begin[space->node_count] == a->begin[whole->node_count]);
}

static void check_space_nodes(const carom_model *whole, const carom_model *space) {
    for (int k = 0; k < space->node_count; k++) {
        int g = space->part.numbers[k];
        assert_true(k == 0 || g > space->part.numbers[k - 1]);
        same(space->X[k], whole->X[g], sizeof *space->X);
        same(space->v0[k], whole->v0[g], sizeof *space->v0);
        same(&space->mass[k], &whole->mass[g], sizeof *space->mass);
        const carom_restraint *a = carom_restraint_of(&space->restraints, k), *b = carom_restraint_of(&whole->restraints, g);
        assert_true(!a == !b);
        if (a)
            same_restraint(a, b);
        assert_int_equal(carom_model_node_id(space, k), carom_model_node_id(whole, g));
        assert_int_equal(carom_model_node_body(space, k), carom_model_node_body(whole, g));
        assert_int_equal(space->gather_begin[k + 1], 0);
    }
    assert_int_equal(space->part.owned_count, space->node_count);
    assert_int_equal(space->block_count + space->chunk_count + space->element_count, 0);
    assert_ptr_equal(space->part.space, space);
    assert_false(carom_model_is_subdomain(space));
    assert_true(space->part.extent == whole->part.extent && space->surface_length == whole->surface_length);
    assert_true(space->contact_length == whole->contact_length && space->contact.friction == whole->contact.friction);
    assert_int_equal(space->laws.count, whole->laws.count);
    for (int i = 0; i < whole->laws.count; i++) {
        const carom_contact_exception *a = &space->laws.exceptions[i], *b = &whole->laws.exceptions[i];
        same(a->body, b->body, sizeof a->body);
        assert_true(a->law.restitution == b->law.restitution && a->law.friction == b->law.friction &&
                    a->law.kinetic == b->law.kinetic && a->law.decay == b->law.decay);
        assert_true(a->law.no_contact == b->law.no_contact);
    }
    assert_int_equal(space->exclusions.body_count, whole->exclusions.body_count);
}

static int64_t crossings_of(const carom_model *model, const double (*x)[3]) {
    carom_audit audit = {0};
    int64_t count = 0;
    assert_ok(carom_audit_create(&model->surface, &model->exclusions, model->immovable, &audit, error));
    audit.filled = model->filled;
    assert_ok(carom_surface_intersections(&audit, x, &count, error));
    carom_audit_release(&audit);
    return count;
}

// Bodies moved onto each other have the same number of intersections.
static void check_audit(const carom_model *whole, const carom_model *space) {
    if (!whole->surface.face_count)
        return;
    results d = results_of_whole(whole);
    double(*x)[3] = reserve(space->node_count, sizeof *x);
    for (int k = 0; k < whole->node_count; k++)
        for (int i = 0; i < 3; i++)
            d.x[k][i] -= whole->X[whole->bodies[carom_model_node_body(whole, k)].node_begin][i];
    for (int k = 0; k < space->node_count; k++)
        memcpy(x[k], d.x[space->part.numbers[k]], sizeof *x);
    int64_t count = crossings_of(whole, (carom_const_vectors)d.x);
    // plane bodies have no intersections here
    assert_true(count > 0 || whole->surface.corners == 2);
    assert_int_equal(crossings_of(space, (carom_const_vectors)x), count);
    free(x);
    results_release(&d);
}

static void space_is_same(void **state) {
    (void)state;
    for (int i = 0; i < PARTS_SCENES; i++) {
        parts_scene s;
        carom_model *space, *part;
        parts_starts[i](&s);
        s.b.def.contact.self = false;
        bench_build(&s.b);
        assert_ok(carom_model_extract_space(s.b.model, &space, error));
        assert_true((space->node_count > 0) == s.b.def.contact.enabled);
        check_space_nodes(s.b.model, space);
        check_surface(s.b.model, space);
        check_candidates(s.b.model, space);
        check_audit(s.b.model, space);
        // parts store the numbers of their nodes in it
        int *owner = parts_own(s.b.model, 2, PARTS_RANDOM), found = 0;
        for (int p = 0; p < 2; p++) {
            assert_ok(carom_model_extract(s.b.model, owner, 2, p, &part, error));
            for (int k = 0; k < part->node_count; k++) {
                int number = part->part.in_space[k];
                assert_true(number < 0 || space->part.numbers[number] == part->part.global[k]);
                found += number >= 0 && k < part->part.owned_count;
            }
            carom_model_release(part);
        }
        assert_int_equal(found, space->node_count);
        free(owner);
        carom_model_release(space);
        bench_end(&s.b);
    }
}

static void push(void *context, double time, int node, const double (*x)[3], double force[3]) {
    (void)context;
    (void)time;
    (void)node;
    (void)x;
    force[0] = 1;
}

// Models that cannot be divided among processes are refused with a reason.
static void refusals(void **state) {
    (void)state;
    bench b;
    carom_model *part;
    int owner[2] = {0, 0};
    carom_load_def load = {.where = {.body = "body0", .node = CAROM_AUTO}, .function = push};
    bench_start(&b);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), 1, VECTOR(0, 0, 0), CAROM_BAR_GREEN);
    b.def.loads = &load;
    b.def.load_count = 1;
    bench_build(&b);
    assert_refused(carom_model_extract(b.model, owner, 1, 0, &part, error), CAROM_BAD_INPUT, "by a function of a program");
    assert_null(part);
    carom_model_release(b.model);

    // an element kind that is not in a catalogue
    carom_element own = *(const carom_element *)b.bodies[0].element.kind;
    carom_material law = *(const carom_material *)b.bodies[0].material.kind;
    own.kind.name = "own-bar";
    law.kind.name = "own-law";
    b.def.load_count = 0;
    b.bodies[0].material.kind = &law.kind;
    bench_build(&b);
    assert_refused(carom_model_extract(b.model, owner, 1, 0, &part, error), CAROM_BAD_INPUT, "material 'own-law'");
    carom_model_release(b.model);
    b.bodies[0].element.kind = &own.kind;
    bench_build(&b);
    assert_refused(carom_model_extract(b.model, owner, 1, 0, &part, error), CAROM_BAD_INPUT, "element 'own-bar'");
    carom_model_release(b.model);

    b.bodies[0].element = (carom_pick){carom_catalogue_find(carom_elements(), "bar"), &b.bars[0]};
    b.bodies[0].material.kind = carom_catalogue_find(carom_materials(), "linear");
    bench_build(&b);
    owner[1] = 1;
    assert_refused(carom_model_extract(b.model, owner, 1, 0, &part, error), CAROM_BAD_INPUT, "process 1 of 1");
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_forces), cmocka_unit_test(same_forces_of_tiles),
        cmocka_unit_test(outlives),    cmocka_unit_test(space_is_same),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
