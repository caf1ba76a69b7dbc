// SPDX-License-Identifier: MIT
// Theory: docs/theory/step.md
// A batch that was seen with the rate R of compression or extension (accelerations included) may wait for W = 1/(10 h R)
// kicks: the velocities that were seen strain it by a tenth at most. Later kicks change the velocities. Two neighbours at the
// distance l that are pushed apart by D in each of m kicks are displaced against each other by
//
//     2 D h (1 + 2 + ... + m) = D h m (m + 1)
//
// in the m drifts, whatever the directions, so m (m + 1) <= l/(10 h D) keeps the strain by these kicks below another tenth.
// D = 2 |w - v| is what the last kick has changed: forces, contacts and prescribed motion, since v is the velocity in its
// middle. One drift has followed it, so a node that was pushed by D calls for its elements within m - 1 kicks, if they were due
// later. Waits end after 256 kicks.
//
// Waits are those of whole steps; while steps are divided, all elements are examined at every kick.
#include "integrator/examination_times.h"

#include <math.h>
#include <string.h>

#include "element/element.h"
#include "math/lanes.h"
#include "math/vec3.h"
#include "model/model.h"

// Between two looks nothing is compressed or extended by more than this part of itself by the velocities that were seen, and
// by no more by later kicks.
static const double unseen = 0.1;

// Kicks between two looks at most.
static const double patience = 256;

// Nodes that are nearly pushed hard enough call as well: that leaves it to `call` alone what is due when.
static const double sure = 1 - 1e-9;

// The kick at which a batch is due that never is. States hold finite numbers.
static const double never = 1e15;

enum {
    // Parts into which loops over batches and over nodes are divided for threads.
    PARTS = 64,
    // Batches or nodes above which threads share a loop over them. One takes a nanosecond, and to start threads takes some ten
    // microseconds.
    SHARED = 65536
};

carom_examination_times carom_examination_times_create(const carom_model *model, carom_state *state, double step,
                                                       const carom_vicinity *near, carom_arena *arena, bool *enough) {
    int batches = *enough ? near->first[model->block_count] : 0, nodes = model->node_count;
    carom_examination_times times = {.model = model,
                                     .state = state,
                                     .step = step,
                                     .first = near->first,
                                     .kicks = carom_state_add_silent(state, "kicks looked at", 1),
                                     .near = near,
                                     .due = carom_state_add_batchwise(state, "looks due", batches),
                                     .generation = -1,
                                     .change_count = -1};
    times.until = carom_arena_reserve(arena, nodes, sizeof *times.until, enough);
    times.changes = carom_arena_reserve(arena, nodes, sizeof *times.changes, enough);
    times.called = carom_arena_reserve(arena, batches, sizeof *times.called, enough);
    times.found = carom_arena_reserve(arena, batches > nodes ? batches : nodes, sizeof *times.found, enough);
    *enough = *enough && times.kicks && times.due;
    return times;
}

void carom_examination_times_note_changes(carom_examination_times *times, const int *nodes, int count) {
    if (times->change_count > times->model->node_count - count)
        times->change_count = -1;
    if (times->change_count < 0 || !count)
        return;
    memcpy(times->changes + times->change_count, nodes, (size_t)count * sizeof *nodes);
    times->change_count += count;
}

