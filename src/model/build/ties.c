// SPDX-License-Identifier: MIT
// Finds the ties of a model definition: linear constraints (rows) that hold slave nodes of one surface to the master faces of
// another, or connect points of two bodies. They are found on the meshes as given. Slave nodes are then moved onto the master
// faces, so that the rows hold for the reference positions, and elements are made from the moved meshes: the ties are free of
// strain.
#include "model/ties.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/rigid.h"
#include "element/line/obstacle.h"
#include "math/vec3.h"
#include "model/model.h"
#include "tied/mortar.h"
#include "tied/spot.h"

// The default tolerance, relative to the mean size of the slave faces.
static const double default_tolerance = 0.1;

// Faces are not opposite each other if their distance is above both this multiple of the tolerance and this fraction of the
// mean size of the slave faces.
static const double range_tolerances = 2;
static const double range_faces = 0.5;

// Slave faces should not be larger than master faces by more than this factor.
static const double max_size_ratio = 1.2;

// A connection point may be outside of its body by this fraction of an element: mesh surfaces are not smooth.
static const double max_outside = 0.05;

// Maximum number of passes that move slave nodes whose masters are slave nodes.
enum { MAX_PASSES = 64 };

// Ties under construction.
typedef struct finding {
    const carom_model *bare;
    carom_model_def *def;
    double (*X)[3];
    int *tie_of; // per node: 1 + the tie in which it is a slave node
    carom_tie_rows rows;
    carom_seam seam;
    carom_ties *ties;
    int64_t pair_capacity;
    int (*pairs)[2];
    int64_t tied_capacity;
    int (*tied)[2];
} finding;

static const carom_body *body_at(const carom_model *model, int node) {
    return &model->bodies[carom_model_node_body(model, node)];
}

static bool is_solid(const carom_model *model, const carom_body *body) {
    const carom_element *element = body->block_count ? model->blocks[body->block_begin].element : NULL;
    return element && carom_cell_dimension(element->cell) == 3 && !carom_element_is_obstacle(element);
}

static bool is_rigid(const finding *f, const carom_body *body) {
    return carom_model_rigid(f->bare, (int)(body - f->bare->bodies)) >= 0;
}

// The faces of one side; to be freed.
static carom_status find_faces(const finding *f, const carom_selection *where, carom_tie_face **faces, int *count, double *mean,
                               carom_error *error) {
    carom_load_face *selected;
    *faces = NULL;
    *mean = 0;
    carom_status status = carom_model_select_faces(f->bare, f->def, where, &selected, count, error);
    if (status)
        return status;
    *faces = carom_allocate(*count, sizeof **faces);
    if (!*faces)
        status = carom_no_memory(error, "the ties");
    for (int i = 0; i < *count && !status; i++) {
        carom_tie_plane plane;
        const carom_body *body = body_at(f->bare, selected[i].nodes[0]);
        if (!is_solid(f->bare, body) && !is_rigid(f, body))
            status = carom_fail(error, CAROM_BAD_INPUT, "body '%s' has no faces to tie: ties are between solids", body->name);
        memcpy((*faces)[i].nodes, selected[i].nodes, sizeof(*faces)[i].nodes);
        if (!status && carom_tie_plane_of(&(*faces)[i], (carom_const_vectors)f->X, &plane))
            *mean += plane.size / *count;
    }
    free(selected);
    return status;
}

// Checks that both sides have no common nodes.
static carom_status check_sides(const finding *f, const carom_mortar_def *def, carom_error *error) {
    bool *first = carom_allocate(f->bare->node_count, sizeof *first);
    if (!first)
        return carom_no_memory(error, "the ties");
    carom_status status = CAROM_OK;
    for (int i = 0; i < def->face_count[0]; i++)
        for (int a = 0; a < carom_tie_face_size(&def->faces[0][i]); a++)
            first[def->faces[0][i].nodes[a]] = true;
    for (int i = 0; i < def->face_count[1] && !status; i++)
        for (int a = 0; a < carom_tie_face_size(&def->faces[1][i]) && !status; a++) {
            int k = def->faces[1][i].nodes[a];
            if (first[k])
                status = carom_fail(error, CAROM_BAD_INPUT,
                                    "node %lld of body '%s' is on both sides: `from` and `to` must not share nodes",
                                    (long long)carom_body_node_id(body_at(f->bare, k), k), body_at(f->bare, k)->name);
        }
    free(first);
    return status;
}

