// SPDX-License-Identifier: MIT
// Finds the faces of solids and the edges of surfaces of a mesh in time proportional to their number. Equal facets have the
// same smallest node, so they are first distributed to one bucket per node and compared only within a bucket. A facet is
// represented by its number, from which its nodes are found again in the mesh: four bytes each, eight more while they are
// distributed, and four more for a bucket that holds all of them. In a sorted list the complement ~n of a number marks an item
// that equals the one before it.
#include "mesh/topology.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/threads.h"
#include "mesh/mesh.h"

// Facets in local nodes: the edges of a plane cell in its own direction, the faces of a solid cell seen from outside. -1 ends a
// facet.
static const int tri_edges[3][4] = {{0, 1, -1, -1}, {1, 2, -1, -1}, {2, 0, -1, -1}};
static const int quad_edges[4][4] = {{0, 1, -1, -1}, {1, 2, -1, -1}, {2, 3, -1, -1}, {3, 0, -1, -1}};
static const int tet_faces[4][4] = {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {0, 3, 2, -1}};
static const int hex_faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
static const int wedge_faces[5][4] = {{0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};

const int (*carom_cell_facets(carom_cell_type type, int *count))[4] {
    switch (type) {
    case CAROM_CELL_TRI3: *count = 3; return tri_edges;
    case CAROM_CELL_QUAD4: *count = 4; return quad_edges;
    case CAROM_CELL_TET4: *count = 4; return tet_faces;
    case CAROM_CELL_HEX8: *count = 6; return hex_faces;
    case CAROM_CELL_WEDGE6: *count = 5; return wedge_faces;
    default: *count = 0; return NULL;
    }
}

int carom_cell_facet_count(carom_cell_type type) {
    int count;
    carom_cell_facets(type, &count);
    return count;
}

void carom_cell_facet(carom_cell_type type, const int *cell, int facet, int nodes[4]) {
    int count;
    const int(*table)[4] = carom_cell_facets(type, &count);
    for (int i = 0; i < 4; i++)
        nodes[i] = table[facet][i] < 0 ? -1 : cell[table[facet][i]];
}

int carom_facet_size(const int nodes[4]) {
    int size = 0;
    while (size < 4 && nodes[size] >= 0)
        size++;
    return size;
}

// The items to be sorted, by number: facets of solid cells, or sides of faces of a surface.
typedef struct family {
    const carom_mesh *mesh;
    const carom_boundary *surface; // NULL: facets of the cells of the mesh
    // of a mesh with a single block of solid cells, whose facets are found with less effort; NULL for others
    const int *cells;
    const int (*table)[4];
    int cell_size;
} family;

static family facets_of(const carom_mesh *mesh) {
    family f = {.mesh = mesh};
    if (mesh->block_count != 1 || carom_cell_dimension(mesh->blocks[0].type) != 3)
        return f;
    int count;
    f.cells = mesh->blocks[0].nodes;
    f.table = carom_cell_facets(mesh->blocks[0].type, &count);
    f.cell_size = carom_cell_size(mesh->blocks[0].type);
    return f;
}

// An item with its nodes in ascending order (-1 first if there are fewer than four): equal keys are the same facet.
typedef struct keyed {
    int key[4];
    int item;
} keyed;

void carom_facet_sort(int nodes[4]) {
    for (int i = 1; i < 4; i++)
        for (int j = i; j > 0 && nodes[j] < nodes[j - 1]; j--) {
            int swap = nodes[j];
            nodes[j] = nodes[j - 1];
            nodes[j - 1] = swap;
        }
}

// The same for three nodes with -1 after them.
static inline void sort_triangle(int nodes[4]) {
    int a = nodes[0], b = nodes[1], c = nodes[2];
    int low = a < b ? a : b, high = a < b ? b : a;
    int least = low < c ? low : c, most = high > c ? high : c;
    nodes[0] = -1;
    nodes[1] = least;
    // node numbers fit an int, their sums do not
    nodes[2] = (int)((int64_t)a + b + c - least - most);
    nodes[3] = most;
}

// The number of an item, marked as a repetition or not.
static int plain(int item) {
    return item < 0 ? ~item : item;
}

static carom_facet facet_of(const carom_mesh *mesh, int number) {
    carom_facet facet = {.cell = number / CAROM_BOUNDARY_SIDES};
    // A number counts the cells of all blocks, each with as many places as a hexahedron has sides; meshes
    // have a handful of blocks.
    while (facet.cell >= mesh->blocks[facet.block].count)
        facet.cell -= mesh->blocks[facet.block++].count;
    const carom_cell_block *block = &mesh->blocks[facet.block];
    int size = carom_cell_size(block->type);
    const int *cell = &block->nodes[(int64_t)facet.cell * size];
    if (carom_cell_dimension(block->type) == 3) {
        carom_cell_facet(block->type, cell, number % CAROM_BOUNDARY_SIDES, facet.nodes);
    } else {
        for (int i = 0; i < 4; i++)
            facet.nodes[i] = i < size ? cell[i] : -1;
    }
    return facet;
}

carom_facet carom_boundary_facet(const carom_boundary *surface, int face) {
    return facet_of(surface->mesh, surface->faces[face]);
}

carom_edge carom_boundary_edge(const carom_boundary *surface, int edge) {
    edge = plain(edge);
    carom_facet face = carom_boundary_facet(surface, edge / 4);
    // Faces of three nodes end with -1: the edge after the last node returns to the first.
    int side = edge % 4, next = side < 3 && face.nodes[side + 1] >= 0 ? side + 1 : 0;
    return (carom_edge){face.nodes[side], face.nodes[next], edge / 4, side};
}

// The nodes of a facet of a cell, -1 after the last.
static inline void nodes_of(const family *f, int item, int nodes[4]) {
    if (f->cells) {
        const int *cell = &f->cells[(int64_t)(item / CAROM_BOUNDARY_SIDES) * f->cell_size];
        const int *corner = f->table[item % CAROM_BOUNDARY_SIDES];
        for (int i = 0; i < 4; i++)
            nodes[i] = corner[i] < 0 ? -1 : cell[corner[i]];
    } else {
        carom_facet facet = facet_of(f->mesh, item);
        memcpy(nodes, facet.nodes, sizeof facet.nodes);
    }
}

static keyed make_key(const family *f, int item) {
    keyed k = {.item = item};
    if (f->surface) {
        carom_edge edge = carom_boundary_edge(f->surface, item);
        bool up = edge.from < edge.to;
        k.key[0] = k.key[1] = -1;
        k.key[2] = up ? edge.from : edge.to;
        k.key[3] = up ? edge.to : edge.from;
    } else {
        nodes_of(f, item, k.key);
        // Most are triangles. Which of their nodes is the smallest is unpredictable, so branches are avoided.
        if (k.key[3] < 0 && k.key[2] >= 0)
            sort_triangle(k.key);
        else
            carom_facet_sort(k.key);
    }
    return k;
}

static int smallest_node(const family *f, int item) {
    if (f->surface) {
        carom_edge edge = carom_boundary_edge(f->surface, item);
        return edge.from < edge.to ? edge.from : edge.to;
    }
    int nodes[4];
    nodes_of(f, item, nodes);
    // -1 after the last node is larger than all of them without its sign
    unsigned smallest = (unsigned)nodes[0];
    for (int i = 1; i < 4; i++)
        smallest = (unsigned)nodes[i] < smallest ? (unsigned)nodes[i] : smallest;
    return (int)smallest;
}

static int compare_keys(const keyed *x, const keyed *y) {
    for (int i = 0; i < 4; i++)
        if (x->key[i] != y->key[i])
            return x->key[i] < y->key[i] ? -1 : 1;
    return 0;
}

// Equal facets stay in the order of their numbers, so that the result does not depend on the sort.
static int compare(const void *a, const void *b) {
    const keyed *x = a, *y = b;
    int order = compare_keys(x, y);
    return order ? order : (x->item > y->item) - (x->item < y->item);
}

enum {
    INSERTION_MAX = 24, // buckets up to this size are sorted by insertion; as in regular meshes
    STACK_MAX = 4096,   // buckets up to this size are sorted on the stack
    DIGIT = 11,         // bits of a digit of the radix sort for the others
};

// Minimum number of items for a parallel sort; one thread needs about 100 ns for each.
enum { PARALLEL_MIN = 1 << 14 };

// Sorted items that a thread examines at a time.
enum { RUN = 4096 };

// Sorts a bucket of triangles, or of edges: they share their smallest node, and the other two are combined to one number. False
// if the bucket has a quadrilateral. Used up to twice INSERTION_MAX, since buckets of meshes of tetrahedra are about as often
// slightly larger than INSERTION_MAX as smaller.
static bool sort_triangles(const family *f, int *items, int count) {
    uint64_t code[2 * INSERTION_MAX];
    for (int i = 0; i < count; i++) {
        keyed moving = make_key(f, items[i]);
        if (moving.key[0] >= 0)
            return false;
        code[i] = (uint64_t)moving.key[2] << 32 | (uint32_t)moving.key[3];
    }
    // Items arrive in the order of their numbers, which insertion keeps among equal ones.
    for (int i = 1; i < count; i++) {
        uint64_t moving = code[i];
        int item = items[i], j = i;
        for (; j > 0 && moving < code[j - 1]; j--) {
            code[j] = code[j - 1];
            items[j] = items[j - 1];
        }
        code[j] = moving;
        items[j] = item;
    }
    for (int i = count - 1; i > 0; i--)
        if (code[i] == code[i - 1])
            items[i] = ~items[i];
    return true;
}

// Sorts a small bucket, with its keys in memory.
static void sort_bucket(const family *f, int *items, int count) {
    if (count <= 2 * INSERTION_MAX && sort_triangles(f, items, count))
        return;
    keyed few[STACK_MAX];
    // Small buckets are sorted as they are filled: insertion keeps `few` in order up to i.
    for (int i = 0; i < count; i++) {
        keyed moving = make_key(f, items[i]);
        int j = i;
        for (; count <= INSERTION_MAX && j > 0 && compare(&moving, &few[j - 1]) < 0; j--)
            few[j] = few[j - 1];
        few[j] = moving;
    }
    if (count > INSERTION_MAX)
        qsort(few, (size_t)count, sizeof *few, compare);
    for (int i = 0; i < count; i++)
        items[i] = i > 0 && compare_keys(&few[i - 1], &few[i]) == 0 ? ~few[i].item : few[i].item;
}

// The least and the greatest key of each node.
static void key_range(const family *f, const int *items, int count, keyed *low, keyed *high) {
    *low = *high = make_key(f, items[0]);
    for (int i = 1; i < count; i++) {
        keyed k = make_key(f, items[i]);
        for (int n = 0; n < 4; n++) {
            low->key[n] = k.key[n] < low->key[n] ? k.key[n] : low->key[n];
            high->key[n] = k.key[n] > high->key[n] ? k.key[n] : high->key[n];
        }
    }
}

// Distributes items by one digit of one node of their key, counted from the least value; equal ones keep their order.
static void sort_digit(const family *f, const int *from, int *to, int count, int node, int least, int shift) {
    enum { DIGIT_VALUES = 1 << DIGIT };
    int begin[DIGIT_VALUES + 1] = {0};
    for (int i = 0; i < count; i++)
        begin[((unsigned)(make_key(f, from[i]).key[node] - least) >> shift & (DIGIT_VALUES - 1)) + 1]++;
    for (int d = 0; d < DIGIT_VALUES; d++)
        begin[d + 1] += begin[d];
    for (int i = 0; i < count; i++)
        to[begin[(unsigned)(make_key(f, from[i]).key[node] - least) >> shift & (DIGIT_VALUES - 1)]++] = from[i];
}

// Sorts a bucket of any size, in which the items ascend: a radix sort from the last node to the first. A hub node with millions
// of facets would make a comparison sort slow, and keys in memory large.
static bool sort_large_bucket(const family *f, int *items, int count) {
    int *other = carom_allocate(count, sizeof *other), *from = items, *to = other;
    if (!other)
        return false;
    keyed low, high;
    key_range(f, items, count, &low, &high);
    // The last node first: each pass of a stable sort keeps the order of the passes before.
    for (int node = 3; node >= 0; node--) {
        unsigned range = (unsigned)(high.key[node] - low.key[node]);
        // Digits beyond the range within the bucket are equal and need no pass.
        for (int shift = 0; shift < 32 && range >> shift; shift += DIGIT) {
            sort_digit(f, from, to, count, node, low.key[node], shift);
            int *swap = from;
            from = to, to = swap;
        }
    }
    if (from != items)
        memcpy(items, from, (size_t)count * sizeof *items);
    free(other);
    keyed before = make_key(f, items[0]);
    for (int i = 1; i < count; i++) {
        keyed here = make_key(f, items[i]);
        if (compare_keys(&before, &here) == 0)
            items[i] = ~items[i];
        before = here;
    }
    return true;
}

// A counting sort by smallest node, by `part_count` threads: each has a range of nodes, reads the smallest nodes of all items
// and keeps those in its range. Reading in sequence costs little compared with the scattered writes, and the items of a node
// stay in their order. Afterwards begin[k] is the end of the bucket of node k.
static void fill_buckets(const family *f, const int *items, const int *least, int count, int part_count, int *begin,
                         int *sorted) {
    int64_t node_count = f->mesh->node_count;
#pragma omp parallel for schedule(static, 1) if (part_count > 1)
    for (int p = 0; p < part_count; p++) {
        int first = (int)(node_count * p / part_count), last = (int)(node_count * (p + 1) / part_count);
        for (int i = 0; i < count; i++)
            if (least[i] >= first && least[i] < last)
                begin[least[i] + 1]++;
    }
    for (int k = 0; k < node_count; k++)
        begin[k + 1] += begin[k];
#pragma omp parallel for schedule(static, 1) if (part_count > 1)
    for (int p = 0; p < part_count; p++) {
        int first = (int)(node_count * p / part_count), last = (int)(node_count * (p + 1) / part_count);
        for (int i = 0; i < count; i++)
            if (least[i] >= first && least[i] < last)
                sorted[begin[least[i]]++] = items[i];
    }
}

// Sorts items by their smallest node, then by all nodes. NULL if memory is short; frees its argument.
static int *sort_items(const family *f, int *items, int count) {
    int node_count = f->mesh->node_count;
    bool shared = count > PARALLEL_MIN;
    int *sorted = carom_allocate(count, sizeof *sorted);
    int *least = carom_allocate(count, sizeof *least);
    int *begin = carom_allocate((int64_t)node_count + 1, sizeof *begin);
    bool good = items && sorted && least && begin;
    if (good) {
#pragma omp parallel for schedule(static) if (shared)
        for (int i = 0; i < count; i++)
            least[i] = smallest_node(f, items[i]);
        fill_buckets(f, items, least, count, shared ? carom_threads() : 1, begin, sorted);
    }
    free(items);
    free(least);
    int bucket_count = good ? node_count : 0;
#pragma omp parallel for schedule(dynamic, 256) reduction(&& : good) if (shared)
    for (int k = 0; k < bucket_count; k++) {
        int from = k > 0 ? begin[k - 1] : 0, size = begin[k] - from;
        if (size <= STACK_MAX)
            sort_bucket(f, &sorted[from], size);
        else
            good = sort_large_bucket(f, &sorted[from], size) && good;
    }
    free(begin);
    if (good)
        return sorted;
    free(sorted);
    return NULL;
}

// The end of the run of equal items that begins at `begin`.
static int run_end(const int *sorted, int count, int begin) {
    int end = begin + 1;
    while (end < count && sorted[end] < 0)
        end++;
    return end;
}

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the faces of a mesh");
}

