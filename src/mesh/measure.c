// SPDX-License-Identifier: MIT
// Measures length, area, volume and quality of a mesh. The volume inside a closed surface is a third of the flux of the
// position through it (divergence theorem). All sums are compensated, since meshes have millions of cells.
#include <math.h>
#include <stdlib.h>

#include "math/sum.h"
#include "math/vec3.h"
#include "mesh/cell.h"
#include "mesh/mesh.h"
#include "mesh/topology.h"

static void load(const carom_mesh *mesh, const int *nodes, int size, double x[][3]) {
    for (int i = 0; i < size; i++)
        carom_copy(mesh->nodes[nodes[i]], x[i]);
}

// Volume of solid cells, length of lines, quality and edges of all.
static void measure_cells(const carom_mesh *mesh, carom_mesh_facts *facts) {
    carom_sum volume = {0}, length = {0};
    for (int b = 0; b < mesh->block_count; b++) {
        const carom_cell_block *block = &mesh->blocks[b];
        int size = carom_cell_size(block->type), edges[12][2], edge_count = carom_cell_edges(block->type, edges);
        for (int e = 0; e < block->count; e++) {
            double x[CAROM_CELL_NODES_MAX][3];
            load(mesh, &block->nodes[(int64_t)e * size], size, x);
            if (carom_cell_dimension(block->type) == 3)
                carom_sum_add(&volume, carom_cell_measure(block->type, (carom_const_vectors)x));
            if (block->type == CAROM_CELL_LINE2)
                carom_sum_add(&length, carom_cell_measure(block->type, (carom_const_vectors)x));
            double quality = carom_cell_quality(block->type, (carom_const_vectors)x);
            // A cell whose volume overflows has the quality NaN, which counts as 0.
            quality = quality >= 0 ? fmin(quality, 1) : 0;
            int bin = (int)(quality * CAROM_QUALITY_BINS);
            facts->quality[bin < CAROM_QUALITY_BINS ? bin : CAROM_QUALITY_BINS - 1]++;
            facts->worst_quality = fmin(facts->worst_quality, quality);
            for (int i = 0; i < edge_count; i++) {
                double edge[3];
                carom_difference(x[edges[i][1]], x[edges[i][0]], edge);
                double l = carom_norm(edge);
                facts->shortest_edge = fmin(facts->shortest_edge, l);
                facts->longest_edge = fmax(facts->longest_edge, l);
            }
        }
    }
    facts->volume = carom_sum_value(&volume);
    facts->length = carom_sum_value(&length);
}

// The area of the boundary (the surface of a solid, the cells of a shell), whether it is closed, and the volume inside a closed
// shell.
static carom_status measure_surface(const carom_mesh *mesh, carom_mesh_facts *facts, carom_error *error) {
    carom_boundary surface;
    int *edges = NULL, edge_count = 0;
    carom_status status = carom_boundary_create(&surface, mesh, NULL, NULL, error);
    if (!status)
        status = carom_boundary_edges(&surface, &edges, &edge_count, error);
    if (status) {
        carom_boundary_release(&surface);
        return status;
    }

    // A surface is closed if every edge has at least two faces.
    facts->closed = surface.count > 0;
    for (int i = 0, end; i < edge_count; i = end) {
        end = carom_edge_run(edges, edge_count, i);
        facts->closed = facts->closed && end - i > 1;
    }
    // A solid mesh has a volume already, cell by cell.
    bool solid = mesh->block_count > 0 && facts->volume != 0;
    carom_sum area = {0}, flux = {0};
    for (int f = 0; f < surface.count; f++) {
        double x[4][3];
        carom_facet face = carom_boundary_facet(&surface, f);
        int size = carom_facet_size(face.nodes);
        load(mesh, face.nodes, size, x);
        // Relative to a corner of the bounding box, so that a body far from the origin loses no precision.
        for (int i = 0; i < size; i++)
            carom_difference(x[i], facts->low, x[i]);
        carom_sum_add(&area, carom_cell_measure(size == 3 ? CAROM_CELL_TRI3 : CAROM_CELL_QUAD4, (carom_const_vectors)x));
        carom_sum_add(&flux, carom_face_flux(size, (carom_const_vectors)x));
    }
    facts->area = carom_sum_value(&area);
    // The volume of a closed shell is that which it encloses.
    if (facts->closed && !solid)
        facts->volume = carom_sum_value(&flux);
    carom_boundary_release(&surface);
    free(edges);
    return CAROM_OK;
}

carom_status carom_mesh_measure(const carom_mesh *mesh, carom_mesh_facts *facts, carom_error *error) {
    *facts = (carom_mesh_facts){.shortest_edge = HUGE_VAL, .worst_quality = 1};
    if (mesh->node_count)
        carom_mesh_bounds(mesh, facts->low, facts->high);
    measure_cells(mesh, facts);
    if (isinf(facts->shortest_edge))
        facts->shortest_edge = 0;
    return measure_surface(mesh, facts, error);
}
