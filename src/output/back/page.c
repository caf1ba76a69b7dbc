// SPDX-License-Identifier: MIT
// Writes the report page: a template (HTML with scripts) in which one line is replaced by the data of the runs. The data are
// written while they are read: first the tables, which are in memory as a whole, then the frames one by one, once for the
// positions and once for each field. Numbers are base64 of little-endian arrays, which a browser decodes without parsing. The
// size of the page is limited: if the frames do not fit, fields are omitted first, then frames.
#include "carom/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numerals.h"
#include "carom/file.h"
#include "carom/ledger.h"
#include "carom/table.h"
#include "carom/text.h"
#include "carom/version.h"
#include "output/back/frame_reader.h"
#include "output/file.h"
#include "output/frames/base64.h"

static const char page_mark[] = "<script type=\"application/json\" id=\"carom-data\">null</script>";

// Rows of a table in a page: more than any screen can show.
enum {
    ROWS_MAX = 20000,     // of histories and probes, which are drawn as curves
    CONTACTS_MAX = 100000 // of contacts, which are drawn as points and can be filtered
};

typedef struct writer {
    FILE *stream;
    carom_text text; // not yet written
    double size_max; // bytes of the page up to the end of the data
    carom_page_facts *facts;
} writer;

// Writes the text with every '<' escaped as \u003c, so that no "</script>" within a string ends the script
// element.
static void flush(writer *w) {
    if (w->text.size == 0)
        return;
    const char *at = w->text.data, *end = at + w->text.size;
    while (at < end) {
        const char *next = memchr(at, '<', (size_t)(end - at));
        fwrite(at, 1, (size_t)((next ? next : end) - at), w->stream);
        if (next)
            fputs("\\u003c", w->stream);
        at = next ? next + 1 : end;
    }
    w->text.size = 0;
}

// Opens a JSON string for base64; its characters never need escaping, so they go to the stream directly.
static carom_base64 begin_array(writer *w) {
    carom_text_print(&w->text, "\"");
    flush(w);
    return (carom_base64){.stream = w->stream};
}

static void put_reals(writer *w, const char *key, const double *values, int count) {
    carom_text_print(&w->text, ", \"%s\": [", key);
    for (int i = 0; i < count; i++) {
        carom_text_print(&w->text, i ? ", " : "");
        carom_json_real(&w->text, values[i]);
    }
    carom_text_print(&w->text, "]");
}

// The head of a table: row count and column names.
static void put_names(writer *w, const carom_csv_table *table) {
    carom_text_print(&w->text, "{\"rows\": %" PRId64 ", \"names\": [", table->row_count);
    for (int c = 0; c < table->column_count; c++) {
        carom_text_print(&w->text, c ? ", " : "");
        carom_json_string(&w->text, table->names[c]);
    }
    carom_text_print(&w->text, "], \"columns\": ");
}

static void put_column(carom_base64 *out, const carom_csv_table *table, int column) {
    for (int64_t row = 0; row < table->row_count; row++)
        carom_base64_real(out, carom_csv_number(table, row, column));
}

// A table of numbers: all columns one after another in one array.
static void put_numbers(writer *w, const carom_csv_table *table) {
    put_names(w, table);
    carom_base64 out = begin_array(w);
    for (int c = 0; c < table->column_count; c++)
        put_column(&out, table, c);
    carom_base64_end(&out);
    carom_text_print(&w->text, "\"}");
}

// Node numbers of some cells of a body; null if there are none.
static void put_cells(writer *w, const char *key, const int *nodes, int64_t count) {
    carom_text_print(&w->text, ", \"%s\": ", key);
    if (count == 0) {
        carom_text_print(&w->text, "null");
        return;
    }
    carom_base64 out = begin_array(w);
    for (int64_t i = 0; i < count; i++)
        carom_base64_int32(&out, nodes[i]);
    carom_base64_end(&out);
    carom_text_print(&w->text, "\"");
}

