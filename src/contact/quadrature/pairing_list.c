// SPDX-License-Identifier: MIT
// Makes the lists of near facets for the pairing of contact points with facets (pairing.h). They contain more than is within
// reach, the search radius, and are valid while nodes have moved less than their margin; the results of the pairing do not
// depend on when they were made.
//
// Facets of two bodies: nodes may move by half the reach relative to a common translation, so that a common translation, as in
// free fall, causes no new search.
//
// Many facets of one body are near each other without ever meeting: adjacent facets have similar normals, and the two sides of
// a wall have opposite outward normals. The list contains those that can meet (facet_tree.h, normal_cones.h) while the motion,
// relative to a frame that moves with the body (list_validity.h), stays below a small fraction of a facet. The list of a body
// that moves rigidly stays valid, and it is empty unless parts of the body face each other across a gap.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/quadrature/pairing.h"
#include "math/vec3.h"

// Motion, in units of the mean size of a facet, that the list within a body allows. The cosine between two square facets
// changes by up to 3.4 times as much, which must stay below 0.1, the cosine at which facets begin to face each other: then
// facets at a right-angled edge never meet.
static const double slack_factor = 0.02;

// Rounding of the motion in a rotated frame, relative to the largest coordinate.
static const double rounding = 1e-13;

// Pairs above which threads share a loop over them: a pair takes about 0.2 microseconds.
enum { PARALLEL_PAIRS = 1024 };

static int body_count(const carom_pairing *pairing) {
    return pairing->facets->surface.body_count;
}

carom_status carom_pairing_list_create(carom_pairing *pairing, carom_error *error) {
    const carom_facets *facets = pairing->facets;
    pairing->begin = carom_allocate((int64_t)facets->count + facets->point_count + 1, sizeof *pairing->begin);
    pairing->place = carom_allocate(facets->surface.node_count, sizeof *pairing->place);
    if (!pairing->begin || !pairing->place)
        return carom_no_memory(error, "contact");
    carom_status status = carom_facet_tree_create(facets, pairing->exclusions, pairing->X, &pairing->within_tree, error);
    if (status || pairing->within_tree.count == 0)
        return status;
    double area = 0;
    int facet_count = 0;
    for (int p = 0; p < pairing->feelers_begin; p++)
        area += pairing->points[p].area;
    for (int f = 0; f < facets->count; f++)
        facet_count += !facets->obstacle[f];
    double size = area / facet_count;
    pairing->slack = slack_factor * (facets->corners[0] == 2 ? size / facets->thickness[0] : sqrt(size));
    pairing->wear = carom_allocate(body_count(pairing), sizeof *pairing->wear);
    bool *touches_itself = carom_allocate(body_count(pairing), sizeof *touches_itself);
    for (int r = 0; r < pairing->within_tree.root_count && touches_itself; r++) {
        int first = pairing->within_tree.branches[pairing->within_tree.roots[r]].begin;
        touches_itself[facets->body[pairing->within_tree.order[first]]] = true;
    }
    status = pairing->wear && touches_itself ? carom_wear_create_within(&facets->surface, touches_itself, pairing->wear, error)
                                             : carom_no_memory(error, "contact");
    free(touches_itself);
    return status;
}

void carom_pairing_list_release(carom_pairing *pairing) {
    for (int b = 0; pairing->wear && b < body_count(pairing); b++)
        carom_wear_release(&pairing->wear[b]);
    carom_facet_tree_release(&pairing->within_tree);
    free(pairing->wear);
    free(pairing->between.items);
    free(pairing->within.items);
    free(pairing->keeps);
    free(pairing->begin);
    free(pairing->place);
    free(pairing->near);
}

