// SPDX-License-Identifier: MIT
// Bounds how far near vertices have moved relative to each other since pairs were listed (list_validity.h). A group is the
// vertices of one body in one cell of a grid. The displacements of the vertices of a group lie in a box. The boxes of two near
// groups bound the relative motion of their vertices: with the boxes [a, b] and [c, d] these have moved relative to each other
// by at most max(b - c, d - a) in each component. During straight motion the difference of two displacements is linear in time,
// so its length is largest at an end.
//
// A rigid motion of a body changes no distance within it: any rigid motion may be subtracted from the displacements of its
// vertices. The frame is moved only if the motion in the old one is too large. Its rotation is the one closest to A = sum (x -
// c) x0^T, found by rotations about
//     omega = sum_i r_i x a_i / |sum_i r_i.a_i|,   r_i, a_i the columns of the rotation and of A
// (M. Mueller, J. Bender, N. Chentanez, M. Macklin: A robust method to extract the rotational part of
// deformations. Motion in Games 2016).
#include "contact/broad/list_validity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/mat3.h"
#include "math/vec3.h"

enum {
    MOST_CELLS = 1000,        // along an axis; numbered from 1, so that each cell has neighbours on both sides
    AXIS_BITS = 10,           // of a cell number along one axis
    BODY_BITS = 31,           // of a body, in the lower bits of a code
    PARALLEL_VERTICES = 4096, // least number for threads: about 15 ns per vertex, and about 50 us to wake 16 threads
    LIGHT_VERTICES = 32768,   // the same for loops of about 2 ns per vertex
    PARALLEL_LINKS = 4096,    // the same for links of one pair of bodies
    FEW_GROUPS = 8, // a body with at most this many is hardly larger than a cell: all its groups are near those of another
    TURNS = 20      // iterations for the rotation; any result is valid, a poor one only causes earlier searches
};

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the pairs of contact");
}

// Allocates memory for `count` vertices; the caller sets `nodes`.
static carom_status ensure_capacity(const carom_surface *surface, int body, int count, carom_wear *wear, carom_error *error) {
    *wear = (carom_wear){.surface = surface, .body = body, .count = count};
    int bodies = body == CAROM_WEAR_BETWEEN ? surface->body_count : 0;
    wear->begin = carom_allocate((int64_t)count + 1, sizeof *wear->begin);
    wear->group_body = carom_allocate(count, sizeof *wear->group_body);
    wear->box = carom_allocate(count, sizeof *wear->box);
    wear->nodes = carom_allocate(count, sizeof *wear->nodes);
    wear->x = carom_allocate(count, sizeof *wear->x);
    wear->codes = carom_allocate(count, sizeof *wear->codes);
    wear->space = carom_allocate(count, sizeof *wear->space);
    wear->body_groups = carom_allocate(bodies, sizeof *wear->body_groups);
    wear->body_box = carom_allocate(bodies, sizeof *wear->body_box);
    wear->body_place = carom_allocate(bodies, sizeof *wear->body_place);
    if (wear->begin && wear->group_body && wear->box && wear->nodes && wear->x && wear->codes && wear->space &&
        wear->body_groups && wear->body_box && wear->body_place)
        return CAROM_OK;
    carom_wear_release(wear);
    return no_memory(error);
}

carom_status carom_wear_create_between(const carom_surface *surface, carom_wear *wear, carom_error *error) {
    carom_status status = ensure_capacity(surface, CAROM_WEAR_BETWEEN, surface->vertex_count, wear, error);
    for (int v = 0; v < surface->vertex_count && !status; v++)
        wear->nodes[v] = surface->vertices[v];
    return status;
}