// Records the slave nodes of the rows from `begin` on.
static carom_status note_slaves(finding *f, int tie, const carom_tie_rows *rows, int begin, carom_error *error) {
    for (int r = begin; r < rows->count; r++) {
        int k = rows->node[rows->begin[r]];
        if (f->tie_of[k])
            return carom_fail(error, CAROM_BAD_INPUT,
                              "node %lld of body '%s' follows in tied[%d] already: a node can follow once; exchange `from` and "
                              "`to` in one of the two",
                              (long long)carom_body_node_id(body_at(f->bare, k), k), body_at(f->bare, k)->name,
                              f->tie_of[k] - 1);
        f->tie_of[k] = 1 + tie;
    }
    return CAROM_OK;
}

static bool add_pair(int (**pairs)[2], int *count, int64_t *capacity, int a, int b) {
    void *grown = carom_grow(*pairs, *count, capacity, sizeof **pairs);
    if (!grown)
        return false;
    *pairs = grown;
    (*pairs)[*count][0] = a;
    (*pairs)[(*count)++][1] = b;
    return true;
}

// Records which bodies the rows from `begin` on tie.
static carom_status note_pairs(finding *f, const carom_tie_rows *rows, int begin, carom_error *error) {
    for (int r = begin; r < rows->count; r++)
        for (int i = rows->begin[r] + 1; i < rows->begin[r + 1]; i++) {
            int a = carom_model_node_body(f->bare, rows->node[rows->begin[r]]);
            int b = carom_model_node_body(f->bare, rows->node[i]);
            bool known = false;
            for (int p = 0; p < f->ties->pair_count && !known; p++)
                known = f->pairs[p][0] == a && f->pairs[p][1] == b;
            if (known)
                continue;
            if (!add_pair(&f->pairs, &f->ties->pair_count, &f->pair_capacity, a, b))
                return carom_no_memory(error, "the ties");
        }
    return CAROM_OK;
}

static carom_status check_result(const finding *f, int tie, const carom_mortar_result *result, double tolerance, double range,
                                 carom_error *error) {
    const carom_tie_def *def = &f->def->ties[tie];
    if (!result->tied)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "no face of '%s' lies opposite a face of '%s' within %.3g, so nothing is tied: "
                          "move the bodies together, or give a larger `tolerance`",
                          def->to.body, def->from.body, range);
    if (result->distance <= tolerance)
        return CAROM_OK;
    const carom_body *body = body_at(f->bare, result->farthest);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "node %lld of body '%s' is at a distance of %.3g from the faces opposite, beyond the "
                      "tolerance of %.3g: move the bodies together, or give a larger `tolerance`",
                      (long long)carom_body_node_id(body, result->farthest), body->name, result->distance, tolerance);
}

static void add_to_report(carom_ties *ties, const carom_mortar_result *result) {
    carom_tied *report = &ties->report;
    report->ties++;
    report->nodes += result->tied;
    report->left += result->left;
    // a distance due to rounding is not reported
    if (result->distance > 1e-12 * result->mean[0])
        report->distance = fmax(report->distance, result->distance);
    report->coarse += result->mean[0] > max_size_ratio * result->mean[1];
}

// Finds the rigid side of a tie; the deformable side is the slave side, whatever the order. -1: none.
static carom_status find_rigid_side(const finding *f, carom_tie_face *const faces[2], const int count[2], int *side,
                                    carom_error *error) {
    const carom_body *rigid[2] = {NULL, NULL}, *soft[2] = {NULL, NULL};
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < count[s]; i++) {
            const carom_body *body = body_at(f->bare, faces[s][i].nodes[0]);
            *(is_rigid(f, body) ? &rigid[s] : &soft[s]) = body;
        }
    *side = rigid[0] ? 0 : rigid[1] ? 1 : -1;
    if (rigid[0] && rigid[1])
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "'%s' and '%s' are both rigid, and cannot be tied to each other: make one body of their meshes, or hold them by "
            "`joints`",
            rigid[0]->name, rigid[1]->name);
    if (*side >= 0 && soft[*side])
        return carom_fail(error, CAROM_BAD_INPUT, "one side of the tie has '%s', which is rigid, and '%s', which deforms",
                          rigid[*side]->name, soft[*side]->name);
    return CAROM_OK;
}

