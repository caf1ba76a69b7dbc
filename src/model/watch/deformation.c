// SPDX-License-Identifier: MIT
// Finds elements that are inverted, or rotated too far for the law `linear`. With J = dx/dr at a point of an element, r its
// local coordinates, det J <= 0 means that it is inverted there, and det J/|cof J| is, up to a factor, its smallest height.
#include "model/watch/deformation.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "element/average/nodal.h"
#include "element/element.h"
#include "element/solid/solid_point.h"
#include "material/material.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/forces/forces.h"
#include "model/model.h"
#include "model/watch/frequency_bound.h"

// PIECE: number of elements that are measured at a time, a few batches. SHARED: number of elements of a block, or of all small
// bodies together, above which several threads are used.
enum { PIECE = 8 * CAROM_LANES, SHARED = 4096 };

static bool is_linear(const carom_block *block) {
    return block->material->small;
}

static bool is_solid(const carom_block *block) {
    int dimension = carom_cell_dimension(block->element->cell);
    return carom_element_is_solid(block->element) && !block->element->framed && block->material &&
           (dimension == 3 || (block->element->plane && block->material->solid));
}

// Solids and shells except those whose law allows any shape.
static bool is_watched(const carom_block *block) {
    bool shell = block->element->measure && !block->element->framed && block->material;
    return (is_solid(block) || shell) && !is_linear(block);
}

// det J/|cof J| of a map.
static double height_of_map(const double J[3][3]) {
    // The rows of the cofactor matrix are cross products of the rows of J.
    double C[3][3], square = 0;
    for (int i = 0; i < 3; i++) {
        carom_cross(J[(i + 1) % 3], J[(i + 2) % 3], C[i]);
        square += carom_dot(C[i], C[i]);
    }
    // DBL_MIN keeps an element that has shrunk to a point from dividing zero by zero.
    return carom_dot(J[0], C[0]) / sqrt(square + DBL_MIN);
}

// True if the energy of a sheet has no solution for its thickness at zero transverse stress.
static bool is_torn(const carom_block *block, int e, const double (*x)[3], const double (*X)[3]) {
    if (!block->element->plane || ((const carom_plane_element_params *)block->params)->plane == CAROM_PLANE_STRAIN)
        return false;
    carom_block one = carom_block_at(block, e, 1);
    double energy;
    block->element->energy(&one, 0, 1, x, X, &energy);
    // Not below infinity: NaN counts as torn.
    return !(energy < HUGE_VAL);
}

// Heights of solids, and heights and stretches of elements with a measure of their own.
static void find_heights(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                         double height[PIECE], double stretch[PIECE]) {
    memset(height, 0, PIECE * sizeof *height);
    if (carom_element_is_solid(block->element))
        carom_solid_heights(block, begin, end, x, X, height);
    if (block->element->measure)
        block->element->measure(block, begin, end, x, height, stretch);
}

static int end_of_piece(const carom_block *block, int begin) {
    return begin + PIECE < block->count ? begin + PIECE : block->count;
}

// The first element of a block that is inverted or torn; -1: none.
static int find_inverted(const carom_block *block, const double (*x)[3], const double (*X)[3]) {
    int first = INT_MAX;
#pragma omp parallel for schedule(static) reduction(min : first) if (block->count > SHARED)
    for (int begin = 0; begin < block->count; begin += PIECE) {
        double height[PIECE], stretch[PIECE];
        int end = end_of_piece(block, begin);
        find_heights(block, begin, end, x, X, height, stretch);
        for (int e = begin; e < end; e++)
            if (e < first && (height[e - begin] <= 0 || is_torn(block, e, x, X)))
                first = e;
    }
    return first < INT_MAX ? first : -1;
}

carom_deformation carom_model_watch_deformation(const carom_model *model, const double (*x)[3]) {
    carom_deformation watch = {.inverted = ""};
    for (int b = 0; b < model->block_count && !watch.inverted[0]; b++) {
        const carom_block *block = &model->blocks[b];
        int e = is_watched(block) && !carom_nodal_is_open(block) ? find_inverted(block, x, (carom_const_vectors)model->X) : -1;
        if (e >= 0)
            carom_block_name_element(model, b, e, watch.inverted, sizeof watch.inverted);
    }
    return watch;
}

// The sine of ten degrees: the law `linear` computes a strain of 1.5 % for such a rotation.
static const double large_turn = 0.17;

// Fraction of the margin that is used; the rest covers rounding.
static const double used_margin = 0.99;

// After a check: a rotation R and a further displacement of at most u make R F + E of F with |E| <= u sum |g_a|, and the axial
// vector of a matrix is at most 1/sqrt(2) of its norm. Hence the sine of an element (carom_solid_turns) is at most the old one
// + |R - I| |F|/2 + u sum |g_a|/sqrt(2), where |R - I| is the Frobenius norm, sqrt(2) times the largest stretch of R - I.

