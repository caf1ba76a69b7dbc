// SPDX-License-Identifier: MIT
// The animation of a finished run, read back for a page: which frames there are, what of them can be shown, and the numbers of each, one
// frame in memory at a time.
#ifndef CAROM_OUTPUT_REEL_H
#define CAROM_OUTPUT_REEL_H

#include "output/base64.h"
#include "output/skin.h"

// How one number per node comes from an array.
typedef enum carom_reel_value {
    CAROM_REEL_SCALAR,   // one component
    CAROM_REEL_LENGTH,   // of a vector
    CAROM_REEL_LARGEST,  // of three principal values
    CAROM_REEL_SMALLEST, // likewise
    CAROM_REEL_MISES,    // of a symmetric tensor xx, yy, zz, xy, yz, xz
} carom_reel_value;

// A field that a page can show.
typedef struct carom_reel_field {
    char name[CAROM_NAME_MAX + 16], label[CAROM_NAME_MAX + 32];
    char array[CAROM_NAME_MAX];
    carom_vtu_section section; // of points, or of cells, whose mean around a node is taken
    carom_reel_value value;
    int component;   // of a scalar
    int rank;        // 0: always shown; the larger, the sooner it is left out of a page that is too large
    double min, max; // over all frames, of the bodies that have it
} carom_reel_field;

enum { CAROM_REEL_FIELDS_MAX = 64 };

// The smallest and the largest value of a field in a body.
typedef struct carom_reel_span {
    double min, max;
} carom_reel_span;

typedef struct carom_reel_frame {
    double time;
    char file[64]; // relative to the directory
} carom_reel_frame;

typedef struct carom_reel {
    char directory[CAROM_PATH_MAX];
    int frame_count, dropped; // dropped: to keep a page small
    int damaged;              // frames that cannot be read
    char damage[512];         // what is wrong with the first of these
    carom_reel_frame *frames;
    carom_skin skin;
    int field_count;
    carom_reel_field fields[CAROM_REEL_FIELDS_MAX];
    carom_reel_span *spans; // of each field in each body, field after field
    int omitted_count;      // fields left out to keep a page small
    char omitted[CAROM_REEL_FIELDS_MAX][CAROM_NAME_MAX + 16];
    double box[2][3];   // all that is shown, in all frames
    double shift[2][3]; // displacements from the first frame
    double *origin;     // positions of the first frame
    double *array;      // scratch: an array of the frame
    double *nodes;      // scratch: three numbers per node
} carom_reel;

// Reads the list of frames, the surface of the first one that can be read, and through all frames for their box and the ranges of the fields.
// Frames that cannot be read are counted and left out. A directory without frames gives an empty reel. Release in any case.
carom_status carom_reel_open(carom_reel *reel, const char *directory, carom_error *error);
void carom_reel_release(carom_reel *reel);

// Bytes that a frame takes in a page.
double carom_reel_frame_size(const carom_reel *reel);
// Leaves out the field that is needed least; false if all that are left are needed.
bool carom_reel_omit(carom_reel *reel);
// True if a body has the field. Frames hold zeros where a body has none: where elements of another dimension have it and this body is zero throughout.
bool carom_reel_has(const carom_reel *reel, int field, int body);
// Leaves `count` frames, at least two, evenly spread with the first and the last among them.
void carom_reel_thin(carom_reel *reel, int count);

// Dimensions in which there is any extent: 1 along x, 2 in x and y, else 3.
int carom_reel_space(const carom_reel *reel);

// Displacements of all nodes from the first frame, in all frames, as 0 to 65535 across `shift`; one field likewise across its range.
carom_status carom_reel_write_positions(carom_reel *reel, carom_base64 *out, carom_error *error);
carom_status carom_reel_write_field(carom_reel *reel, int field, carom_base64 *out, carom_error *error);

#endif
