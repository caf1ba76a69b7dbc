// SPDX-License-Identifier: MIT
// Draws text into a picture, in a font of strokes. Each glyph is a text: its width, then commands in a grid where capitals are
// 7 high and small letters 5. M x y lifts the pen, L x y draws a line; O cx cy rx ry a b lifts it and draws an arc of an
// ellipse about (cx, cy) from angle a to b, in degrees; o draws a line to the start of the arc first.
#include "output/picture/glyphs.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "math/functions.h"

// Height of capitals, distance of letters and width of lines, in units of the grid.
static const double capital_height = 7, space_width = 1.75, pen_width = 0.95;
static const double degree = 3.14159265358979323846 / 180;
// An arc is drawn as lines that span this angle in degrees: at the size of a title the error is below a pixel.
static const double chord_angle = 15;

enum { FIRST = 32, LAST = 126 };

static const char *const ascii[] = {
    "2.2",                                                                                                   // space
    "0 M0 7 L0 2.2 M0 0.1 L0 0.15",                                                                          // !
    "1.5 M0 7.2 L0 5.4 M1.5 7.2 L1.5 5.4",                                                                   // "
    "4.9 M1.3 0 L2.1 7 M3.1 0 L3.9 7 M0 2.2 L4.6 2.2 M0.3 4.7 L4.9 4.7",                                     // #
    "4.7 O2.3 5.25 2.05 1.75 30 270 o2.35 1.75 2.25 1.75 90 -150 M2.35 8 L2.35 -1",                          // $
    "6.2 O1.3 5.6 1.3 1.4 0 360 O4.9 1.4 1.3 1.4 0 360 M0.9 0 L5.3 7",                                       // %
    "5.4 M5.3 0 L1.35 4.9 o2.35 5.7 1.3 1.3 215 -35 L1.0 3.2 o2 1.8 2 1.8 125 270 o2.2 2.6 2.8 2.6 270 355", // &
    "0 M0 7.2 L0 5.4",                                                                                       // '
    "1.5 O3.4 2.8 3.4 5.2 125 235",                                                                          // (
    "1.5 O-1.9 2.8 3.4 5.2 55 -55",                                                                          // )
    "3 M1.5 7 L1.5 4 M0.2 6.25 L2.8 4.75 M0.2 4.75 L2.8 6.25",                                               // *
    "4.2 M0 2.9 L4.2 2.9 M2.1 0.8 L2.1 5",                                                                   // +
    "0.5 M0.5 0.1 L0 -1.3",                                                                                  // ,
    "2.6 M0 2.7 L2.6 2.7",                                                                                   // -
    "0 M0 0.1 L0 0.15",                                                                                      // .
    "3 M0 -0.8 L3 7.6",                                                                                      // /
    "4.4 O2.2 3.5 2.2 3.5 0 360",                                                                            // 0
    "4.4 M0.9 5.6 L2.6 7 L2.6 0",                                                                            // 1
    "4.4 O2.2 5 2.0 2 165 -25 L0.2 0 L4.4 0",                                                                // 2
    "4.4 O2.1 5.25 1.9 1.75 150 -90 M1.5 3.5 L2.1 3.5 o2.1 1.75 2.2 1.75 90 -150",                           // 3
    "4.4 M3.3 0 L3.3 7 L0 2 L4.6 2",                                                                         // 4
    "4.4 M4 7 L0.6 7 L0.3 3.7 o2.1 2.25 2.2 2.25 140 -150",                                                  // 5
    "4.4 O2.2 2.2 2.2 2.2 0 360 O3.9 2.2 3.9 4.8 180 105",                                                   // 6
    "4.4 M0 7 L4.4 7 L1.6 0",                                                                                // 7
    "4.4 O2.2 5.25 1.8 1.75 0 360 O2.2 1.75 2.2 1.75 0 360",                                                 // 8
    "4.4 O2.2 4.8 2.2 2.2 0 360 O0.5 4.8 3.9 4.8 0 -75",                                                     // 9
    "0 M0 0.1 L0 0.15 M0 4.2 L0 4.25",                                                                       // :
    "0.5 M0.5 0.1 L0 -1.3 M0.5 4.2 L0.5 4.25",                                                               // ;
    "3.8 M3.8 5 L0 2.9 L3.8 0.8",                                                                            // <
    "4.2 M0 2 L4.2 2 M0 3.8 L4.2 3.8",                                                                       // =
    "3.8 M0 5 L3.8 2.9 L0 0.8",                                                                              // >
    "3.6 O1.8 5.2 1.8 1.8 170 -50 L1.8 3 L1.8 2.1 M1.8 0.1 L1.8 0.15",                                       // ?
    "6.6 O3.3 2.8 1.5 1.6 0 360 M4.8 4.3 L4.8 2 o5.7 2 0.9 0.9 180 360 o3.3 2.8 3.3 3.7 -8 310",             // @
    "5.4 M0 0 L2.7 7 L5.4 0 M0.95 2.4 L4.45 2.4",                                                            // A
    "4.6 M2.6 3.6 L0 3.6 M0 0 L0 7 L2.6 7 o2.6 5.3 1.7 1.7 90 -90 o2.7 1.8 1.9 1.8 90 -90 L0 0",             // B
    "5 O2.8 3.5 2.8 3.5 48 312",                                                                             // C
    "5 M0 0 L0 7 L1.9 7 o1.9 3.5 3.1 3.5 90 -90 L0 0",                                                       // D
    "4.2 M4.2 0 L0 0 L0 7 L4.2 7 M0 3.6 L3.6 3.6",                                                           // E
    "4 M0 0 L0 7 L4 7 M0 3.5 L3.4 3.5",                                                                      // F
    "5.4 O2.8 3.5 2.8 3.5 48 340 L5.43 3.2 L3.2 3.2",                                                        // G
    "5 M0 0 L0 7 M5 0 L5 7 M0 3.6 L5 3.6",                                                                   // H
    "0 M0 0 L0 7",                                                                                           // I
    "3.4 M3.4 7 L3.4 1.9 o1.7 1.9 1.7 1.9 0 -170",                                                           // J
    "4.8 M0 0 L0 7 M4.6 7 L0 2.6 M1.7 4.2 L4.8 0",                                                           // K
    "4 M0 7 L0 0 L4 0",                                                                                      // L
    "6 M0 0 L0 7 L3 1.6 L6 7 L6 0",                                                                          // M
    "5 M0 0 L0 7 L5 0 L5 7",                                                                                 // N
    "5.6 O2.8 3.5 2.8 3.5 0 360",                                                                            // O
    "4.6 M0 0 L0 7 L2.6 7 o2.6 5 2 2 90 -90 L0 3",                                                           // P
    "5.6 O2.8 3.5 2.8 3.5 0 360 M3.5 1.9 L5.6 -0.4",                                                         // Q
    "4.7 M0 0 L0 7 L2.6 7 o2.6 5 2 2 90 -90 L0 3 M2.4 3 L4.7 0",                                             // R
    "4.7 O2.3 5.25 2.05 1.75 30 270 o2.35 1.75 2.25 1.75 90 -150",                                           // S
    "5 M0 7 L5 7 M2.5 7 L2.5 0",                                                                             // T
    "5 M0 7 L0 2.5 o2.5 2.5 2.5 2.5 180 360 L5 7",                                                           // U
    "5.2 M0 7 L2.6 0 L5.2 7",                                                                                // V
    "7.4 M0 7 L1.8 0 L3.7 6 L5.6 0 L7.4 7",                                                                  // W
    "4.8 M0 0 L4.8 7 M0 7 L4.8 0",                                                                           // X
    "5 M0 7 L2.5 3.4 L5 7 M2.5 3.4 L2.5 0",                                                                  // Y
    "4.8 M0 7 L4.8 7 L0 0 L4.8 0",                                                                           // Z
    "1.3 M1.3 7.6 L0 7.6 L0 -1.2 L1.3 -1.2",                                                                 // [
    "3 M0 7.6 L3 -0.8",                                                                                      // backslash
    "1.3 M0 7.6 L1.3 7.6 L1.3 -1.2 L0 -1.2",                                                                 // ]
    "3.4 M0 4.6 L1.7 7 L3.4 4.6",                                                                            // ^
    "4.2 M0 -1 L4.2 -1",                                                                                     // _
    "1 M0 7.2 L1 6",                                                                                         // `
    "4.1 O2.05 2.5 2.05 2.5 0 360 M4.1 5 L4.1 0",                                                            // a
    "4.1 M0 7.2 L0 0 O2.05 2.5 2.05 2.5 0 360",                                                              // b
    "3.8 O2.1 2.5 2.1 2.5 48 312",                                                                           // c
    "4.1 O2.05 2.5 2.05 2.5 0 360 M4.1 7.2 L4.1 0",                                                          // d
    "4.2 M0.05 2.7 L4.2 2.7 o2.1 2.5 2.1 2.5 5 318",                                                         // e
    "2.8 M1.1 0 L1.1 5.6 o2.7 5.6 1.6 1.6 180 90 M0 4.7 L2.6 4.7",                                           // f
    "4.1 O2.05 2.5 2.05 2.5 0 360 M4.1 5 L4.1 -0.2 o2.05 -0.2 2.05 1.9 0 -150",                              // g
    "3.9 M0 7.2 L0 0 M0 3.05 o1.95 3.05 1.95 1.95 180 0 L3.9 0",                                             // h
    "0 M0 0 L0 5 M0 6.9 L0 6.95",                                                                            // i
    "1.2 M1.2 5 L1.2 -0.6 o-0.2 -0.6 1.4 1.5 0 -90 M1.2 6.9 L1.2 6.95",                                      // j
    "3.7 M0 0 L0 7.2 M3.5 5 L0 1.9 M1.3 3.1 L3.7 0",                                                         // k
    "1 M0 7.2 L0 1 o1 1 1 1 180 270",                                                                        // l
    "6.6 M0 5 L0 0 M0 3.35 o1.65 3.35 1.65 1.65 180 0 L3.3 0 M3.3 3.35 o4.95 3.35 1.65 1.65 180 0 L6.6 0",   // m
    "3.9 M0 5 L0 0 M0 3.05 o1.95 3.05 1.95 1.95 180 0 L3.9 0",                                               // n
    "4.3 O2.15 2.5 2.15 2.5 0 360",                                                                          // o
    "4.1 M0 5 L0 -2.1 O2.05 2.5 2.05 2.5 0 360",                                                             // p
    "4.1 M4.1 5 L4.1 -2.1 O2.05 2.5 2.05 2.5 0 360",                                                         // q
    "2.5 M0 5 L0 0 M0 3 o2 3 2 2 180 75",                                                                    // r
    "3.5 O1.75 3.75 1.5 1.25 30 270 o1.75 1.25 1.7 1.25 90 -150",                                            // s
    "2.5 M1 6.6 L1 1.4 o2.4 1.4 1.4 1.4 180 270 M0 4.7 L2.4 4.7",                                            // t
    "3.9 M0 5 L0 1.95 o1.95 1.95 1.95 1.95 180 360 M3.9 5 L3.9 0",                                           // u
    "4 M0 5 L2 0 L4 5",                                                                                      // v
    "5.8 M0 5 L1.5 0 L2.9 4.4 L4.3 0 L5.8 5",                                                                // w
    "3.8 M0 0 L3.8 5 M0 5 L3.8 0",                                                                           // x
    "4 M0 5 L2.05 0.05 M4 5 L1.2 -2.1",                                                                      // y
    "3.7 M0 5 L3.7 5 L0 0 L3.7 0",                                                                           // z
    "1.9 O1.9 6.2 1 1.4 90 180 L0.9 4.2 L0 3.2 L0.9 2.2 L0.9 0.2 o1.9 0.2 1 1.4 180 270",                    // {
    "0 M0 -1.2 L0 7.6",                                                                                      // |
    "1.9 O0 6.2 1 1.4 90 0 L1 4.2 L1.9 3.2 L1 2.2 L1 0.2 o0 0.2 1 1.4 0 -90",                                // }
    "4.4 O1.1 2.7 1.1 0.9 180 0 o3.3 2.7 1.1 0.9 180 360",                                                   // ~
};

