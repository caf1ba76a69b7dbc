// SPDX-License-Identifier: MIT
// Reads the frames of a finished run back from their .vtu files, for the report page and pictures. Opening a frame reader reads
// every frame once, to find the extent of the scene and the range of each field; a frame that cannot be read is dropped from
// the list. Writing reads the frames again, one at a time, and quantises each number to 16 bits within its range.
#include "output/back/frame_reader.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/platform.h"

// Limits of what is read.
enum {
    COMPONENTS_MAX = 9,  // of an array: a full tensor
    LINE_MAX_BYTES = 512 // of the list of frames: carom writes shorter ones
};

// An extent below this fraction of the largest one is round-off: the scene has no extent in that direction.
static const double flat_extent = 1e-9;

// Reads an entry of the list. The file must lie below fields/ and its path must not lead out of there: the list may come from
// an untrusted source.
static bool read_entry(const char *line, carom_frame_reader_frame *frame) {
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

static carom_status read_list(carom_frame_reader *reader, carom_error *error) {
    char path[CAROM_PATH_MAX + 16], line[LINE_MAX_BYTES];
    snprintf(path, sizeof path, "%s/fields.pvd", reader->directory);
    FILE *list = carom_platform_open(path, "rb");
    if (!list)
        return errno == ENOENT ? CAROM_OK : carom_file_fail("read", path, error);
    int64_t capacity = 0;
    carom_status status = CAROM_OK;
    while (!status && fgets(line, sizeof line, list)) {
        carom_frame_reader_frame frame;
        if (!read_entry(line, &frame))
            continue;
        // lines that are not entries are skipped; the list is a complete file at any time
        carom_frame_reader_frame *frames = carom_grow(reader->frames, reader->frame_count, &capacity, sizeof *frames);
        if (!frames) {
            status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the frames of %s", path);
            break;
        }
        reader->frames = frames;
        reader->frames[reader->frame_count++] = frame;
    }
    fclose(list);
    return status;
}

// Name of the nodal mean of a cell field, as nodal.c writes it.
static const char suffix[] = "_nodes";

// Adds a field. The label is the name of the array, as ParaView shows it, with the quantity derived from
// it. NULL if the table is full.
static carom_frame_reader_field *add_field(carom_frame_reader *reader, const carom_vtu_array *array,
                                           carom_frame_reader_value value, int rank, const char *more) {
    if (reader->field_count == CAROM_FRAME_FIELDS_MAX)
        return NULL;
    carom_frame_reader_field *field = &reader->fields[reader->field_count++];
    *field =
        (carom_frame_reader_field){.section = array->section, .value = value, .rank = rank, .min = HUGE_VAL, .max = -HUGE_VAL};
    snprintf(field->name, sizeof field->name, "%s%s%s", array->name, *more ? "_" : "", more);
    snprintf(field->label, sizeof field->label, "%s%s%s", array->name, *more ? ", " : "", more);
    memcpy(field->array, array->name, sizeof field->array);
    return field;
}

// A symmetric tensor: its von Mises equivalent, and for stress its components.
static void add_tensor(carom_frame_reader *reader, const carom_vtu_array *array, bool mises) {
    static const char *const components[] = {"xx", "yy", "zz", "xy", "yz", "xz"};
    if (mises)
        add_field(reader, array, CAROM_FRAME_MISES, 1, "mises");
    for (int c = 0; c < 6 && strncmp(array->name, "stress", 6) == 0; c++) {
        carom_frame_reader_field *field = add_field(reader, array, CAROM_FRAME_SCALAR, 3, components[c]);
        if (field)
            field->component = c;
    }
}

// Fields derived from an array of elements: a scalar as it is, a vector by its length, principal values by
// the largest and the smallest, a tensor by its von Mises equivalent (unless the frame already has one),
// and stress by its components as well.
static void add_array(carom_frame_reader *reader, const carom_vtu_file *frame, const carom_vtu_array *array) {
    if (array->components == 1) {
        add_field(reader, array, CAROM_FRAME_SCALAR, 1, "");
    } else if (array->components == 3 && strncmp(array->name, "principal", 9) == 0) {
        add_field(reader, array, CAROM_FRAME_LARGEST, 2, "largest");
        add_field(reader, array, CAROM_FRAME_SMALLEST, 2, "smallest");
    } else if (array->components == 3) {
        add_field(reader, array, CAROM_FRAME_LENGTH, 2, "");
    } else if (array->components == 6) {
        add_tensor(reader, array,
                   !carom_vtu_find(frame, CAROM_VTU_CELL_DATA, "von_mises") &&
                       !carom_vtu_find(frame, CAROM_VTU_POINT_DATA, "von_mises_nodes"));
    }
}

// The nodal mean of a cell field if the frame has one, else NULL.
static const carom_vtu_array *nodal_of(const carom_vtu_file *frame, const carom_vtu_array *array) {
    char name[CAROM_NAME_MAX + sizeof suffix];
    snprintf(name, sizeof name, "%s%s", array->name, suffix);
    const carom_vtu_array *nodal = carom_vtu_find(frame, CAROM_VTU_POINT_DATA, name);
    return nodal && nodal->components == array->components && carom_vtu_is_real(nodal) ? nodal : NULL;
}

// True for a nodal mean whose cell field is not in the frame: frames of large models omit cell fields of several components.
static bool is_mean_alone(const carom_vtu_file *frame, const carom_vtu_array *array) {
    size_t size = strlen(array->name), end = sizeof suffix - 1;
    char name[CAROM_NAME_MAX];
    if (array->section != CAROM_VTU_POINT_DATA || size <= end || strcmp(array->name + size - end, suffix) != 0)
        return false;
    memcpy(name, array->name, size - end);
    name[size - end] = 0;
    return carom_vtu_is_real(array) && !carom_vtu_find(frame, CAROM_VTU_CELL_DATA, name);
}

// Lists the fields of the page: speed and displacement first, since a page always keeps these, then the
// fields of elements, from their nodal means if available.
static void list_fields(carom_frame_reader *reader, const carom_vtu_file *frame) {
    static const char *const vectors[][3] = {{"velocity", "speed", "speed"},
                                             {"displacement", "displacement", "displacement"},
                                             {"impulse", "impulse", "impulse of contact"}};
    for (int i = 0; i < 3; i++) {
        const carom_vtu_array *array = carom_vtu_find(frame, CAROM_VTU_POINT_DATA, vectors[i][0]);
        if (!array || array->components != 3 || !carom_vtu_is_real(array))
            continue;
        carom_frame_reader_field *field = add_field(reader, array, CAROM_FRAME_LENGTH, i < 2 ? 0 : 2, "");
        if (!field)
            return;
        snprintf(field->name, sizeof field->name, "%s", vectors[i][1]);
        snprintf(field->label, sizeof field->label, "%s", vectors[i][2]);
    }
    for (int i = 0; i < frame->array_count; i++) {
        const carom_vtu_array *array = &frame->arrays[i];
        if (array->section != CAROM_VTU_CELL_DATA || !carom_vtu_is_real(array))
            continue;
        const carom_vtu_array *nodal = nodal_of(frame, array);
        add_array(reader, frame, nodal ? nodal : array);
    }
    for (int i = 0; i < frame->array_count; i++)
        if (is_mean_alone(frame, &frame->arrays[i]))
            add_array(reader, frame, &frame->arrays[i]);
}

static double value_of(const carom_frame_reader_field *field, const double *v) {
    switch (field->value) {
    case CAROM_FRAME_SCALAR: return v[field->component];
    case CAROM_FRAME_LENGTH: return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    case CAROM_FRAME_LARGEST: return fmax(v[0], fmax(v[1], v[2]));
    case CAROM_FRAME_SMALLEST: return fmin(v[0], fmin(v[1], v[2]));
    // sqrt(((a-b)^2 + (b-c)^2 + (c-a)^2) / 2 + 3 (xy^2 + yz^2 + xz^2)), with a, b, c the normal components
    case CAROM_FRAME_MISES:
        return sqrt(0.5 * ((v[0] - v[1]) * (v[0] - v[1]) + (v[1] - v[2]) * (v[1] - v[2]) + (v[2] - v[0]) * (v[2] - v[0])) +
                    3 * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]));
    }
    return 0;
}

