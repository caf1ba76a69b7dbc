// SPDX-License-Identifier: MIT
// Tests src/sim/live.c, src/sim/motion.c, src/output/back/view.c, src/model/motion/loads.c, src/model/ask/query.c.
// A simulation driven by a program: forces by functions, reports of impacts, motion set by the program, fields read from
// memory.
#include "../../support.h"
#include "carom/view.h"

// Two cubes of bricks that move towards each other, and their simulation.
typedef struct pair {
    carom_mesh meshes[2];
    carom_body_def bodies[2];
    carom_elastic_params elastic;
    carom_load_def load;
    carom_model_def def;
    carom_model *model;
    carom_sim *sim;
} pair;

static void pair_define(pair *p) {
    *p = (pair){.def = carom_default_model_def(), .load = carom_default_load_def()};
    for (int b = 0; b < 2; b++) {
        carom_box_params box;
        carom_pick pick = carom_pick_of(carom_generators(), "box", &box, NULL);
        memcpy(box.from, VECTOR(1.25 * b, 0.1 * b, 0), sizeof box.from);
        memcpy(box.to, VECTOR(1.25 * b + 1, 0.1 * b + 1, 1), sizeof box.to);
        box.elements[0] = box.elements[1] = box.elements[2] = 2;
        assert_ok(carom_mesh_generate(pick, &p->meshes[b], error));
        p->bodies[b] = carom_default_body_def();
        strcpy(p->bodies[b].name, b ? "right" : "left");
        p->bodies[b].mesh = &p->meshes[b];
        p->bodies[b].velocity[0] = b ? -1 : 1;
        p->bodies[b].element = carom_pick_of(carom_elements(), "hex8", NULL, NULL);
        p->bodies[b].material = carom_pick_of(carom_materials(), "st-venant-kirchhoff", &p->elastic, NULL);
    }
    p->elastic = (carom_elastic_params){.young = 100, .poisson = 0.3, .density = 1};
    p->def.bodies = p->bodies;
    p->def.body_count = 2;
    p->def.contact.friction = 0.2;
}

static void pair_create(pair *p, const char *method) {
    assert_ok(carom_model_create(&p->def, &p->model, error));
    carom_time_def time = carom_default_time_def();
    time.end = 1;
    time.safety = 0.1;
    if (strcmp(method, "energy-momentum") == 0 || strcmp(method, "nonsmooth-newmark") == 0)
        time.step = 0.004;
    assert_ok(carom_sim_create(p->model, carom_pick_of(carom_integrators(), method, NULL, NULL), &time, &p->sim, error));
}

static void pair_release(pair *p) {
    carom_sim_release(p->sim);
    carom_model_release(p->model);
    carom_mesh_release(&p->meshes[0]);
    carom_mesh_release(&p->meshes[1]);
}

static void runs_until(void **state) {
    (void)state;
    pair p;
    pair_define(&p);
    pair_create(&p, "newmark-dcr");
    double step = carom_sim_step_size(p.sim);
    assert_ok(carom_sim_run_until(p.sim, 10 * step, error));
    assert_int_equal(carom_state_step(carom_sim_state(p.sim)), 10);
    assert_ok(carom_sim_run_until(p.sim, 10.5 * step, error));
    assert_int_equal(carom_state_step(carom_sim_state(p.sim)), 11);
    assert_ok(carom_sim_run_until(p.sim, 3 * step, error));
    assert_int_equal(carom_state_step(carom_sim_state(p.sim)), 11);
    assert_ok(carom_sim_run_until(p.sim, HUGE_VAL, error));
    assert_true(carom_sim_done(p.sim));
    pair_release(&p);
}

// Sums of the reported impulses.
typedef struct tally {
    int64_t count;
    double impulse[3], restitution, friction, last_time;
    int64_t last_step;
} tally;

