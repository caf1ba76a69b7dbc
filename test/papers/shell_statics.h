// SPDX-License-Identifier: MIT
// Linear statics of shells: stiffness of the elements, edges by combinations of nodes, loads and displacements of the smooth
// surface.
#ifndef CAROM_TEST_SHELL_STATICS_H
#define CAROM_TEST_SHELL_STATICS_H

#include "../shells.h"
#include "element/shell/loop_shell.h"
#include "mesh/loop_rings.h"
#include "mesh/mesh.h"
#include "solver/linear.h"

enum { TERMS = 16, CLIQUE = 24 };

// A component of a displacement as a combination of the same component of other nodes; none: zero.
typedef struct combination {
    int count;
    int node[TERMS];
    double weight[TERMS];
} combination;

typedef struct problem {
    shell s;
    int columns, rows;       // cells of a grid, without the row beyond the edges
    int pad[2];              // rows of nodes beyond its sides, along each direction
    bool around;             // the first direction closes
    bool *outside;           // per node: beyond the edges; NULL: none is
    carom_loop_rings rings;  // of the mesh
    int *corner;             // per node: 3 * triangle + corner
    combination (*rule)[3];  // per node and component
    double (*f)[3], (*u)[3]; // loads, displacements
} problem;

// Node (i, j) of a grid, i = 0 ... columns within its edges.
static inline int at(const problem *p, int i, int j) {
    int wide = p->around ? p->columns : p->columns + 1 + 2 * p->pad[0];
    int column = p->around ? (i + p->columns) % p->columns : i + p->pad[0];
    return (j + p->pad[1]) * wide + column;
}

typedef void place(const problem *p, double i, double j, double x[3]);

// A grid of triangles with diagonals from (i + 1, j) to (i, j + 1), so that inner nodes have six neighbours.
static inline void make_grid(problem *p, place *where) {
    int first = p->around ? 0 : -p->pad[0], last = p->around ? p->columns : p->columns + p->pad[0];
    int rows = p->rows + 2 * p->pad[1], nodes = (p->around ? p->columns : last - first + 1) * (rows + 1);
    carom_mesh *mesh = &p->s.b.meshes[0];
    carom_mesh_release(mesh);
    assert_ok(carom_mesh_allocate(mesh, nodes, CAROM_CELL_TRI3, 2 * (last - first) * rows, error));
    p->outside = calloc((size_t)nodes, sizeof *p->outside);
    assert_non_null(p->outside);
    int *cell = mesh->blocks[0].nodes;
    for (int j = -p->pad[1]; j <= p->rows + p->pad[1]; j++)
        for (int i = first; i <= last; i++) {
            int k = at(p, i, j);
            where(p, i, j, mesh->nodes[k]);
            p->outside[k] = j < 0 || j > p->rows || (!p->around && (i < 0 || i > p->columns));
            if (i == last || j == p->rows + p->pad[1])
                continue;
            memcpy(cell, (int[]){at(p, i, j), at(p, i + 1, j), at(p, i, j + 1)}, 3 * sizeof *cell);
            memcpy(cell + 3, (int[]){at(p, i + 1, j), at(p, i + 1, j + 1), at(p, i, j + 1)}, 3 * sizeof *cell);
            cell += 6;
        }
}

static inline combination node_itself(int k) {
    return (combination){1, {k}, {1}};
}

static inline void add(combination *to, double factor, const combination *from) {
    for (int t = 0; t < from->count; t++) {
        int at_term = 0;
        while (at_term < to->count && to->node[at_term] != from->node[t])
            at_term++;
        assert_true(at_term < TERMS);
        if (at_term == to->count) {
            to->node[to->count] = from->node[t];
            to->weight[to->count++] = 0;
        }
        to->weight[at_term] += factor * from->weight[t];
    }
}

// The displacement of a node from those of others, which have their rules already.
static inline void combine(problem *p, int k, int count, const int *others, const double *weights) {
    for (int c = 0; c < 3; c++) {
        combination sum = {0};
        for (int i = 0; i < count; i++)
            add(&sum, weights[i], &p->rule[others[i]][c]);
        p->rule[k][c] = sum;
    }
}