// Opens a frame; fails if its mesh differs from that of the first frame, which defines the numbering of nodes.
static carom_status open_frame(const carom_frame_reader *reader, int frame, carom_vtu_file *file, carom_error *error) {
    char path[CAROM_PATH_MAX + 80];
    snprintf(path, sizeof path, "%s/%s", reader->directory, reader->frames[frame].file);
    carom_status status = carom_vtu_open(file, path, error);
    const carom_cell_surface *surface = &reader->surface;
    if (!status && (file->point_count != surface->point_count || file->cell_count != surface->cell_count)) {
        carom_vtu_close(file);
        status = carom_fail(error, CAROM_BAD_INPUT, "%s has a different mesh from the first frame", path);
    }
    return status;
}

// Fills `nodes` with the positions.
static carom_status load_positions(carom_frame_reader *reader, const carom_vtu_file *file, carom_error *error) {
    const carom_cell_surface *surface = &reader->surface;
    carom_status status = carom_vtu_read(file, carom_vtu_find(file, CAROM_VTU_POINTS, "position"), "position", "Float64",
                                         3 * (int64_t)surface->point_count, reader->array, error);
    for (int k = 0; !status && k < surface->node_count; k++)
        memcpy(&reader->nodes[3 * (int64_t)k], &reader->array[3 * (int64_t)surface->points[k]], 3 * sizeof *reader->nodes);
    return status;
}

