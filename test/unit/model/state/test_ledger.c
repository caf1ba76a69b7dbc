// SPDX-License-Identifier: MIT
// Tests src/model/state/ledger.c.
// The ledger balances: the losses by contact against an independent energy balance, momenta against the recorded impulses.
//
// Energies, forces and momenta are computed here from positions and velocities alone, by separate formulas.
#include "../../../support.h"
#include "carom/threads.h"
#include "integrator/stepper.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/state/accounts.h"
#include "model/state/ledger.h"

typedef struct account {
    double kinetic, stored, load; // energies; `load` is the potential of gravity and dead loads
    double correction;            // (h^2/8) f.M^-1 f over the free directions
    double p[3], l[3];
    double p_scale, l_scale; // sum m |v|, sum m |x| |v|
} account;

enum { NODES = 256 };

// Forces of bars and loads; also finds the stored energy and the potential of the loads.
static void forces(const carom_model *m, const double (*x)[3], double (*f)[3], double *stored, double *load) {
    *stored = *load = 0;
    for (int k = 0; k < m->node_count; k++)
        for (int i = 0; i < 3; i++) {
            f[k][i] = m->load[k][i];
            *load -= m->load[k][i] * (x[k][i] - m->X[k][i]);
        }
    for (int b = 0; b < m->block_count; b++) {
        const carom_block *block = &m->blocks[b];
        if (block->element->node_count != 2)
            continue;
        const carom_bar_params *bar = block->params;
        const carom_elastic_params *law = block->material_params;
        for (int e = 0; e < block->count; e++) {
            int n[2] = {block->nodes[2 * e], block->nodes[2 * e + 1]};
            double D[3], d[3];
            carom_difference(m->X[n[1]], m->X[n[0]], D);
            carom_difference(x[n[1]], x[n[0]], d);
            double L = carom_norm(D), EA = law->young * bar->area, tension[3], strain;
            if (bar->strain == CAROM_BAR_GREEN)
                strain = 0.5 * (carom_dot(d, d) - L * L) / (L * L);
            else
                strain = (carom_dot(d, D) / L - L) / L;
            for (int i = 0; i < 3; i++)
                tension[i] = EA * strain * (bar->strain == CAROM_BAR_GREEN ? d[i] : D[i]) / L;
            *stored += 0.5 * EA * L * strain * strain;
            carom_add_scaled(1, tension, f[n[0]]);
            carom_add_scaled(-1, tension, f[n[1]]);
        }
    }
}

static account account_of(const carom_model *m, const double (*x)[3], const double (*v)[3], double h) {
    account a = {0};
    double f[NODES][3];
    assert_true(m->node_count <= NODES);
    forces(m, x, f, &a.stored, &a.load);
    for (int k = 0; k < m->node_count; k++) {
        double moment[3];
        a.kinetic += 0.5 * m->mass[k] * carom_dot(v[k], v[k]);
        carom_cross(x[k], v[k], moment);
        carom_add_scaled(m->mass[k], v[k], a.p);
        carom_add_scaled(m->mass[k], moment, a.l);
        a.p_scale += m->mass[k] * carom_norm(v[k]);
        a.l_scale += m->mass[k] * carom_norm(v[k]) * carom_norm(x[k]);
        const carom_restraint *r = carom_restraint_of(&m->restraints, k);
        for (int d = 0; r && d < r->count; d++)
            carom_add_scaled(-carom_dot(r->direction[d], f[k]), r->direction[d], f[k]);
        a.correction += h * h / 8 * carom_dot(f[k], f[k]) / m->mass[k];
    }
    return a;
}

static double kinetic(const carom_model *m, const double (*v)[3]) {
    double k = 0;
    for (int i = 0; i < m->node_count; i++)
        k += 0.5 * m->mass[i] * carom_dot(v[i], v[i]);
    return k;
}

typedef struct flight {
    carom_stepper stepper;
    carom_state *state;
} flight;

static void fly_start(flight *f, const carom_model *model, double step) {
    *f = (flight){.stepper = {.method = &carom_integrator_newmark_dcr, .model = model, .step = step}};
    assert_ok(carom_state_create(model, &f->state, error));
    assert_ok(f->stepper.method->setup(&f->stepper, f->state, error));
}

