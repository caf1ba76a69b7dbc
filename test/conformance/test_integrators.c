// SPDX-License-Identifier: MIT
// The claims of every integrator are executable: this test checks each of them, and shows that it would notice a false one.
#include "../support.h"
#include "integrator/stepper.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/state.h"

// ---- a method at work from any start ----

typedef struct flight {
    double params[64];
    carom_stepper stepper;
    carom_state *state;
} flight;

static void fly_start(flight *f, const carom_integrator *method, const carom_model *model, const double (*x)[3],
                      const double (*v)[3], double step) {
    *f = (flight){.stepper = {.method = method, .model = model, .params = f->params, .step = step}};
    carom_param_defaults(method->kind.params, method->kind.param_count, f->params);
    assert_ok(method->accepts(model, f->params, error));
    assert_ok(carom_state_create(model, &f->state, error));
    if (x)
        memcpy(f->state->x, x, (size_t)model->node_count * sizeof *x);
    if (v)
        memcpy(f->state->v, v, (size_t)model->node_count * sizeof *v);
    assert_ok(method->setup(&f->stepper, f->state, error));
}

static void fly(flight *f, int steps) {
    for (int s = 0; s < steps; s++)
        assert_ok(f->stepper.method->step(&f->stepper, f->state, error));
}

static void fly_end(flight *f) {
    f->stepper.method->release(&f->stepper);
    carom_state_release(f->state);
}

// ---- the motions that are watched ----

enum { STRING = 7 };

