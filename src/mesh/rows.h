// SPDX-License-Identifier: MIT
// Rows of the parameter tables that many generators share.
#ifndef CAROM_MESH_ROWS_H
#define CAROM_MESH_ROWS_H

#include <math.h>
#include <stddef.h>

#include "carom/param.h"

// clang-format off
#define CAROM_ROW_POINT(owner, member, initial_, doc_)                                                                       \
    {.name = #member, .type = CAROM_PARAM_VEC3, .offset = offsetof(owner, member), .unit = "length", .initial = initial_,    \
     .doc = doc_}
#define CAROM_ROW_LENGTH(owner, member, initial_, doc_)                                                                      \
    {.name = #member, .type = CAROM_PARAM_REAL, .offset = offsetof(owner, member), .unit = "length", .initial = initial_,    \
     CAROM_RANGE_POSITIVE, .doc = doc_}
#define CAROM_ROW_COUNT(owner, member, least, initial_, doc_)                                                                \
    {.name = #member, .type = CAROM_PARAM_INT, .offset = offsetof(owner, member), .unit = "", .initial = initial_,           \
     .min = least, .max = CAROM_MESH_CELLS_MAX, .doc = doc_}
#define CAROM_ROW_CHOICE(owner, member, initial_, choices_, doc_)                                                            \
    {.name = #member, .type = CAROM_PARAM_CHOICE, .offset = offsetof(owner, member), .unit = "", .initial = initial_,        \
     .choices = choices_, .doc = doc_}
#define CAROM_ROW_PLANE_CELLS(owner)                                                                                         \
    CAROM_ROW_CHOICE(owner, cells, "quad4", ((const char *const[]){"quad4", "tri3", NULL}),                                  \
                     "Quadrilaterals, or each of them split into two triangles.")
#define CAROM_ROW_SOLID_CELLS(owner)                                                                                         \
    CAROM_ROW_CHOICE(owner, cells, "hex8", ((const char *const[]){"hex8", "tet4", NULL}),                                    \
                     "Hexahedra, or each of them split into six tetrahedra.")
// The head of a generator's table.
#define CAROM_GENERATOR_KIND(name_, owner, rows, summary_, reference_)                                                       \
    .kind = {.name = name_, .summary = summary_, .reference = reference_, .params = rows,                                    \
             .param_count = sizeof rows / sizeof *rows, .params_size = sizeof(owner)}
// clang-format on

#endif
