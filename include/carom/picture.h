// SPDX-License-Identifier: MIT
// A picture of a result, without a browser: the bodies in one frame, coloured by a field, on their planes, with a
// title and a colour bar, as a PNG file; and a moving picture of many frames beside the energies of the ledger.
#ifndef CAROM_PICTURE_H
#define CAROM_PICTURE_H

#include "carom/contact.h"
#include "carom/output.h"
#include "carom/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_picture_moment {
    CAROM_PICTURE_PEAK, // the frame in which the field is largest in magnitude
    CAROM_PICTURE_START,
    CAROM_PICTURE_END,
    CAROM_PICTURE_TIME, // the frame nearest to `time`
} carom_picture_moment;

typedef enum carom_picture_view {
    CAROM_PICTURE_USUAL,   // obliquely from above; of plane scenes straight from above
    CAROM_PICTURE_ALONG_X, // from the side of large x, in parallel projection
    CAROM_PICTURE_ALONG_Y, // from the side of small y
    CAROM_PICTURE_ALONG_Z, // from the side of large z
    CAROM_PICTURE_ANGLES,
} carom_picture_view;

// Bounds of the size in pixels.
#define CAROM_PICTURE_LEAST 200
#define CAROM_PICTURE_MOST 8000

// What a picture shows. All strings are read while it is drawn and stay with the caller.
typedef struct carom_picture_def {
    const char *directory; // of the result, with fields.pvd
    const char *title;
    const char *field; // as the frames call it; NULL: von_mises, or the first that there is
    carom_picture_moment moment;
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

// What a picture shows, in numbers.
typedef struct carom_picture_facts {
    char field[2 * CAROM_NAME_MAX];
    double time;
    int frame, frame_count;         // counted from 1
    double smallest, largest;       // of the field at the nodes that can be seen
    double place[3];                // where
    char body[CAROM_NAME_MAX + 16]; // in which
} carom_picture_facts;

// Draws a picture and writes it, whole or not at all.
CAROM_API carom_status carom_picture_write(const char *path, const carom_picture_def *def, carom_picture_facts *facts,
                                           carom_error *error);

// Bounds of the number of frames of a moving picture, and of its seconds.
#define CAROM_ANIMATION_FRAMES_MAX 1000
#define CAROM_ANIMATION_SECONDS_MAX 60

// What a moving picture shows.
typedef struct carom_animation_def {
    carom_picture_def picture; // of the frames; the moment does not count, the size is that of the whole picture
    int frames;                // of so many frames of the result at most, 2 to CAROM_ANIMATION_FRAMES_MAX, evenly spread
    double seconds;            // from the first frame to the last, > 0; at most 50 frames a second are shown
    double bytes_max;          // of the file: colours are left out to keep below it
    bool (*goes_on)(void *context, int drawn, int frame_count); // told after each frame; false: stop. NULL: nobody is told
    void *context;
} carom_animation_def;

typedef struct carom_animation_facts {
    carom_picture_facts largest; // of the frame with the largest value
    int frame_count, colour_count;
    int64_t bytes;
    double seconds; // from the first frame to the last
} carom_animation_facts;

// Draws a moving picture, an animated PNG that is repeated for ever, and writes it, whole or not at all. Colours and camera are
// the same in all frames. CAROM_BAD_INPUT if there are fewer than two frames, no history.csv, or the file cannot be kept below
// its bound; CAROM_INTERRUPTED.
CAROM_API carom_status carom_animation_write(const char *path, const carom_animation_def *def, carom_animation_facts *facts,
                                             carom_error *error);

#ifdef __cplusplus
}
#endif
#endif
