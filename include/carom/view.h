// SPDX-License-Identifier: MIT
// A view of a model: its points and cells, and fields of a state as the frames of a run show them (carom_view_field_count has
// the list), computed on demand into arrays of the caller.
//
// Points are the nodes of the model, in its order, followed by points on the sections of beams. Cells are the elements, body
// after body in the order of the mesh, followed by the surfaces of beams. A view belongs to a model and serves any number of
// states of it, one at a time.
#ifndef CAROM_VIEW_H
#define CAROM_VIEW_H

#include "carom/integrator.h"

#ifdef __cplusplus
extern "C" {
#endif

// Opaque. It holds the topology and scratch memory for one field.
typedef struct carom_view carom_view;

// The model must outlive the view. `integrator` (carom_sim_integrator) adds the vector per node that its method provides, such
// as "reaction" of a static analysis; the states must then be its own. NULL: none. Fails only if memory is short. Release with
// carom_view_release, which accepts NULL.
CAROM_API carom_status carom_view_create(const carom_model *model, const carom_kind *integrator, carom_view **view,
                                         carom_error *error);
CAROM_API void carom_view_release(carom_view *view);

// How many points and cells there are; both are constant.
CAROM_API int carom_view_point_count(const carom_view *view);
CAROM_API int carom_view_cell_count(const carom_view *view);

// One cell: its type as VTK numbers it, its body, and its points (owned by the view).
typedef struct carom_view_cell {
    int vtk_type;          // 1 vertex, 3 line, 5 triangle, 7 polygon, 9 quadrilateral, 10 tetrahedron, 12 hexahedron, 13 wedge
    int body;              // index of the body
    int point_count;       // of this cell
    const int64_t *points; // indices of its points, in the order of VTK
} carom_view_cell;

// The cell of that index, from 0.
CAROM_API carom_view_cell carom_view_cell_at(const carom_view *view, int cell);

// A field that can be read.
typedef struct carom_view_field {
    const char *name; // "velocity", "von_mises", "stress_nodes", ...
    int components;   // numbers per point or cell
    bool at_points;   // one value per point; else one per cell
} carom_view_field;

// "position", "displacement", "velocity", "impulse" (of contact, summed up) at the points; the fields of the elements of the
// model ("stress", "von_mises", "axial_strain", ...) at the cells, and, with "_nodes" behind the name, averaged to the points.
// Cells of elements that do not have a field show 0.
CAROM_API int carom_view_field_count(const carom_view *view);
CAROM_API carom_view_field carom_view_field_at(const carom_view *view, int field);

// Computes a field of a state of the same model: values[components * i + c] of point or cell i. `count` is the length of the
// array and must match the field. Fails with CAROM_BAD_INPUT on an unknown name, suggesting the nearest one, and on
// another length.
CAROM_API carom_status carom_view_read(carom_view *view, const carom_state *state, const char *name, double *values,
                                       int64_t count, carom_error *error);

#ifdef __cplusplus
}
#endif
#endif
