// SPDX-License-Identifier: MIT
// Checks the files of a run that is to be resumed against the positions in them that the checkpoint stored (the bookmark).
// Tables are cut back to the bookmark when they are opened, and a table that has lost rows is refused there. Frames are
// separate files: each must exist, complete to its last tag.
#include "output/run/resume.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/platform.h"
#include "output/frames/fields.h"

carom_status carom_probes_hash(const carom_probe_def *probes, int count, const carom_model *model, uint64_t *hash,
                               carom_error *error) {
    uint64_t h = CAROM_HASH_START;
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && !status; i++) {
        const carom_probe_def *p = &probes[i];
        const bool records[] = {p->position,        p->displacement, p->velocity, p->acceleration,     p->force,
                                p->stress,          p->strain,       p->rotation, p->angular_velocity, p->momentum,
                                p->angular_momentum};
        const double filter[2] = {probes[i].filter, probes[i].second};
        int *nodes, node_count;
        h = carom_hash(h, probes[i].name, strlen(probes[i].name) + 1);
        h = carom_hash(h, records, sizeof records);
        h = carom_hash(h, filter, sizeof filter);
        // the selected nodes are hashed, not the keys of the selection
        status = carom_model_select(model, &probes[i].where, &nodes, &node_count, error);
        if (!status)
            h = carom_hash(h, nodes, (size_t)node_count * sizeof *nodes);
        free(nodes);
    }
    *hash = h;
    return status;
}

// True if a file exists and ends with the closing tag of a VTK file.
static bool is_whole(const char *path) {
    static const char tag[] = "</VTKFile>";
    char end[sizeof tag + 1] = "";
    int fd = open(path, O_RDONLY | CAROM_OPEN_PRIVATE);
    if (fd < 0)
        return false;
    struct stat info;
    // the tag and a newline
    bool read = fstat(fd, &info) == 0 && info.st_size > (off_t)sizeof tag &&
                carom_platform_read_at(fd, end, sizeof tag, info.st_size - (off_t)sizeof tag) == (ssize_t)sizeof tag;
    close(fd);
    return read && strncmp(end, tag, sizeof tag - 1) == 0;
}

static carom_status check_files(const carom_output_def *def, const carom_bookmark *resume, carom_error *error) {
    char path[CAROM_PATH_MAX], name[64], first[64] = "";
    struct stat info;
    int64_t lost = 0;
    // each frame has an entry in the list, which is longer than its name
    snprintf(path, sizeof path, "%s/fields.pvd", def->directory);
    if (stat(path, &info) != 0 || info.st_size < resume->pvd_size || resume->pvd_size / 8 < resume->frames)
        return carom_fail(error, CAROM_BAD_INPUT, "cannot resume: %s has lost frames since the checkpoint was written", path);
    for (int64_t frame = 0; frame < resume->frames; frame++) {
        carom_fields_frame_name(frame, name);
        snprintf(path, sizeof path, "%s/%s", def->directory, name);
        if (is_whole(path))
            continue;
        if (lost++ == 0)
            memcpy(first, name, sizeof first);
    }
    if (lost == 0)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "cannot resume: %" PRId64 " of the %" PRId64 " frames up to the checkpoint are missing or cut off, the "
                      "first is %s/%s (restore them, or start again without --resume)",
                      lost, resume->frames, def->directory, first);
}

// All frames of an animation must have the same form: the error message names the first setting that would change it.
static carom_status check_style(const carom_output_def *def, const carom_bookmark *resume, const carom_style *style,
                                carom_error *error) {
    const char *changed = def->fields_format != resume->fields_format         ? "format"
                          : carom_style_names_hash(def) != resume->names_hash ? "names"
                          : style->single != (resume->single != 0)            ? "precision"
                          : style->compress != (resume->compress != 0)        ? "compress"
                          : style->surface != (resume->surface != 0)          ? "surface"
                                                                              : NULL;
    if (!changed)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "cannot resume: output.fields.%s has changed since the frames up to the checkpoint in %s were written",
                      changed, def->directory);
}

