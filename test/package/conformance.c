// SPDX-License-Identifier: MIT
#include "conformance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *subject; // named in messages
static int faults;

static void expect(bool good, const char *what, double found, double allowed) {
    if (good)
        return;
    printf("%s: %s: found %g, allowed %g\n", subject, what, found, allowed);
    faults++;
}

// The same numbers on every machine, from -1 to 1.
static double next_random(void) {
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-52 - 1;
}

static void check_uniaxial(const carom_material *law, const void *params) {
    for (double e = -0.3; e < 0.35; e += 0.1) {
        double d = 1e-5;
        carom_uniaxial at = law->uniaxial(params, e), up = law->uniaxial(params, e + d), down = law->uniaxial(params, e - d);
        double stress = (up.energy - down.energy) / (2 * d), tangent = (up.stress - down.stress) / (2 * d);
        double scale = 1e-8 * (fabs(at.stress) + fabs(at.tangent));
        expect(fabs(at.stress - stress) <= scale, "uniaxial stress is not dW/de", fabs(at.stress - stress), scale);
        expect(fabs(at.tangent - tangent) <= scale, "uniaxial tangent is not dS/de", fabs(at.tangent - tangent), scale);
    }
}

static void check_solid(const carom_material *law, const void *params) {
    double F[9], P[9], A[81], up[9], down[9], d = 1e-5, worst[2] = {0, 0}, scale = 0;
    for (int a = 0; a < 9; a++)
        F[a] = (a % 4 == 0) + 0.15 * next_random();
    law->solid(params, F, P, A);
    for (int a = 0; a < 9; a++) {
        double start = F[a];
        F[a] = start + d;
        double plus = law->solid(params, F, up, NULL);
        F[a] = start - d;
        double minus = law->solid(params, F, down, NULL);
        F[a] = start;
        worst[0] = fmax(worst[0], fabs((plus - minus) / (2 * d) - P[a]));
        for (int b = 0; b < 9; b++) {
            worst[1] = fmax(worst[1], fabs((up[b] - down[b]) / (2 * d) - A[9 * b + a]));
            scale = fmax(scale, fabs(A[9 * b + a]));
        }
    }
    expect(worst[0] <= 1e-7 * scale, "stress is not dW/dF", worst[0], 1e-7 * scale);
    expect(worst[1] <= 1e-7 * scale, "tangent is not dP/dF", worst[1], 1e-7 * scale);
}

// W of F scaled by s in all directions.
static double energy_at(const carom_material *law, const void *params, double s) {
    const double F[9] = {s, 0, 0, 0, s, 0, 0, 0, s};
    return law->solid(params, F, NULL, NULL);
}

// A barrier grows by ever more as the volume falls by equal factors. What is quadratic in Green's strain e = (s^2 - 1)/2, or in
// s - 1, has constant second differences.
static void check_promises(const carom_material *law, const void *params) {
    double far = energy_at(law, params, 1e-4), middle = energy_at(law, params, 1e-3), near = energy_at(law, params, 1e-2);
    expect(!law->barrier || far - middle > middle - near, "there is no barrier at J = 0", far - middle, middle - near);
    double at[5];
    for (int i = 0; i < 5; i++)
        at[i] = energy_at(law, params, law->small ? 0.8 + 0.1 * i : sqrt(0.6 + 0.2 * i));
    double bent = fabs(at[0] - 2 * at[1] + at[2] - (at[2] - 2 * at[3] + at[4])), scale = 1e-12 * (at[0] + at[4]);
    expect(!(law->quadratic || law->small) || bent <= scale, "the energy is not quadratic in strains", bent, scale);
}

int conformance_material(carom_pick material) {
    const carom_material *law = (const carom_material *)material.kind;
    carom_error error;
    subject = material.kind->name;
    faults = 0;
    if (carom_pick_check(&material, &error)) {
        printf("%s\n", error.message);
        return 1;
    }
    double density = law->density(material.params);
    expect(density > 0, "the density is not positive", density, 0);
    if (law->uniaxial)
        check_uniaxial(law, material.params);
    if (law->solid) {
        check_solid(law, material.params);
        check_promises(law, material.params);
    }
    return faults;
}

enum { NODES_MAX = 8, DOFS_MAX = 3 * NODES_MAX };

typedef struct specimen {
    carom_block block;
    int nodes[NODES_MAX];
    double X[NODES_MAX][3], x[NODES_MAX][3], mass[NODES_MAX];
    double *data;
} specimen;