// A table that also has columns of text: each column is an array of numbers or a list of strings.
static void put_mixed(writer *w, const carom_csv_table *table) {
    put_names(w, table);
    carom_text_print(&w->text, "[");
    for (int c = 0; c < table->column_count; c++) {
        carom_text_print(&w->text, c ? ", " : "");
        if (carom_csv_is_number(table, c)) {
            carom_text_print(&w->text, "{\"f64\": ");
            carom_base64 out = begin_array(w);
            put_column(&out, table, c);
            carom_base64_end(&out);
            carom_text_print(&w->text, "\"}");
            continue;
        }
        carom_text_print(&w->text, "{\"text\": [");
        for (int64_t row = 0; row < table->row_count; row++) {
            carom_text_print(&w->text, row ? ", " : "");
            carom_json_string(&w->text, carom_csv_cell(table, row, c));
        }
        carom_text_print(&w->text, "]}");
        flush(w);
    }
    carom_text_print(&w->text, "]}");
}

// A table of the result directory; null if the run did not write it.
static carom_status put_table(writer *w, const char *directory, const char *name, bool mixed, carom_error *error) {
    char path[CAROM_PATH_MAX];
    carom_csv_table table;
    snprintf(path, sizeof path, "%s/%s.csv", directory, name);
    carom_text_print(&w->text, ",\n\"%s\": ", name);
    carom_status status = carom_csv_read(path, mixed ? CONTACTS_MAX : ROWS_MAX, &table, error);
    if (!status && table.column_count == 0)
        carom_text_print(&w->text, "null");
    else if (!status && mixed)
        put_mixed(w, &table);
    else if (!status)
        put_numbers(w, &table);
    w->facts->skipped += table.skipped;
    carom_csv_release(&table);
    return status;
}

// A body: its name, shape and node range, then the cells and, for surfaces, the edges to be drawn.
static void put_body(writer *w, const carom_cell_surface *surface, int b, const carom_page_run *run) {
    static const char *const shapes[] = {"points", "lines", "triangles"};
    const carom_cell_surface_body *body = &surface->bodies[b];
    // nodes per cell: 1 for points, 2 for lines, 3 for triangles
    int size = (int)body->shape + 1;
    char number[32];
    snprintf(number, sizeof number, "body %d", b);
    carom_text_print(&w->text, "%s\n{\"name\": ", b ? "," : "");
    carom_json_string(&w->text, b < run->body_count ? run->bodies[b].name : number);
    carom_text_print(&w->text, ", \"shape\": \"%s\", \"dimension\": %d, \"radius\": ", shapes[body->shape], body->dimension);
    bool solid = body->shape == CAROM_CELL_SURFACE_TRIANGLES;
    // the surface of solids is in the cells; lines and points are drawn with a radius
    carom_json_real(&w->text, b < run->body_count && !solid ? run->bodies[b].radius : (double)NAN);
    carom_text_print(&w->text, ", \"section\": %s, \"nodes\": [%d, %d], \"inner\": [%d, %d]",
                     body->shape == CAROM_CELL_SURFACE_LINES ? "\"circle\"" : "null", body->node_begin, body->node_count,
                     body->inner_begin, body->inner_count);
    put_cells(w, "cells", &surface->cells[body->place], (int64_t)size * body->cell_count);
    put_cells(w, "edges", solid ? surface->edges[body->edge_begin] : NULL, solid ? 2 * (int64_t)body->edge_count : 0);
    put_cells(w, "tetrahedra", &surface->solids[0][4 * (int64_t)body->solid_begin[0]], 4 * (int64_t)body->solid_count[0]);
    put_cells(w, "hexahedra", &surface->solids[1][8 * (int64_t)body->solid_begin[1]], 8 * (int64_t)body->solid_count[1]);
    carom_text_print(&w->text, "}");
}

