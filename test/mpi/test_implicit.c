// SPDX-License-Identifier: MIT
// Tests src/solver/rows.c, src/solver/linear_petsc.c, src/solver/system.c, src/integrator/energy_momentum/balance.c.
// Implicit methods on processes that have the same model and share the rows of its matrices: states and matrices have the bits
// of a process that works alone, whatever their number; failures and wishes to stop reach all of them.
#include <petscsys.h>

#include "../blocks.h"
#include "base/interrupt.h"
#include "integrator/energy_momentum/workspace.h"
#include "integrator/static/equilibrium.h"
#include "parallel/parallel.h"
#include "sim/sim.h"

static uint64_t scramble(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

// The rows that are kept here, added up over all processes: it has no order.
static uint64_t matrix_hash(const carom_sparse *matrix, const carom_rows *rows) {
    uint64_t sum = 0;
    for (int r = rows->begin; r < rows->end; r++)
        for (int64_t e = matrix->row_begin[r]; e < matrix->row_begin[r + 1]; e++) {
            uint64_t bits;
            memcpy(&bits, &matrix->value[e], sizeof bits);
            sum += scramble(bits ^ scramble((uint64_t)e));
        }
    if (rows->shared)
        carom_parallel_sum_words(&sum, 1);
    return sum;
}

// Processes that do not agree end at once: the others would wait for them.
static void demand(bool so, const char *what) {
    if (!carom_parallel_agree(so ? CAROM_OK : CAROM_NUMERICAL, NULL))
        return;
    if (!so)
        fprintf(stderr, "rank %d: %s\n", carom_parallel_rank(), what);
    fail_msg("%s", what);
}

static const carom_restraint_def holds[2] = {
    {.where = {.body = "body1", .set = "zmin", .node = CAROM_AUTO}, .direction_count = 2, .direction = {{1, 1, 0}, {0, 0, 1}}},
    {.where = {.body = "body0", .set = "xmin", .node = CAROM_AUTO},
     .direction_count = 1,
     .direction = {{0, 1, 0}},
     .velocity = {0, 0.1, 0}},
};

// Two blocks that touch with friction from the first step on; directions of restraints are no axes.
static void start_blocks(bench *b, int n) {
    static const carom_load_def load = {.where = {.body = "body0", .set = "zmax", .node = CAROM_AUTO}, .pressure = 0.5};
    bench_start(b);
    b->def.contact.friction = 0.4;
    b->def.contact.restitution = 1;
    block_add(b, VECTOR(0.1, 0.2, 1.001), VECTOR(0.9, 0.8, 1.6), (const int[3]){n + 1, n, n}, VECTOR(0.5, 0.2, -1),
              "neo-hookean");
    block_add(b, VECTOR(0, 0, 0), VECTOR(1.3, 1, 1), (const int[3]){n + 2, n + 1, n}, VECTOR(0, 0, 0), "st-venant-kirchhoff");
    b->def.restraints = holds;
    b->def.restraint_count = 2;
    b->def.loads = &load;
    b->def.load_count = 1;
}

static carom_energy_momentum_params motion_params(carom_solver solver) {
    carom_energy_momentum_params p;
    const carom_kind *kind = carom_catalogue_find(carom_integrators(), "energy-momentum");
    carom_param_defaults(kind->params, kind->param_count, &p);
    p.solver = solver;
    return p;
}

static void run_motion(carom_solver solver, int n, bool shared, uint64_t hashes[2], int64_t *own_rows) {
    bench b;
    carom_energy_momentum_params p = motion_params(solver);
    start_blocks(&b, n);
    bench_build(&b);
    b.model->part.replicated = shared;
    bench_simulate_by(&b, "energy-momentum", &p, 0.02, 0.01);
    bench_run(&b);
    assert_true(carom_state_contact_events(carom_sim_state(b.sim)) > 0);
    const carom_energy_momentum_workspace *s = b.sim->stepper.workspace;
    hashes[0] = carom_state_hash(carom_sim_state(b.sim));
    hashes[1] = matrix_hash(s->balance.matrix, &s->balance.rows);
    *own_rows = s->balance.rows.end - s->balance.rows.begin;
    demand(s->balance.rows.shared == (shared && carom_parallel_size() > 1), "rows are not shared as they should be");
    carom_system_counts work = carom_system_work(s->balance.system);
    demand((work.factorisations == 0) == (solver == CAROM_SOLVER_CG) && work.fallbacks == 0, "the solver is another one");
    bench_end(&b);
}

// Small systems belong to one process; large ones are shared out.
static void motion(void **state) {
    (void)state;
    static const carom_solver solvers[] = {CAROM_SOLVER_DIRECT, CAROM_SOLVER_CG};
    for (int i = 0; i < 4; i++) {
        uint64_t alone[2], together[2];
        int64_t all, own;
        run_motion(solvers[i % 2], i < 2 ? 2 : 6, false, alone, &all);
        run_motion(solvers[i % 2], i < 2 ? 2 : 6, true, together, &own);
        demand(alone[1] == together[1], "the matrix depends on the number of processes");
        demand(alone[0] == together[0], "the state depends on the number of processes");
        // a thousand nodes
        if (i >= 2 && carom_parallel_size() > 1 && carom_parallel_size() <= 6)
            demand(own > 0 && own < all, "a large system is not shared out");
    }
}

// A tower of bricks, bent; with pressures that follow or without.
static void start_tower(bench *b, int n, bool follows) {
    static const carom_restraint_def foot[2] = {
        {.where = {.body = "body0", .set = "zmin", .node = CAROM_AUTO},
         .direction_count = 3,
         .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        {.where = {.body = "body0", .set = "zmax", .node = CAROM_AUTO},
         .direction_count = 1,
         .direction = {{1, 0, 1}},
         .velocity = {0.2, 0, 0.2}},
    };
    static const carom_load_def loads[2] = {
        {.where = {.body = "body0", .set = "zmax", .node = CAROM_AUTO}, .traction = {0, 0.5, 0}},
        {.where = {.body = "body0", .set = "ymin", .node = CAROM_AUTO}, .pressure = 0.3},
    };
    bench_start(b);
    b->def.contact.enabled = false;
    block_add(b, VECTOR(0, 0, 0), VECTOR(1, 1, 3), (const int[3]){n, n, 3 * n}, VECTOR(0, 0, 0), "neo-hookean");
    b->def.restraints = foot;
    b->def.restraint_count = 2;
    b->def.loads = loads;
    b->def.load_count = follows ? 2 : 1;
}

static carom_static_params static_params(carom_solver solver, bool linear) {
    carom_static_params p;
    const carom_kind *kind = carom_catalogue_find(carom_analyses(), "static");
    carom_param_defaults(kind->params, kind->param_count, &p);
    p.solver = solver;
    p.steps = 2;
    p.linear = linear;
    return p;
}

static carom_status create_static(bench *b, const carom_static_params *p, bool shared, carom_error *error) {
    carom_time_def time = carom_static_time(p);
    carom_pick pick = {carom_catalogue_find(carom_analyses(), "static"), p};
    bench_build(b);
    b->model->part.replicated = shared;
    return carom_sim_create(b->model, pick, &time, &b->sim, error);
}

static void statics(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        uint64_t hashes[2];
        carom_static_params p = static_params(i % 2 ? CAROM_SOLVER_CG : CAROM_SOLVER_DIRECT, i < 2);
        for (int shared = 0; shared < 2; shared++) {
            bench b;
            carom_error error;
            start_tower(&b, i < 6 ? 4 : 1, i == 4 || i == 5);
            demand(create_static(&b, &p, shared, &error) == CAROM_OK, "the analysis does not start");
            bench_run(&b);
            hashes[shared] = carom_state_hash(carom_sim_state(b.sim));
            const double *work = carom_state_find_array(carom_sim_state(b.sim), "solver counts");
            // pressures that follow make matrices that are eliminated
            demand((work[1] == 0) == (p.solver == CAROM_SOLVER_CG && i != 5), "the solver is another one");
            bench_end(&b);
        }
        demand(hashes[0] == hashes[1], "the equilibrium depends on the number of processes");
    }
}

static void stiffness(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int shared = 0; shared < 2; shared++) {
        bench b;
        start_tower(&b, 4, true);
        bench_build(&b);
        b.model->part.replicated = shared;
        carom_equilibrium eq;
        assert_ok(carom_equilibrium_create(b.model, 1e-9, 25, CAROM_SYSTEM_DIRECT, &eq, error));
        double(*x)[3] = calloc((size_t)b.model->node_count, sizeof *x);
        memcpy(x, b.model->X, (size_t)b.model->node_count * sizeof *x);
        assert_ok(carom_equilibrium_solve(&eq, 0.5, x, error));
        hashes[shared] = matrix_hash(eq.matrix, &eq.rows);
        carom_equilibrium_release(&eq);
        free(x);
        bench_end(&b);
    }
    demand(hashes[0] == hashes[1], "the stiffness depends on the number of processes");
}

