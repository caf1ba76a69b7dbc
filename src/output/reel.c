// SPDX-License-Identifier: MIT
#include "output/reel.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

// Components that an array may have, and the largest list of frames.
enum { COMPONENTS_MAX = 9, LINE_MAX_BYTES = 512 };

// What lies within this share of the extent of a scene is round-off.
static const double flat = 1e-9;

// ---- the list of frames ----

static bool read_entry(const char *line, carom_reel_frame *frame) {
    const char *time = strstr(line, "timestep=\""), *file = strstr(line, "file=\"");
    if (!strstr(line, "<DataSet ") || !time || !file)
        return false;
    frame->time = strtod(time + 10, NULL);
    file += 6;
    size_t size = strcspn(file, "\"");
    if (size >= sizeof frame->file || strncmp(file, "fields/", 7) != 0)
        return false;
    memcpy(frame->file, file, size);
    frame->file[size] = 0;
    return !strstr(frame->file, "..");
}

static carom_status read_list(carom_reel *reel, carom_error *error) {
    char path[CAROM_PATH_MAX + 16], line[LINE_MAX_BYTES];
    snprintf(path, sizeof path, "%s/fields.pvd", reel->directory);
    FILE *list = fopen(path, "re");
    if (!list)
        return errno == ENOENT ? CAROM_OK : carom_file_fail("read", path, error);
    int64_t capacity = 0;
    carom_status status = CAROM_OK;
    while (!status && fgets(line, sizeof line, list)) {
        carom_reel_frame frame;
        if (!read_entry(line, &frame))
            continue;
        carom_reel_frame *frames = carom_grow(reel->frames, reel->frame_count, &capacity, sizeof *frames);
        if (!frames) {
            status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the frames of %s", path);
            break;
        }
        reel->frames = frames;
        reel->frames[reel->frame_count++] = frame;
    }
    fclose(list);
    return status;
}

// ---- what can be shown ----

static void add_field(carom_reel *reel, const carom_vtu_array *array, carom_reel_value value, const char *name,
                      const char *label) {
    if (reel->field_count == CAROM_REEL_FIELDS_MAX)
        return;
    carom_reel_field *field = &reel->fields[reel->field_count++];
    *field = (carom_reel_field){.section = array->section, .value = value, .min = HUGE_VAL, .max = -HUGE_VAL};
    snprintf(field->name, sizeof field->name, "%s", name);
    snprintf(field->label, sizeof field->label, "%s", label);
    memcpy(field->array, array->name, sizeof field->array);
    for (char *c = field->label; *c; c++)
        if (*c == '_')
            *c = ' ';
}

static void add_cell_array(carom_reel *reel, const carom_vtu_file *frame, const carom_vtu_array *array) {
    char name[CAROM_NAME_MAX + 16], label[CAROM_NAME_MAX + 32];
    if (array->components == 1) {
        add_field(reel, array, CAROM_REEL_SCALAR, array->name, array->name);
    } else if (array->components == 3 && strncmp(array->name, "principal", 9) == 0) {
        for (int i = 0; i < 2; i++) {
            snprintf(name, sizeof name, "%s_%s", array->name, i ? "smallest" : "largest");
            snprintf(label, sizeof label, "%s, %s", array->name, i ? "smallest" : "largest");
            add_field(reel, array, i ? CAROM_REEL_SMALLEST : CAROM_REEL_LARGEST, name, label);
        }
    } else if (array->components == 3) {
        add_field(reel, array, CAROM_REEL_LENGTH, array->name, array->name);
    } else if (array->components == 6 && !carom_vtu_find(frame, CAROM_VTU_CELL_DATA, "von_mises")) {
        snprintf(name, sizeof name, "%s_mises", array->name);
        snprintf(label, sizeof label, "%s, von Mises", array->name);
        add_field(reel, array, CAROM_REEL_MISES, name, label);
    }
}

static void list_fields(carom_reel *reel, const carom_vtu_file *frame) {
    static const char *const vectors[][2] = {{"velocity", "speed"}, {"displacement", "displacement"}, {"impulse", "impulse"}};
    static const char *const labels[] = {"speed", "displacement", "impulse of contact"};
    for (int i = 0; i < 3; i++) {
        const carom_vtu_array *array = carom_vtu_find(frame, CAROM_VTU_POINT_DATA, vectors[i][0]);
        if (array && array->components == 3 && strcmp(array->type, "Float64") == 0)
            add_field(reel, array, CAROM_REEL_LENGTH, vectors[i][1], labels[i]);
    }
    for (int i = 0; i < frame->array_count; i++) {
        const carom_vtu_array *array = &frame->arrays[i];
        if (array->section == CAROM_VTU_CELL_DATA && strcmp(array->type, "Float64") == 0)
            add_cell_array(reel, frame, array);
    }
}