static inline void fix(problem *p, int k, const char *components) {
    for (int c = 0; c < 3; c++)
        if (strchr(components, "xyz"[c]))
            p->rule[k][c].count = 0;
}

// The point of the smooth surface at a node as a combination of nodes, for components that are not mirrored.
static inline void limit_mask(const problem *p, int node, combination *mask) {
    static carom_loop_point ring[CAROM_LOOP_VALENCE_MAX];
    int n = carom_loop_ring(&p->rings, p->corner[node] / 3, p->corner[node] % 3, ring);
    double chi = carom_loop_limit(n);
    *mask = (combination){1, {node}, {1 - n * chi}};
    for (int i = 0; i < n; i++) {
        combination point = {.count = ring[i].count};
        memcpy(point.node, ring[i].node, sizeof ring[i].node);
        memcpy(point.weight, ring[i].weight, sizeof ring[i].weight);
        add(mask, chi, &point);
    }
}

// Moves the nodes until the smooth surface is where they were: X <- X + (P - L X). Not for meshes with planes of symmetry.
static inline void fit(problem *p) {
    carom_mesh *mesh = &p->s.b.meshes[0];
    size_t size = (size_t)mesh->node_count * sizeof *mesh->nodes;
    double(*P)[3] = malloc(size), (*L)[3] = malloc(size);
    combination *masks = calloc((size_t)mesh->node_count, sizeof *masks);
    assert_true(P && L && masks);
    memcpy(P, mesh->nodes, size);
    for (int k = 0; k < mesh->node_count; k++)
        limit_mask(p, k, &masks[k]);
    for (int iteration = 0; iteration < 100; iteration++) {
        for (int k = 0; k < mesh->node_count; k++) {
            memset(L[k], 0, sizeof L[k]);
            for (int t = 0; t < masks[k].count; t++)
                carom_add_scaled(masks[k].weight[t], mesh->nodes[masks[k].node[t]], L[k]);
        }
        for (int k = 0; k < mesh->node_count; k++)
            for (int c = 0; c < 3; c++)
                mesh->nodes[k][c] += P[k][c] - L[k][c];
    }
    free(masks);
    free(P);
    free(L);
}

static inline void push(problem *p, int node, const double force[3]) {
    combination mask;
    limit_mask(p, node, &mask);
    for (int t = 0; t < mask.count; t++)
        for (int c = 0; c < 3; c++)
            p->f[mask.node[t]][c] += mask.weight[t] * force[c];
}

static inline double read_out(const problem *p, int node, const double along[3]) {
    combination mask;
    limit_mask(p, node, &mask);
    double sum = 0;
    for (int t = 0; t < mask.count; t++)
        sum += mask.weight[t] * carom_dot(p->u[mask.node[t]], along);
    return sum;
}

static inline bool is_element(const problem *p, const int *corners) {
    return !p->outside || (!p->outside[corners[0]] && !p->outside[corners[1]] && !p->outside[corners[2]]);
}

// A load per area.
static inline void spread(problem *p, const double load[3]) {
    static carom_shell_rows rows;
    const carom_model *model = p->s.b.model;
    for (int b = 0; b < model->block_count; b++) {
        carom_shell all = carom_shell_of(&model->blocks[b]);
        for (int e = 0; e < model->blocks[b].count; e++) {
            const int *nodes = &model->blocks[b].nodes[all.n * e];
            for (int q = 0; q < all.point_count && is_element(p, nodes); q++) {
                carom_shell_read_rows(&all, e, q, &rows);
                for (int a = 0; a < all.n; a++)
                    for (int c = 0; c < 3; c++)
                        p->f[nodes[a]][c] += *carom_shell_data(&all, e, q, CAROM_SHELL_AREA) * rows.mass[a] * load[c];
            }
        }
    }
}

