// SPDX-License-Identifier: MIT
// Chooses how frames are written (precision, compression, fields, number, the surface or all of solids) where the scene leaves
// it to carom. In full, in double precision and unpacked, the frames of a run take some number of bytes. Up to `plain_bytes`
// they are written so. Beyond, whatever the scene leaves to carom is chosen to reduce size: single precision, packing, fewer
// fields; then, if the estimate still exceeds `most_bytes`, fewer frames; and last, if that would leave less than LEAST_FRAMES,
// only the surfaces of solids. Estimates are made from counts alone, so that the choice is the same everywhere.
#include "output/frames/style.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "carom/text.h"
#include "output/frames/arrays.h"
#include "output/run/output.h"

static const double plain_bytes = 1e9;  // a hundred frames of 40,000 tetrahedra
static const double most_bytes = 1.9e9; // two gigabytes less a margin for tables and a checkpoint

// Fewer frames than this do not resolve a motion.
enum { LEAST_FRAMES = 20 };

// The name in a list that selects all fields.
static const char all_fields[] = "all";

static bool has_name(const carom_style *style, const char *name) {
    for (int i = 0; i < style->name_count; i++)
        if (strcmp(style->names[i], name) == 0)
            return true;
    return false;
}

// The nodal mean of a field, or -1.
static int nodal_of(const carom_grid *grid, int field) {
    for (int n = 0; n < grid->nodal_count; n++)
        if (grid->nodal[n] == field)
            return n;
    return -1;
}

// The fields of a scene without a list of names: all or, for large models, a reduced set. This omits fields that can be
// computed from others (impulses are sums of forces, masses are constant), cell fields of several components that have a nodal
// mean, and nodal means of tensors.
static carom_choice choose_by_size(const carom_grid *grid, const carom_style *style) {
    bool full = !style->reduced;
    carom_choice choice = {.contact_state = true, .mass = full};
    for (int f = 0; f < grid->point_field_count; f++)
        choice.point_fields[f] = full || grid->point_fields[f] != CAROM_POINT_IMPULSE;
    for (int f = 0; f < grid->field_count; f++)
        choice.fields[f] = full || grid->fields[f].components == 1 || nodal_of(grid, f) < 0;
    for (int n = 0; n < grid->nodal_count; n++)
        choice.nodal[n] = full || grid->fields[grid->nodal[n]].components <= 3;
    return choice;
}

carom_choice carom_choice_make(const carom_grid *grid, const carom_style *style) {
    if (style->name_count == 0)
        return choose_by_size(grid, style);
    carom_choice choice = {.contact_state = has_name(style, "contact_state"), .mass = has_name(style, "mass")};
    for (int f = 0; f < grid->point_field_count; f++)
        choice.point_fields[f] = has_name(style, carom_point_field_name(grid, grid->point_fields[f]));
    for (int f = 0; f < grid->field_count; f++)
        choice.fields[f] = has_name(style, grid->fields[f].name);
    for (int n = 0; n < grid->nodal_count; n++)
        choice.nodal[n] = has_name(style, grid->nodal_names[n]);
    return choice;
}

bool carom_choice_needs(const carom_grid *grid, const carom_choice *choice, int field) {
    int nodal = nodal_of(grid, field);
    return choice->fields[field] || (nodal >= 0 && choice->nodal[nodal]);
}

// Upper bound of the bytes of an array in a packed file. Reals are nearly incompressible. Numbers of nodes vary in their lower
// bytes only; other whole numbers repeat themselves.
static double packed_bytes(const carom_array *array) {
    double bytes = (double)carom_array_bytes(array);
    bool real = array->type == CAROM_NUMBER_FLOAT64 || array->type == CAROM_NUMBER_FLOAT32;
    // a block of 64 KB has a head of some ten bytes
    return 64 + 1.001 * bytes * (real ? 1 : strcmp(array->name, "connectivity") == 0 ? 0.75 : 0.5);
}

// Upper bounds of the bytes of one frame, and of data that are written once.
static void measure(const carom_output_def *def, const carom_grid *grid, const carom_cover *cover, carom_frame_plan *plan) {
    carom_array arrays[CAROM_ARRAYS_MAX];
    int count = carom_arrays_list(grid, cover, &plan->style, NULL, arrays);
    // the XML: about a kilobyte, and a line for each array
    double vtu = 1024, vtkhdf = 0, once = 0;
    for (int i = 0; i < count; i++) {
        double bytes = (double)carom_array_bytes(&arrays[i]);
        vtu += 128 + (plan->style.compress ? packed_bytes(&arrays[i]) : bytes);
        *(arrays[i].constant ? &once : &vtkhdf) += 128 + bytes;
    }
    plan->frame_bytes = plan->fixed_bytes = 0;
    if (def->fields_format != CAROM_FIELDS_VTKHDF)
        plan->frame_bytes += vtu;
    if (def->fields_format != CAROM_FIELDS_VTU) {
        plan->frame_bytes += vtkhdf;
        plan->fixed_bytes = once;
    }
}

// Frames of a run of that many steps: the first, the last, and those at given times.
static int64_t count_frames(const carom_output_def *def, int every, int64_t steps) {
    return (every > 0 ? steps / every + 2 : 0) + def->fields_at_count;
}

static double all_bytes(const carom_frame_plan *plan) {
    return plan->fixed_bytes + (double)plan->count * plan->frame_bytes;
}

