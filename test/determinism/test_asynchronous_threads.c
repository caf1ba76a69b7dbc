// SPDX-License-Identifier: MIT
// Ticks of asynchronous give the same bits for any number of threads, with more elements, nodes and pairs than one thread
// keeps for itself: plates that land on each other, which bounce, and under loads that are booked kick by kick; many bodies
// that kick by themselves between ticks; and plates that flow and relax.
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
    // the row of blocks, and metal
    NULL,
    "metal",
};

// A plate that flows lands on another that relaxes, with more elements than one thread keeps for itself in kicks and ticks.
static const char metal[] = "integrator: asynchronous\n"
                            "time: {end: 0.0002, step: auto}\n"
                            "bodies:\n"
                            "  - name: above\n"
                            "    mesh: {box: {from: [0, 0, 0.0101], to: [1, 1, 0.06], elements: [20, 20, 3]}}\n"
                            "    element: {hex8: {integration: mean-dilatation}}\n"
                            "    material:\n"
                            "      j2: {young: 1.0e+4, poisson: 0.3, density: 1, yield: 20, hardening: johnson-cook,\n"
                            "           strength: 100, exponent: 0.3, rate: 0.02, reference_rate: 1}\n"
                            "    velocity: [0.3, 0, -10]\n"
                            "  - name: below\n"
                            "    mesh: {box: {from: [-0.01, -0.01, -0.03], to: [1.01, 1.01, 0.01], elements: [17, 17, 2]}}\n"
                            "    element: hex8\n"
                            "    material: {viscoelastic: {young: 1.0e+4, poisson: 0.3, density: 1, prony: [[0.5, 1.0e-4]]}}\n"
                            "contact: {restitution: 0}\n";

// A block is thrown at eight others that stand in a row, with elements of three sizes. Steps are constant and no body has a
// sixth of the work, so that bodies kick by themselves between ticks; the blow outruns the first allowance.
static void write_row(char *text, size_t size) {
    int n = snprintf(text, size,
                     "integrator: {asynchronous: {beta: 0.5}}\n"
                     "time: {end: 0.02, step: auto, follow: false}\n"
                     "contact: {restitution: 0}\n"
                     "bodies:\n");
    for (int b = 0; b < 9; b++)
        n += snprintf(text + n, size - (size_t)n,
                      "  - name: block%d\n"
                      "    mesh: {box: {from: [%g, 0, 0], to: [%g, 1, 1], elements: [%d, 6, 6], cells: tet4}}\n"
                      "    element: tet4\n"
                      "    material: {st-venant-kirchhoff: {young: 1000, poisson: 0.3, density: 1}}\n"
                      "    velocity: [%d, 0, 0]\n",
                      b, 1.002 * b, 1.002 * b + 1, 5 + b % 3, b == 0 ? 8 : 0);
}

static uint64_t run(const char *variant, int threads) {
    char text[8192];
    collision c;
    if (!variant)
        write_row(text, sizeof text);
    else if (strcmp(variant, "metal") == 0)
        snprintf(text, sizeof text, "%s", metal);
    else
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
