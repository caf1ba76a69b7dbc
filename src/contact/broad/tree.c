// SPDX-License-Identifier: MIT
// Builds the tree of bounding boxes over the faces of a surface, and fits the boxes to positions (tree.h). A point x is mapped
// to s (x - c), within [-1, 1] when the map is made and within [-LIMIT, LIMIT] as long as it is kept. The mapping is monotone,
// so it preserves order; rounding to single precision moves a bound by at most 2^-24 LIMIT, and boxes are enlarged by SLACK,
// which exceeds this and the rounding of adding it.
#include "contact/broad/tree.h"

#include <math.h>
#include <stdlib.h>

#include "base/sort.h"

// Mapped coordinates may leave [-1, 1] up to this before the map is renewed.
#define LIMIT 2.0f
// Enlargement of boxes against rounding, see above.
#define SLACK 0x1p-22f
// Bounds of an empty box: lower = NOWHERE, upper = -NOWHERE overlap nothing.
#define NOWHERE 1e30f

// Factor by which the area of the boxes may grow before the faces are sorted again; measured in docs/theory/broad_phase.md.
#define LOOSE 1.5

// With fewer faces than PARALLEL_FACES (about 3 ns each), waking threads costs more than it saves. AREAS: portions of the
// sum of box areas.
enum { LANES = CAROM_TREE_WIDTH, PARALLEL_FACES = 16384, AREAS = 64 };

// Numbers the blocks level by level, from the faces up to the root.
static void lay_out_levels(carom_tree *t, int face_count) {
    t->level_count = 0;
    t->level_begin[0] = 0;
    for (int boxes = face_count; boxes > 0;) {
        int blocks = (boxes + LANES - 1) / LANES;
        t->level_begin[t->level_count + 1] = t->level_begin[t->level_count] + blocks;
        t->level_count++;
        boxes = blocks > 1 ? blocks : 0;
    }
}

// Memory from an arena is aligned for vector loads of boxes and positions.
carom_status carom_tree_create(const carom_surface *surface, carom_tree *tree, carom_error *error) {
    *tree = (carom_tree){.surface = surface};
    lay_out_levels(tree, surface->face_count);
    int64_t blocks = tree->level_begin[tree->level_count];
    int64_t places = tree->level_count ? (int64_t)tree->level_begin[1] * LANES : 0;
    // codes are used to sort bodies, then faces
    int bodies = surface->body_count, codes = surface->face_count > bodies ? surface->face_count : bodies;
    carom_arena *arena = tree->arena = carom_arena_create();
    bool enough = arena;
    tree->boxes = carom_arena_reserve(arena, blocks, sizeof *tree->boxes, &enough);
    tree->tags = carom_arena_reserve(arena, blocks, sizeof *tree->tags, &enough);
    tree->order = carom_arena_reserve(arena, places, sizeof *tree->order, &enough);
    tree->corners = carom_arena_reserve(arena, places, sizeof *tree->corners, &enough);
    tree->lower = carom_arena_reserve(arena, surface->vertex_count, sizeof *tree->lower, &enough);
    tree->upper = carom_arena_reserve(arena, surface->vertex_count, sizeof *tree->upper, &enough);
    tree->vertex = carom_arena_reserve(arena, surface->node_count, sizeof *tree->vertex, &enough);
    tree->codes = carom_arena_reserve(arena, codes, sizeof *tree->codes, &enough);
    tree->code_space = carom_arena_reserve(arena, codes, sizeof *tree->code_space, &enough);
    tree->middle = carom_arena_reserve(arena, bodies, sizeof *tree->middle, &enough);
    tree->body_faces = carom_arena_reserve(arena, bodies, sizeof *tree->body_faces, &enough);
    tree->body_begin = carom_arena_reserve(arena, bodies, sizeof *tree->body_begin, &enough);
    tree->out = carom_arena_reserve(arena, bodies, sizeof *tree->out, &enough);
    tree->missing = carom_arena_reserve(arena, bodies, sizeof *tree->missing, &enough);
    if (!enough) {
        carom_tree_release(tree);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the search of contact");
    }
    for (int v = 0; v < surface->vertex_count; v++)
        tree->vertex[surface->vertices[v]] = v;
    for (int f = 0; f < surface->face_count; f++)
        tree->body_faces[surface->body[f]]++;
    return CAROM_OK;
}

