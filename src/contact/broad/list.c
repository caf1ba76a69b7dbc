// SPDX-License-Identifier: MIT
// Makes the list of pairs of features (nodes, edges, faces) that may touch in a step, and decides when a new search is needed
// (list.h). Let m be the margin of a search: the displacement of each vertex for which its result stays valid. If near vertices
// move by at most 2 m relative to each other, the distance of two features shrinks by no more than that. A search for all pairs
// within 2 m + thickness therefore finds all pairs that can touch (list_validity.h defines near, and bounds the motion of other
// vertices). Of these, the list of a step holds the pairs whose distance at the search was not larger than the thickness plus
// the motion of their vertices since.
#include "contact/broad/list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pieces.h"
#include "carom/threads.h"
#include "math/vec3.h"

enum {
    PARTS = CAROM_TREE_PARTS,
    SHARES = CAROM_BROAD_SHARES,
    MOST_PAIRS = INT32_MAX / 4, // four nodes of each pair are counted by int
    BLOCKS = 256,               // portions of a list; fixed, so that results do not depend on the number of threads
    PARALLEL_VERTICES = 4096,   // with fewer, waking threads (about 50 us) costs more than it saves
    LARGE_BODIES = 8,           // a body with more than 1/8 of all vertices is processed by all threads
    LIGHT_VERTICES = 32768,     // as PARALLEL_VERTICES, for loops of about 2 ns per vertex
    PARALLEL_PAIRS = 16384      // the same for pairs, 4 ns each
};

// Pairs of bodies with little relative motion are searched with at least this fraction of the margin.
static const double least_margin = 0.25;

// A search within a body whose reach exceeds the requested one by this factor (after a violent impact) is not reused: its list
// is needlessly long.
static const double max_reach_ratio = 1.2;

// A search between bodies must be valid for at least `least_steps` steps of the present motion, and for `wanted_steps` if this
// needs less than the margin.
static const double least_steps = 4;
static const double wanted_steps = 16;

// Distant vertices may move this many times farther than near ones before new cells are needed: of one body, and of different
// bodies. Like the constants above, this affects the number of searches, not the result.
static const double far_within = 2;
static const double far_between = 8;

// If some pairs of bodies must be searched, those that have used this fraction of their reach are searched in the same query.
static const double early_search = 0.7;

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the pairs of contact");
}

// Index of the first term between two bodies; term 0 is the path of a step, then one term per body.
static int first_between(const carom_broad *b) {
    return 1 + b->surface->body_count;
}

static int term_count(const carom_broad *b) {
    return first_between(b) + b->between.pair_count;
}

// Allocates arrays for all terms and resets the terms between bodies. After a failure the capacity is 0.
static bool reserve_terms(carom_broad *b) {
    int count = term_count(b);
    if (count > b->term_capacity) {
        // grows geometrically, so that a slow increase does not allocate in every search
        int64_t capacity = count + count / 2;
        void *terms = realloc(b->terms, (size_t)capacity * sizeof *b->terms);
        b->terms = terms ? terms : b->terms;
        bool enough = carom_arena_renew(&b->of_terms) && terms;
        b->dropped = carom_arena_reserve(b->of_terms, capacity, sizeof *b->dropped, &enough);
        b->limits = carom_arena_reserve(b->of_terms, capacity, sizeof *b->limits, &enough);
        b->keys = carom_arena_reserve(b->of_terms, capacity, sizeof *b->keys, &enough);
        b->numbers = carom_arena_reserve(b->of_terms, capacity, sizeof *b->numbers, &enough);
        b->reaches = carom_arena_reserve(b->of_terms, capacity, sizeof *b->reaches, &enough);
        b->term_capacity = enough ? capacity : 0;
        if (!enough)
            return false;
    }
    memset(b->terms + first_between(b), 0, (size_t)b->between.pair_count * sizeof *b->terms);
    return true;
}