// Further characters that a title may contain.
static const struct {
    unsigned code;
    const char *glyph;
} others[] = {
    {0xb0, "1.8 O0.9 6.2 0.9 0.9 0 360"},                                          // degree
    {0xb5, "3.9 M0 5 L0 -2.1 M0 1.95 o1.95 1.95 1.95 1.95 180 360 M3.9 5 L3.9 0"}, // micro
    {0xb7, "0 M0 3 L0 3.05"},                                                      // middle dot
    {0xd7, "3.6 M0.1 1.2 L3.5 4.6 M0.1 4.6 L3.5 1.2"},                             // times
    {0x2013, "4 M0 2.7 L4 2.7"},                                                   // dash
};

// The next character of UTF-8; a byte that begins none is returned unchanged.
static unsigned next_code(const unsigned char **at) {
    unsigned code = *(*at)++;
    int more = code >= 0xf0 ? 3 : code >= 0xe0 ? 2 : code >= 0xc0 ? 1 : 0;
    code = more ? code & (0x3fu >> more) : code;
    for (; more > 0 && (**at & 0xc0) == 0x80; more--)
        code = code << 6 | (*(*at)++ & 0x3f);
    return code;
}

static const char *glyph_of(unsigned code) {
    if (code >= FIRST && code <= LAST)
        return ascii[code - FIRST];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].code == code)
            return others[i].glyph;
    return ascii['?' - FIRST];
}