static void listen(void *context, const carom_sim *sim, const carom_hit_report *impact) {
    tally *t = context;
    t->count++;
    // impulses are converted to those on the left body
    double sign = impact->contact.body[0] == 0 ? 1 : -1;
    for (int i = 0; i < 3; i++)
        t->impulse[i] += sign * impact->impulse[i];
    t->restitution += impact->restitution;
    t->friction += impact->friction;
    assert_true(impact->time >= t->last_time && impact->step >= t->last_step);
    assert_near(carom_state_step(carom_sim_state(sim)), impact->step, 1);
    double along = 0;
    for (int i = 0; i < 3; i++)
        along += impact->normal[i] * impact->impulse[i];
    assert_near(along, impact->normal_impulse, 1e-15);
    t->last_time = impact->time;
    t->last_step = impact->step;
}

// The reported impulses are the momentum change of the left body and those of the ledger, and reports do not change the motion.
static void reports_impacts(void **state) {
    (void)state;
    static const char *const methods[] = {"newmark-dcr", "asynchronous", "energy-momentum", "nonsmooth-newmark"};
    for (int m = 0; m < 4; m++) {
        uint64_t hash[2];
        for (int listening = 0; listening < 2; listening++) {
            pair p;
            tally t = {0};
            pair_define(&p);
            p.def.contact.restitution = (const double[]){0.5, 0.5, 1, 0}[m];
            p.def.contact.friction = m == 2 ? 0 : 0.2;
            pair_create(&p, methods[m]);
            if (listening)
                carom_sim_on_hit(p.sim, listen, &t);
            assert_ok(carom_sim_run_until(p.sim, 1, error));
            const carom_state *now = carom_sim_state(p.sim);
            hash[listening] = carom_state_hash(now);
            carom_pair_record record = carom_state_pair(now, 0);
            carom_ledger_row row = carom_sim_ledger(p.sim);
            if (listening) {
                assert_int_equal(t.count, carom_state_contact_events(now));
                assert_true(t.count > 0 && t.impulse[0] < -1);
                for (int i = 0; i < 3; i++)
                    assert_near(t.impulse[i], record.push[i], 1e-12);
                assert_near(t.restitution, row.restitution, 1e-12);
                assert_near(t.friction, row.friction, 1e-12);
                assert_true(m >= 2 || row.restitution + row.friction > 0);
            }
            pair_release(&p);
        }
        assert_true(hash[0] == hash[1]);
    }
}

// A spring from the first node of the left cube to its initial position, and a varying force on all other nodes.
static void pull(void *context, double time, int node, const double (*x)[3], double force[3]) {
    const double *stiffness = context;
    if (node == 0)
        for (int i = 0; i < 3; i++)
            force[i] = -*stiffness * x[0][i];
    else
        force[1] = 0.3 * sin(7 * time);
}

// The work of a force by the program is recorded: the residual is like that of a run without it.
static void force_of_the_program(void **state) {
    (void)state;
    static const char *const methods[] = {"newmark-dcr", "asynchronous", "energy-momentum", "nonsmooth-newmark"};
    static double stiffness = 4;
    for (int m = 0; m < 4; m++) {
        pair p;
        pair_define(&p);
        p.def.contact.enabled = false;
        strcpy(p.load.where.body, "left");
        p.load.function = pull;
        p.load.context = &stiffness;
        p.def.loads = &p.load;
        p.def.load_count = 1;
        pair_create(&p, methods[m]);
        carom_ledger_row first = carom_sim_ledger(p.sim);
        assert_ok(carom_sim_run_until(p.sim, 0.2, error));
        carom_ledger_row row = carom_sim_ledger(p.sim);
        assert_true(fabs(row.external) > 1e-3);
        if (!(fabs(row.residual) < 1e-3 * first.total))
            fail_msg("%s: residual %g of %g", methods[m], row.residual, first.total);
        pair_release(&p);
    }
}

// A force towards the first node of the other body.
static void follow(void *context, double time, int node, const double (*x)[3], double force[3]) {
    (void)time;
    for (int i = 0; i < 3; i++)
        force[i] = 0.1 * (x[*(const int *)context][i] - x[node][i]);
}