// The facets of all solid cells, or the plane cells.
static int *list_faces(const carom_mesh *mesh, int dimension, int64_t count) {
    int *faces = carom_allocate(count, sizeof *faces);
    int64_t cell = 0, f = 0;
    for (int b = 0; faces && b < mesh->block_count; cell += mesh->blocks[b++].count) {
        const carom_cell_block *block = &mesh->blocks[b];
        int sides = dimension == 3 ? carom_cell_facet_count(block->type) : 1;
        if (carom_cell_dimension(block->type) != dimension)
            continue;
        for (int e = 0; e < block->count; e++)
            for (int s = 0; s < sides; s++)
                faces[f++] = (int)((cell + e) * CAROM_BOUNDARY_SIDES) + s;
    }
    return faces;
}

// True if two facets with the same nodes have the same orientation, which means that their cells lie on the same side.
static bool same_turn(const carom_mesh *mesh, int first, int second) {
    // Faces with the same nodes begin anywhere; they are compared from the first node of the one.
    carom_facet a = facet_of(mesh, first), b = facet_of(mesh, second);
    int size = carom_facet_size(a.nodes), at = 0;
    while (at < size && b.nodes[at] != a.nodes[0])
        at++;
    return at < size && b.nodes[(at + 1) % size] == a.nodes[1];
}