// The contact planes, which are not bodies of the frames.
static void put_planes(writer *w, const carom_page_run *run) {
    carom_text_print(&w->text, ",\n\"planes\": [");
    for (int p = 0; p < run->plane_count; p++) {
        const carom_plane_def *plane = &run->planes[p];
        carom_text_print(&w->text, "%s{\"name\": ", p ? ", " : "");
        carom_json_string(&w->text, plane->name);
        put_reals(w, "point", plane->point, 3);
        put_reals(w, "normal", plane->normal, 3);
        carom_text_print(&w->text, "}");
    }
    carom_text_print(&w->text, "]");
}

// Reduces the frames to the remaining size: omits the least important fields, then frames.
static void thin(writer *w, carom_frame_reader *reader, double max_bytes) {
    // bodies are written already; the first frame is stored with double precision, about 32 base64 characters
    // per node, its number with 6; an arrow has 16 bytes
    double left = max_bytes - (double)ftell(w->stream) - 38.0 * reader->surface.node_count;
    // arrows are omitted if they would take more than a quarter of the remaining size
    if (22.0 * (double)reader->arrow_count > 0.25 * left)
        reader->arrow_count = 0;
    left -= 22.0 * (double)reader->arrow_count;
    while (carom_frame_reader_frame_size(reader) * reader->frame_count > left && carom_frame_reader_omit(reader))
        ;
    double each = carom_frame_reader_frame_size(reader);
    if (each * reader->frame_count > left)
        carom_frame_reader_thin(reader, left > 0 ? (int)(left / each) : 0);
}

// A field: its name, its range, the bodies that have it, and its values quantised to 16 bits.
static carom_status put_field(writer *w, carom_frame_reader *reader, int f, carom_error *error) {
    const carom_frame_reader_field *field = &reader->fields[f];
    carom_text_print(&w->text, "%s\n{\"name\": ", f ? "," : "");
    carom_json_string(&w->text, field->name);
    carom_text_print(&w->text, ", \"label\": ");
    carom_json_string(&w->text, field->label);
    carom_text_print(&w->text, ", \"components\": 1");
    put_reals(w, "range", (const double[]){field->min, field->max}, 2);
    carom_text_print(&w->text, ", \"bodies\": [");
    for (int b = 0, count = 0; b < reader->surface.body_count; b++)
        if (carom_frame_reader_has(reader, f, b))
            carom_text_print(&w->text, "%s%d", count++ ? ", " : "", b);
    carom_text_print(&w->text, "], \"values\": ");
    carom_base64 out = begin_array(w);
    carom_status status = carom_frame_reader_write(reader, CAROM_FRAME_FIELD, f, &out, error);
    carom_text_print(&w->text, "\"}");
    return status;
}

// The numbers of the nodes as points of the frames, and the contact forces.
static carom_status put_points(writer *w, carom_frame_reader *reader, carom_error *error) {
    put_cells(w, "points", reader->surface.points, reader->surface.node_count);
    carom_text_print(&w->text, ", \"arrows\": ");
    if (reader->arrow_count == 0) {
        carom_text_print(&w->text, "null");
        return CAROM_OK;
    }
    carom_base64 out = begin_array(w);
    carom_status status = carom_frame_reader_write(reader, CAROM_FRAME_ARROWS, 0, &out, error);
    carom_text_print(&w->text, "\"");
    return status;
}

