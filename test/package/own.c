// SPDX-License-Identifier: MIT
#include "own.h"

#include <math.h>
#include <stddef.h>

static carom_status accepts(const carom_model *model, const void *params, carom_error *error) {
    (void)params;
    return carom_model_has_frames(model) ? carom_fail(error, CAROM_BAD_INPUT, "own-leapfrog takes no beams") : CAROM_OK;
}

static carom_status setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    carom_kick_drift *nodes;
    carom_status status = carom_kick_drift_create(stepper, state, true, &nodes, error);
    carom_stepper_set_workspace(stepper, nodes);
    // half a kick leads from the initial velocities to those of the first drift
    return status ? status : carom_kick_drift_kick(nodes, state, 0.5 * carom_stepper_step(stepper), 1, error);
}

static carom_status step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    carom_kick_drift *nodes = carom_stepper_workspace(stepper);
    double h = carom_stepper_step(stepper);
    carom_status status = carom_kick_drift_drift(nodes, state, h, error);
    if (status)
        return status;
    carom_stepper_advance_time(stepper, state);
    // half of this kick belongs to the time before, half to the time after
    status = carom_kick_drift_kick(nodes, state, h, 0.5, error);
    return status ? status : carom_kick_drift_finish(nodes, state, error);
}

static void release(carom_stepper *stepper) {
    carom_kick_drift_release(carom_stepper_workspace(stepper));
    carom_stepper_set_workspace(stepper, NULL);
}

const carom_integrator own_leapfrog = {
    .kind = {.name = "own-leapfrog", .summary = "Explicit Newmark, written outside carom.", .reference = ""},
    .claims = {.linear_momentum = true,
               .angular_momentum = true,
               .energy = CAROM_ENERGY_BOUNDED,
               .contact_energy = true,
               .symplectic = true,
               .reversible = true,
               .order = 2},
    .accepts = accepts,
    .setup = setup,
    .step = step,
    .release = release,
};

#define ROW(owner, field, type_, unit_, doc_) \
    { .name = #field, .type = type_, .offset = offsetof(owner, field), .unit = unit_, CAROM_RANGE_POSITIVE, .doc = doc_ }

static const carom_param spring_rows[] = {
    ROW(own_spring_params, stiffness, CAROM_PARAM_REAL, "mass/time^2", "Force per length of extension."),
    ROW(own_spring_params, mass, CAROM_PARAM_REAL, "mass", "Mass of each end."),
};

// d = x2 - x1; returns its length.
static double apart(const carom_block *block, int e, const double (*x)[3], double d[3]) {
    const int *n = &block->nodes[2 * e];
    for (int i = 0; i < 3; i++)
        d[i] = x[n[1]][i] - x[n[0]][i];
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

// The one number of reference data is the length at rest.
static carom_status prepare(const carom_block *block, const double (*X)[3], double *mass, carom_error *error) {
    const own_spring_params *p = block->params;
    for (int e = 0; e < block->count; e++) {
        double d[3], *rest = &block->data[carom_lane(e, 0, 1)];
        *rest = apart(block, e, X, d);
        if (!(*rest > 0))
            return carom_fail(error, CAROM_BAD_INPUT, "spring %d has no length", e);
        mass[block->nodes[2 * e]] += p->mass;
        mass[block->nodes[2 * e + 1]] += p->mass;
    }
    return CAROM_OK;
}

static void energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *E) {
    (void)X;
    const own_spring_params *p = block->params;
    for (int e = begin; e < end; e++) {
        double d[3], growth = apart(block, e, x, d) - block->data[carom_lane(e, 0, 1)];
        E[e] = 0.5 * p->stiffness * growth * growth;
    }
}

static void force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *f) {
    (void)X;
    const own_spring_params *p = block->params;
    for (int e = begin; e < end; e++) {
        double d[3], r = apart(block, e, x, d), pull = p->stiffness * (r - block->data[carom_lane(e, 0, 1)]) / r;
        for (int i = 0; i < 6; i++)
            f[carom_lane(e, i, 6)] = i < 3 ? pull * d[i] : -pull * d[i - 3];
    }
}