static double energy_of(const specimen *s) {
    double energy;
    s->block.element->energy(&s->block, 0, 1, (const double(*)[3])s->x, (const double(*)[3])s->X, &energy);
    return energy;
}

static void force_of(const specimen *s, double force[DOFS_MAX]) {
    int dofs = 3 * s->block.node_count;
    double slots[CAROM_LANES * DOFS_MAX] = {0};
    s->block.element->force(&s->block, 0, 1, (const double(*)[3])s->x, (const double(*)[3])s->X, slots);
    for (int i = 0; i < dofs; i++)
        force[i] = slots[carom_lane(0, i, dofs)];
}

static void check_derivatives(specimen *s, const double *K) {
    int dofs = 3 * s->block.node_count;
    double f[DOFS_MAX], up[DOFS_MAX], down[DOFS_MAX], d = 1e-5, scale = 0, worst[3] = {0, 0, 0};
    force_of(s, f);
    for (int i = 0; i < dofs * dofs; i++)
        scale = fmax(scale, fabs(K[i]));
    for (int i = 0; i < dofs; i++) {
        double *x = &s->x[i / 3][i % 3], start = *x;
        *x = start + d;
        double plus = energy_of(s);
        force_of(s, up);
        *x = start - d;
        double minus = energy_of(s);
        force_of(s, down);
        *x = start;
        worst[0] = fmax(worst[0], fabs(f[i] + (plus - minus) / (2 * d)));
        for (int j = 0; j < dofs; j++)
            worst[1] = fmax(worst[1], fabs(K[dofs * j + i] + (up[j] - down[j]) / (2 * d)));
    }
    for (int c = 0; c < 3; c++) {
        double sum = 0;
        for (int a = 0; a < s->block.node_count; a++)
            sum += f[3 * a + c];
        worst[2] = fmax(worst[2], fabs(sum));
    }
    expect(worst[0] <= 1e-7 * scale, "force is not -dE/dx", worst[0], 1e-7 * scale);
    expect(worst[1] <= 1e-7 * scale, "stiffness is not d2E/dx2", worst[1], 1e-7 * scale);
    expect(worst[2] <= 1e-12 * scale, "forces have a resultant", worst[2], 1e-12 * scale);
}

// 2/omega_max by power iteration on M^-1 K, which comes from below.
static double longest_step(const specimen *s, const double *K) {
    int dofs = 3 * s->block.node_count;
    double v[DOFS_MAX], w[DOFS_MAX], value = 0;
    for (int i = 0; i < dofs; i++)
        v[i] = next_random();
    for (int round = 0; round < 500; round++) {
        double length = 0;
        for (int i = 0; i < dofs; i++) {
            w[i] = 0;
            for (int j = 0; j < dofs; j++)
                w[i] += K[dofs * i + j] * v[j] / s->mass[i / 3];
            length += w[i] * w[i];
        }
        value = sqrt(length);
        for (int i = 0; i < dofs; i++)
            v[i] = value > 0 ? w[i] / value : 0;
    }
    return value > 0 ? 2 / sqrt(value) : HUGE_VAL;
}

int conformance_element(carom_pick element, carom_pick material, const double (*X)[3]) {
    const carom_element *kind = (const carom_element *)element.kind;
    carom_error error;
    int n = kind->node_count;
    double K[DOFS_MAX * DOFS_MAX], step;
    subject = element.kind->name;
    faults = 0;
    specimen s = {.block = {.element = kind,
                            .params = element.params,
                            .material = (const carom_material *)material.kind,
                            .material_params = material.params,
                            .count = 1,
                            .node_count = n,
                            .data_size = kind->data_size}};
    s.block.nodes = s.nodes;
    s.data = calloc((size_t)carom_lanes_size(1, kind->data_size) + 1, sizeof *s.data);
    s.block.data = s.data;
    for (int i = 0; i < 3 * n; i++) {
        s.nodes[i / 3] = i / 3;
        s.X[i / 3][i % 3] = s.x[i / 3][i % 3] = X[i / 3][i % 3];
    }
    if (!s.data || carom_pick_check(&element, &error) || kind->prepare(&s.block, (const double(*)[3])s.X, s.mass, &error)) {
        printf("%s: cannot be prepared\n", subject);
        free(s.data);
        return 1;
    }

    // the stable step without strain, then derivatives in a generic place
    kind->stiffness(&s.block, 0, 1, (const double(*)[3])s.x, (const double(*)[3])s.X, K);
    kind->stable_step(&s.block, 0, 1, (const double(*)[3])s.x, (const double(*)[3])s.X, &step);
    double exact = longest_step(&s, K);
    expect(step <= exact * (1 + 1e-9), "the stable step is too long", step, exact);
    for (int i = 0; i < 3 * n; i++)
        s.x[i / 3][i % 3] += 0.1 * next_random();
    kind->stiffness(&s.block, 0, 1, (const double(*)[3])s.x, (const double(*)[3])s.X, K);
    check_derivatives(&s, K);
    free(s.data);
    return faults;
}