static double value_of(carom_reel_value value, const double *v) {
    switch (value) {
    case CAROM_REEL_SCALAR: return v[0];
    case CAROM_REEL_LENGTH: return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    case CAROM_REEL_LARGEST: return fmax(v[0], fmax(v[1], v[2]));
    case CAROM_REEL_SMALLEST: return fmin(v[0], fmin(v[1], v[2]));
    case CAROM_REEL_MISES:
        return sqrt(0.5 * ((v[0] - v[1]) * (v[0] - v[1]) + (v[1] - v[2]) * (v[1] - v[2]) + (v[2] - v[0]) * (v[2] - v[0])) +
                    3 * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]));
    }
    return 0;
}

// ---- one frame ----

static carom_status open_frame(const carom_reel *reel, int frame, carom_vtu_file *file, carom_error *error) {
    char path[CAROM_PATH_MAX + 80];
    snprintf(path, sizeof path, "%s/%s", reel->directory, reel->frames[frame].file);
    carom_status status = carom_vtu_open(file, path, error);
    const carom_skin *skin = &reel->skin;
    if (!status && (file->point_count != skin->point_count || file->cell_count != skin->cell_count)) {
        carom_vtu_close(file);
        status = carom_fail(error, CAROM_BAD_INPUT, "%s has another mesh than the first frame", path);
    }
    return status;
}

// Fills `nodes` with the positions.
static carom_status load_positions(carom_reel *reel, const carom_vtu_file *file, carom_error *error) {
    const carom_skin *skin = &reel->skin;
    carom_status status = carom_vtu_read(file, carom_vtu_find(file, CAROM_VTU_POINTS, "position"), "position", "Float64",
                                         3 * (int64_t)skin->point_count, reel->array, error);
    for (int k = 0; !status && k < skin->node_count; k++)
        memcpy(&reel->nodes[3 * (int64_t)k], &reel->array[3 * (int64_t)skin->points[k]], 3 * sizeof *reel->nodes);
    return status;
}

// Fills `nodes` with one number per node.
static carom_status load_field(carom_reel *reel, const carom_reel_field *field, const carom_vtu_file *file,
                               carom_error *error) {
    const carom_skin *skin = &reel->skin;
    const carom_vtu_array *array = carom_vtu_find(file, field->section, field->array);
    int64_t components = array ? array->components : 0;
    if (components > COMPONENTS_MAX)
        array = NULL;
    int64_t items = field->section == CAROM_VTU_POINT_DATA ? skin->point_count : skin->cell_count;
    carom_status status = carom_vtu_read(file, array, field->array, "Float64", items * components, reel->array, error);
    if (status)
        return status;
    for (int k = 0; k < skin->node_count; k++) {
        if (field->section == CAROM_VTU_POINT_DATA) {
            reel->nodes[k] = value_of(field->value, &reel->array[components * skin->points[k]]);
            continue;
        }
        double sum = 0;
        int64_t count = skin->around_begin[k + 1] - skin->around_begin[k];
        for (int64_t i = skin->around_begin[k]; i < skin->around_begin[k + 1]; i++)
            sum += value_of(field->value, &reel->array[components * skin->around[i]]);
        reel->nodes[k] = sum / (double)count;
    }
    return CAROM_OK;
}

static void widen(double value, double *min, double *max) {
    if (!isfinite(value))
        return;
    *min = fmin(*min, value);
    *max = fmax(*max, value);
}

static carom_status survey_frame(carom_reel *reel, int frame, carom_error *error) {
    carom_vtu_file file;
    carom_status status = open_frame(reel, frame, &file, error);
    if (status)
        return status;
    status = load_positions(reel, &file, error);
    for (int64_t i = 0; !status && i < 3 * (int64_t)reel->skin.node_count; i++)
        widen(reel->nodes[i], &reel->box[0][i % 3], &reel->box[1][i % 3]);
    for (int f = 0; !status && f < reel->field_count; f++) {
        carom_reel_field *field = &reel->fields[f];
        status = load_field(reel, field, &file, error);
        for (int k = 0; !status && k < reel->skin.node_count; k++)
            widen(reel->nodes[k], &field->min, &field->max);
    }
    carom_vtu_close(&file);
    return status;
}

// Fields that are zero everywhere tell nothing; speed and displacement stay.
static void drop_idle_fields(carom_reel *reel) {
    int kept = 0;
    for (int f = 0; f < reel->field_count; f++) {
        carom_reel_field *field = &reel->fields[f];
        if (!(field->min <= field->max))
            field->min = field->max = 0;
        bool usual = strcmp(field->name, "speed") == 0 || strcmp(field->name, "displacement") == 0;
        if (usual || field->min != 0 || field->max != 0)
            reel->fields[kept++] = *field;
    }
    reel->field_count = kept;
}

