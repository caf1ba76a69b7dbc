// SPDX-License-Identifier: MIT
// Finds the faults of a mesh (inverted cells, duplicate nodes, open edges ...): first of single cells, then of nodes, then of
// the surface.
#include "mesh/mend/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "math/vec3.h"
#include "mesh/cell.h"
#include "mesh/mend/weld.h"
#include "mesh/mesh.h"
#include "mesh/topology.h"

// In the singular and in the plural.
static const char *const fault_names[CAROM_FAULT_COUNT][2] = {
    [CAROM_FAULT_INVERTED] = {"inverted cell", "inverted cells"},
    [CAROM_FAULT_DEGENERATE] = {"degenerate cell", "degenerate cells"},
    [CAROM_FAULT_UNUSED] = {"unused node", "unused nodes"},
    [CAROM_FAULT_DUPLICATE] = {"duplicate node", "duplicate nodes"},
    [CAROM_FAULT_NON_MANIFOLD] = {"edge with more than two faces", "edges with more than two faces"},
    [CAROM_FAULT_ORIENTATION] = {"edge where faces turn against each other", "edges where faces turn against each other"},
    [CAROM_FAULT_OVERLAP] = {"pair of cells on the same side of a face", "pairs of cells on the same side of a face"},
    [CAROM_FAULT_OPEN] = {"open edge", "open edges"},
};

const char *carom_mesh_fault_name(carom_mesh_fault fault) {
    return fault_names[fault][1];
}

// Open edges, non-manifold edges and overlaps need a decision by the author of the mesh.
bool carom_mesh_is_mendable(const carom_mesh_faults *faults) {
    return faults->count[CAROM_FAULT_INVERTED] || faults->count[CAROM_FAULT_DEGENERATE] ||
           faults->count[CAROM_FAULT_DUPLICATE] || faults->count[CAROM_FAULT_ORIENTATION];
}

// Open edges and unused nodes are not faults: a shell has a rim, and files contain nodes of the construction.
bool carom_mesh_is_faulty(const carom_mesh_faults *faults) {
    for (int f = 0; f < CAROM_FAULT_COUNT; f++)
        if (faults->count[f] && f != CAROM_FAULT_UNUSED && f != CAROM_FAULT_OPEN)
            return true;
    return false;
}

void carom_mesh_faults_print(const carom_mesh_faults *faults, char *text, size_t size) {
    size_t used = 0;
    text[0] = 0;
    // "3 inverted cells: 17, 18, 25; 1 open edge: 4-9": each kind with its first few examples.
    for (int f = 0; f < CAROM_FAULT_COUNT; f++) {
        int64_t count = faults->count[f];
        if (!count || f == CAROM_FAULT_UNUSED || f == CAROM_FAULT_OPEN)
            continue;
        char line[512];
        int end = snprintf(line, sizeof line, "%s%lld %s:", used ? "; " : "", (long long)count, fault_names[f][count > 1]);
        for (int i = 0; i < count && i < CAROM_FAULT_EXAMPLES; i++) {
            const int64_t *example = faults->example[f][i];
            end += snprintf(line + end, sizeof line - (size_t)end, "%s %lld", i ? "," : "", (long long)example[0]);
            if (example[1] >= 0)
                end += snprintf(line + end, sizeof line - (size_t)end, "-%lld", (long long)example[1]);
        }
        if (count > CAROM_FAULT_EXAMPLES)
            end += snprintf(line + end, sizeof line - (size_t)end, ", ...");
        // A kind that no longer fits is left out as a whole, rather than cut in the middle of a number.
        if (used + (size_t)end < size)
            used += (size_t)snprintf(text + used, size - used, "%s", line);
    }
}

void carom_mesh_parts_print(const carom_mesh *mesh, const carom_mesh_faults *faults, char *text, size_t size) {
    enum { SHOWN = 4 };
    text[0] = 0;
    if (!faults->count[CAROM_FAULT_DUPLICATE] || mesh->cell_set_count < 2)
        return;
    size_t used = (size_t)snprintf(text, size, "; parts that touch become bodies of their own by their groups (");
    for (int s = 0; s < mesh->cell_set_count && s < SHOWN && used < size; s++)
        used += (size_t)snprintf(text + used, size - used, "%s'%.40s'", s ? ", " : "", mesh->cell_sets[s].name);
    if (used < size)
        snprintf(text + used, size - used, "%s)", mesh->cell_set_count > SHOWN ? ", ..." : "");
}

void carom_mesh_faults_add(carom_mesh_faults *faults, carom_mesh_fault fault, int64_t first, int64_t second) {
    int64_t place = faults->count[fault]++;
    if (place >= CAROM_FAULT_EXAMPLES)
        return;
    faults->example[fault][place][0] = first;
    faults->example[fault][place][1] = second;
}