typedef struct pen_state {
    carom_image *image;
    double x, y, scale; // origin of the glyph, pixels per unit
    double at[2];       // where the pen is, in pixels
    const double *colour;
} pen_state;

static void move(pen_state *p, double x, double y, bool draw) {
    double to[2] = {p->x + p->scale * x, p->y - p->scale * y};
    if (draw)
        carom_image_line(p->image, p->at, to, pen_width * p->scale, p->colour);
    p->at[0] = to[0];
    p->at[1] = to[1];
}

static void draw_arc(pen_state *p, const double v[6], bool joined) {
    int count = (int)ceil(fabs(v[5] - v[4]) / chord_angle);
    for (int i = 0; i <= count; i++) {
        double angle = degree * (v[4] + (v[5] - v[4]) * i / count);
        move(p, v[0] + v[2] * carom_cos(angle), v[1] + v[3] * carom_sin(angle), i > 0 || joined);
    }
}

static void draw_glyph(pen_state *p, const char *path) {
    while (*path) {
        while (*path == ' ')
            path++;
        char command = *path ? *path++ : 0;
        double v[6] = {0};
        int count = command == 'O' || command == 'o' ? 6 : command ? 2 : 0;
        for (int i = 0; i < count; i++) {
            char *end;
            v[i] = strtod(path, &end);
            path = end;
        }
        if (count == 6)
            draw_arc(p, v, command == 'o');
        else if (count == 2)
            move(p, v[0], v[1], command == 'L');
    }
}

double carom_glyphs_width(const char *text, double size) {
    double width = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at;)
        width += strtod(glyph_of(next_code(&at)), NULL) + space_width;
    return fmax(0, width - space_width) * size / capital_height;
}

void carom_glyphs_draw(carom_image *image, double x, double y, double size, const char *text, const double colour[3]) {
    pen_state p = {.image = image, .x = x, .y = y, .scale = size / capital_height, .colour = colour};
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        char *path;
        double width = strtod(glyph_of(next_code(&at)), &path);
        draw_glyph(&p, path);
        p.x += (width + space_width) * p.scale;
    }
}