// Two passes over all vertices instead of one per body: there may be thousands of bodies.
carom_status carom_wear_create_within(const carom_surface *surface, const bool *wanted, carom_wear *wears, carom_error *error) {
    int *listed = carom_allocate(surface->body_count, sizeof *listed);
    carom_status status = listed ? CAROM_OK : no_memory(error);
    for (int v = 0; v < surface->vertex_count && !status; v++)
        listed[surface->node_body[surface->vertices[v]]]++;
    for (int b = 0; b < surface->body_count && !status; b++) {
        // a body without faces does not meet itself
        bool meets = !surface->thin[b] && (!wanted || wanted[b]);
        status = meets ? ensure_capacity(surface, b, listed[b], &wears[b], error) : CAROM_OK;
        listed[b] = 0;
    }
    for (int v = 0; v < surface->vertex_count && !status; v++) {
        int node = surface->vertices[v], body = surface->node_body[node];
        if (wears[body].nodes)
            wears[body].nodes[listed[body]++] = node;
    }
    free(listed);
    return status;
}

void carom_wear_release(carom_wear *wear) {
    void *const arrays[] = {wear->begin,      wear->group_body, wear->box,   wear->body_groups, wear->body_box,
                            wear->body_place, wear->links,      wear->pairs, wear->link_codes,  wear->link_space,
                            wear->found,      wear->nodes,      wear->x,     wear->codes,       wear->space};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    *wear = (carom_wear){0};
}

// A box is its lower corner followed by its upper corner.
static inline void clear_box(double box[6]) {
    for (int i = 0; i < 3; i++)
        box[i] = HUGE_VAL, box[3 + i] = -HUGE_VAL;
}

static inline void extend_box(const double from[3], const double to[3], double box[6]) {
    for (int i = 0; i < 3; i++) {
        box[i] = from[i] < box[i] ? from[i] : box[i];
        box[3 + i] = to[i] > box[3 + i] ? to[i] : box[3 + i];
    }
}

// Square of the largest difference between a point of one box and a point of the other; 0 if one is empty.
static inline double largest_square(const double a[6], const double b[6]) {
    double square = 0;
    for (int i = 0; i < 3; i++) {
        double up = a[3 + i] - b[i], down = b[3 + i] - a[i], d = up > down ? up : down;
        square += d > 0 ? d * d : 0;
    }
    return square;
}

static inline double larger(double a, double b) {
    return a > b ? a : b;
}

// Cells in lexicographic order, bodies within a cell.
static uint64_t code_of(int i, int j, int k, int body) {
    return ((((uint64_t)i << AXIS_BITS | (uint64_t)j) << AXIS_BITS | (uint64_t)k) << BODY_BITS) | (uint64_t)body;
}

// The first group whose code is not below `code`, by bisection.
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

// Allocates the links and their codes.
static bool reserve_links(carom_wear *wear, int count) {
    if (count <= wear->link_capacity)
        return true;
    free(wear->links);
    free(wear->link_codes);
    free(wear->link_space);
    wear->link_capacity = count + count / 2;
    wear->links = carom_allocate(wear->link_capacity, sizeof *wear->links);
    wear->link_codes = carom_allocate(wear->link_capacity, sizeof *wear->link_codes);
    wear->link_space = carom_allocate(wear->link_capacity, sizeof *wear->link_space);
    if (wear->links && wear->link_codes && wear->link_space)
        return true;
    wear->link_capacity = 0;
    return false;
}

// Sorts the links by pairs of bodies; each run of equal codes is a pair. One more entry ends the last run.
static bool sort_links(carom_wear *wear, int count) {
    if (!reserve_links(wear, count))
        return false;
    for (int i = 0; i < count; i++) {
        int a = wear->group_body[wear->found[i][0]], b = wear->group_body[wear->found[i][1]];
        wear->link_codes[i] = (carom_coded){carom_body_pair_key(a, b), i};
    }
    carom_sort_coded(wear->link_codes, wear->link_space, count);
    wear->pair_count = 0;
    for (int i = 0; i <= count; i++) {
        if (i < count)
            memcpy(wear->links[i], wear->found[wear->link_codes[i].item], sizeof *wear->links);
        if (i > 0 && i < count && wear->link_codes[i].code == wear->link_codes[i - 1].code)
            continue;
        carom_wear_pair *pairs = carom_grow(wear->pairs, wear->pair_count, &wear->pair_capacity, sizeof *pairs);
        if (!pairs)
            return false;
        wear->pairs = pairs;
        // a new pair of bodies begins here
        pairs[wear->pair_count++] = (carom_wear_pair){.link_begin = i};
        if (i < count)
            carom_body_pair_bodies(wear->link_codes[i].code, pairs[wear->pair_count - 1].body);
    }
    // the last entry only ends the links
    wear->pair_count--;
    return true;
}