static double *solve_tower(carom_solver solver, bool linear, bool shared, int n, double *work) {
    bench b;
    carom_error error;
    carom_static_params p = static_params(solver, linear);
    start_tower(&b, n, false);
    demand(create_static(&b, &p, shared, &error) == CAROM_OK, "the analysis does not start");
    bench_run(&b);
    double *u = calloc((size_t)b.model->node_count, 3 * sizeof *u);
    for (int i = 0; i < 3 * b.model->node_count; i++)
        u[i] = carom_state_positions(carom_sim_state(b.sim))[i / 3][i % 3] - b.model->X[i / 3][i % 3];
    memcpy(work, carom_state_find_array(carom_sim_state(b.sim), "solver counts"), 4 * sizeof *work);
    bench_end(&b);
    return u;
}

// PETSc leads to the equilibrium of elimination, without its help; also with a factorisation of its own, where processes have
// no rows, and with a method that cannot tell whether the stiffness is positive.
static void multigrid(void **state) {
    (void)state;
    static const char *const options[][2] = {
        {NULL, NULL}, {"-carom_ksp_type", "gmres"}, {"-carom_pc_type", "cholesky"}, {NULL, NULL}};
    for (int i = 0; i < 4; i++) {
        int n = i == 3 ? 1 : 4;
        double direct[4], petsc[4], largest = 0, difference = 0;
        double *u = solve_tower(CAROM_SOLVER_DIRECT, i % 2 == 0, false, n, direct);
        if (options[i][0])
            assert_int_equal(PetscOptionsSetValue(NULL, options[i][0], options[i][1]), 0);
        assert_int_equal(PetscOptionsSetValue(NULL, "-carom_pc_factor_mat_solver_type", "mumps"), 0);
        double *v = solve_tower(CAROM_SOLVER_PETSC, i % 2 == 0, true, n, petsc);
        if (options[i][0])
            assert_int_equal(PetscOptionsClearValue(NULL, options[i][0]), 0);
        for (int k = 0; k < 3 * (n + 1) * (n + 1) * (3 * n + 1); k++) {
            largest = fmax(largest, fabs(u[k]));
            difference = fmax(difference, fabs(u[k] - v[k]));
        }
        demand(difference <= 1e-9 * largest, "PETSc finds another equilibrium");
        demand(petsc[1] == 0 && petsc[2] > 0 && petsc[3] == 0, "PETSc did not do it");
        free(u);
        free(v);
    }
}