// `buckets` is used to sort by nodes, faces and edges: its size is the largest of these counts.
carom_status carom_broad_create(const carom_surface *surface, const carom_exclusions *exclusions, carom_broad *broad,
                                carom_error *error) {
    *broad = (carom_broad){.surface = surface, .exclusions = exclusions};
    int most = surface->node_count > surface->face_count ? surface->node_count : surface->face_count;
    most = surface->edge_count > most ? surface->edge_count : most;
    carom_arena *arena = broad->arena = carom_arena_create();
    bool enough = arena;
    broad->ends = carom_arena_reserve(arena, surface->node_count, sizeof *broad->ends, &enough);
    broad->buckets = carom_arena_reserve(arena, (int64_t)most + 1, sizeof *broad->buckets, &enough);
    broad->pairs.rows = carom_arena_reserve(arena, surface->node_count, sizeof *broad->pairs.rows, &enough);
    broad->within = carom_arena_reserve(arena, surface->body_count, sizeof *broad->within, &enough);
    enough = enough && reserve_terms(broad);
    carom_status status = enough ? carom_tree_create(surface, &broad->tree, error) : no_memory(error);
    if (!status)
        status = carom_sweep_create(surface, &broad->sweep, error);
    if (!status)
        status = carom_wear_create_within(surface, NULL, broad->within, error);
    if (!status)
        status = carom_wear_create_between(surface, &broad->between, error);
    if (status)
        carom_broad_release(broad);
    else
        memset(broad->terms, 0, (size_t)first_between(broad) * sizeof *broad->terms);
    return status;
}

void carom_broad_release(carom_broad *broad) {
    carom_tree_release(&broad->tree);
    for (int b = 0; broad->within && b < broad->surface->body_count; b++)
        carom_wear_release(&broad->within[b]);
    carom_wear_release(&broad->between);
    carom_sweep_release(&broad->sweep);
    free(broad->terms);
    carom_arena_release(broad->arena);
    carom_arena_release(broad->of_terms);
    carom_arena_release(broad->of_pairs);
    for (int k = 0; k < SHARES; k++)
        carom_share_release(&broad->shares[k]);
    *broad = (carom_broad){0};
}

// Allocates at least `count` pairs in all arrays of the list; their contents are lost.
static bool reserve_pairs(carom_broad *b, int64_t count) {
    carom_pair_list *list = &b->pairs;
    if (list->nodes && count <= list->capacity)
        return true;
    int64_t capacity = count + count / 4 + 16;
    bool enough = carom_arena_renew(&b->of_pairs);
    list->features = carom_arena_reserve(b->of_pairs, capacity, sizeof *list->features, &enough);
    list->nodes = carom_arena_reserve(b->of_pairs, capacity, sizeof *list->nodes, &enough);
    list->of_node = carom_arena_reserve(b->of_pairs, 4 * capacity, sizeof *list->of_node, &enough);
    b->found = carom_arena_reserve(b->of_pairs, capacity, sizeof *b->found, &enough);
    b->meet = carom_arena_reserve(b->of_pairs, capacity, sizeof *b->meet, &enough);
    list->capacity = enough ? capacity : 0;
    return enough;
}

// Sorts the pairs of all shares into `found`: node pairs, then edge pairs.
static carom_status gather(carom_broad *b, carom_error *error) {
    int64_t node_pairs = 0, edge_pairs = 0;
    for (int k = 0; k < SHARES; k++)
        for (int p = 0; p < PARTS; p++) {
            node_pairs += b->shares[k].node_parts[p].count;
            edge_pairs += b->shares[k].edge_parts[p].count;
        }
    // a crumpled surface has too many pairs: an error is better than running out of memory
    int64_t count = node_pairs + edge_pairs;
    carom_status status = carom_tree_judge_pairs(b->surface, count < MOST_PAIRS ? count : INT64_MAX, error);
    if (status)
        return status;
    if (!reserve_pairs(b, node_pairs + edge_pairs))
        return no_memory(error);
    b->found_node_pairs = (int)node_pairs;
    b->found_count = (int)(node_pairs + edge_pairs);
    carom_shares_sort(b->shares, b->surface, false, b->buckets, b->found);
    carom_shares_sort(b->shares, b->surface, true, b->buckets, b->found + node_pairs);
    memset(b->meet, 0, (size_t)b->found_count * sizeof *b->meet);
    b->listed = false;
    return CAROM_OK;
}