// Fills `nodes` with one number per node; for a cell field this is the mean over the cells around the node.
static carom_status load_field(carom_frame_reader *reader, const carom_frame_reader_field *field, const carom_vtu_file *file,
                               carom_error *error) {
    const carom_cell_surface *surface = &reader->surface;
    const carom_vtu_array *array = carom_vtu_find(file, field->section, field->array);
    int64_t components = array ? array->components : 0;
    if (components > COMPONENTS_MAX)
        array = NULL;
    int64_t items = field->section == CAROM_VTU_POINT_DATA ? surface->point_count : surface->cell_count;
    carom_status status = carom_vtu_read(file, array, field->array, "Float64", items * components, reader->array, error);
    if (status)
        return status;
    for (int k = 0; k < surface->node_count; k++) {
        if (field->section == CAROM_VTU_POINT_DATA) {
            reader->nodes[k] = value_of(field, &reader->array[components * surface->points[k]]);
            continue;
        }
        double sum = 0;
        int64_t count = surface->around_begin[k + 1] - surface->around_begin[k];
        for (int64_t i = surface->around_begin[k]; i < surface->around_begin[k + 1]; i++)
            sum += value_of(field, &reader->array[components * surface->around[i]]);
        reader->nodes[k] = sum / (double)count;
    }
    return CAROM_OK;
}

// Fills `array` with the vectors of contact force; false if the frame has none.
static bool load_arrows(const carom_frame_reader *reader, const carom_vtu_file *file) {
    const carom_vtu_array *array = carom_vtu_find(file, CAROM_VTU_POINT_DATA, "contact_force");
    return array && array->components == 3 &&
           carom_vtu_read(file, array, "contact_force", "Float64", 3 * (int64_t)reader->surface.point_count, reader->array,
                          NULL) == CAROM_OK;
}

// The force at a node; NULL if there is none. Forces act on surfaces only.
static const double *arrow_at(const carom_frame_reader *reader, int node) {
    const double *v = &reader->array[3 * (int64_t)reader->surface.points[node]];
    bool some = v[0] != 0 || v[1] != 0 || v[2] != 0;
    return some && isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]) ? v : NULL;
}

