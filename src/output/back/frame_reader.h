// SPDX-License-Identifier: MIT
// The animation of a finished run, read back for the report page: the list of frames, the fields that can
// be shown, and their values, with one frame in memory at a time.
#ifndef CAROM_OUTPUT_BACK_FRAME_READER_H
#define CAROM_OUTPUT_BACK_FRAME_READER_H

#include "output/back/surface_cells.h"
#include "output/frames/base64.h"

// How one number per node is computed from an array.
typedef enum carom_frame_reader_value {
    CAROM_FRAME_SCALAR,   // one component
    CAROM_FRAME_LENGTH,   // of a vector
    CAROM_FRAME_LARGEST,  // of three principal values
    CAROM_FRAME_SMALLEST, // of three principal values
    CAROM_FRAME_MISES,    // of a symmetric tensor xx, yy, zz, xy, yz, xz
} carom_frame_reader_value;

// A field that a page can show.
typedef struct carom_frame_reader_field {
    char name[CAROM_NAME_MAX + 16], label[CAROM_NAME_MAX + 32];
    char array[CAROM_NAME_MAX];
    carom_vtu_section section; // of points, or of cells, which are averaged around each node
    carom_frame_reader_value value;
    int component;   // of a scalar
    int rank;        // 0: always kept; 1: unless zero throughout; larger ones are omitted from large pages, the largest first
    double min, max; // over all frames, in the bodies that have the field
} carom_frame_reader_field;

// More than the fields of all elements with their derived quantities.
enum { CAROM_FRAME_FIELDS_MAX = 64 };

// The smallest and the largest value of a field in a body.
typedef struct carom_frame_reader_span {
    double min, max;
} carom_frame_reader_span;

typedef struct carom_frame_reader_frame {
    double time;
    char file[64]; // relative to the directory
} carom_frame_reader_frame;

typedef struct carom_frame_reader {
    char directory[CAROM_PATH_MAX];
    int frame_count, dropped; // dropped: number of frames omitted to limit the size of a page
    int damaged;              // frames that cannot be read
    char damage[512];         // error message of the first of these
    carom_frame_reader_frame *frames;
    carom_cell_surface surface;
    int field_count;
    carom_frame_reader_field fields[CAROM_FRAME_FIELDS_MAX];
    carom_frame_reader_span *spans; // of each field in each body, field after field
    bool hollow;                    // the inside of solids was left out
    int omitted_count;              // fields omitted to limit the size of a page
    char omitted[CAROM_FRAME_FIELDS_MAX][CAROM_NAME_MAX + 16];
    double box[2][3];    // bounds of all nodes in all frames
    double shift[2][3];  // bounds of the displacements from the first frame
    double *origin;      // positions of the first frame
    int64_t arrow_count; // vectors of contact force in all frames that are not zero
    double *array;       // scratch: an array of the frame
    double *nodes;       // scratch: three numbers per node
} carom_frame_reader;

// Reads the list of frames, takes the surface from the first readable one, and passes through all frames
// for the bounds and the ranges of the fields. Unreadable frames are counted and left out. A directory
// without frames gives an empty reader. The inside of solids is left out if all frames with their more important fields would
// take more than `max_bytes` bytes of a page. Release the reader in any case.
carom_status carom_frame_reader_open(carom_frame_reader *reader, const char *directory, double max_bytes, carom_error *error);
void carom_frame_reader_release(carom_frame_reader *reader);

// Opens the list of frames, the surface and the fields, without passing through all frames for bounds and ranges: for programs
// that read only a few frames.
carom_status carom_frame_reader_begin(carom_frame_reader *reader, const char *directory, carom_error *error);
// Reads the positions of all nodes in a frame (three numbers each) and their values of a field, and extends its ranges in
// each body. Either array may be NULL.
carom_status carom_frame_reader_check(carom_frame_reader *reader, int frame, int field, double *positions, double *values,
                                      carom_error *error);

// Bytes of one frame in a page.
double carom_frame_reader_frame_size(const carom_frame_reader *reader);
// Omits the field of the largest rank; false if all remaining ones have the ranks 0 and 1.
bool carom_frame_reader_omit(carom_frame_reader *reader);
// True if a body has the field. Frames hold zeros for bodies without it: a body is taken to lack a field if
// it is zero throughout while bodies with elements of another dimension have it.
bool carom_frame_reader_has(const carom_frame_reader *reader, int field, int body);
// Keeps `count` frames, at least two, evenly spread and including the first and the last.
void carom_frame_reader_thin(carom_frame_reader *reader, int count);

// Dimensions of the scene: 1 if it extends along x only, 2 in x and y, else 3.
int carom_frame_reader_space(const carom_frame_reader *reader);

// The data of all frames that one call writes.
typedef enum carom_frame_reader_part {
    CAROM_FRAME_POSITIONS, // displacements of all nodes from the first frame, as 0 to 65535 across `shift`
    CAROM_FRAME_FIELD,     // one field, across its range
    CAROM_FRAME_ARROWS     // contact forces as words of 32 bits: the number of nodes with one, then its number and three floats
} carom_frame_reader_part;
carom_status carom_frame_reader_write(carom_frame_reader *reader, carom_frame_reader_part part, int field, carom_base64 *out,
                                      carom_error *error);

#endif
