// SPDX-License-Identifier: MIT
// Data shared by all pictures of a result: the field and its colours, the place of the camera, the planes. All of these are
// fitted once to the frames that are to be drawn; frames are then drawn one by one.
#ifndef CAROM_OUTPUT_PICTURE_STAGE_H
#define CAROM_OUTPUT_PICTURE_STAGE_H

#include "carom/picture.h"
#include "output/picture/bodies.h"
#include "output/picture/camera.h"
#include "output/picture/colours.h"
#include "output/picture/floors.h"
#include "output/picture/image.h"

typedef struct carom_stage {
    const carom_picture_def *def;
    double unit; // of all lengths of the texts around the bodies, in pixels
    carom_frame_reader reader;
    int field;
    int frame;                  // the frame of positions and values; -1: none yet
    double *positions, *values; // of the nodes
    int largest;                // node of the largest value; -1: no body has one
    int space;                  // dimensions of the frames
    carom_framing framing;
    carom_colours colours;
    carom_camera camera;
    double vertical[3];
    double grid; // in units of the model
    int floor_count;
    carom_floor *floors;
    int shaped; // frame of the shapes; -1: none yet
    carom_shapes shapes;
} carom_stage;

// Opens the frames of a result and chooses the field. `def` must outlive the stage. Release in any case.
carom_status carom_stage_open(carom_stage *stage, const carom_picture_def *def, double unit, carom_error *error);
void carom_stage_release(carom_stage *stage);

// Reads the positions and values of a frame, unless they are already present.
carom_status carom_stage_read(carom_stage *stage, int frame, carom_error *error);
// The node whose value is largest, or -1 if no body has one.
int carom_stage_largest(const carom_stage *stage, bool magnitude);

// Fits framing, colours, planes and camera to these frames.
carom_status carom_stage_fit(carom_stage *stage, const int *frames, int frame_count, carom_error *error);

// Draws a frame over the whole image, which has the size of the definition. `facts` may be NULL.
carom_status carom_stage_draw(carom_stage *stage, int frame, carom_image *image, carom_picture_facts *facts,
                              carom_error *error);

#endif