static void widen(double value, double *min, double *max) {
    if (!isfinite(value))
        return;
    *min = fmin(*min, value);
    *max = fmax(*max, value);
}

// Extends the ranges of a field, whose values are in `nodes`.
static void widen_spans(carom_frame_reader *reader, int field) {
    for (int b = 0; b < reader->surface.body_count; b++) {
        const carom_cell_surface_body *body = &reader->surface.bodies[b];
        carom_frame_reader_span *span = &reader->spans[field * reader->surface.body_count + b];
        for (int k = body->node_begin; k < body->node_begin + body->node_count; k++)
            widen(reader->nodes[k], &span->min, &span->max);
        for (int k = body->inner_begin; k < body->inner_begin + body->inner_count; k++)
            widen(reader->nodes[k], &span->min, &span->max);
    }
}

// Extends the box, the displacements and the ranges of all fields by one frame. The first frame becomes the
// origin.
static carom_status survey_frame(carom_frame_reader *reader, int frame, carom_error *error) {
    carom_vtu_file file;
    carom_status status = open_frame(reader, frame, &file, error);
    if (status)
        return status;
    status = load_positions(reader, &file, error);
    int64_t size = 3 * (int64_t)reader->surface.node_count;
    if (!status && frame == 0)
        memcpy(reader->origin, reader->nodes, (size_t)size * sizeof *reader->nodes);
    for (int64_t i = 0; !status && i < size; i++) {
        widen(reader->nodes[i], &reader->box[0][i % 3], &reader->box[1][i % 3]);
        widen(reader->nodes[i] - reader->origin[i], &reader->shift[0][i % 3], &reader->shift[1][i % 3]);
    }
    for (int f = 0; !status && f < reader->field_count; f++) {
        status = load_field(reader, &reader->fields[f], &file, error);
        if (!status)
            widen_spans(reader, f);
    }
    if (!status && load_arrows(reader, &file))
        for (int k = 0; k < reader->surface.shown_count; k++)
            reader->arrow_count += arrow_at(reader, k) != NULL;
    carom_vtu_close(&file);
    return status;
}

// True if the field of a body is zero, or not finite, in all frames.
static bool is_idle(const carom_frame_reader_span *span) {
    return !(span->min <= span->max) || (span->min == 0 && span->max == 0);
}

bool carom_frame_reader_has(const carom_frame_reader *reader, int field, int body) {
    int count = reader->surface.body_count;
    const carom_frame_reader_span *spans = &reader->spans[field * count];
    // frames hold zeros for bodies whose elements do not have the field; if it is nonzero only in bodies
    // of another dimension (in beams but not in solids, for example), this body does not have it
    if (reader->fields[field].rank == 0 || !is_idle(&spans[body]))
        return true;
    for (int b = 0; b < count; b++)
        if (!is_idle(&spans[b]) && reader->surface.bodies[b].dimension != reader->surface.bodies[body].dimension)
            return false;
    return true;
}

// The range of a field over all bodies that have it.
static void find_range(carom_frame_reader *reader, int f) {
    carom_frame_reader_field *field = &reader->fields[f];
    for (int b = 0; b < reader->surface.body_count; b++) {
        const carom_frame_reader_span *span = &reader->spans[f * reader->surface.body_count + b];
        if (!carom_frame_reader_has(reader, f, b))
            continue;
        widen(span->min, &field->min, &field->max);
        widen(span->max, &field->min, &field->max);
    }
    if (!(field->min <= field->max))
        field->min = field->max = 0;
}

// Removes a field and its ranges; the order of the others stays.
static void remove_field(carom_frame_reader *reader, int f) {
    size_t bodies = (size_t)reader->surface.body_count, after = (size_t)(reader->field_count - f - 1);
    memmove(&reader->fields[f], &reader->fields[f + 1], after * sizeof *reader->fields);
    memmove(&reader->spans[(size_t)f * bodies], &reader->spans[(size_t)(f + 1) * bodies],
            after * bodies * sizeof *reader->spans);
    reader->field_count--;
}

