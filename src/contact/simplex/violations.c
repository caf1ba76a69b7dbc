// SPDX-License-Identifier: MIT
// Creates and releases the detector of violated pairs (violations.h; docs/theory/nonsmooth_degenerate.md); the detection itself
// is in detection.c.
#include "contact/simplex/violations.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "contact/simplex/detection.h"

// Search margin in units of the shortest side: a larger one makes the list longer, a smaller one makes it
// expire sooner. Results do not depend on it.
static const double list_part = 0.5;

// Without faces only planes, ends and their nodes can touch.
static bool has_surface(const carom_violations *work) {
    return work->def.surface && work->def.surface->face_count > 0;
}

carom_status carom_violations_create(const carom_violations_def *def, carom_violations *violations, carom_error *error) {
    *violations = (carom_violations){.def = *def};
    if (!has_surface(violations))
        return CAROM_OK;
    violations->length = carom_surface_shortest_side(def->surface, NULL, def->X);
    // the thickness is kept on both sides, and the list must survive some motion
    violations->margin = list_part * violations->length + 4 * def->thickness;
    violations->memory = carom_arena_create();
    bool enough = violations->memory;
    violations->listed_x = carom_arena_reserve(violations->memory, def->node_count, sizeof *violations->listed_x, &enough);
    violations->node_mark = carom_arena_reserve(violations->memory, def->node_count, sizeof *violations->node_mark, &enough);
    violations->edge_mark =
        carom_arena_reserve(violations->memory, def->surface->edge_count, sizeof *violations->edge_mark, &enough);
    violations->node_normal =
        carom_arena_reserve(violations->memory, def->node_count, sizeof *violations->node_normal, &enough);
    violations->parts = carom_arena_reserve(violations->memory, CAROM_VIOLATION_PARTS, sizeof *violations->parts, &enough);
    violations->close_x =
        carom_arena_reserve(violations->memory, def->surface->vertex_count, sizeof *violations->close_x, &enough);
    if (!enough)
        return carom_no_memory(error, "contact");
    carom_status status = carom_tree_create(def->surface, &violations->tree, error);
    return status ? status : carom_broad_create(def->surface, def->exclusions, &violations->broad, error);
}

void carom_violations_release(carom_violations *violations) {
    carom_broad_release(&violations->broad);
    carom_tree_release(&violations->tree);
    free(violations->node_findings);
    free(violations->face_findings);
    free(violations->crossings);
    free(violations->close);
    for (int p = 0; violations->parts && p < CAROM_VIOLATION_PARTS; p++)
        carom_violation_part_release(&violations->parts[p]);
    carom_arena_release(violations->memory);
    *violations = (carom_violations){0};
}

bool carom_violations_any_near(const carom_violations *violations) {
    return has_surface(violations) && (violations->broad.pairs.count > 0 || violations->def.isolated_count > 0);
}
