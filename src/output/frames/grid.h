// SPDX-License-Identifier: MIT
// The model as one unstructured grid, in the form of the field files of VTK: every element is a cell, in
// the order of the mesh. Beams also show their cross-sections: a ring of points around each node, and a surface of
// quadrilaterals between the rings.
#ifndef CAROM_OUTPUT_FRAMES_GRID_H
#define CAROM_OUTPUT_FRAMES_GRID_H

#include "carom/element.h"
#include "carom/integrator.h"
#include "model/forces/peaks.h"
#include "output/frames/traces.h"

// Minimum number of points or cells for parallel loops, which take some ten nanoseconds for each.
enum { CAROM_GRID_SHARED = 8192 };

// Fields of materials with history.
enum {
    CAROM_FIELD_PLASTIC_STRAIN,
    CAROM_FIELD_PLASTIC_WORK,
    CAROM_FIELD_TEMPERATURE,
    CAROM_FIELD_PRESSURE,
    CAROM_INNER_FIELDS
};

// Limits: different fields of all elements of a model, and the length of their names with a suffix.
enum { CAROM_GRID_FIELDS_MAX = 32, CAROM_FIELD_NAME_MAX = 64 };

// Vectors that every point has.
typedef enum carom_point_field {
    CAROM_POINT_DISPLACEMENT,
    CAROM_POINT_VELOCITY,
    CAROM_POINT_IMPULSE,       // of contact on the node, accumulated since the start
    CAROM_POINT_CONTACT_FORCE, // of contact on the node, averaged since the last frame
    CAROM_POINT_RESULT,        // the vector per node that the integrator offers, such as the reactions of a static analysis
    CAROM_POINT_TO_LIMIT,      // from the node to the smooth surface that it controls; models with shells only
    CAROM_POINT_AXIS_1,        // the frame; models with beams only
    CAROM_POINT_AXIS_2,
    CAROM_POINT_AXIS_3,
    CAROM_POINT_FIELDS
} carom_point_field;

// A point of the outline of a section, in the axes of its node.
typedef struct carom_section_point {
    int node;
    double offset[2];
} carom_section_point;

// Constant arrays are filled once, by carom_grid_create; `values` is scratch for the fields of a state.
typedef struct carom_grid {
    const carom_model *model;
    int point_count, node_count, cell_count, element_count; // nodes come before other points, elements before other cells
    int64_t connectivity_count;
    int64_t *connectivity;         // points of all cells
    int64_t *offsets;              // cell_count + 1 places in `connectivity`, the first is 0
    uint8_t *types;                // VTK's number of each cell's type
    int32_t *cell_body;            // index of the body
    int32_t *point_body;           // the same of points
    double *point_mass;            // of nodes; 0 at other points
    carom_traces traces;           // contact of the nodes since the last frame
    int32_t *contact_state;        // scratch: a carom_touch per point
    carom_section_point *sections; // the points that are not nodes
    int *owner;                    // for each cell of a beam surface, the cell of its element
    int *cell_of;                  // element of the model to cell; within a body cells keep the order of the mesh
    bool numbered;                 // a mesh file has numbers of nodes or elements
    int64_t *cell_number;          // within the body: as its file counts, else from 0; -1 for beam surfaces; NULL: not numbered
    int64_t *node_number;          // the same of points
    int point_field_count;         // number of vector fields of the points
    const carom_method_result *result;                  // shown as CAROM_POINT_RESULT; NULL: none
    carom_point_field point_fields[CAROM_POINT_FIELDS]; // which ones
    int field_count;                                    // fields that any of the elements offers, by name
    carom_element_field fields[CAROM_GRID_FIELDS_MAX];
    int envelopes[CAROM_ENVELOPES];   // the places of those that are the largest over the run; -1: none
    int inner[CAROM_INNER_FIELDS];    // of those of materials with history; -1: none
    double *inner_margin;             // scratch for them: seven numbers for each element of a block; NULL without any
    int nodal_count;                  // fields of solids, which are averaged to the nodes as well
    int nodal[CAROM_GRID_FIELDS_MAX]; // their places in `fields`
    char nodal_names[CAROM_GRID_FIELDS_MAX][CAROM_FIELD_NAME_MAX]; // "stress_nodes", ...
    double *volume;                                                // of each element, 0 if not a solid; NULL without solids
    double *node_volume;                                           // of the elements around each point; 0 or NULL as above
    int64_t *around_begin; // cells with a volume around each point: point_count + 1 places in `around`; NULL without solids
    int *around;
    double *nodal_values; // scratch: one nodal field
    double *patch_values; // scratch: a field of a block of patches; NULL without patches
    double *around_nodes; // the same at the nodes
    double *values;       // scratch: one vector per point or one field of all cells, the larger of the two
    double *sorted;       // scratch of the same size
} carom_grid;