// Square of the distance between two boxes.
static inline double square_between(const double a[6], const double b[6]) {
    double square = 0;
    for (int i = 0; i < 3; i++) {
        double up = a[i] - b[3 + i], down = b[i] - a[3 + i], d = up > down ? up : down;
        square += d > 0 ? d * d : 0;
    }
    return square;
}

// True if the boxes of two bodies were so distant that none of their vertices are near, even in adjacent cells. In heaps of
// small bodies, with cells twice as large as a body, this excludes most pairs. The factor covers rounding.
static inline bool are_distant(const carom_wear *wear, int a, int b) {
    double far = (1 + 1e-9) * (wear->cell - 2 * wear->side);
    return square_between(wear->body_place[a], wear->body_place[b]) > far * far;
}

// Links near groups. The 27 neighbouring cells are nine columns along the last axis, and a column has
// consecutive codes.
static bool link_groups(carom_wear *wear) {
    int count = 0, mask = (1 << AXIS_BITS) - 1;
    bool between = wear->body == CAROM_WEAR_BETWEEN;
    for (int g = 0; g < wear->group_count; g++) {
        uint64_t cell = wear->codes[wear->begin[g]].code >> BODY_BITS;
        int i = (int)(cell >> 2 * AXIS_BITS), j = (int)(cell >> AXIS_BITS) & mask, k = (int)cell & mask;
        for (int column = 0; column < 9; column++) {
            int p = i - 1 + column / 3, q = j - 1 + column % 3;
            // codes of one column: from k - 1 to k + 1, all bodies
            uint64_t end = code_of(p, q, k + 2, 0);
            for (int o = first_group(wear, code_of(p, q, k - 1, 0)); o < wear->group_count; o++) {
                if (wear->codes[wear->begin[o]].code >= end)
                    break;
                if (o < g || (wear->group_body[o] == wear->group_body[g]) == between ||
                    (between && are_distant(wear, wear->group_body[g], wear->group_body[o])))
                    continue;
                // each link once: the smaller group first
                int(*found)[2] = carom_grow(wear->found, count, &wear->found_capacity, sizeof *found);
                if (!found)
                    return false;
                wear->found = found;
                found[count][0] = g;
                found[count++][1] = o;
            }
        }
    }
    return sort_links(wear, count);
}

// Largest side of the faces of these vertices.
static double largest_side(const carom_wear *wear, const double (*x)[3]) {
    const carom_surface *s = wear->surface;
    double square = 0;
#pragma omp parallel for schedule(static) reduction(max : square) if (wear->count > PARALLEL_VERTICES)
    for (int v = 0; v < wear->count; v++) {
        int node = wear->nodes[v];
        for (int n = s->node_faces_begin[node]; n < s->node_faces_begin[node + 1]; n++) {
            const int *face = s->faces[s->node_faces[n]];
            // each face is visited at its first corner only
            for (int i = 0; i < s->corners && face[0] == node; i++) {
                double side[3];
                carom_difference(x[face[(i + 1) % s->corners]], x[face[i]], side);
                square = larger(square, carom_dot(side, side));
            }
        }
    }
    return sqrt(square);
}

void carom_wear_centre(const int *nodes, int count, const double (*x)[3], double centre[3]) {
    double sum[3] = {0};
    for (int v = 0; v < count; v++)
        carom_add_scaled(1, x[nodes[v]], sum);
    for (int i = 0; i < 3; i++)
        centre[i] = count ? sum[i] / count : 0;
}