enum { CHAIN = 4, PHASE = 6 * CHAIN };

// Positions and velocities of all nodes, and the mass of each.
typedef struct motion {
    double x[CHAIN][3], v[CHAIN][3];
} motion;

typedef struct chain {
    carom_pick integrator;
    carom_model *model;
    motion start;
} chain;

// Three bars that are no straight line; contact is off.
static carom_status build_chain(chain *c, carom_error *error) {
    carom_line_params line;
    carom_bar_params bar;
    carom_elastic_params law;
    carom_mesh mesh;
    carom_pick generator = carom_pick_of(carom_generators(), "line", &line, error);
    line.to[0] = CHAIN - 1;
    line.elements = CHAIN - 1;
    carom_status status = carom_mesh_generate(generator, &mesh, error);
    if (status)
        return status;
    for (int k = 0; k < CHAIN; k++) {
        mesh.nodes[k][1] = 0.3 * (k % 2);
        mesh.nodes[k][2] = 0.2 * (k / 2);
    }
    carom_body_def body = carom_default_body_def();
    strcpy(body.name, "chain");
    body.mesh = &mesh;
    body.element = carom_pick_of(carom_elements(), "bar", &bar, error);
    bar.strain = CAROM_BAR_GREEN;
    body.material = carom_pick_of(carom_materials(), "linear", &law, error);
    law.young = law.density = 1;
    carom_model_def def = carom_default_model_def();
    def.body_count = 1;
    def.bodies = &body;
    def.contact.enabled = false;
    status = carom_model_create(&def, &c->model, error);
    carom_mesh_release(&mesh);
    if (status)
        return status;
    memcpy(c->start.x, carom_model_reference(c->model), sizeof c->start.x);
    for (int i = 0; i < 3 * CHAIN; i++)
        c->start.v[i / 3][i % 3] = 0.2 * next_random();
    return CAROM_OK;
}

// What a motion comes to: the end, and on the way the largest errors of energy and momenta, relative to the kinetic energy and
// to the momenta that would be there if nothing cancelled.
typedef struct outcome {
    motion end;
    double energy, momentum, angular_momentum;
} outcome;

static bool fly(const chain *c, const motion *from, double step, int steps, outcome *out) {
    carom_error error = {0};
    carom_sim *sim = NULL;
    carom_time_def time = carom_default_time_def();
    time.end = 1000 * step * steps;
    time.step = step;
    carom_status status = carom_sim_create(c->model, c->integrator, &time, &sim, &error);
    if (!status)
        status = carom_sim_set_motion(sim, from->x, from->v, &error);
    carom_ledger_row first = status ? (carom_ledger_row){0} : carom_sim_ledger(sim);
    *out = (outcome){0};
    for (int n = 0; n < steps && !status; n++) {
        status = carom_sim_step(sim, &error);
        carom_ledger_row row = carom_sim_ledger(sim);
        out->energy = fmax(out->energy, fabs(row.total - first.total) / first.kinetic);
        for (int i = 0; i < 3; i++) {
            out->momentum = fmax(out->momentum, fabs(row.momentum[i] - first.momentum[i]));
            out->angular_momentum = fmax(out->angular_momentum, fabs(row.angular_momentum[i] - first.angular_momentum[i]));
        }
    }
    if (status) {
        printf("%s: %s\n", subject, error.message);
        faults++;
    } else {
        memcpy(out->end.x, carom_state_positions(carom_sim_state(sim)), sizeof out->end.x);
        memcpy(out->end.v, carom_state_velocities(carom_sim_state(sim)), sizeof out->end.v);
    }
    carom_sim_release(sim);
    return !status;
}

static double distance(const motion *a, const motion *b) {
    const double *p = &a->x[0][0], *q = &b->x[0][0];
    double largest = 0;
    for (int i = 0; i < 3 * CHAIN; i++)
        largest = fmax(largest, fabs(p[i] - q[i]));
    return largest;
}

