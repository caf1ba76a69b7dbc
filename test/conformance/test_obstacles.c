// SPDX-License-Identifier: MIT
// A slab is thrown at obstacles of any shape, at rest and driven, by every method: nothing passes.
//
// Obstacles are triangles that share edges three by three, cross each other and have no area, segments, points, or all of them.
// Two judges: the audit of the surfaces at each step, by exact predicates; and a plain one that knows nothing of contact: a
// node of an obstacle below the slab stays below the underside of the slab, wherever that has gone. It judges throws below the
// speed of sound: a faster slab is draped over the obstacle, and hangs down beside and below its nodes.
#include "../support.h"
#include "carom/mesh.h"
#include "carom/threads.h"
#include "contact/pairs/audit.h"
#include "math/vec3.h"
#include "model/model.h"

enum { TRIANGLES, SEGMENTS, POINTS, MIXED, SHAPES };

enum { VERTICES = 9 };

// Throws of each shape; `test_obstacles METHOD COUNT` makes more of them, `test_obstacles METHOD COUNT FASTEST` from ten up to
// FASTEST thicknesses of the slab in a step.
enum { THROWS = 60, FEW_THROWS = 15 };

static const double thickness = 0.3;

// How a slab is thrown.
typedef struct manner {
    const char *method;
    double slowest, fastest; // powers of ten of the way in a step
    bool may_end;            // a run that ends with a message is no failure: no body stands such a throw
    double overlap;          // that the method allows, in units of the thickness of the slab
} manner;

static const manner by_drift = {"newmark-dcr", -1.5, 0, false, 0}, by_calendar = {"asynchronous", -1.5, -0.7, false, 0},
                    by_points = {"energy-momentum", -1.7, -1.22, false, 0.2};

// A patch of nodes around the origin, below z = 0, whose cells are chosen at random.
static void make_obstacle(int shape, uint64_t *seed, carom_mesh *mesh) {
    static const carom_cell_type types[3] = {CAROM_CELL_TRI3, CAROM_CELL_LINE2, CAROM_CELL_POINT};
    *mesh = (carom_mesh){0};
    int first = shape == MIXED ? 0 : shape;
    assert_ok(carom_mesh_allocate(mesh, VERTICES, types[first], VERTICES, error));
    if (shape == MIXED) {
        assert_ok(carom_mesh_add_block(mesh, CAROM_CELL_LINE2, 4, error));
        assert_ok(carom_mesh_add_block(mesh, CAROM_CELL_POINT, VERTICES, error));
    }
    for (int k = 0; k < VERTICES; k++) {
        mesh->nodes[k][0] = random_real(seed, -0.5, 0.5);
        mesh->nodes[k][1] = random_real(seed, -0.5, 0.5);
        mesh->nodes[k][2] = random_real(seed, -0.6, -0.1);
    }
    // three nodes on a line: a triangle of them has no area
    for (int i = 0; i < 3; i++)
        mesh->nodes[2][i] = 0.5 * (mesh->nodes[0][i] + mesh->nodes[1][i]);
    for (int b = 0; b < mesh->block_count; b++) {
        int size = carom_cell_size(mesh->blocks[b].type);
        for (int c = 0; c < mesh->blocks[b].count; c++)
            for (int i = 0; i < size; i++)
                // cells 0 to 2 of triangles share the edge (0, 3); every node is in some cell
                mesh->blocks[b].nodes[c * size + i] = i == 0 ? c
                                                      : size == 3 && c < 3
                                                          ? (i == 1 ? 3 : 4 + c)
                                                          : (c + 1 + i * (1 + (int)random_real(seed, 0, 3))) % VERTICES;
    }
    for (int b = 0; b < mesh->block_count; b++) {
        int size = carom_cell_size(mesh->blocks[b].type);
        for (int c = 0; c < mesh->blocks[b].count && size > 1; c++) {
            int *n = &mesh->blocks[b].nodes[c * size];
            // a cell with a node twice is none
            while (n[1] == n[0])
                n[1] = (n[1] + 1) % VERTICES;
            while (size == 3 && (n[2] == n[0] || n[2] == n[1]))
                n[2] = (n[2] + 1) % VERTICES;
        }
    }
}

typedef struct throw {
    carom_model *model;
    carom_sim *sim;
    carom_audit audit;
    int slab, obstacle;
    bool slow; // the slab keeps its shape
}
throw;