carom_status carom_resume_check(const carom_output_def *def, const carom_model *model, const carom_bookmark *resume,
                                const carom_style *style, carom_error *error) {
    char path[CAROM_PATH_MAX];
    struct stat info;
    snprintf(path, sizeof path, "%s/history.csv", def->directory);
    if (stat(path, &info) != 0)
        return carom_fail(error, CAROM_BAD_INPUT, "cannot resume: %s is missing (restore it, or start again without --resume)",
                          path);
    uint64_t hash;
    carom_status status = carom_probes_hash(def->probes, def->probe_count, model, &hash, error);
    if (status)
        return status;
    if (def->probe_count > 0 && resume->probes_size > 0 && hash != resume->probes_hash)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "cannot resume: output.probes has changed, and probes.csv in %s would mix the rows of both",
                          def->directory);
    if (!carom_output_has_frames(def) || resume->frames == 0)
        return CAROM_OK;
    status = check_style(def, resume, style, error);
    if (status)
        return status;
    snprintf(path, sizeof path, "%s/fields.vtkhdf", def->directory);
    if (def->fields_format != CAROM_FIELDS_VTU && (stat(path, &info) != 0 || info.st_size == 0))
        return carom_fail(error, CAROM_BAD_INPUT, "cannot resume: %s is missing or empty", path);
    return def->fields_format != CAROM_FIELDS_VTKHDF ? check_files(def, resume, error) : CAROM_OK;
}

typedef struct listener {
    void (*report)(const char *text, void *context);
    void *context;
    int64_t step; // at which changes take effect
} listener;

static void report_cadence(const listener *l, const char *file, int before, int after) {
    char text[256];
    if (before == after || before == 0 || after == 0)
        return;
    snprintf(text, sizeof text, "%s: every %d steps up to step %" PRId64 ", every %d from there on", file, before, l->step,
             after);
    l->report(text, l->context);
}

static void report_presence(const listener *l, const char *file, bool before, bool after) {
    char text[256];
    if (before == after)
        return;
    snprintf(text, sizeof text,
             after ? "%s begins at step %" PRId64 ": it was not written before"
                   : "%s ends at step %" PRId64 ": it is no longer written",
             file, l->step);
    l->report(text, l->context);
}

// A table that is no longer written ends with the checkpoint.
static void cut_off(const carom_output_def *def, const char *file, int64_t size, bool goes_on) {
    char path[CAROM_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", def->directory, file);
    struct stat info;
    if (size > 0 && !goes_on && stat(path, &info) == 0 && info.st_size > size && truncate(path, (off_t)size) != 0)
        return;
}

// The same for an animation: its list is closed behind the last frame of the checkpoint, and later frames are removed.
static void cut_frames(const carom_output_def *def, const carom_bookmark *resume) {
    char path[CAROM_PATH_MAX];
    carom_pvd pvd = {.fd = -1};
    snprintf(path, sizeof path, "%s/fields.pvd", def->directory);
    carom_pvd_open(&pvd, path, resume->pvd_size, NULL);
    carom_pvd_close(&pvd, NULL);
    carom_fields_remove(def->directory, resume->frames);
}

void carom_resume_report(const carom_output_def *def, const carom_bookmark *resume, const carom_cadences *now, int64_t step,
                         void (*report)(const char *text, void *context), void *context) {
    bool probes = def->probe_count > 0, fields = carom_output_has_frames(def);
    cut_off(def, "probes.csv", resume->probes_size, probes);
    cut_off(def, "pairs.csv", resume->pairs_size, def->history_pairs);
    cut_off(def, "contacts.csv", resume->contacts_size, def->contacts);
    if (!fields && resume->frames > 0 && resume->fields_format != CAROM_FIELDS_VTKHDF)
        cut_frames(def, resume);
    if (!report)
        return;
    const listener l = {report, context, step};
    report_cadence(&l, "history.csv", resume->history_every, now->history);
    report_cadence(&l, "frames", resume->frames > 0 ? resume->fields_every : 0, fields ? now->fields : 0);
    report_cadence(&l, "contacts.csv", resume->contacts_size > 0 ? resume->contacts_every : 0,
                   def->contacts ? def->contacts_every : 0);
    report_presence(&l, "probes.csv", resume->probes_size > 0, probes);
    report_presence(&l, "pairs.csv", resume->pairs_size > 0, def->history_pairs);
    report_presence(&l, "contacts.csv", resume->contacts_size > 0, def->contacts);
    report_presence(&l, "the animation", resume->frames > 0, fields);
}
