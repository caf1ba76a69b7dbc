// SPDX-License-Identifier: MIT
// Refuses a model whose bodies overlap or touch at the start. Crossing surfaces are found by the audit (contact/pairs/audit.h:
// a check of faces that is independent of the contact solver). A body inside another one crosses nothing; it is found by one of
// its nodes (contact/pairs/inside.h).
#include "model/build/builders.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/pairs/audit.h"
#include "contact/pairs/inside.h"
#include "math/vec3.h"
#include "model/build/separation.h"

// Number of pairs of bodies that a message names.
enum { NAMED_PAIRS = 3 };

// A gap below this fraction of the contact layer, or below rounding of the positions, counts as zero.
static const double zero_gap = 1e-6;

// The gap that bodies should have: with a smaller one they start within the contact layer.
static double gap_of(const carom_model *model) {
    return model->contact.thickness + model->contact.layer * model->surface_length;
}

static int by_bodies(const int a[2], const int b[2]) {
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

// The centre of a face.
static void middle_of(const carom_model *model, int face, double place[3]) {
    int corners = model->surface.corners;
    memset(place, 0, 3 * sizeof *place);
    for (int i = 0; i < corners; i++)
        carom_add_scaled(1.0 / corners, model->X[model->surface.faces[face][i]], place);
}

typedef struct crossing {
    int body[2]; // ascending
    int face;    // of the first body
} crossing;

// The crossing after `last` in the order of bodies, then of faces; false if there is none.
static bool next_crossing(const carom_model *model, const carom_audit *audit, const crossing *last, crossing *next) {
    const int *body = model->surface.body;
    bool found = false;
    for (int64_t i = 0; i < audit->crossings.count; i++) {
        int f = audit->crossings.pairs[i][0], g = audit->crossings.pairs[i][1];
        // In the order of bodies, so that a pair has one name; within a body in the order of faces.
        bool swapped = body[f] > body[g] || (body[f] == body[g] && f > g);
        crossing c = {{swapped ? body[g] : body[f], swapped ? body[f] : body[g]}, swapped ? g : f};
        // Pairs up to the last one have been reported: each call finds the next pair in ascending order.
        if (last && by_bodies(c.body, last->body) <= 0)
            continue;
        int order = found ? by_bodies(c.body, next->body) : -1;
        if (order < 0 || (order == 0 && c.face < next->face))
            *next = c;
        found = true;
    }
    return found;
}

// The shortest translation of the second body along a coordinate axis that separates the bounding boxes of both: returns its
// length, and its direction in `direction`. `possible`: only translations that a scene can express with `gap` added to the
// length; HUGE_VAL: there is none.
static double separate_boxes(const carom_model *model, const int body[2], bool possible, double gap, double direction[3]) {
    double low[2][3], high[2][3], depth = HUGE_VAL;
    for (int side = 0; side < 2; side++) {
        const carom_body *b = &model->bodies[body[side]];
        carom_model_box(model, b->node_begin, b->node_begin + b->node_count, low[side], high[side]);
    }
    for (int i = 0; i < (model->surface.corners == 2 ? 2 : 3); i++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            // Along each axis the boxes can be separated in two directions; the shortest translation of all is reported.
            double overlap = sign > 0 ? high[0][i] - low[1][i] : high[1][i] - low[0][i], axis[3] = {0};
            axis[i] = sign;
            if (overlap >= depth || (possible && !carom_move_of(model, body[1], axis, fmax(overlap, 0) + gap)))
                continue;
            depth = overlap;
            carom_copy(axis, direction);
        }
    return fmax(depth, 0);
}

// True if surfaces of two bodies are tied.
static bool are_tied(const carom_model *model, int a, int b) {
    for (int i = 0; i < model->ties.pair_count; i++) {
        const int *pair = model->ties.pairs[i];
        if ((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a))
            return true;
    }
    return false;
}

// Prints "moving 'high' by [0, 0, 0.126] separates their bounding boxes", with the gap that they need; false if it prints
// another advice.
static bool print_advice(const carom_model *model, const int body[2], char *text, size_t size) {
    text[0] = 0;
    if (are_tied(model, body[0], body[1])) {
        snprintf(text, size, "; these two are tied: extend the tie to all faces that touch");
        return false;
    }
    const char *group = model->bodies[body[0]].group;
    if (group[0] && strcmp(group, model->bodies[body[1]].group) == 0) {
        snprintf(text, size, "; they are copies of the array '%s': choose another `spacing`", group);
        return false;
    }
    // the shorter translation; if both are equal the second body is moved, and a copy of an array only if the other cannot be
    char what[160];
    double shortest = HUGE_VAL;
    bool copied = true;
    for (int side = 1; side >= 0; side--) {
        const int order[2] = {body[!side], body[side]};
        bool copy = model->bodies[order[1]].group[0];
        double direction[3], depth = separate_boxes(model, order, true, gap_of(model), direction);
        if (depth == HUGE_VAL || (copy == copied ? depth >= shortest : copy))
            continue;
        shortest = depth;
        copied = copy;
        carom_move_print(model, order[1], direction, depth + gap_of(model), what, sizeof what);
        snprintf(text, size, "; %s separates their bounding boxes, with the gap of %.3g that they need", what, gap_of(model));
    }
    return shortest < HUGE_VAL;
}

// Number of pairs of faces of two bodies that cross.
static int64_t count_crossings(const carom_model *model, const carom_audit *audit, const int bodies[2]) {
    const int *body = model->surface.body;
    int64_t count = 0;
    for (int64_t i = 0; i < audit->crossings.count; i++) {
        int a = body[audit->crossings.pairs[i][0]], b = body[audit->crossings.pairs[i][1]];
        count += (a == bodies[0] && b == bodies[1]) || (a == bodies[1] && b == bodies[0]);
    }
    return count;
}

// Prints "'low' and 'high' near (0, 0, 1) by up to 0.125 (12 pairs of faces)".
static void print_crossing(const carom_model *model, const carom_audit *audit, const crossing *c, char *text, size_t size) {
    double place[3], direction[3];
    middle_of(model, c->face, place);
    const char *first = model->bodies[c->body[0]].name, *second = model->bodies[c->body[1]].name;
    long long count = count_crossings(model, audit, c->body);
    const char *pairs = count == 1 ? "pair of faces" : "pairs of faces";
    double depth = c->body[0] == c->body[1] ? 0 : separate_boxes(model, c->body, false, 0, direction);
    char deep[32] = "";
    if (depth > 0)
        snprintf(deep, sizeof deep, " by up to %.3g", depth);
    if (c->body[0] == c->body[1])
        snprintf(text, size, "'%s' and itself near (%.4g, %.4g, %.4g) (%lld %s)", first, place[0], place[1], place[2], count,
                 pairs);
    else
        snprintf(text, size, "'%s' and '%s' near (%.4g, %.4g, %.4g)%s (%lld %s)", first, second, place[0], place[1], place[2],
                 deep, count, pairs);
}

static carom_status report_crossings(const carom_model *model, const carom_audit *audit, carom_error *error) {
    char text[512] = "", remedy[320] = "", gap[64] = "", more[64] = "", pass[64 + 2 * CAROM_NAME_MAX] = "";
    crossing last, next;
    int count = 0;
    bool itself = false, paired = false, moved = false;
    while (next_crossing(model, audit, count ? &last : NULL, &next)) {
        size_t used = strlen(text);
        if (count > 0 && count < NAMED_PAIRS)
            used += (size_t)snprintf(text + used, sizeof text - used, ", ");
        if (count < NAMED_PAIRS && used < sizeof text)
            print_crossing(model, audit, &next, text + used, sizeof text - used);
        // one remedy is sufficient: the next run reports the next one
        if (!remedy[0] && next.body[0] != next.body[1])
            moved = print_advice(model, next.body, remedy, sizeof remedy);
        if (!paired && next.body[0] != next.body[1])
            snprintf(pass, sizeof pass, "pairs: [{bodies: [%s, %s], touch: false}]", model->bodies[next.body[0]].name,
                     model->bodies[next.body[1]].name);
        paired = paired || next.body[0] != next.body[1];
        itself = itself || next.body[0] == next.body[1];
        last = next;
        count++;
    }
    // The message names the first few pairs and counts the rest.
    if (count > NAMED_PAIRS)
        snprintf(more, sizeof more, " and %d more pairs of bodies", count - NAMED_PAIRS);
    if (!moved)
        snprintf(gap, sizeof gap, remedy[0] ? ", leave a gap of %.3g" : "; leave a gap of %.3g", gap_of(model));
    return carom_fail(error, CAROM_BAD_INPUT,
                      "surfaces intersect or touch at the start: %s%s%s%s, or disable this contact: contact.%s", text, more,
                      remedy, gap, itself ? "self: false" : pass);
}

static carom_status report_touch(const carom_model *model, const int faces[2], double distance, carom_error *error) {
    const carom_surface *s = &model->surface;
    double place[3];
    middle_of(model, faces[0], place);
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "bodies '%s' and '%s' touch at the start near (%.4g, %.4g, %.4g): their distance of %.3g is %s; "
        "%sleave a gap of %.3g",
        model->bodies[s->body[faces[0]]].name, model->bodies[s->body[faces[1]]].name, place[0], place[1], place[2], distance,
        distance < model->contact.thickness ? "less than contact.thickness" : "lost in rounding",
        are_tied(model, s->body[faces[0]], s->body[faces[1]]) ? "extend the tie to all faces that touch, or " : "",
        gap_of(model));
}