// A repeated node is found first, since a hexahedron with one may still have a good determinant at every other corner.
carom_cell_state carom_cell_examine(const carom_mesh *mesh, carom_cell_type type, const int *nodes) {
    int size = carom_cell_size(type);
    double x[CAROM_CELL_NODES_MAX][3];
    for (int i = 0; i < size; i++) {
        carom_copy(mesh->nodes[nodes[i]], x[i]);
        for (int j = 0; j < i; j++)
            if (nodes[i] == nodes[j])
                return CAROM_CELL_FLAT;
    }
    if (type == CAROM_CELL_POINT)
        return CAROM_CELL_GOOD;
    if (type == CAROM_CELL_LINE2)
        return carom_cell_measure(type, (carom_const_vectors)x) > 0 ? CAROM_CELL_GOOD : CAROM_CELL_FLAT;

    // A cell is flat if its volume is below the rounding error of its own size.
    double turn = carom_cell_turn(type, (carom_const_vectors)x);
    if (fabs(turn) <= 1e-12)
        return CAROM_CELL_FLAT;
    if (turn > 0)
        return CAROM_CELL_GOOD;
    // A cell that is inverted at some corner but has a positive volume is folded: reversing its nodes would not help.
    return carom_cell_measure(type, (carom_const_vectors)x) < 0 ? CAROM_CELL_INSIDE_OUT : CAROM_CELL_FOLDED;
}

static void check_cells(const carom_mesh *mesh, carom_mesh_faults *faults) {
    for (int b = 0; b < mesh->block_count; b++) {
        const carom_cell_block *block = &mesh->blocks[b];
        int size = carom_cell_size(block->type);
        for (int e = 0; e < block->count; e++) {
            carom_cell_state state = carom_cell_examine(mesh, block->type, &block->nodes[(int64_t)e * size]);
            if (state == CAROM_CELL_GOOD)
                continue;
            int64_t id = carom_mesh_cell_id(mesh, b, e);
            // Folded cells are reported with the inverted ones; both have a negative Jacobian at some corner.
            carom_mesh_faults_add(faults, state == CAROM_CELL_FLAT ? CAROM_FAULT_DEGENERATE : CAROM_FAULT_INVERTED, id, -1);
        }
    }
}

// Nodes that no cell uses, and nodes at the place of an earlier one.
static carom_status check_nodes(const carom_mesh *mesh, carom_mesh_faults *faults, carom_error *error) {
    bool *used = carom_mesh_used(mesh);
    int *first = NULL;
    carom_status status =
        used ? carom_mesh_coincide(mesh, &first, error) : carom_fail(error, CAROM_NO_MEMORY, "no memory to check a mesh");
    if (status) {
        free(used);
        return status;
    }
    for (int k = 0; k < mesh->node_count; k++) {
        if (!used[k])
            carom_mesh_faults_add(faults, CAROM_FAULT_UNUSED, carom_mesh_node_id(mesh, k), -1);
        // Of a group of coincident nodes each but the first is reported, together with the first.
        if (first[k] != k)
            carom_mesh_faults_add(faults, CAROM_FAULT_DUPLICATE, carom_mesh_node_id(mesh, first[k]),
                                  carom_mesh_node_id(mesh, k));
    }
    free(used);
    free(first);
    return CAROM_OK;
}

// Is this the edge of a face from its smallest node to the smaller neighbour of that? Each face has exactly one such
// edge, so that it is met once.
static bool is_first_edge(const int *nodes, int size, const carom_edge *edge) {
    int least = 0;
    for (int i = 1; i < size; i++)
        least = nodes[i] < nodes[least] ? i : least;
    int before = nodes[(least + size - 1) % size], after = nodes[(least + 1) % size], other = before < after ? before : after;
    return (edge->from == nodes[least] && edge->to == other) || (edge->to == nodes[least] && edge->from == other);
}

static bool same_nodes(const int *a, const int *b, int size) {
    int common = 0;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            common += a[i] == b[j];
    return common == size;
}

// Faces of a surface that occur twice, among those at one edge. Only a few neighbours in the list are compared, so that a bad
// mesh with a million faces at one edge does not take quadratic time.
static void check_doubles(const carom_boundary *surface, const int *edges, int begin, int end, carom_mesh_faults *faults) {
    enum { TRIES = 8 };
    for (int i = begin + 1; i < end; i++) {
        carom_edge edge = carom_boundary_edge(surface, edges[i]);
        carom_facet face = carom_boundary_facet(surface, edge.face);
        int size = carom_facet_size(face.nodes);
        if (!is_first_edge(face.nodes, size, &edge))
            continue;
        for (int j = i - 1; j >= begin && j >= i - TRIES; j--) {
            carom_facet other = carom_boundary_facet(surface, carom_boundary_edge(surface, edges[j]).face);
            if (carom_facet_size(other.nodes) != size || !same_nodes(face.nodes, other.nodes, size))
                continue;
            carom_mesh_faults_add(faults, CAROM_FAULT_OVERLAP, carom_mesh_cell_id(surface->mesh, other.block, other.cell),
                                  carom_mesh_cell_id(surface->mesh, face.block, face.cell));
            break;
        }
    }
}