// The groups of each body, and the box around its vertices.
static void measure_bodies(carom_wear *wear) {
    if (wear->body != CAROM_WEAR_BETWEEN)
        return;
    for (int b = 0; b < wear->surface->body_count; b++) {
        wear->body_groups[b] = 0;
        clear_box(wear->body_place[b]);
    }
    for (int g = 0; g < wear->group_count; g++) {
        int body = wear->group_body[g];
        wear->body_groups[body]++;
        for (int v = wear->begin[g]; v < wear->begin[g + 1]; v++)
            extend_box(wear->x[v], wear->x[v], wear->body_place[body]);
    }
}

carom_status carom_wear_start(carom_wear *wear, const double (*x)[3], double far, carom_error *error) {
    const carom_surface *s = wear->surface;
    double box[6], start[3] = {0};
    clear_box(box);
    for (int v = 0; v < wear->count; v++)
        extend_box(x[wear->nodes[v]], x[wear->nodes[v]], box);
    wear->side = largest_side(wear, x);
    // faces of vertices in cells that are not adjacent then have a distance larger than `far`
    double cell = far + 2 * wear->side;
    for (int i = 0; i < 3; i++)
        cell = larger(cell, (box[3 + i] - box[i]) / MOST_CELLS);
    wear->cell = cell;

#pragma omp parallel for schedule(static) if (wear->count > PARALLEL_VERTICES)
    for (int v = 0; v < wear->count; v++) {
        // sort the vertices by cell and body
        int node = wear->nodes[v], at[3] = {1, 1, 1};
        for (int i = 0; i < 3 && cell > 0; i++)
            at[i] = 1 + (int)((x[node][i] - box[i]) / cell);
        wear->codes[v] = (carom_coded){code_of(at[0], at[1], at[2], s->node_body[node]), node};
    }
    carom_sort_coded(wear->codes, wear->space, wear->count);
    // the frame starts at the centre of the body, without rotation
    carom_mat3_identity(wear->turn);
    if (wear->body != CAROM_WEAR_BETWEEN)
        carom_wear_centre(wear->nodes, wear->count, x, start);
    carom_copy(start, wear->centre);
    wear->group_count = 0;
    wear->far_before = 0;
    for (int v = 0; v < wear->count; v++) {
        wear->nodes[v] = wear->codes[v].item;
        carom_difference(x[wear->nodes[v]], start, wear->x[v]);
        if (v == 0 || wear->codes[v].code != wear->codes[v - 1].code) {
            wear->group_body[wear->group_count] = s->node_body[wear->nodes[v]];
            wear->begin[wear->group_count++] = v;
        }
    }
    wear->begin[wear->group_count] = wear->count;
    measure_bodies(wear);
    if (link_groups(wear))
        return CAROM_OK;
    wear->group_count = 0;
    return no_memory(error);
}

// The displacement boxes of one group, now and at the end of the drift. Returns NaN if something is not
// finite, else 0.
static double bound_group(carom_wear *wear, int g, const double (*x)[3], const double (*w)[3], double h) {
    bool framed = wear->body != CAROM_WEAR_BETWEEN;
    const double(*turn)[3] = (carom_const_vectors)wear->turn, *centre = wear->centre;
    double now[6], then[6], spoilt = 0;
    clear_box(now);
    clear_box(then);
    for (int v = wear->begin[g]; v < wear->begin[g + 1]; v++) {
        const double *from = wear->x[v], *at = x[wear->nodes[v]], *u = w[wear->nodes[v]];
        // displacements now and at the end of the drift
        double d[3], e[3];
        if (framed) {
            double r[3], s[3];
            // displacement in the frame of the body: R^T (x - c) - x0
            carom_difference(at, centre, r);
            carom_mat3_apply_transposed(turn, r, s);
            carom_difference(s, from, d);
            carom_mat3_apply_transposed(turn, u, e);
        } else {
            carom_difference(at, from, d);
            carom_copy(u, e);
        }
        for (int i = 0; i < 3; i++)
            e[i] = d[i] + h * e[i];
        extend_box(d, d, now);
        extend_box(e, e, then);
        // zero times NaN or infinity is NaN
        spoilt += 0 * (e[0] + e[1] + e[2]);
    }
    memcpy(wear->box[g], now, sizeof now);
    memcpy(wear->box[g] + 6, then, sizeof then);
    return spoilt;
}

