// SPDX-License-Identifier: MIT
// A picture of a result, without a browser: the bodies in one frame, coloured by a field, on their planes, with a
// title and a colour bar, as a PNG file; and an animation of many frames next to the energies of the ledger.
#ifndef CAROM_PICTURE_H
#define CAROM_PICTURE_H

#include "carom/contact.h"
#include "carom/output.h"
#include "carom/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_picture_time {
    CAROM_PICTURE_PEAK, // the frame in which the field is largest in magnitude
    CAROM_PICTURE_START,
    CAROM_PICTURE_END,
    CAROM_PICTURE_TIME, // the frame nearest to `time`
} carom_picture_time;

typedef enum carom_picture_view {
    CAROM_PICTURE_USUAL,   // obliquely from above; plane scenes from straight above
    CAROM_PICTURE_ALONG_X, // from the side of large x, in parallel projection
    CAROM_PICTURE_ALONG_Y, // from the side of small y
    CAROM_PICTURE_ALONG_Z, // from the side of large z
    CAROM_PICTURE_ANGLES,
} carom_picture_view;

// Bounds of the size in pixels.
#define CAROM_PICTURE_LEAST 200
#define CAROM_PICTURE_MOST 8000

// Definition of a picture. All strings are read while it is drawn and stay with the caller.
typedef struct carom_picture_def {
    const char *directory; // of the result, with fields.pvd
    const char *title;
    const char *field; // as the frames call it; NULL: von_mises, or the first that there is
    carom_picture_time when;
    double time;
    carom_picture_view view;
    double azimuth, elevation; // degrees, of CAROM_PICTURE_ANGLES: about the vertical from x, and above the ground
    double range[2];           // of the colours; NaN: fitted to the frame
    int width, height;         // pixels
    bool edges;                // draw the edges of elements
    int body_count;
    const carom_page_body *bodies; // by index; NULL: none
    int plane_count;
    const carom_plane_def *planes; // drawn if their front is seen
    const carom_units *units;      // for the words; NULL: there are none
} carom_picture_def;

// Facts about a picture.
typedef struct carom_picture_facts {
    char field[2 * CAROM_NAME_MAX];
    double time;
    int frame, frame_count;         // counted from 1
    double smallest, largest;       // of the field at the nodes that can be seen
    double place[3];                // of the peak
    char body[CAROM_NAME_MAX + 16]; // of the peak
} carom_picture_facts;

// Draws a picture and writes it, whole or not at all.
CAROM_API carom_status carom_picture_write(const char *path, const carom_picture_def *def, carom_picture_facts *facts,
                                           carom_error *error);

// Bounds of the number of frames of an animation, and of its duration in seconds.
#define CAROM_ANIMATION_FRAMES_MAX 1000
#define CAROM_ANIMATION_SECONDS_MAX 60

// Definition of an animation.
typedef struct carom_animation_def {
    carom_picture_def picture; // of each frame; `when` is not used, the size includes the ledger
    int frames;                // most frames, 2 to CAROM_ANIMATION_FRAMES_MAX: evenly spread over those of the result
    double seconds;            // duration from the first frame to the last, > 0; at most 50 frames are shown in a second
    double bytes_max;          // limit of the file size: fewer colours are used to keep it
    bool (*progress)(void *context, int drawn, int frame_count); // called after each frame if not NULL; false interrupts
    void *context;
} carom_animation_def;

typedef struct carom_animation_facts {
    carom_picture_facts largest; // of the frame with the largest value
    int frame_count, colour_count;
    int64_t bytes;  // file size
    double seconds; // duration from the first frame to the last
} carom_animation_facts;

// Draws an animation, an animated PNG that repeats without end, and writes it, whole or not at all. Colour scale and camera
// are the same in all frames. CAROM_BAD_INPUT if the result has fewer than two frames or no history.csv, or if the file exceeds
// its limit even with the fewest colours; CAROM_INTERRUPTED on a request to stop.
CAROM_API carom_status carom_animation_write(const char *path, const carom_animation_def *def, carom_animation_facts *facts,
                                             carom_error *error);

#ifdef __cplusplus
}
#endif
#endif