static void check_edges(const carom_boundary *surface, const int *edges, int edge_count, bool solid,
                        carom_mesh_faults *faults) {
    for (int i = 0, end; i < edge_count; i = end) {
        end = carom_edge_run(edges, edge_count, i);
        carom_edge edge = carom_boundary_edge(surface, edges[i]);
        // Two faces with all nodes in common share all edges; each pair is reported at one of them.
        if (end - i > 1 && !solid)
            check_doubles(surface, edges, i, end, faults);
        // One face: open. Two: consistent if they run along the edge in opposite directions. More: a branch of the surface.
        carom_mesh_fault fault = end - i == 1 ? CAROM_FAULT_OPEN : CAROM_FAULT_NON_MANIFOLD;
        if (end - i == 2 && edge.from != carom_boundary_edge(surface, edges[i + 1]).from)
            continue;
        if (end - i == 2)
            fault = CAROM_FAULT_ORIENTATION;
        int64_t a = carom_mesh_node_id(surface->mesh, edge.from), b = carom_mesh_node_id(surface->mesh, edge.to);
        // An edge of a degenerate face joins a node to itself. Degenerate faces are reported as such, and
        // their edges are left out.
        if (a != b)
            carom_mesh_faults_add(faults, fault, a < b ? a : b, a < b ? b : a);
    }
}

// Checks for overlapping solid cells, then checks the edges of the boundary.
static carom_status check_surface(const carom_mesh *mesh, carom_mesh_faults *faults, carom_error *error) {
    carom_boundary surface;
    carom_clash *clashes;
    // Between solids, faces that occur twice were found as clashes already.
    bool solid = carom_mesh_dimension(mesh) == 3;
    int *edges = NULL, edge_count = 0, clash_count;
    carom_status status = carom_boundary_create(&surface, mesh, &clashes, &clash_count, error);
    for (int i = 0; !status && i < clash_count; i++)
        carom_mesh_faults_add(faults, CAROM_FAULT_OVERLAP, carom_mesh_cell_id_at(mesh, clashes[i].cells[0]),
                              carom_mesh_cell_id_at(mesh, clashes[i].cells[1]));
    free(clashes);
    if (!status)
        status = carom_boundary_edges(&surface, &edges, &edge_count, error);
    if (!status)
        check_edges(&surface, edges, edge_count, solid, faults);
    carom_boundary_release(&surface);
    free(edges);
    return status;
}

// Areas, volumes and their squares must be representable. Nodes that no cell uses may be anywhere.
static carom_status check_size(const carom_mesh *mesh, carom_error *error) {
    // The volume of the smallest mesh, 1e-300, is a normal number; the square of an area of the largest,
    // 1e300, does not overflow.
    const double least = 1e-100, most = 1e75;
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, size = 0, far = 0;
    for (int b = 0; b < mesh->block_count; b++) {
        int64_t slots = (int64_t)mesh->blocks[b].count * carom_cell_size(mesh->blocks[b].type);
        for (int64_t s = 0; s < slots; s++)
            for (int i = 0; i < 3; i++) {
                double x = mesh->nodes[mesh->blocks[b].nodes[s]][i];
                low[i] = fmin(low[i], x);
                high[i] = fmax(high[i], x);
            }
    }
    // Without cells the box is empty, and any nodes pass.
    for (int i = 0; i < 3 && low[0] <= high[0]; i++) {
        size = fmax(size, high[i] - low[i]);
        far = fmax(far, fmax(fabs(low[i]), fabs(high[i])));
    }
    if (far <= most && (size == 0 || size >= least))
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "the mesh has %s %g: choose a unit of length in which it is from %g to %g",
                      far > most ? "a coordinate of" : "a size of", far > most ? far : size, least, most);
}

// Cells are examined one by one; nodes and faces need neighbours and memory.
carom_status carom_mesh_check(const carom_mesh *mesh, carom_mesh_faults *faults, carom_error *error) {
    *faults = (carom_mesh_faults){0};
    carom_status status = check_size(mesh, error);
    if (status)
        return status;
    check_cells(mesh, faults);
    status = check_nodes(mesh, faults, error);
    return status ? status : check_surface(mesh, faults, error);
}