typedef struct box {
    int body;
    int node; // one of its nodes
    double low[3], high[3];
} box;

static int by_low(const void *a_, const void *b_) {
    const box *a = a_, *b = b_;
    if (a->low[0] != b->low[0])
        return a->low[0] < b->low[0] ? -1 : 1;
    return a->body - b->body;
}

// Computes the bounding boxes of all bodies that have a surface; returns how many.
static int find_boxes(const carom_model *model, box *boxes) {
    const carom_surface *s = &model->surface;
    int count = 0;
    for (int v = 0; v < s->vertex_count; v++) {
        int k = s->vertices[v], b = s->node_body[k];
        // nodes are numbered body after body
        if (!count || boxes[count - 1].body != b)
            boxes[count++] = (box){b, k, {HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
        for (int i = 0; i < 3; i++) {
            boxes[count - 1].low[i] = fmin(boxes[count - 1].low[i], model->X[k][i]);
            boxes[count - 1].high[i] = fmax(boxes[count - 1].high[i], model->X[k][i]);
        }
    }
    return count;
}

static bool is_in_box(const box *inner, const box *outer, int axes) {
    for (int i = 0; i < axes; i++)
        if (inner->low[i] < outer->low[i] || inner->high[i] > outer->high[i])
            return false;
    return true;
}

static bool can_touch(const carom_model *model, int a, int b) {
    int body[2] = {a, b};
    return !(model->immovable[a] && model->immovable[b]) && !carom_contact_law_of(&model->laws, body).no_contact;
}

static carom_status check_inside(const carom_model *model, carom_error *error) {
    const carom_surface *s = &model->surface;
    box *boxes = carom_allocate(model->body_count, sizeof *boxes);
    if (!boxes)
        return carom_no_memory(error, "contact");
    int count = find_boxes(model, boxes);
    qsort(boxes, (size_t)count, sizeof *boxes, by_low);
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && !status; i++)
        // Sorted along x: no body that begins later can contain this one.
        for (int j = 0; j < count && !status && boxes[j].low[0] <= boxes[i].low[0]; j++) {
            int inner = boxes[i].body, outer = boxes[j].body;
            // a body that fills a cavity and is tied to it has its nodes on the surface of the other
            if (i == j || !is_in_box(&boxes[i], &boxes[j], s->corners) || s->open[outer] || !model->filled[outer] ||
                !can_touch(model, inner, outer) || are_tied(model, inner, outer) ||
                !carom_surface_encloses(s, outer, (carom_const_vectors)model->X, model->X[boxes[i].node]))
                continue;
            char remedy[256];
            print_advice(model, (const int[2]){outer, inner}, remedy, sizeof remedy);
            status = carom_fail(error, CAROM_BAD_INPUT, "body '%s' is inside body '%s' at the start%s",
                                model->bodies[inner].name, model->bodies[outer].name, remedy);
        }
    free(boxes);
    return status;
}

carom_status carom_model_check_start(carom_model *model, const carom_model_def *def, carom_error *error) {
    (void)def;
    if (!model->surface.face_count)
        return CAROM_OK;
    const double(*X)[3] = (carom_const_vectors)model->X;
    // Crossings first: the distance of two surfaces is a gap only if nothing crosses.
    carom_audit audit;
    int64_t crossings = 0;
    double distance, size = 0;
    int faces[2] = {0};
    carom_status status = carom_audit_create(&model->surface, &model->exclusions, model->immovable, &audit, error);
    if (!status)
        status = carom_surface_intersections(&audit, X, &crossings, error);
    if (!status && crossings)
        status = report_crossings(model, &audit, error);
    for (int k = 0; k < model->node_count; k++)
        size = fmax(size, carom_norm(X[k]));
    double thickness = model->contact.thickness, layer = gap_of(model) - thickness;
    double touching = thickness + zero_gap * layer + 16 * DBL_EPSILON * size, most = nextafter(touching, HUGE_VAL);
    // larger distances do not matter
    if (!status)
        status = carom_surface_distance(&audit, X, most, &distance, faces, error);
    if (!status && distance <= touching)
        status = report_touch(model, faces, distance, error);
    carom_audit_release(&audit);
    return status ? status : check_inside(model, error);
}