// A string of Green bars, bent, stretched and spinning: smooth, nonlinear, three-dimensional.
static void string_start(bench *b, double (*x)[3], double (*v)[3]) {
    bench_start(b);
    b->def.contact.enabled = false;
    bench_add_bar(b, VECTOR(0, 0, 0), VECTOR(STRING - 1, 0, 0), STRING - 1, VECTOR(0, 0, 0), CAROM_BAR_GREEN);
    bench_build(b);
    for (int k = 0; k < STRING; k++) {
        double s = k - 0.5 * (STRING - 1);
        memcpy(x[k], (double[]){1.05 * s + 2, 0.02 * s * s, 0.1 * sin(s) - 1}, sizeof x[k]);
        memcpy(v[k], (double[]){0.3 + 0.02 * s, 0.11 * s, 0.05 * cos(2 * s)}, sizeof v[k]);
    }
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

// ---- the claims ----

static bool keeps(const carom_integrator *method, bool angular) {
    double worst = 0;
    bench b;
    flight f;

    // smooth motion
    double x[STRING][3], v[STRING][3];
    string_start(&b, x, v);
    fly_start(&f, method, b.model, (const double(*)[3])x, (const double(*)[3])v, 0.05);
    carom_ledger_row first = carom_state_ledger(f.state);
    for (int i = 0; i < 40; i++) {
        fly(&f, 50);
        carom_ledger_row now = carom_state_ledger(f.state);
        double d[3];
        if (angular)
            carom_difference(now.angular_momentum, first.angular_momentum, d);
        else
            carom_difference(now.momentum, first.momentum, d);
        worst = fmax(worst, carom_norm(d) / (angular ? 10 : 2));
    }
    fly_end(&f);
    bench_end(&b);

    // impacts
    for (int trial = 0; trial < 6; trial++) {
        impact_start(&b, 0.5 * (trial / 2), trial % 2);
        fly_start(&f, method, b.model, NULL, NULL, 0.02);
        first = carom_state_ledger(f.state);
        fly(&f, 1500);
        carom_ledger_row now = carom_state_ledger(f.state);
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
    return worst < 1e-13;
}

// Largest energy error of smooth motion in the first and in the last fifth of a long flight.
static void energy_error(const carom_integrator *method, double step, double *early, double *late) {
    bench b;
    flight f;
    double x[STRING][3], v[STRING][3];
    string_start(&b, x, v);
    fly_start(&f, method, b.model, (const double(*)[3])x, (const double(*)[3])v, step);
    double start = carom_state_ledger(f.state).total;
    int parts = 400;
    *early = *late = 0;
    for (int p = 0; p < parts; p++) {
        fly(&f, (int)lround(1 / step));
        double error = fabs(carom_state_ledger(f.state).total - start) / start;
        if (p < parts / 5)
            *early = fmax(*early, error);
        if (p >= parts - parts / 5)
            *late = fmax(*late, error);
    }
    fly_end(&f);
    bench_end(&b);
}

static bool energy_is(const carom_integrator *method, carom_energy_claim claim) {
    double early, late, early_fine, late_fine;
    energy_error(method, 0.05, &early, &late);
    if (claim == CAROM_ENERGY_EXACT)
        return early < 1e-10 && late < 1e-10;
    energy_error(method, 0.025, &early_fine, &late_fine);
    return claim == CAROM_ENERGY_NONE || (late < 2 * early && late_fine < 0.4 * late && early < 0.05);
}

// Impacts of point masses, where all energy is kinetic: what is booked is what is missing, and nothing is ever gained.
static bool contact_books_close(const carom_integrator *method) {
    uint64_t seed = 11;
    bool good = true;
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
        fly_start(&f, method, b.model, NULL, NULL, 0.05);
        double before = carom_state_ledger(f.state).total;
        for (int s = 0; s < 100; s++) {
            fly(&f, 1);
            carom_ledger_row row = carom_state_ledger(f.state);
            good = good && row.total <= before * (1 + 1e-13) && fabs(row.residual) < 1e-12 && row.restitution >= 0;
            before = row.total;
        }
        good = good && f.state->books.contact_events > 0;
        fly_end(&f);
        bench_end(&b);
    }
    return good;
}

// The derivative D of one step in (x, p) must satisfy D^T Omega D = Omega.
static bool is_symplectic(const carom_integrator *method) {
    enum { N = 3 * STRING };
    static double D[2 * N][2 * N];
    bench b;
    double x[STRING][3], v[STRING][3], h = 1e-5;
    string_start(&b, x, v);
    for (int j = 0; j < 2 * N; j++) {
        double out[2][2 * N];
        for (int side = 0; side < 2; side++) {
            double xs[STRING][3], vs[STRING][3], delta = side ? h : -h;
            memcpy(xs, x, sizeof xs);
            memcpy(vs, v, sizeof vs);
            if (j < N)
                (&xs[0][0])[j] += delta;
            else
                (&vs[0][0])[j - N] += delta / b.model->mass[(j - N) / 3];
            flight f;
            fly_start(&f, method, b.model, (const double(*)[3])xs, (const double(*)[3])vs, 0.2);
            fly(&f, 1);
            for (int i = 0; i < N; i++) {
                out[side][i] = (&f.state->x[0][0])[i];
                out[side][N + i] = (&f.state->v[0][0])[i] * b.model->mass[i / 3];
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
    bench b;
    flight f;
    double x[STRING][3], v[STRING][3], there[STRING][3], back[STRING][3];
    string_start(&b, x, v);
    fly_start(&f, method, b.model, (const double(*)[3])x, (const double(*)[3])v, 0.05);
    fly(&f, 200);
    memcpy(there, f.state->x, sizeof there);
    for (int k = 0; k < STRING; k++)
        for (int i = 0; i < 3; i++)
            back[k][i] = -f.state->v[k][i];
    fly_end(&f);
    fly_start(&f, method, b.model, (const double(*)[3])there, (const double(*)[3])back, 0.05);
    fly(&f, 200);
    double error = distance((const double(*)[3])f.state->x, (const double(*)[3])x, STRING);
    fly_end(&f);
    bench_end(&b);
    return error < 1e-10;
}

static int order_of(const carom_integrator *method) {
    bench b;
    double x[STRING][3], v[STRING][3], end[4][STRING][3];
    string_start(&b, x, v);
    for (int r = 0; r < 4; r++) {
        flight f;
        fly_start(&f, method, b.model, (const double(*)[3])x, (const double(*)[3])v, 0.1 / (1 << r));
        fly(&f, 30 << r);
        memcpy(end[r], f.state->x, sizeof end[r]);
        fly_end(&f);
    }
    bench_end(&b);
    double coarse = distance((const double(*)[3])end[1], (const double(*)[3])end[2], STRING);
    double fine = distance((const double(*)[3])end[2], (const double(*)[3])end[3], STRING);
    double order = log2(coarse / fine);
    return fabs(order - lround(order)) < 0.2 ? (int)lround(order) : -1;
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

// ---- methods that do not deserve their claims ----

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