static int compare_clashes(const void *a, const void *b) {
    const carom_clash *x = a, *y = b;
    int order = carom_mesh_compare(&x->cells[0], &y->cells[0]);
    return order ? order : carom_mesh_compare(&x->cells[1], &y->cells[1]);
}

// Each pair once, in the order of the cells.
static int sort_clashes(carom_clash *clashes, int count) {
    if (count)
        qsort(clashes, (size_t)count, sizeof *clashes, compare_clashes);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (kept == 0 || compare_clashes(&clashes[kept - 1], &clashes[i]) != 0)
            clashes[kept++] = clashes[i];
    return kept;
}

// Lists pairs of equal facets with the same orientation, for runs of equal facets that begin in a range; a third facet is a
// clash in any case. Only counts them if `clashes` is NULL.
static int find_clashes(const carom_mesh *mesh, const int *sorted, int count, int begin, int last, carom_clash *clashes) {
    int found = 0;
    // a run belongs to the range in which it begins
    while (begin < last && sorted[begin] < 0)
        begin++;
    for (int i = begin, end; i < last; i = end) {
        end = run_end(sorted, count, i);
        // Two cells on both sides of a face have it in opposite orientations. The first pair of a run may be such; all others
        // are faults.
        for (int k = i + 1; k < end; k++) {
            if (k == i + 1 && !same_turn(mesh, sorted[i], ~sorted[k]))
                continue;
            if (clashes)
                clashes[found] = (carom_clash){{sorted[i] / CAROM_BOUNDARY_SIDES, ~sorted[k] / CAROM_BOUNDARY_SIDES}};
            found++;
        }
    }
    return found;
}

