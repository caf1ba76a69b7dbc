// SPDX-License-Identifier: MIT
#include "integrator/search.h"

#include <math.h>

#include "math/vec3.h"
#include "model/model.h"

// Lengths in units of the shortest side of the surface. Pairs farther apart than this do not rest on each other: a kick rarely
// closes more in a step.
static const double reach = 0.05;

// Nodes may move this far before a new list is made: a larger margin makes lists rarer but longer.
static const double margin = 0.25;

// Bounds of the first allowance: few impacts lead a node farther than the first, and lists made for more than the second are
// long.
static const double least_allowance = 0.002;
static const double most_allowance = 0.03;

// Between those bounds the first allowance is this many ways of the fastest node in a step: an impact reverses a way.
static const double ways = 2;

// Pairs farther apart than this many heights of the layer do not act on each other in a drift.
static const double heights = 2;

// A speed is slow if it crosses this fraction of the layer in a step.
static const double slow = 0.1;

static bool has_surface(const carom_search *search) {
    return search->model->surface.face_count > 0;
}

carom_status carom_search_create(const carom_model *model, double step, carom_search *search, carom_error *error) {
    *search = (carom_search){.model = model, .step = step};
    return has_surface(search) ? carom_broad_create(&model->surface, &model->exclusions, &search->broad, error) : CAROM_OK;
}

void carom_search_release(carom_search *search) {
    carom_broad_release(&search->broad);
    *search = (carom_search){0};
}

double carom_search_reach(const carom_search *search) {
    return reach * search->model->surface_length;
}

// True if some pair of bodies can rest on each other: elastic contacts never do.
static bool can_rest(const carom_contact_laws *laws) {
    bool any = laws->general.restitution < 1;
    for (int i = 0; i < laws->count; i++)
        any = any || laws->exceptions[i].law.restitution < 1;
    return any;
}

double carom_search_range(const carom_search *search) {
    const carom_model *model = search->model;
    if (model->contact.resolve != CAROM_RESOLVE_DRIFT || can_rest(&model->laws))
        return carom_search_reach(search);
    return heights * model->contact.layer * model->surface_length;
}

carom_status carom_search_list(carom_search *search, const double (*x)[3], const double (*w)[3], double allowance,
                               carom_error *error) {
    if (!has_surface(search))
        return CAROM_OK;
    search->allowance = allowance;
    carom_broad_need need = {
        .w = w,
        .step = search->step,
        .allowance = allowance,
        .margin = margin * search->model->surface_length + search->room,
        .thickness = carom_search_range(search) + search->model->contact.thickness,
    };
    bool renewed;
    return carom_broad_update(&search->broad, x, need, &renewed, error);
}

double carom_search_allowance(const carom_search *search, const double (*w)[3]) {
    const carom_surface *surface = &search->model->surface;
    if (!has_surface(search))
        return HUGE_VAL;
    double square = 0, length = search->model->surface_length;
    for (int i = 0; i < surface->vertex_count; i++) {
        const double *u = w[surface->vertices[i]];
        double s = carom_dot(u, u);
        square = s > square ? s : square;
    }
    double first = fmax(fmin(ways * search->step * sqrt(square), most_allowance * length), least_allowance * length);
    return fmax(first, 0.5 * search->allowance);
}

carom_neighbours carom_search_neighbours(const carom_search *search) {
    const carom_model *model = search->model;
    double height = model->contact.layer * model->surface_length;
    return (carom_neighbours){
        .fixed = &model->candidates,
        .surface = &model->surface,
        .pairs = has_surface(search) ? &search->broad.pairs : NULL,
        .laws = &model->laws,
        .length = model->surface_length,
        .layer = {.height = height, .slow = slow * height / search->step, .offset = model->contact.thickness},
    };
}
