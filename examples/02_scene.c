// SPDX-License-Identifier: MIT
// A scene from C: text in memory, a whole run, the ledger, and the verdicts of the scene's own gates.
//
// A ball of mass 2 falls from the height h = 1 under g = 10 onto a floor that returns half of its speed. In closed form:
//
//     first impact at t1 = sqrt(2 h/g) with the speed v = sqrt(2 g h)
//     loss by restitution (1 - e^2) m g h = 15, top of the bounce at t1 + e v/g, at the height e^2 h = 1/4
//
// The scene is the same text that `carom run` reads from a file. Everything that a scene can say is available here, with
// the same checks and messages; a program can write the text itself or change single values with overrides.
//
// Build it with an installed carom:   cc 02_scene.c $(pkg-config --cflags --libs carom) -lm -o scene
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <carom/carom.h>

static const char text[] = "schema: 1\n"
                           "title: A ball bounces once\n"
                           "integrator: newmark-dcr\n"
                           "time: {end: 1, step: 1e-3}\n"
                           "gravity: [0, 0, -10]\n"
                           "bodies:\n"
                           "  - name: ball\n"
                           "    mesh: {point: {at: [0, 0, 1]}}\n"
                           "    element: {point-mass: {mass: 2}}\n"
                           "contact:\n"
                           "  restitution: 0.9\n"
                           "  planes: [{name: floor, normal: [0, 0, 1]}]\n"
                           "expect: {energy_error: < 1e-12, contact_events: 1}\n";

int main(void) {
    const double g = 10, h = 1, e = 0.5, m = 2;
    double t1 = sqrt(2 * h / g), v = sqrt(2 * g * h), top = t1 + e * v / g;

    // An override replaces one value, as `--set` does on the command line: the run ends at the top of the bounce.
    char end[64];
    snprintf(end, sizeof end, "time.end=%.17g", top);
    const char *overrides[] = {end, "contact.restitution=0.5"};

    // Errors come as a list of findings with line and column, ready to be shown. This scene has none.
    carom_error error;
    carom_findings findings = {0};
    carom_scene *scene;
    if (carom_scene_parse(text, strlen(text), "ball.yaml", overrides, 2, &scene, &findings, &error)) {
        fprintf(stderr, "scene: %s\n", error.message);
        carom_findings_release(&findings);
        return 1;
    }
    carom_findings_release(&findings);

    // The scene owns its model; the simulation refers to it, so it is released first.
    carom_sim *sim;
    if (carom_sim_create(carom_scene_model(scene), carom_scene_integrator(scene), carom_scene_time(scene), &sim, &error)) {
        fprintf(stderr, "scene: %s\n", error.message);
        carom_scene_release(scene);
        return 1;
    }

    // carom_run is the loop of `carom run`. Without an output definition it writes nothing and only measures.
    carom_run_def run = carom_default_run_def();
    carom_summary summary;
    carom_status status = carom_run(sim, &run, &summary, &error);
    if (status)
        fprintf(stderr, "scene: %s\n", error.message);

    carom_ledger_row row = carom_sim_ledger(sim);
    const carom_state *state = carom_sim_state(sim);
    double height = carom_state_positions(state)[0][2], time = carom_state_time(state);
    double exact = e * v * (time - t1) - 0.5 * g * (time - t1) * (time - t1);
    printf("%s: %lld steps, impact at %.12f (exact %.12f)\n", carom_scene_title(scene), (long long)summary.steps,
           carom_state_pair(state, 0).first_contact, t1);
    printf("height %.12f (exact %.12f), lost %.12f (exact %.12f)\n", height, exact, row.restitution, (1 - e * e) * m * g * h);

    // The gates of `expect:` are evaluated by the library, not by the command.
    bool passed = !status;
    for (int i = 0; i < carom_scene_expectation_count(scene); i++) {
        carom_verdict verdict = carom_scene_judge(scene, i, sim, &summary);
        printf("%s %s: %g, %s\n", verdict.name, verdict.condition, verdict.value, verdict.passed ? "passed" : "FAILED");
        passed = passed && verdict.passed;
    }

    // Within a step the ball flies straight, so that height and time of the impact are off by the order of g step^2.
    bool good = passed && fabs(height - exact) < 2e-6 && fabs(row.restitution / ((1 - e * e) * m * g * h) - 1) < 2e-6 &&
                fabs(carom_state_pair(state, 0).first_contact - t1) < 2e-6;
    printf("%s\n", good ? "agrees with the closed form" : "does NOT agree with the closed form");

    carom_summary_release(&summary);
    carom_sim_release(sim);
    carom_scene_release(scene);
    return good ? 0 : 1;
}