static void begin(throw *t, int shape, const manner *how, bool driven, bool turning, uint64_t *seed) {
    carom_mesh slab = {0}, mesh;
    carom_box_params box = {.from = {-1.5, -1.5, 0},
                            .to = {1.5, 1.5, thickness},
                            .elements = {3, 3, 1},
                            .cells = CAROM_SOLID_TET4,
                            .grading = {1, 1, 1}};
    assert_ok(carom_mesh_generate((carom_pick){carom_catalogue_find(carom_generators(), "box"), &box}, &slab, error));
    make_obstacle(shape, seed, &mesh);
    double tilt = random_real(seed, -0.2, 0.2), way = pow(10, random_real(seed, how->slowest, how->fastest)), step = 0.001;
    for (int k = 0; k < slab.node_count; k++)
        slab.nodes[k][2] += 0.02 + tilt * slab.nodes[k][0];
    carom_elastic_params law = {.young = 1e7, .poisson = 0.2, .density = 1000};
    carom_tet4_params tet = {0};
    carom_obstacle_def obstacle = carom_default_obstacle_def();
    if (driven) {
        obstacle.velocity[2] = random_real(seed, 0, 0.5) * way / step;
        obstacle.velocity[0] = random_real(seed, -0.01, 0.01) / step;
    }
    if (turning) {
        obstacle.rate = random_real(seed, -0.03, 0.03) / step;
        for (int i = 0; i < 3; i++)
            obstacle.axis[i] = random_real(seed, -1, 1);
    }
    carom_body_def bodies[2] = {carom_default_body_def(), carom_default_body_def()};
    t->slow = way < 0.06;
    t->slab = (int)random_real(seed, 0, 2);
    t->obstacle = !t->slab;
    carom_body_def *flying = &bodies[t->slab], *still = &bodies[t->obstacle];
    strcpy(flying->name, "slab");
    strcpy(still->name, "obstacle");
    flying->mesh = &slab;
    flying->element = (carom_pick){carom_catalogue_find(carom_elements(), "tet4"), &tet};
    flying->material = (carom_pick){carom_catalogue_find(carom_materials(), "linear"), &law};
    flying->velocity[2] = -way / step;
    flying->velocity[0] = random_real(seed, -0.02, 0.02) / step;
    still->mesh = &mesh;
    still->obstacle = &obstacle;
    carom_model_def def = carom_default_model_def();
    def.body_count = 2;
    def.bodies = bodies;
    bool implicit = strcmp(how->method, "nonsmooth-newmark") == 0;
    def.contact.restitution = implicit ? 0 : how->overlap > 0 ? 1 : (int)random_real(seed, 0, 3) / 2.0;
    def.contact.friction = random_real(seed, 0, 1) < 0.5 ? 0 : 0.4;
    assert_ok(carom_model_create(&def, &t->model, error));
    carom_time_def time = carom_default_time_def();
    time.end = 12 * step;
    time.step = step;
    time.on_event = CAROM_ON_EVENT_WARN;
    const carom_kind *kind = carom_catalogue_find(carom_integrators(), how->method);
    void *params = default_params(kind);
    assert_ok(carom_sim_create(t->model, (carom_pick){kind, params}, &time, &t->sim, error));
    free(params);
    assert_ok(carom_audit_create(&t->model->surface, &t->model->exclusions, t->model->immovable, &t->audit, error));
    t->audit.filled = t->model->filled;
    carom_mesh_release(&slab);
    carom_mesh_release(&mesh);
}

static void end(throw *t) {
    carom_audit_release(&t->audit);
    carom_sim_release(t->sim);
    carom_model_release(t->model);
}

// The height of the underside of the slab above a point; HUGE_VAL where it is not above or below it.
static double underside(const throw *t, const double (*x)[3], const double p[3]) {
    const carom_surface *s = &t->model->surface;
    double lowest = HUGE_VAL;
    for (int f = 0; f < s->full_count; f++) {
        if (s->body[f] != t->slab)
            continue;
        const double *a = x[s->faces[f][0]], *b = x[s->faces[f][1]], *c = x[s->faces[f][2]];
        double area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        double u = ((p[0] - a[0]) * (c[1] - a[1]) - (p[1] - a[1]) * (c[0] - a[0])) / area;
        double v = ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])) / area;
        if (area != 0 && u >= 0 && v >= 0 && u + v <= 1)
            lowest = fmin(lowest, a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]));
    }
    return lowest;
}

// How far a point is above the underside of the slab.
static double depth_of(const throw *t, const double (*x)[3], const double p[3]) {
    return p[2] - underside(t, x, p);
}

// How far cells of the obstacle are in the slab, at most: at their nodes and at points between these.
static double depth(const throw *t, const double (*x)[3]) {
    const carom_body *body = &t->model->bodies[t->obstacle];
    double most = -HUGE_VAL;
    for (int b = body->block_begin; b < body->block_begin + body->block_count; b++) {
        const carom_block *block = &t->model->blocks[b];
        int n = block->node_count;
        for (int e = 0; e < block->count; e++)
            for (int i = 0; i <= (n > 1 ? 8 : 0); i++)
                for (int j = 0; j <= (n > 2 ? 8 - i : 0); j++) {
                    const int *nodes = block->nodes + e * n;
                    double p[3] = {0}, weights[3] = {n == 1 ? 1 : n == 2 ? 1 - i / 8.0 : 1 - (i + j) / 8.0, i / 8.0, j / 8.0};
                    for (int a = 0; a < n; a++)
                        carom_add_scaled(weights[a], x[nodes[a]], p);
                    most = fmax(most, depth_of(t, x, p));
                }
    }
    return most;
}