// Keeps every n-th of the usual frames, so that all of them fit if that leaves enough.
static void thin(const carom_output_def *def, int usual, int64_t steps, carom_frame_plan *plan) {
    plan->thinned = 1;
    plan->every = usual;
    plan->count = count_frames(def, usual, steps);
    if (def->fields_every != CAROM_AUTO)
        return;
    double wanted = ceil(all_bytes(plan) / most_bytes), possible = floor((double)steps / usual / LEAST_FRAMES);
    double factor = fmin(wanted, possible);
    plan->thinned = factor > 1 ? (int)fmin(factor, (double)(INT32_MAX / usual)) : 1;
    plan->every = usual * plan->thinned;
    plan->count = count_frames(def, plan->every, steps);
}

// The style of a model that is too large to be written in full.
static carom_status choose_large(const carom_output_def *def, const carom_grid *grid, carom_cover *cover, int64_t steps,
                                 carom_frame_plan *plan, carom_error *error) {
    int usual = plan->every;
    carom_style *style = &plan->style;
    style->single = def->fields_precision != CAROM_PRECISION_DOUBLE;
    style->compress = def->fields_compress != CAROM_SWITCH_OFF;
    style->reduced = def->fields_name_count == 0;
    measure(def, grid, cover, plan);
    thin(def, usual, steps, plan);
    if (all_bytes(plan) <= most_bytes || def->fields_surface != CAROM_SWITCH_AUTO)
        return CAROM_OK;
    carom_cover_release(cover);
    style->surface = true;
    carom_status status = carom_cover_create(grid, true, cover, error);
    if (status)
        return status;
    measure(def, grid, cover, plan);
    thin(def, usual, steps, plan);
    return CAROM_OK;
}

carom_status carom_frame_plan_make(const carom_output_def *def, const carom_grid *grid, int64_t steps, carom_frame_plan *plan,
                                   carom_error *error) {
    *plan = (carom_frame_plan){
        .style = {.single = def->fields_precision == CAROM_PRECISION_SINGLE,
                  .compress = def->fields_compress == CAROM_SWITCH_ON,
                  .surface = def->fields_surface == CAROM_SWITCH_ON,
                  .name_count = def->fields_name_count,
                  .names = def->fields_names},
        .every = carom_output_fields_every(def, steps),
        .thinned = 1,
    };
    if (has_name(&plan->style, all_fields))
        plan->style.name_count = 0;
    carom_cover cover;
    carom_status status = carom_cover_create(grid, plan->style.surface, &cover, error);
    if (status)
        return status;
    plan->count = count_frames(def, plan->every, steps);
    measure(def, grid, &cover, plan);
    if (all_bytes(plan) > plain_bytes)
        status = choose_large(def, grid, &cover, steps, plan, error);
    carom_cover_release(&cover);
    return status;
}

carom_frame_forecast carom_frame_plan_report(const carom_frame_plan *plan) {
    return (carom_frame_forecast){.every = plan->every,
                                  .thinned = plan->thinned,
                                  .count = plan->count,
                                  .single = plan->style.single,
                                  .compress = plan->style.compress,
                                  .surface = plan->style.surface,
                                  .reduced = plan->style.reduced,
                                  .frame_bytes = plan->frame_bytes,
                                  .bytes = all_bytes(plan)};
}

// Upper bound of the number of names: all fields of a model, and arrays that are always written.
enum { NAMES_MAX = CAROM_POINT_FIELDS + 2 * CAROM_GRID_FIELDS_MAX + 8 };

static int list_names(const carom_grid *grid, const char *names[static NAMES_MAX]) {
    int count = 0;
    for (int f = 0; f < grid->point_field_count; f++)
        names[count++] = carom_point_field_name(grid, grid->point_fields[f]);
    names[count++] = "contact_state";
    names[count++] = "mass";
    for (int f = 0; f < grid->field_count; f++)
        names[count++] = grid->fields[f].name;
    for (int n = 0; n < grid->nodal_count; n++)
        names[count++] = grid->nodal_names[n];
    names[count++] = all_fields;
    return count;
}

carom_status carom_style_check(const carom_output_def *def, const carom_model *model, const carom_method_result *result,
                               int *wrong, carom_error *error) {
    static const char *const constant[] = {"position", "body", "number", "point"};
    carom_grid grid;
    const char *names[NAMES_MAX];
    carom_grid_list_fields(model, result, &grid);
    int count = list_names(&grid, names), known = count;
    for (int i = 0; i < 4; i++)
        names[known++] = constant[i];
    for (int i = 0; i < def->fields_name_count; i++) {
        const char *name = def->fields_names[i];
        int k = 0;
        while (k < known && strcmp(names[k], name) != 0)
            k++;
        if (k < known)
            continue;
        if (wrong)
            *wrong = i;
        const char *nearest = carom_text_nearest(name, names, count);
        carom_text list = {0};
        for (k = 0; k < count; k++)
            carom_text_print(&list, "%s%s", k ? ", " : "", names[k]);
        carom_status status = carom_fail(error, CAROM_BAD_INPUT, "the model has no field '%s'%s%s%s; it has: %s", name,
                                         nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "",
                                         list.data ? list.data : "none");
        carom_text_release(&list);
        return status;
    }
    return CAROM_OK;
}

uint64_t carom_style_names_hash(const carom_output_def *def) {
    uint64_t sum = 0;
    for (int i = 0; i < def->fields_name_count; i++) {
        bool again = false;
        for (int k = 0; k < i; k++)
            again = again || strcmp(def->fields_names[k], def->fields_names[i]) == 0;
        if (!again)
            sum += carom_hash(CAROM_HASH_START, def->fields_names[i], strlen(def->fields_names[i]));
    }
    return sum;
}