// Puts a pair with its nodes at a place of the list.
static void put_pair(const carom_surface *s, carom_pair_list *list, int place, const int feature[2], bool edges) {
    int a = feature[0], b = feature[1], *nodes = list->nodes[place];
    memcpy(list->features[place], feature, sizeof *list->features);
    if (edges) {
        memcpy(nodes, s->edges[a], sizeof s->edges[a]);
        memcpy(nodes + 2, s->edges[b], sizeof s->edges[b]);
        return;
    }
    nodes[0] = a;
    memcpy(nodes + 1, s->faces[b], sizeof s->faces[b]);
    if (s->corners == 2)
        nodes[3] = -1;
}

// Copies the pairs found in [begin, end) that can meet to the list, from `place` on; returns the place after them.
static int put_pairs(carom_broad *b, int begin, int end, bool edges, int place) {
    for (int i = begin; i < end; i++)
        if (b->meet[i])
            put_pair(b->surface, &b->pairs, place++, b->found[i].feature, edges);
    return place;
}

// Appends these pairs to the list; if they are many, in portions by all threads, after a first pass that counts each portion.
static void append_pairs(carom_broad *b, int begin, int end, bool edges) {
    int count = end - begin, places[BLOCKS + 1] = {b->pairs.count};
    if (count <= PARALLEL_PAIRS || carom_threads() == 1) {
        b->pairs.count = put_pairs(b, begin, end, edges, b->pairs.count);
        return;
    }
#pragma omp parallel for schedule(static)
    for (int k = 0; k < BLOCKS; k++)
        for (int i = begin + carom_portion_begin(count, k, BLOCKS); i < begin + carom_portion_begin(count, k + 1, BLOCKS); i++)
            places[k + 1] += b->meet[i];
    for (int k = 0; k < BLOCKS; k++)
        places[k + 1] += places[k];
#pragma omp parallel for schedule(static)
    for (int k = 0; k < BLOCKS; k++)
        put_pairs(b, begin + carom_portion_begin(count, k, BLOCKS), begin + carom_portion_begin(count, k + 1, BLOCKS), edges,
                  places[k]);
    b->pairs.count = places[BLOCKS];
}

// The list of the step: the pairs found that can meet.
static void make_list(carom_broad *b) {
    carom_pair_list *list = &b->pairs;
    list->count = 0;
    append_pairs(b, 0, b->found_node_pairs, false);
    // node pairs come first
    list->node_pair_count = list->count;
    append_pairs(b, b->found_node_pairs, b->found_count, true);
    carom_pair_list_link(b->surface, list);
    b->listed = true;
}

// Discards all searches; the next update searches all pairs again.
static void empty_list(carom_broad *b) {
    for (int k = 0; k < SHARES; k++)
        carom_share_drop(&b->shares[k], NULL);
    for (int t = 0; t < first_between(b); t++)
        b->terms[t].reach = 0;
    b->between_listed = false;
    b->found_count = b->found_node_pairs = 0;
    b->pairs.count = b->pairs.node_pair_count = 0;
    memset(b->pairs.rows, 0, (size_t)b->surface->node_count * sizeof *b->pairs.rows);
    b->listed = false;
}

// A single search along given paths, which does not reuse earlier ones.
carom_status carom_broad_search(carom_broad *broad, const double (*x)[3], const double (*x1)[3], double reach,
                                carom_error *error) {
    empty_list(broad);
    carom_status status = carom_share_search(&broad->shares[CAROM_BROAD_BETWEEN], &broad->tree, broad->exclusions,
                                             CAROM_TREE_ALL, NULL, x, x1 ? x1 : x, reach, error);
    // after a failure the list is empty, never stale
    status = status ? status : gather(broad, error);
    if (status) {
        empty_list(broad);
        return status;
    }
    // every pair found is within reach on the given paths
    memset(broad->meet, true, (size_t)broad->found_count * sizeof *broad->meet);
    make_list(broad);
    return CAROM_OK;
}

// The reach that a step needs: thickness, relative motion, and twice the deviation by impacts.
static double needed(double motion, const carom_broad_need *need) {
    return need->thickness + motion + 2 * need->allowance;
}