static inline void start_with(problem *p, const char *generator, const void *params, int points, double thickness, double young,
                              double poisson) {
    *p = (problem){0};
    shell_start(&p->s, generator, params, thickness, 1);
    p->s.params.integration = points == 1 ? CAROM_SHELL_ONE_POINT : CAROM_SHELL_THREE_POINT;
    p->s.b.materials[0] = (carom_elastic_params){.young = young, .poisson = poisson, .density = 1};
}

// The mesh is made later.
static inline void start(problem *p, int points, double thickness, double young, double poisson) {
    carom_point_params any = {{0}};
    start_with(p, "point", &any, points, thickness, young, poisson);
}

// The neighbours of nodes; the mesh keeps its triangles from here on.
static inline void connect(problem *p) {
    const carom_mesh *mesh = &p->s.b.meshes[0];
    carom_loop_ends ends = {0};
    for (const char *text = p->s.params.symmetry; *text; text += strcspn(text, " "), text += strspn(text, " "))
        ends.mirrored[text[0] - 'x'] = true;
    assert_ok(carom_loop_rings_create(&p->rings, mesh, &ends, error));
    p->corner = calloc((size_t)mesh->node_count, sizeof *p->corner);
    assert_non_null(p->corner);
    for (int i = 0; i < 3 * p->rings.face_count; i++)
        p->corner[p->rings.faces[i / 3][i % 3]] = i;
}

static inline void build(problem *p) {
    shell_build(&p->s);
    size_t n = (size_t)p->s.b.model->node_count;
    p->rule = calloc(n, sizeof *p->rule);
    p->f = calloc(n, sizeof *p->f);
    p->u = calloc(n, sizeof *p->u);
    assert_true(p->rule && p->f && p->u);
    for (int k = 0; k < (int)n; k++)
        for (int c = 0; c < 3; c++)
            p->rule[k][c] = node_itself(k);
}

static inline void end(problem *p) {
    carom_loop_rings_release(&p->rings);
    free(p->corner);
    free(p->outside);
    free(p->rule);
    free(p->f);
    free(p->u);
    shell_end(&p->s);
}

// The nodes that those of an element depend on; the rest of the clique is filled up with the first one.
static inline int find_clique(const problem *p, int n, const int *nodes, int clique[CLIQUE]) {
    int count = 0;
    for (int a = 0; a < n; a++)
        for (int c = 0; c < 3; c++)
            for (int t = 0; t < p->rule[nodes[a]][c].count; t++) {
                int m = 0;
                while (m < count && clique[m] != p->rule[nodes[a]][c].node[t])
                    m++;
                assert_true(m < CLIQUE);
                clique[m] = p->rule[nodes[a]][c].node[t];
                count = m == count ? count + 1 : count;
            }
    for (int m = count; m < CLIQUE; m++)
        clique[m] = count ? clique[0] : 0;
    return count;
}

// The stiffness of an element over its clique, T'KT.
static inline void condense(const problem *p, int n, const int *nodes, const double *K, int count, const int *clique,
                            double *matrix) {
    static double T[3 * CLIQUE][3 * CLIQUE], KT[3 * CLIQUE][3 * CLIQUE];
    assert_true(n <= CLIQUE);
    memset(T, 0, sizeof T);
    for (int a = 0; a < n; a++)
        for (int c = 0; c < 3; c++) {
            const combination *rule = &p->rule[nodes[a]][c];
            for (int t = 0; t < rule->count; t++)
                for (int m = 0; m < count; m++)
                    if (clique[m] == rule->node[t])
                        T[3 * a + c][3 * m + c] += rule->weight[t];
        }
    for (int i = 0; i < 3 * n; i++)
        for (int j = 0; j < 3 * count; j++) {
            KT[i][j] = 0;
            for (int k = j % 3; k < 3 * n; k += 3)
                KT[i][j] += K[i * 3 * n + k] * T[k][j];
        }
    for (int i = 0; i < 3 * count; i++)
        for (int j = 0; j < 3 * count; j++) {
            double sum = 0;
            for (int k = i % 3; k < 3 * n; k += 3)
                sum += T[k][i] * KT[k][j];
            matrix[i * 3 * count + j] = sum;
        }
}