static int count_clashes(const carom_mesh *mesh, const int *sorted, int count) {
    int found = 0;
#pragma omp parallel for schedule(static) reduction(+ : found) if (count > PARALLEL_MIN)
    for (int begin = 0; begin < count; begin += RUN)
        found += find_clashes(mesh, sorted, count, begin, count - begin < RUN ? count : begin + RUN, NULL);
    return found;
}

// Keeps the facets that occur once, which are the boundary, in the order of the cells.
static int keep_single(int *sorted, int count) {
    int kept = 0;
    for (int i = 0, end; i < count; i = end) {
        end = run_end(sorted, count, i);
        if (end - i == 1)
            sorted[kept++] = sorted[i];
    }
    if (kept)
        qsort(sorted, (size_t)kept, sizeof *sorted, carom_mesh_compare);
    return kept;
}

carom_status carom_boundary_create(carom_boundary *surface, const carom_mesh *mesh, carom_clash **clashes, int *clash_count,
                                   carom_error *error) {
    *surface = (carom_boundary){.mesh = mesh};
    if (clashes) {
        *clashes = NULL;
        *clash_count = 0;
    }
    int dimension = carom_mesh_dimension(mesh);
    int64_t all = 0;
    for (int b = 0; b < mesh->block_count && dimension > 1; b++)
        if (carom_cell_dimension(mesh->blocks[b].type) == dimension)
            all += (int64_t)mesh->blocks[b].count * (dimension == 3 ? carom_cell_facet_count(mesh->blocks[b].type) : 1);
    // Numbers of facets must fit an int, and so must their complements.
    if (carom_mesh_cell_count(mesh) > INT_MAX / CAROM_BOUNDARY_SIDES)
        return carom_fail(error, CAROM_BAD_INPUT, "%lld cells are too many", (long long)carom_mesh_cell_count(mesh));
    surface->faces = list_faces(mesh, dimension > 1 ? dimension : -1, all);
    surface->count = (int)all;
    // The boundary of a plane mesh is its own cells.
    if (surface->faces && dimension < 3)
        return CAROM_OK;

    family facets = facets_of(mesh);
    surface->faces = sort_items(&facets, surface->faces, surface->count);
    if (!surface->faces)
        return no_memory(error);
    int overlaps = clashes ? count_clashes(mesh, surface->faces, surface->count) : 0;
    if (overlaps) {
        *clashes = carom_allocate(overlaps, sizeof **clashes);
        if (!*clashes) {
            carom_boundary_release(surface);
            return no_memory(error);
        }
        find_clashes(mesh, surface->faces, surface->count, 0, surface->count, *clashes);
        *clash_count = sort_clashes(*clashes, overlaps);
    }
    surface->count = keep_single(surface->faces, surface->count);
    return CAROM_OK;
}