// d2E/dx2^2 = k (1 - r0/r) I + k r0/r^3 d d^T
static void stiffness(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *K) {
    (void)X;
    const own_spring_params *p = block->params;
    for (int e = begin; e < end; e++) {
        double d[3], r = apart(block, e, x, d), rest = block->data[carom_lane(e, 0, 1)];
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                double k = (i % 3 == j % 3) * (1 - rest / r) + rest * d[i % 3] * d[j % 3] / (r * r * r);
                K[36 * e + 6 * i + j] = (i / 3 == j / 3 ? 1 : -1) * p->stiffness * k;
            }
    }
}

// omega^2 = 2 k/m along the spring, less across it.
static void stable_step(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *h) {
    (void)x, (void)X;
    const own_spring_params *p = block->params;
    for (int e = begin; e < end; e++)
        h[e] = 2 / sqrt(2 * p->stiffness / p->mass);
}

static bool turns_freely(const carom_block *block) {
    (void)block;
    return true;
}

const carom_element own_spring = {
    .kind = {"own-spring", "Two masses and a spring, written outside carom.", "", spring_rows, 2, sizeof(own_spring_params)},
    .cell = CAROM_CELL_LINE2,
    .node_count = 2,
    .data_size = 1,
    .prepare = prepare,
    .energy = energy,
    .force = force,
    .stiffness = stiffness,
    .stable_step = stable_step,
    .turns_freely = turns_freely,
};

static const carom_param hardening_rows[] = {
    ROW(own_hardening_params, young, CAROM_PARAM_REAL, "mass/(length time^2)", "Modulus E without strain."),
    ROW(own_hardening_params, cubic, CAROM_PARAM_REAL, "mass/(length time^2)", "Modulus B of the cube of the strain."),
    ROW(own_hardening_params, density, CAROM_PARAM_REAL, "mass/length^3", "Mass per reference volume."),
};

static double density(const void *params) {
    return ((const own_hardening_params *)params)->density;
}

static carom_uniaxial uniaxial(const void *params, double e) {
    const own_hardening_params *p = params;
    return (carom_uniaxial){
        .energy = e * e * (0.5 * p->young + 0.25 * p->cubic * e * e),
        .stress = e * (p->young + p->cubic * e * e),
        .tangent = p->young + 3 * p->cubic * e * e,
    };
}

const carom_material own_hardening = {
    .kind = {"own-hardening", "A cubic law, written outside carom.", "", hardening_rows, 3, sizeof(own_hardening_params)},
    .density = density,
    .uniaxial = uniaxial,
};

static const carom_param zigzag_rows[] = {
    {.name = "from",
     .type = CAROM_PARAM_VEC3,
     .offset = offsetof(own_zigzag_params, from),
     .unit = "length",
     .initial = "[0, 0, 0]",
     CAROM_RANGE_ANY,
     .doc = "Where it begins."},
    ROW(own_zigzag_params, size, CAROM_PARAM_REAL, "length", "Length of a cell along z, and of the turn along x."),
    {.name = "elements",
     .type = CAROM_PARAM_INT,
     .offset = offsetof(own_zigzag_params, elements),
     .unit = "",
     .min = 1,
     .max = 1000,
     .doc = "Number of cells."},
};

static double cell_count(const void *params) {
    return ((const own_zigzag_params *)params)->elements;
}

static carom_status generate(const void *params, carom_mesh *mesh, carom_error *error) {
    const own_zigzag_params *p = params;
    int n = p->elements;
    carom_status status = carom_mesh_allocate(mesh, n + 1, CAROM_CELL_LINE2, n, error);
    if (status)
        return status;
    for (int k = 0; k <= n; k++) {
        mesh->nodes[k][0] = p->from[0] + (k % 2 ? p->size : 0);
        mesh->nodes[k][1] = p->from[1];
        mesh->nodes[k][2] = p->from[2] + k * p->size;
    }
    for (int e = 0; e < n; e++) {
        mesh->blocks[0].nodes[2 * e] = e;
        mesh->blocks[0].nodes[2 * e + 1] = e + 1;
    }
    status = carom_mesh_add_set(mesh, "start", (const int[]){0}, 1, error);
    return status ? status : carom_mesh_add_set(mesh, "end", &n, 1, error);
}

const carom_generator own_zigzag = {
    .kind = {"own-zigzag", "A zigzag of lines, written outside carom.", "", zigzag_rows, 3, sizeof(own_zigzag_params)},
    .cell_count = cell_count,
    .generate = generate,
};