// The stiffness at rest.
static inline void assemble(const problem *p, carom_sparse *sparse) {
    static double matrix[9 * CLIQUE * CLIQUE];
    const carom_model *model = p->s.b.model;
    int clique[CLIQUE];
    for (int b = 0; b < model->block_count; b++) {
        carom_block one = model->blocks[b];
        int n = one.node_count;
        double *K = calloc((size_t)(9 * n * n) * CAROM_LANES, sizeof *K);
        assert_non_null(K);
        for (int e = 0; e < model->blocks[b].count; e += CAROM_LANES) {
            one.count = model->blocks[b].count - e < CAROM_LANES ? model->blocks[b].count - e : CAROM_LANES;
            one.nodes = &model->blocks[b].nodes[n * e];
            one.data = model->blocks[b].data + carom_lane(e, 0, one.data_size);
            one.element->stiffness(&one, 0, one.count, (const double(*)[3])model->X, (const double(*)[3])model->X, K);
            for (int c = 0; c < one.count; c++) {
                const int *nodes = &one.nodes[n * c];
                if (!is_element(p, nodes))
                    continue;
                int count = find_clique(p, n, nodes, clique);
                condense(p, n, nodes, &K[9 * n * n * c], count, clique, matrix);
                carom_sparse_add_one(sparse, count, clique, 1, matrix);
            }
        }
        free(K);
    }
}

// Displacements under the loads.
static inline void solve(problem *p) {
    const carom_model *model = p->s.b.model;
    int count = model->node_count, elements = 0;
    bool(*is_free)[3] = calloc((size_t)count, sizeof *is_free);
    int(*unknown)[3] = calloc((size_t)count, sizeof *unknown);
    int *cliques = calloc((size_t)model->element_count, CLIQUE * sizeof *cliques);
    assert_true(is_free && unknown && cliques);
    for (int k = 0; k < count; k++)
        for (int c = 0; c < 3; c++)
            is_free[k][c] = p->rule[k][c].count == 1 && p->rule[k][c].node[0] == k;
    int size = carom_sparse_number(count, (const bool(*)[3])is_free, unknown);
    for (int b = 0; b < model->block_count; b++)
        for (int e = 0, n = model->blocks[b].node_count; e < model->blocks[b].count; e++)
            if (is_element(p, &model->blocks[b].nodes[n * e]))
                find_clique(p, n, &model->blocks[b].nodes[n * e], &cliques[CLIQUE * elements++]);

    carom_sparse *sparse = NULL;
    carom_linear_solver *solver = NULL;
    carom_cliques set = {elements, CLIQUE, cliques};
    assert_ok(carom_sparse_create(count, (const int(*)[3])unknown, 1, &set, &sparse, error));
    carom_sparse_locate(sparse, (const double(*)[3])model->X);
    assemble(p, sparse);
    assert_ok(carom_linear_create(CAROM_LINEAR_SYMMETRIC, &solver, error));
    assert_ok(carom_linear_factorise(solver, sparse, error));

    // loads on nodes that depend on others go to those
    double *x = calloc((size_t)size, sizeof *x);
    assert_non_null(x);
    for (int k = 0; k < count; k++)
        for (int c = 0; c < 3; c++)
            for (int t = 0; t < p->rule[k][c].count; t++)
                x[unknown[p->rule[k][c].node[t]][c]] += p->rule[k][c].weight[t] * p->f[k][c];
    assert_ok(carom_linear_solve(solver, x, error));
    for (int k = 0; k < count; k++)
        for (int c = 0; c < 3; c++)
            for (int t = 0; t < p->rule[k][c].count; t++)
                p->u[k][c] += p->rule[k][c].weight[t] * x[unknown[p->rule[k][c].node[t]][c]];
    carom_linear_release(solver);
    carom_sparse_release(sparse);
    free(x);
    free(cliques);
    free(unknown);
    free(is_free);
}

#endif