static carom_status put_frames(writer *w, carom_frame_reader *reader, double max_bytes, carom_error *error) {
    flush(w);
    thin(w, reader, max_bytes);
    carom_text_print(&w->text, ",\n\"frames\": {\"times\": [");
    for (int i = 0; i < reader->frame_count; i++) {
        carom_text_print(&w->text, i ? ", " : "");
        carom_json_real(&w->text, reader->frames[i].time);
    }
    carom_text_print(&w->text, "], \"nodes\": %d, \"dropped\": %d", reader->surface.node_count, reader->dropped);
    put_reals(w, "box", reader->box[0], 6);
    carom_text_print(&w->text, ", \"damaged\": %d, \"omitted\": [", reader->damaged);
    for (int f = 0; f < reader->omitted_count; f++) {
        carom_text_print(&w->text, f ? ", " : "");
        carom_json_string(&w->text, reader->omitted[f]);
    }
    // positions are the first frame plus a displacement quantised within `shift`: this resolves small
    // motions in large scenes
    carom_text_print(&w->text, "],\n\"origin\": ");
    carom_base64 out = begin_array(w);
    for (int64_t i = 0; i < 3 * (int64_t)reader->surface.node_count; i++)
        carom_base64_real(&out, reader->origin[i]);
    carom_base64_end(&out);
    carom_text_print(&w->text, "\"");
    put_reals(w, "shift", reader->shift[0], 6);
    carom_text_print(&w->text, ", \"positions\": ");
    out = begin_array(w);
    carom_status status = carom_frame_reader_write(reader, CAROM_FRAME_POSITIONS, 0, &out, error);
    carom_text_print(&w->text, "\"");
    if (!status)
        status = put_points(w, reader, error);
    carom_text_print(&w->text, ", \"fields\": [");
    for (int f = 0; !status && f < reader->field_count; f++)
        status = put_field(w, reader, f, error);
    carom_text_print(&w->text, "]}");
    w->facts->frames += reader->frame_count;
    w->facts->colourless += reader->frame_count > 0 && reader->field_count == 0;
    w->facts->dropped += reader->dropped;
    w->facts->omitted += reader->omitted_count;
    w->facts->hollow += reader->hollow;
    // keep the message of the first damaged frame of all runs
    if (reader->damaged > 0 && w->facts->damaged == 0)
        memcpy(w->facts->damage, reader->damage, sizeof w->facts->damage);
    w->facts->damaged += reader->damaged;
    return status;
}

// The columns of the ledger: their names and places on the page.
static void put_ledger(writer *w) {
    static const char *const roles[] = {"other", "part", "total", "loss", "known", "residual"};
    int count;
    const carom_ledger_column *columns = carom_ledger_columns(&count);
    carom_text_print(&w->text, ",\n\"ledger\": [");
    for (int c = 0; c < count; c++)
        carom_text_print(&w->text, "%s\n{\"name\": \"%s\", \"label\": \"%s\", \"unit\": \"%s\", \"role\": \"%s\"}",
                         c ? "," : "", columns[c].name, columns[c].label, columns[c].unit, roles[columns[c].role]);
    carom_text_print(&w->text, "]");
}

// Bodies and frames of a run.
static carom_status put_motion(writer *w, const carom_page_run *run, double max_bytes, carom_error *error) {
    carom_frame_reader reader;
    flush(w);
    carom_status status = carom_frame_reader_open(&reader, run->directory, max_bytes - (double)ftell(w->stream), error);
    if (!status) {
        carom_text_print(&w->text, ",\n\"space\": %d,\n\"bodies\": [", carom_frame_reader_space(&reader));
        for (int b = 0; b < reader.surface.body_count; b++)
            put_body(w, &reader.surface, b, run);
        carom_text_print(&w->text, "]");
        status = put_frames(w, &reader, max_bytes, error);
    }
    carom_frame_reader_release(&reader);
    return status;
}

static void put_string(writer *w, const char *key, const char *value) {
    carom_text_print(&w->text, ",\n\"%s\": ", key);
    carom_json_string(&w->text, value);
}

// One run: names and texts, then tables, then the animation.
static carom_status put_run(writer *w, const carom_page_run *run, double max_bytes, carom_error *error) {
    carom_text_print(&w->text, "{\"name\": ");
    carom_json_string(&w->text, run->name);
    put_string(w, "integrator", run->integrator);
    put_string(w, "failure", run->failure);
    put_string(w, "scene", run->scene);
    carom_text_print(&w->text, ",\n\"summary\": %s", run->summary ? run->summary : "null");
    flush(w);
    // a run that failed has its reason and no results
    if (!run->directory) {
        carom_text_print(&w->text,
                         ",\n\"history\": null, \"probes\": null, \"contacts\": null, \"pairs\": null, \"skipped\": 0, "
                         "\"planes\": [], \"bodies\": null, \"space\": null, \"frames\": null}");
        return CAROM_OK;
    }
    int64_t skipped = w->facts->skipped;
    static const char *const tables[] = {"history", "probes", "contacts", "pairs"};
    carom_status status = CAROM_OK;
    // contacts and pairs have columns of text
    for (int i = 0; i < 4 && !status; i++)
        status = put_table(w, run->directory, tables[i], i >= 2, error);
    carom_text_print(&w->text, ",\n\"skipped\": %lld", (long long)(w->facts->skipped - skipped));
    put_planes(w, run);
    if (!status)
        status = put_motion(w, run, max_bytes, error);
    carom_text_print(&w->text, "}");
    flush(w);
    return status;
}