// The displacement boxes of whole bodies.
static void bound_bodies(carom_wear *wear) {
    if (wear->body != CAROM_WEAR_BETWEEN)
        return;
    for (int b = 0; b < wear->surface->body_count; b++) {
        clear_box(wear->body_box[b]);
        clear_box(wear->body_box[b] + 6);
    }
    for (int g = 0; g < wear->group_count; g++)
        for (int end = 0; end < 2; end++)
            extend_box(wear->box[g] + 6 * end, wear->box[g] + 6 * end + 3, wear->body_box[wear->group_body[g]] + 6 * end);
}

// Bound of the relative motion of any two vertices, from the box of all displacements.
static double far_motion(const carom_wear *wear) {
    bool between = wear->body == CAROM_WEAR_BETWEEN;
    if (between && wear->surface->body_count < 2)
        return 0;
    double square = 0;
    for (int end = 0; end < 2; end++) {
        double all[6];
        clear_box(all);
        for (int i = 0; i < (between ? wear->surface->body_count : wear->group_count); i++) {
            const double *box = (between ? wear->body_box[i] : wear->box[i]) + 6 * end;
            extend_box(box, box + 3, all);
        }
        square = larger(square, largest_square(all, all));
    }
    return sqrt(square);
}

// Square of the largest relative motion between two groups, or two bodies, with these boxes.
static inline double square_of(const double a[12], const double b[12]) {
    return larger(largest_square(a, b), largest_square(a + 6, b + 6));
}

// The same for the groups of a link.
static inline double square_of_link(const carom_wear *wear, int i) {
    return square_of(wear->box[wear->links[i][0]], wear->box[wear->links[i][1]]);
}

// True if the boxes of two whole bodies give as good a bound as those of all their links: both have few groups.
static bool are_small(const carom_wear *wear, const carom_wear_pair *pair) {
    return wear->body == CAROM_WEAR_BETWEEN && wear->body_groups[pair->body[0]] <= FEW_GROUPS &&
           wear->body_groups[pair->body[1]] <= FEW_GROUPS;
}

static int links_of(const carom_wear_pair *pair) {
    return pair[1].link_begin - pair->link_begin;
}

// Sets the motion of a pair of bodies and returns it. `shared`: by all threads.
static double bound_pair(const carom_wear *wear, carom_wear_pair *pair, bool shared) {
    double square = 0;
    if (are_small(wear, pair)) {
        square = square_of(wear->body_box[pair->body[0]], wear->body_box[pair->body[1]]);
    } else if (!shared) {
        for (int i = pair->link_begin; i < pair[1].link_begin; i++)
            square = larger(square, square_of_link(wear, i));
    } else {
#pragma omp parallel for schedule(static) reduction(max : square)
        for (int i = pair->link_begin; i < pair[1].link_begin; i++)
            square = larger(square, square_of_link(wear, i));
    }
    return pair->motion = pair->before + sqrt(square);
}

// Sets the boxes of all groups; returns 0, or NaN if something is not finite. Small bodies, of which there may be thousands,
// enter no parallel region, which costs a system call even for one thread.
static double bound_groups(carom_wear *wear, const double (*x)[3], const double (*w)[3], double h) {
    double spoilt = 0;
    if (wear->count <= PARALLEL_VERTICES) {
        for (int g = 0; g < wear->group_count; g++)
            spoilt += bound_group(wear, g, x, w, h);
        return spoilt;
    }
#pragma omp parallel for schedule(static) reduction(+ : spoilt)
    for (int g = 0; g < wear->group_count; g++)
        spoilt += bound_group(wear, g, x, w, h);
    return spoilt;
}