// Removes fields that are zero everywhere, except speed and displacement.
static void drop_idle_fields(carom_frame_reader *reader) {
    for (int f = reader->field_count - 1; f >= 0; f--) {
        find_range(reader, f);
        const carom_frame_reader_field *field = &reader->fields[f];
        if (field->rank > 0 && field->min == 0 && field->max == 0)
            remove_field(reader, f);
    }
}

// Among fields of equal rank the last one is removed: fields are listed in the order of importance.
bool carom_frame_reader_omit(carom_frame_reader *reader) {
    int least = -1;
    for (int f = 0; f < reader->field_count; f++)
        if (reader->fields[f].rank > 1 && (least < 0 || reader->fields[f].rank >= reader->fields[least].rank))
            least = f;
    if (least < 0)
        return false;
    memcpy(reader->omitted[reader->omitted_count++], reader->fields[least].name, sizeof *reader->omitted);
    remove_field(reader, least);
    return true;
}

// Removes a frame that cannot be read and keeps the first error message. Lack of memory is not caused by the frame and ends the
// reading.
static carom_status drop_frame(carom_frame_reader *reader, int frame, carom_status status, carom_error *error) {
    // other frames may need as much memory
    if (status == CAROM_NO_MEMORY)
        return status;
    if (reader->damaged++ == 0)
        snprintf(reader->damage, sizeof reader->damage, "%s", error->message);
    memmove(&reader->frames[frame], &reader->frames[frame + 1],
            (size_t)(reader->frame_count - frame - 1) * sizeof *reader->frames);
    reader->frame_count--;
    *error = (carom_error){0};
    return CAROM_OK;
}

// Bytes of a frame in a page.
static double frame_size(const carom_frame_reader *reader, int fields) {
    // two bytes for each of three coordinates and of the fields; base64 turns three bytes into four; a time
    // has at most 24 characters
    return 2.0 * (3 + fields) * reader->surface.node_count * 4 / 3 + 24;
}

// Bytes of the bodies, which a page contains once.
static double body_size(const carom_frame_reader *reader) {
    const carom_cell_surface *surface = &reader->surface;
    double numbers = surface->node_count;
    for (int b = 0; b < surface->body_count; b++) {
        const carom_cell_surface_body *body = &surface->bodies[b];
        numbers += ((int)body->shape + 1.0) * body->cell_count + 2.0 * body->edge_count;
        numbers += 4.0 * body->solid_count[0] + 8.0 * body->solid_count[1];
    }
    // the first frame has three numbers of eight bytes for each node, everything else numbers of four
    return (24.0 * surface->node_count + 4 * numbers) * 4 / 3;
}

// Omits the inside of solids if it does not fit into the page together with all fields except components of stress, which have
// a lower priority.
static void omit_inside(carom_frame_reader *reader, double max_bytes) {
    int fields = 0;
    for (int f = 0; f < reader->field_count; f++)
        fields += reader->fields[f].rank <= 2;
    if (body_size(reader) + frame_size(reader, fields) * reader->frame_count <= max_bytes)
        return;
    for (int b = 0; b < reader->surface.body_count; b++)
        reader->hollow = reader->hollow || reader->surface.bodies[b].dimension == 3;
    carom_cell_surface_hollow(&reader->surface);
}