// A mechanism has the same name everywhere; a model that is held altogether has no unknowns; one process that is asked to stop
// stops all, before the step is done.
static void troubles(void **state) {
    (void)state;
    static const carom_solver solvers[] = {CAROM_SOLVER_DIRECT, CAROM_SOLVER_CG, CAROM_SOLVER_PETSC};
    for (int i = 0; i < 3; i++) {
        bench b;
        carom_error error = {0};
        carom_static_params p = static_params(solvers[i], false);
        // nothing resists the middle of two bars along z
        static const carom_restraint_def ends[3] = {
            {.where = {.body = "body0", .set = "start", .node = CAROM_AUTO},
             .direction_count = 3,
             .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
            {.where = {.body = "body0", .set = "end", .node = CAROM_AUTO},
             .direction_count = 3,
             .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
            {.where = {.body = "body0", .node = CAROM_AUTO}, .direction_count = 1, .direction = {{0, 1, 0}}},
        };
        bench_start(&b);
        bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), 2, VECTOR(0, 0, 0), 1);
        b.def.contact.enabled = false;
        b.def.restraints = ends;
        b.def.restraint_count = 3;
        demand(create_static(&b, &p, true, &error) == CAROM_BAD_INPUT, "a mechanism is accepted");
        demand(strstr(error.message, "can move without resistance, for example node 1 of body 'body0' along z"), error.message);
        bench_end(&b);

        start_tower(&b, 1, false);
        static const carom_restraint_def all = {.where = {.body = "body0", .node = CAROM_AUTO},
                                                .direction_count = 3,
                                                .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        b.def.restraints = &all;
        b.def.restraint_count = 1;
        demand(create_static(&b, &p, true, &error) == CAROM_OK, error.message);
        bench_run(&b);
        bench_end(&b);
    }
    for (int i = 0; i < 6; i++) {
        bench b;
        carom_error error = {0};
        carom_static_params p = static_params(solvers[i / 2], false);
        carom_energy_momentum_params q = motion_params(solvers[i / 2]);
        if (i % 2) {
            start_tower(&b, 3, false);
            demand(create_static(&b, &p, true, &error) == CAROM_OK, "the analysis does not start");
        } else {
            start_blocks(&b, 3);
            bench_build(&b);
            b.model->part.replicated = true;
            bench_simulate_by(&b, "energy-momentum", &q, 0.1, 0.01);
        }
        if (carom_parallel_rank() == carom_parallel_size() - 1)
            carom_interrupt_note();
        demand(carom_sim_step(b.sim, &error) == CAROM_INTERRUPTED, "the wish to stop is not heard");
        carom_interrupt_clear();
        demand(carom_sim_step(b.sim, &error) == CAROM_OK, "the wish to stop does not end");
        bench_end(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motion),    cmocka_unit_test(statics),  cmocka_unit_test(stiffness),
        cmocka_unit_test(multigrid), cmocka_unit_test(troubles),
    };
    carom_error error;
    if (carom_parallel_start(&error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    // Only one rank reports; a failure of another one shows in its exit code.
    if (carom_parallel_rank() > 0 && !freopen("/dev/null", "w", stdout))
        return 1;
    int code = cmocka_run_group_tests(tests, NULL, NULL);
    carom_parallel_stop();
    return code;
}