// Ties the slave nodes of some rows to the rigid body of their masters. They are not moved: any position in that body is valid.
static carom_status tie_to_rigid(finding *f, const carom_tie_rows *rows, carom_error *error) {
    for (int r = 0; r < rows->count; r++) {
        int k = rows->node[rows->begin[r]], body = carom_model_node_body(f->bare, rows->node[rows->begin[r] + 1]);
        for (int i = rows->begin[r] + 1; i < rows->begin[r + 1]; i++)
            if (carom_model_node_body(f->bare, rows->node[i]) != body)
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "node %lld of body '%s' lies between the rigid bodies '%s' and '%s', and can be tied to one",
                                  (long long)carom_body_node_id(body_at(f->bare, k), k), body_at(f->bare, k)->name,
                                  f->bare->bodies[body].name, body_at(f->bare, rows->node[i])->name);
        if (!add_pair(&f->tied, &f->ties->tied_count, &f->tied_capacity, k, body))
            return carom_no_memory(error, "the ties");
    }
    return CAROM_OK;
}

static carom_status find_tie(finding *f, int tie, carom_error *error) {
    const carom_tie_def *given = &f->def->ties[tie];
    carom_tie_face *faces[2] = {NULL, NULL};
    double mean[2];
    int rigid = -1, first = 0;
    carom_mortar_def def = {.X = (carom_const_vectors)f->X, .node_count = f->bare->node_count};
    carom_tie_rows scratch = {0}, *rows = &f->rows;
    carom_status status = find_faces(f, &given->from, &faces[0], &def.face_count[0], &mean[0], error);
    if (!status)
        status = find_faces(f, &given->to, &faces[1], &def.face_count[1], &mean[1], error);
    if (!status)
        status = find_rigid_side(f, faces, def.face_count, &rigid, error);
    if (rigid >= 0)
        rows = &scratch;
    if (rigid == 0) {
        int count = def.face_count[0];
        def.face_count[0] = def.face_count[1];
        def.face_count[1] = count;
        mean[0] = mean[1];
        first = 1;
    }
    def.faces[0] = faces[first];
    def.faces[1] = faces[!first];
    double tolerance = isnan(given->tolerance) ? default_tolerance * mean[0] : given->tolerance;
    def.range = fmax(range_tolerances * tolerance, range_faces * mean[0]);
    // nodes may be moved by the tolerance; with a larger overlap the face belongs to the far side of a thin body
    def.behind = tolerance;
    if (!status)
        status = check_sides(f, &def, error);
    carom_mortar_result result;
    int begin = rows->count;
    if (!status)
        status = carom_mortar_tie(&def, rows, &f->seam, &result, error);
    if (!status)
        status = check_result(f, tie, &result, tolerance, def.range, error);
    if (!status)
        status = note_slaves(f, tie, rows, begin, error);
    if (!status)
        status = note_pairs(f, rows, begin, error);
    if (!status && rigid >= 0)
        status = tie_to_rigid(f, &scratch, error);
    // nodes on rigid bodies are not moved, and their faces may have any size
    if (rigid >= 0)
        result.distance = result.mean[0] = 0;
    if (!status)
        add_to_report(f->ties, &result);
    carom_tie_rows_release(&scratch);
    free(faces[0]);
    free(faces[1]);
    return status;
}

// Moves slave nodes onto their masters. Chains of slave nodes need one pass per link.
static carom_status close_gaps(finding *f, carom_error *error) {
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        double largest = 0, size = 0;
        for (int r = 0; r < f->rows.count; r++) {
            double at[3] = {0}, gap[3];
            int k = f->rows.node[f->rows.begin[r]];
            for (int i = f->rows.begin[r] + 1; i < f->rows.begin[r + 1]; i++)
                carom_add_scaled(-f->rows.weight[i], f->X[f->rows.node[i]], at);
            carom_difference(at, f->X[k], gap);
            largest = fmax(largest, carom_norm(gap));
            size = fmax(size, carom_norm(at));
            carom_copy(at, f->X[k]);
        }
        // the last pass moves nothing
        if (largest <= 1e-15 * size)
            return CAROM_OK;
    }
    return carom_fail(error, CAROM_BAD_INPUT, "cyclic ties: exchange `from` and `to` in one of them");
}