// Compares by slave, then by master.
static int compare(const void *a, const void *b) {
    const int *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

// Decides which of two near facets of different bodies is the slave.
static bool assign_roles(const carom_pairing *pairing, carom_facet_pairs *pairs, int f, int g) {
    const carom_facets *facets = pairing->facets;
    // a point cannot be a master
    if (f >= facets->count && g >= facets->count)
        return true;
    if (f >= facets->count || g >= facets->count)
        return f >= facets->count ? carom_facet_pairs_add(pairs, f, g) : carom_facet_pairs_add(pairs, g, f);
    // `first` is the body with the smaller index, as in the scene
    bool f_first = facets->body[f] < facets->body[g], both = pairing->slave == CAROM_SLAVE_BOTH;
    bool forward = both || f_first == (pairing->slave == CAROM_SLAVE_FIRST);
    bool backward = both || !forward;
    if (facets->obstacle[f] != facets->obstacle[g]) {
        backward = facets->obstacle[f];
        forward = !backward;
    }
    return (!forward || carom_facet_pairs_add(pairs, f, g)) && (!backward || carom_facet_pairs_add(pairs, g, f));
}

// Sorts the pairs and removes duplicates, which the two triangles of a quadrilateral may have produced.
static void sort(carom_facet_pairs *pairs) {
    if (pairs->count)
        qsort(pairs->items, (size_t)pairs->count, sizeof *pairs->items, compare);
    int kept = 0;
    for (int i = 0; i < pairs->count; i++)
        if (kept == 0 || compare(pairs->items[i], pairs->items[kept - 1]) != 0)
            memmove(pairs->items[kept++], pairs->items[i], sizeof *pairs->items);
    pairs->count = kept;
}

// True if no node has moved more than half the reach since the list was made, relative to the middle of the box of all
// displacements: facets within reach now were within twice the reach then.
static bool is_between_valid(const carom_pairing *pairing, const double (*x)[3]) {
    const carom_surface *surface = &pairing->facets->surface;
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, common[3], most = 0;
    if (!pairing->between_listed)
        return false;
    for (int v = 0; v < surface->vertex_count; v++)
        for (int i = 0; i < 3; i++) {
            double moved = x[surface->vertices[v]][i] - pairing->place[surface->vertices[v]][i];
            // written so that NaN is kept
            if (!(moved >= low[i]))
                low[i] = moved;
            if (!(moved <= high[i]))
                high[i] = moved;
        }
    for (int i = 0; i < 3; i++)
        common[i] = 0.5 * (low[i] + high[i]);
    for (int v = 0; v < surface->vertex_count; v++) {
        double moved[3];
        carom_difference(x[surface->vertices[v]], pairing->place[surface->vertices[v]], moved);
        carom_add_scaled(-1, common, moved);
        double square = carom_dot(moved, moved);
        if (!(square <= most))
            most = square;
    }
    // a little less than half: the sums above are rounded
    return sqrt(most) <= 0.499 * pairing->reach;
}

// Lists all pairs of two bodies whose boxes, enlarged by the reach, overlap; these include all pairs within twice the reach.
static carom_status list_between(carom_pairing *pairing, const double (*x)[3], carom_error *error) {
    const carom_facets *facets = pairing->facets;
    const carom_surface *surface = &facets->surface;
    pairing->between_listed = false;
    pairing->between.count = 0;
    pairing->counts.between++;
    carom_status status = carom_tree_fit(&pairing->tree, x, NULL, pairing->reach, false, error);
    if (!status)
        status = carom_tree_query(&pairing->tree, pairing->exclusions, CAROM_TREE_BETWEEN, error);
    for (int p = 0; p < CAROM_TREE_PARTS && !status; p++)
        for (int64_t i = 0; i < pairing->tree.parts[p].count && !status; i++) {
            const int *pair = pairing->tree.parts[p].pairs[i];
            int f = facets->part_of[surface->source[pair[0]]], g = facets->part_of[surface->source[pair[1]]];
            if (!assign_roles(pairing, &pairing->between, f, g))
                status = carom_no_memory(error, "contact");
        }
    if (status)
        return status;
    sort(&pairing->between);
    for (int v = 0; v < surface->vertex_count; v++)
        carom_copy(x[surface->vertices[v]], pairing->place[surface->vertices[v]]);
    pairing->between_listed = true;
    return CAROM_OK;
}

static double largest_diameter(const carom_pairing *pairing, const double (*x)[3]) {
    const carom_facets *facets = pairing->facets;
    double square = 0;
    for (int f = 0; f < facets->count; f++)
        for (int i = 0; i < facets->corners[f]; i++)
            for (int j = 0; j < i; j++) {
                double side[3];
                carom_difference(x[facets->nodes[f][i]], x[facets->nodes[f][j]], side);
                square = fmax(square, carom_dot(side, side));
            }
    return sqrt(square);
}

static double largest_coordinate(const carom_pairing *pairing, const double (*x)[3]) {
    const carom_surface *surface = &pairing->facets->surface;
    double largest = 0;
    for (int v = 0; v < surface->vertex_count; v++)
        for (int i = 0; i < 3; i++)
            largest = fmax(largest, fabs(x[surface->vertices[v]][i]));
    return largest;
}

// True if near vertices have moved by less than the slack relative to each other, and facets that were not near cannot be
// within reach: the distance of vertices in cells that are not adjacent was more than a cell, that of their facets more than a
// cell less two diameters.
static bool is_frame_valid(const carom_pairing *pairing, carom_wear *wear, double blur, const double (*x)[3]) {
    carom_wear_motion motion = carom_wear_of(wear, x, x, 0);
    return motion.near + blur <= pairing->slack &&
           motion.far + blur <= (1 - 1e-9) * wear->cell - 2 * pairing->diameter - pairing->reach;
}

// The same for all bodies that can touch themselves. A frame that no longer fits is moved with its body first.
static bool is_within_valid(const carom_pairing *pairing, const double (*x)[3]) {
    if (!pairing->within_listed)
        return false;
    double blur = rounding * largest_coordinate(pairing, x);
    for (int b = 0; b < body_count(pairing); b++) {
        carom_wear *wear = &pairing->wear[b];
        if (wear->count == 0 || is_frame_valid(pairing, wear, blur, x))
            continue;
        carom_wear_fit_frame(wear, x);
        if (!is_frame_valid(pairing, wear, blur, x))
            return false;
    }
    return true;
}

// Lists facets of one body that can meet: near facets that face each other, unless carom_pairing_never_meets excludes them.
static carom_status list_within(carom_pairing *pairing, const double (*x)[3], carom_error *error) {
    carom_facet_pairs *within = &pairing->within;
    pairing->within_listed = false;
    pairing->counts.within++;
    within->count = 0;
    carom_status status = carom_facet_tree_search(&pairing->within_tree, x, pairing->reach + pairing->slack,
                                                  CAROM_FACING_COSINE, pairing->slack, within, error);
    if (status)
        return status;
    if (!carom_ensure_capacity(&pairing->keeps, &pairing->keeps_capacity, within->count, sizeof *pairing->keeps))
        return carom_no_memory(error, "contact");
#pragma omp parallel for schedule(static) if (within->count > PARALLEL_PAIRS)
    for (int i = 0; i < within->count; i++)
        pairing->keeps[i] = !carom_pairing_never_meets(pairing, within->items[i][0], within->items[i][1], x, pairing->slack);
    int kept = 0;
    for (int i = 0; i < within->count; i++)
        if (pairing->keeps[i])
            memmove(within->items[kept++], within->items[i], sizeof *within->items);
    within->count = kept;
    sort(within);
    // the cells are so large that facets that are not near must approach by more than the reach to be within it
    pairing->diameter = largest_diameter(pairing, x);
    for (int b = 0; b < body_count(pairing) && !status; b++)
        if (pairing->wear[b].count)
            status = carom_wear_start(&pairing->wear[b], x, 1.001 * (2 * pairing->reach + 2 * pairing->diameter), error);
    pairing->within_listed = !status;
    return status;
}

// Merges both lists into compressed rows: the masters of each slave facet, ascending.
static carom_status merge(carom_pairing *pairing, carom_error *error) {
    const carom_facet_pairs *a = &pairing->between, *b = &pairing->within;
    int rows = pairing->facets->count + pairing->facets->point_count, i = 0, j = 0, kept = 0;
    memset(pairing->begin, 0, ((size_t)rows + 1) * sizeof *pairing->begin);
    if (!carom_ensure_capacity(&pairing->near, &pairing->capacity, (int64_t)a->count + b->count, sizeof *pairing->near))
        return carom_no_memory(error, "contact");
    while (i < a->count || j < b->count) {
        bool first = j == b->count || (i < a->count && compare(a->items[i], b->items[j]) < 0);
        const int *pair = first ? a->items[i++] : b->items[j++];
        pairing->begin[pair[0] + 1]++;
        pairing->near[kept++] = pair[1];
    }
    for (int f = 0; f < rows; f++)
        pairing->begin[f + 1] += pairing->begin[f];
    return CAROM_OK;
}

carom_status carom_pairing_search(carom_pairing *pairing, const double (*x)[3], carom_error *error) {
    carom_status status = CAROM_OK;
    bool renewed = false;
    if (pairing->facets->count == 0)
        return CAROM_OK;
    if (body_count(pairing) > 1 && !is_between_valid(pairing, x)) {
        renewed = true;
        status = list_between(pairing, x, error);
    }
    if (!status && pairing->wear && !is_within_valid(pairing, x)) {
        renewed = true;
        status = list_within(pairing, x, error);
    }
    if (!status && renewed)
        status = merge(pairing, error);
    if (status) {
        // a failed search leaves an empty list
        pairing->between_listed = pairing->within_listed = false;
        memset(pairing->begin, 0,
               ((size_t)pairing->facets->count + (size_t)pairing->facets->point_count + 1) * sizeof *pairing->begin);
    }
    return status;
}
