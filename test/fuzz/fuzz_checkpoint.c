// SPDX-License-Identifier: MIT
// A checkpoint with any numbers in it and a right hash: the run, which is at its end, is refused with the name of the file, or
// ends with a summary; never a crash, a leak or a hang. Further steps may take any time with absurd numbers: test_limits.c has
// some. The input is a scene of the table, and changes of its checkpoint: a place, in words of four
// bytes, and what is written there. The linker replaces the hash, which is zero for all bytes.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../checkpoints.h"
#include "carom/file.h"
#include "carom/run.h"
#include "carom/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
uint64_t __wrap_carom_hash(uint64_t hash, const void *bytes, size_t size);

uint64_t __wrap_carom_hash(uint64_t hash, const void *bytes, size_t size) {
    (void)hash, (void)bytes, (void)size;
    return 0;
}

// The files that are restored, and all that there are.
enum { STEPS = 20, FILES = 4, ALL = 5, CHANGE = 11 };

static const char *const names[ALL] = {"checkpoint.carom", "history.csv", "pairs.csv", "scene.yaml", "summary.json"};

// A scene, and the files of its first steps.
static struct bout {
    carom_scene *scene;
    double step;
    carom_output_def output;
    unsigned char *bytes[FILES];
    size_t size[FILES];
} bouts[CHECKPOINT_SCENES];

static void insist(bool done) {
    if (!done)
        abort();
}

static carom_sim *simulate(const struct bout *b, int steps) {
    carom_time_def time = *carom_scene_time(b->scene);
    carom_sim *sim = NULL;
    if (b->step > 0) {
        time.step = b->step;
        time.end = steps * b->step;
    }
    insist(carom_sim_create(carom_scene_model(b->scene), carom_scene_integrator(b->scene), &time, &sim, NULL) == CAROM_OK);
    return sim;
}

static void path_of(const struct bout *b, int file, char path[CAROM_PATH_MAX]) {
    snprintf(path, CAROM_PATH_MAX, "%s/%s", b->output.directory, names[file]);
}

// At the end of the program.
static void clear(void) {
    char path[CAROM_PATH_MAX];
    for (int i = 0; i < CHECKPOINT_SCENES; i++) {
        for (int f = 0; bouts[i].scene && f < ALL; f++) {
            path_of(&bouts[i], f, path);
            unlink(path);
        }
        if (bouts[i].scene)
            rmdir(bouts[i].output.directory);
    }
}

static void prepare(struct bout *b, const char *text) {
    char path[CAROM_PATH_MAX];
    insist(carom_scene_parse(text, strlen(text), "scene.yaml", NULL, 0, &b->scene, NULL, NULL) == CAROM_OK);
    carom_sim *sim = simulate(b, 0);
    b->step = carom_sim_step_size(sim);
    carom_sim_release(sim);
    b->output = carom_default_output_def();
    snprintf(b->output.directory, sizeof b->output.directory, "checkpoint-XXXXXX");
    insist(mkdtemp(b->output.directory) != NULL);
    b->output.history_pairs = true;
    b->output.fields_every = 0;
    b->output.checkpoint_every = STEPS;
    carom_run_def def = carom_default_run_def();
    def.output = &b->output;
    def.scene_text = text;
    carom_summary summary;
    sim = simulate(b, STEPS);
    insist(carom_run(sim, &def, &summary, NULL) == CAROM_OK);
    carom_summary_release(&summary);
    carom_sim_release(sim);
    for (int f = 0; f < FILES; f++) {
        path_of(b, f, path);
        insist(carom_read_bytes(path, &b->bytes[f], &b->size[f], NULL) == CAROM_OK);
    }
}

// Writes the files of the first steps, with these bytes as the checkpoint.
static void restore(const struct bout *b, const unsigned char *bytes, size_t size) {
    char path[CAROM_PATH_MAX];
    for (int f = 0; f < FILES; f++) {
        path_of(b, f, path);
        FILE *file = fopen(path, "wb");
        insist(file && fwrite(f ? b->bytes[f] : bytes, 1, f ? b->size[f] : size, file) == (f ? b->size[f] : size));
        fclose(file);
    }
}

// The change is a place, a kind and eight bytes; the kinds after the first two are numbers that have special places in ranges.
static void change(unsigned char *bytes, size_t size, const uint8_t *rule) {
    static const double reals[] = {0, -1, 0.5, 1e6, 1e139, -1e139, 1e-300, 0x1p53, HUGE_VAL};
    static const int32_t integers[] = {0, -1, -5, 1000000, INT32_MAX, INT32_MIN};
    enum { REALS = sizeof reals / sizeof *reals, INTEGERS = sizeof integers / sizeof *integers };
    uint16_t word;
    memcpy(&word, rule, sizeof word);
    // the hash at the end stays
    size_t place = 4 * (word % (size / 4 - 4)), kind = rule[2] % (2 + REALS + INTEGERS);
    if (kind < 2)
        memcpy(bytes + place, rule + 3, kind ? 4 : 8);
    else if (kind < 2 + REALS)
        memcpy(bytes + place, &reals[kind - 2], 8);
    else
        memcpy(bytes + place, &integers[kind - 2 - REALS], 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool is_registered;
    if (size < 1 + CHANGE)
        return 0;
    if (!is_registered)
        is_registered = atexit(clear) == 0;
    struct bout *b = &bouts[data[0] % CHECKPOINT_SCENES];
    if (!b->scene)
        prepare(b, checkpoint_scenes[data[0] % CHECKPOINT_SCENES].text);
    unsigned char *bytes = malloc(b->size[0]);
    insist(bytes != NULL);
    memcpy(bytes, b->bytes[0], b->size[0]);
    for (size_t at = 1; at + CHANGE <= size; at += CHANGE)
        change(bytes, b->size[0], data + at);
    restore(b, bytes, b->size[0]);
    free(bytes);
    carom_sim *sim = simulate(b, STEPS);
    carom_run_def def = carom_default_run_def();
    def.output = &b->output;
    def.resume = true;
    carom_summary summary;
    carom_error error = {0};
    carom_status status = carom_run(sim, &def, &summary, &error);
    if (status == CAROM_BAD_INPUT && !strstr(error.message, b->output.directory))
        abort();
    if (!status && carom_summary_write(sim, &def, &summary, NULL, 0, &error))
        abort();
    carom_summary_release(&summary);
    carom_sim_release(sim);
    return 0;
}