void carom_boundary_release(carom_boundary *surface) {
    free(surface->faces);
    *surface = (carom_boundary){0};
}

carom_status carom_mesh_surface(const carom_mesh *mesh, carom_facet **facets, int *count, carom_error *error) {
    *facets = NULL;
    *count = 0;
    carom_boundary surface;
    carom_status status = carom_boundary_create(&surface, mesh, NULL, NULL, error);
    carom_facet *list = status ? NULL : carom_allocate(surface.count, sizeof *list);
    if (!status && !list)
        status = no_memory(error);
    for (int f = 0; list && f < surface.count; f++)
        list[f] = carom_boundary_facet(&surface, f);
    if (list) {
        *facets = list;
        *count = surface.count;
    }
    carom_boundary_release(&surface);
    return status;
}

carom_status carom_boundary_edges(const carom_boundary *surface, int **edges, int *edge_count, carom_error *error) {
    *edges = NULL;
    *edge_count = 0;
    // Four places per face, whatever its size.
    if (surface->count > INT_MAX / 4)
        return carom_fail(error, CAROM_BAD_INPUT, "a surface of %d faces is too large", surface->count);
    int64_t all = 0;
    for (int f = 0; f < surface->count; f++)
        all += carom_facet_size(carom_boundary_facet(surface, f).nodes);
    int *list = carom_allocate(all, sizeof *list), e = 0;
    for (int f = 0; list && f < surface->count; f++)
        for (int side = 0, size = carom_facet_size(carom_boundary_facet(surface, f).nodes); side < size; side++)
            list[e++] = 4 * f + side;
    list = sort_items(&(family){.mesh = surface->mesh, .surface = surface}, list, (int)all);
    if (!list)
        return no_memory(error);
    *edges = list;
    *edge_count = (int)all;
    return CAROM_OK;
}

int carom_edge_run(const int *edges, int edge_count, int begin) {
    return run_end(edges, edge_count, begin);
}
