// SPDX-License-Identifier: MIT
// A program outside carom with kinds of its own: they pass the conformance tests against the installed library, the tests find
// planted faults, and a scene file that names them runs and keeps its gates:  extender SCENE
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "conformance.h"
#include "own.h"

static const own_hardening_params law = {.young = 2, .cubic = 3, .density = 1.5};
static const own_spring_params spring = {.stiffness = 3, .mass = 0.7};
static const double line[2][3] = {{0.1, 0.2, -0.3}, {0.9, -0.1, 0.4}};

// Wrong by one part in a thousand.
static carom_uniaxial false_uniaxial(const void *params, double e) {
    carom_uniaxial answer = own_hardening.uniaxial(params, e);
    answer.stress *= 1.001;
    return answer;
}

static void false_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *f) {
    own_spring.force(block, begin, end, x, X, f);
    for (int e = begin; e < end; e++)
        f[carom_lane(e, 0, 6)] *= 1.001;
}

// The faults that the conformance tests must find; each line is one that they missed.
static int missed(void) {
    int count = 0;
    carom_material material = own_hardening;
    carom_element element = own_spring;
    material.uniaxial = false_uniaxial;
    count += !conformance_material((carom_pick){&material.kind, &law});
    // what a law promises falsely
    carom_elastic_params rubber = {.young = 2, .poisson = 0.3, .density = 1.5};
    const carom_kind *svk = carom_catalogue_find(carom_materials(), "st-venant-kirchhoff");
    material = *(const carom_material *)svk;
    count += conformance_material((carom_pick){svk, &rubber});
    material.barrier = true;
    count += !conformance_material((carom_pick){&material.kind, &rubber});
    material = *(const carom_material *)carom_catalogue_find(carom_materials(), "neo-hookean");
    count += conformance_material((carom_pick){&material.kind, &rubber});
    material.quadratic = true;
    count += !conformance_material((carom_pick){&material.kind, &rubber});
    element.force = false_force;
    count += !conformance_element((carom_pick){&element.kind, &spring}, (carom_pick){0}, line);
    for (int i = 0; i < 2; i++) {
        carom_integrator integrator = own_leapfrog;
        if (i == 0)
            integrator.claims.order = 3;
        else
            integrator.claims.energy = CAROM_ENERGY_EXACT;
        count += !conformance_integrator((carom_pick){&integrator.kind, NULL});
    }
    return count;
}

// Those of carom that take free chains of bars pass the same test.
static int conformance_of_carom(void) {
    int count = 0;
    const char *names[] = {"newmark-dcr", "energy-momentum"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        count += conformance_integrator(carom_pick_of(carom_integrators(), names[i], NULL, NULL));
    return count;
}

static int run_scene(const char *path) {
    carom_error error = {0};
    carom_scene *scene = NULL;
    carom_sim *sim = NULL;
    carom_summary summary = {0};
    carom_run_def run = carom_default_run_def();
    int failed = 0;
    carom_status status = carom_scene_load(path, NULL, 0, &scene, NULL, &error);
    if (!status)
        status =
            carom_sim_create(carom_scene_model(scene), carom_scene_integrator(scene), carom_scene_time(scene), &sim, &error);
    if (!status)
        status = carom_run(sim, &run, &summary, &error);
    for (int i = 0; !status && i < carom_scene_expectation_count(scene); i++) {
        carom_verdict verdict = carom_scene_judge(scene, i, sim, &summary);
        printf("%s %s: %g\n", verdict.name, verdict.condition, verdict.value);
        failed += !verdict.passed;
    }
    if (status)
        printf("%s\n", error.message);
    carom_summary_release(&summary);
    carom_sim_release(sim);
    carom_scene_release(scene);
    return status ? 1 : failed;
}

int main(int count, char **arguments) {
    carom_error error;
    if (count != 2 || carom_register_integrator(&own_leapfrog, &error) || carom_register_element(&own_spring, &error) ||
        carom_register_material(&own_hardening, &error) || carom_register_generator(&own_zigzag, &error)) {
        printf("%s\n", count == 2 ? error.message : "usage: extender SCENE");
        return 2;
    }
    int faults = conformance_material((carom_pick){&own_hardening.kind, &law});
    faults += conformance_element((carom_pick){&own_spring.kind, &spring}, (carom_pick){0}, line);
    faults += conformance_integrator(carom_pick_of(carom_integrators(), "own-leapfrog", NULL, &error));
    faults += conformance_of_carom();
    printf("conformance: %d faults\n", faults);
    puts("planted:");
    int blind = missed();
    if (blind)
        printf("%d planted faults were missed\n", blind);
    puts("scene:");
    int failed = run_scene(arguments[1]);
    printf("extender: %s\n", faults || blind || failed ? "FAILED" : "passed");
    return faults || blind || failed ? 1 : 0;
}