// Nodal displacements u change the map J at a point by at most sum |dN_a| u. J keeps its orientation while the change is below
// its least singular value, and det J/|cof J| is never larger than that.
static double change_of_map(const carom_solid_shape *shape) {
    double most = 0;
    for (int q = 0; q < shape->point_count; q++) {
        double sum = 0;
        for (int a = 0; a < shape->node_count; a++)
            sum += carom_norm(shape->dN[q][a]);
        most = fmax(most, sum);
    }
    return most;
}

// `height` is that of a solid, or the element's own measure; it is recomputed for patches of `nodal`. *margin: the
// displacement of its nodes below which the element is not inverted.
static bool is_inside_out(const carom_block *block, int e, const double (*x)[3], const double (*X)[3], double height,
                          double change, double *margin) {
    *margin = 0;
    if (block->element == &carom_nodal_patch) {
        double F[3][3], most;
        carom_nodal_patch_map(block, e, x, F, &most);
        height = height_of_map((carom_const_vectors)F);
        // NaN counts as inverted
        *margin = height > 0 ? height / most : 0;
        return !(height > 0);
    }
    if (block->element->measure)
        return height <= 0;
    // the mean map of a brick with one point, and sheets that may tear, have no such bound
    if (!carom_solid_is_one_point(block) && (is_linear(block) || !block->element->plane) && height > 0)
        *margin = height / change;
    return height <= 0 || (!is_linear(block) && is_torn(block, e, x, X));
}

// Cells of `nodal` may be inverted if the patches of their nodes have the barrier; then the patches are checked.
static bool resists_inversion(const carom_block *block) {
    bool patch = block->element == &carom_nodal_patch && !is_linear(block);
    return patch || (is_watched(block) && !carom_nodal_is_open(block));
}

// Finds the first defective elements of a block, and updates the safety margin of its body.
static carom_shapes check_block(const carom_block *block, bool turns, const double (*x)[3], const double (*X)[3],
                                carom_shape_margin *margin) {
    int inverted = INT_MAX, rotated = INT_MAX;
    double path = margin->path, turn = margin->turn, norm = margin->norm, slope = margin->slope;
    double change = carom_element_is_solid(block->element) ? change_of_map(carom_solid_shape_of(block)) : 0;
#pragma omp parallel for schedule(static) reduction(min                        \
                                                    : inverted, rotated, path) \
    reduction(max                                                              \
              : turn, norm, slope) if (block->count > SHARED)
    for (int begin = 0; begin < block->count; begin += PIECE) {
        double height[PIECE], stretch[PIECE], turned[PIECE * CAROM_TURN_MEASURES];
        int end = end_of_piece(block, begin);
        find_heights(block, begin, end, x, X, height, stretch);
        if (turns)
            carom_solid_turns(block, begin, end, x, X, turned);
        for (int e = begin; e < end; e++) {
            double own = 0;
            if (e < inverted && is_inside_out(block, e, x, X, height[e - begin], change, &own))
                inverted = e;
            path = own < path ? own : path;
            if (!turns || e >= rotated)
                continue;
            const double *of = &turned[carom_lane(e - begin, 0, CAROM_TURN_MEASURES)];
            double own_turn = of[CAROM_LANES * CAROM_TURN_SINE], own_norm = of[CAROM_LANES * CAROM_TURN_NORM];
            double own_slope = of[CAROM_LANES * CAROM_TURN_SLOPE];
            if (own_turn > large_turn)
                rotated = e;
            turn = own_turn > turn ? own_turn : turn;
            norm = own_norm > norm ? own_norm : norm;
            slope = own_slope > slope ? own_slope : slope;
        }
    }
    *margin = (carom_shape_margin){inverted < INT_MAX ? 0 : path, turn, norm, slope};
    return (carom_shapes){inverted < INT_MAX ? inverted : -1, rotated < INT_MAX ? rotated : -1};
}

// The rotation nearest to H by Newton's iteration for the polar decomposition, R <- (R + R^-T)/2; false if H has none.
static bool rotation_of(double H[3][3]) {
    for (int round = 0; round < 40; round++) {
        double C[3][3], error = 0;
        for (int i = 0; i < 3; i++)
            carom_cross(H[(i + 1) % 3], H[(i + 2) % 3], C[i]);
        double det = carom_dot(H[0], C[0]);
        if (!(det > 0))
            return false;
        // scaling by the determinant makes distant matrices converge quickly
        double scale = 1 / carom_cbrt(det);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double next = 0.5 * (scale * H[i][j] + C[i][j] / (scale * det));
                error = fmax(error, fabs(next - H[i][j]));
                H[i][j] = next;
            }
        if (error < 1e-12)
            return true;
    }
    return false;
}

