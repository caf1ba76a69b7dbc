// SPDX-License-Identifier: MIT
// Shared by the tests of subdomains: models with all kinds of elements and external actions, and owners of nodes.
#ifndef CAROM_TEST_PARTS_H
#define CAROM_TEST_PARTS_H

#include "blocks.h"
#include "model/parts/owners.h"

typedef struct parts_scene {
    bench b;
    carom_hex8_params one_point;
    carom_nodal_params nodal;
    carom_loop_shell_params shell;
    carom_plane_element_params plane;
} parts_scene;

// A body of the generator, with an element and a law.
static inline carom_body_def *parts_add(parts_scene *s, const char *generator, const void *mesh, const char *element,
                                        const void *params, const char *law) {
    carom_body_def *body = bench_add(&s->b, generator, mesh, VECTOR(0.1, 0, -0.2));
    carom_elastic_params *material = &s->b.materials[s->b.def.body_count - 1];
    *material = (carom_elastic_params){100, 0.3, 1};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), element), params};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), law), material};
    return body;
}

// A box at x with `layers` cells along z.
static inline carom_body_def *parts_add_box(parts_scene *s, double x, int layers, bool tets, const char *element,
                                            const void *params, const char *law) {
    carom_box_params box = {
        .from = {x, 0, 0}, .to = {x + 1, 1, 2}, .elements = {3, 2, layers}, .grading = {1, 1, 1}, .cells = tets};
    return parts_add(s, "box", &box, element, params, law);
}

// Loads, restraints with motions and damping on the first body, which has sets of a box or a rectangle.
static inline void parts_act(parts_scene *s) {
    static const double table[3][2] = {{0, 0}, {0.5, 1}, {1, 0.2}};
    static const double motion[2][4] = {{0, 0, 0, 0}, {1, 0.1, 0, 0}};
    static carom_restraint_def restraints[2];
    static carom_load_def loads[3];
    for (int i = 0; i < 2; i++)
        restraints[i] = carom_default_restraint_def();
    for (int i = 0; i < 3; i++)
        loads[i] = carom_default_load_def();
    restraints[0].direction_count = 1;
    memcpy(restraints[0].direction[0], VECTOR(1, 1, 0), sizeof restraints[0].direction[0]);
    memcpy(restraints[0].velocity, VECTOR(0.1, 0.1, 0), sizeof restraints[0].velocity);
    restraints[0].schedule = (carom_schedule){.count = 3, .points = table};
    restraints[1].motion_count = 2;
    restraints[1].motion = motion;
    memcpy(loads[0].force, VECTOR(0.1, 0.2, 0), sizeof loads[0].force);
    loads[0].schedule = (carom_schedule){.ramp = 0.25, .count = 3, .points = table};
    loads[1].pressure = 0.5;
    loads[2].pressure = 0.25;
    const char *const sets[5] = {"xmin", "xmax", "ymax", "ymin", "ymax"};
    for (int i = 0; i < 5; i++) {
        carom_selection *where = i < 2 ? &restraints[i].where : &loads[i - 2].where;
        snprintf(where->body, sizeof where->body, "body0");
        snprintf(where->set, sizeof where->set, "%s", sets[i]);
    }
    s->b.def.restraints = restraints;
    s->b.def.restraint_count = 2;
    s->b.def.loads = loads;
    s->b.def.load_count = 3;
    s->b.bodies[0].damping = (carom_damping){.mass = 0.3, .stiffness = 1e-3};
}

