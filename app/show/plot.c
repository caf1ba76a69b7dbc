// SPDX-License-Identifier: MIT
// carom plot: the history of one result or several as a figure.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands.h"
#include "app/message.h"
#include "app/result.h"
#include "app/show/figure.h"
#include "app/show/signals.h"
#include "carom/file.h"
#include "carom/ledger.h"
#include "carom/text.h"

// A figure resolves a few thousand points; a million rows is a bound on memory. More panels or columns would be unreadable.
enum { ROWS_MAX = 1000000, PANELS_MAX = 8, COLUMNS_MAX = 32, LIST_MAX = 1024 };

// Pairs and bodies that the usual figure shows of each result: those with the largest forces and stresses.
enum { SHOWN_MAX = 6 };

// Millimetres: one column of a journal is 90 mm wide. The first panel is the highest, because it shows the energies.
static const double width_default = 90, width_max = 400, high = 40, low = 26;

// Columns of one panel.
typedef struct panel_def {
    const char *label;
    bool logarithmic;
    int count;
    const char *columns[COLUMNS_MAX];
    const char *labels[COLUMNS_MAX]; // at the curves; NULL: the names of the columns
} panel_def;

typedef struct run {
    const char *directory;
    char name[CAROM_TEXT_MAX];
    carom_signals signals;
} run;

typedef struct plot {
    const carom_arguments *arguments;
    int run_count;
    run *runs;
    char list[LIST_MAX];                 // --columns, cut into its parts
    carom_signal_names forces, stresses; // of the usual figure
    int def_count;
    panel_def defs[PANELS_MAX];
    int panel_count, colour;
    carom_panel panels[PANELS_MAX];
} plot;

// Folders are named by the last part of their paths, unless two names are then equal.
static void name_runs(plot *p) {
    bool unique = true;
    for (int i = 0; i < p->run_count; i++) {
        char *real = realpath(p->runs[i].directory, NULL);
        const char *slash = real ? strrchr(real, '/') : NULL;
        snprintf(p->runs[i].name, CAROM_TEXT_MAX, "%s", slash && slash[1] ? slash + 1 : p->runs[i].directory);
        free(real);
        for (int k = 0; k < i; k++)
            unique &= strcmp(p->runs[i].name, p->runs[k].name) != 0;
    }
    for (int i = 0; i < p->run_count && !unique; i++)
        snprintf(p->runs[i].name, CAROM_TEXT_MAX, "%s", p->runs[i].directory);
}

// A panel of the usual figure whose columns depend on the results. Without any it is omitted.
static panel_def panel_of(const char *label, const carom_signal_names *names) {
    panel_def def = {.label = label, .count = names->count};
    for (int i = 0; i < names->count; i++) {
        def.columns[i] = names->name[i];
        def.labels[i] = names->label[i];
    }
    return def;
}

// Adds the columns of the ledger that have this role.
static void add_role(panel_def *def, carom_ledger_role role) {
    int count;
    const carom_ledger_column *columns = carom_ledger_columns(&count);
    for (int c = 0; c < count; c++)
        if (columns[c].role == role && def->count < COLUMNS_MAX)
            def->columns[def->count++] = columns[c].name;
}

// The panels of the usual figure: energies, losses, the residual on a logarithmic axis because it spans decades, forces,
// stresses.
static void take_usual(plot *p) {
    p->defs[0] = (panel_def){.label = "energy"};
    add_role(&p->defs[0], CAROM_LEDGER_TOTAL);
    add_role(&p->defs[0], CAROM_LEDGER_PART);
    p->defs[1] = (panel_def){.label = "lost energy"};
    add_role(&p->defs[1], CAROM_LEDGER_LOSS);
    p->defs[2] = (panel_def){.label = "|residual|", .logarithmic = true};
    add_role(&p->defs[2], CAROM_LEDGER_RESIDUAL);
    p->def_count = 3;
    for (int r = 0; r < p->run_count; r++) {
        carom_signals_forces(&p->runs[r].signals, SHOWN_MAX, &p->forces);
        carom_signals_stresses(&p->runs[r].signals, SHOWN_MAX, &p->stresses);
    }
    p->defs[p->def_count++] = panel_of("contact force", &p->forces);
    p->defs[p->def_count++] = panel_of("von Mises stress", &p->stresses);
}