// True if vertices that are not near cannot have met: their distance was at least a cell, minus the sides of their faces. The
// factor covers rounding.
static bool far_cannot_meet(const carom_wear *wear, double motion, const carom_broad_need *need) {
    return needed(motion, need) <= (1 - 1e-9) * wear->cell - 2 * wear->side;
}

// True if a search with this reach is still valid at the end of the step.
static bool lasts(carom_wear *wear, double reach, const double (*x)[3], const carom_broad_need *need) {
    carom_wear_motion motion = carom_wear_of(wear, x, need->w, need->step);
    return needed(motion.near, need) <= reach && far_cannot_meet(wear, motion.far, need);
}

// True if the search within a body must be done again.
static bool is_worn_within(carom_broad *b, int body, const double (*x)[3], const carom_broad_need *need) {
    carom_wear *wear = &b->within[body];
    double reach = b->terms[1 + body].reach;
    // without self-contact there is nothing to search
    if (!wear->count || carom_exclusions_between(b->exclusions, body, body))
        return false;
    if (!(reach > 0 && reach <= max_reach_ratio * (need->thickness + 2 * need->margin)))
        return true;
    if (lasts(wear, reach, x, need))
        return false;
    // the body may only have moved rigidly: measure again in a frame that follows it
    carom_wear_fit_frame(wear, x);
    return !lasts(wear, reach, x, need);
}

// True if the vertices of a body are distributed to all threads; small bodies are distributed as a whole.
static bool is_large(const carom_broad *b, int body) {
    return b->within[body].count > PARALLEL_VERTICES &&
           (int64_t)b->within[body].count * LARGE_BODIES > b->surface->vertex_count;
}

// Marks the bodies that must be searched within; returns their number.
static int find_worn_within(carom_broad *b, const double (*x)[3], const carom_broad_need *need) {
    int count = 0, small = 0, bodies = b->surface->body_count;
    for (int i = 0; i < bodies; i++)
        if (is_large(b, i))
            count += b->terms[1 + i].worn = is_worn_within(b, i, x, need);
        else
            small += b->within[i].count;
#pragma omp parallel for schedule(static) reduction(+ : count) if (small > PARALLEL_VERTICES)
    for (int i = 0; i < bodies; i++)
        if (!is_large(b, i))
            count += b->terms[1 + i].worn = is_worn_within(b, i, x, need);
    return count;
}

// Starts measuring from x, with cells large enough for the motion of distant vertices.
static carom_status start_wear(carom_wear *wear, const double (*x)[3], const carom_broad_need *need) {
    double path = need->step * carom_wear_speed(wear, need->w);
    // cells must be larger than the motion of distant vertices until the next start
    double far_ratio = wear->body == CAROM_WEAR_BETWEEN ? far_between : far_within;
    double far = fmax(far_ratio * 2 * need->margin, 2 * path) + 2 * need->allowance;
    carom_status status = carom_wear_start(wear, x, 1.001 * (need->thickness + far), NULL);
    if (!status)
        carom_wear_of(wear, x, need->w, need->step);
    return status;
}

// Searches all worn terms from `begin` to before `end`. Keys ascend with terms, as carom_body_pairs
// requires.
static carom_status search_terms(carom_broad *b, int share, int begin, int end, const double (*x)[3], carom_error *error) {
    carom_body_pairs asked = {0, b->keys, b->numbers, b->reaches};
    memset(b->dropped, 0, (size_t)term_count(b) * sizeof *b->dropped);
    for (int t = begin; t < end; t++) {
        b->dropped[t] = b->terms[t].worn;
        if (!b->terms[t].worn)
            continue;
        bool within = share == CAROM_BROAD_WITHIN;
        const int *body = within ? NULL : b->between.pairs[t - begin].body;
        b->keys[asked.count] = within ? carom_body_pair_key(t - 1, t - 1) : carom_body_pair_key(body[0], body[1]);
        b->numbers[asked.count] = t;
        b->reaches[asked.count++] = b->terms[t].reach;
    }
    // remove the old pairs of these terms
    carom_share_drop(&b->shares[share], b->dropped);
    return carom_share_search(&b->shares[share], &b->tree, b->exclusions,
                              share == CAROM_BROAD_WITHIN ? CAROM_TREE_WITHIN : CAROM_TREE_BETWEEN, &asked, x, x, 0, error);
}

