// SPDX-License-Identifier: MIT
// Converts a deck of Abaqus or CalculiX to a scene. The scene refers to the deck for the mesh; everything else is converted
// here. The deck is first read as a mesh, which checks its syntax, its numbers and the files that it includes. Every keyword
// that is not converted is named in a note and in the scene.
#include "scene/import/deck.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/allocate.h"
#include "carom/file.h"
#include "carom/scene.h"
#include "scene/read/words.h"

bool carom_deck_fail(carom_deck *deck, carom_deck_place place, const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!deck->status)
        deck->status =
            carom_fail(deck->error, CAROM_BAD_INPUT, "%s:%lld: %s", deck->files[place.file], (long long)place.line, message);
    return false;
}

bool carom_deck_no_memory(carom_deck *deck) {
    if (!deck->status)
        deck->status = carom_fail(deck->error, CAROM_NO_MEMORY, "no memory for a deck");
    return false;
}

void carom_deck_note(carom_deck *deck, carom_deck_place place, const char *format, ...) {
    carom_error whole;
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    carom_fail(&whole, CAROM_OK, "%s:%lld: %s", deck->files[place.file], (long long)place.line, message);
    if (deck->warn)
        deck->warn(deck->context, whole.message);
    if (place.file)
        carom_text_print(&deck->remarks, "#   %s:%lld: %s\n", deck->files[place.file], (long long)place.line, message);
    else
        carom_text_print(&deck->remarks, "#   line %lld: %s\n", (long long)place.line, message);
}

carom_deck_place carom_deck_here(carom_deck *deck) {
    return (carom_deck_place){deck->file, carom_scan_line(deck->scan, deck->scan->at)};
}

bool carom_deck_add(carom_deck *deck, void **array, int64_t *count, int64_t *capacity, const void *item, size_t size) {
    char *moved = carom_grow(*array, *count, capacity, size);
    if (!moved)
        return carom_deck_no_memory(deck);
    *array = moved;
    memcpy(moved + (size_t)(*count)++ * size, item, size);
    return true;
}

// The name is the first member of each set.
const void *carom_deck_find_set(const void *sets, int count, size_t size, const char *name) {
    const char *set = sets;
    for (int s = 0; s < count; s++, set += size)
        if (strcasecmp(set, name) == 0)
            return set;
    return NULL;
}

// True for keywords of the mesh, which the scene takes from the deck, and for those that only structure the deck.
static bool is_of_mesh(carom_words name) {
    static const char *const words[] = {"NODE",     "ELEMENT",      "NSET",     "ELSET",
                                        "SURFACE",  "PART",         "END PART", "END INSTANCE",
                                        "ASSEMBLY", "END ASSEMBLY", "END STEP", "SURFACE INTERACTION",
                                        "PREPRINT"};
    enum { WORDS = sizeof words / sizeof *words };
    return carom_scan_find(name, words, WORDS) < WORDS;
}

// Counts a keyword that is not converted; mention_ignored writes one remark for each of them.
static void ignore(carom_deck *deck, const carom_inp_keyword *k) {
    char name[sizeof deck->ignored[0].name];
    carom_inp_capitals(k->name, name, sizeof name);
    for (int i = 0; i < deck->ignored_count; i++)
        if (strcmp(deck->ignored[i].name, name) == 0) {
            deck->ignored[i].count++;
            return;
        }
    if (deck->ignored_count == CAROM_DECK_REMARKS)
        return;
    memcpy(deck->ignored[deck->ignored_count].name, name, sizeof name);
    deck->ignored[deck->ignored_count].place = (carom_deck_place){deck->file, carom_scan_line(deck->scan, k->place)};
    deck->ignored[deck->ignored_count++].count = 1;
}

static void mention_ignored(carom_deck *deck) {
    for (int i = 0; i < deck->ignored_count; i++) {
        char times[40] = "";
        if (deck->ignored[i].count > 1)
            snprintf(times, sizeof times, " (%d times)", deck->ignored[i].count);
        const char *answer = carom_word_answer(deck->ignored[i].name);
        carom_deck_note(deck, deck->ignored[i].place, "*%s%s is not taken over%s%s", deck->ignored[i].name, times,
                        answer ? ": " : "", answer ? answer : "");
    }
}

static bool read_file(carom_deck *deck, const char *path);

