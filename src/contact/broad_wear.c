// SPDX-License-Identifier: MIT
// Displacements are bounded by boxes: of each group, then of each two groups that are near. Two vertices of groups with the boxes
// [a, b] and [c, d] have moved against each other by at most max(b - c, d - a) in each component. During straight flight the
// difference of two displacements is linear in time, and its length largest at an end.
#include "contact/broad_wear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"

// Cells are numbered from 1 along each axis, in 10 bits, so that each has neighbours; the body takes the 31 bits below.
enum { MOST_CELLS = 1000, AXIS_BITS = 10, BODY_BITS = 31, PARALLEL_VERTICES = 8192 };

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the wear of the pairs of contact");
}

carom_status carom_wear_create(const carom_surface *surface, bool between, carom_wear *wear, carom_error *error) {
    int n = surface->vertex_count;
    *wear = (carom_wear){.surface = surface, .between = between};
    wear->begin = carom_allocate((int64_t)n + 1, sizeof *wear->begin);
    wear->body = carom_allocate(n, sizeof *wear->body);
    wear->low = carom_allocate(n, sizeof *wear->low);
    wear->high = carom_allocate(n, sizeof *wear->high);
    wear->link_begin = carom_allocate((int64_t)n + 1, sizeof *wear->link_begin);
    wear->nodes = carom_allocate(n, sizeof *wear->nodes);
    wear->x = carom_allocate(n, sizeof *wear->x);
    wear->codes = carom_allocate(n, sizeof *wear->codes);
    wear->space = carom_allocate(n, sizeof *wear->space);
    wear->body_low = carom_allocate(surface->body_count, sizeof *wear->body_low);
    wear->body_high = carom_allocate(surface->body_count, sizeof *wear->body_high);
    if (wear->begin && wear->body && wear->low && wear->high && wear->link_begin && wear->nodes && wear->x && wear->codes &&
        wear->space && wear->body_low && wear->body_high)
        return CAROM_OK;
    carom_wear_release(wear);
    return no_memory(error);
}

void carom_wear_release(carom_wear *wear) {
    free(wear->begin);
    free(wear->body);
    free(wear->low);
    free(wear->high);
    free(wear->link_begin);
    free(wear->links);
    free(wear->nodes);
    free(wear->x);
    free(wear->codes);
    free(wear->space);
    free(wear->body_low);
    free(wear->body_high);
    *wear = (carom_wear){0};
}

// ---- boxes ----

static void clear_box(double low[3], double high[3]) {
    for (int i = 0; i < 3; i++)
        low[i] = HUGE_VAL, high[i] = -HUGE_VAL;
}

static inline void extend_box(const double from[3], const double to[3], double low[3], double high[3]) {
    for (int i = 0; i < 3; i++) {
        low[i] = from[i] < low[i] ? from[i] : low[i];
        high[i] = to[i] > high[i] ? to[i] : high[i];
    }
}

// The square of the largest difference of a point of the one box and one of the other; 0 if one is empty.
static inline double largest_square(const double low[3], const double high[3], const double low1[3], const double high1[3]) {
    double square = 0;
    for (int i = 0; i < 3; i++) {
        double up = high[i] - low1[i], down = high1[i] - low[i], d = up > down ? up : down;
        square += d > 0 ? d * d : 0;
    }
    return square;
}

// The boxes of groups have been found: those of bodies, or of all, give the square of the largest difference.
static double far_square(carom_wear *wear) {
    int bodies = wear->surface->body_count;
    double square = 0;
    if (wear->between && bodies < 2)
        return 0;
    for (int b = 0; b < bodies; b++)
        clear_box(wear->body_low[b], wear->body_high[b]);
    for (int g = 0; g < wear->group_count; g++) {
        int b = wear->between ? 0 : wear->body[g];
        extend_box(wear->low[g], wear->high[g], wear->body_low[b], wear->body_high[b]);
    }
    for (int b = 0; b < (wear->between ? 1 : bodies); b++)
        square = fmax(square, largest_square(wear->body_low[b], wear->body_high[b], wear->body_low[b], wear->body_high[b]));
    return square;
}

// ---- groups ----

static uint64_t code_of(int i, int j, int k, int body) {
    return ((((uint64_t)i << AXIS_BITS | (uint64_t)j) << AXIS_BITS | (uint64_t)k) << BODY_BITS) | (uint64_t)body;
}

