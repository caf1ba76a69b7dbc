// SPDX-License-Identifier: MIT
// Finds all pairs of faces whose bounding boxes overlap, by traversal of the tree against itself (tree.h; a block is four
// boxes). All leaves have the same depth, so both blocks of a pair descend together: each box of one is tested against the four
// of the other at once. The first levels are expanded breadth first until there are enough pairs to distribute to threads in a
// fixed number of parts; each part is then traversed depth first with its own stack.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/broad/tree.h"

#include "base/interrupt.h"
#include "parallel/parallel.h"

enum {
    LANES = CAROM_TREE_WIDTH,
    PARTS = CAROM_TREE_PARTS,
    WIDE = 8 * PARTS,         // pairs of blocks to be divided among the parts
    CHILDREN = LANES * LANES, // of one pair of blocks, at most
    PARALLEL_FACES = 2048,    // with fewer, waking threads (about 50 us) costs more than it saves
    DEEP = (CHILDREN - 1) * CAROM_TREE_LEVELS + 1 + CHILDREN // size of a stack: all but one child of each level are pending
};

// The pairs of bodies that a query shall find.
typedef struct question {
    const carom_exclusions *exclusions;
    carom_tree_scope scope;
    const carom_body_pairs *pairs; // these; NULL: all
    const bool *thin;              // per body: it has no faces; two such bodies are not paired
    int last[2];                   // the last two bodies and the answer for them: the next query is mostly for the same bodies
    bool wanted;
} question;

// True if a pair of bodies is wanted.
static bool is_wanted(const question *asked, int a, int b) {
    if ((asked->scope == CAROM_TREE_WITHIN && a != b) || (asked->scope == CAROM_TREE_BETWEEN && a == b))
        return false;
    if (asked->thin[a] && asked->thin[b])
        return false;
    // pairs of bodies that need no search
    if (asked->pairs && carom_body_pairs_find(asked->pairs, a, b) < 0)
        return false;
    return !carom_exclusions_between(asked->exclusions, a, b);
}

// True if boxes with these tags may contain a wanted pair; a mixed box always may.
static inline bool may_contain(question *asked, int a, int b) {
    if (a < 0 || b < 0)
        return true;
    if (a != asked->last[0] || b != asked->last[1]) {
        asked->wanted = is_wanted(asked, a, b);
        asked->last[0] = a;
        asked->last[1] = b;
    }
    return asked->wanted;
}

// The pairs of children of blocks a <= b of one level that overlap and are wanted, numbered within the
// level below (by place on level 0). Returns their number.
static int expand(const carom_tree *t, question *asked, int level, int a, int b, int (*out)[2]) {
    const carom_block_boxes *p = &t->boxes[t->level_begin[level] + a], *q = &t->boxes[t->level_begin[level] + b];
    const int *p_tags = t->tags[t->level_begin[level] + a], *q_tags = t->tags[t->level_begin[level] + b];
    carom_box_lanes bottom[3], top[3];
    for (int i = 0; i < 3; i++) {
        bottom[i] = carom_box_lanes_load(q->lower[i]);
        top[i] = carom_box_lanes_load(q->upper[i]);
    }
    int count = 0;
    for (int k = 0; k < LANES; k++) {
        carom_box_lanes lower[3], upper[3];
        for (int i = 0; i < 3; i++) {
            lower[i] = carom_box_lanes_all(p->lower[i][k]);
            upper[i] = carom_box_lanes_all(p->upper[i][k]);
        }
        int mask = carom_box_lanes_overlap(lower, upper, bottom, top);
        // each pair of a block with itself once; a face does not meet itself
        if (a == b)
            mask &= ~((level ? 1 << k : 2 << k) - 1);
        // visits the set bits from the lowest on
        for (; mask; mask &= mask - 1) {
            int j = __builtin_ctz((unsigned)mask);
            if (may_contain(asked, p_tags[k], q_tags[j])) {
                out[count][0] = LANES * a + k;
                out[count++][1] = LANES * b + j;
            }
        }
    }
    return count;
}

// Reserves memory for all children of one more pair.
static bool ensure_capacity(carom_index_pairs *list) {
    if (list->count + CHILDREN <= list->capacity)
        return true;
    int64_t larger = list->capacity ? 2 * list->capacity : 64;
    int(*moved)[2] = realloc(list->pairs, (size_t)larger * sizeof *moved);
    if (!moved)
        return false;
    list->pairs = moved;
    list->capacity = larger;
    return true;
}

