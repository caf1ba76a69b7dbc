// SPDX-License-Identifier: MIT
// Checks the motion of a step for pairs of simplices that it violates (nodes, edges and faces that end inside each other or
// have passed through), and adds them to the set of pairs of the step (detection.h, violations.h). One detection runs in this
// order:
//   1. planes and ends, each of which is independent of all others;
//   2. nodes against the faces near them, which only produces findings (node.c);
//   3. supported findings are added to the set, deepest first (select.c);
//   4. in space, faces that intersect although nothing was added (faces.c), then edges (edge.c);
//   5. the remaining findings that are not explained.
// The stages use lists and trees with margins, but every decision depends on x0, x1 and the set
// alone: the result does not depend on the age of a list.
#include "contact/simplex/detection.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/interrupt.h"
#include "base/sort.h"
#include "math/vec3.h"

// Tolerances in units of the shortest side. Depths below this are zero: four orders above rounding, four
// below the clearance.
static const double depth_part = 1e-12;
// Nodes nearer than this to a face at x0 touch it; must exceed the tolerance and the accuracy to which
// contacts are solved.
static const double touching_part = 1e-9;
// The clearance, by which the sides of surfaces remain known: negligible in results, but well above rounding.
static const double clearance_part = 1e-8;
// Far from the origin rounding exceeds these; the clearance is then this many tolerances.
static const double clearance_roundings = 64;
// A pair violated by less than this fraction of the clearance counts as satisfied and no longer blocks others.
static const double satisfied_part = 0.1;

bool carom_detection_add(carom_detection *d, const carom_simplex *pair) {
    if (carom_violation_set_find(d->set, pair) >= 0)
        return false;
    if (!carom_violation_set_add(d->set, pair)) {
        d->failed = true;
        return false;
    }
    d->added++;
    return true;
}

// Penalties never satisfy a constraint exactly; a known pair then blocks nothing.
bool carom_detection_blocks(const carom_detection *d, bool added, double depth) {
    return added || (!d->violations->def.soft && depth > satisfied_part * d->clearance);
}

// Bodies keep the contact thickness from each other, not from themselves.
double carom_detection_thickness(const carom_detection *d, int a, int b) {
    double thickness = a == b ? 0 : d->violations->def.thickness;
    return carom_violations_two_sided(&d->violations->def, b) ? fmax(thickness, d->min_gap) : fmax(thickness, d->clearance);
}

double carom_detection_kept_gap(const carom_detection *d, double thickness, double start) {
    // the factor below prevents rounding from reducing a gap step by step
    double least = fmin(thickness, d->min_gap);
    if (d->violations->def.soft || start >= (1 - 1e-6) * thickness)
        return thickness;
    // a pair that starts closer keeps its gap, but at least the gap by which its side is known
    return fmax(start, least);
}

// True if the list made for another motion contains all pairs that come within half the margin on this one:
// each of two nodes has moved by at most a quarter of the margin, at both ends of the motion.
static bool is_fresh(const carom_violations *work, const double (*x0)[3], const double (*x1)[3]) {
    const carom_surface *surface = work->def.surface;
    bool fresh = work->listed;
    double most = 0.25 * work->margin;
    for (int v = 0; v < surface->vertex_count && fresh; v++) {
        int k = surface->vertices[v];
        double a[3], b[3];
        carom_difference(x0[k], work->listed_x[k][0], a);
        carom_difference(x1[k], work->listed_x[k][1], b);
        fresh = carom_dot(a, a) <= most * most && carom_dot(b, b) <= most * most;
    }
    return fresh;
}

// Renews the list of near pairs if it is no longer valid. It is marked invalid during the search, which
// may fail.
static carom_status list(carom_violations *work, const double (*x0)[3], const double (*x1)[3], carom_error *error) {
    const carom_surface *surface = work->def.surface;
    if (is_fresh(work, x0, x1))
        return CAROM_OK;
    work->listed = false;
    carom_status status = carom_broad_search(&work->broad, x0, x1, work->margin, error);
    if (status)
        return status;
    for (int v = 0; v < surface->vertex_count; v++) {
        int k = surface->vertices[v];
        carom_copy(x0[k], work->listed_x[k][0]);
        carom_copy(x1[k], work->listed_x[k][1]);
    }
    work->listed = true;
    return CAROM_OK;
}

carom_simplex carom_simplex_of_candidate(const carom_contact *contact) {
    carom_simplex pair = {
        .kind = contact->kind,
        .count = contact->count,
        .sign = 1,
        .weight = {contact->weight[0], contact->weight[1]},
        .offset = contact->offset,
        .body = {contact->body[0], contact->body[1]},
    };
    memcpy(pair.node, contact->node, sizeof pair.node);
    carom_copy(contact->normal, pair.normal);
    return pair;
}

bool carom_violations_are_immovable(const carom_violations_def *def, int a, int b) {
    return def->immovable && (a < 0 || def->immovable[a]) && (b < 0 || def->immovable[b]);
}