// The first group whose code is not below this one.
static int first_group(const carom_wear *wear, uint64_t code) {
    int low = 0, high = wear->group_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (wear->codes[wear->begin[middle]].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The near groups of each that count; columns of cells along the last axis have neighbouring codes.
static bool link_groups(carom_wear *wear) {
    int count = 0, mask = (1 << AXIS_BITS) - 1;
    for (int g = 0; g < wear->group_count; g++) {
        wear->link_begin[g] = count;
        uint64_t cell = wear->codes[wear->begin[g]].code >> BODY_BITS;
        int i = (int)(cell >> 2 * AXIS_BITS), j = (int)(cell >> AXIS_BITS) & mask, k = (int)cell & mask;
        for (int column = 0; column < 9; column++) {
            int p = i - 1 + column / 3, q = j - 1 + column % 3;
            uint64_t end = code_of(p, q, k + 2, 0);
            for (int o = first_group(wear, code_of(p, q, k - 1, 0)); o < wear->group_count; o++) {
                if (wear->codes[wear->begin[o]].code >= end)
                    break;
                if (o < g || (wear->body[o] == wear->body[g]) == wear->between)
                    continue;
                int *links = carom_grow(wear->links, count, &wear->link_capacity, sizeof *links);
                if (!links)
                    return false;
                wear->links = links;
                links[count++] = o;
            }
        }
    }
    wear->link_begin[wear->group_count] = count;
    return true;
}

static double largest_side(const carom_surface *s, const double (*x)[3]) {
    double square = 0;
    for (int f = 0; f < s->face_count; f++)
        for (int i = 0; i < s->corners; i++) {
            double side[3];
            carom_difference(x[s->faces[f][(i + 1) % s->corners]], x[s->faces[f][i]], side);
            square = fmax(square, carom_dot(side, side));
        }
    return sqrt(square);
}

carom_status carom_wear_start(carom_wear *wear, const double (*x)[3], double room, carom_error *error) {
    const carom_surface *s = wear->surface;
    double low[3], high[3];
    clear_box(low, high);
    for (int v = 0; v < s->vertex_count; v++)
        extend_box(x[s->vertices[v]], x[s->vertices[v]], low, high);
    wear->side = largest_side(s, x);
    double cell = room + 2 * wear->side;
    for (int i = 0; i < 3; i++)
        cell = fmax(cell, (high[i] - low[i]) / MOST_CELLS);
    wear->cell = cell;

    // in the order of cells and bodies
    for (int v = 0; v < s->vertex_count; v++) {
        int node = s->vertices[v], at[3] = {1, 1, 1};
        for (int i = 0; i < 3 && cell > 0; i++)
            at[i] = 1 + (int)((x[node][i] - low[i]) / cell);
        wear->codes[v] = (carom_coded){code_of(at[0], at[1], at[2], s->node_body[node]), node};
    }
    carom_sort_coded(wear->codes, wear->space, s->vertex_count);
    wear->group_count = 0;
    for (int v = 0; v < s->vertex_count; v++) {
        wear->nodes[v] = wear->codes[v].item;
        carom_copy(x[wear->nodes[v]], wear->x[v]);
        if (v == 0 || wear->codes[v].code != wear->codes[v - 1].code) {
            wear->body[wear->group_count] = s->node_body[wear->nodes[v]];
            wear->begin[wear->group_count++] = v;
        }
    }
    wear->begin[wear->group_count] = s->vertex_count;
    if (link_groups(wear))
        return CAROM_OK;
    wear->group_count = 0;
    return no_memory(error);
}

// ---- motion ----

// The same at one end of the drift.
static carom_wear_motion motion_at(carom_wear *wear, const double (*x)[3], const double (*w)[3], double h) {
    int lost = 0;
    double near = 0;
#pragma omp parallel for schedule(static) reduction(| : lost) if (wear->surface->vertex_count > PARALLEL_VERTICES)
    for (int g = 0; g < wear->group_count; g++) {
        double low[3], high[3];
        clear_box(low, high);
        for (int v = wear->begin[g]; v < wear->begin[g + 1]; v++) {
            const double *from = wear->x[v], *to = x[wear->nodes[v]], *u = w[wear->nodes[v]];
            const double d[3] = {to[0] - from[0] + h * u[0], to[1] - from[1] + h * u[1], to[2] - from[2] + h * u[2]};
            extend_box(d, d, low, high);
            lost |= !isfinite(d[0] + d[1] + d[2]);
        }
        carom_copy(low, wear->low[g]);
        carom_copy(high, wear->high[g]);
    }
#pragma omp parallel for schedule(static) reduction(max : near) if (wear->surface->vertex_count > PARALLEL_VERTICES)
    for (int g = 0; g < wear->group_count; g++)
        for (int i = wear->link_begin[g]; i < wear->link_begin[g + 1]; i++) {
            int o = wear->links[i];
            near = fmax(near, largest_square(wear->low[g], wear->high[g], wear->low[o], wear->high[o]));
        }
    return lost ? (carom_wear_motion){HUGE_VAL, HUGE_VAL} : (carom_wear_motion){sqrt(near), sqrt(far_square(wear))};
}

carom_wear_motion carom_wear_of(carom_wear *wear, const double (*x)[3], const double (*w)[3], double h) {
    if (wear->group_count == 0 && wear->surface->vertex_count > 0)
        return (carom_wear_motion){HUGE_VAL, HUGE_VAL};
    carom_wear_motion now = motion_at(wear, x, w, 0), then = motion_at(wear, x, w, h);
    return (carom_wear_motion){fmax(now.near, then.near), fmax(now.far, then.far)};
}

double carom_wear_speed(carom_wear *wear, const double (*w)[3]) {
    const carom_surface *s = wear->surface;
    int bodies = s->body_count;
    double square = 0;
    for (int b = 0; b < bodies; b++)
        clear_box(wear->body_low[b], wear->body_high[b]);
    for (int v = 0; v < s->vertex_count; v++) {
        const double *u = w[s->vertices[v]];
        if (!isfinite(u[0] + u[1] + u[2]))
            return HUGE_VAL;
        int b = wear->between ? 0 : s->node_body[s->vertices[v]];
        extend_box(u, u, wear->body_low[b], wear->body_high[b]);
    }
    if (wear->between && bodies < 2)
        return 0;
    for (int b = 0; b < (wear->between ? 1 : bodies); b++)
        square = fmax(square, largest_square(wear->body_low[b], wear->body_high[b], wear->body_low[b], wear->body_high[b]));
    return sqrt(square);
}