// Finds all pairs of faces below one pair of blocks, in a fixed order; stops early if there are too many or after an interrupt.
static bool descend(const carom_tree *t, question *asked, int level, const int start[2], carom_index_pairs *found) {
    const int64_t most = carom_tree_most_pairs(t->surface);
    struct {
        int pair[2];
        int level;
    } stack[DEEP];
    int depth = 0;
    stack[depth].level = level;
    memcpy(stack[depth++].pair, start, sizeof stack->pair);
    while (depth) {
        int a = stack[--depth].pair[0], b = stack[depth].pair[1], here = stack[depth].level, children[CHILDREN][2];
        if (here) {
            int count = expand(t, asked, here, a, b, children);
            // pushed in reverse order: the first child is visited first
            for (int c = count - 1; c >= 0; c--) {
                stack[depth].level = here - 1;
                memcpy(stack[depth++].pair, children[c], sizeof stack->pair);
            }
            continue;
        }
        // leaves: pairs of places become pairs of faces
        if (found->count > most || (found->count % CAROM_INTERRUPT_EVERY < CHILDREN && carom_interrupt_is_wanted()))
            return true;
        if (!ensure_capacity(found))
            return false;
        int(*out)[2] = found->pairs + found->count;
        int count = expand(t, asked, 0, a, b, out);
        for (int c = 0; c < count; c++) {
            out[c][0] = t->order[out[c][0]];
            out[c][1] = t->order[out[c][1]];
        }
        found->count += count;
    }
    return true;
}

carom_status carom_tree_judge_pairs(const carom_surface *surface, int64_t count, carom_error *error) {
    if (count <= carom_tree_most_pairs(surface))
        return CAROM_OK;
    return carom_fail(error, CAROM_NUMERICAL, "too many pairs of nodes, edges and faces are near each other: more than %lld",
                      (long long)carom_tree_most_pairs(surface));
}

carom_status carom_tree_query(carom_tree *tree, const carom_exclusions *exclusions, carom_tree_scope scope,
                              carom_error *error) {
    question asked = {exclusions, scope, tree->asked, tree->surface->thin, {-1, -1}, false};
    for (int p = 0; p < PARTS; p++)
        tree->parts[p].count = 0;
    if (tree->level_count == 0)
        return CAROM_OK;

    // breadth first from the root; the lists of two levels alternate
    int front[2][CHILDREN * WIDE][2], count = 1, turn = 0, level = tree->level_count - 1;
    front[0][0][0] = front[0][0][1] = 0;
    for (; level > 0 && count < WIDE; level--, turn = !turn) {
        // WIDE bounds the front before it is expanded once more, hence CHILDREN * WIDE
        int next = 0;
        for (int i = 0; i < count; i++)
            next += expand(tree, &asked, level, front[turn][i][0], front[turn][i][1], &front[!turn][next]);
        count = next;
    }

    // each part is traversed depth first and writes to its own list
    const int(*pairs)[2] = (const int(*)[2])front[turn];
    int failures = 0;
    bool many = count > PARTS && tree->surface->face_count > PARALLEL_FACES;
    int64_t from = 0, to = PARTS;
    if (carom_tree_is_shared(tree))
        carom_together_slice(PARTS, &from, &to);
#pragma omp parallel for schedule(dynamic) reduction(+ : failures) if (many)
    for (int p = (int)from; p < to; p++) {
        question own = asked;
        for (int i = (int)((int64_t)count * p / PARTS); i < (int)((int64_t)count * (p + 1) / PARTS); i++)
            failures += !descend(tree, &own, level, pairs[i], &tree->parts[p]);
    }
    uint64_t found[2] = {(uint64_t)failures, 0};
    for (int p = 0; p < PARTS; p++)
        found[1] += (uint64_t)tree->parts[p].count;
    if (carom_tree_is_shared(tree))
        carom_parallel_sum_words(found, 2);
    if (found[0])
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the search of contact");
    if (carom_interrupt_is_wanted())
        return carom_interrupt_check(error);
    return carom_tree_judge_pairs(tree->surface, (int64_t)found[1], error);
}