// Adds the contribution of some nodes to the centroids of the positions y and x.
static void add_places(int begin, int count, double share, const double (*y)[3], const double (*x)[3], double from[3],
                       double to[3]) {
    for (int k = begin; k < begin + count; k++) {
        carom_add_scaled(share, y[k], from);
        carom_add_scaled(share, x[k], to);
    }
}

static void add_products(int begin, int count, const double (*y)[3], const double (*x)[3], const double from[3],
                         const double to[3], double H[3][3]) {
    for (int k = begin; k < begin + count; k++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                H[i][j] += (x[k][i] - to[i]) * (y[k][j] - from[j]);
}

// The largest squared displacement of some nodes relative to the rigid motion; NaN is kept.
static double farthest(int begin, int count, const double (*y)[3], const double (*x)[3], const double from[3],
                       const double to[3], const double R[3][3], double most) {
    for (int k = begin; k < begin + count; k++) {
        double d[3], square = 0;
        carom_difference(y[k], from, d);
        for (int i = 0; i < 3; i++) {
            double u = x[k][i] - to[i] - carom_dot(R[i], d);
            square += u * u;
        }
        most = square <= most ? most : square;
    }
    return most;
}

// The largest displacement of a node of the body from y to x relative to the nearest rigid motion. `turn` receives |R - I|. Of
// a body that several processes share, only the nodes that this one has are checked.
static double path_of(const carom_body *body, const double (*y)[3], const double (*x)[3], double *turn) {
    double from[3] = {0}, to[3] = {0}, R[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, H[3][3] = {{0}};
    double share = 1.0 / (body->node_count + body->ghost_count);
    add_places(body->node_begin, body->node_count, share, y, x, from, to);
    add_places(body->ghost_begin, body->ghost_count, share, y, x, from, to);
    add_products(body->node_begin, body->node_count, y, x, from, to, H);
    add_products(body->ghost_begin, body->ghost_count, y, x, from, to, H);
    // any rotation is valid: for a flat body, which has no nearest one, it is I
    if (rotation_of(H))
        memcpy(R, H, sizeof R);
    *turn = 0;
    for (int i = 0; i < 9; i++)
        *turn += (R[i / 3][i % 3] - (i % 4 == 0)) * (R[i / 3][i % 3] - (i % 4 == 0));
    *turn = sqrt(*turn);
    double most = farthest(body->node_begin, body->node_count, y, x, from, to, (carom_const_vectors)R, 0);
    return sqrt(farthest(body->ghost_begin, body->ghost_count, y, x, from, to, (carom_const_vectors)R, most));
}

// True if the nodes of a body have moved less since the last check than a defect requires.
static bool is_idle(const carom_body *body, const carom_shape_memory *memory, const double (*x)[3], bool turns) {
    const carom_shape_margin *margin = &memory->margin[body->block_begin];
    if (!(margin->path > 0))
        return false;
    double turn, path = path_of(body, (carom_const_vectors)memory->x, x, &turn);
    bool level = margin->turn + 0.5 * turn * margin->norm + sqrt(0.5) * path * margin->slope < used_margin * large_turn;
    return path < used_margin * margin->path && (!turns || level);
}

// The number in the model of element e of a block; -1 is kept.
static int number_of(const carom_model *model, int block, int e) {
    for (int b = 0; e >= 0 && b < block; b++)
        e += model->blocks[b].count;
    return e;
}

// True if the elements of a block are checked for large rotation.
static bool asks_turns(const carom_block *block) {
    return is_solid(block) && is_linear(block);
}

static bool is_checked(const carom_block *block, bool skip_stiffening) {
    bool checked_by_step_control = skip_stiffening && block->element->stiffens && block->element->stiffens(block);
    return asks_turns(block) || (resists_inversion(block) && !checked_by_step_control);
}

int carom_block_checks(const carom_block *block, bool skip_stiffening) {
    if (block->count == 0 || !is_checked(block, skip_stiffening))
        return 0;
    bool patch = block->element == &carom_nodal_patch;
    if (block->element->plane || (patch && is_linear(block)))
        return CAROM_CHECK_OTHER;
    return CAROM_CHECK_HEIGHT | (asks_turns(block) ? CAROM_CHECK_TURN : 0);
}

double carom_deformation_large_turn(void) {
    return large_turn;
}

// True if any element of a body is checked.
static bool is_body_checked(const carom_model *model, const carom_body *body, bool skip_stiffening) {
    for (int i = body->block_begin; i < body->block_begin + body->block_count; i++)
        if (model->blocks[i].count > 0 && is_checked(&model->blocks[i], skip_stiffening))
            return true;
    return false;
}

static carom_shapes check_one_body(const carom_model *model, const carom_body *body, const double (*x)[3], bool skip_stiffening,
                                   bool turns, carom_shape_memory *memory) {
    carom_shapes all = {-1, -1};
    carom_shape_margin margin = {.path = HUGE_VAL};
    if (!is_body_checked(model, body, skip_stiffening) || (memory && is_idle(body, memory, x, turns)))
        return all;
    for (int i = body->block_begin; i < body->block_begin + body->block_count; i++) {
        const carom_block *block = &model->blocks[i];
        if (!is_checked(block, skip_stiffening))
            continue;
        carom_shapes seen = check_block(block, asks_turns(block) && turns, x, (carom_const_vectors)model->X, &margin);
        all.inverted = all.inverted < 0 ? number_of(model, i, seen.inverted) : all.inverted;
        all.rotated = all.rotated < 0 ? number_of(model, i, seen.rotated) : all.rotated;
    }
    if (memory) {
        memory->margin[body->block_begin] = margin;
        memcpy(memory->x[body->node_begin], x[body->node_begin], (size_t)body->node_count * sizeof *x);
        memcpy(memory->x[body->ghost_begin], x[body->ghost_begin], (size_t)body->ghost_count * sizeof *x);
    }
    return all;
}

// Elements are numbered body after body: the smallest number is that of the first body.
static void join_shapes(carom_shapes *all, carom_shapes one) {
    if (one.inverted >= 0 && (all->inverted < 0 || one.inverted < all->inverted))
        all->inverted = one.inverted;
    if (one.rotated >= 0 && (all->rotated < 0 || one.rotated < all->rotated))
        all->rotated = one.rotated;
}

// Threads share the elements of a large body, and small bodies among each other.
static carom_shapes check_here(const carom_model *model, const double (*x)[3], bool skip_stiffening, bool turns,
                               carom_shape_memory *memory) {
    carom_shapes all = {-1, -1};
    int large = 0;
    for (int b = 0; b < model->body_count; b++) {
        int count = carom_body_element_count(model, &model->bodies[b]);
        large += count > SHARED ? count : 0;
        if (count > SHARED || model->element_count <= SHARED)
            join_shapes(&all, check_one_body(model, &model->bodies[b], x, skip_stiffening, turns, memory));
    }
    if (model->element_count <= SHARED || large == model->element_count)
        return all;
#pragma omp parallel if (model->element_count - large > SHARED)
    {
        carom_shapes own = {-1, -1};
#pragma omp for schedule(dynamic) nowait
        for (int b = 0; b < model->body_count; b++)
            if (carom_body_element_count(model, &model->bodies[b]) <= SHARED)
                join_shapes(&own, check_one_body(model, &model->bodies[b], x, skip_stiffening, turns, memory));
#pragma omp critical(carom_shapes)
        join_shapes(&all, own);
    }
    return all;
}

static bool has_finite_nodes(const carom_block *block, int e, const double (*x)[3]) {
    double sum = 0;
    for (int a = 0; a < block->node_count; a++)
        sum += carom_norm(x[block->nodes[(ptrdiff_t)e * block->node_count + a]]);
    return isfinite(sum);
}

// The first element of the subdomain, -1: none.
static int find_undefined(const carom_model *model, const double (*x)[3], const double (*R)[3][3]) {
    int first = 0, found = -1;
    double *energies = carom_allocate(model->element_count, sizeof *energies);
    for (int b = 0; energies && b < model->block_count && found < 0; first += model->blocks[b++].count) {
        const carom_block *block = &model->blocks[b];
        carom_block_energy(model, block, x, R, energies);
        for (int e = 0; e < block->count && found < 0; e++)
            if (!isfinite(energies[e]) && has_finite_nodes(block, e, x))
                found = first + e;
    }
    free(energies);
    return found;
}

int carom_model_find_undefined(const carom_model *model, const double (*x)[3], const double (*R)[3][3]) {
    int here = find_undefined(model, x, R);
    double first = here < 0 ? -HUGE_VAL : -carom_model_global_element(model, here);
    first = carom_model_most(model, first);
    return isinf(first) ? -1 : (int)-first;
}

carom_shapes carom_model_check_shapes(const carom_model *model, const double (*x)[3], bool skip_stiffening, bool turns,
                                      carom_shape_memory *memory) {
    carom_shapes here = check_here(model, x, skip_stiffening, turns, memory);
    if (!carom_model_is_subdomain(model))
        return here;
    // the first ones of all processes
    double first[2] = {here.inverted < 0 ? -HUGE_VAL : -carom_model_global_element(model, here.inverted),
                       here.rotated < 0 ? -HUGE_VAL : -carom_model_global_element(model, here.rotated)};
    carom_parallel_most(first, 2);
    return (carom_shapes){isinf(first[0]) ? -1 : (int)-first[0], isinf(first[1]) ? -1 : (int)-first[1]};
}