// Takes topology and fields from the first readable frame and allocates the scratch arrays.
static carom_status open_first(carom_frame_reader *reader, double max_bytes, carom_error *error) {
    char path[CAROM_PATH_MAX + 80];
    carom_vtu_file first;
    carom_status status = CAROM_OK;
    while (!status && reader->frame_count > 0) {
        snprintf(path, sizeof path, "%s/%s", reader->directory, reader->frames[0].file);
        status = carom_vtu_open(&first, path, error);
        if (!status)
            break;
        status = drop_frame(reader, 0, status, error);
    }
    if (status || reader->frame_count == 0)
        return status;
    status = carom_cell_surface_create(&first, &reader->surface, error);
    list_fields(reader, &first);
    carom_vtu_close(&first);
    if (status)
        return status;
    omit_inside(reader, max_bytes);
    int64_t points = reader->surface.point_count, cells = reader->surface.cell_count,
            spans = (int64_t)reader->field_count * reader->surface.body_count;
    // sized for the largest array of points or cells
    reader->array = carom_allocate(COMPONENTS_MAX * (points > cells ? points : cells), sizeof *reader->array);
    reader->nodes = carom_allocate(3 * (int64_t)reader->surface.node_count, sizeof *reader->nodes);
    reader->origin = carom_allocate(3 * (int64_t)reader->surface.node_count, sizeof *reader->origin);
    reader->spans = carom_allocate(spans, sizeof *reader->spans);
    if (!reader->array || !reader->nodes || !reader->origin || !reader->spans)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for a frame of %lld points", (long long)points);
    for (int64_t i = 0; i < spans; i++)
        reader->spans[i] = (carom_frame_reader_span){HUGE_VAL, -HUGE_VAL};
    return CAROM_OK;
}

// A box without points becomes the origin.
static void close_box(double box[2][3]) {
    for (int i = 0; i < 3; i++)
        if (!(box[0][i] <= box[1][i]))
            box[0][i] = box[1][i] = 0;
}

static carom_status begin(carom_frame_reader *reader, const char *directory, double max_bytes, carom_error *error) {
    static const double empty[2][3] = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    // drop_frame uses the message even if the caller does not request it
    carom_error mine = {0};
    error = error ? error : &mine;
    *reader = (carom_frame_reader){0};
    memcpy(reader->box, empty, sizeof empty);
    memcpy(reader->shift, empty, sizeof empty);
    snprintf(reader->directory, sizeof reader->directory, "%s", directory);
    carom_status status = read_list(reader, error);
    return status ? status : open_first(reader, max_bytes, error);
}

carom_status carom_frame_reader_begin(carom_frame_reader *reader, const char *directory, carom_error *error) {
    // without the inside of solids, which a picture does not need
    return begin(reader, directory, 0, error);
}

carom_status carom_frame_reader_open(carom_frame_reader *reader, const char *directory, double max_bytes, carom_error *error) {
    carom_error mine = {0};
    error = error ? error : &mine;
    carom_status status = begin(reader, directory, max_bytes, error);
    for (int frame = 0; !status && frame < reader->frame_count;) {
        status = survey_frame(reader, frame, error);
        if (status)
            status = drop_frame(reader, frame, status, error);
        else
            frame++;
    }
    close_box(reader->box);
    close_box(reader->shift);
    if (!status && reader->spans)
        drop_idle_fields(reader);
    return status;
}

carom_status carom_frame_reader_check(carom_frame_reader *reader, int frame, int field, double *positions, double *values,
                                      carom_error *error) {
    carom_vtu_file file;
    carom_status status = open_frame(reader, frame, &file, error);
    if (status)
        return status;
    size_t nodes = (size_t)reader->surface.node_count;
    if (positions) {
        status = load_positions(reader, &file, error);
        memcpy(positions, reader->nodes, status ? 0 : 3 * nodes * sizeof *positions);
    }
    if (!status && values) {
        status = load_field(reader, &reader->fields[field], &file, error);
        memcpy(values, reader->nodes, status ? 0 : nodes * sizeof *values);
        if (!status)
            widen_spans(reader, field);
    }
    carom_vtu_close(&file);
    return status;
}

void carom_frame_reader_release(carom_frame_reader *reader) {
    carom_cell_surface_release(&reader->surface);
    free(reader->frames);
    free(reader->spans);
    free(reader->origin);
    free(reader->array);
    free(reader->nodes);
    reader->frames = NULL;
    reader->spans = NULL;
    reader->origin = reader->array = reader->nodes = NULL;
}

