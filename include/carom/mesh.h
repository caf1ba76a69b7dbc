// SPDX-License-Identifier: MIT
// Meshes: nodes, cells, named sets. A mesh is geometry only; it becomes a body with an element and a material.
#ifndef CAROM_MESH_H
#define CAROM_MESH_H

#include <stdint.h>
#include <stdio.h>

#include "carom/param.h"

#ifdef __cplusplus
extern "C" {
#endif

// Nodes of a cell are ordered as in VTK: triangles and quadrilaterals counter-clockwise seen from outside, a tetrahedron with
// its fourth node on the side to which the first three turn counter-clockwise (positive volume), a hexahedron and a wedge
// (prism) bottom then top.
typedef enum carom_cell_type {
    CAROM_CELL_POINT,  // one node
    CAROM_CELL_LINE2,  // two ends
    CAROM_CELL_TRI3,   // three corners
    CAROM_CELL_QUAD4,  // four corners
    CAROM_CELL_TET4,   // four corners
    CAROM_CELL_HEX8,   // eight corners
    CAROM_CELL_WEDGE6, // six corners: a triangle, and another one above it
    CAROM_CELL_TYPE_COUNT
} carom_cell_type;

enum { CAROM_CELL_NODES_MAX = 8 };

// Nodes per cell, dimension (0 to 3), and the name: "point", "line2", "tri3", "quad4", "tet4", "hex8",
// "wedge6".
CAROM_API int carom_cell_size(carom_cell_type type);
CAROM_API int carom_cell_dimension(carom_cell_type type);
CAROM_API const char *carom_cell_name(carom_cell_type type);

// A run of cells of one type.
typedef struct carom_cell_block {
    carom_cell_type type; // of all of them
    int count;            // of cells
    int *nodes;           // count * carom_cell_size(type) node indices
    int64_t *ids;         // numbers of the cells in the file they come from; NULL: their place in the mesh
} carom_cell_block;

// Some nodes, known by a name.
typedef struct carom_node_set {
    char name[CAROM_NAME_MAX];
    int count;
    int *nodes; // ascending, no repetition
} carom_node_set;

// Cells of a mesh, counted through all blocks in order: a part of a body, or a body in a file that holds several.
typedef struct carom_cell_set {
    char name[CAROM_NAME_MAX];
    int count;
    int *cells; // ascending, no repetition
} carom_cell_set;

// Faces of solid cells (triangles, quadrilaterals), or edges of plane ones: where pressure acts. Nodes as they turn seen from
// outside.
typedef struct carom_face_set {
    char name[CAROM_NAME_MAX];
    int count;
    int (*nodes)[4]; // -1 after the last of a face with fewer nodes
} carom_face_set;

// Owns its arrays. Nodes are numbered from 0.
typedef struct carom_mesh {
    int node_count;          // of all cells together
    double (*nodes)[3];      // positions
    int64_t *node_ids;       // numbers of the nodes in the file they come from; NULL: their index
    double (*frames)[3][3];  // a rotation per node, for elements that have frames; NULL: the element chooses
    double (*velocities)[3]; // initial velocities of the nodes, added to those of the body; NULL: none
    double (*spins)[3];      // initial angular velocities of the frames, in their own axes; NULL: none
    int block_count;
    carom_cell_block *blocks; // runs of cells of one type
    int set_count;
    carom_node_set *sets;
    int cell_set_count;
    carom_cell_set *cell_sets;
    int face_set_count;
    carom_face_set *face_sets;
} carom_mesh;

// Frees the arrays and leaves the mesh empty ({0}).
CAROM_API void carom_mesh_release(carom_mesh *mesh);

// For generators and programs with their own meshes: filling a mesh that starts as {0}.
//
// Reserves the nodes of a mesh and one block of cells, all zero. On failure the mesh is empty.
CAROM_API carom_status carom_mesh_allocate(carom_mesh *mesh, int64_t node_count, carom_cell_type type, int64_t cell_count,
                                           carom_error *error);
// Adds a block of cells, all nodes zero.
CAROM_API carom_status carom_mesh_add_block(carom_mesh *mesh, carom_cell_type type, int64_t cell_count, carom_error *error);
// Adds a set of nodes or cells; the array is copied, then sorted, and repetitions are dropped. A name that is too long is cut.
CAROM_API carom_status carom_mesh_add_set(carom_mesh *mesh, const char *name, const int *nodes, int count, carom_error *error);
CAROM_API carom_status carom_mesh_add_cell_set(carom_mesh *mesh, const char *name, const int *cells, int count,
                                               carom_error *error);
// Adds a set of faces (nodes as in carom_face_set); the array is copied as it is.
CAROM_API carom_status carom_mesh_add_face_set(carom_mesh *mesh, const char *name, const int (*nodes)[4], int count,
                                               carom_error *error);

// A separate mesh with the same content.
CAROM_API carom_status carom_mesh_copy(const carom_mesh *from, carom_mesh *to, carom_error *error);

// The set of that name, or NULL.
CAROM_API const carom_node_set *carom_mesh_set(const carom_mesh *mesh, const char *name);
CAROM_API const carom_cell_set *carom_mesh_cell_set(const carom_mesh *mesh, const char *name);
CAROM_API const carom_face_set *carom_mesh_face_set(const carom_mesh *mesh, const char *name);

// Adds the surface of solid cells as face set and node set `surface`. A mesh that has any set of that name, or no solid cells,
// stays as it is.
CAROM_API carom_status carom_mesh_name_surface(carom_mesh *mesh, carom_error *error);

// The nodes of the cells of a set, ascending, no repetition. Free with carom_free().
CAROM_API carom_status carom_mesh_cell_set_nodes(const carom_mesh *mesh, const carom_cell_set *set, int **nodes, int *count,
                                                 carom_error *error);

// The number of a node or cell in its file.
CAROM_API int64_t carom_mesh_node_id(const carom_mesh *mesh, int node);
CAROM_API int64_t carom_mesh_cell_id(const carom_mesh *mesh, int block, int cell);

// 64 bits over positions, cells and sets, independent of how nodes and cells are numbered and of the order of blocks and sets:
// equal for equal meshes. 0 if memory is short.
CAROM_API uint64_t carom_mesh_hash(const carom_mesh *mesh);

// A generator makes a mesh from parameters.
typedef struct carom_generator {
    carom_kind kind;
    // The number of cells that it would make; NULL: not known in advance.
    double (*cell_count)(const void *params);
    // Fills an empty mesh. `params` has been checked against the table.
    carom_status (*generate)(const void *params, carom_mesh *mesh, carom_error *error);
} carom_generator;

// All generators: "line", "point", "curve", "rectangle", "box", ..., and "file", which reads.
CAROM_API const carom_catalogue *carom_generators(void);

// Adds a generator to this catalogue, so that scenes, `carom mesh` and carom_pick_of can refer to it by its name. The rules
// are those of carom_register_material (material.h). A pick may also point to one that is not registered.
CAROM_API carom_status carom_register_generator(const carom_generator *generator, carom_error *error);

// Generates the mesh of a pick from carom_generators(). Surfaces of solids and closed surfaces face outward, flat ones face +z.
// Refuses more than CAROM_MESH_CELLS_MAX cells.
CAROM_API carom_status carom_mesh_generate(carom_pick generator, carom_mesh *mesh, carom_error *error);

// A mesh with more cells is refused before memory is allocated.
enum { CAROM_MESH_CELLS_MAX = 100000000 };

// Where the cells of a line are small: nowhere, or growing linearly in size from one of its ends.
typedef enum carom_line_grading { CAROM_GRADING_NONE, CAROM_GRADING_START, CAROM_GRADING_END } carom_line_grading;

// `line`: a straight row of two-node cells. Sets: start, end.
typedef struct carom_line_params {
    double from[3], to[3]; // length; the end points
    int elements;          // number of cells
    int grading;           // carom_line_grading
} carom_line_params;

// `curve`: a row of two-node cells with frames, each a helical arc: frame a + 1 is frame a moved by the Cayley map of ds
// (curvature, strain + e3). If `over` is not zero the curve moves to a second shape within that time, and the nodes have the
// corresponding initial velocities. Sets: start, end.
typedef struct carom_curve_params {
    double start[3];     // length; the first node
    double turn[3];      // rotation vector of the first frame
    double length;       // length; measured along the curve without strain
    int elements;        // number of cells
    double curvature[3]; // 1 / length; bending about the first two axes, twist about the third
    double strain[3];    // pure number; shear, shear, stretch
    double over;         // time
    double next_start[3], next_turn[3], next_curvature[3], next_strain[3]; // the second shape
} carom_curve_params;

// `point`: one node, one point cell. Set: point.
typedef struct carom_point_params {
    double at[3]; // length
} carom_point_params;

// Cells of plane meshes and of solids; the second of each pair is made by splitting the first.
typedef enum carom_plane_cells { CAROM_PLANE_QUAD4, CAROM_PLANE_TRI3 } carom_plane_cells;
typedef enum carom_solid_cells { CAROM_SOLID_HEX8, CAROM_SOLID_TET4 } carom_solid_cells;

// `rectangle`: a flat surface across z. Sets and edge sets: xmin, xmax, ymin, ymax; set: rim.
typedef struct carom_rectangle_params {
    double from[3], to[3]; // length; opposite corners, at the same z
    int columns, rows;     // cells along x and y
    int cells;             // carom_plane_cells
} carom_rectangle_params;

// Towards which faces the cells of a box become smaller.
typedef enum carom_box_refine { CAROM_REFINE_FROM, CAROM_REFINE_TO, CAROM_REFINE_BOTH } carom_box_refine;

// `box`: a solid. Sets and face sets: xmin, xmax, ymin, ymax, zmin, zmax, surface.
typedef struct carom_box_params {
    double from[3], to[3]; // length; opposite corners
    int elements[3];       // cells along x, y, z
    int cells;             // carom_solid_cells
    double grading[3];     // p: nodes at (i/n)^p of each side; 1: equal cells
    double blend[3];       // share of equal cells: nodes at b (i/n) + (1 - b) (i/n)^p of each side
    int refine;            // carom_box_refine
} carom_box_params;

// `plate`: a thin solid box about its centre. Sets and face sets: top, bottom, rim, surface.
typedef struct carom_plate_params {
    double center[3], length, width, thickness; // length; along x, y, z
    int columns, rows, layers;                  // cells along x, y, z
    int cells;                                  // carom_solid_cells
} carom_plate_params;

// `ring`: a flat annulus across z. Sets and edge sets: inner, outer.
typedef struct carom_ring_params {
    double center[3], inner, outer; // length; the radii
    int around, layers;             // cells around and between the radii
    int cells;                      // carom_plane_cells
} carom_ring_params;

// `disc`: a flat disc across z: a square core of divisions^2 cells, and layers of 4 divisions cells around it. Set and edge
// set: rim; set: center (if there is a node).
typedef struct carom_disc_params {
    double center[3], radius; // length
    int divisions, layers;
    int cells; // carom_plane_cells
} carom_disc_params;

// `hexagonal-disc`: a flat disc across z of 6 rings^2 triangles; ring r has 6 r nodes. Sets: center, rim; edge set: rim.
typedef struct carom_hexagonal_disc_params {
    double center[3], radius; // length
    int rings;
} carom_hexagonal_disc_params;

// `cylinder`: a solid disc of some height along z. Sets and face sets: bottom, top, side, surface.
typedef struct carom_cylinder_params {
    double center[3], radius, height; // length; the centre of the bottom
    int divisions, layers, slices;    // as of a disc; cells along z
    int cells;                        // carom_solid_cells
} carom_cylinder_params;

// `tube`: a solid ring of some height along z. Sets and face sets: bottom, top, inner, outer, surface.
typedef struct carom_tube_params {
    double center[3], inner, outer, height; // length; the centre of the bottom
    int around, layers, slices;             // cells around, between the radii, along z
    int cells;                              // carom_solid_cells
} carom_tube_params;

// Solids whose triangulated faces are mapped to a sphere. Counts: octahedral 8 * 4^k, icosahedral 20 * 4^k, tetrahedral 4 *
// 4^k, cube-mapped 12 n^2; no count belongs to two of them.
typedef enum carom_sphere_pattern {
    CAROM_SPHERE_AUTO, // the pattern that has the given number of faces
    CAROM_SPHERE_OCTAHEDRAL,
    CAROM_SPHERE_ICOSAHEDRAL,
    CAROM_SPHERE_TETRAHEDRAL,
    CAROM_SPHERE_CUBE,
} carom_sphere_pattern;

// `sphere`: a closed surface of triangles with its nodes on a sphere. Set and face set: surface; sets: xmin ... zmax, the
// outermost nodes.
typedef struct carom_sphere_params {
    double center[3], radius; // length
    int faces;
    int pattern; // carom_sphere_pattern
} carom_sphere_params;

// `ball`: a solid: a cubic core of divisions^3 cells, and layers of 6 divisions^2 cells around it. Set and face set: surface.
typedef struct carom_ball_params {
    double center[3], radius; // length
    int divisions, layers;
    int cells; // carom_solid_cells
} carom_ball_params;

// `cube`: the closed surface of a cube, 12 divisions^2 triangles; the diagonals of the faces follow an inscribed tetrahedron.
// Sets and face sets: xmin, xmax, ymin, ymax, zmin, zmax, surface.
typedef struct carom_cube_params {
    double center[3], side; // length
    int divisions;          // cells along an edge
} carom_cube_params;

// The placement of a mesh: first scaled, then turned about the origin, then moved; then copied in a block.
typedef struct carom_placement {
    double scale[3]; // > 0
    double axis[3];  // of the rotation; any length but zero
    double angle;    // degrees, counter-clockwise seen from the tip of the axis
    double translate[3];
    int copies[3];     // along x, y, z; 1, 1, 1 for the mesh alone
    double spacing[3]; // distance of copies
} carom_placement;

// Size, place and number unchanged.
CAROM_API carom_placement carom_default_placement(void);
// The rows of scale, axis, angle and translate; and those of copies and spacing.
CAROM_API const carom_param *carom_placement_params(int *count);
CAROM_API const carom_param *carom_array_params(int *count);

// Moves the nodes of a mesh; `copy` counts the copies, x fastest, from 0.
CAROM_API void carom_mesh_place(carom_mesh *mesh, const carom_placement *placement, int copy);

// Formats that are read.
typedef enum carom_mesh_format {
    CAROM_MESH_AUTO,  // by content, then by the end of the name
    CAROM_MESH_MSH,   // Gmsh 2.2 and 4.1, ASCII and binary
    CAROM_MESH_INP,   // Abaqus / CalculiX
    CAROM_MESH_STL,   // triangles, ASCII and binary; equal corners become one node
    CAROM_MESH_OBJ,   // polygons
    CAROM_MESH_PLY,   // ASCII and binary
    CAROM_MESH_VTU,   // unstructured grids in XML
    CAROM_MESH_VTK,   // legacy
    CAROM_MESH_MEDIT, // ASCII
    CAROM_MESH_UNV,   // universal files of I-DEAS
} carom_mesh_format;

// A remark of a reader that is not an error: "part.inp:12: *STEP is ignored".
typedef void carom_mesh_warning(void *context, const char *message);

typedef struct carom_mesh_read_def {
    carom_mesh_format format;
    const char *group; // cells to take, by the name of their group; NULL or "": all cells of the highest dimension. "surface",
                       // if there is no such group of cells: the surface of the solid cells, in triangles
    carom_mesh_warning *warn; // NULL: remarks are dropped
    void *context;
    bool cut_prisms; // into tetrahedra; a body with pyramids, or of prisms and other cells, is cut in any case
} carom_mesh_read_def;

// By content, all cells, remarks dropped.
CAROM_API carom_mesh_read_def carom_default_mesh_read_def(void);

// Treatment of the prisms of a file: cells `wedge6`, or three tetrahedra each.
typedef enum carom_file_prisms { CAROM_FILE_PRISMS_WHOLE, CAROM_FILE_PRISMS_CUT } carom_file_prisms;

// `file`: a mesh from a file. Sets: those of the file.
typedef struct carom_file_params {
    char path[CAROM_TEXT_MAX];  // in a scene: relative to the folder of the scene file
    char group[CAROM_NAME_MAX]; // as in carom_mesh_read_def
    int prisms;                 // carom_file_prisms
} carom_file_params;

// Reads a mesh. The cells of the highest dimension are its cells, one block for each type; groups of them are cell sets. Groups
// of cells of a lower dimension are node sets, and face sets where they bound cells. Nodes that belong only to cells that were
// not taken are left out; nodes without any cell stay. Cells of higher order are reduced to their corners, with one remark.
// Fails with CAROM_BAD_INPUT and "path:line: message" (or "path: byte N: message" in binary files), or CAROM_IO. Memory stays
// below 20 times the size of the file plus 64 MiB, whatever counts the file states; also while the mesh is checked, repaired,
// measured and renumbered.
CAROM_API carom_status carom_mesh_read(const char *path, const carom_mesh_read_def *def, carom_mesh *mesh, carom_error *error);
// The same from memory; `name` stands for the file in messages and decides an automatic format by its end.
CAROM_API carom_status carom_mesh_parse(const void *bytes, size_t size, const char *name, const carom_mesh_read_def *def,
                                        carom_mesh *mesh, carom_error *error);
// Writes .vtu or .msh (4.1 ASCII), by the end of the name.
CAROM_API carom_status carom_mesh_write(const carom_mesh *mesh, const char *path, carom_error *error);
// CAROM_OK if a name ends with .vtu or .msh; otherwise a message.
CAROM_API carom_status carom_write_check_name(const char *path, carom_error *error);
// True if the ending of a name is that of a file that only gmsh reads (CAD, .geo, .med), or of a mesh in a format that is read.
CAROM_API bool carom_path_is_cad(const char *path);
CAROM_API bool carom_path_is_mesh(const char *path);

// Faults of a mesh.
typedef enum carom_mesh_fault {
    CAROM_FAULT_INVERTED,     // a cell with a volume (area, length) that is negative
    CAROM_FAULT_DEGENERATE,   // a cell with negligible volume, or one node twice
    CAROM_FAULT_UNUSED,       // a node without a cell
    CAROM_FAULT_DUPLICATE,    // nodes at the same place
    CAROM_FAULT_NON_MANIFOLD, // an edge with more than two faces
    CAROM_FAULT_ORIENTATION,  // neighbouring faces that turn against each other
    CAROM_FAULT_OVERLAP,      // cells on the same side of a face: given twice, or overlapping
    CAROM_FAULT_OPEN,         // a surface with a rim (a fault only where a closed one is needed)
    CAROM_FAULT_COUNT
} carom_mesh_fault;

// "inverted cells", "degenerate cells", ...: the names of the counted faults, in the plural.
CAROM_API const char *carom_mesh_fault_name(carom_mesh_fault fault);

// Examples that are kept of each fault.
enum { CAROM_FAULT_EXAMPLES = 8 };

// How often each fault occurs, and the first examples as numbers of the file (a cell; or two nodes of an edge or of a
// duplicate).
typedef struct carom_mesh_faults {
    int64_t count[CAROM_FAULT_COUNT];
    int64_t example[CAROM_FAULT_COUNT][CAROM_FAULT_EXAMPLES][2];
} carom_mesh_faults;

// Where nodes of a mesh with several cell sets coincide, "; parts that touch become bodies of their own by their groups ('a',
// 'b')", else nothing.
CAROM_API void carom_mesh_parts_print(const carom_mesh *mesh, const carom_mesh_faults *faults, char *text, size_t size);
// Searches for all faults; fails only if memory is short. A faulty mesh is no failure.
CAROM_API carom_status carom_mesh_check(const carom_mesh *mesh, carom_mesh_faults *faults, carom_error *error);
// True if such a mesh is not permitted for a body. Unused nodes and open surfaces are no such faults.
CAROM_API bool carom_mesh_is_faulty(const carom_mesh_faults *faults);
// True if carom_mesh_fix can repair some of them.
CAROM_API bool carom_mesh_is_mendable(const carom_mesh_faults *faults);
// "2 inverted cells: 14, 15; 1 degenerate cell: 3": what is wrong, with the first numbers of each fault.
CAROM_API void carom_mesh_faults_print(const carom_mesh_faults *faults, char *text, size_t size);
// Repairs faults that need no decision: turns inverted cells, drops degenerate cells and unused nodes, welds duplicate
// nodes, orients surfaces consistently and closed ones outward. `changes` receives the numbers of changes.
CAROM_API carom_status carom_mesh_fix(carom_mesh *mesh, carom_mesh_faults *changes, carom_error *error);

// Steps in which shape quality is counted.
enum { CAROM_QUALITY_BINS = 10 };

// Facts of a mesh.
typedef struct carom_mesh_facts {
    double low[3], high[3];              // bounding box
    double volume;                       // of solid cells, or inside a closed surface; 0 otherwise
    double area;                         // of the surface: faces of shells, boundary of solids
    double length;                       // of line cells
    double shortest_edge, longest_edge;  // of all cells
    int64_t quality[CAROM_QUALITY_BINS]; // cells by shape quality 0 ... 1 (1: regular)
    double worst_quality;
    bool closed; // the surface has no rim
} carom_mesh_facts;

// Measures a mesh; fails only if memory is short.
CAROM_API carom_status carom_mesh_measure(const carom_mesh *mesh, carom_mesh_facts *facts, carom_error *error);

// Renumbers nodes and cells along a space-filling curve, for speed; ids keep the numbers of the file. If memory is short the
// mesh becomes invalid; release it.
CAROM_API carom_status carom_mesh_renumber(carom_mesh *mesh, carom_error *error);

#ifdef __cplusplus
}
#endif
#endif