// --columns a,b/c: commas between columns, a slash before the next panel.
static carom_status read_columns(plot *p, carom_error *error) {
    const char *asked = carom_arguments_value(p->arguments, "columns");
    if (!asked) {
        take_usual(p);
        return CAROM_OK;
    }
    if (strlen(asked) >= sizeof p->list)
        return carom_fail(error, CAROM_BAD_INPUT, "--columns is too long");
    snprintf(p->list, sizeof p->list, "%s", asked);
    p->def_count = 1;
    for (char *word = p->list, *end; word; word = end) {
        char separator = word[strcspn(word, ",/")];
        end = separator ? word + strcspn(word, ",/") : NULL;
        if (end)
            *end++ = 0;
        panel_def *def = &p->defs[p->def_count - 1];
        if (!*word)
            return carom_fail(error, CAROM_BAD_INPUT, "--columns: expected names of columns between the commas");
        // a final slash begins a panel that stays empty: one panel fewer than the arrays hold can be used
        if (def->count == COLUMNS_MAX || p->def_count == PANELS_MAX)
            return carom_fail(error, CAROM_BAD_INPUT, "--columns: at most %d columns in each of %d panels", COLUMNS_MAX,
                              PANELS_MAX - 1);
        def->columns[def->count++] = word;
        // alone, a residual has a logarithmic axis as in the usual figure; with other columns it shares their linear axis
        def->logarithmic = def->count == 1 && strcmp(word, "residual") == 0;
        def->label = def->logarithmic ? "|residual|" : def->count == 1 ? word : "";
        p->def_count += separator == '/';
    }
    return CAROM_OK;
}

// True if the column is zero in every row of every run.
static bool is_idle(const plot *p, const char *name) {
    for (int r = 0; r < p->run_count; r++) {
        carom_signal signal;
        if (carom_signals_find(&p->runs[r].signals, name, &signal) && carom_signal_largest(&signal) > 0)
            return false;
    }
    return true;
}

// True if no earlier curve of the panel has this name: the curves of all runs share one label.
static bool is_first(const carom_panel *panel, const char *name) {
    for (int i = 0; i + 1 < panel->curve_count; i++)
        if (strcmp(panel->curves[i].name, name) == 0)
            return false;
    return true;
}

// Adds the curve of one column of one run. With one run, columns differ by colour, and a single column of a panel is black.
// With several runs, runs differ by colour, and the columns of a panel by dash pattern.
static carom_status add_curve(plot *p, carom_panel *panel, int r, const panel_def *def, int c, int dash, carom_error *error) {
    const run *from = &p->runs[r];
    carom_signal signal;
    if (!carom_signals_find(&from->signals, def->columns[c], &signal))
        return carom_signals_unknown(&from->signals, from->directory, def->columns[c], error);
    carom_curve *curve = &panel->curves[panel->curve_count++];
    *curve = (carom_curve){
        .name = def->columns[c],
        .label = def->labels[c],
        .run = from->name,
        .labelled = def->count > 1 && is_first(panel, def->columns[c]),
        .colour = p->run_count > 1 ? r + 1
                  : def->count > 1 ? p->colour
                                   : 0,
        .dash = p->run_count > 1 ? dash : 0,
        .count = carom_signal_values(&signal, NULL, NULL),
    };
    curve->x = carom_zeroed(curve->count, sizeof *curve->x);
    curve->y = carom_zeroed(curve->count, sizeof *curve->y);
    if (!curve->x || !curve->y)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the curves");
    carom_signal_values(&signal, curve->x, curve->y);
    return CAROM_OK;
}

// A panel of its columns; energies and losses that are zero throughout are left out of the usual figure.
static carom_status add_panel(plot *p, const panel_def *def, bool chosen, carom_error *error) {
    carom_panel *panel = &p->panels[p->panel_count];
    *panel = (carom_panel){.label = def->label, .logarithmic = def->logarithmic, .height = p->panel_count == 0 ? high : low};
    panel->curves = carom_zeroed((int64_t)def->count * p->run_count, sizeof *panel->curves);
    if (!panel->curves)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the curves");
    p->panel_count++;
    carom_status status = CAROM_OK;
    for (int c = 0, dash = 0; c < def->count && !status; c++) {
        if (!chosen && is_idle(p, def->columns[c]))
            continue;
        for (int r = 0; r < p->run_count && !status; r++) {
            carom_signal signal;
            // bodies of one run may have damping, those of another none
            if (chosen || carom_signals_find(&p->runs[r].signals, def->columns[c], &signal))
                status = add_curve(p, panel, r, def, c, dash, error);
        }
        dash++;
        p->colour += def->count > 1;
    }
    // a panel without curves is omitted
    if (panel->curve_count == 0) {
        free(panel->curves);
        p->panel_count--;
    }
    return status;
}

