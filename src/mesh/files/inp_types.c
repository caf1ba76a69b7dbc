// SPDX-License-Identifier: MIT
// Types of elements in an Abaqus deck: the cell that each becomes, and the treatment of those without one.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "mesh/files/inp.h"

// Families of elements and the dimension of the bodies they form: solids (C3D ...), plane strain and stress (CPE, CPS),
// axisymmetric solids (CAX), membranes (M3D), rigid surfaces (R3D), shells (S, STRI), trusses (T), beams (B). A longer prefix
// comes before a shorter one.
static const struct {
    const char *prefix;
    int dimension;
} families[] = {{"C3D", 3}, {"DC3D", 3}, {"AC3D", 3}, {"F3D", 3}, {"CPEG", 2}, {"CPS", 2},   {"CPE", 2},
                {"CAX", 2}, {"DCAX", 2}, {"DC2D", 2}, {"M3D", 2}, {"R3D", 2},  {"SFM3D", 2}, {"STRI", 2},
                {"DS", 2},  {"SC", 3},   {"S", 2},    {"T3D", 1}, {"T2D", 1},  {"B3", 1},    {"B2", 1}};

// Families that are never read: axisymmetric shells, cohesive and infinite elements, gaskets, pipes and frames.
static const struct {
    const char *prefix;
    int dimension;
} unread[] = {{"SAX", 1},  {"COH3D", 3}, {"COH2D", 2}, {"COHAX", 2}, {"CIN3D", 3}, {"Q3D", 3}, {"GK3D", 3},
              {"PIPE", 1}, {"FRAME", 1}, {"ELBOW", 1}, {"CGAX", 2},  {"CCL", 3},   {"US", 2}};

static bool begins(carom_words name, const char *prefix) {
    return name.size >= strlen(prefix) && strncasecmp(name.text, prefix, strlen(prefix)) == 0;
}

// "C3D10M": the letters give the family, the number the nodes, and the rest the formulation, which does not matter here.
bool carom_inp_find_type(carom_words name, carom_inp_type *type, int *body) {
    static const struct {
        int dimension, nodes;
        carom_draft_type cell;
    } shapes[] = {{1, 2, CAROM_CELL_LINE2},   {1, 3, CAROM_CELL_LINE2},    {2, 3, CAROM_CELL_TRI3},
                  {2, 6, CAROM_CELL_TRI3},    {2, 7, CAROM_CELL_TRI3},     {2, 4, CAROM_CELL_QUAD4},
                  {2, 8, CAROM_CELL_QUAD4},   {2, 9, CAROM_CELL_QUAD4},    {3, 4, CAROM_CELL_TET4},
                  {3, 10, CAROM_CELL_TET4},   {3, 8, CAROM_CELL_HEX8},     {3, 20, CAROM_CELL_HEX8},
                  {3, 27, CAROM_CELL_HEX8},   {3, 6, CAROM_DRAFT_PRISM},   {3, 15, CAROM_DRAFT_PRISM},
                  {3, 18, CAROM_DRAFT_PRISM}, {3, 5, CAROM_DRAFT_PYRAMID}, {3, 13, CAROM_DRAFT_PYRAMID}};
    *body = -1;
    for (size_t u = 0; u < sizeof unread / sizeof *unread; u++)
        if (begins(name, unread[u].prefix)) {
            *body = unread[u].dimension;
            return false;
        }
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        size_t length = strlen(families[f].prefix);
        if (!begins(name, families[f].prefix))
            continue;
        int nodes = 0, dimension = families[f].dimension;
        for (size_t i = length; i < name.size && name.text[i] >= '0' && name.text[i] <= '9' && nodes < 100; i++)
            nodes = 10 * nodes + (name.text[i] - '0');
        // A number follows the letters of a family; otherwise the prefix is that of another word.
        if (nodes == 0)
            continue;
        if (*body < 0)
            *body = dimension;
        // STRI65 has six nodes, B32 three, B31 and B33 two.
        if (nodes == 65)
            nodes = 6;
        if (families[f].prefix[0] == 'B')
            nodes = nodes == 2 ? 3 : nodes == 1 || nodes == 3 ? 2 : 0;
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            if (shapes[s].dimension != dimension || shapes[s].nodes != nodes)
                continue;
            *type = (carom_inp_type){.cell = shapes[s].cell, .nodes = nodes};
            for (int i = 0; i < carom_draft_size(type->cell); i++)
                type->corners[i] = i;
            // The middle node of a line comes between its ends.
            if (dimension == 1 && nodes == 3)
                type->corners[1] = 2;
            return true;
        }
    }
    return false;
}

// Types are counted by name, for one message per type.
carom_inp_use *carom_inp_count_type(carom_inp *inp, carom_words name, int dimension, bool read, int64_t line) {
    char upper[sizeof inp->uses[0].name];
    carom_inp_capitals(name, upper, sizeof upper);
    for (int u = 0; u < inp->use_count; u++)
        if (strcmp(inp->uses[u].name, upper) == 0 && inp->uses[u].read == read)
            return &inp->uses[u];
    // A deck has a handful of types. The last entry counts all types beyond the limit, which only a damaged file reaches.
    carom_inp_use *last = &inp->uses[CAROM_INP_USES_MAX - 1];
    if (inp->use_count == CAROM_INP_USES_MAX) {
        last->dimension = !read && dimension > last->dimension ? dimension : last->dimension;
        return last;
    }
    carom_inp_use *use = &inp->uses[inp->use_count++];
    *use = (carom_inp_use){.dimension = dimension, .read = read, .file = inp->file, .line = line};
    memcpy(use->name, upper, sizeof upper);
    return use;
}

// A body must not lose elements of its own dimension without a message.
bool carom_inp_mention_types(carom_inp *inp) {
    // With a requested group, other elements may be left out.
    bool group = inp->reader->def->group && *inp->reader->def->group;
    int highest = -1;
    for (int t = 0; t < CAROM_DRAFT_TYPE_COUNT; t++)
        if (inp->reader->draft.blocks[t].count && carom_draft_dimension(t) > highest)
            highest = carom_draft_dimension(t);
    for (int u = 0; u < inp->use_count; u++) {
        const carom_inp_use *use = &inp->uses[u];
        if (!use->read && use->count && (highest < 0 || (!group && use->dimension >= highest)))
            return carom_inp_fail(inp, use->file, use->line, "carom has no cell for elements of type %s", use->name);
        if (!use->read)
            carom_inp_warn(inp, use->file, use->line, "elements of type %s (%lld) are left out: carom has no cell for them",
                           use->name, (long long)use->count);
        else if (use->count && use->dimension < highest && !group)
            carom_inp_warn(inp, use->file, use->line,
                           "elements of type %s (%lld) are not cells of the body; they only name sets", use->name,
                           (long long)use->count);
    }
    return true;
}
