// SPDX-License-Identifier: MIT
// The obstacle course of shells by linear statics: plates, the roof of Scordelis and Lo, the pinched cylinder and hemispheres.
//
// Stiffness is that of the elements, loads act on and displacements are read from the smooth surface. Edges follow the rules of
// the product, or rules that only statics can afford: then the mesh has one more row of nodes beyond its edges, whose triangles
// are no elements, and the nodes of that row are unknowns of their own (natural edges) or combinations of others.
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
static int at(const problem *p, int i, int j) {
    int wide = p->around ? p->columns : p->columns + 1 + 2 * p->pad[0];
    int column = p->around ? (i + p->columns) % p->columns : i + p->pad[0];
    return (j + p->pad[1]) * wide + column;
}

typedef void place(const problem *p, double i, double j, double x[3]);

// A grid of triangles with diagonals from (i + 1, j) to (i, j + 1), so that inner nodes have six neighbours.
static void make_grid(problem *p, place *where) {
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

static combination node_itself(int k) {
    return (combination){1, {k}, {1}};
}

static void add(combination *to, double factor, const combination *from) {
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
static void combine(problem *p, int k, int count, const int *others, const double *weights) {
    for (int c = 0; c < 3; c++) {
        combination sum = {0};
        for (int i = 0; i < count; i++)
            add(&sum, weights[i], &p->rule[others[i]][c]);
        p->rule[k][c] = sum;
    }
}

static void fix(problem *p, int k, const char *components) {
    for (int c = 0; c < 3; c++)
        if (strchr(components, "xyz"[c]))
            p->rule[k][c].count = 0;
}

// The point of the smooth surface at a node as a combination of nodes, for components that are not mirrored.
static void limit_mask(const problem *p, int node, combination *mask) {
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
static void fit(problem *p) {
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

static void push(problem *p, int node, const double force[3]) {
    combination mask;
    limit_mask(p, node, &mask);
    for (int t = 0; t < mask.count; t++)
        for (int c = 0; c < 3; c++)
            p->f[mask.node[t]][c] += mask.weight[t] * force[c];
}

static double read_out(const problem *p, int node, const double along[3]) {
    combination mask;
    limit_mask(p, node, &mask);
    double sum = 0;
    for (int t = 0; t < mask.count; t++)
        sum += mask.weight[t] * carom_dot(p->u[mask.node[t]], along);
    return sum;
}

static bool is_element(const problem *p, const int *corners) {
    return !p->outside || (!p->outside[corners[0]] && !p->outside[corners[1]] && !p->outside[corners[2]]);
}

// A load per area.
static void spread(problem *p, const double load[3]) {
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

static void start_with(problem *p, const char *generator, const void *params, int points, double thickness, double young,
                       double poisson) {
    *p = (problem){0};
    shell_start(&p->s, generator, params, thickness, 1);
    p->s.params.integration = points == 1 ? CAROM_SHELL_ONE_POINT : CAROM_SHELL_THREE_POINT;
    p->s.b.materials[0] = (carom_elastic_params){.young = young, .poisson = poisson, .density = 1};
}

// The mesh is made later.
static void start(problem *p, int points, double thickness, double young, double poisson) {
    carom_point_params any = {{0}};
    start_with(p, "point", &any, points, thickness, young, poisson);
}

// The neighbours of nodes; the mesh keeps its triangles from here on.
static void connect(problem *p) {
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

static void build(problem *p) {
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

static void end(problem *p) {
    carom_loop_rings_release(&p->rings);
    free(p->corner);
    free(p->outside);
    free(p->rule);
    free(p->f);
    free(p->u);
    shell_end(&p->s);
}

// The nodes that those of an element depend on; the rest of the clique is filled up with the first one.
static int find_clique(const problem *p, int n, const int *nodes, int clique[CLIQUE]) {
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
static void condense(const problem *p, int n, const int *nodes, const double *K, int count, const int *clique, double *matrix) {
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
static void assemble(const problem *p, carom_sparse *sparse) {
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
static void solve(problem *p) {
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

typedef enum edge { EDGE_PRODUCT, EDGE_LINES, EDGE_ZERO_ROWS, EDGE_CLAMPED } edge;

static const double plate_thickness = 0.01, plate_young = 1e6, plate_poisson = 0.3;

static double plate_answer(problem *p, int centre) {
    spread(p, VECTOR(0, 0, 1));
    solve(p);
    double D = plate_young * pow(plate_thickness, 3) / 12 / (1 - plate_poisson * plate_poisson);
    double w = D * read_out(p, centre, VECTOR(0, 0, 1));
    end(p);
    return w;
}

static void place_square(const problem *p, double i, double j, double x[3]) {
    memcpy(x, (double[3]){i / p->columns, j / p->rows, 0}, sizeof(double[3]));
}

// A node of a clamped edge with its two neighbours inside, so that the surface stays.
static void clamp(problem *p, int k, int a, int b) {
    combine(p, k, 2, (int[]){a, b}, (double[]){-0.25, -0.25});
}

static double square_plate(edge rule, int points, int n) {
    problem p;
    start(&p, points, plate_thickness, plate_young, plate_poisson);
    p.columns = p.rows = n;
    p.pad[0] = p.pad[1] = rule != EDGE_PRODUCT;
    make_grid(&p, place_square);
    connect(&p);
    build(&p);
    for (int k = 0; k < p.s.b.model->node_count; k++)
        fix(&p, k, "xy");

    // nodes on the edges
    int rows = rule == EDGE_ZERO_ROWS ? 1 : 0;
    for (int i = -p.pad[0]; i <= n + p.pad[0]; i++)
        for (int row = -p.pad[0]; row <= rows; row++) {
            fix(&p, at(&p, i, row), "z"), fix(&p, at(&p, row, i), "z");
            fix(&p, at(&p, n - i, n - row), "z"), fix(&p, at(&p, n - row, n - i), "z");
        }
    for (int i = 1; i < n && rule == EDGE_CLAMPED; i++) {
        clamp(&p, at(&p, i, 0), at(&p, i - 1, 1), at(&p, i, 1));
        clamp(&p, at(&p, 0, i), at(&p, 1, i - 1), at(&p, 1, i));
        clamp(&p, at(&p, i, n), at(&p, i + 1, n - 1), at(&p, i, n - 1));
        clamp(&p, at(&p, n, i), at(&p, n - 1, i + 1), at(&p, n - 1, i));
    }
    // at the two corners with one triangle these ask for each other
    for (int side = 0; side < 2 && rule == EDGE_CLAMPED; side++) {
        int inner = side ? at(&p, n - 1, n - 1) : at(&p, 1, 1);
        combine(&p, side ? at(&p, n - 1, n) : at(&p, 1, 0), 1, &inner, (double[]){-0.2});
        combine(&p, side ? at(&p, n, n - 1) : at(&p, 0, 1), 1, &inner, (double[]){-0.2});
    }

    // nodes beyond them: u = 2 u_b - u_1 along lines of the grid, or as the apex of the triangle beyond whose edge they are
    for (int i = 0; i < n && rule == EDGE_CLAMPED; i++) {
        combine(&p, at(&p, i + 1, -1), 1, (int[]){at(&p, i, 1)}, (double[]){1});
        combine(&p, at(&p, -1, i + 1), 1, (int[]){at(&p, 1, i)}, (double[]){1});
        combine(&p, at(&p, i, n + 1), 1, (int[]){at(&p, i + 1, n - 1)}, (double[]){1});
        combine(&p, at(&p, n + 1, i), 1, (int[]){at(&p, n - 1, i + 1)}, (double[]){1});
    }
    for (int i = 0; i <= n && rule == EDGE_LINES; i++) {
        combine(&p, at(&p, i, -1), 1, (int[]){at(&p, i, 1)}, (double[]){-1});
        combine(&p, at(&p, -1, i), 1, (int[]){at(&p, 1, i)}, (double[]){-1});
        combine(&p, at(&p, i, n + 1), 1, (int[]){at(&p, i, n - 1)}, (double[]){-1});
        combine(&p, at(&p, n + 1, i), 1, (int[]){at(&p, n - 1, i)}, (double[]){-1});
    }
    if (rule == EDGE_CLAMPED || rule == EDGE_LINES) {
        combine(&p, at(&p, n + 1, -1), 1, (int[]){at(&p, n - 1, 1)}, (double[]){1});
        combine(&p, at(&p, -1, n + 1), 1, (int[]){at(&p, 1, n - 1)}, (double[]){1});
    }
    return plate_answer(&p, at(&p, n / 2, n / 2));
}

static int ring_node(int r, int step) {
    return r == 0 ? 0 : 1 + 3 * r * (r - 1) + (step + 6 * r) % (6 * r);
}

// A disc of rings, simply supported as the product has it, or clamped with a ring of nodes beyond its edge, which are the
// mirror images of the triangles at the edge.
static double round_plate(edge rule, int points, int n) {
    problem p;
    bool clamped = rule == EDGE_CLAMPED;
    carom_hexagonal_disc_params disc = {.radius = clamped ? 1 + 1.0 / n : 1, .rings = clamped ? n + 1 : n};
    start_with(&p, "hexagonal-disc", &disc, points, plate_thickness, plate_young, plate_poisson);
    carom_mesh *mesh = &p.s.b.meshes[0];
    p.outside = calloc((size_t)mesh->node_count, sizeof *p.outside);
    assert_non_null(p.outside);
    for (int k = ring_node(n + 1, 0); k < mesh->node_count; k++)
        p.outside[k] = true;
    for (int s = 0; s < 6 && clamped; s++)
        for (int i = 0; i <= n; i++) {
            const double *a = mesh->nodes[ring_node(n, s * n + i - (i > 0))], *b = mesh->nodes[ring_node(n, s * n + i)];
            const double *c = mesh->nodes[ring_node(n - 1, s * (n - 1) + i - (i > 0))];
            double *x = mesh->nodes[ring_node(n + 1, s * (n + 1) + i)];
            for (int j = 0; j < 3; j++)
                x[j] = a[j] + b[j] - c[j];
        }
    connect(&p);
    build(&p);
    for (int k = 0; k < mesh->node_count; k++)
        fix(&p, k, k >= ring_node(n, 0) && k < ring_node(n + 1, 0) ? "xyz" : "xy");
    for (int s = 0; s < 6 && clamped; s++)
        for (int i = 0; i <= n; i++) {
            int inner = ring_node(n - 1, s * (n - 1) + i - (i > 0));
            combine(&p, ring_node(n + 1, s * (n + 1) + i), 1, &inner, (double[]){1});
            if (i < n)
                clamp(&p, ring_node(n, s * n + i), inner, ring_node(n - 1, s * (n - 1) + i));
        }
    return plate_answer(&p, 0);
}

// The roof of Scordelis and Lo: half angle 40 degrees, walls at both ends that hold x and z; 90 per area; how far the middle of
// the free edges goes down.
static void place_roof(const problem *p, double i, double j, double x[3]) {
    double angle = (80 * i / p->columns - 40) * M_PI / 180;
    memcpy(x, (double[3]){25 * sin(angle), 50 * j / p->rows, 25 * cos(angle)}, sizeof(double[3]));
}

static double roof(edge rule, int points, int n) {
    (void)rule;
    problem p;
    start(&p, points, 0.25, 4.32e8, 0);
    p.columns = p.rows = n;
    make_grid(&p, place_roof);
    connect(&p);
    fit(&p);
    build(&p);
    for (int i = 0; i <= n; i++)
        fix(&p, at(&p, i, 0), "xz"), fix(&p, at(&p, i, n), "xz");
    fix(&p, at(&p, n / 2, n / 2), "y");
    spread(&p, VECTOR(0, 0, -90));
    solve(&p);
    double w = (read_out(&p, at(&p, 0, n / 2), VECTOR(0, 0, -0.5)) + read_out(&p, at(&p, n, n / 2), VECTOR(0, 0, -0.5)));
    end(&p);
    return w;
}

// The pinched cylinder, 4 n cells around and 2 n along, walls at both ends; how far the force of 1 goes, times 1e5.
static void place_cylinder(const problem *p, double i, double j, double x[3]) {
    double angle = 2 * M_PI * i / p->columns;
    memcpy(x, (double[3]){300 * sin(angle), 600 * j / p->rows, 300 * cos(angle)}, sizeof(double[3]));
}

static double cylinder(edge rule, int points, int n) {
    (void)rule;
    problem p;
    start(&p, points, 3, 3e6, 0.3);
    p.columns = 4 * n, p.rows = 2 * n, p.around = true;
    make_grid(&p, place_cylinder);
    connect(&p);
    fit(&p);
    build(&p);
    for (int i = 0; i < 4 * n; i++)
        fix(&p, at(&p, i, 0), "xz"), fix(&p, at(&p, i, 2 * n), "xz");
    fix(&p, at(&p, 0, n), "y");
    push(&p, at(&p, 0, n), VECTOR(0, 0, -1));
    push(&p, at(&p, 2 * n, n), VECTOR(0, 0, 1));
    solve(&p);
    double w = read_out(&p, at(&p, 0, n), VECTOR(0, 0, -1e5));
    end(&p);
    return w;
}

// Pinched hemispheres: forces of 2 outward along x and inward along y at the equator; how far they go. Six components of three
// nodes hold the whole without force.
static double pinch(problem *p, const int nodes[4]) {
    fix(p, nodes[0], "xyz"), fix(p, nodes[2], "yz"), fix(p, nodes[1], "z");
    push(p, nodes[0], VECTOR(2, 0, 0)), push(p, nodes[2], VECTOR(-2, 0, 0));
    push(p, nodes[1], VECTOR(0, -2, 0)), push(p, nodes[3], VECTOR(0, 2, 0));
    solve(p);
    double w = read_out(p, nodes[0], VECTOR(0.5, 0, 0)) + read_out(p, nodes[2], VECTOR(-0.5, 0, 0));
    end(p);
    return w;
}

static void place_hole(const problem *p, double i, double j, double x[3]) {
    double around = 2 * M_PI * i / p->columns, up = 72 * M_PI / 180 * j / p->rows;
    memcpy(x, (double[3]){10 * cos(around) * cos(up), 10 * sin(around) * cos(up), 10 * sin(up)}, sizeof(double[3]));
}

static double hole(edge rule, int points, int n) {
    (void)rule;
    problem p;
    start(&p, points, 0.04, 6.825e7, 0.3);
    p.columns = 4 * n, p.rows = n, p.around = true;
    make_grid(&p, place_hole);
    connect(&p);
    fit(&p);
    build(&p);
    return pinch(&p, (int[]){at(&p, 0, 0), at(&p, n, 0), at(&p, 2 * n, 0), at(&p, 3 * n, 0)});
}

// Half an octahedral sphere, split k times.
static double hemisphere(edge rule, int points, int k) {
    (void)rule;
    problem p;
    carom_sphere_params sphere = {.radius = 10, .faces = 8 << 2 * k, .pattern = CAROM_SPHERE_OCTAHEDRAL};
    start_with(&p, "sphere", &sphere, points, 0.04, 6.825e7, 0.3);
    carom_mesh *mesh = &p.s.b.meshes[0];
    carom_cell_block *block = &mesh->blocks[0];
    int kept = 0, nodes[4] = {0};
    for (int f = 0; f < block->count; f++) {
        const int *T = &block->nodes[3 * f];
        if (mesh->nodes[T[0]][2] + mesh->nodes[T[1]][2] + mesh->nodes[T[2]][2] > 1e-9)
            memmove(&block->nodes[3 * kept++], T, 3 * sizeof *T);
    }
    block->count = kept;
    assert_int_equal(kept, 4 << 2 * k);
    assert_ok(carom_mesh_drop_unused(mesh, error));
    for (int i = 0; i < mesh->node_count; i++)
        for (int side = 0; side < 4; side++)
            if (fabs(mesh->nodes[i][side % 2] - (side < 2 ? 10 : -10)) < 1e-9)
                nodes[side] = i;
    connect(&p);
    fit(&p);
    build(&p);
    return pinch(&p, nodes);
}

typedef double obstacle(edge rule, int points, int n);

typedef struct row {
    const char *name;
    obstacle *problem;
    edge rule;
    double unit;           // published value
    double digit;          // last one printed
    int n[3];              // 0: none
    double expected[2][3]; // one point, three points; 0: not given
} row;

// Two independent programs on the same meshes. For the coarsest clamped square they differ from this one by more than a digit,
// since corners were treated in another way; its one-point value is 1.0762 here and 1.0746 there.
static const row rows[] = {
    {"square, supported, lines of the grid",
     square_plate,
     EDGE_LINES,
     0.00406235,
     1e-4,
     {8, 16, 32},
     {{1.0267, 1.0062, 1.0015}, {1.0033, 1.0005, 1.0001}}},
    {"square, supported",
     square_plate,
     EDGE_PRODUCT,
     0.00406235,
     1e-3,
     {8, 16, 32},
     {{0.989, 0.988, 0.992}, {0.940, 0.969, 0.984}}},
    {"square, clamped", square_plate, EDGE_CLAMPED, 0.00126532, 1e-4, {16, 32}, {{1.0172, 1.0040}, {1.0004, 1.0000}}},
    {"square, three rows of zeros",
     square_plate,
     EDGE_ZERO_ROWS,
     0.00126532,
     1e-3,
     {8, 16, 32},
     {{0.765, 0.903, 0.955}, {0.671, 0.846, 0.925}}},
    {"disc, supported",
     round_plate,
     EDGE_PRODUCT,
     5.3 / 1.3 / 64,
     1e-4,
     {8, 16, 24},
     {{0.9887, 0.9978, 0.9995}, {0.9823, 0.9940, 0.9966}}},
    {"disc, clamped",
     round_plate,
     EDGE_CLAMPED,
     1.0 / 64,
     1e-4,
     {8, 16, 24},
     {{0.9896, 0.9983, 0.9997}, {0.9823, 0.9953, 0.9978}}},
    {"roof", roof, EDGE_PRODUCT, 1, 1e-4, {16, 32, 48}, {{0.2993, 0.2999, 0.2999}, {0.2877, 0.2961, 0.2978}}},
    {"cylinder, one point", cylinder, EDGE_PRODUCT, 1, 1e-3, {16, 24, 32}, {{1.892, 1.890, 1.871}}},
    {"cylinder, three points", cylinder, EDGE_PRODUCT, 1, 1e-3, {16, 24}, {{0}, {1.758, 1.807}}},
    {"hemisphere with a hole", hole, EDGE_PRODUCT, 1, 1e-4, {16, 32}, {{0.0883, 0.0923}, {0.0843, 0.0910}}},
    {"hemisphere", hemisphere, EDGE_PRODUCT, 1, 1e-4, {4, 5}, {{0.0810, 0.0903}, {0.0774, 0.0905}}},
};

static void test_same_meshes(void **state) {
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int rule = 0; rule < 2; rule++)
            for (int i = 0; i < 3; i++) {
                double expected = rows[r].expected[rule][i];
                if (expected == 0)
                    continue;
                double found = rows[r].problem(rows[r].rule, rule ? 3 : 1, rows[r].n[i]) / rows[r].unit;
                if (!(fabs(found - expected) <= 0.5 * rows[r].digit))
                    fail_msg("%s, %d points, n = %d: %.6g, expected %.6g", rows[r].name, rule ? 3 : 1, rows[r].n[i], found,
                             expected);
            }
}

// Finer meshes approach what is published: the roof 0.3006 (thin shells), the cylinder 1.8248 (Lindberg, Olson and Cowper
// 1969), the hemisphere 0.0924, with a hole 0.0935 (thin shells; 0.0940 by MacNeal and Harder 1985).
static void test_convergence(void **state) {
    (void)state;
    static const struct {
        obstacle *problem;
        int points, n[3];
        double published, tolerance;
    } cases[] = {
        {roof, 1, {8, 16, 48}, 0.3006, 0.003},
        {cylinder, 3, {8, 16, 32}, 1.8248, 0.01},
        {hole, 1, {16, 32, 48}, 0.0935, 0.01},
        {hemisphere, 1, {4, 5, 6}, 0.0924, 0.01},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double before = INFINITY;
        for (int i = 0; i < 3; i++) {
            double found = cases[c].problem(EDGE_PRODUCT, cases[c].points, cases[c].n[i]) / cases[c].published - 1;
            assert_true(fabs(found) < before);
            before = fabs(found);
            if (i == 2)
                assert_near(found, 0, cases[c].tolerance);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_meshes),
        cmocka_unit_test(test_convergence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