// Searches within all worn bodies.
static carom_status search_within(carom_broad *b, const double (*x)[3], const carom_broad_need *need, carom_error *error) {
    int bodies = b->surface->body_count, failures = 0;
    bool many = bodies > 1 && b->surface->vertex_count > PARALLEL_VERTICES;
#pragma omp parallel for schedule(static) reduction(+ : failures) if (many)
    for (int i = 0; i < bodies; i++) {
        carom_broad_term *term = &b->terms[1 + i];
        if (!term->worn)
            continue;
        failures += start_wear(&b->within[i], x, need) != CAROM_OK;
        double motion = b->within[i].pair_count ? b->within[i].pairs[0].motion : 0;
        // the requested margin, or more if this step needs it
        term->reach = fmax(need->thickness + 2 * need->margin, needed(motion * (1 + 1e-9), need));
    }
    carom_status status = CAROM_TREE_AGREE(&b->tree, failures ? no_memory(error) : CAROM_OK, error);
    return status ? status : search_terms(b, CAROM_BROAD_WITHIN, 1, first_between(b), x, error);
}

// Searches pairs between bodies that meet on the paths of this step: for motion so fast that a search with a
// margin would find too many pairs.
static carom_status search_path(carom_broad *b, const double (*x)[3], const carom_broad_need *need, carom_error *error) {
    const carom_surface *s = b->surface;
#pragma omp parallel for schedule(static) if (s->vertex_count > LIGHT_VERTICES)
    for (int v = 0; v < s->vertex_count; v++)
        for (int i = 0; i < 3; i++)
            b->ends[s->vertices[v]][i] = x[s->vertices[v]][i] + need->step * need->w[s->vertices[v]][i];
    b->between_listed = false;
    b->between.pair_count = 0;
    carom_share_drop(&b->shares[CAROM_BROAD_BETWEEN], NULL);
    return carom_share_search(&b->shares[CAROM_BROAD_BETWEEN], &b->tree, b->exclusions, CAROM_TREE_BETWEEN, NULL, x,
                              (carom_const_vectors)b->ends, need->thickness + 2 * need->allowance, error);
}

// Marks the pairs of bodies that have used more than the fraction `part` of their reach; returns their number.
static int find_worn_between(carom_broad *b, double part, const carom_broad_need *need) {
    int count = 0;
    for (int p = 0; p < b->between.pair_count; p++) {
        carom_broad_term *term = &b->terms[first_between(b) + p];
        term->worn = !(term->reach > 0) || needed(b->between.pairs[p].motion, need) > part * term->reach;
        count += term->worn;
    }
    return count;
}

// Keeps the cells and measures the motion of worn pairs from x on.
static void restart_worn(carom_broad *b, const double (*x)[3], const carom_broad_need *need) {
    carom_wear_pause(&b->between, x, need->w);
    carom_wear_of(&b->between, x, need->w, need->step);
    find_worn_between(b, early_search, need);
    for (int p = 0; p < b->between.pair_count; p++)
        if (b->terms[first_between(b) + p].worn) {
            b->between.pairs[p].motion -= b->between.pairs[p].before;
            b->between.pairs[p].before = 0;
        }
}

