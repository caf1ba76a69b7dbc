// SPDX-License-Identifier: MIT
// The claims of every integrator are executable: this test checks each of them, and shows that it would notice a false one.
#include "../support.h"
#include "integrator/stepper.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/state.h"

typedef struct flight {
    void *params;
    carom_stepper stepper;
    carom_state *state;
} flight;

// Whether the method takes this model at all; the claims are checked on the models that it does.
static bool takes(const carom_integrator *method, const carom_model *model) {
    void *params = default_params(&method->kind);
    bool taken = carom_integrator_accepts(method, model, params, NULL) == CAROM_OK;
    free(params);
    return taken;
}

enum { NODES = 16 };

// Where a motion is: positions and velocities, and frames where there are any.
typedef struct snapshot {
    double x[NODES][3], v[NODES][3], R[NODES][3][3], spin[NODES][3];
} snapshot;

static void fly_start(flight *f, const carom_integrator *method, const carom_model *model, const snapshot *from, double step) {
    size_t n = (size_t)model->node_count;
    void *params = default_params(&method->kind);
    *f = (flight){.params = params, .stepper = {.method = method, .model = model, .params = params, .step = step}};
    assert_ok(carom_integrator_accepts(method, model, f->params, error));
    assert_ok(carom_state_create(model, &f->state, error));
    if (from) {
        memcpy(f->state->x, from->x, n * sizeof *from->x);
        memcpy(f->state->v, from->v, n * sizeof *from->v);
    }
    if (from && model->R) {
        memcpy(f->state->R, from->R, n * sizeof *from->R);
        memcpy(f->state->spin, from->spin, n * sizeof *from->spin);
    }
    assert_ok(method->setup(&f->stepper, f->state, error));
}

static void fly(flight *f, int steps) {
    for (int s = 0; s < steps; s++)
        assert_ok(f->stepper.method->step(&f->stepper, f->state, error));
    assert_ok(carom_stepper_synchronize(&f->stepper, f->state, error));
}

static void fly_check(const flight *f, snapshot *s) {
    size_t n = (size_t)f->stepper.model->node_count;
    assert_true(n <= NODES);
    memcpy(s->x, f->state->x, n * sizeof *s->x);
    memcpy(s->v, carom_state_velocities(f->state), n * sizeof *s->v);
    if (f->state->R) {
        memcpy(s->R, f->state->R, n * sizeof *s->R);
        memcpy(s->spin, f->state->spin, n * sizeof *s->spin);
    }
}

static void fly_end(flight *f) {
    f->stepper.method->release(&f->stepper);
    carom_state_release(f->state);
    free(f->params);
}

enum { STRING = 7 };

// A string of Green bars, bent, stretched and spinning: smooth, nonlinear, three-dimensional.
static void string_start(bench *b, snapshot *s) {
    bench_start(b);
    b->def.contact.enabled = false;
    bench_add_bar(b, VECTOR(0, 0, 0), VECTOR(STRING - 1, 0, 0), STRING - 1, VECTOR(0, 0, 0), CAROM_BAR_GREEN);
    bench_build(b);
    for (int k = 0; k < STRING; k++) {
        double at = k - 0.5 * (STRING - 1);
        memcpy(s->x[k], (double[]){1.05 * at + 2, 0.02 * at * at, 0.1 * sin(at) - 1}, sizeof s->x[k]);
        memcpy(s->v[k], (double[]){0.3 + 0.02 * at, 0.11 * at, 0.05 * cos(2 * at)}, sizeof s->v[k]);
    }
}

// A beam bent to a helix, that springs open and tumbles: frames, large rotations, all strains.
static void beam_start(bench *b, snapshot *s) {
    static const carom_exact_beam_params beam = {.section = CAROM_SECTION_DIRECT,
                                                 .stretch_stiffness = {1, 1.2, 1.5},
                                                 .bend_stiffness = {0.5, 0.8, 0.4},
                                                 .shear_factor = 1,
                                                 .torsion_factor = 1,
                                                 .line_mass = 1,
                                                 .line_inertia = {0.3, 0.4, 0.6}};
    bench_start(b);
    b->def.contact.enabled = false;
    carom_curve_params curve = {.start = {1, -1, 2}, .length = 6, .elements = 6, .curvature = {0.1, 0.2, -0.15}};
    carom_body_def *body = bench_add(b, "curve", &curve, VECTOR(0.3, 0.1, -0.2));
    memcpy(body->spin, VECTOR(0.1, 0.15, -0.1), sizeof body->spin);
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "exact-beam"), &beam};
    bench_build(b);
    memcpy(s->x, b->model->X, 7 * sizeof *s->x);
    memcpy(s->v, b->model->v0, 7 * sizeof *s->v);
    memcpy(s->R, b->model->R, 7 * sizeof *s->R);
    memcpy(s->spin, b->model->spin0, 7 * sizeof *s->spin);
    for (int k = 0; k < 7; k++)
        carom_add_scaled(k % 2 ? 0.2 : -0.2, VECTOR(0.7, -0.4, 0.6), s->v[k]);
}