// The node nearest to a point.
static const double *nearest_node(carom_const_vectors X, int count, const double point[3]) {
    int best = 0;
    double least = HUGE_VAL;
    for (int k = 0; k < count; k++) {
        double gap[3];
        carom_difference(X[k], point, gap);
        if (carom_norm(gap) < least) {
            least = carom_norm(gap);
            best = k;
        }
    }
    return X[best];
}

// Finds the weights of the nodes of one side of a connection at the common point of both sides.
static carom_status locate(const finding *f, const carom_spot_def *side, const char *name, const double meet[3],
                           double *weights, carom_error *error) {
    int b = carom_model_body(f->bare, side->body);
    if (b < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "`%s`: there is no body '%s'", name, side->body);
    const carom_body *body = &f->bare->bodies[b];
    carom_const_vectors X = (carom_const_vectors)(f->X + body->node_begin);
    if (!is_solid(f->bare, body))
        return carom_fail(error, CAROM_BAD_INPUT, "`%s`: body '%s' is not a solid: connections are between solids", name,
                          side->body);
    if (carom_spot_weights(f->def->bodies[b].mesh, X, side->point, meet, weights + body->node_begin) > max_outside) {
        const double *near = nearest_node(X, body->node_count, side->point);
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "`%s`: the point (%g, %g, %g) is outside of body '%s', whose nearest node is at (%g, %g, %g): move the point "
            "there, or into the body",
            name, side->point[0], side->point[1], side->point[2], side->body, near[0], near[1], near[2]);
    }
    return CAROM_OK;
}

// Adds the row of a connection with these weights of all nodes, those of body `second` negative.
static bool add_connection(finding *f, const double *weights, const carom_body *second) {
    int n = f->bare->node_count, count = 0, best = 0;
    for (int k = 0; k < n; k++)
        count += weights[k] != 0;
    int *nodes = carom_allocate(count, sizeof *nodes);
    double *row = carom_allocate(count, sizeof *row);
    bool enough = nodes && row;
    count = 0;
    for (int k = 0; k < n && enough; k++) {
        if (weights[k] == 0)
            continue;
        bool in_second = k >= second->node_begin && k < second->node_begin + second->node_count;
        nodes[count] = k;
        row[count] = in_second ? -weights[k] : weights[k];
        if (fabs(row[count]) > fabs(row[best]))
            best = count;
        count++;
    }
    // the node with the largest weight is the slave node
    if (enough) {
        int node = nodes[best];
        double weight = row[best];
        nodes[best] = nodes[0];
        row[best] = row[0];
        nodes[0] = node;
        row[0] = weight;
        enough = carom_tie_rows_add(&f->rows, count, nodes, row);
    }
    free(nodes);
    free(row);
    return enough;
}

// Both sides meet at the midpoint of their points, to which both bodies are continued with their deformation.
static carom_status connect(finding *f, int number, carom_error *error) {
    const carom_connection_def *def = &f->def->connections[number];
    double meet[3], gap[3];
    for (int d = 0; d < 3; d++)
        meet[d] = 0.5 * (def->from.point[d] + def->to.point[d]);
    if (strcmp(def->from.body, def->to.body) == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "both points are of body '%s': name another body in `from` or `to`",
                          def->from.body);
    double *weights = carom_allocate(f->bare->node_count, sizeof *weights);
    carom_status status = weights ? CAROM_OK : carom_no_memory(error, "the ties");
    if (!status)
        status = locate(f, &def->from, "from", meet, weights, error);
    if (!status)
        status = locate(f, &def->to, "to", meet, weights, error);
    if (!status && !add_connection(f, weights, &f->bare->bodies[carom_model_body(f->bare, def->to.body)]))
        status = carom_no_memory(error, "the ties");
    free(weights);
    if (status)
        return status;
    carom_difference(def->to.point, def->from.point, gap);
    f->ties->report.connections++;
    f->ties->report.span = fmax(f->ties->report.span, carom_norm(gap));
    return CAROM_OK;
}