// Nothing is deeper in the slab than contact that overlaps may be.
static void judge_overlap(const throw *t, const manner *how, int shape, uint64_t seed) {
    const double(*x)[3] = carom_state_positions(carom_sim_state(t->sim));
    double most = depth(t, x);
    if (most > how->overlap * thickness)
        fail_msg("%s, shape %d, seed %d, step %d: the obstacle is in the slab by %g", how->method, shape, (int)seed,
                 (int)carom_state_step(carom_sim_state(t->sim)), most);
}

// One throw; returns the number of impulses.
static int64_t fly(int shape, const manner *how, bool driven, bool turning, uint64_t seed) {
    throw t = {0};
    uint64_t state = seed;
    begin(&t, shape, how, driven, turning, &state);
    const double(*x)[3] = carom_state_positions(carom_sim_state(t.sim));
    while (!carom_sim_done(t.sim)) {
        int64_t count;
        carom_error reason = {0};
        if (carom_sim_step(t.sim, &reason) != CAROM_OK) {
            if (!how->may_end)
                fail_msg("%s, shape %d, seed %d: %s", how->method, shape, (int)seed, reason.message);
            break;
        }
        if (how->overlap > 0) {
            judge_overlap(&t, how, shape, seed);
            continue;
        }
        assert_ok(carom_surface_intersections(&t.audit, x, &count, error));
        // a slab of the law `linear` may be turned inside out, and its neighbouring faces fold; this is not judged here
        int64_t folds = 0;
        for (int64_t i = 0; i < t.audit.crossings.count; i++)
            folds +=
                t.model->surface.body[t.audit.crossings.pairs[i][0]] == t.model->surface.body[t.audit.crossings.pairs[i][1]];
        // beside such folds inside and outside are no longer two sides
        int64_t crossed = t.audit.crossings.count - folds, inside = folds ? 0 : count - t.audit.crossings.count;
        if (crossed + inside > 0)
            fail_msg("%s, shape %d, seed %d, step %d: %d faces cross, %d nodes are inside, %d folds, %d holds", how->method,
                     shape, (int)seed, (int)carom_state_step(carom_sim_state(t.sim)), (int)crossed, (int)inside, (int)folds,
                     (int)carom_state_events(carom_sim_state(t.sim), CAROM_EVENT_CONTACT_HELD));
        int begin = carom_model_body_begin(t.model, t.obstacle);
        for (int k = begin; k < begin + VERTICES && t.slow; k++)
            if (t.model->surface.node_body[k] >= 0 && !(underside(&t, x, x[k]) > x[k][2]))
                fail_msg("shape %d, seed %d: node %d has passed", shape, (int)seed, k - begin);
    }
    int64_t events = carom_state_contact_events(carom_sim_state(t.sim));
    end(&t);
    return events;
}

static void throw_many(const manner *how, int count) {
    for (int shape = 0; shape < SHAPES; shape++) {
        int hits = 0;
        for (int i = 0; i < count; i++)
            hits += fly(shape, how, i % 2, i % 4 > 1, 1000 * (uint64_t)shape + (uint64_t)i) > 0;
        // the throws are throws: nearly all hit
        if (hits < 0.9 * count)
            fail_msg("%s, shape %d: only %d of %d hit", how->method, shape, hits, count);
    }
}

static void newmark_dcr(void **state) {
    (void)state;
    throw_many(&by_drift, THROWS);
}

static void asynchronous(void **state) {
    (void)state;
    throw_many(&by_calendar, FEW_THROWS);
}

// Contact at points, which overlaps by a part of a step.
static void energy_momentum(void **state) {
    (void)state;
    throw_many(&by_points, FEW_THROWS);
}

// Ten to 33 thicknesses in a step. These squeeze a face between obstacles until its distance is rounding. Each has passed: a
// pair that separated there turned back and crossed while nobody looked.
static void too_fast(void **state) {
    (void)state;
    const manner how = {"newmark-dcr", 0.47, log10(33 * thickness), true, 0};
    static const int seeds[4] = {643, 1467, 2191, 3453};
    for (int i = 0; i < 4; i++)
        fly(seeds[i] / 1000, &how, seeds[i] % 2, seeds[i] % 4 > 1, (uint64_t)seeds[i]);
}

int main(int argc, char **argv) {
    carom_set_threads(1);
    if (argc > 2) {
        manner how = strcmp(argv[1], by_drift.method) == 0    ? by_drift
                     : strcmp(argv[1], by_points.method) == 0 ? by_points
                                                              : by_calendar;
        how.method = argv[1];
        if (argc > 3)
            how = (manner){argv[1], 0.47, log10(thickness * atof(argv[3])), true, 0};
        throw_many(&how, atoi(argv[2]));
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(newmark_dcr), cmocka_unit_test(asynchronous),
                                       cmocka_unit_test(energy_momentum), cmocka_unit_test(too_fast)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