// The smooth motions that a method takes are all watched.
static void (*const motions[])(bench *b, snapshot *s) = {string_start, beam_start};
enum { MOTIONS = sizeof motions / sizeof *motions };

static bool motion_start(int m, const carom_integrator *method, bench *b, snapshot *s) {
    *s = (snapshot){0};
    motions[m](b, s);
    if (takes(method, b->model))
        return true;
    bench_end(b);
    return false;
}

// Two bars in a row beside the origin, and a point mass behind them: impacts with waves.
static void impact_start(bench *b, double restitution, int resolve) {
    bench_start(b);
    b->def.contact.resolve = resolve;
    b->def.contact.restitution = restitution;
    bench_add_bar(b, VECTOR(0, 1, 2), VECTOR(3, 1, 2), 12, VECTOR(0.2, 0, 0), CAROM_BAR_SMALL);
    bench_add_bar(b, VECTOR(3.1, 1, 2), VECTOR(5.1, 1, 2), 10, VECTOR(-0.1, 0, 0), CAROM_BAR_SMALL);
    bench_add_point(b, VECTOR(-1, 1, 2), 0.5, VECTOR(0.6, 0, 0));
    bench_build(b);
}

static double distance(const double (*a)[3], const double (*b)[3], int count) {
    double largest = 0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < 3; i++)
            largest = fmax(largest, fabs(a[k][i] - b[k][i]));
    return largest;
}

static bool keeps(const carom_integrator *method, bool angular) {
    double worst = 0;
    bench b;
    flight f;

    // smooth motion
    snapshot s;
    carom_ledger_row first;
    for (int m = 0; m < MOTIONS; m++) {
        if (!motion_start(m, method, &b, &s))
            continue;
        fly_start(&f, method, b.model, &s, 0.05);
        first = carom_stepper_ledger(&f.stepper, f.state);
        for (int i = 0; i < 40; i++) {
            fly(&f, 50);
            carom_ledger_row now = carom_stepper_ledger(&f.stepper, f.state);
            double d[3];
            if (angular)
                carom_difference(now.angular_momentum, first.angular_momentum, d);
            else
                carom_difference(now.momentum, first.momentum, d);
            worst = fmax(worst, carom_norm(d) / (angular ? 10 : 2));
        }
        fly_end(&f);
        bench_end(&b);
    }

    // impacts
    int tried = 0;
    for (int trial = 0; trial < 6; trial++) {
        impact_start(&b, 0.5 * (trial / 2), trial % 2);
        if (!takes(method, b.model)) {
            bench_end(&b);
            continue;
        }
        tried++;
        fly_start(&f, method, b.model, NULL, 0.02);
        first = carom_stepper_ledger(&f.stepper, f.state);
        fly(&f, 1500);
        carom_ledger_row now = carom_stepper_ledger(&f.stepper, f.state);
        double d[3];
        if (angular)
            carom_difference(now.angular_momentum, first.angular_momentum, d);
        else
            carom_difference(now.momentum, first.momentum, d);
        worst = fmax(worst, carom_norm(d));
        if (f.state->books.contact_events == 0)
            worst = HUGE_VAL;
        fly_end(&f);
        bench_end(&b);
    }
    return worst < 1e-13 && tried > 0;
}

// Largest energy error of smooth motion in the first and in the last fifth of a long flight.
static void energy_error(const carom_integrator *method, const carom_model *model, const snapshot *s, double step,
                         double *early, double *late) {
    flight f;
    fly_start(&f, method, model, s, step);
    double start = carom_stepper_ledger(&f.stepper, f.state).total;
    int parts = 400;
    *early = *late = 0;
    for (int p = 0; p < parts; p++) {
        fly(&f, (int)lround(1 / step));
        double error = fabs(carom_stepper_ledger(&f.stepper, f.state).total - start) / start;
        if (p < parts / 5)
            *early = fmax(*early, error);
        if (p >= parts - parts / 5)
            *late = fmax(*late, error);
    }
    fly_end(&f);
}