bool carom_violations_two_sided(const carom_violations_def *def, int body) {
    bool by_path = !def->soft && def->rule == CAROM_VIOLATION_CROSSED;
    return def->surface->open[body] || (by_path && def->filled && !def->filled[body]);
}

// Planes and ends: a linear constraint each, violated if its measure is below rounding.
static void check_candidates(carom_detection *d) {
    const carom_violations_def *def = &d->violations->def;
    for (int c = 0; def->candidates && c < def->candidates->count; c++) {
        const carom_contact *contact = &def->candidates->items[c];
        if (carom_violations_are_immovable(def, contact->body[0], contact->body[1]))
            continue;
        carom_simplex pair = carom_simplex_of_candidate(contact);
        double size = fabs(contact->offset);
        for (int k = 0; k < contact->count; k++)
            size += fabs(contact->weight[k]) * carom_norm(d->motion.x1[contact->node[k]]);
        if (carom_simplex_measure(&pair, d->motion.x1, NULL) < -4 * DBL_EPSILON * size)
            carom_detection_add(d, &pair);
    }
}

void carom_violation_part_release(carom_violation_part *part) {
    free(part->findings);
    free(part->crossings);
    free(part->close);
    free(part->nearby);
    free(part->ends);
    *part = (carom_violation_part){0};
}

int carom_violation_part_count(int64_t count) {
    return count > CAROM_VIOLATION_SHARED ? CAROM_VIOLATION_PARTS : 1;
}

void carom_detection_start_parts(carom_detection *d, int parts) {
    for (int p = 0; p < parts; p++) {
        carom_violation_part *part = &d->violations->parts[p];
        part->finding_count = part->crossing_count = part->close_count = 0;
        part->failed = false;
    }
}

int carom_detection_join_findings(carom_detection *d, int parts, carom_violation_finding **findings, int64_t *capacity) {
    int64_t count = 0;
    for (int p = 0; p < parts; p++) {
        const carom_violation_part *part = &d->violations->parts[p];
        d->failed = d->failed || part->failed;
        for (int64_t i = 0; i < part->finding_count && !d->failed; i++)
            d->failed = !carom_append(findings, &count, capacity, &part->findings[i], sizeof **findings);
    }
    return (int)count;
}

// Nodes of the surface with the faces listed for them. Pairs are sorted by node, so each run of equal nodes
// is one group; a portion holds the groups that begin in it.
static void check_listed(const carom_detection *d, int begin, int end, carom_violation_part *part) {
    const carom_violations *work = d->violations;
    const carom_pair_list *pairs = &work->broad.pairs;
    int p = begin;
    while (p > 0 && p < end && pairs->features[p][0] == pairs->features[p - 1][0])
        p++;
    for (int next; p < end && !part->failed; p = next) {
        int node = pairs->features[p][0], body = d->surface->node_body[node];
        int64_t count = 0;
        for (next = p; next < pairs->node_pair_count && pairs->features[next][0] == node; next++) {
            int face = pairs->features[next][1];
            if (carom_violations_are_immovable(&work->def, body, d->surface->body[face]))
                continue;
            part->failed = part->failed || !carom_append(&part->nearby, &count, &part->nearby_capacity, &face, sizeof face);
        }
        if (count && !part->failed)
            carom_detection_check_node(d, part, node, body, (int)count);
    }
}

// A search of a tree for the faces near a point mass, which the broad phase does not list.
typedef struct gathering {
    const carom_violations *violations;
    carom_violation_part *part;
    const carom_tree *tree;
    double box[2][3];
    int body, dimension;
    int64_t count; // faces found; -1: memory is short
} gathering;

static void gather(gathering *g, int level, int block) {
    const carom_tree *tree = g->tree;
    const carom_violations_def *def = &g->violations->def;
    int here = tree->level_begin[level] + block;
    for (int j = 0; j < CAROM_TREE_WIDTH && g->count >= 0; j++) {
        int tag = tree->tags[here][j];
        // a subtree that belongs to the own body, or to one without contact, is skipped as a whole
        bool meet = tag != CAROM_TREE_EMPTY && tag != g->body;
        for (int i = 0; i < g->dimension && meet; i++)
            meet =
                (double)tree->boxes[here].lower[i][j] <= g->box[1][i] && g->box[0][i] <= (double)tree->boxes[here].upper[i][j];
        if (!meet || (tag >= 0 && (carom_violations_are_immovable(def, g->body, tag) ||
                                   carom_exclusions_between(def->exclusions, g->body, tag))))
            continue;
        if (level > 0)
            gather(g, level - 1, CAROM_TREE_WIDTH * block + j);
        else if (!carom_append(&g->part->nearby, &g->count, &g->part->nearby_capacity,
                               &tree->order[CAROM_TREE_WIDTH * block + j], sizeof *g->part->nearby))
            g->count = -1;
    }
}

