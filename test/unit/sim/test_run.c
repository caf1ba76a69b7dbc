// SPDX-License-Identifier: MIT
// Tests src/sim/run.c, src/sim/show.c, src/sim/ends.c.
// The run loop called from a program: its summary, and restoration of signal handlers.
#include "../../support.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "carom/carom.h"
#include "sim/signals.h"

static const char scene_text[] =
    "integrator: newmark-dcr\n"
    "time: {end: 3, step: 0.1}\n"
    "bodies:\n"
    "  - {name: a, mesh: {point: {at: [0, 0, 0]}}, element: {point-mass: {mass: 2}}, velocity: [1, 0, 0]}\n"
    "  - {name: b, mesh: {point: {at: [1, 0, 0]}}, element: {point-mass: {mass: 1}}}\n"
    "contact: {restitution: 0.5}\n";

static carom_scene *scene;

static int load(void **state) {
    (void)state;
    carom_findings findings = {0};
    carom_error error;
    carom_status status = carom_scene_parse(scene_text, strlen(scene_text), "text", NULL, 0, &scene, &findings, &error);
    carom_findings_release(&findings);
    return (int)status;
}

static int unload(void **state) {
    (void)state;
    carom_scene_release(scene);
    return 0;
}

static carom_sim *new_sim(void) {
    carom_sim *sim = NULL;
    assert_int_equal(
        carom_sim_create(carom_scene_model(scene), carom_scene_integrator(scene), carom_scene_time(scene), &sim, NULL),
        CAROM_OK);
    return sim;
}

// Point masses 2 and 1 with speeds 1 and 0, e = 1/2: afterwards the speeds are 1/2 and 1, and a quarter of the energy is lost.
static void summary_of_two_masses(void **state) {
    (void)state;
    carom_sim *sim = new_sim();
    carom_summary summary;
    const carom_run_def def = {0};
    assert_int_equal(carom_run(sim, &def, &summary, NULL), CAROM_OK);
    assert_int_equal(summary.steps, 30);
    assert_int_equal(summary.contact_events, 1);
    assert_int_equal(summary.pair_count, 1);
    assert_near(summary.pairs[0].first_contact, 1, 1e-12);
    assert_near(summary.pairs[0].approach, 1, 1e-15);
    assert_near(carom_summary_restitution(sim, &summary.pairs[0]), 0.5, 1e-14);
    assert_near(summary.first.kinetic, 1, 0);
    assert_near(summary.last.kinetic, 0.75, 1e-14);
    assert_near(summary.last.restitution, 0.25, 1e-14);
    assert_true(summary.energy_error < 1e-14);
    assert_true(summary.momentum_error < 1e-15);
    assert_near(summary.energy_scale, 1, 0);
    assert_near(summary.momentum_scale, 2, 1e-15);
    carom_summary_release(&summary);
    carom_sim_release(sim);
}

static void no_restitution_without_approach(void **state) {
    (void)state;
    carom_sim *sim = new_sim();
    const carom_pair_record pair = {.body = {0, 1}, .approach = 0, .normal = {1, 0, 0}};
    assert_true(isnan(carom_summary_restitution(sim, &pair)));
    carom_sim_release(sim);
}

static void nothing_to_resume_without_output(void **state) {
    (void)state;
    carom_sim *sim = new_sim();
    carom_summary summary;
    carom_error error;
    const carom_run_def def = {.resume = true};
    assert_int_equal(carom_run(sim, &def, &summary, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_state_step(carom_sim_state(sim)), 0);
    carom_sim_release(sim);
}

static int taken;

static void take(int number) {
    taken = number;
}

static void signals_are_put_back(void **state) {
    (void)state;
    signal(SIGINT, take);
    signal(SIGTERM, SIG_IGN);
    carom_signals signals = carom_signals_catch();
    assert_false(carom_signals_arrived());
    raise(SIGTERM); // ignored before, so still ignored
    assert_false(carom_signals_arrived());
    raise(SIGINT);
    assert_true(carom_signals_arrived());
    assert_int_equal(taken, 0);
    // a repetition directly after it has no effect
    raise(SIGINT);
    assert_int_equal(taken, 0);
    carom_signals_restore(&signals, false);
    raise(SIGINT);
    assert_int_equal(taken, SIGINT);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

// A signal repeated later (here after 1.1 s) ends the process, whether or not the first one was handled.
static void later_signal_ends_the_process(void **state) {
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        carom_signals_catch();
        raise(SIGINT);
        raise(SIGINT);
        nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 100000000}, NULL);
        raise(SIGINT);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

static void run_leaves_signals_alone(void **state) {
    (void)state;
    signal(SIGINT, take);
    carom_sim *sim = new_sim();
    carom_summary summary;
    const carom_run_def def = {.handle_signals = true};
    assert_int_equal(carom_run(sim, &def, &summary, NULL), CAROM_OK);
    struct sigaction action;
    sigaction(SIGINT, NULL, &action);
    assert_true(action.sa_handler == take);
    signal(SIGINT, SIG_DFL);
    carom_summary_release(&summary);
    carom_sim_release(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summary_of_two_masses),
        cmocka_unit_test(no_restitution_without_approach),
        cmocka_unit_test(nothing_to_resume_without_output),
        cmocka_unit_test(signals_are_put_back),
        cmocka_unit_test(later_signal_ends_the_process),
        cmocka_unit_test(run_leaves_signals_alone),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
