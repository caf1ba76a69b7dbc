// SPDX-License-Identifier: MIT
// Makes the elements of `loop-shell` from the triangles of a mesh: each is a patch of nodes (a triangle and its neighbours)
// with weights. Regular patches, which share one table of shape functions, form one group; the others form one group for each
// number of nodes, since a batch must have elements of one size. Also reads the parameters for symmetry planes and clamped
// edges.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "element/shell/loop_shell.h"

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the patches of a shell");
}

static const char separators[] = " ,\t\n";

// The next word of a list; its length, 0 at the end.
static size_t next_word(const char **text) {
    *text += strspn(*text, separators);
    return strcspn(*text, separators);
}

// If strtod does not stop at the end of the word, the word is not a number.
carom_status carom_shell_read_symmetry(const char *text, carom_loop_ends *ends, carom_error *error) {
    for (size_t length; (length = next_word(&text)) > 0; text += length) {
        char *end = NULL;
        int axis = text[0] - 'x';
        double at = length > 2 && text[1] == '=' ? strtod(text + 2, &end) : NAN;
        if (axis < 0 || axis > 2 || end != text + length || !isfinite(at))
            return carom_fail(error, CAROM_BAD_INPUT, "symmetry: '%.*s' is not a plane such as x=0", (int)length, text);
        if (ends->mirrored[axis])
            return carom_fail(error, CAROM_BAD_INPUT, "symmetry: two planes across %c", text[0]);
        ends->mirrored[axis] = true;
        ends->plane[axis] = at;
    }
    return CAROM_OK;
}

// Marks the nodes of the named sets. A node set of the mesh that is called `all` has precedence over the keyword.
static carom_status read_clamped(const char *text, const carom_mesh *mesh, bool *clamped, carom_error *error) {
    for (size_t length; (length = next_word(&text)) > 0; text += length) {
        char name[CAROM_NAME_MAX] = "";
        memcpy(name, text, length < sizeof name ? length : sizeof name - 1);
        const carom_node_set *set = carom_mesh_set(mesh, name);
        bool all = strcmp(name, "all") == 0;
        if (!set && !all)
            return carom_fail(error, CAROM_BAD_INPUT, "clamped: the mesh has no node set '%s'", name);
        for (int i = 0; i < (set ? set->count : mesh->node_count); i++)
            clamped[set ? set->nodes[i] : i] = true;
    }
    return CAROM_OK;
}

// The kind of a triangle: its variant and number of nodes. Triangles of equal kind form a group; groups are ordered regular,
// stored, affine.
static int kind_of(const carom_loop_patch *patch) {
    int variant = patch->regular ? CAROM_SHELL_REGULAR : patch->affine ? CAROM_SHELL_AFFINE : CAROM_SHELL_STORED;
    return variant * (CAROM_SHELL_NODES_MAX + 1) + patch->node_count;
}

enum { KINDS = 3 * (CAROM_SHELL_NODES_MAX + 1) };

// Writes the weights of one element into the data of its group, in the order that loop_shell.h describes.
static void store(const carom_loop_patch *patch, int point_count, carom_group *group, int e) {
    int n = patch->node_count, per_point = carom_shell_weight_size(group->variant, n);
    for (int q = 0; q < point_count; q++) {
        int at = CAROM_SHELL_REFERENCE * point_count + per_point * q;
        for (int a = 0; a < n; a++)
            group->data[carom_lane(e, at++, group->data_size)] = patch->mass[q][a];
        for (int k = 0; k < 3 * CAROM_SHELL_ROWS; k++) {
            if (group->variant == CAROM_SHELL_STORED && k % 3 > 0)
                continue;
            for (int a = 0; a < n; a++)
                group->data[carom_lane(e, at++, group->data_size)] = patch->weight[q][1 + k / 3][k % 3][a];
        }
        for (int k = 0; group->variant == CAROM_SHELL_AFFINE && k < 3 * CAROM_SHELL_ROWS; k++)
            group->data[carom_lane(e, at++, group->data_size)] = patch->offset[q][1 + k / 3][k % 3];
    }
}

