// SPDX-License-Identifier: MIT
// Tests src/model/limits.c.
// A checkpoint with a right hash may hold any numbers: each is refused with its name, or the run goes on with it.
#include <math.h>
#include <unistd.h>

#include "../../checkpoints.h"
#include "../../support.h"
#include "carom/scene.h"
#include "model/forces/peaks.h"
#include "model/limits.h"
#include "model/model.h"
#include "sim/sim.h"

static char path[] = "limits-XXXXXX";

static int make_path(void **state) {
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state) {
    (void)state;
    return unlink(path);
}

typedef struct bout {
    carom_scene *scene;
    carom_sim *sim, *other; // the second reads what the first has saved
} bout;

static void begin(bout *b, const char *text, int steps) {
    carom_error reason = {0};
    if (carom_scene_parse(text, strlen(text), "scene.yaml", NULL, 0, &b->scene, NULL, &reason))
        fail_msg("%s", reason.message);
    carom_sim **sims[] = {&b->sim, &b->other};
    for (int i = 0; i < 2; i++)
        if (carom_sim_create(carom_scene_model(b->scene), carom_scene_integrator(b->scene), carom_scene_time(b->scene), sims[i],
                             &reason))
            fail_msg("%s", reason.message);
    for (int i = 0; i < steps; i++)
        assert_ok(carom_sim_step(b->sim, error));
    assert_ok(carom_sim_save(b->sim, path, error));
    assert_ok(carom_sim_load(b->other, path, error));
}

static void end(bout *b) {
    carom_sim_release(b->sim);
    carom_sim_release(b->other);
    carom_scene_release(b->scene);
}

// Saves the state as it is: no number is computed anew from those that were changed.
static void save(bout *b) {
    const carom_integrator *method = b->sim->stepper.method;
    carom_integrator silent = *method;
    silent.oscillation = NULL;
    b->sim->stepper.method = &silent;
    assert_ok(carom_sim_save(b->sim, path, error));
    b->sim->stepper.method = method;
}

static void refuse(bout *b, const char *message) {
    save(b);
    assert_refused(carom_sim_load(b->other, path, error), CAROM_BAD_INPUT, message);
}

// True if a load was refused because of `what`; else some steps are taken if `goes_on`, with whatever result.
static bool is_refused(bout *b, const char *what, bool goes_on) {
    carom_error reason = {0};
    save(b);
    carom_status status = carom_sim_load(b->other, path, &reason);
    if (status) {
        if (status != CAROM_BAD_INPUT || !strstr(reason.message, what) || strncmp(reason.message, path, strlen(path)) != 0)
            fail_msg("'%s': %s", what, reason.message);
        return true;
    }
    for (int i = 0; i < 2 && goes_on && !status; i++)
        status = carom_sim_step(b->other, &reason);
    return false;
}

static void pairs(void **state) {
    (void)state;
    bout b;
    begin(&b, checkpoint_scenes[0].text, 40);
    carom_state *s = b.sim->state;
    assert_true(s->pair_count > 0);
    const int wild[] = {1000000, -5, INT32_MAX, INT32_MIN, 2, -1};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++)
        for (int side = 0; side < 2; side++) {
            int before = s->pairs[0].body[side];
            s->pairs[0].body[side] = wild[i];
            // the only plane is a second side
            if (side == 0 || wild[i] != -1)
                refuse(&b, "of 'bodies of a pair' is");
            s->pairs[0].body[side] = before;
        }
    s->pairs[0].events = -1;
    refuse(&b, "of 'record of a pair' is -1, expected a whole number from 0");
    s->pairs[0].events = 1;
    s->pairs[0].peak_force = NAN;
    refuse(&b, "of 'record of a pair' is nan");
    s->pairs[0].peak_force = 0;
    carom_exact_add(&s->pair_sums[0].of[CAROM_PAIR_PUSH], HUGE_VAL);
    refuse(&b, "of 'record of a pair' is inf");
    end(&b);
}