// Tetrahedra, bricks in both integrations, patches of both, a shell, bars and a point mass, above a plane.
static inline void parts_start_solids(parts_scene *s) {
    static const carom_plane_def floor = {.name = "floor", .point = {0, 0, -1}, .normal = {0, 0, 2}};
    bench_start(&s->b);
    s->one_point = (carom_hex8_params){.integration = CAROM_HEX8_ONE_POINT, .hourglass = 0.1};
    s->nodal = (carom_nodal_params){.stabilisation = 0.05};
    s->shell = (carom_loop_shell_params){.thickness = 0.05, .layers = 5};
    parts_add_box(s, 0, 4, true, "tet4", NULL, "neo-hookean");
    parts_add_box(s, 1.5, 5, false, "hex8", &block_full, "st-venant-kirchhoff");
    parts_add_box(s, 3, 3, false, "hex8", &s->one_point, "neo-hookean");
    parts_add_box(s, 4.5, 3, true, "nodal", &s->nodal, "neo-hookean");
    parts_add_box(s, 6, 3, false, "nodal", &s->nodal, "neo-hookean")->damping.stiffness = 2e-3;
    carom_sphere_params sphere = {.radius = 0.5, .faces = 80, .center = {8, 0.5, 1}};
    parts_add(s, "sphere", &sphere, "loop-shell", &s->shell, "st-venant-kirchhoff")->damping.stiffness = 1e-4;
    bench_add_bar(&s->b, VECTOR(10, 0, 0), VECTOR(12, 1, 0), 11, VECTOR(0, 0, 0), CAROM_BAR_GREEN);
    bench_add_point(&s->b, VECTOR(9.5, 0, 3), 0.5, VECTOR(0, 1, 0));
    memcpy(s->b.def.gravity, VECTOR(0, 0, -1), sizeof s->b.def.gravity);
    s->b.def.contact.planes = &floor;
    s->b.def.contact.plane_count = 1;
    s->b.def.contact.friction = 0.2;
    parts_act(s);
    // node numbers as in a mesh file
    carom_mesh *mesh = &s->b.meshes[1];
    mesh->node_ids = calloc((size_t)mesh->node_count, sizeof *mesh->node_ids);
    mesh->blocks[0].ids = calloc((size_t)mesh->blocks[0].count, sizeof *mesh->blocks[0].ids);
    assert_true(mesh->node_ids && mesh->blocks[0].ids);
    for (int k = 0; k < mesh->node_count; k++)
        mesh->node_ids[k] = 3 * k + 7;
    for (int e = 0; e < mesh->blocks[0].count; e++)
        mesh->blocks[0].ids[e] = 2 * e + 100;
}

// Quadrilaterals and triangles in the plane, two of which do not touch.
static inline void parts_start_plane(parts_scene *s) {
    static const carom_contact_pair_def pair = {.side = {"body0", "body1"}, .restitution = 0.5, .friction = NAN};
    bench_start(&s->b);
    s->plane = (carom_plane_element_params){.thickness = 0.5, .plane = CAROM_PLANE_STRESS};
    for (int i = 0; i < 2; i++) {
        carom_rectangle_params rectangle = {
            .from = {1.5 * i, 0, 0}, .to = {1.5 * i + 1, 2, 0}, .columns = 5, .rows = 9, .cells = i};
        parts_add(s, "rectangle", &rectangle, i ? "tri3" : "quad4", &s->plane, "neo-hookean");
        memcpy(s->b.bodies[i].velocity, VECTOR(0.1, -0.2, 0), sizeof s->b.bodies[i].velocity);
    }
    s->b.def.contact.pairs = &pair;
    s->b.def.contact.pair_count = 1;
    parts_act(s);
}

// Bodies without contact.
static inline void parts_start_alone(parts_scene *s) {
    bench_start(&s->b);
    parts_add_box(s, 0, 4, false, "hex8", &block_full, "linear");
    s->b.def.contact.enabled = false;
    parts_act(s);
}

static void (*const parts_starts[])(parts_scene *) = {parts_start_solids, parts_start_plane, parts_start_alone};
enum { PARTS_SCENES = sizeof parts_starts / sizeof *parts_starts };

// Owners of all nodes: by bisection, at random, or all of the last process. Free with free().
enum { PARTS_BISECTION, PARTS_RANDOM, PARTS_LAST, PARTS_OWNERS };

static inline int *parts_own(const carom_model *model, int parts, int kind) {
    int *owner = calloc((size_t)model->node_count, sizeof *owner);
    int64_t *weight = calloc((size_t)model->node_count, sizeof *weight);
    assert_true(owner && weight);
    uint64_t seed = (uint64_t)parts;
    carom_partition_weigh(model, weight);
    if (kind == PARTS_BISECTION)
        assert_ok(carom_partition_bisect(model, weight, parts, owner, error));
    for (int k = 0; k < model->node_count && kind != PARTS_BISECTION; k++)
        owner[k] = kind == PARTS_LAST ? parts - 1 : (int)random_real(&seed, 0, parts);
    free(weight);
    return owner;
}

#endif