// A force function receives the positions of all nodes, also of those on which it does not act.
static void force_sees_all_nodes(void **state) {
    (void)state;
    static const char *const methods[] = {"newmark-dcr", "asynchronous"};
    double place[2];
    for (int m = 0; m < 2; m++) {
        pair p;
        int other = 0;
        pair_define(&p);
        p.def.contact.enabled = false;
        strcpy(p.load.where.body, "left");
        p.load.function = follow;
        p.load.context = &other;
        p.def.loads = &p.load;
        p.def.load_count = 1;
        pair_create(&p, methods[m]);
        other = carom_model_body_begin(p.model, 1);
        assert_ok(carom_sim_run_until(p.sim, 1, error));
        carom_selection where = carom_default_selection();
        strcpy(where.body, "left");
        carom_probe_reading reading;
        assert_ok(carom_sim_probe(p.sim, &where, &reading, error));
        place[m] = reading.position[0];
        pair_release(&p);
    }
    assert_near(place[1], place[0], 1e-2);
}

static void lift(void *context, double time, int node, const double (*x)[3], double force[3]) {
    (void)context, (void)time, (void)node, (void)x;
    force[0] = 1;
    force[2] = 1;
}

// A plane body has no stiffness along z: forces along z are ignored.
static void force_stays_in_plane(void **state) {
    (void)state;
    carom_mesh mesh;
    carom_rectangle_params rectangle;
    carom_plane_element_params plane;
    carom_pick pick = carom_pick_of(carom_generators(), "rectangle", &rectangle, NULL);
    rectangle.columns = rectangle.rows = 2;
    rectangle.to[0] = rectangle.to[1] = 1;
    assert_ok(carom_mesh_generate(pick, &mesh, error));
    pair p = {.def = carom_default_model_def(), .load = carom_default_load_def()};
    p.bodies[0] = carom_default_body_def();
    strcpy(p.bodies[0].name, "sheet");
    p.bodies[0].mesh = &mesh;
    p.bodies[0].element = carom_pick_of(carom_elements(), "quad4", &plane, NULL);
    p.bodies[0].material = carom_pick_of(carom_materials(), "st-venant-kirchhoff", &p.elastic, NULL);
    p.elastic = (carom_elastic_params){.young = 100, .poisson = 0.3, .density = 1};
    strcpy(p.load.where.body, "sheet");
    p.load.function = lift;
    p.def.bodies = p.bodies;
    p.def.body_count = 1;
    p.def.loads = &p.load;
    p.def.load_count = 1;
    pair_create(&p, "newmark-dcr");
    assert_ok(carom_sim_run_until(p.sim, 0.5, error));
    for (int k = 0; k < carom_model_node_count(p.model); k++) {
        const double *x = carom_state_positions(carom_sim_state(p.sim))[k];
        assert_true(x[0] > carom_model_reference(p.model)[k][0] && x[2] == 0);
    }
    carom_sim_release(p.sim);
    carom_model_release(p.model);
    carom_mesh_release(&mesh);
}

// Motion set during a run: the run continues from it, and the ledger balances.
static void sets_motion(void **state) {
    (void)state;
    static const char *const methods[] = {"newmark-dcr", "multisymplectic", "energy-momentum", "nonsmooth-newmark"};
    for (int m = 0; m < 4; m++) {
        pair p;
        pair_define(&p);
        if (m == 1)
            p.def.contact.enabled = false;
        p.def.contact.friction = 0;
        p.def.contact.restitution = 1;
        pair_create(&p, methods[m]);
        assert_ok(carom_sim_run_until(p.sim, 0.05, error));
        const carom_state *now = carom_sim_state(p.sim);
        int nodes = carom_model_node_count(p.model);
        double(*v)[3] = malloc((size_t)nodes * sizeof *v), time = carom_state_time(now);
        for (int k = 0; k < nodes; k++)
            for (int i = 0; i < 3; i++)
                v[k][i] = carom_model_node_body(p.model, k) == 0 ? 3 * (i == 0) : 0;
        carom_ledger_row before = carom_sim_ledger(p.sim);
        assert_ok(carom_sim_set_motion(p.sim, NULL, v, error));
        assert_ptr_equal(carom_sim_state(p.sim), now);
        carom_ledger_row after = carom_sim_ledger(p.sim);
        assert_true(carom_state_time(now) == time);
        assert_near(after.kinetic, 4.5, 1e-2);
        assert_near(after.residual, before.residual, 1e-12);
        assert_near(after.total, before.total, 1e-12);
        assert_ok(carom_sim_run_until(p.sim, 0.3, error));
        carom_ledger_row end = carom_sim_ledger(p.sim);
        if (!(fabs(end.residual) < 0.02))
            fail_msg("%s: residual %g", methods[m], end.residual);
        assert_near(end.momentum[0], 3, 1e-9);

        // invalid motion is refused, and the state does not change
        uint64_t hash = carom_state_hash(now);
        v[0][0] = NAN;
        assert_refused(carom_sim_set_motion(p.sim, NULL, (const double(*)[3])v, error), CAROM_BAD_INPUT, "not finite");
        memcpy(v, carom_state_positions(now), (size_t)nodes * sizeof *v);
        for (int k = carom_model_body_begin(p.model, 1); k < nodes; k++)
            v[k][0] -= 0.5;
        if (m != 1)
            assert_refused(carom_sim_set_motion(p.sim, (const double(*)[3])v, NULL, error), CAROM_BAD_INPUT, "intersect");
        assert_true(carom_state_hash(now) == hash);
        free(v);
        pair_release(&p);
    }
    pair p;
    pair_define(&p);
    pair_create(&p, "asynchronous");
    assert_ok(carom_sim_set_motion(p.sim, carom_model_reference(p.model), NULL, error));
    assert_ok(carom_sim_step(p.sim, error));
    assert_refused(carom_sim_set_motion(p.sim, NULL, NULL, error), CAROM_BAD_INPUT, "at different times");
    pair_release(&p);
}

