// SPDX-License-Identifier: MIT
// Tests src/integrator/needs.c, src/sim/share.c.
// What the tables say of several processes: a model that a method supports alone is refused by the name of what they lack, or
// its state has the bits of one process.
#include "../specimens.h"
#include "parallel/parallel.h"
#include "sim/collect.h"

// Steps of a specimen, by one process or by all of them: 0 if it is refused. Processes but the first have no hash.
static bool run(const specimen *s, const carom_integrator *method, bool shared, uint64_t *hash, carom_error *fault) {
    bool still = method->equilibrium && s->still, first = carom_parallel_rank() == 0;
    carom_scene *scene = specimen_read(s, still);
    void *params = default_params(&method->kind);
    carom_time_def time = method->equilibrium ? carom_static_time(params) : *carom_scene_time(scene);
    carom_pick pick = {&method->kind, params};
    carom_sim *sim = NULL;
    const carom_model *model = carom_scene_model(scene);
    bool taken = shared ? !carom_sim_create_shared(first ? model : NULL, pick, &time, CAROM_PARTITION_BISECTION, &sim, fault)
                        : !carom_sim_create(model, pick, &time, &sim, fault);
    for (int i = 0; i < (still ? 1 : s->steps) && taken; i++)
        assert_ok(carom_sim_step(sim, error));
    const carom_state *whole = taken && shared ? carom_sim_collect(sim) : taken ? carom_sim_state(sim) : NULL;
    *hash = whole && first ? carom_state_hash(whole) : 0;
    carom_sim_release(sim);
    free(params);
    carom_scene_release(scene);
    return taken;
}

static bool is_true(const carom_integrator *method, const specimen *s) {
    carom_error error = {0};
    uint64_t alone, together;
    // what a method lacks anyway is tested for one process
    if (!run(s, method, false, &alone, &error))
        return true;
    const carom_lack *lacks = carom_engine_lacks(CAROM_ENGINE_RANKS, method);
    bool runs = carom_engine_runs(CAROM_ENGINE_RANKS, method);
    bool refused = carom_parallel_size() > 1 && (!runs || specimen_lack(lacks, s->need));
    bool taken = run(s, method, true, &together, &error);
    const char *words = runs ? s->words : "runs on one process";
    bool right = refused ? !taken && strstr(error.message, words) : taken && alone == together;
    if (!right)
        fprintf(stderr, "rank %d, %s, %s: %s, but %s\n", carom_parallel_rank(), method->kind.name, carom_need_name(s->need),
                refused ? "no" : "yes", taken ? "taken" : error.message);
    return right;
}

static void each_cell(void **state) {
    (void)state;
    const carom_catalogue *const all[] = {carom_integrators(), carom_analyses()};
    int wrong = 0;
    for (int a = 0; a < 2; a++)
        for (int k = 0; k < all[a]->count; k++)
            for (int i = 0; i < SPECIMENS; i++)
                wrong += !is_true((const carom_integrator *)all[a]->kinds[k], &specimens[i]);
    assert_int_equal(wrong, 0);
}

int main(void) {
    carom_error error;
    if (carom_parallel_start(&error))
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_cell)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    carom_parallel_stop();
    return failed;
}
