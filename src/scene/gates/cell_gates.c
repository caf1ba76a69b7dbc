// SPDX-License-Identifier: MIT
// Gates on the load cell of an obstacle: peak force and moment, and impulses (`table.peak_force`).
#include "scene/cell_gates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "model/state/load_cells.h"
#include "scene/scene.h"

// Indices of the quantities below; the impulses begin at SUMS, in the order of the sums of a load cell.
enum { PEAK_FORCE, PEAK_MOMENT, SUMS };

static const carom_cell_quantity quantities[] = {
    {"peak_force", "Largest force on the obstacle, as a mean over a window of the run (`output.history.force_window`)."},
    {"peak_moment", "Largest moment of the forces on it about the point of its load cell, as such a mean."},
    {"impulse_x", "Impulse that it received along x; `impulse_y` and `impulse_z` are those along y and z."},
    {"impulse_y", "Along y."},
    {"impulse_z", "Along z."},
    {"angular_impulse_x",
     "Moment of these impulses about the point of its load cell, about x; those about y and z have corresponding names."},
    {"angular_impulse_y", "About y."},
    {"angular_impulse_z", "About z."},
};

const carom_cell_quantity *carom_cell_quantities(int *count) {
    *count = sizeof quantities / sizeof *quantities;
    return quantities;
}

bool carom_cell_subject_find(const char *name, const carom_scene_def *def, carom_cell_subject *subject, char *hint,
                             size_t size) {
    *subject = (carom_cell_subject){0};
    const char *dot = strrchr(name, '.');
    const carom_scene_body *bodies = def->bodies.items;
    if (!dot || dot - name >= CAROM_NAME_MAX)
        return false;
    memcpy(subject->body, name, (size_t)(dot - name));
    bool known = false;
    for (int i = 0; i < def->bodies.count; i++)
        // an array has as many cells as bodies: one of them must be named
        known = known || (bodies[i].obstacle.given && carom_scene_is_called(&bodies[i], subject->body) &&
                          (carom_scene_copies(&bodies[i]) == 1 || strcmp(bodies[i].def.name, subject->body) != 0));
    for (size_t i = 0; known && i < sizeof quantities / sizeof *quantities; i++)
        if (strcmp(quantities[i].name, dot + 1) == 0)
            subject->quantity = &quantities[i];
    if (known && !subject->quantity) {
        size_t used = (size_t)snprintf(hint, size, "; of a load cell there are ");
        for (size_t i = 0; i < sizeof quantities / sizeof *quantities && used < size; i++)
            used += (size_t)snprintf(hint + used, size - used, "%s%s", i ? ", " : "", quantities[i].name);
    }
    return subject->quantity != NULL;
}

double carom_cell_subject_value(const carom_cell_subject *subject, const carom_sim *sim) {
    const carom_model *model = carom_sim_model(sim);
    const carom_state *state = carom_sim_state(sim);
    int body = carom_model_body(model, subject->body), which = (int)(subject->quantity - quantities);
    if (!carom_poses_has(&model->poses, body))
        return NAN;
    double sums[CAROM_CELL_SUMS];
    carom_cells_sums(state, model->poses.of_body[body], sums);
    carom_cell_peaks peaks = carom_cells_peaks(state, model->poses.of_body[body]);
    return which == PEAK_FORCE ? peaks.force : which == PEAK_MOMENT ? peaks.moment : sums[which - SUMS];
}
