// SPDX-License-Identifier: MIT
// Finds the nodes of a body, or of all bodies of a group, that meet all conditions of a selection: node set, box, plane,
// sphere, node number; and of these, if requested, the one nearest to a point.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/text.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "model/model.h"

// The length of a vector, also where its square would overflow or underflow.
static double length(const double v[3]) {
    // carom_hypot scales its arguments.
    return carom_hypot(carom_hypot(v[0], v[1]), v[2]);
}

// Relative rounding error of a sum.
static const double rounding = 8 * DBL_EPSILON;

// Distance from a region within which a node is selected: a fraction of the body size plus the rounding of coordinates.
static double rounding_of(const carom_model *model, const carom_body *body) {
    double low[3], high[3], extent[3], far = 0;
    // The size of the body, not of the model: a small body in a large scene has a small tolerance.
    carom_model_box(model, body->node_begin, body->node_begin + body->node_count, low, high);
    for (int i = 0; i < 3; i++) {
        extent[i] = high[i] - low[i];
        far = fmax(far, fmax(fabs(low[i]), fabs(high[i])));
    }
    return fmax(CAROM_SELECTION_ROUNDING * length(extent), rounding * far);
}

// `near` is the tolerance of the body; a point of the region far from the origin adds its own rounding.
static bool in_regions(const carom_selection *where, const double x[3], double near) {
    double d[3];
    for (int i = 0; i < 3 && where->in_box.given; i++)
        if (x[i] < where->in_box.low[i] - near || x[i] > where->in_box.high[i] + near)
            return false;
    if (where->on_plane.given) {
        double normal_length = length(where->on_plane.normal), height = 0, lost = 0;
        carom_difference(x, where->on_plane.point, d);
        for (int i = 0; i < 3; i++) {
            // The normal is normalised first, since its square may overflow.
            double n = where->on_plane.normal[i] / normal_length;
            height += d[i] * n;
            lost += rounding * fabs(where->on_plane.point[i] * n);
        }
        // Rounding of the node or of the point, whichever is larger.
        if (fabs(height) > where->on_plane.within + fmax(near, lost))
            return false;
    }
    if (where->in_sphere.given) {
        carom_difference(x, where->in_sphere.center, d);
        if (length(d) > where->in_sphere.radius + fmax(near, rounding * length(where->in_sphere.center)))
            return false;
    }
    return true;
}

static carom_status find_set(const carom_body *body, const char *name, const carom_node_set **set, carom_error *error) {
    for (int s = 0; s < body->set_count; s++) {
        *set = &body->sets[s];
        if (strcmp(body->sets[s].name, name) == 0)
            return CAROM_OK;
    }
    const char **names = carom_allocate(body->set_count, sizeof *names), *nearest = NULL;
    for (int s = 0; names && s < body->set_count; s++)
        names[s] = body->sets[s].name;
    if (names)
        nearest = carom_text_nearest(name, names, body->set_count);
    free(names);
    return carom_fail(error, CAROM_BAD_INPUT, "body '%s' has no set '%s'%s%s%s", body->name, name,
                      nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "");
}

int64_t carom_body_node_id(const carom_body *body, int node) {
    int place = node - body->node_begin;
    // ghosts are behind the nodes of all bodies
    if (body->ghost_count && node >= body->ghost_begin)
        place = body->node_count + node - body->ghost_begin;
    return body->node_ids ? body->node_ids[place] : place;
}

static carom_status find_node(const carom_body *body, int number, carom_error *error) {
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++)
        if (carom_body_node_id(body, k) == number)
            return CAROM_OK;
    // Numbers of a mesh file may have gaps, so a range would mislead.
    if (body->node_ids)
        return carom_fail(error, CAROM_BAD_INPUT, "body '%s' has no node of number %d", body->name, number);
    return carom_fail(error, CAROM_BAD_INPUT, "body '%s' has no node %d: it has nodes 0 to %d", body->name, number,
                      body->node_count - 1);
}

// Appends the selected nodes of one body; `nodes` is large enough for all of them.
static carom_status select_in(const carom_model *model, const carom_body *body, const carom_selection *where, int *nodes,
                              int *count, carom_error *error) {
    const carom_node_set *set = NULL;
    carom_status status = where->set[0] ? find_set(body, where->set, &set, error) : CAROM_OK;
    if (!status && where->node != CAROM_AUTO)
        status = find_node(body, where->node, error);
    if (status)
        return status;
    double near = rounding_of(model, body);
    // A set restricts the candidates; all other conditions are tested on its nodes.
    int candidates = set ? set->count : body->node_count;
    for (int i = 0; i < candidates; i++) {
        int k = set ? set->nodes[i] : body->node_begin + i;
        if (where->node != CAROM_AUTO && carom_body_node_id(body, k) != where->node)
            continue;
        if (in_regions(where, model->X[k], near))
            nodes[(*count)++] = k;
    }
    return CAROM_OK;
}

static void keep_nearest(const carom_model *model, const double to[3], int *nodes, int *count) {
    double least = HUGE_VAL;
    int nearest = nodes[0];
    for (int i = 0; i < *count; i++) {
        double d[3];
        carom_difference(model->X[nodes[i]], to, d);
        // Strictly nearer: of equal distances the first node wins.
        if (length(d) < least) {
            least = length(d);
            nearest = nodes[i];
        }
    }
    nodes[0] = nearest;
    *count = 1;
}

carom_status carom_model_select(const carom_model *model, const carom_selection *where, int **nodes, int *count,
                                carom_error *error) {
    *nodes = NULL;
    *count = 0;
    int bodies = 0;
    int64_t capacity = 0;
    for (int b = 0; b < model->body_count; b++) {
        bool meant = carom_body_is_called(&model->bodies[b], where->body);
        bodies += meant;
        capacity += meant ? model->bodies[b].node_count : 0;
    }
    // A misspelt body must not pass as an empty selection.
    if (bodies == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "there is no body '%s'", where->body);
    int *found = carom_allocate(capacity, sizeof *found);
    if (!found)
        return carom_no_memory(error, "a selection");

    carom_status status = CAROM_OK;
    for (int b = 0; b < model->body_count && !status; b++)
        if (carom_body_is_called(&model->bodies[b], where->body))
            status = select_in(model, &model->bodies[b], where, found, count, error);
    if (!status && *count == 0)
        status = carom_fail(error, CAROM_BAD_INPUT, "no node of body '%s' is selected", where->body);
    if (status) {
        free(found);
        *count = 0;
        return status;
    }
    if (where->nearest.given)
        keep_nearest(model, where->nearest.to, found, count);
    *nodes = found;
    return CAROM_OK;
}
