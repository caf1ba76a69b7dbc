// SPDX-License-Identifier: MIT
// Maintains the list of near pairs of surfaces during a run: its margins, the allowance for deviations of nodes from straight
// paths by impacts, and a check of speeds.
#include "integrator/search.h"

#include <math.h>

#include "math/vec3.h"
#include "model/collective.h"
#include "model/model.h"
#include "model/state/ledger.h"

// The lengths rest_range to max_allowance are in units of the shortest side of the surface. Pairs at a larger distance than
// rest_range are not considered as resting on each other: a kick rarely closes a larger gap in a step.
static const double rest_range = 0.05;

// Distance that nodes may move before a new list is made: a larger margin makes lists rarer but longer.
static const double margin = 0.25;

// Bounds of the initial allowance: few impacts deflect a node by more than the first, and lists for more than the second are
// long.
static const double min_allowance = 0.002;
static const double max_allowance = 0.03;

// Initial tolerance for path deviation: this multiple of the largest nodal displacement in a step (an impact can at most
// reverse it).
static const double allowance_in_displacements = 2;

// Pairs at a larger distance, in units of the height of the contact layer, do not act on each other in a drift.
static const double drift_range_in_heights = 2;

// A speed is slow if a node with it crosses less than this fraction of the contact layer in a step.
static const double slow = 0.1;

// In a step nodes move by a small part of an element. A body whose nodes move by this many extents of the scene is unstable,
// and every pair of its features would be near.
static const double max_extents_per_step = 4;

enum {
    // Nodes above which threads share a loop over them: one takes half a nanosecond.
    PARALLEL_NODES = 32768,
    // Pieces into which such a loop is divided for threads.
    PARTS = 64
};

static bool has_surface(const carom_search *search) {
    return search->model->surface.face_count > 0;
}

// The largest speed of a node of the body relative to its mean velocity.
static double spread_of(const carom_model *model, int b, const double (*w)[3]) {
    const carom_body *body = &model->bodies[b];
    double mean[3], square = 0;
    carom_body_velocity(model, b, w, mean);
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++) {
        double u[3];
        carom_difference(w[k], mean, u);
        square = fmax(square, carom_dot(u, u));
    }
    return sqrt(carom_model_most(model, square));
}

// The largest square of a speed, of nodes [begin, end) or of these entries of a list. NaN is ignored.
static double largest_in(const double (*w)[3], const int *list, int begin, int end) {
    // four independent chains of comparisons, to hide their latency
    double square[4] = {0};
    int i = begin;
    for (; i + 4 <= end; i += 4)
        for (int c = 0; c < 4; c++) {
            const double *u = w[list ? list[i + c] : i + c];
            double s = carom_dot(u, u);
            square[c] = s > square[c] ? s : square[c];
        }
    for (; i < end; i++) {
        const double *u = w[list ? list[i] : i];
        double s = carom_dot(u, u);
        square[0] = s > square[0] ? s : square[0];
    }
    return fmax(fmax(square[0], square[1]), fmax(square[2], square[3]));
}

static double largest_square(const double (*w)[3], const int *list, int count) {
    if (count <= PARALLEL_NODES)
        return largest_in(w, list, 0, count);
    double square = 0;
#pragma omp parallel for schedule(static) reduction(max : square)
    for (int p = 0; p < PARTS; p++) {
        double s = largest_in(w, list, (int)((int64_t)count * p / PARTS), (int)((int64_t)count * (p + 1) / PARTS));
        square = s > square ? s : square;
    }
    return square;
}

bool carom_search_is_slow(const carom_search *search, const double (*w)[3], const int *list, int count, double others) {
    double limit = max_extents_per_step * search->extent / search->step;
    return fmax(others, largest_square(w, list, count)) <= limit * limit || search->extent == 0 || !has_surface(search);
}

carom_status carom_search_check_paths(const carom_search *search, const carom_model *model, const double (*w)[3], double time,
                                      carom_error *error) {
    double limit = max_extents_per_step * search->extent / search->step;
    double square = carom_model_most(model, largest_square(w, NULL, model->part.owned_count));
    if (square <= limit * limit || search->extent == 0 || !has_surface(search))
        return CAROM_OK;
    for (int b = 0; b < model->body_count; b++) {
        double speed = spread_of(model, b, w);
        if (!(speed <= limit))
            return carom_fail(
                error, CAROM_NUMERICAL,
                "body '%s' is unstable at time %g: a node moves %.3g relative to the others in a step, the bodies "
                "measure %.3g; use `time.step: auto` or a smaller time.step",
                model->bodies[b].name, time, speed * search->step, search->extent);
    }
    return CAROM_OK;
}

carom_status carom_search_create(const carom_model *model, double step, carom_search *search, carom_error *error) {
    *search = (carom_search){.model = model, .step = step, .extent = model->part.extent};
    return has_surface(search) ? carom_broad_create(&model->surface, &model->exclusions, &search->broad, error) : CAROM_OK;
}

void carom_search_release(carom_search *search) {
    carom_broad_release(&search->broad);
    *search = (carom_search){0};
}

double carom_search_reach(const carom_search *search) {
    return rest_range * search->model->surface_length;
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
    if (model->contact.resolve != CAROM_RESOLVE_EXACT || can_rest(&model->laws))
        return carom_search_reach(search);
    return drift_range_in_heights * model->contact.layer * model->surface_length;
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
        .margin = margin * search->model->surface_length + search->extra_margin,
        .thickness = carom_search_range(search) + search->model->contact.thickness,
    };
    bool renewed;
    return carom_broad_update(&search->broad, x, need, &renewed, error);
}

double carom_search_allowance(const carom_search *search, const double (*w)[3]) {
    const carom_surface *surface = &search->model->surface;
    if (!has_surface(search))
        return HUGE_VAL;
    double square = largest_square(w, surface->vertices, surface->vertex_count), length = search->model->surface_length;
    double first =
        fmax(fmin(allowance_in_displacements * search->step * sqrt(square), max_allowance * length), min_allowance * length);
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
