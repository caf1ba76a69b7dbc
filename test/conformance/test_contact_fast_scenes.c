// SPDX-License-Identifier: MIT
// Shipped scenes made so fast that bodies pass ten of their lengths in a step: no step that is accepted has crossing faces.
//
// At such speeds elements are crushed in the first impact; only the law of small strains stands that, so all bodies have it
// here.
#include "../collision.h"
#include "carom/threads.h"

enum { OVERRIDES_MAX = 8 };

// Scenes, on meshes as coarse as they can be: an impact of this kind goes through all faces of a body.
static const struct {
    const char *name;
    const char *overrides[OVERRIDES_MAX];
} scenes[] = {
#define LAW(b) "bodies[" #b "].material={linear: {young: 1, density: 1}}"
#define BOX(b, elements) "bodies[" #b "].mesh.box.elements=" elements
    {"gallery/cubes_edge_to_edge", {LAW(0), LAW(1), BOX(0, "[1,1,1]"), BOX(1, "[2,2,2]")}},
    {"gallery/cubes_corner_to_corner", {LAW(0), LAW(1), BOX(0, "[2,2,2]"), BOX(1, "[1,1,1]")}},
    {"verify/spinning_collision",
     {LAW(0), LAW(1), LAW(2), BOX(0, "[2,1,1]"), BOX(1, "[1,1,1]"), "bodies[2].mesh.ball.divisions=2",
      "bodies[2].mesh.ball.layers=1"}},
    {"verify/bounce_off_block",
     {LAW(0), LAW(1), BOX(1, "[2,2,1]"), "bodies[0].mesh.ball.divisions=2", "bodies[0].mesh.ball.layers=1"}},
#undef LAW
#undef BOX
};

enum { STEPS = 3 };

// Size of the smallest body, and the largest difference of the velocities of two bodies (of their first nodes).
static void measure(const carom_model *model, double *length, double *speed) {
    *length = HUGE_VAL;
    *speed = 0;
    for (int b = 0; b < model->body_count; b++) {
        const carom_body *body = &model->bodies[b];
        double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, size[3];
        for (int k = body->node_begin; k < body->node_begin + body->node_count; k++)
            for (int i = 0; i < 3; i++) {
                low[i] = fmin(low[i], model->X[k][i]);
                high[i] = fmax(high[i], model->X[k][i]);
            }
        carom_difference(high, low, size);
        *length = fmin(*length, carom_norm(size));
        for (int other = 0; other < b; other++) {
            double u[3];
            carom_difference(model->v0[body->node_begin], model->v0[model->bodies[other].node_begin], u);
            *speed = fmax(*speed, carom_norm(u));
        }
    }
}

static void run_fast(const char *name, const char *const *overrides, double lengths) {
    const char *all[OVERRIDES_MAX + 1] = {"time.on_event=warn"};
    char path[1024];
    int count = 1;
    for (int o = 0; o < OVERRIDES_MAX && overrides[o]; o++)
        all[count++] = overrides[o];
    collision c;
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", CAROM_SOURCE_DIR, name);
    assert_ok(carom_scene_load(path, all, count, &c.scene, NULL, error));
    const carom_model *model = carom_scene_model(c.scene);
    collision_simulate(&c);
    double step = carom_sim_step_size(c.sim), length, speed;
    carom_sim_release(c.sim);
    measure(model, &length, &speed);
    assert_true(speed > 0);
    for (int k = 0; k < model->node_count; k++)
        for (int i = 0; i < 3; i++)
            model->v0[k][i] *= lengths * length / (speed * step);
    collision_simulate(&c);
    carom_status status = CAROM_OK;
    carom_error why = {.message = ""};
    int taken = 0;
    int64_t events = 0;
    for (; taken < STEPS && !status; taken++) {
        // a step that fails returns to a state long before
        status = carom_sim_step(c.sim, &why);
        events = status ? events : carom_state_contact_events(carom_sim_state(c.sim));
        if (collision_crossings(&c) > 0)
            fail_msg("%s at %g lengths per step: %d faces cross after %d steps", name, lengths, collision_crossings(&c),
                     taken + 1);
    }
    if (status != CAROM_OK && status != CAROM_NUMERICAL)
        fail_msg("%s: %s", name, why.message);
    if (events == 0)
        fail_msg("%s at %g lengths per step: nothing touched in %d steps", name, lengths, taken);
    collision_end(&c);
}

static void fast_scenes(void **state) {
    (void)state;
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++)
        for (double lengths = 1; lengths < 11; lengths *= 10)
            run_fast(scenes[s].name, scenes[s].overrides, lengths);
}

int main(void) {
    carom_set_threads(1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(fast_scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