static bool energy_is(const carom_integrator *method, carom_energy_claim claim) {
    bool good = true;
    for (int m = 0; m < MOTIONS; m++) {
        bench b;
        snapshot s;
        if (claim == CAROM_ENERGY_NONE || !motion_start(m, method, &b, &s))
            continue;
        double early, late, early_fine, late_fine;
        energy_error(method, b.model, &s, 0.05, &early, &late);
        energy_error(method, b.model, &s, 0.025, &early_fine, &late_fine);
        if (claim == CAROM_ENERGY_EXACT)
            good = good && early < 1e-10 && late < 1e-10;
        else
            good = good && late < 2 * early && late_fine < 0.4 * late && early < 0.05;
        bench_end(&b);
    }
    return good;
}

// Impacts of point masses, where all energy is kinetic: what is booked is what is missing, and nothing is ever gained.
static bool contact_books_close(const carom_integrator *method) {
    uint64_t seed = 11;
    bool good = true;
    int tried = 0;
    for (int trial = 0; trial < 40; trial++) {
        bench b;
        flight f;
        bench_start(&b);
        b.def.contact.restitution = trial % 5 / 4.0;
        b.def.contact.resolve = trial / 5 % 2;
        double at = 0;
        for (int k = 0; k < 8; k++) {
            bench_add_point(&b, VECTOR(at, 1, -1), exp(random_real(&seed, -1, 1)), VECTOR(random_real(&seed, -1, 1), 0, 0));
            at += random_real(&seed, 0.01, 1);
        }
        bench_build(&b);
        if (!takes(method, b.model)) {
            bench_end(&b);
            continue;
        }
        tried++;
        fly_start(&f, method, b.model, NULL, 0.05);
        double before = carom_stepper_ledger(&f.stepper, f.state).total;
        for (int s = 0; s < 100; s++) {
            fly(&f, 1);
            carom_ledger_row row = carom_stepper_ledger(&f.stepper, f.state);
            good = good && row.total <= before * (1 + 1e-13) && fabs(row.residual) < 1e-12 && row.restitution >= 0;
            before = row.total;
        }
        good = good && f.state->books.contact_events > 0;
        fly_end(&f);
        bench_end(&b);
    }
    return good && tried > 0;
}

// The derivative D of one step in (x, p) must satisfy D^T Omega D = Omega. On the string, whose state is a vector.
static bool is_symplectic(const carom_integrator *method) {
    enum { N = 3 * STRING };
    static double D[2 * N][2 * N];
    bench b;
    snapshot s;
    double h = 1e-5;
    if (!motion_start(0, method, &b, &s))
        return true;
    for (int j = 0; j < 2 * N; j++) {
        double out[2][2 * N];
        for (int side = 0; side < 2; side++) {
            snapshot moved = s;
            double delta = side ? h : -h;
            if (j < N)
                (&moved.x[0][0])[j] += delta;
            else
                (&moved.v[0][0])[j - N] += delta / b.model->mass[(j - N) / 3];
            flight f;
            fly_start(&f, method, b.model, &moved, 0.2);
            fly(&f, 1);
            for (int i = 0; i < N; i++) {
                out[side][i] = (&f.state->x[0][0])[i];
                out[side][N + i] = (&carom_state_velocities(f.state)[0][0])[i] * b.model->mass[i / 3];
            }
            fly_end(&f);
        }
        for (int i = 0; i < 2 * N; i++)
            D[i][j] = (out[1][i] - out[0][i]) / (2 * h);
    }
    bench_end(&b);
    double worst = 0;
    for (int i = 0; i < 2 * N; i++)
        for (int j = 0; j < 2 * N; j++) {
            double form = 0;
            for (int k = 0; k < N; k++)
                form += D[k][i] * D[N + k][j] - D[N + k][i] * D[k][j];
            worst = fmax(worst, fabs(form - (j == i + N) + (i == j + N)));
        }
    return worst < 1e-8;
}

static bool is_reversible(const carom_integrator *method) {
    double error = 0;
    for (int m = 0; m < MOTIONS; m++) {
        bench b;
        flight f;
        snapshot start, there, back;
        if (!motion_start(m, method, &b, &start))
            continue;
        fly_start(&f, method, b.model, &start, 0.05);
        fly(&f, 200);
        fly_check(&f, &there);
        fly_end(&f);
        for (int k = 0; k < b.model->node_count; k++)
            for (int i = 0; i < 3; i++) {
                there.v[k][i] = -there.v[k][i];
                there.spin[k][i] = -there.spin[k][i];
            }
        fly_start(&f, method, b.model, &there, 0.05);
        fly(&f, 200);
        fly_check(&f, &back);
        error = fmax(error, distance((const double(*)[3])back.x, (const double(*)[3])start.x, b.model->node_count));
        fly_end(&f);
        bench_end(&b);
    }
    return error < 1e-10;
}