static void fly(flight *f) {
    assert_ok(f->stepper.method->step(&f->stepper, f->state, error));
}

static void fly_end(flight *f) {
    f->stepper.method->release(&f->stepper);
    carom_state_release(f->state);
}

static account account_now(const flight *f) {
    return account_of(f->state->model, (const double(*)[3])f->state->x, (const double(*)[3])f->state->v, f->stepper.step);
}

static double losses(const flight *f) {
    carom_ledger_row row = carom_stepper_ledger(&f->stepper, f->state);
    return row.friction + row.restitution + row.projection;
}

static const carom_plane_def floor_plane = {.name = "floor", .point = {0, 0, -0.5}, .normal = {0, 0, 1}};

// The impact of two bars of the DCR paper.
static void two_bars(bench *b) {
    bench_start(b);
    bench_add_bar(b, VECTOR(-10, 0, 0), VECTOR(0, 0, 0), 100, VECTOR(0.1, 0, 0), CAROM_BAR_SMALL);
    bench_add_bar(b, VECTOR(0, 0, 0), VECTOR(10, 0, 0), 100, VECTOR(-0.1, 0, 0), CAROM_BAR_SMALL);
}

// A row of different bars with unequal elements and a mass, hit from one side.
static void mixed_row(bench *b) {
    bench_start(b);
    bench_add_bar(b, VECTOR(0, 1, 0), VECTOR(3, 1, 0), 13, VECTOR(0.4, 0, 0), CAROM_BAR_SMALL);
    bench_add_bar(b, VECTOR(5, 1, 0), VECTOR(3.1, 1, 0), 9, VECTOR(-0.1, 0, 0), CAROM_BAR_GREEN);
    bench_add_point(b, VECTOR(5.05, 1, 0), 0.7, VECTOR(-0.2, 0, 0));
    b->bars[1].area = 2;
    b->materials[1].young = 3;
}

// Bars with Green's strain and a mass that fall on a floor and slide: gravity, a dead load, a plane, a fixed and a driven node.
static carom_restraint_def fall_restraints[2];
static carom_load_def fall_load;