int carom_violations_gather_faces(const carom_violations *violations, const carom_tree *tree, const carom_motion *motion,
                                  int node, int body, double margin, carom_violation_part *part) {
    gathering g = {.violations = violations, .part = part, .tree = tree, .body = body, .dimension = motion->dimension};
    for (int i = 0; i < 3; i++) {
        double a = motion->x0[node][i], b = motion->x1[node][i];
        g.box[0][i] = (fmin(a, b) - margin - tree->centre[i]) * tree->scale;
        g.box[1][i] = (fmax(a, b) + margin - tree->centre[i]) * tree->scale;
    }
    if (tree->level_count)
        gather(&g, tree->level_count - 1, 0);
    // ascending: the tree may list faces in any order
    if (g.count > 0)
        qsort(part->nearby, (size_t)g.count, sizeof *part->nearby, carom_compare_ints);
    return (int)g.count;
}

// Checks point masses, with the smallest margin of listed pairs.
static void check_isolated(const carom_detection *d, int begin, int end, carom_violation_part *part) {
    const carom_violations *work = d->violations;
    for (int p = begin; p < end && !part->failed; p++) {
        int node = work->def.isolated[p], body = work->def.isolated_body[p];
        int count = carom_violations_gather_faces(work, &work->broad.tree, &d->motion, node, body, 0.5 * work->margin, part);
        part->failed = count < 0;
        if (count > 0)
            carom_detection_check_node(d, part, node, body, count);
    }
}

// All nodes: those of the surface in the order of the list, then point masses.
static void check_nodes(carom_detection *d) {
    carom_violations *work = d->violations;
    int64_t listed = work->broad.pairs.node_pair_count, points = work->def.isolated_count;
    int parts = carom_violation_part_count(listed + points);
    carom_detection_start_parts(d, parts);
#pragma omp parallel for schedule(dynamic) if (parts > 1)
    for (int p = 0; p < parts; p++) {
        int begin = (int)carom_violation_part_begin(listed + points, parts, p);
        int end = (int)carom_violation_part_begin(listed + points, parts, p + 1);
        int split = (int)listed;
        if (begin < split)
            check_listed(d, begin, end < split ? end : split, &work->parts[p]);
        if (end > split)
            check_isolated(d, (begin > split ? begin : split) - split, end - split, &work->parts[p]);
    }
    d->finding_count = carom_detection_join_findings(d, parts, &work->node_findings, &work->node_finding_capacity);
}

double carom_detection_depth_inside(const carom_detection *d, double t, const double point[3], int body) {
    carom_closest closest = carom_closest_on_body(&d->violations->broad.tree, &d->motion, t, point, body, d->tolerance);
    return closest.face >= 0 && closest.height < 0 && closest.distance > d->tolerance ? closest.distance : 0;
}

double carom_detection_hit_time(const carom_detection *d, carom_narrow_kind kind, const int nodes[4]) {
    double x[2][4][3], time;
    for (int k = 0; k < 4; k++)
        for (int end = 0; end < 2; end++)
            carom_motion_position(&d->motion, nodes[k], end, x[end][k]);
    const double(*a)[3] = (carom_const_vectors)x[0], (*b)[3] = (carom_const_vectors)x[1];
    return carom_narrow_meet(kind, a, b, &time) ? time : HUGE_VAL;
}

double carom_violations_rounding(const carom_surface *surface, const double (*x)[3]) {
    double size = 0;
    for (int v = 0; v < surface->vertex_count; v++)
        for (int i = 0; i < surface->corners; i++)
            size = fmax(size, fabs(x[surface->vertices[v]][i]));
    // 16: a distance is computed from about a dozen coordinates
    return 16 * DBL_EPSILON * size;
}

carom_status carom_violations_add(carom_violations *violations, const double (*x0)[3], const double (*x1)[3],
                                  carom_violation_set *set, int *added, int *ambiguous, carom_error *error) {
    const carom_surface *surface = violations->def.surface;
    carom_detection d = {.violations = violations, .surface = surface, .motion = {x0, x1, 3}, .set = set};
    *added = *ambiguous = 0;
    check_candidates(&d);
    if (surface && surface->face_count > 0) {
        carom_status status = list(violations, x0, x1, error);
        if (status)
            return status;
        // marks of the previous detection become invalid
        violations->generation++;
        violations->close_valid = false;
        d.motion.dimension = surface->corners;
        d.tolerance = fmax(depth_part * violations->length, carom_violations_rounding(surface, x1));
        d.touching = fmax(touching_part * violations->length, 4 * d.tolerance);
        d.min_gap = fmax(clearance_part * violations->length, clearance_roundings * d.tolerance);
        d.clearance = surface->corners == 3 ? d.min_gap : 0;
        check_nodes(&d);
        carom_detection_select(&d, true);
        if (surface->corners == 3 && !d.failed) {
            // faces find what nodes miss; if nodes were paired, the next detection will find the rest
            if (d.added == 0)
                carom_detection_check_faces(&d);
            carom_detection_check_edges(&d);
        }
        carom_detection_select(&d, false);
    }
    *added = d.added;
    *ambiguous = d.ambiguous;
    // the search for pairs of faces ends early if the run is interrupted
    if (d.failed && carom_interrupt_is_wanted())
        return carom_interrupt_check(error);
    return d.failed ? carom_no_memory(error, "contact") : CAROM_OK;
}
