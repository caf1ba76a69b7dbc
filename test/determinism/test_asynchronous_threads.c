// SPDX-License-Identifier: MIT
// Ticks of asynchronous give the same bits for any number of threads, with more elements, nodes and pairs than one thread
// keeps for itself: plates that land on each other, which bounce, and under loads that are booked kick by kick.
#include "../collision.h"
#include "carom/threads.h"

// A thin plate falls on one of another mesh.
static const char plates[] = "integrator: {asynchronous: {beta: 0.5}}\n"
                             "time: {end: 0.0003, step: auto}\n"
                             "bodies:\n"
                             "  - name: above\n"
                             "    mesh: {box: {from: [0, 0, 0.0101], to: [1, 1, 0.05], elements: [36, 36, 2]}}\n"
                             "    element: hex8\n"
                             "    material: &stone {st-venant-kirchhoff: {young: 1.0e+4, poisson: 0.3, density: 1}}\n"
                             "    velocity: [0.3, 0, -1]\n"
                             "  - name: below\n"
                             "    mesh: {box: {from: [-0.01, -0.01, -0.03], to: [1.01, 1.01, 0.01], elements: [33, 33, 2]}}\n"
                             "    element: hex8\n"
                             "    material: *stone\n";

static const char *const variants[] = {
    "contact: {restitution: 0, friction: 0.2}\n",
    "contact: {restitution: 0.8}\n",
    "contact: {restitution: 0}\ngravity: [0, 0, -100]\nrestraints:\n  - {body: below, set: zmin, fix: xyz}\n",
};

static uint64_t run(const char *variant, int threads) {
    char text[2048];
    collision c;
    snprintf(text, sizeof text, "%s%s", plates, variant);
    carom_set_threads(threads);
    collision_parse(&c, text);
    while (!carom_sim_done(c.sim))
        assert_ok(carom_sim_step(c.sim, error));
    assert_true(carom_state_contact_events(carom_sim_state(c.sim)) > 500);
    uint64_t hash = carom_state_hash(carom_sim_state(c.sim));
    collision_end(&c);
    return hash;
}

static void same_bits(void **state) {
    (void)state;
    for (int v = 0; v < (int)(sizeof variants / sizeof *variants); v++) {
        uint64_t one = run(variants[v], 1);
        for (int t = 0; t < 3; t++)
            if (run(variants[v], (const int[]){2, 3, 8}[t]) != one)
                fail_msg("variant %d: other bits with %d threads", v, (const int[]){2, 3, 8}[t]);
    }
    carom_set_threads(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