// Reads an included file. The mesh reader has read the deck before, so the file exists.
static bool include(carom_deck *deck, const carom_inp_keyword *k) {
    const carom_words *input = carom_inp_parameter(k, "INPUT");
    if (!input || deck->depth > 8)
        return true;
    char path[4096];
    const char *slash = strrchr(deck->files[0], '/');
    snprintf(path, sizeof path, "%.*s%.*s", slash ? (int)(slash + 1 - deck->files[0]) : 0, deck->files[0], (int)input->size,
             input->text);
    carom_scan *outer = deck->scan;
    int file = deck->file;
    bool good = read_file(deck, path);
    deck->scan = outer;
    deck->file = file;
    return good;
}

static bool read_keywords(carom_deck *deck) {
    carom_scan *scan = deck->scan;
    for (carom_inp_skip_comments(scan); scan->at < scan->end; carom_inp_skip_comments(scan)) {
        carom_inp_keyword k;
        bool known = true, good = true;
        if (!carom_inp_read_keyword(scan, &k)) {
            deck->status = scan->status;
            return false;
        }
        if (carom_scan_same(k.name, "INCLUDE"))
            good = include(deck, &k);
        else
            good = carom_deck_take(deck, &k, &known);
        if (!good) {
            deck->status = deck->status ? deck->status : scan->status;
            return false;
        }
        if (!known && !is_of_mesh(k.name))
            ignore(deck, &k);
        while (carom_inp_data_line(scan))
            carom_scan_next_line(scan);
    }
    return true;
}

static bool read_file(carom_deck *deck, const char *path) {
    unsigned char *bytes;
    size_t size;
    if (deck->file_count == (int)(sizeof deck->files / sizeof *deck->files))
        return carom_deck_fail(deck, (carom_deck_place){0, 1}, "more than %d files are included", deck->file_count);
    if ((deck->status = carom_read_bytes(path, &bytes, &size, deck->error)))
        return false;
    char *name = strdup(path);
    if (!name) {
        free(bytes);
        return carom_deck_no_memory(deck);
    }
    deck->file = deck->file_count;
    deck->files[deck->file_count++] = name;
    carom_scan scan = carom_scan_start(name, bytes, size, deck->error);
    carom_scan_mark(&scan);
    deck->scan = &scan;
    deck->depth++;
    bool good = read_keywords(deck);
    deck->depth--;
    deck->scan = NULL;
    free(bytes);
    return good;
}

static void release(carom_deck *deck) {
    for (int i = 0; i < deck->file_count; i++)
        free(deck->files[i]);
    for (int64_t i = 0; i < deck->amplitude_count; i++)
        free(deck->amplitudes[i].rows);
    for (int64_t i = 0; i < deck->body_count; i++) {
        free(deck->bodies[i].shares);
        carom_mesh_release(&deck->bodies[i].mesh);
    }
    free(deck->materials);
    free(deck->sections);
    free(deck->types);
    free(deck->instances);
    free(deck->amplitudes);
    free(deck->rows);
    free(deck->bodies);
    carom_text_release(&deck->remarks);
    free(deck);
}

// Remarks of the mesh reader about keywords are replaced by more specific ones; others are passed on.
static void filter(void *context, const char *message) {
    carom_deck *deck = context;
    if (deck->warn && !strstr(message, " is ignored") && !strstr(message, " are ignored"))
        deck->warn(deck->context, message);
}

carom_status carom_scene_import(const char *path, const char *mesh_path, carom_mesh_warning *warn, void *context,
                                carom_text *text, carom_error *error) {
    carom_deck *deck = calloc(1, sizeof *deck);
    if (!deck)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for a deck");
    deck->warn = warn;
    deck->context = context;
    deck->error = error;
    deck->material = -1;
    carom_mesh mesh;
    carom_mesh_read_def def = {.format = CAROM_MESH_INP, .warn = filter, .context = deck};
    deck->status = carom_mesh_read(path, &def, &mesh, error);
    if (!deck->status) {
        if (read_file(deck, path) && carom_deck_make_bodies(deck, path, &mesh)) {
            mention_ignored(deck);
            carom_deck_write(deck, mesh_path, text);
        }
        carom_mesh_release(&mesh);
        if (!deck->status && (text->failed || deck->remarks.failed))
            carom_deck_no_memory(deck);
    }
    carom_status status = deck->status;
    release(deck);
    return status;
}