// Only lists the fields of the model: no memory is needed, and nothing is to be released.
void carom_grid_list_fields(const carom_model *model, const carom_method_result *result, carom_grid *grid);

// Creates the grid. `result` is a vector per node that the integrator provides, or NULL.
carom_status carom_grid_create(const carom_model *model, const carom_method_result *result, carom_grid *grid,
                               carom_error *error);
void carom_grid_release(carom_grid *grid);
// Numbers all points and cells, also if no mesh file has numbers. False if memory is short.
bool carom_grid_number(carom_grid *grid);

// "displacement", ...
const char *carom_point_field_name(const carom_grid *grid, carom_point_field field);

// Fills `values` with the positions of all points.
void carom_grid_positions(carom_grid *grid, const carom_state *state);
// Fills `values` with one vector per point.
void carom_grid_point_field(carom_grid *grid, const carom_state *state, carom_point_field field);
// Fills `contact_state` with the carom_touch of each point.
void carom_grid_contact_state(carom_grid *grid, const carom_state *state);
// Fills `values` with one field of all cells; cells whose element does not have it get 0.
void carom_grid_field(carom_grid *grid, const carom_state *state, int field);
// All fields of all cells: values[f] is the array of field f, or NULL where it is not requested. Elements that can show several
// fields at once do. Models with patches show one at a time, because `around_nodes` holds one field.
void carom_grid_fields(carom_grid *grid, const carom_state *state, double *const values[]);
// Fills `nodal_values` with one field of solids, averaged to the nodes with the element volumes as weights;
// 0 at other nodes. Overwrites `values`.
void carom_grid_nodal_field(carom_grid *grid, const carom_state *state, int nodal);

// The averages, in `nodal_values` or any other array, of the field that carom_grid_field has computed in `values`.
void carom_nodal_average(const carom_grid *grid, int nodal, double *average);
// The averages of all nodal fields at once, from the arrays of carom_grid_fields: averages[n] of nodal field n, where not NULL.
void carom_nodal_averages(const carom_grid *grid, double *const values[], double *const averages[]);

// In inner_fields.c: adds the fields of materials with history to those of cells; called by carom_grid_create.
void carom_inner_fields_list(carom_grid *grid);
// Fills the requested ones; called by carom_grid_fields.
void carom_inner_fields_show(carom_grid *grid, const carom_state *state, double *const values[]);
// In envelopes.c: adds the largest stresses over the run to the fields of cells; called by carom_grid_create.
void carom_envelopes_list(carom_grid *grid);
// Fills the requested ones; called by carom_grid_fields after all other fields.
void carom_envelopes_show(const carom_grid *grid, const carom_state *state, double *const values[]);

// True for a body of a loop shell, whose fields are evaluated on patches around its nodes.
bool carom_grid_has_patches(const carom_grid *grid, int body);
// True if the value of a cell is the sum of its own part and of the mean of the parts of the patches at its nodes
// (carom_element.parted).
bool carom_grid_has_parts(const carom_grid *grid, int body);

// In nodal.c, called by carom_grid_create: lists nodal fields; computes volumes, false if memory is short.
void carom_nodal_list(carom_grid *grid);
bool carom_nodal_create(carom_grid *grid);
// In nodal.c, called after the cells are listed: lists the cells around each point and sums up their volumes.
bool carom_nodal_weigh(carom_grid *grid);

// Number of elements of a block that are cells of the file; a patch of a loop shell is not.
static inline int carom_grid_cells_in(const carom_block *block) {
    return carom_block_has_cells(block) ? block->count : 0;
}
// Adds a field of one component that is not a field of an element; returns its index, or -1 if the name exists already or the
// list is full.
int carom_grid_add_field(carom_grid *grid, const char *name);
// For cells of bodies with patches: replaces their values by the mean of `around_nodes` over their nodes or, if these values
// are a part only, adds this mean.
void carom_grid_spread_patches(const carom_grid *grid, int components, double *values);
// Index of a field in the union of the fields of all elements, or -1. A name means the same wherever it occurs, provided the
// number of components agrees.
int carom_grid_find_field(const carom_grid *grid, const carom_element_field *field);

#endif