static carom_status write_figure(plot *p, double width, const char *path, carom_error *error) {
    const char **names = carom_zeroed(p->run_count, sizeof *names);
    if (!names)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the figure");
    carom_text title = {0};
    for (int r = 0; r < p->run_count; r++) {
        names[r] = p->runs[r].name;
        carom_text_print(&title, "%s%s", r ? ", " : "", names[r]);
    }
    const carom_figure_def def = {
        .title = title.data ? title.data : "",
        .x_label = "time",
        .width = width,
        .panel_count = p->panel_count,
        .panels = p->panels,
        .run_count = p->run_count,
        .runs = names,
    };
    carom_status status = carom_figure_write(path, &def, error);
    carom_text_release(&title);
    free(names);
    return status;
}

static carom_status make(plot *p, double width, const char *path, carom_error *error) {
    bool chosen = carom_arguments_value(p->arguments, "columns") != NULL;
    carom_status status = CAROM_OK;
    for (int r = 0; r < p->run_count && !status; r++) {
        p->runs[r].directory = p->arguments->operands[r];
        status = carom_signals_read(p->runs[r].directory, ROWS_MAX, &p->runs[r].signals, error);
    }
    if (!status)
        status = read_columns(p, error);
    if (status)
        return status;
    name_runs(p);
    for (int i = 0; i < p->def_count && !status; i++)
        status = add_panel(p, &p->defs[i], chosen, error);
    if (!status && p->panel_count == 0)
        status = carom_fail(error, CAROM_BAD_INPUT, "there is nothing to draw: all energies are zero");
    return status ? status : write_figure(p, width, path, error);
}

static int read_width(const carom_arguments *arguments, double *width) {
    const char *text = carom_arguments_value(arguments, "width");
    // a narrower figure would be illegible
    char *end;
    *width = text ? strtod(text, &end) : width_default;
    if (!text || (end != text && !*end && *width >= width_default && *width <= width_max))
        return CAROM_EXIT_DONE;
    carom_say_error("--width expects a number of millimetres from %g to %g, found '%s'", width_default, width_max, text);
    return CAROM_EXIT_INPUT;
}

int carom_command_plot(const carom_arguments *arguments) {
    double width;
    int code = read_width(arguments, &width);
    if (code)
        return code;
    char path[CAROM_PATH_MAX];
    const char *asked = carom_arguments_value(arguments, "output");
    const char *usual_name = carom_arguments_value(arguments, "columns") ? "columns.svg" : "energy.svg";
    int size = asked ? snprintf(path, sizeof path, "%s", asked)
                     : snprintf(path, sizeof path, "%s/%s", arguments->operands[0], usual_name);
    if (size <= 0 || size >= (int)sizeof path) {
        carom_say_error("the figure must have a name of 1 to %zu bytes", sizeof path - 1);
        return CAROM_EXIT_INPUT;
    }
    carom_error error = {0};
    if (carom_result_owns(path, &error)) {
        carom_say_error("%s", error.message);
        return CAROM_EXIT_INPUT;
    }
    plot *p = carom_zeroed(1, sizeof *p);
    carom_status status = p ? CAROM_OK : carom_fail(&error, CAROM_NO_MEMORY, "no memory for the figure");
    if (p) {
        p->arguments = arguments;
        p->run_count = arguments->operand_count;
        p->runs = carom_zeroed(p->run_count, sizeof *p->runs);
        status = p->runs ? make(p, width, path, &error) : carom_fail(&error, CAROM_NO_MEMORY, "no memory for the figure");
        for (int i = 0; i < p->panel_count; i++) {
            for (int c = 0; c < p->panels[i].curve_count; c++) {
                free(p->panels[i].curves[c].x);
                free(p->panels[i].curves[c].y);
            }
            free(p->panels[i].curves);
        }
        for (int r = 0; p->runs && r < p->run_count; r++)
            carom_signals_release(&p->runs[r].signals);
        free(p->runs);
        free(p);
    }
    if (status)
        carom_say_error("%s", error.message);
    else
        printf("%s\n", path);
    return carom_exit_code(status);
}