static void ledger(void **state) {
    (void)state;
    bout b;
    begin(&b, checkpoint_scenes[0].text, 5);
    carom_state *s = b.sim->state;
    s->time += 3 * b.sim->stepper.step;
    refuse(&b, "number 1 of 'time'");
    s->time -= 3 * b.sim->stepper.step;
    s->step = -1;
    refuse(&b, "number 1 of 'steps' is -1");
    s->step = 5;
    s->books.events[1] = -1;
    refuse(&b, "number 2 of 'events' is -1");
    s->books.events[1] = 0;
    s->books.window.steps = -1;
    refuse(&b, "number 4 of 'ledger' is -1");
    s->books.window.steps = 0;
    s->books.initial_momentum[0] = NAN;
    refuse(&b, "number 2 of 'ledger' is nan");
    end(&b);
}

static carom_state_array *array_of(const bout *b, const char *name) {
    for (int a = 0; a < b->sim->state->array_count; a++)
        if (strcmp(b->sim->state->arrays[a].name, name) == 0)
            return &b->sim->state->arrays[a];
    fail_msg("there is no array '%s'", name);
    return NULL;
}

// The number of the element of a peak.
static void peaks(void **state) {
    (void)state;
    bout b;
    begin(&b, checkpoint_scenes[0].text, 40);
    carom_state_array *array = array_of(&b, "peaks");
    // behind two numbers of the head and two of the record; a record has eight, and each body has two elements
    double *element = &array->values[4], *second = element + 8 * CAROM_PEAK_KINDS, before = *second;
    assert_true(*element >= 1 && *element <= 2 && before >= 3 && before <= 4);
    const double wild[] = {5, -1, 1e6, 1.5, 1e139};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
        *second = wild[i];
        refuse(&b, "of 'peaks' is");
    }
    // an element of another body is no cell of this one
    *second = 1;
    save(&b);
    assert_ok(carom_sim_load(b.other, path, error));
    carom_peak peak;
    assert_true(carom_peaks_of_run(b.other->state, 1, (carom_peak_kind)0, &peak));
    assert_int_equal(peak.cell, -1);
    end(&b);
}

// Numbers of every array of every method are changed.
static void arrays(void **state) {
    (void)state;
    static const double wild[] = {NAN, 1e139, -5, 0.5, 1e6};
    enum { WILD = sizeof wild / sizeof *wild };
    for (int i = 0; i < CHECKPOINT_SCENES; i++) {
        bout b;
        begin(&b, checkpoint_scenes[i].text, 20);
        for (int a = 0; a < b.sim->state->array_count; a++) {
            carom_state_array *array = &b.sim->state->arrays[a];
            int refused = 0, first = array->limits ? 16 : 0, count = 0;
            // of a large array the first, and some others
            for (int64_t n = 0; n < array->count; n += n < first ? 1 : 1 + array->count / 2, count++)
                for (int w = 0; w < (array->limits ? WILD : 2); w++) {
                    double before = array->values[n];
                    array->values[n] = wild[w];
                    // a motion with absurd positions may take any time
                    bool is = is_refused(&b, array->name, array->limits && fabs(wild[w]) < 1e10);
                    refused += is;
                    if (!is && isnan(wild[w]))
                        fail_msg("%s: nan is taken into '%s'", checkpoint_scenes[i].name, array->name);
                    array->values[n] = before;
                }
            if (array->limits && array->count > 0)
                assert_true(refused > count);
        }
        end(&b);
    }
}

// The arrays whose numbers are indices, counts or times that drive loops.
static void declared(void **state) {
    (void)state;
    static const struct {
        int scene;
        const char *array;
    } rows[] = {{0, "pace"},         {0, "parts of steps"}, {0, "accounts"},   {0, "guards"},       {0, "peaks"},
                {1, "tie creditor"}, {2, "kicks"},          {2, "levels"},     {2, "on the clock"}, {2, "contact clock"},
                {2, "kick counts"},  {3, "polls"},          {3, "poll times"}, {3, "load kicks"},   {4, "slab length"},
                {4, "accounts"},     {5, "halvings"},       {6, "halvings"},   {7, "stability"},    {7, "solver counts"}};
    for (int i = 0; i < CHECKPOINT_SCENES; i++) {
        bout b;
        begin(&b, checkpoint_scenes[i].text, 1);
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
            if (rows[r].scene == i && !array_of(&b, rows[r].array)->limits)
                fail_msg("%s: '%s' has no limits", checkpoint_scenes[i].name, rows[r].array);
        end(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs),  cmocka_unit_test(ledger),   cmocka_unit_test(peaks),
        cmocka_unit_test(arrays), cmocka_unit_test(declared),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