static carom_status make_groups(const carom_loop_rings *rings, int point_count, carom_arena *arena, carom_loop_patch *patch,
                                int *kind, carom_arrangement *arrangement, carom_error *error) {
    // Two passes: the first one counts the elements of each kind, which fixes the groups, the second one fills them.
    int count[KINDS] = {0}, group_of[KINDS];
    for (int f = 0; f < rings->face_count; f++) {
        carom_loop_patch_survey(rings, f, patch);
        kind[f] = kind_of(patch);
        count[kind[f]]++;
    }
    for (int k = 0; k < KINDS; k++)
        arrangement->group_count += count[k] > 0;
    arrangement->groups = carom_arena_allocate(arena, arrangement->group_count, sizeof *arrangement->groups);
    if (!arrangement->groups)
        return no_memory(error);
    for (int k = 0, g = 0; k < KINDS; k++) {
        if (count[k] == 0)
            continue;
        int variant = k / (CAROM_SHELL_NODES_MAX + 1), n = k % (CAROM_SHELL_NODES_MAX + 1);
        int size = point_count * (CAROM_SHELL_REFERENCE + carom_shell_weight_size(variant, n) + CAROM_SHELL_BOUND + n);
        carom_group *group = &arrangement->groups[g];
        *group = (carom_group){
            .node_count = n,
            .data_size = size,
            .variant = variant,
            .nodes = carom_arena_allocate(arena, (int64_t)count[k] * n, sizeof *group->nodes),
            .cells = carom_arena_allocate(arena, count[k], sizeof *group->cells),
            .data = carom_arena_allocate(arena, carom_lanes_size(count[k], size), sizeof *group->data),
        };
        if (!group->nodes || !group->cells || !group->data)
            return no_memory(error);
        group_of[k] = g++;
    }
    for (int f = 0; f < rings->face_count; f++) {
        carom_group *group = &arrangement->groups[group_of[kind[f]]];
        // The weights of a patch that is not regular require subdivision, so they are computed only in the second pass.
        if (group->variant == CAROM_SHELL_REGULAR)
            carom_loop_patch_survey(rings, f, patch);
        else if (!carom_loop_patch_create(rings, f, point_count, patch))
            return no_memory(error);
        int e = group->count++;
        memcpy(&group->nodes[(ptrdiff_t)e * group->node_count], patch->nodes, (size_t)group->node_count * sizeof *patch->nodes);
        group->cells[e] = f;
        if (group->variant != CAROM_SHELL_REGULAR)
            store(patch, point_count, group, e);
    }
    return CAROM_OK;
}

enum { TERMS_MAX = CAROM_LOOP_TERMS * CAROM_LOOP_VALENCE_MAX + 1 };

// The limit mask of one node: the surface passes through (1 - n c) x + c (sum of the ring), a combination of the nodes around
// it.
typedef struct mask {
    int count;
    int nodes[TERMS_MAX];
    double weight[TERMS_MAX][3], offset[3];
} mask;

// Adds `factor` times a point, which may be a ghost: a combination of nodes, mirrored in some of its components.
static void add_point(const carom_loop_point *point, double factor, mask *m) {
    for (int t = 0; t < point->count; t++) {
        int k = 0;
        while (k < m->count && m->nodes[k] != point->node[t])
            k++;
        if (k == m->count) {
            m->nodes[m->count++] = point->node[t];
            m->weight[k][0] = m->weight[k][1] = m->weight[k][2] = 0;
        }
        for (int i = 0; i < 3; i++)
            m->weight[k][i] += (point->mirror[t] >> i & 1 ? -1 : 1) * factor * point->weight[t];
    }
    for (int i = 0; i < 3; i++)
        m->offset[i] += factor * point->offset[i];
}

// The mask of a node of valence n, from any of its triangles: the mask does not depend on where the ring begins.
static void limit_mask(const carom_loop_rings *rings, int corner, mask *m) {
    carom_loop_point ring[CAROM_LOOP_VALENCE_MAX];
    int n = carom_loop_ring(rings, corner / 3, corner % 3, ring);
    carom_loop_point node = carom_loop_node(rings->faces[corner / 3][corner % 3]);
    double factor = carom_loop_limit(n);
    m->count = 0;
    memset(m->offset, 0, sizeof m->offset);
    add_point(&node, 1 - n * factor, m);
    for (int k = 0; k < n; k++)
        add_point(&ring[k], factor, m);
}