// The whole document. `format` is the version that the scripts of the page check.
static carom_status put_all(writer *w, const carom_page_def *def, carom_error *error) {
    char generator[64];
    snprintf(generator, sizeof generator, "carom %s", carom_version());
    carom_text_print(&w->text, "{\"format\": 4");
    put_string(w, "generator", generator);
    put_string(w, "kind", def->kind);
    put_string(w, "title", def->title);
    put_ledger(w);
    carom_text_print(&w->text, ",\n\"table\": %s,\n\"runs\": [", def->table ? def->table : "null");
    carom_status status = CAROM_OK;
    double begin = (double)ftell(w->stream);
    for (int r = 0; !status && r < def->run_count; r++) {
        carom_text_print(&w->text, r ? ",\n" : "\n");
        // each run may use an equal part of the page; space that it leaves is available to the next
        double max_bytes = begin + (w->size_max - begin) * (r + 1) / def->run_count;
        status = put_run(w, &def->runs[r], max_bytes, error);
    }
    carom_text_print(&w->text, "]}");
    flush(w);
    // any print above may have failed for lack of memory; the flag is checked once
    if (!status && w->text.failed)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the report page");
    return status;
}

// Writes the template with the data in place of the mark; the page appears only if all of it was written.
static carom_status write_page(const char *path, const carom_page_def *def, const char *template, size_t size, const char *mark,
                               carom_page_facts *facts, carom_error *error) {
    // the data replace the word "null" inside the marked script element
    const char *hole = mark + strlen(page_mark) - strlen("null</script>"), *rest = hole + strlen("null"),
               *end = template + size;
    writer w = {.size_max = def->size_max - (double)(end - rest), .facts = facts};
    carom_status status = carom_file_begin(path, &w.stream, error);
    if (status)
        return status;
    fwrite(template, 1, (size_t)(hole - template), w.stream);
    status = put_all(&w, def, error);
    fwrite(rest, 1, (size_t)(end - rest), w.stream);
    facts->bytes = (double)ftell(w.stream);
    carom_text_release(&w.text);
    if (!status)
        return carom_file_commit(path, w.stream, error);
    carom_file_abandon(path, w.stream);
    return status;
}

// Position of the mark; NULL unless it occurs exactly once.
static const char *find_mark(const char *template) {
    const char *mark = strstr(template, page_mark);
    return mark && !strstr(mark + 1, page_mark) ? mark : NULL;
}

// Numbers are printed in the C locale throughout: JSON permits only the decimal point.
carom_status carom_page_write(const char *path, const carom_page_def *def, carom_page_facts *facts, carom_error *error) {
    *facts = (carom_page_facts){0};
    unsigned char *bytes;
    size_t size = 0;
    carom_status status = carom_read_bytes(def->template_path, &bytes, &size, error);
    if (status)
        return status;
    // one more byte, so that strstr can be used
    char *template = realloc(bytes, size + 1);
    if (!template) {
        free(bytes);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the report page");
    }
    template[size] = 0;
    carom_numerals numerals = carom_numerals_enter();
    const char *mark = find_mark(template);
    status = mark ? write_page(path, def, template, size, mark, facts, error)
                  : carom_fail(error, CAROM_BAD_INPUT,
                               "%s is not a template of the report page: it does not have exactly one line %s",
                               def->template_path, page_mark);
    carom_numerals_leave(numerals);
    free(template);
    return status;
}
