// SPDX-License-Identifier: MIT
// The texts and numbers around a picture.
#ifndef CAROM_OUTPUT_PICTURE_LEGEND_H
#define CAROM_OUTPUT_PICTURE_LEGEND_H

#include "carom/picture.h"
#include "output/picture/camera.h"
#include "output/picture/colours.h"
#include "output/picture/image.h"

typedef struct carom_legend {
    double unit; // of all lengths, in pixels: see carom_legend_unit
    const char *title;
    const char *quantity; // the quantity of the colours
    const carom_picture_facts *facts;
    const carom_units *units; // NULL: there are none
    const carom_colours *colours;
    const carom_camera *camera;
    bool named;        // the name of the body with the largest value is printed
    double grid;       // distance of the lines on the ground, in units of the model; 0: none
    double largest[3]; // pixel of the largest value; the third is 0 if it is hidden
} carom_legend;

// The unit in pixels of all lengths of the texts, in a picture of this size.
double carom_legend_unit(int width, int height);
// The margins of a picture in pixels: left, top, right, bottom. Bodies are drawn between them.
void carom_legend_margins(double unit, double margins[4]);

void carom_legend_draw(const carom_legend *legend, carom_image *image);

#endif