// Makes the limit masks of all nodes. `corner` is scratch memory: for each node a corner of one of its triangles. A node
// without triangles has -1 and its own position as limit.
static carom_status make_limit(const carom_loop_rings *rings, int *corner, mask *m, carom_arena *arena, carom_limit *limit,
                               carom_error *error) {
    int count = rings->mesh->node_count;
    for (int k = 0; k < count; k++)
        corner[k] = -1;
    for (int c = 3 * rings->face_count - 1; c >= 0; c--)
        corner[rings->faces[c / 3][c % 3]] = c;
    limit->begin = carom_arena_allocate(arena, (int64_t)count + 1, sizeof *limit->begin);
    limit->offset = carom_arena_allocate(arena, count, sizeof *limit->offset);
    if (!limit->begin || !limit->offset)
        return no_memory(error);
    // The first pass counts the terms of each node, the second one fills them in.
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < count; k++) {
            m->count = 0;
            if (corner[k] >= 0)
                limit_mask(rings, corner[k], m);
            if (pass == 0) {
                limit->begin[k + 1] = limit->begin[k] + m->count;
                continue;
            }
            memcpy(&limit->nodes[limit->begin[k]], m->nodes, (size_t)m->count * sizeof *m->nodes);
            memcpy(limit->weight[limit->begin[k]], m->weight, (size_t)m->count * sizeof *m->weight);
            if (m->count)
                memcpy(limit->offset[k], m->offset, sizeof m->offset);
        }
        if (pass > 0)
            break;
        limit->nodes = carom_arena_allocate(arena, limit->begin[count], sizeof *limit->nodes);
        limit->weight = carom_arena_allocate(arena, limit->begin[count], sizeof *limit->weight);
        if (!limit->nodes || !limit->weight)
            return no_memory(error);
    }
    return CAROM_OK;
}

// A symmetry plane in which no open edge lies is an error: the intended edge would remain free.
static carom_status check_planes(const carom_loop_rings *rings, carom_error *error) {
    const carom_mesh *mesh = rings->mesh;
    for (int i = 0; i < 3; i++) {
        bool found = !rings->ends.mirrored[i];
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int k = 0; k < mesh->node_count && !found; k++) {
            found = rings->plane[k] >> i & 1;
            low = fmin(low, mesh->nodes[k][i]);
            high = fmax(high, mesh->nodes[k][i]);
        }
        if (!found)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "symmetry: no open edge of the mesh lies in the plane %c=%g, and one must; the mesh reaches from "
                              "%c=%g to %c=%g",
                              "xyz"[i], rings -> ends.plane[i], "xyz"[i], low, "xyz"[i], high);
    }
    return CAROM_OK;
}

// Rings of neighbours exist only in this function; the groups and the limit masks are kept in the arena of the model.
carom_status carom_shell_arrange(const void *params, const carom_mesh *mesh, carom_arena *arena, carom_arrangement *arrangement,
                                 carom_error *error) {
    const carom_loop_shell_params *p = params;
    carom_loop_ends ends = {0};
    carom_loop_rings rings = {0};
    *arrangement = (carom_arrangement){0};
    bool *clamped = carom_allocate(mesh->node_count, sizeof *clamped);
    carom_loop_patch *patch = carom_allocate(1, sizeof *patch);
    mask *m = carom_allocate(1, sizeof *m);
    int *scratch = NULL;
    carom_status status = clamped && patch && m ? carom_shell_read_symmetry(p->symmetry, &ends, error) : no_memory(error);
    if (!status && p->clamped[0]) {
        ends.clamped = clamped;
        status = read_clamped(p->clamped, mesh, clamped, error);
    }
    if (!status)
        status = carom_loop_rings_create(&rings, mesh, &ends, error);
    if (!status)
        status = check_planes(&rings, error);
    if (!status) {
        scratch = carom_allocate((int64_t)rings.face_count + mesh->node_count, sizeof *scratch);
        status = scratch ? CAROM_OK : no_memory(error);
    }
    if (!status)
        status = make_groups(&rings, carom_shell_point_count(p), arena, patch, scratch, arrangement, error);
    if (!status)
        status = make_limit(&rings, scratch, m, arena, &arrangement->limit, error);
    free(scratch);
    free(clamped);
    free(patch);
    free(m);
    carom_loop_rings_release(&rings);
    return status;
}