// A cube at rest on a plane.
static void block_create(pair *p) {
    static carom_plane_def plane;
    pair_define(p);
    plane = carom_default_plane_def();
    p->def.body_count = 1;
    p->bodies[0].velocity[0] = 0;
    p->def.contact.planes = &plane;
    p->def.contact.plane_count = 1;
    p->def.contact.restitution = 0;
    p->def.gravity[2] = -1;
    pair_create(p, "newmark-dcr");
}

static void set_own_velocities(pair *p) {
    size_t size = (size_t)carom_model_node_count(p->model) * sizeof(double[3]);
    double(*v)[3] = malloc(size);
    memcpy(v, carom_state_velocities(carom_sim_state(p->sim)), size);
    assert_ok(carom_sim_set_motion(p->sim, NULL, (const double(*)[3])v, error));
    free(v);
}

// Setting the present motion, before the first step and after each, changes neither impulses nor records nor reports.
static void counts_contact_once(void **state) {
    (void)state;
    double told[2], push[2], nodal[2];
    int64_t hits[2], events[2], pair_events[2];
    for (int set = 0; set < 2; set++) {
        pair p;
        tally t = {0};
        block_create(&p);
        carom_sim_on_hit(p.sim, listen, &t);
        for (int n = 0; n < 20; n++) {
            if (set)
                set_own_velocities(&p);
            assert_ok(carom_sim_step(p.sim, error));
        }
        const carom_state *now = carom_sim_state(p.sim);
        carom_pair_record record = carom_state_pair(now, 0);
        told[set] = t.impulse[2];
        hits[set] = t.count;
        push[set] = record.push[2];
        pair_events[set] = record.events;
        events[set] = carom_state_contact_events(now);
        nodal[set] = 0;
        for (int k = 0; k < carom_model_node_count(p.model); k++)
            nodal[set] += carom_state_impulses(now)[k][2];
        pair_release(&p);
    }
    assert_near(told[0], nodal[0], 1e-12);
    assert_near(told[1], told[0], 1e-9);
    assert_near(push[1], push[0], 1e-9);
    assert_near(nodal[1], nodal[0], 1e-9);
    assert_int_equal(hits[1], hits[0]);
    assert_int_equal(events[1], events[0]);
    assert_int_equal(pair_events[1], pair_events[0]);
}