// Searches between bodies: along the paths of the step, or all pairs with new cells, or the worn pairs only.
static carom_status search_between(carom_broad *b, const double (*x)[3], bool new_cells, const carom_broad_need *need,
                                   carom_error *error) {
    carom_wear *wear = &b->between;
    if (need->step * carom_wear_speed(wear, need->w) > need->margin)
        return search_path(b, x, need, error);
    if (new_cells) {
        carom_status status = start_wear(wear, x, need) || !reserve_terms(b) ? no_memory(error) : CAROM_OK;
        status = CAROM_TREE_AGREE(&b->tree, status, error);
        if (status)
            return status;
        carom_share_drop(&b->shares[CAROM_BROAD_BETWEEN], NULL);
        find_worn_between(b, 1, need);
    } else {
        restart_worn(b, x, need);
    }
    for (int p = 0; p < wear->pair_count; p++) {
        carom_broad_term *term = &b->terms[first_between(b) + p];
        // the factor covers rounding of the bound
        double motion = wear->pairs[p].motion * (1 + 1e-9);
        // enough for wanted_steps, at most the margin, but at least what least_steps need
        double path = fmax(fmin(need->margin, wanted_steps * motion), least_steps * motion);
        if (term->worn)
            term->reach = needed(fmax(path, least_margin * need->margin), need);
    }
    b->between_listed = true;
    return search_terms(b, CAROM_BROAD_BETWEEN, first_between(b), term_count(b), x, error);
}

// Per term: the largest distance at the search with which a pair can touch now.
static void set_limits(carom_broad *b, const carom_broad_need *need) {
    // gaps were rounded when they were found
    double rounding = fmax(b->shares[CAROM_BROAD_WITHIN].rounding, b->shares[CAROM_BROAD_BETWEEN].rounding);
    // pairs found along a path are tested by their boxes only
    b->limits[0] = HUGE_VAL;
    for (int i = 0; i < b->surface->body_count; i++)
        b->limits[1 + i] = needed(b->within[i].pair_count ? b->within[i].pairs[0].motion : 0, need) + rounding;
    for (int p = 0; p < b->between.pair_count; p++)
        b->limits[first_between(b) + p] = needed(b->between.pairs[p].motion, need) + rounding;
}

// Tests the pairs found by distance and by the boxes of their paths.
static void list_step(carom_broad *b, const double (*x)[3], const carom_broad_need *need) {
    set_limits(b, need);
    if (b->found_count > 0)
        carom_sweep_set(&b->sweep, &b->tree, x, need->w, need->step, 0.5 * need->thickness + need->allowance);
    bool changed = carom_sweep_test(&b->sweep, b->found, b->found_count, b->found_node_pairs, b->limits, b->meet);
    // surfaces that rest on each other have the same pairs in most steps
    if (changed || !b->listed)
        make_list(b);
}

// Refuses positions and velocities that are not finite.
static carom_status check(const carom_broad *b, const double (*x)[3], const carom_broad_need *need, carom_error *error) {
    const carom_surface *s = b->surface;
    int first = INT32_MAX;
#pragma omp parallel for schedule(static) reduction(min : first) if (s->vertex_count > LIGHT_VERTICES)
    for (int v = 0; v < s->vertex_count; v++) {
        const double *place = x[s->vertices[v]], *u = need->w[s->vertices[v]];
        if (!isfinite(place[0] + place[1] + place[2]) || !isfinite(u[0] + u[1] + u[2]))
            first = s->vertices[v] < first ? s->vertices[v] : first;
    }
    return first == INT32_MAX ? CAROM_OK
                              : carom_fail(error, CAROM_NUMERICAL, "the position or velocity of node %d is not finite", first);
}

carom_status carom_broad_update(carom_broad *broad, const double (*x)[3], carom_broad_need need, bool *renewed,
                                carom_error *error) {
    carom_wear *between = &broad->between;
    // these decisions depend on motion only, not on timing or threads
    bool within = find_worn_within(broad, x, &need) > 0;
    bool new_cells =
        !broad->between_listed || !far_cannot_meet(between, carom_wear_of(between, x, need.w, need.step).far, &need);
    // if most pairs are worn, new cells are better than old ones
    int worn = new_cells ? 0 : find_worn_between(broad, 1, &need);
    bool search = new_cells || worn > 0;
    *renewed = within || search;
    carom_status status = *renewed ? check(broad, x, &need, error) : CAROM_OK;
    if (!status && within)
        status = search_within(broad, x, &need, error);
    if (!status && search)
        status = search_between(broad, x, new_cells || 2 * worn > between->pair_count, &need, error);
    if (!status && *renewed)
        status = CAROM_TREE_AGREE(&broad->tree, gather(broad, error), error);
    if (status) {
        empty_list(broad);
        return status;
    }
    list_step(broad, x, &need);
    return CAROM_OK;
}
