// SPDX-License-Identifier: MIT
// Maps values of a field to colours, and chooses the range of values and the ticks of the colour bar. Both maps are even in
// OKLab, so that equal steps of a value appear equally large. The tables are samples of the curves of the report page: 33
// colours each, in bytes of sRGB.
#include "output/picture/colours.h"

#include <math.h>

#include "output/picture/image.h"

enum { STOPS = CAROM_COLOUR_STOPS };

static const unsigned char sequential[STOPS][3] = {
    {51, 35, 94},    {53, 41, 104},   {55, 47, 115},   {56, 53, 126},   {56, 60, 136},   {55, 68, 145},   {52, 76, 154},
    {49, 84, 159},   {46, 93, 163},   {43, 102, 166},  {42, 110, 168},  {41, 118, 169},  {39, 127, 171},  {36, 135, 173},
    {32, 143, 173},  {29, 151, 173},  {31, 159, 171},  {37, 166, 169},  {46, 173, 166},  {56, 180, 164},  {66, 187, 160},
    {76, 194, 156},  {87, 201, 151},  {100, 207, 145}, {114, 212, 139}, {130, 217, 131}, {147, 222, 124}, {166, 225, 118},
    {184, 229, 115}, {202, 232, 113}, {219, 234, 114}, {235, 237, 117}, {251, 240, 122},
};

static const unsigned char diverging[STOPS][3] = {
    {14, 54, 133},   {15, 66, 145},   {15, 78, 157},   {17, 90, 169},   {22, 102, 180},  {32, 115, 189},  {45, 127, 198},
    {62, 139, 204},  {80, 150, 209},  {99, 161, 214},  {117, 172, 217}, {136, 182, 220}, {155, 193, 223}, {174, 203, 225},
    {193, 212, 227}, {212, 222, 229}, {232, 232, 232}, {231, 219, 210}, {231, 206, 189}, {230, 193, 168}, {229, 180, 147},
    {227, 166, 127}, {225, 153, 107}, {222, 138, 87},  {218, 124, 67},  {212, 109, 48},  {204, 95, 31},   {194, 82, 19},
    {182, 70, 12},   {170, 59, 10},   {157, 49, 11},   {143, 39, 12},   {131, 28, 11},
};

carom_colours carom_colours_between(double low, double high, bool both) {
    carom_colours colours = {.low = low, .high = high, .diverging = both};
    for (int stop = 0; stop < STOPS; stop++)
        for (int i = 0; i < 3; i++)
            colours.light[stop][i] = carom_srgb_decode((both ? diverging : sequential)[stop][i]);
    return colours;
}

carom_colours carom_colours_fit(double low, double high) {
    // values of the smaller sign count only above this fraction of the largest magnitude; a range whose lower end is below the
    // other fraction of its upper end begins at zero
    static const double sign_threshold = 0.05, zero_threshold = 0.3;
    double most = fmax(fabs(low), fabs(high));
    if (low < 0 && high > 0 && fmin(-low, high) > sign_threshold * most)
        return carom_colours_between(-most, most, true);
    if (!(high - low > 1e-9 * most)) // a constant, up to rounding
        return carom_colours_between(most > 0 ? low - 0.5 * most : 0, most > 0 ? high + 0.5 * most : 1, false);
    return carom_colours_between(low > 0 && low < zero_threshold * high ? 0 : low, high, false);
}

void carom_colours_at(const carom_colours *colours, double value, double rgb[3]) {
    double place = (value - colours->low) / (colours->high - colours->low) * (STOPS - 1);
    // NaN has the first colour
    place = place > 0 ? fmin(place, STOPS - 1) : 0;
    int stop = (int)fmin(place, STOPS - 2);
    for (int i = 0; i < 3; i++)
        rgb[i] = colours->light[stop][i] * (stop + 1 - place) + colours->light[stop + 1][i] * (place - stop);
}

double carom_ticks(double low, double high, int count, double *first) {
    double rough = (high - low) / count, power = 1;
    while (power > rough)
        power /= 10;
    while (10 * power <= rough)
        power *= 10;
    double share = rough / power;
    // thresholds midway between the steps
    double space = (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10) * power;
    // a tick that rounding would put just outside is kept
    *first = ceil(low / space - 1e-9) * space;
    return space;
}