double carom_frame_reader_frame_size(const carom_frame_reader *reader) {
    return frame_size(reader, reader->field_count);
}

void carom_frame_reader_thin(carom_frame_reader *reader, int count) {
    int before = reader->frame_count, kept = count < 2 ? 2 : count;
    if (kept >= before)
        return;
    for (int i = 0; i < kept; i++) {
        // rounds i (before - 1) / (kept - 1): evenly spread, with the first and the last frame
        int64_t source = ((int64_t)i * (before - 1) + (kept - 1) / 2) / (kept - 1);
        reader->frames[i] = reader->frames[source];
    }
    reader->frame_count = kept;
    reader->dropped += before - kept;
}

int carom_frame_reader_space(const carom_frame_reader *reader) {
    double extent[3], largest = 0;
    for (int i = 0; i < 3; i++) {
        extent[i] = reader->box[1][i] - reader->box[0][i];
        largest = fmax(largest, extent[i]);
    }
    return extent[2] > flat_extent * largest ? 3 : extent[1] > flat_extent * largest ? 2 : 1;
}

// Maps [min, max] to 0 ... 65535; NaN becomes 0, because every comparison with NaN is false.
static uint16_t quantise(double value, double min, double max) {
    double place = max > min ? (value - min) / (max - min) : 0;
    return place > 0 ? (uint16_t)lrint(65535 * fmin(place, 1)) : 0;
}

static carom_status write_positions(carom_frame_reader *reader, const carom_vtu_file *file, carom_base64 *out,
                                    carom_error *error) {
    carom_status status = load_positions(reader, file, error);
    for (int64_t i = 0; !status && i < 3 * (int64_t)reader->surface.node_count; i++)
        carom_base64_uint16(out,
                            quantise(reader->nodes[i] - reader->origin[i], reader->shift[0][i % 3], reader->shift[1][i % 3]));
    return status;
}

static carom_status write_field(carom_frame_reader *reader, int field, const carom_vtu_file *file, carom_base64 *out,
                                carom_error *error) {
    const carom_frame_reader_field *shown = &reader->fields[field];
    carom_status status = load_field(reader, shown, file, error);
    for (int k = 0; !status && k < reader->surface.node_count; k++)
        carom_base64_uint16(out, quantise(reader->nodes[k], shown->min, shown->max));
    return status;
}

static void put_single(carom_base64 *out, double value) {
    float single = (float)value;
    int32_t bits;
    memcpy(&bits, &single, sizeof bits);
    carom_base64_int32(out, bits);
}

static carom_status write_arrows(carom_frame_reader *reader, const carom_vtu_file *file, carom_base64 *out) {
    int count = 0, shown = load_arrows(reader, file) ? reader->surface.shown_count : 0;
    for (int k = 0; k < shown; k++)
        count += arrow_at(reader, k) != NULL;
    carom_base64_int32(out, count);
    for (int k = 0; k < shown; k++) {
        const double *v = arrow_at(reader, k);
        if (!v)
            continue;
        carom_base64_int32(out, k);
        for (int i = 0; i < 3; i++)
            put_single(out, v[i]);
    }
    return CAROM_OK;
}

carom_status carom_frame_reader_write(carom_frame_reader *reader, carom_frame_reader_part part, int field, carom_base64 *out,
                                      carom_error *error) {
    carom_status status = CAROM_OK;
    for (int frame = 0; !status && frame < reader->frame_count; frame++) {
        carom_vtu_file file;
        status = open_frame(reader, frame, &file, error);
        if (status)
            break;
        switch (part) {
        case CAROM_FRAME_POSITIONS: status = write_positions(reader, &file, out, error); break;
        case CAROM_FRAME_FIELD: status = write_field(reader, field, &file, out, error); break;
        case CAROM_FRAME_ARROWS: status = write_arrows(reader, &file, out); break;
        }
        carom_vtu_close(&file);
    }
    carom_base64_end(out);
    return status;
}