// Gives bodies with moved nodes meshes of their own.
static bool replace_meshes(const finding *f, carom_arena *arena) {
    carom_body_def *bodies = carom_arena_copy(arena, f->def->bodies, (size_t)f->def->body_count * sizeof *bodies);
    if (!bodies)
        return false;
    f->def->bodies = bodies;
    for (int b = 0; b < f->def->body_count; b++) {
        const carom_body *body = &f->bare->bodies[b];
        size_t size = (size_t)body->node_count * sizeof *f->X;
        if (memcmp(f->X + body->node_begin, f->bare->X + body->node_begin, size) == 0)
            continue;
        carom_mesh *mesh = carom_arena_copy(arena, bodies[b].mesh, sizeof *mesh);
        if (!mesh)
            return false;
        mesh->nodes = carom_arena_copy(arena, f->X + body->node_begin, size);
        if (!mesh->nodes)
            return false;
        bodies[b].mesh = mesh;
    }
    return true;
}

static int by_nodes(const void *a, const void *b) {
    const int *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

// Keeps each pair of nodes of a seam once.
static bool keep_seam(const finding *f, carom_arena *arena, carom_ties *ties) {
    int(*pairs)[2] = f->seam.pairs;
    ties->seam_count = 0;
    if (!f->seam.count)
        return true;
    qsort(pairs, (size_t)f->seam.count, sizeof *pairs, by_nodes);
    for (int64_t i = 0; i < f->seam.count; i++)
        if (i == 0 || by_nodes(pairs[i], pairs[ties->seam_count - 1]) != 0)
            memmove(pairs[ties->seam_count++], pairs[i], sizeof *pairs);
    ties->seam = carom_arena_copy(arena, pairs, (size_t)ties->seam_count * sizeof *pairs);
    return ties->seam;
}

static bool keep(const finding *f, carom_arena *arena, carom_ties *ties) {
    const carom_tie_rows *rows = &f->rows;
    int entries = rows->count ? rows->begin[rows->count] : 0;
    ties->rows = (carom_tie_rows){.count = rows->count, .surfaces = rows->surfaces};
    if (ties->pair_count)
        ties->pairs = carom_arena_copy(arena, f->pairs, (size_t)ties->pair_count * sizeof *f->pairs);
    if (ties->tied_count) {
        qsort(f->tied, (size_t)ties->tied_count, sizeof *f->tied, by_nodes);
        ties->tied = carom_arena_copy(arena, f->tied, (size_t)ties->tied_count * sizeof *f->tied);
    }
    if ((ties->pair_count && !ties->pairs) || (ties->tied_count && !ties->tied))
        return false;
    if (!rows->count)
        return true;
    ties->rows.begin = carom_arena_copy(arena, rows->begin, (size_t)(rows->count + 1) * sizeof *rows->begin);
    ties->rows.node = carom_arena_copy(arena, rows->node, (size_t)entries * sizeof *rows->node);
    ties->rows.weight = carom_arena_copy(arena, rows->weight, (size_t)entries * sizeof *rows->weight);
    return ties->rows.begin && ties->rows.node && ties->rows.weight;
}

carom_status carom_model_find_ties(const carom_model *bare, carom_model_def *def, carom_arena *arena, carom_ties *ties,
                                   carom_error *error) {
    size_t size = (size_t)bare->node_count * sizeof *bare->X;
    finding f = {.bare = bare, .def = def, .ties = ties};
    f.X = carom_allocate(bare->node_count, sizeof *f.X);
    f.tie_of = carom_allocate(bare->node_count, sizeof *f.tie_of);
    ties->tie_begin = carom_arena_allocate(arena, def->tie_count, sizeof *ties->tie_begin);
    carom_status status = f.X && f.tie_of && ties->tie_begin ? CAROM_OK : carom_no_memory(error, "the ties");
    if (!status)
        memcpy(f.X, bare->X, size);
    for (int t = 0; t < def->tie_count && !status; t++) {
        ties->tie_begin[t] = f.rows.count;
        status = find_tie(&f, t, error);
    }
    if (!status)
        status = close_gaps(&f, error);
    for (int c = 0; c < def->connection_count && !status; c++)
        status = connect(&f, c, error);
    if (!status && (!replace_meshes(&f, arena) || !keep(&f, arena, ties) || !keep_seam(&f, arena, ties)))
        status = carom_no_memory(error, "the ties");
    free(f.X);
    free(f.tie_of);
    free(f.pairs);
    free(f.tied);
    free(f.seam.pairs);
    carom_tie_rows_release(&f.rows);
    return status;
}
