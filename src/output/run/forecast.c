// SPDX-License-Identifier: MIT
// Estimates before a run what its frames will be: their number, style and size.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "carom/integrator.h"
#include "output/run/output.h"

// The vector per node that an integrator provides; NULL: none.
static const carom_method_result *result_of(const carom_kind *integrator) {
    return integrator ? carom_integrator_result((const carom_integrator *)integrator, CAROM_RESULT_NODAL) : NULL;
}

int64_t carom_output_rows(const carom_output_def *def, int64_t steps) {
    int every = carom_output_history_every(def, steps);
    return 1 + (steps + every - 1) / every;
}

carom_status carom_output_check_names(const carom_output_def *def, const carom_model *model, const carom_kind *integrator,
                                      int *wrong, carom_error *error) {
    return carom_style_check(def, model, result_of(integrator), wrong, error);
}

carom_status carom_output_forecast(const carom_output_def *def, const carom_model *model, const carom_kind *integrator,
                                   int64_t steps, carom_frame_forecast *forecast, carom_error *error) {
    *forecast = (carom_frame_forecast){.thinned = 1};
    if (!carom_output_has_frames(def))
        return CAROM_OK;
    carom_grid grid;
    carom_frame_plan plan;
    carom_status status = carom_grid_create(model, result_of(integrator), &grid, error);
    if (!status)
        status = carom_frame_plan_make(def, &grid, steps, &plan, error);
    carom_grid_release(&grid);
    if (!status)
        *forecast = carom_frame_plan_report(&plan);
    return status;
}

void carom_output_forecast_text(const carom_output_def *def, const carom_frame_forecast *forecast, char *text, size_t size) {
    // settings that were chosen and not requested by the scene
    const struct {
        bool chosen;
        const char *text;
    } parts[] = {
        {forecast->single && def->fields_precision == CAROM_PRECISION_AUTO, "in single precision"},
        {forecast->compress && def->fields_compress == CAROM_SWITCH_AUTO, "packed"},
        {forecast->reduced, "with fewer fields"},
        {forecast->surface && def->fields_surface == CAROM_SWITCH_AUTO, "of surfaces only"},
        {forecast->thinned > 1, "fewer than usual"},
    };
    *text = 0;
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].chosen && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", parts[i].text);
    if (used == 0)
        return;
    char list[256];
    snprintf(list, sizeof list, "%s", text);
    snprintf(text, size,
             "the model is large: about %" PRId64 " frames of at most %.3g MB, %s (output.fields decides otherwise: names, "
             "precision, compress, surface, every)",
             forecast->count, forecast->frame_bytes / 1e6, list);
}