static void check_conservation(const chain *c, const carom_claims *claims, double h) {
    outcome coarse, fine, longer;
    if (!fly(c, &c->start, h, 100, &coarse) || !fly(c, &c->start, 0.5 * h, 200, &fine) ||
        !fly(c, &c->start, 0.5 * h, 800, &longer))
        return;
    if (claims->linear_momentum)
        expect(longer.momentum < 1e-12, "momentum changes", longer.momentum, 1e-12);
    if (claims->angular_momentum)
        expect(longer.angular_momentum < 1e-11, "angular momentum changes", longer.angular_momentum, 1e-11);
    if (claims->energy == CAROM_ENERGY_EXACT)
        expect(longer.energy < 1e-8, "energy changes", longer.energy, 1e-8);
    if (claims->energy == CAROM_ENERGY_BOUNDED) {
        expect(fine.energy < 0.4 * coarse.energy, "the error of energy does not fall", fine.energy, 0.4 * coarse.energy);
        expect(longer.energy < 2 * fine.energy, "energy drifts", longer.energy, 2 * fine.energy);
    }
}

// Richardson: the differences of three solutions fall by 2^order.
static void check_order(const chain *c, int order, double h) {
    outcome out[3];
    for (int i = 0; i < 3; i++)
        if (!fly(c, &c->start, h / (1 << i), 50 << i, &out[i]))
            return;
    double found = log2(distance(&out[0].end, &out[1].end) / distance(&out[1].end, &out[2].end));
    expect(found > order - 0.3, "the order of convergence", found, order);
}

static void check_reversibility(const chain *c, double h) {
    outcome there, back;
    if (!fly(c, &c->start, h, 100, &there))
        return;
    for (int i = 0; i < 3 * CHAIN; i++)
        there.end.v[i / 3][i % 3] *= -1;
    if (!fly(c, &there.end, h, 100, &back))
        return;
    double missing = distance(&back.end, &c->start);
    expect(missing < 1e-8, "does not run back along the same path", missing, 1e-8);
}

// J^T O J = O for the Jacobian J of one step in positions and momenta; O pairs each position with its momentum.
static void check_symplecticity(const chain *c, double h) {
    static double J[PHASE][PHASE];
    const double *mass = carom_model_mass(c->model), d = 1e-5;
    for (int k = 0; k < PHASE; k++) {
        int i = k % (3 * CHAIN);
        bool is_velocity = k >= 3 * CHAIN;
        outcome out[2];
        for (int side = 0; side < 2; side++) {
            motion from = c->start;
            (is_velocity ? from.v : from.x)[i / 3][i % 3] += (side ? d : -d) / (is_velocity ? mass[i / 3] : 1);
            if (!fly(c, &from, h, 1, &out[side]))
                return;
        }
        for (int j = 0; j < 3 * CHAIN; j++) {
            J[j][k] = (out[1].end.x[j / 3][j % 3] - out[0].end.x[j / 3][j % 3]) / (2 * d);
            J[3 * CHAIN + j][k] = mass[j / 3] * (out[1].end.v[j / 3][j % 3] - out[0].end.v[j / 3][j % 3]) / (2 * d);
        }
    }
    double worst = 0;
    for (int a = 0; a < PHASE; a++)
        for (int b = 0; b < PHASE; b++) {
            double sum = 0;
            for (int j = 0; j < 3 * CHAIN; j++)
                sum += J[j][a] * J[3 * CHAIN + j][b] - J[3 * CHAIN + j][a] * J[j][b];
            double expected = b == a + 3 * CHAIN ? 1 : a == b + 3 * CHAIN ? -1 : 0;
            worst = fmax(worst, fabs(sum - expected));
        }
    expect(worst < 1e-7, "one step does not preserve dx ^ dp", worst, 1e-7);
}

int conformance_integrator(carom_pick integrator) {
    const carom_integrator *method = (const carom_integrator *)integrator.kind;
    const carom_claims *claims = &method->claims;
    carom_error error;
    chain c = {.integrator = integrator};
    subject = integrator.kind->name;
    faults = 0;
    if (build_chain(&c, &error)) {
        printf("%s: %s\n", subject, error.message);
        return 1;
    }
    // the stable step is about 0.7, half of it is asked for at the most
    double h = 0.25 * carom_model_stable_step(c.model);
    check_conservation(&c, claims, h);
    check_order(&c, claims->order, 0.5 * h);
    if (claims->reversible)
        check_reversibility(&c, h);
    if (claims->symplectic)
        check_symplecticity(&c, h);
    carom_model_release(c.model);
    return faults;
}