// The order of all motions; -1 if it is not a whole number or not the same.
static int order_of(const carom_integrator *method) {
    int common = 0;
    for (int m = 0; m < MOTIONS; m++) {
        bench b;
        snapshot start, end[4];
        if (!motion_start(m, method, &b, &start))
            continue;
        for (int r = 0; r < 4; r++) {
            flight f;
            fly_start(&f, method, b.model, &start, 0.1 / (1 << r));
            fly(&f, 30 << r);
            fly_check(&f, &end[r]);
            fly_end(&f);
        }
        int n = b.model->node_count;
        double coarse = distance((const double(*)[3])end[1].x, (const double(*)[3])end[2].x, n);
        double fine = distance((const double(*)[3])end[2].x, (const double(*)[3])end[3].x, n), order = log2(coarse / fine);
        int whole = fabs(order - lround(order)) < 0.2 ? (int)lround(order) : -1;
        common = common == 0 || common == whole ? whole : -1;
        bench_end(&b);
    }
    return common;
}

// The names of the claims that do not hold, joined by blanks.
static void violated(const carom_integrator *method, const carom_claims *claims, char *names, size_t size) {
    const struct {
        const char *name;
        bool holds;
    } checks[] = {
        {"linear_momentum", !claims->linear_momentum || keeps(method, false)},
        {"angular_momentum", !claims->angular_momentum || keeps(method, true)},
        {"energy", energy_is(method, claims->energy)},
        {"contact_energy", !claims->contact_energy || contact_books_close(method)},
        {"symplectic", !claims->symplectic || is_symplectic(method)},
        {"reversible", !claims->reversible || is_reversible(method)},
        {"order", order_of(method) == claims->order},
    };
    names[0] = 0;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (!checks[i].holds)
            snprintf(names + strlen(names), size - strlen(names), "%s ", checks[i].name);
}

static void every_claim(void **state) {
    (void)state;
    const carom_catalogue *integrators = carom_integrators();
    assert_true(integrators->count > 0);
    for (int i = 0; i < integrators->count; i++) {
        const carom_integrator *method = (const carom_integrator *)integrators->kinds[i];
        char names[256];
        violated(method, &method->claims, names, sizeof names);
        if (names[0])
            fail_msg("%s does not keep its claims: %s", method->kind.name, names);
    }
}

// newmark-dcr with one flaw at a time.
static enum { NO_FLAW, LEAKS_MOMENTUM, TWISTS, CREATES_ENERGY } flaw;

static carom_status flawed_step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    carom_status status = carom_integrator_newmark_dcr.step(stepper, state, error);
    double(*w)[3] = (double(*)[3])carom_state_find_array(state, "drift velocities");
    for (int k = 0; k < stepper->model->node_count; k++) {
        if (flaw == LEAKS_MOMENTUM)
            w[k][0] += 1e-9;
        if (flaw == TWISTS) {
            double turn[3];
            carom_cross(VECTOR(0, 0, 1e-9), state->x[k], turn);
            carom_add_scaled(1, turn, w[k]);
        }
        for (int i = 0; i < 3 && flaw == CREATES_ENERGY; i++)
            w[k][i] *= 1 + 1e-6, state->v[k][i] *= 1 + 1e-6;
    }
    return status;
}

static void false_claims_are_found(void **state) {
    (void)state;
    char names[256];

    // claims that newmark-dcr does not make
    carom_claims claims = carom_integrator_newmark_dcr.claims;
    claims.energy = CAROM_ENERGY_EXACT;
    claims.order = 4;
    violated(&carom_integrator_newmark_dcr, &claims, names, sizeof names);
    assert_string_equal(names, "energy order ");

    // its claims, made by a worse method
    carom_integrator flawed = carom_integrator_newmark_dcr;
    flawed.step = flawed_step;
    flaw = LEAKS_MOMENTUM;
    violated(&flawed, &flawed.claims, names, sizeof names);
    assert_non_null(strstr(names, "linear_momentum"));
    flaw = TWISTS;
    violated(&flawed, &flawed.claims, names, sizeof names);
    assert_non_null(strstr(names, "angular_momentum"));
    flaw = CREATES_ENERGY;
    violated(&flawed, &flawed.claims, names, sizeof names);
    assert_non_null(strstr(names, "contact_energy"));
    assert_non_null(strstr(names, "symplectic"));
    assert_non_null(strstr(names, "reversible"));
    flaw = NO_FLAW;
    violated(&flawed, &flawed.claims, names, sizeof names);
    assert_string_equal(names, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_claim), cmocka_unit_test(false_claims_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