carom_status carom_reel_open(carom_reel *reel, const char *directory, carom_error *error) {
    *reel = (carom_reel){.box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}}};
    snprintf(reel->directory, sizeof reel->directory, "%s", directory);
    carom_status status = read_list(reel, error);
    if (status || reel->frame_count == 0) {
        memset(reel->box, 0, sizeof reel->box);
        return status;
    }

    // topology and fields are those of the first frame
    char path[CAROM_PATH_MAX + 80];
    carom_vtu_file first;
    snprintf(path, sizeof path, "%s/%s", reel->directory, reel->frames[0].file);
    status = carom_vtu_open(&first, path, error);
    if (status)
        return status;
    status = carom_skin_create(&first, &reel->skin, error);
    list_fields(reel, &first);
    carom_vtu_close(&first);
    if (status)
        return status;
    int64_t points = reel->skin.point_count, cells = reel->skin.cell_count;
    reel->array = carom_allocate(COMPONENTS_MAX * (points > cells ? points : cells), sizeof *reel->array);
    reel->nodes = carom_allocate(3 * (int64_t)reel->skin.node_count, sizeof *reel->nodes);
    if (!reel->array || !reel->nodes)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for a frame of %lld points", (long long)points);

    for (int frame = 0; !status && frame < reel->frame_count; frame++)
        status = survey_frame(reel, frame, error);
    for (int i = 0; i < 3; i++)
        if (!(reel->box[0][i] <= reel->box[1][i]))
            reel->box[0][i] = reel->box[1][i] = 0;
    drop_idle_fields(reel);
    return status;
}

void carom_reel_release(carom_reel *reel) {
    carom_skin_release(&reel->skin);
    free(reel->frames);
    free(reel->array);
    free(reel->nodes);
    reel->frames = NULL;
    reel->array = reel->nodes = NULL;
}

double carom_reel_frame_size(const carom_reel *reel) {
    // base64 makes four bytes of three; a time has at most 24 characters
    return 2.0 * (3 + reel->field_count) * reel->skin.node_count * 4 / 3 + 24;
}

void carom_reel_thin(carom_reel *reel, int count) {
    int before = reel->frame_count, kept = count < 2 ? 2 : count;
    if (kept >= before)
        return;
    for (int i = 0; i < kept; i++) {
        int64_t source = ((int64_t)i * (before - 1) + (kept - 1) / 2) / (kept - 1);
        reel->frames[i] = reel->frames[source];
    }
    reel->frame_count = kept;
    reel->dropped += before - kept;
}

int carom_reel_space(const carom_reel *reel) {
    double extent[3], largest = 0;
    for (int i = 0; i < 3; i++) {
        extent[i] = reel->box[1][i] - reel->box[0][i];
        largest = fmax(largest, extent[i]);
    }
    return extent[2] > flat * largest ? 3 : extent[1] > flat * largest ? 2 : 1;
}

static uint16_t quantise(double value, double min, double max) {
    double place = max > min ? (value - min) / (max - min) : 0;
    return place > 0 ? (uint16_t)lrint(65535 * fmin(place, 1)) : 0;
}

carom_status carom_reel_write_positions(carom_reel *reel, carom_base64 *out, carom_error *error) {
    carom_status status = CAROM_OK;
    for (int frame = 0; !status && frame < reel->frame_count; frame++) {
        carom_vtu_file file;
        status = open_frame(reel, frame, &file, error);
        if (status)
            break;
        status = load_positions(reel, &file, error);
        for (int64_t i = 0; !status && i < 3 * (int64_t)reel->skin.node_count; i++)
            carom_base64_uint16(out, quantise(reel->nodes[i], reel->box[0][i % 3], reel->box[1][i % 3]));
        carom_vtu_close(&file);
    }
    carom_base64_end(out);
    return status;
}

carom_status carom_reel_write_field(carom_reel *reel, int field, carom_base64 *out, carom_error *error) {
    const carom_reel_field *shown = &reel->fields[field];
    carom_status status = CAROM_OK;
    for (int frame = 0; !status && frame < reel->frame_count; frame++) {
        carom_vtu_file file;
        status = open_frame(reel, frame, &file, error);
        if (status)
            break;
        status = load_field(reel, shown, &file, error);
        for (int k = 0; !status && k < reel->skin.node_count; k++)
            carom_base64_uint16(out, quantise(reel->nodes[k], shown->min, shown->max));
        carom_vtu_close(&file);
    }
    carom_base64_end(out);
    return status;
}
