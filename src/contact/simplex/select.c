// SPDX-License-Identifier: MIT
// Selects the findings of nodes (violated pairs of a node and a face, detection.h) that are added to the set of pairs of a
// step. One violated node often entails violations of its neighbours: pairing all of them at once would add redundant
// constraints to one contact, some of them on the wrong side. So findings are processed deepest first, and each paired node
// explains those around it, which are checked again in the next detection.
#include <stdlib.h>

#include "contact/simplex/detection.h"
#include "math/vec3.h"

// Two pushes oppose each other if the cosine between their normals is below minus this (about 135 degrees).
// A heuristic: a thin body pushed from both sides must keep both contacts.
static const double opposing_cosine = 0.7;

// Nodes that end inside before those that have passed through, then the deepest; ties by node numbers, so
// that the order is unique.
static int compare(const void *a, const void *b) {
    const carom_violation_finding *p = a, *q = b;
    if (p->inside != q->inside)
        return p->inside ? -1 : 1;
    if (p->depth != q->depth)
        return p->depth > q->depth ? -1 : 1;
    if (p->pair.node[0] != q->pair.node[0])
        return p->pair.node[0] < q->pair.node[0] ? -1 : 1;
    return (p->pair.node[1] > q->pair.node[1]) - (p->pair.node[1] < q->pair.node[1]);
}

// True if the node was violated in this detection.
static bool is_marked(const carom_detection *d, int node) {
    return d->violations->node_mark[node] == d->violations->generation;
}

// True if a pair added before explains a finding: for a supported finding a violated node of the
// face, unless it is pushed against this face; for others, any violated node of the pair or of the faces
// around the node.
static bool is_explained(const carom_detection *d, const carom_violation_finding *f) {
    const carom_surface *s = d->surface;
    const carom_violations *work = d->violations;
    int node = f->pair.node[0];
    // the rule of the paper pairs every node independently
    if (work->def.rule == CAROM_VIOLATION_CLOSEST)
        return false;
    for (int k = 1; k < f->pair.count; k++)
        if (is_marked(d, f->pair.node[k]) &&
            (!f->supported || carom_dot(work->node_normal[f->pair.node[k]], f->pair.normal) > -opposing_cosine))
            return true;
    if (f->supported)
        return false;
    if (is_marked(d, node))
        return true;
    for (int i = s->node_faces_begin[node]; s->node_body[node] >= 0 && i < s->node_faces_begin[node + 1]; i++)
        for (int k = 0; k < s->corners; k++)
            if (is_marked(d, s->faces[s->node_faces[i]][k]))
                return true;
    return false;
}

void carom_detection_select(carom_detection *d, bool supported) {
    carom_violations *work = d->violations;
    if (d->finding_count)
        qsort(work->node_findings, (size_t)d->finding_count, sizeof *work->node_findings, compare);
    for (int i = 0; i < d->finding_count && !d->failed; i++) {
        carom_violation_finding *f = &work->node_findings[i];
        int node = f->pair.node[0];
        if (f->supported != supported || is_explained(d, f))
            continue;
        bool added = carom_detection_add(d, &f->pair);
        // the pair is in the set and nearly satisfied: its node explains nothing
        if (!carom_detection_blocks(d, added, f->depth))
            continue;
        d->ambiguous += added && f->ambiguous;
        work->node_mark[node] = work->generation;
        for (int c = 0; c < 3; c++)
            work->node_normal[node][c] = f->pair.sign * f->pair.normal[c];
    }
}