// Positions that invert an element, and speeds whose squares overflow, are refused; the run then continues unchanged.
static void refuses_motion(void **state) {
    (void)state;
    uint64_t hash[2];
    for (int ask = 0; ask < 2; ask++) {
        pair p;
        pair_define(&p);
        pair_create(&p, "newmark-dcr");
        for (int n = 0; n < 30; n++)
            assert_ok(carom_sim_step(p.sim, error));
        const carom_state *now = carom_sim_state(p.sim);
        int nodes = carom_model_node_count(p.model);
        double(*y)[3] = malloc((size_t)nodes * sizeof *y);
        memcpy(y, carom_state_positions(now), (size_t)nodes * sizeof *y);
        for (int i = 0; i < 3; i++)
            y[13][i] += 0.49 + 0.3 * (i == 0);
        if (ask) {
            assert_refused(carom_sim_set_motion(p.sim, (const double(*)[3])y, NULL, error), CAROM_BAD_INPUT, "inside out");
            y[13][0] = 1e200;
            assert_refused(carom_sim_set_motion(p.sim, NULL, (const double(*)[3])y, error), CAROM_BAD_INPUT, "too large");
        }
        free(y);
        assert_int_equal(carom_state_step(now), 30);
        assert_ok(carom_sim_run_until(p.sim, 0.5, error));
        hash[ask] = carom_state_hash(now);
        pair_release(&p);
    }
    assert_true(hash[0] == hash[1]);
}

static void reads_fields(void **state) {
    (void)state;
    pair p;
    pair_define(&p);
    pair_create(&p, "newmark-dcr");
    assert_ok(carom_sim_run_until(p.sim, 0.2, error));
    const carom_state *now = carom_sim_state(p.sim);
    carom_view *view;
    assert_ok(carom_view_create(p.model, carom_sim_integrator(p.sim), &view, error));
    int cells = carom_view_cell_count(view), points = carom_view_point_count(view);
    assert_int_equal(cells, carom_model_element_count(p.model));
    assert_int_equal(points, carom_model_node_count(p.model));
    // cells are the elements of the blocks, one after another
    const carom_block *block = carom_model_block(p.model, 1);
    carom_view_cell last = carom_view_cell_at(view, cells - 1);
    assert_true(last.body == 1 && last.point_count == 8 && last.vtk_type == 12 && block->body == 1);
    for (int a = 0; a < 8; a++)
        assert_int_equal(last.points[a], block->nodes[8 * (block->count - 1) + a]);

    double *x = malloc(3 * (size_t)points * sizeof *x), *stress = malloc(6 * (size_t)cells * sizeof *stress),
           *mises = malloc((size_t)cells * sizeof *mises);
    assert_ok(carom_view_read(view, now, "position", x, 3 * (int64_t)points, error));
    assert_memory_equal(x, carom_state_positions(now), 3 * (size_t)points * sizeof *x);
    assert_ok(carom_view_read(view, now, "stress", stress, 6 * (int64_t)cells, error));
    assert_ok(carom_view_read(view, now, "von_mises", mises, cells, error));
    for (int c = 0; c < cells; c++) {
        const double *s = &stress[6 * c];
        double j2 = 0.5 * (pow(s[0] - s[1], 2) + pow(s[1] - s[2], 2) + pow(s[2] - s[0], 2)) +
                    3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
        assert_near(mises[c], sqrt(j2), 0.05 * (1 + mises[c]));
    }
    assert_refused(carom_view_read(view, now, "von_mise", mises, cells, error), CAROM_BAD_INPUT, "did you mean 'von_mises'?");
    assert_refused(carom_view_read(view, now, "stress", stress, cells, error), CAROM_BAD_INPUT, "has 96 numbers");

    // faces and probes
    assert_int_equal(carom_model_face_count(p.model), 2 * 6 * 4 * 2);
    carom_face face = carom_model_face(p.model, 0);
    assert_true(face.corners == 3 && face.body == 0 && carom_model_node_body(p.model, face.nodes[2]) == 0);
    carom_selection where = carom_default_selection();
    strcpy(where.body, "right");
    carom_probe_reading reading;
    assert_ok(carom_sim_probe(p.sim, &where, &reading, error));
    assert_near(reading.position[0] - 1.75, reading.displacement[0], 1e-12);
    free(x);
    free(stress);
    free(mises);
    carom_view_release(view);
    pair_release(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_until),          cmocka_unit_test(reports_impacts),      cmocka_unit_test(force_of_the_program),
        cmocka_unit_test(sets_motion),         cmocka_unit_test(force_sees_all_nodes), cmocka_unit_test(force_stays_in_plane),
        cmocka_unit_test(counts_contact_once), cmocka_unit_test(refuses_motion),       cmocka_unit_test(reads_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