// Raises or lowers a number that other threads raise or lower as well: the result has no order.
static void raise_to(double *number, double value) {
    double old;
    __atomic_load(number, &old, __ATOMIC_RELAXED);
    while (old < value && !__atomic_compare_exchange(number, &old, &value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void lower_to(double *number, double value) {
    double old;
    __atomic_load(number, &old, __ATOMIC_RELAXED);
    while (old > value && !__atomic_compare_exchange(number, &old, &value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

// Batches [begin, end) that are due, from found[begin] on. Returns their number. Written such that what is not a number is due.
static int find_due(const carom_examination_times *times, const double (*w)[3], int begin, int end) {
    (void)w;
    int count = 0;
    double now = *times->kicks;
    for (int b = begin; b < end; b++) {
        times->found[begin + count] = b;
        count += !(times->due[b] > now);
    }
    return count;
}

// |w - v|^2 of eight nodes, whose 24 components lie one after another.
CAROM_INLINE void square_of(const double (*w)[3], const double (*v)[3], carom_lanes *out) {
    carom_lanes u[3], own[3];
    for (int i = 0; i < 3; i++) {
        carom_lanes_load(w[0] + (ptrdiff_t)CAROM_LANES * i, &u[i]);
        carom_lanes_load(v[0] + (ptrdiff_t)CAROM_LANES * i, &own[i]);
        u[i] -= own[i];
        u[i] *= u[i];
    }
    // components x, y, z: from the first two, then from the third
    const carom_lanes x = __builtin_shufflevector(u[0], u[1], 0, 3, 6, 9, 12, 15, 0, 0);
    const carom_lanes y = __builtin_shufflevector(u[0], u[1], 1, 4, 7, 10, 13, 0, 0, 0);
    const carom_lanes z = __builtin_shufflevector(u[0], u[1], 2, 5, 8, 11, 14, 0, 0, 0);
    *out = __builtin_shufflevector(x, u[2], 0, 1, 2, 3, 4, 5, 10, 13) +
           __builtin_shufflevector(y, u[2], 0, 1, 2, 3, 4, 8, 11, 14) +
           __builtin_shufflevector(z, u[2], 0, 1, 2, 3, 4, 9, 12, 15);
}

// |w - v| of a kick that strains elements by a tenth in a drift: 2 |w - v| h = l/10.
static double scale_of(const carom_examination_times *times) {
    return 0.5 * unseen * times->model->contact_length / times->step;
}

double carom_examination_times_most(const carom_examination_times *times) {
    double scale = scale_of(times);
    return sure * scale * scale;
}

// The same of one node.
CAROM_INLINE bool is_pushed(const carom_examination_times *times, int k, double now, double most, const double w[3],
                            const double v[3]) {
    double wait = times->until[k] - now, d[3];
    carom_difference(w, v, d);
    bool waits = wait > 0;
    wait = (wait + 1) * (wait + 2);
    return waits && !(carom_dot(d, d) * wait * wait <= most);
}

// Nodes [begin, end) that were pushed too hard for their elements to wait as long as they may, likewise:
// |w - v| m (m + 1) > scale for m = until - now + 1. What is not a number is too hard.
CAROM_INLINE void find_pushed_in(const carom_examination_times *times, const double (*w)[3], int begin, int end, int *count) {
    double now = *times->kicks, most = carom_examination_times_most(times);
    const double(*v)[3] = (const double(*)[3])times->state->v;
    int k = begin;
    for (; k + CAROM_LANES <= end; k += CAROM_LANES) {
        carom_lanes square, wait;
        square_of(&w[k], &v[k], &square);
        carom_lanes_load(&times->until[k], &wait);
        wait -= now;
        carom_lanes_bits waits = wait > 0.0;
        wait = (wait + 1.0) * (wait + 2.0);
        carom_lanes_bits quiet = (square * wait * wait <= most) | ~waits;
        int64_t all = quiet[0] & quiet[1] & quiet[2] & quiet[3] & quiet[4] & quiet[5] & quiet[6] & quiet[7];
        for (int l = 0; !all && l < CAROM_LANES; l++)
            if (!quiet[l])
                times->found[begin + (*count)++] = k + l;
    }
    for (; k < end; k++)
        if (is_pushed(times, k, now, most, w[k], v[k]))
            times->found[begin + (*count)++] = k;
}

CAROM_KERNEL(find_pushed_kernel, (const carom_examination_times *times, const double (*w)[3], int begin, int end, int *count),
             (times, w, begin, end, count), find_pushed_in(times, w, begin, end, count))

static int find_pushed(const carom_examination_times *times, const double (*w)[3], int begin, int end) {
    int count = 0;
    find_pushed_kernel(times, w, begin, end, &count);
    return count;
}

// What `search` finds among `total`: the first numbers of times->found, in ascending order. Returns how many.
static int find(const carom_examination_times *times, const double (*w)[3], int total,
                int search(const carom_examination_times *, const double (*)[3], int, int)) {
    if (total <= SHARED)
        return search(times, w, 0, total);
    int begin[PARTS + 1], count[PARTS], found = 0;
    for (int p = 0; p <= PARTS; p++)
        begin[p] = (int)((int64_t)total * p / PARTS);
#pragma omp parallel for schedule(static)
    for (int p = 0; p < PARTS; p++)
        count[p] = search(times, w, begin[p], begin[p + 1]);
    for (int p = 0; p < PARTS; p++)
        for (int i = 0; i < count[p]; i++)
            times->found[found++] = times->found[begin[p] + i];
    return found;
}

// The square of |w - v| of a node.
static double push_of(const carom_examination_times *times, int node, const double w[3]) {
    double d[3];
    carom_difference(w, times->state->v[node], d);
    return carom_dot(d, d);
}

// The largest m with m (m + 1) <= scale/|w - v|.
static double wait_of(const carom_examination_times *times, double push) {
    double ratio = scale_of(times) / sqrt(push);
    // infinite for nodes at rest; what is not a number does not wait
    return ratio >= patience * (patience + 1) ? patience : ratio > 0 ? floor((sqrt(1 + 4 * ratio) - 1) / 2) : 0;
}

// The elements of a node may wait no longer than that. Those that would are due after half of it: if the push grows, the node
// need not call again and again. Which nodes call does not change when elements are due, as long as those do that must; nor
// does their order: a batch is due after half of the shortest wait of those that find it too late.
static void call(carom_examination_times *times, int node, double wait) {
    const carom_model *model = times->model;
    double now = *times->kicks, until = 0;
    for (int i = model->gather_begin[node]; i < model->gather_begin[node + 1]; i++) {
        int b, e = carom_model_element_at(model, model->gather[i], &b);
        double *due = &times->due[times->first[b] + e / CAROM_LANES];
        if (*due == never)
            continue;
        double sooner = now + ceil(0.5 * wait), *called = &times->called[due - times->due];
        // a batch that another node has called at this kick was too late for all that wait no longer than that one
        if (*called == now ? *due > sooner : *due > now + wait) {
            *due = sooner;
            *called = now;
            times->next = fmin(times->next, sooner);
        }
        until = fmax(until, *due);
    }
    times->until[node] = until;
    carom_examination_times_note_changes(times, &node, 1);
}

// The nodes of a batch wait at least for it.
static void raise_until(carom_examination_times *times, carom_batch batch, double due) {
    const carom_block *block = &times->model->blocks[batch.block];
    const int *nodes = &block->nodes[(ptrdiff_t)batch.begin * block->node_count];
    int count = (batch.end - batch.begin) * block->node_count;
    for (int i = 0; i < count; i++)
        raise_to(&times->until[nodes[i]], due);
}

// What is derived from a state that has been replaced: how long nodes wait. Batches of which another process is the home are
// never due here.
void carom_examination_times_derive(carom_examination_times *times) {
    const carom_model *model = times->model;
    if (times->generation == times->state->generation)
        return;
    times->generation = times->state->generation;
    times->change_count = -1;
    times->next = 0;
    for (int k = 0; k < model->node_count; k++)
        times->until[k] = 0;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        for (int e = 0; e < block->count; e += CAROM_LANES) {
            carom_batch batch = {b, e, e + CAROM_LANES < block->count ? e + CAROM_LANES : block->count};
            double *due = &times->due[times->first[b] + e / CAROM_LANES];
            if (!carom_vicinity_is_home(times->near, model, batch))
                *due = never;
            if (*due != never)
                raise_until(times, batch, *due);
        }
    }
}

void carom_examination_times_start(carom_examination_times *times) {
    carom_examination_times_derive(times);
    ++*times->kicks;
}

// A node that was pushed calls for its elements; `push` is the square of |w - v|.
static void call_for(carom_examination_times *times, int node, double push) {
    call(times, node, fmax(wait_of(times, push) - 1, 0));
}

// The same of nodes here and elsewhere. Neither the order of calls matters, nor whether a node has called before.
static void call_here_and_elsewhere(carom_examination_times *times, const double (*w)[3], const carom_check_remote *elsewhere) {
    double now = *times->kicks, most = carom_examination_times_most(times);
    const double(*v)[3] = (const double(*)[3])times->state->v;
    int count = 0;
    for (int i = 0; i < elsewhere->here_count; i++)
        if (is_pushed(times, elsewhere->here[i], now, most, w[elsewhere->here[i]], v[elsewhere->here[i]]))
            times->found[count++] = elsewhere->here[i];
    // in ascending order
    for (int i = 0, j = 0; i < count || j < elsewhere->count;) {
        bool here = j == elsewhere->count || (i < count && times->found[i] < elsewhere->pushed[j]);
        int node = here ? times->found[i] : elsewhere->pushed[j];
        call_for(times, node, here ? push_of(times, node, w[node]) : elsewhere->squares[j]);
        i += here;
        j += !here;
    }
}

// The first kick after the present one at which a batch is due.
static double next_of(const carom_examination_times *times) {
    int batches = times->first[times->model->block_count];
    double now = *times->kicks, next = never;
#pragma omp parallel for schedule(static) reduction(min : next) if (batches > SHARED)
    for (int b = 0; b < batches; b++)
        next = times->due[b] > now && times->due[b] < next ? times->due[b] : next;
    return next;
}

void carom_examination_times_count(carom_examination_times *times, const double (*w)[3], const carom_check_remote *elsewhere,
                                   carom_vicinity *near) {
    const carom_model *model = times->model;
    int count = elsewhere ? 0 : find(times, w, model->node_count, find_pushed);
    for (int i = 0; i < count; i++)
        call_for(times, times->found[i], push_of(times, times->found[i], w[times->found[i]]));
    if (elsewhere)
        call_here_and_elsewhere(times, w, elsewhere);
    if (*times->kicks < times->next)
        return;
    // those that are due now are noted before the next kick
    times->next = next_of(times);
    count = find(times, w, times->first[model->block_count], find_due);
    carom_vicinity_add_batches(near, model, times->found, count);
}

void carom_examination_times_note(carom_examination_times *times, carom_batch batch, double rate, const double (*w)[3]) {
    const carom_block *block = &times->model->blocks[batch.block];
    const int *nodes = &block->nodes[(ptrdiff_t)batch.begin * block->node_count];
    int count = (batch.end - batch.begin) * block->node_count;
    double wait = fmin(floor(unseen / (times->step * rate)), patience), hardest = 0;
    for (int i = 0; i < count && wait > 1; i++) {
        double push = push_of(times, nodes[i], w[nodes[i]]);
        hardest = hardest >= push ? hardest : push;
    }
    wait = fmin(wait, wait_of(times, hardest));
    // what is not a number is due at once
    double due = *times->kicks + (rate >= 0 && wait >= 1 ? wait : 1);
    times->due[times->first[batch.block] + batch.begin / CAROM_LANES] = due;
    lower_to(&times->next, due);
    raise_until(times, batch, due);
}

void carom_examination_times_dismiss(carom_examination_times *times, carom_batch batch) {
    times->due[times->first[batch.block] + batch.begin / CAROM_LANES] = never;
}

void carom_examination_times_renew(carom_examination_times *times) {
    times->generation = times->state->generation;
    // the first look of all counts as a kick
    *times->kicks = fmax(*times->kicks, 1);
    times->change_count = -1;
    for (int k = 0; k < times->model->node_count; k++)
        times->until[k] = 0;
}