// The largest motion of linked groups. Pairs of bodies are independent, and maxima are exact.
static double bound_pairs(const carom_wear *wear) {
    bool many = wear->count > PARALLEL_VERTICES;
    double most = 0;
    int left = 0;
    for (int p = 0; p < wear->pair_count; p++) {
        bool large = many && links_of(&wear->pairs[p]) > PARALLEL_LINKS;
        if (large || !many)
            most = larger(most, bound_pair(wear, &wear->pairs[p], large));
        else
            left += links_of(&wear->pairs[p]);
    }
    // the remaining pairs are few if there are few bodies
    if (!left)
        return most;
#pragma omp parallel for schedule(static) reduction(max : most) if (left > PARALLEL_LINKS)
    for (int p = 0; p < wear->pair_count; p++)
        if (links_of(&wear->pairs[p]) <= PARALLEL_LINKS)
            most = larger(most, bound_pair(wear, &wear->pairs[p], false));
    return most;
}

carom_wear_motion carom_wear_of(carom_wear *wear, const double (*x)[3], const double (*w)[3], double h) {
    const carom_wear_motion infinite = {HUGE_VAL, HUGE_VAL};
    // not started
    if (wear->group_count == 0 && wear->count > 0)
        return infinite;
    double spoilt = bound_groups(wear, x, w, h);
    bound_bodies(wear);
    double near = bound_pairs(wear);
    return spoilt == 0 ? (carom_wear_motion){near, wear->far_before + far_motion(wear)} : infinite;
}

// Bounds add up: motion before x plus motion since x.
void carom_wear_pause(carom_wear *wear, const double (*x)[3], const double (*w)[3]) {
    // bounds up to here are added to the motion that follows
    wear->far_before = carom_wear_of(wear, x, w, 0).far;
    for (int p = 0; p < wear->pair_count; p++)
        wear->pairs[p].before = wear->pairs[p].motion;
#pragma omp parallel for schedule(static) if (wear->count > LIGHT_VERTICES)
    for (int v = 0; v < wear->count; v++)
        carom_copy(x[wear->nodes[v]], wear->x[v]);
}

bool carom_wear_find_frame(const int *nodes, int count, const double (*x)[3], const double (*x0)[3], int turns,
                           double centre[3], double turn[3][3]) {
    // A = sum (x - c) x0^T
    double A[3][3] = {{0}};
    carom_wear_centre(nodes, count, x, centre);
    for (int v = 0; v < count; v++) {
        double r[3];
        carom_difference(x[nodes[v]], centre, r);
        for (int i = 0; i < 3; i++)
            carom_add_scaled(r[i], x0[v], A[i]);
    }
    return carom_mat3_fit_rotation((carom_const_vectors)A, turns, turn);
}

// The frame may be inaccurate: a poor one only causes earlier searches.
void carom_wear_fit_frame(carom_wear *wear, const double (*x)[3]) {
    double centre[3], turn[3][3];
    carom_mat3_copy(wear->turn, turn);
    bool good = carom_wear_find_frame(wear->nodes, wear->count, x, (carom_const_vectors)wear->x, TURNS, centre, turn);
    if (!good || !isfinite(centre[0] + centre[1] + centre[2]))
        return;
    carom_mat3_copy(turn, wear->turn);
    carom_copy(centre, wear->centre);
}

double carom_wear_speed(const carom_wear *wear, const double (*w)[3]) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, spoilt = 0;
    // minima and maxima are exact, and the sum is 0 or NaN
#pragma omp parallel for schedule(static) reduction(min : low[:3]) reduction(max : high[:3]) reduction(+ : spoilt) \
    if (wear->count > LIGHT_VERTICES)
    for (int v = 0; v < wear->count; v++) {
        const double *u = w[wear->nodes[v]];
        spoilt += 0 * (u[0] + u[1] + u[2]);
        for (int i = 0; i < 3; i++) {
            low[i] = u[i] < low[i] ? u[i] : low[i];
            high[i] = u[i] > high[i] ? u[i] : high[i];
        }
    }
    const double box[6] = {low[0], low[1], low[2], high[0], high[1], high[2]};
    if (spoilt != 0)
        return HUGE_VAL;
    return wear->body == CAROM_WEAR_BETWEEN && wear->surface->body_count < 2 ? 0 : sqrt(largest_square(box, box));
}
