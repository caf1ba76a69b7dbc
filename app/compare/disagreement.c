// SPDX-License-Identifier: MIT
// Finds the two methods of carom compare whose results for the same problem differ most, in units of the thresholds below.
#include "app/compare/disagreement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/message.h"
#include "carom/model.h"
#include "carom/state.h"

// Thresholds of a disagreement: differences of the velocity of the mass centre of a body, which waves in the body do not
// change, over the speed of the scene (twice the energy scale over the momentum scale); differences of the total energy
// (with that of waves) and of the lost energy, over the energy scale.
static const double much_velocity = 0.02, much_energy = 0.05;

void carom_contestant_note(carom_contestant *contestant, const carom_sim *sim) {
    const carom_model *model = carom_sim_model(sim);
    const double *mass = carom_model_mass(model);
    const double(*velocity)[3] = carom_state_velocities(carom_sim_state(sim));
    int count = carom_model_body_count(model);
    contestant->ends = carom_zeroed(count, sizeof *contestant->ends);
    if (!contestant->ends)
        return;
    contestant->end_count = count;
    for (int b = 0; b < count; b++) {
        carom_body_end *end = &contestant->ends[b];
        int begin = carom_model_body_begin(model, b);
        double sum[3] = {0}, weight = 0;
        for (int i = begin; i < begin + carom_model_body_size(model, b); i++) {
            weight += mass[i];
            for (int c = 0; c < 3; c++)
                sum[c] += mass[i] * velocity[i][c];
        }
        snprintf(end->name, sizeof end->name, "%s", carom_model_body_name(model, b));
        for (int c = 0; c < 3; c++)
            end->velocity[c] = weight > 0 ? sum[c] / weight : 0;
    }
}

// True if a setting changes the numerical method and not the problem.
static bool is_numerical(const char *setting) {
    static const char *const keys[] = {"time.", "integrator.", "contact.resolve=", "output."};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strncmp(setting, keys[i], strlen(keys[i])) == 0)
            return strncmp(setting, "time.end=", 9) != 0;
    return false;
}

// True if all settings of b that change the problem are settings of a too.
static bool includes(const carom_variant *a, const carom_variant *b) {
    for (int i = 0; i < b->setting_count; i++) {
        bool found = is_numerical(b->settings[i]);
        for (int k = 0; k < a->setting_count && !found; k++)
            found = strcmp(a->settings[k], b->settings[i]) == 0;
        if (!found)
            return false;
    }
    return true;
}

static bool are_comparable(const carom_contestant *a, const carom_contestant *b) {
    return a->ran && b->ran && !*a->reason && !*b->reason && !a->result.summary.is_static && !b->result.summary.is_static &&
           includes(a->variant, b->variant) && includes(b->variant, a->variant);
}

// The largest disagreement so far; `times`: in units of its threshold.
typedef struct disagreement {
    double times;
    const carom_contestant *a, *b;
    char quantity[2 * CAROM_NAME_MAX];
    double share; // of the scale
    const char *scale;
} disagreement;

static void take(disagreement *worst, const carom_contestant *a, const carom_contestant *b, double share, double much,
                 const char *scale, const char *label, const char *body) {
    if (!(share > much) || !(share / much > worst->times))
        return;
    *worst = (disagreement){share / much, a, b, "", share, scale};
    snprintf(worst->quantity, sizeof worst->quantity, "%s%s", label, body);
}

static void compare(disagreement *worst, const carom_contestant *a, const carom_contestant *b) {
    const carom_summary *x = &a->result.summary, *y = &b->result.summary;
    double energy = fmax(x->energy_scale, y->energy_scale), momentum = fmax(x->momentum_scale, y->momentum_scale);
    if (energy > 0) {
        double lost = carom_ledger_sum(&x->last, CAROM_LEDGER_LOSS) - carom_ledger_sum(&y->last, CAROM_LEDGER_LOSS);
        take(worst, a, b, fabs(lost) / energy, much_energy, "energy scale", "lost energy", "");
        take(worst, a, b, fabs(x->last.total - y->last.total) / energy, much_energy, "energy scale", "total energy", "");
    }
    // for a single rigid motion: m v^2 over m v
    double speed = momentum > 0 ? 2 * energy / momentum : 0;
    for (int i = 0; i < a->end_count && i < b->end_count && speed > 0; i++) {
        const double *v = a->ends[i].velocity, *w = b->ends[i].velocity;
        double difference = sqrt((v[0] - w[0]) * (v[0] - w[0]) + (v[1] - w[1]) * (v[1] - w[1]) + (v[2] - w[2]) * (v[2] - w[2]));
        take(worst, a, b, difference / speed, much_velocity, "speed of the scene", "velocity of ", a->ends[i].name);
    }
}

void carom_contest_hint(const carom_contest *contest, char *text, size_t size) {
    disagreement worst = {0};
    text[0] = 0;
    for (int i = 0; i < contest->count; i++)
        for (int k = i + 1; k < contest->count; k++)
            if (are_comparable(&contest->items[i], &contest->items[k]))
                compare(&worst, &contest->items[i], &contest->items[k]);
    if (worst.a)
        snprintf(text, size, "%s and %s disagree: %s at the end differs by %.2g %% of the %s; a smaller step decides",
                 worst.a->variant->name, worst.b->variant->name, worst.quantity, 100 * worst.share, worst.scale);
}
