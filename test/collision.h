// SPDX-License-Identifier: MIT
// Shared by the tests of collisions: scenes from files or from text, and an audit of their surfaces by exact predicates only.
#ifndef CAROM_TEST_COLLISION_H
#define CAROM_TEST_COLLISION_H

#include "carom/contact.h"
#include "carom/scene.h"
#include "math/vec3.h"
#include "model/model.h"
#include "support.h"

// A scene and its simulation.
typedef struct collision {
    carom_scene *scene;
    carom_sim *sim;
} collision;

static inline void collision_simulate(collision *c) {
    assert_ok(carom_sim_create(carom_scene_model(c->scene), carom_scene_integrator(c->scene), carom_scene_time(c->scene),
                               &c->sim, error));
}

static inline void collision_parse(collision *c, const char *text) {
    assert_ok(carom_scene_parse(text, strlen(text), "collision", NULL, 0, &c->scene, NULL, error));
    collision_simulate(c);
}

// A scene of the source folder, with overrides up to a NULL.
static inline void collision_load(collision *c, const char *name, const char *const *overrides) {
    char path[1024];
    int count = 0;
    while (overrides && overrides[count])
        count++;
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", CAROM_SOURCE_DIR, name);
    assert_ok(carom_scene_load(path, overrides, count, &c->scene, NULL, error));
    collision_simulate(c);
}

static inline void collision_end(collision *c) {
    carom_sim_release(c->sim);
    carom_scene_release(c->scene);
}

static inline carom_ledger_row collision_ledger(const collision *c) {
    return carom_sim_ledger(c->sim);
}

// The magnitudes of momentum and angular momentum without cancellation.
static inline void collision_scales(const collision *c, double *momentum, double *angular_momentum) {
    const carom_model *model = carom_scene_model(c->scene);
    const carom_state *state = carom_sim_state(c->sim);
    *momentum = *angular_momentum = 0;
    for (int k = 0; k < model->node_count; k++) {
        double p = model->mass[k] * carom_norm(carom_state_velocities(state)[k]);
        *momentum += p;
        *angular_momentum += p * carom_norm(carom_state_positions(state)[k]);
    }
}

// Pairs of faces without a common node that have a point in common, by brute force, including faces of one body.
static inline int collision_crossings(const collision *c) {
    const carom_surface *surface = &carom_scene_model(c->scene)->surface;
    const double(*x)[3] = carom_state_positions(carom_sim_state(c->sim));
    int crossings = 0;
    for (int f = 0; f < surface->face_count; f++)
        for (int g = 0; g < f; g++) {
            double a[3][3], b[3][3];
            bool common = false, separated = false;
            for (int i = 0; i < 3; i++) {
                carom_copy(x[surface->faces[f][i]], a[i]);
                carom_copy(x[surface->faces[g][i]], b[i]);
                for (int j = 0; j < 3; j++)
                    common = common || surface->faces[f][i] == surface->faces[g][j];
            }
            for (int i = 0; i < 3 && !separated; i++)
                separated = fmin(fmin(a[0][i], a[1][i]), a[2][i]) > fmax(fmax(b[0][i], b[1][i]), b[2][i]) ||
                            fmin(fmin(b[0][i], b[1][i]), b[2][i]) > fmax(fmax(a[0][i], a[1][i]), a[2][i]);
            if (!common && !separated && carom_triangles_intersect((const double(*)[3])a, (const double(*)[3])b))
                crossings++;
        }
    return crossings;
}

#endif