static void fall(bench *b, bool restrained) {
    bench_start(b);
    bench_add_bar(b, VECTOR(0, 0, 0), VECTOR(2, 0, 0.3), 10, VECTOR(0.5, 0.3, 0), CAROM_BAR_GREEN);
    bench_add_bar(b, VECTOR(0, 3, -0.4), VECTOR(1, 3, 0.5), 6, VECTOR(0, -0.4, 0.1), CAROM_BAR_GREEN);
    bench_add_point(b, VECTOR(-1, 1, 0), 0.8, VECTOR(1, 0.2, 0));
    bench_add_point(b, VECTOR(-3, -1, -0.5), 0.5, VECTOR(0.7, 0, 0));
    b->def.contact.planes = &floor_plane;
    b->def.contact.plane_count = 1;
    memcpy(b->def.gravity, VECTOR(0.1, 0, -1), sizeof b->def.gravity);
    fall_load = (carom_load_def){.where = {.body = "body0", .set = "end", .node = CAROM_AUTO}, .force = {0.1, -0.2, 0.05}};
    b->def.loads = &fall_load;
    b->def.load_count = 1;
    fall_restraints[0] = (carom_restraint_def){.where = {.body = "body1", .set = "end", .node = CAROM_AUTO},
                                               .direction_count = 3,
                                               .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    fall_restraints[1] = (carom_restraint_def){.where = {.body = "body0", .set = "start", .node = CAROM_AUTO},
                                               .direction_count = 1,
                                               .direction = {{1, 1, 0}},
                                               .velocity = {0.3, 0.3, 0}};
    b->def.restraints = fall_restraints;
    b->def.restraint_count = restrained ? 2 : 0;
}

// Every step is made twice from the same state, with and without contact. The map without contact conserves
// E - (h^2/8) f.M^-1 f; contact reduces it by the amounts in the ledger.
static void compare_with_no_contact(bench *b, double step, int steps, int least_contacts) {
    b->def.contact.resolve = CAROM_RESOLVE_PROJECTION;
    bench_build(b);
    carom_model *with = b->model, *without;
    b->def.contact.enabled = false;
    assert_ok(carom_model_create(&b->def, &without, error));
    flight real, free;
    fly_start(&real, with, step);
    fly_start(&free, without, step);
    double scale = 0;
    int contacts = 0;
    for (int s = 0; s < steps; s++) {
        carom_state_copy(free.state, real.state);
        double before = losses(&real);
        fly(&real);
        fly(&free);
        account a = account_now(&real), n = account_now(&free);
        // the work of prescribed motion is supplied in both steps
        double paid = carom_accounts_value(&real.state->books.booked).drive_work -
                      carom_accounts_value(&real.state->books.pending).drive_work;
        double paid_free = carom_accounts_value(&free.state->books.booked).drive_work -
                           carom_accounts_value(&free.state->books.pending).drive_work;
        double left = a.kinetic + a.stored + a.load - a.correction - paid;
        double left_free = n.kinetic + n.stored + n.load - n.correction - paid_free;
        scale = fmax(scale, a.kinetic + a.stored);
        assert_near(left_free - left, losses(&real) - before, 1e-12 * scale);
        contacts += real.state->books.contacts > 0;
        if (!real.state->books.contacts)
            assert_true(losses(&real) == before);
    }
    assert_true(contacts >= least_contacts);
    fly_end(&real);
    fly_end(&free);
    carom_model_release(without);
    bench_end(b);
}

static void projection(void **state) {
    (void)state;
    bench b;
    for (int e = 0; e <= 2; e++) {
        two_bars(&b);
        b.def.contact.restitution = 0.5 * e;
        compare_with_no_contact(&b, 0.05, 500, 100);
        mixed_row(&b);
        b.def.contact.restitution = 0.5 * e;
        compare_with_no_contact(&b, 0.04, 500, 8);
        for (int restrained = 0; restrained < 2; restrained++) {
            fall(&b, restrained);
            b.def.contact.restitution = 0.5 * e;
            b.def.contact.friction = 0.3;
            compare_with_no_contact(&b, 0.02, 300, 100);
        }
    }
}

// Linear bars conserve this energy exactly between contacts, so that the ledger explains the whole run.
static void projection_whole_run(void **state) {
    (void)state;
    bench b;
    two_bars(&b);
    b.def.contact.resolve = CAROM_RESOLVE_PROJECTION;
    b.def.contact.restitution = 0.7;
    bench_build(&b);
    flight f;
    fly_start(&f, b.model, 0.05);
    account start = account_now(&f);
    double begin = start.kinetic + start.stored - start.correction;
    for (int s = 0; s < 800; s++) {
        fly(&f);
        account a = account_now(&f);
        assert_near(a.kinetic + a.stored - a.correction + losses(&f), begin, 1e-12 * begin);
    }
    assert_true(losses(&f) > 1e-3 * begin);
    fly_end(&f);
    bench_end(&b);
}

// One step from drift velocities w to w+, with w' in between: v = (w' + w+)/2. Impacts take K(w) - K(w'); kick and resting
// contacts give h f.v - (their loss) + (work of drives). All of it is exact with restitution 0. With other restitution the
// ledger records the energy lost by an impact during a continuous force, not the change of K; test_repay.c checks this.
static void follow_kinetic_energy(bench *b, double step, int steps, bool frictionless, int least_contacts) {
    bool exact = b->def.contact.restitution == 0;
    b->def.contact.resolve = CAROM_RESOLVE_EXACT;
    bench_build(b);
    const carom_model *m = b->model;
    flight fl;
    fly_start(&fl, m, step);
    carom_state *s = fl.state;
    double(*w)[3] = (double(*)[3])carom_state_find_array(s, "drift velocities"), scale = 1e-3;
    int64_t contacts = 0;
    for (int i = 0; i < steps; i++) {
        double K = kinetic(m, (const double(*)[3])w), stored, load, arrived[NODES][3], f[NODES][3], work = 0;
        carom_accounts before = carom_accounts_value(&s->books.booked);
        fly(&fl);
        const carom_accounts now = carom_accounts_value(&s->books.booked), *after = &now;
        forces(m, (const double(*)[3])s->x, f, &stored, &load);
        for (int k = 0; k < m->node_count; k++) {
            work += step * carom_dot(f[k], s->v[k]);
            for (int j = 0; j < 3; j++)
                arrived[k][j] = 2 * s->v[k][j] - w[k][j];
        }
        scale = fmax(scale, K + stored);
        double lost =
            after->friction - before.friction + after->restitution - before.restitution + after->projection - before.projection;
        double driven = after->drive_work - before.drive_work;
        if (exact)
            assert_near(kinetic(m, (const double(*)[3])w) - K, work - lost + driven, 1e-12 * scale);

        // losses never decrease
        assert_true(after->friction >= before.friction && after->restitution >= before.restitution);
        // without friction and drives, impacts alone explain the loss by restitution
        if (exact && frictionless)
            assert_near(K - kinetic(m, (const double(*)[3])arrived), after->restitution - before.restitution, 1e-12 * scale);
        contacts += s->books.contacts;
    }
    assert_true(contacts >= least_contacts);
    fly_end(&fl);
    bench_end(b);
}

static void drift(void **state) {
    (void)state;
    bench b;
    for (int e = 0; e <= 2; e++) {
        two_bars(&b);
        b.def.contact.restitution = 0.5 * e;
        follow_kinetic_energy(&b, 0.05, 500, true, 100);
        mixed_row(&b);
        b.def.contact.restitution = 0.5 * e;
        follow_kinetic_energy(&b, 0.04, 1000, true, 8);
        for (int friction = 0; friction < 2; friction++) {
            fall(&b, false);
            b.def.contact.restitution = 0.5 * e;
            b.def.contact.friction = 0.3 * friction;
            follow_kinetic_energy(&b, 0.02, 1000, !friction, 100);
            fall(&b, true);
            b.def.contact.restitution = 0.5 * e;
            b.def.contact.friction = 0.3 * friction;
            follow_kinetic_energy(&b, 0.02, 1000, false, 100);
        }
    }
}

// A mass that slides with uniform deceleration: half of the friction of a kick belongs to the time after it, so that the ledger
// explains the energy at every time up to a constant, and completely once the mass has stopped.
static void sliding(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    bench_add_point(&b, VECTOR(0, 0, -0.5), 2, VECTOR(3, 4, 0));
    b.def.contact.planes = &floor_plane;
    b.def.contact.plane_count = 1;
    b.def.contact.friction = 0.25;
    memcpy(b.def.gravity, VECTOR(0, 0, -10), sizeof b.def.gravity);
    bench_build(&b);
    flight f;
    fly_start(&f, b.model, 0.01);
    for (int s = 1; s < 199; s++) {
        fly(&f);
        carom_ledger_row row = carom_stepper_ledger(&f.stepper, f.state);
        double speed = 5 - 2.5 * row.time;
        assert_near(row.kinetic, speed * speed, 1e-12);
        // the energy that is conserved is E - (h^2/8) f.M^-1 f, with the friction F = mu m g among the forces
        double offset = 0.01 * 0.01 / 8 * 5 * 5 / 2;
        assert_near(row.friction, 25 - speed * speed - offset, 1e-12);
        assert_near(row.residual + row.oscillation, -offset, 1e-12);
        assert_near(row.residual, 0, 1e-12);
    }
    fly_end(&f);
    bench_end(&b);
}

// The changes of momenta are the recorded external impulses.
static void follow_momenta(bench *b, double step, int steps, bool angular) {
    bench_build(b);
    flight f;
    fly_start(&f, b->model, step);
    account first = account_now(&f);
    double scale = 0, moments = 0, weight = 0;
    for (int k = 0; b->model->loaded && k < b->model->node_count; k++)
        weight += carom_norm(b->model->load[k]);
    for (int s = 0; s < steps; s++) {
        fly(&f);
        account a = account_now(&f);
        carom_ledger_row row = carom_stepper_ledger(&f.stepper, f.state);
        carom_accounts booked = carom_ledger_accounts(f.state);
        scale = fmax(scale, a.p_scale);
        moments = fmax(moments, a.l_scale);
        for (int i = 0; i < 3; i++) {
            assert_near(row.momentum[i], a.p[i], 1e-13 * scale);
            assert_near(row.angular_momentum[i], a.l[i], 1e-13 * moments);
            // the tolerance is relative to the impulses of the loads as well
            assert_near(a.p[i] - first.p[i], booked.impulse[i], 1e-13 * fmax(scale, f.state->time * weight));
            if (angular)
                assert_near(a.l[i] - first.l[i], booked.angular_impulse[i], 1e-13 * moments);
        }
    }
    assert_true(f.state->books.contact_events > 20);
    fly_end(&f);
    bench_end(b);
}

static void momenta(void **state) {
    (void)state;
    bench b;
    for (int trial = 0; trial < 24; trial++) {
        bool restrained = trial & 1, projects = trial & 2, friction = trial & 4;
        fall(&b, restrained);
        b.def.contact.restitution = trial / 8 * 0.5;
        b.def.contact.friction = friction ? 0.3 : 0;
        b.def.contact.resolve = projects ? CAROM_RESOLVE_PROJECTION : CAROM_RESOLVE_EXACT;
        // a projection moves mass across its velocity, which changes angular momentum without an impulse
        follow_momenta(&b, 0.02, 1000, !projects);
    }
    // on a line it does not
    for (int projects = 0; projects < 2; projects++) {
        two_bars(&b);
        b.def.contact.restitution = 0.5;
        b.def.contact.resolve = projects ? CAROM_RESOLVE_PROJECTION : CAROM_RESOLVE_EXACT;
        memcpy(b.def.gravity, VECTOR(0.003, 0, 0), sizeof b.def.gravity);
        follow_momenta(&b, 0.05, 800, true);
    }
}

enum { ELEMENTS = 20 };

// Starts a free bar in its lowest mode, v = cos(pi k/n), and returns its frequency (2 c/l) sin(pi/(2 n)).
static double swing(bench *b, flight *f, double step) {
    bench_start(b);
    bench_add_bar(b, VECTOR(0, 0, 0), VECTOR(ELEMENTS, 0, 0), ELEMENTS, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    bench_build(b);
    fly_start(f, b->model, step);
    double(*w)[3] = (double(*)[3])carom_state_find_array(f->state, "drift velocities");
    for (int k = 0; k <= ELEMENTS; k++)
        f->state->v[k][0] = w[k][0] = cos(acos(-1) * k / ELEMENTS);
    carom_ledger_open(f->state);
    return 2 * sin(acos(-1) / (2 * ELEMENTS));
}

// In one mode of frequency w the conserved quantity is E - (h w)^2/4 U, U the stored energy: so the oscillation is (h w)^2/4 U
// at all times. It does not grow, is of second order, and leaves no residual.
static void free_bar(void **state) {
    (void)state;
    double largest[3] = {0};
    for (int r = 0; r < 3; r++) {
        bench b;
        flight f;
        double step = 0.8 / (1 << r), omega = swing(&b, &f, step);
        double start = carom_stepper_ledger(&f.stepper, f.state).total, most = 0;
        // 500 periods
        int steps = (int)(500 * 2 * acos(-1) / omega / step);
        for (int s = 0; s < steps; s++) {
            fly(&f);
            carom_ledger_row row = carom_stepper_ledger(&f.stepper, f.state);
            assert_near(row.oscillation, 0.25 * step * step * omega * omega * row.internal, 1e-12 * start);
            assert_near(row.residual, 0, 1e-12 * start);
            most = fmax(most, row.oscillation);
        }
        largest[r] = most / start;
        // at some times all of the energy is stored
        assert_near(largest[r], 0.25 * step * step * omega * omega, 0.02 * largest[r]);
        fly_end(&f);
        bench_end(&b);
    }
    assert_near(largest[0] / largest[1], 4, 0.1);
    assert_near(largest[1] / largest[2], 4, 0.1);
}

// The columns of a row against separate sums, during a run.
static void columns(void **state) {
    (void)state;
    bench b;
    fall(&b, true);
    b.def.contact.friction = 0.2;
    bench_build(&b);
    flight f;
    fly_start(&f, b.model, 0.02);
    double start = carom_stepper_ledger(&f.stepper, f.state).total;
    for (int s = 0; s < 200; s++) {
        fly(&f);
        carom_ledger_row row = carom_stepper_ledger(&f.stepper, f.state);
        account a = account_now(&f);
        carom_accounts booked = carom_ledger_accounts(f.state);
        assert_near(row.time, 0.02 * (s + 1), 1e-15 * s);
        assert_near(row.kinetic, a.kinetic, 1e-13);
        assert_near(row.internal, a.stored, 1e-13);
        assert_near(row.external, a.load - booked.drive_work, 1e-13);
        assert_near(row.total, a.kinetic + a.stored + a.load - booked.drive_work, 1e-13);
        assert_near(row.residual, row.total + row.friction + row.restitution + row.projection - start, 1e-13);
        double deepest = 0;
        for (int k = 0; k < b.model->node_count; k++)
            deepest = fmax(deepest, -0.5 - f.state->x[k][2]);
        assert_near(row.penetration, deepest, 1e-15);
        assert_true(row.penetration < 1e-13);
    }
    fly_end(&f);
    bench_end(&b);
}

// Hits of three bodies and a plane: long sequences of one pair, as of surfaces at rest, and mixed ones; some are corrections of
// earlier hits, some precede the first recorded contact.
static void random_hits(const carom_model *model, carom_hit *hits, int count, uint64_t *seed) {
    static const int pairs[][2] = {{0, 1}, {1, 2}, {0, 2}, {2, -1}, {0, 0}};
    for (int h = 0; h < count; h++) {
        bool mixed = h / 3000 % 3 == 1;
        const int *body = pairs[mixed ? (int)random_real(seed, 0, 5) : h / 9000 % 4];
        carom_hit *hit = &hits[h];
        *hit = (carom_hit){.contact = {.count = 1 + h % 4, .body = {body[0], body[1]}},
                           .time = random_real(seed, 0, 1) < 0.001 ? random_real(seed, 0, 1) : 1 + h % 2,
                           .normal = random_real(seed, 0, 1),
                           .amends = h % 11 == 0};
        for (int k = 0; k < hit->contact.count; k++) {
            hit->contact.node[k] = (int)random_real(seed, 0, model->node_count);
            hit->contact.weight[k] = random_real(seed, -1, 1);
        }
        for (int d = 0; d < 3; d++)
            hit->impulse[d] = random_real(seed, -1, 1), hit->spot.point[d] = random_real(seed, -1, 1);
    }
}

// Recording many hits at once gives the ledger of recording them one by one, for any number of threads.
static void many_hits(void **state) {
    (void)state;
    enum { HITS = 40000 };
    static carom_hit hits[HITS];
    uint64_t seed = 3;
    bench b;
    mixed_row(&b);
    bench_build(&b);
    flight f[3];
    int threads = carom_threads();
    for (int i = 0; i < 3; i++)
        fly_start(&f[i], b.model, 0.02);
    for (int round = 0; round < 3; round++) {
        random_hits(b.model, hits, HITS, &seed);
        carom_set_threads(1);
        for (int h = 0; h < HITS; h++)
            carom_ledger_record_hits(f[0].state, NULL, &hits[h], 1, 0.5, 1);
        carom_ledger_record_hits(f[1].state, NULL, hits, HITS, 0.5, 1);
        carom_set_threads(9);
        carom_ledger_record_hits(f[2].state, NULL, hits, HITS, 0.5, 1);
        for (int i = 0; i < 3; i++)
            f[i].state->step++;
    }
    carom_set_threads(threads);
    const carom_state *one = f[0].state;
    assert_int_equal(one->pair_count, 5);
    for (int i = 1; i < 3; i++) {
        const carom_state *all = f[i].state;
        assert_int_equal(all->books.contact_events, one->books.contact_events);
        assert_int_equal(all->pair_count, one->pair_count);
        assert_memory_equal(all->impulse, one->impulse, (size_t)b.model->node_count * sizeof *one->impulse);
        assert_memory_equal(all->pair_firsts, one->pair_firsts, (size_t)one->pair_count * sizeof *one->pair_firsts);
        assert_memory_equal(all->pairs, one->pairs, (size_t)one->pair_count * sizeof *one->pairs);
        for (int p = 0; p < one->pair_count; p++)
            for (int a = 0; a < CAROM_PAIR_SUMS; a++)
                assert_true(carom_exact_value(&all->pair_sums[p].of[a]) == carom_exact_value(&one->pair_sums[p].of[a]));
    }
    for (int i = 0; i < 3; i++)
        fly_end(&f[i]);
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projection), cmocka_unit_test(projection_whole_run),
        cmocka_unit_test(drift),      cmocka_unit_test(sliding),
        cmocka_unit_test(momenta),    cmocka_unit_test(free_bar),
        cmocka_unit_test(columns),    cmocka_unit_test(many_hits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
