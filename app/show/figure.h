// SPDX-License-Identifier: MIT
// A figure for print: panels with curves above a common horizontal axis, as SVG; text is not converted to paths.
#ifndef CAROM_APP_SHOW_FIGURE_H
#define CAROM_APP_SHOW_FIGURE_H

#include <stdint.h>
#include <stdio.h>

#include "carom/file.h"

typedef struct carom_curve {
    const char *name;  // of the plotted quantity
    const char *label; // written for it; NULL: the name
    const char *run;   // the run it comes from
    bool labelled;     // the label is written at its end
    int colour;        // index in a palette that remains distinguishable with colour blindness
    int dash;          // number of a pattern; 0 is a full line
    int64_t count;
    double *x, *y; // values that are not finite interrupt the curve
} carom_curve;

typedef struct carom_panel {
    const char *label; // of the vertical axis
    bool logarithmic;  // shows |y|
    double height;     // millimetres
    int curve_count;
    carom_curve *curves;
} carom_panel;

typedef struct carom_figure_def {
    const char *title;   // of the document; it is not drawn
    const char *x_label; // below the last panel
    double width;        // millimetres
    int panel_count;
    const carom_panel *panels; // from the top
    int run_count;
    const char *const *runs; // explained above the panels if there are several; run r has colour r + 1
} carom_figure_def;

carom_status carom_figure_write(const char *path, const carom_figure_def *def, carom_error *error);

#endif