void carom_tree_release(carom_tree *tree) {
    carom_arena_release(tree->arena);
    for (int p = 0; p < CAROM_TREE_PARTS; p++)
        free(tree->parts[p].pairs);
    *tree = (carom_tree){0};
}

// Dimension of space: 2 for surfaces of segments, else 3.
static int axes_of(const carom_surface *surface) {
    return surface->corners == 2 ? 2 : 3;
}

// Sets the map to [-1, 1]^3 for all positions, which must be finite.
static carom_status make_map(carom_tree *t, const double (*x)[3], const double (*x1)[3], carom_error *error) {
    const carom_surface *s = t->surface;
    double lower[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, upper[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, half = 0;
    int lost = INT32_MAX;
#pragma omp parallel for schedule(static) reduction(min                \
                                                    : lost, lower[:3]) \
    reduction(max                                                      \
              : upper[:3]) if (s->vertex_count > PARALLEL_FACES)
    for (int v = 0; v < s->vertex_count; v++)
        for (int i = 0; i < axes_of(s); i++) {
            double a = x[s->vertices[v]][i], b = x1[s->vertices[v]][i];
            if (!isfinite(a) || !isfinite(b))
                lost = s->vertices[v] < lost ? s->vertices[v] : lost;
            lower[i] = fmin(lower[i], fmin(a, b));
            upper[i] = fmax(upper[i], fmax(a, b));
        }
    if (lost != INT32_MAX)
        return carom_fail(error, CAROM_NUMERICAL, "the position of node %d is not finite", lost);
    for (int i = 0; i < axes_of(s); i++) {
        // halves are added, not the sum halved: the sum might overflow
        t->centre[i] = 0.5 * lower[i] + 0.5 * upper[i];
        half = fmax(half, 0.5 * upper[i] - 0.5 * lower[i]);
    }
    // a finite scale even if all nodes coincide
    t->scale = 1 / fmax(half, 1e-290);
    return CAROM_OK;
}

// Maps all positions; false if one lies beyond the limit of the map or is not finite.
static bool map_positions(const carom_tree *t, const double (*x)[3], float (*mapped)[4]) {
    const carom_surface *s = t->surface;
    int axes = axes_of(s), outside = 0;
#pragma omp parallel for schedule(static) reduction(| : outside) if (s->vertex_count > PARALLEL_FACES)
    for (int v = 0; v < s->vertex_count; v++) {
        const double *p = x[s->vertices[v]];
        float *m = mapped[v];
        for (int i = 0; i < 3; i++)
            m[i] = (float)((p[i] - t->centre[i]) * t->scale);
        if (axes == 2)
            m[2] = 0;
        m[3] = 0;
        // written such that NaN is outside
        outside |= !(fabsf(m[0]) <= LIMIT) | !(fabsf(m[1]) <= LIMIT) | !(fabsf(m[2]) <= LIMIT);
    }
    return !outside;
}

// The box of a face, as lanes x, y, z, 0.
static inline void face_box(const int corners[3], const float (*low)[4], const float (*high)[4], carom_box_lanes *lower,
                            carom_box_lanes *upper) {
    carom_box_lanes a = carom_box_lanes_load(low[corners[0]]), b = carom_box_lanes_load(high[corners[0]]);
    for (int i = 1; i < 3; i++) {
        a = carom_box_lanes_min(a, carom_box_lanes_load(low[corners[i]]));
        b = carom_box_lanes_max(b, carom_box_lanes_load(high[corners[i]]));
    }
    *lower = a;
    *upper = b;
}

// Boxes of level 0. Four boxes are computed with one lane per axis and transposed to one lane per box.
static void fit_faces(carom_tree *t, const float (*low)[4], const float (*high)[4]) {
    int blocks = t->level_begin[1];
#pragma omp parallel for schedule(static) if (blocks > PARALLEL_FACES / LANES)
    for (int b = 0; b < blocks; b++) {
        carom_box_lanes lower[LANES], upper[LANES], out = carom_box_lanes_all(0);
        for (int j = 0; j < LANES; j++) {
            int place = LANES * b + j;
            // each body has its own enlargement
            out[j] = t->tags[b][j] >= 0 ? t->out[t->tags[b][j]] : 0;
            if (t->order[place] >= 0)
                face_box(t->corners[place], low, high, &lower[j], &upper[j]);
            else
                lower[j] = carom_box_lanes_all(NOWHERE), upper[j] = carom_box_lanes_all(-NOWHERE);
        }
        carom_box_lanes_turn(lower);
        carom_box_lanes_turn(upper);
        for (int i = 0; i < 3; i++) {
            carom_box_lanes_store(t->boxes[b].lower[i], lower[i] - out);
            carom_box_lanes_store(t->boxes[b].upper[i], upper[i] + out);
        }
    }
}

// The box around the four boxes of a block, as lanes x, y, z, 0.
static inline void block_box(const carom_block_boxes *boxes, carom_box_lanes *lower, carom_box_lanes *upper) {
    carom_box_lanes a[4], b[4];
    for (int i = 0; i < 3; i++) {
        a[i] = carom_box_lanes_load(boxes->lower[i]);
        b[i] = carom_box_lanes_load(boxes->upper[i]);
    }
    a[3] = b[3] = carom_box_lanes_all(0);
    carom_box_lanes_turn(a);
    carom_box_lanes_turn(b);
    *lower = carom_box_lanes_min(carom_box_lanes_min(a[0], a[1]), carom_box_lanes_min(a[2], a[3]));
    *upper = carom_box_lanes_max(carom_box_lanes_max(b[0], b[1]), carom_box_lanes_max(b[2], b[3]));
}

// Boxes of a level from those of the level below.
static void fit_level(carom_tree *t, int level) {
    const carom_block_boxes *below = t->boxes + t->level_begin[level - 1];
    carom_block_boxes *here = t->boxes + t->level_begin[level];
    int blocks = t->level_begin[level + 1] - t->level_begin[level];
    int below_count = t->level_begin[level] - t->level_begin[level - 1];
#pragma omp parallel for schedule(static) if (blocks > PARALLEL_FACES / LANES)
    for (int b = 0; b < blocks; b++) {
        carom_box_lanes lower[LANES], upper[LANES];
        for (int j = 0; j < LANES; j++)
            if (LANES * b + j < below_count)
                block_box(&below[LANES * b + j], &lower[j], &upper[j]);
            else
                lower[j] = carom_box_lanes_all(NOWHERE), upper[j] = carom_box_lanes_all(-NOWHERE);
        carom_box_lanes_turn(lower);
        carom_box_lanes_turn(upper);
        for (int i = 0; i < 3; i++) {
            carom_box_lanes_store(here[b].lower[i], lower[i]);
            carom_box_lanes_store(here[b].upper[i], upper[i]);
        }
    }
}

// Half the surface area of the boxes of a block, without the enlargement of single bodies.
static double area_of_block(const carom_tree *t, int b) {
    const carom_block_boxes *boxes = &t->boxes[b];
    float sum = 0;
    for (int j = 0; j < LANES; j++) {
        float more = t->tags[b][j] >= 0 ? 2 * t->out[t->tags[b][j]] : 0;
        float x = boxes->upper[0][j] - boxes->lower[0][j] - more, y = boxes->upper[1][j] - boxes->lower[1][j] - more;
        float z = boxes->upper[2][j] - boxes->lower[2][j] - more;
        sum += x >= 0 ? x * y + y * z + z * x : 0;
    }
    return (double)sum;
}

// The sum over all blocks above the leaves: a measure of the cost of a query.
static double area_of(const carom_tree *t) {
    double areas[AREAS] = {0}, area = 0;
    int first = t->level_begin[1], count = t->level_begin[t->level_count] - first;
    // fixed portions: the sum does not depend on the number of threads
#pragma omp parallel for schedule(static) if (count > PARALLEL_FACES / LANES)
    for (int p = 0; p < AREAS; p++)
        for (int b = first + (int)((int64_t)count * p / AREAS); b < first + (int)((int64_t)count * (p + 1) / AREAS); b++)
            areas[p] += area_of_block(t, b);
    for (int p = 0; p < AREAS; p++)
        area += areas[p];
    return area;
}
// A reach in mapped coordinates, rounded up. Beyond the limits of the map all boxes overlap anyway.
static float enlargement(const carom_tree *t, double reach) {
    return (float)fmin(reach * t->scale, 4 * (double)LIMIT) * (1 + 0x1p-22f) + SLACK;
}

// Sets the enlargement of each body such that the sum over each searched pair is at least its reach. Each body gets half of
// the smallest reach; the remainder goes to the body with the larger total, so that one fast body does not enlarge all others.
static void set_enlargements(carom_tree *t, double reach) {
    const carom_body_pairs *asked = t->asked;
    for (int b = 0; b < t->surface->body_count; b++) {
        t->out[b] = enlargement(t, reach);
        t->missing[b] = 0;
    }
    double least = HUGE_VAL;
    for (int k = 0; asked && k < asked->count; k++)
        least = fmin(least, asked->reach[k]);
    for (int k = 0; asked && k < asked->count; k++) {
        int body[2];
        carom_body_pair_bodies(asked->keys[k], body);
        for (int i = 0; i < 2; i++) {
            t->out[body[i]] = enlargement(t, reach + 0.5 * least);
            t->missing[body[i]] += asked->reach[k] - least;
        }
    }
    for (int k = 0; asked && k < asked->count; k++) {
        int body[2];
        carom_body_pair_bodies(asked->keys[k], body);
        int more = t->missing[body[0]] < t->missing[body[1]], a = body[more], b = body[!more];
        float out = 2 * enlargement(t, reach + 0.5 * asked->reach[k]) - t->out[b];
        // a body with itself: half of the reach on both sides
        if (a == b)
            out = enlargement(t, reach + 0.5 * asked->reach[k]);
        t->out[a] = out * (1 + 0x1p-22f) > t->out[a] ? out * (1 + 0x1p-22f) : t->out[a];
    }
}

// Sets all boxes from the leaves to the root.
static void fit_boxes(carom_tree *t, const float (*high)[4], double reach) {
    set_enlargements(t, reach);
    fit_faces(t, (const float(*)[4])t->lower, high);
    for (int level = 1; level < t->level_count; level++)
        fit_level(t, level);
    // compared with its smallest value to notice loose boxes
    t->area = area_of(t);
}

// The body of all children, or MIXED; unused places are ignored.
static int common_tag(const int tags[CAROM_TREE_WIDTH]) {
    int tag = tags[0];
    for (int j = 1; j < LANES; j++)
        if (tags[j] != CAROM_TREE_EMPTY && tags[j] != tag)
            return CAROM_TREE_MIXED;
    return tag;
}

// Sets the tags from the leaves to the root; a query uses them to skip subtrees.
static void tag_blocks(carom_tree *t) {
    for (int place = 0; place < LANES * t->level_begin[1]; place++) {
        int face = t->order[place];
        t->tags[place / LANES][place % LANES] = face >= 0 ? t->surface->body[face] : CAROM_TREE_EMPTY;
    }
    for (int level = 1; level < t->level_count; level++) {
        int below_count = t->level_begin[level] - t->level_begin[level - 1];
        int blocks = t->level_begin[level + 1] - t->level_begin[level];
        for (int b = 0; b < LANES * blocks; b++)
            t->tags[t->level_begin[level] + b / LANES][b % LANES] =
                b < below_count ? common_tag(t->tags[t->level_begin[level - 1] + b]) : CAROM_TREE_EMPTY;
    }
}

// Sorts the bodies by the Morton code of their centres. Faces of different bodies do not mix in the order,
// so that the tree stays tight while bodies move relative to each other.
static void rank_bodies(carom_tree *t) {
    const carom_surface *s = t->surface;
    for (int b = 0; b < s->body_count; b++)
        for (int i = 0; i < 4; i++)
            t->middle[b][i] = 0;
    for (int v = 0; v < s->vertex_count; v++) {
        double *middle = t->middle[s->node_body[s->vertices[v]]];
        for (int i = 0; i < 3; i++)
            middle[i] += (double)t->lower[v][i];
        middle[3]++;
    }
    for (int b = 0; b < s->body_count; b++) {
        const double *m = t->middle[b];
        t->codes[b] = (carom_coded){m[3] > 0 ? carom_morton_code(m[0] / m[3], m[1] / m[3], m[2] / m[3]) : 0, b};
    }
    carom_sort_coded(t->codes, t->code_space, s->body_count);
    // the range of places of each body
    int begin = 0;
    for (int r = 0; r < s->body_count; r++) {
        int b = t->codes[r].item;
        t->body_begin[b] = begin;
        begin += t->body_faces[b];
    }
}

// Sorts the faces of each body by the Morton code of their centres.
static void make_order(carom_tree *t) {
    const carom_surface *s = t->surface;
    rank_bodies(t);
#pragma omp parallel for schedule(static) if (s->face_count > PARALLEL_FACES)
    for (int f = 0; f < s->face_count; f++) {
        double sum[3] = {0};
        for (int c = 0; c < 3; c++)
            for (int i = 0; i < 3; i++)
                sum[i] += (double)t->lower[t->vertex[s->faces[f][c]]][i];
        t->codes[f] = (carom_coded){carom_morton_code(sum[0] / 3, sum[1] / 3, sum[2] / 3), f};
    }
    carom_sort_coded(t->codes, t->code_space, s->face_count);
    // the last block may have unused places
    for (int place = s->face_count; place < LANES * t->level_begin[1]; place++)
        t->order[place] = -1;
    for (int i = 0; i < s->face_count; i++) {
        // faces are sorted by code over all bodies and distributed to the ranges of their bodies, keeping the order
        int face = t->codes[i].item, place = t->body_begin[s->body[face]]++;
        t->order[place] = face;
        for (int c = 0; c < 3; c++)
            t->corners[place][c] = t->vertex[s->faces[face][c]];
    }
    tag_blocks(t);
    t->rebuilds++;
}

// Sorting is avoided as long as possible, since it costs most.
carom_status carom_tree_fit(carom_tree *tree, const double (*x)[3], const double (*x1)[3], double reach, bool resort,
                            carom_error *error) {
    if (tree->level_count == 0)
        return CAROM_OK;
    bool moves = x1 && x1 != x, kept = tree->rebuilds > 0 && !resort;
    // the map is kept as long as it holds all positions
    kept = kept && map_positions(tree, x, tree->lower) && (!moves || map_positions(tree, x1, tree->upper));
    if (!kept) {
        carom_status status = make_map(tree, x, moves ? x1 : x, error);
        if (status)
            return status;
        map_positions(tree, x, tree->lower);
        if (moves)
            map_positions(tree, x1, tree->upper);
        make_order(tree);
    }
    if (moves)
#pragma omp parallel for schedule(static) if (tree->surface->vertex_count > PARALLEL_FACES)
        for (int v = 0; v < tree->surface->vertex_count; v++) {
            // the box of each path
            carom_box_lanes a = carom_box_lanes_load(tree->lower[v]), b = carom_box_lanes_load(tree->upper[v]);
            carom_box_lanes_store(tree->lower[v], carom_box_lanes_min(a, b));
            carom_box_lanes_store(tree->upper[v], carom_box_lanes_max(a, b));
        }
    const float(*high)[4] = (const float(*)[4])(moves ? tree->upper : tree->lower);
    fit_boxes(tree, high, reach);
    // sort again if the boxes have become loose
    if (kept && tree->area > LOOSE * tree->fresh) {
        make_order(tree);
        fit_boxes(tree, high, reach);
        kept = false;
    }
    // the reference for looseness
    tree->fresh = kept ? fmin(tree->fresh, tree->area) : tree->area;
    return CAROM_OK;
}
