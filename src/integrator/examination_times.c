// SPDX-License-Identifier: MIT
// Theory: docs/theory/step.md
// Decides when each batch of elements (up to CAROM_LANES that are evaluated together) is examined next for a shorter step
// (step_control.h). With drifts of length h, a batch with the rate R of compression or extension (accelerations included) may
// wait for W = 1/(10 h R) kicks: the velocities at the examination strain it by a tenth at most. Later kicks change the
// velocities. Two nodes at the distance l whose relative velocity grows by D in each of m kicks are displaced against each
// other by
//
//     2 D h (1 + 2 + ... + m) = D h m (m + 1)
//
// in the m drifts, whatever the directions, so m (m + 1) <= l/(10 h D) keeps the strain by these kicks below another tenth.
// D = 2 |w - v| is the velocity change of a node by the last kick (forces, contacts and prescribed motion), since v is the
// velocity in its middle. One drift has passed since, so the elements of the node are examined within m - 1 kicks. No wait
// exceeds 256 kicks.
//
// Waits count whole steps; while steps are divided, all elements are examined at every kick.
#include "integrator/examination_times.h"

#include <math.h>
#include <string.h>

#include "element/element.h"
#include "math/lanes.h"
#include "math/vec3.h"
#include "model/model.h"

// Largest strain between two examinations by the velocities at the first of them, and also by later kicks.
static const double max_strain_between_checks = 0.1;

// Kicks between two examinations at most.
static const double max_kicks_between_checks = 256;

// Nodes slightly below the threshold request an examination as well, so that rounding of the test does not matter:
// request_examination alone decides what is due when.
static const double threshold_margin = 1 - 1e-9;

// Stands for infinity, since arrays of states must be finite: the kick at which a batch is due that is never examined.
static const double never = 1e15;

enum {
    // Pieces into which loops over batches and over nodes are divided for threads.
    PARTS = 64,
    // Batches or nodes above which threads share a loop over them. One takes a nanosecond, starting threads about ten
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
                                     .kicks = carom_state_add_silent(state, "kicks counted", 1),
                                     .near = near,
                                     .due = carom_state_add_batchwise(state, "examinations due", batches),
                                     .generation = -1,
                                     .change_count = -1};
    times.until = carom_arena_reserve(arena, nodes, sizeof *times.until, enough);
    times.changes = carom_arena_reserve(arena, nodes, sizeof *times.changes, enough);
    times.advanced_at = carom_arena_reserve(arena, batches, sizeof *times.advanced_at, enough);
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

// Raises or lowers a number atomically: the result does not depend on the order of the threads.
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

// Stores those of the batches [begin, end) that are due, from found[begin] on. Returns their number. NaN is due.
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

// |w - v|^2 of eight nodes, whose 24 components are consecutive in memory.
CAROM_INLINE void square_of(const double (*w)[3], const double (*v)[3], carom_lanes *out) {
    carom_lanes u[3], own[3];
    for (int i = 0; i < 3; i++) {
        carom_lanes_load((const double *)w + (ptrdiff_t)CAROM_LANES * i, &u[i]);
        carom_lanes_load((const double *)v + (ptrdiff_t)CAROM_LANES * i, &own[i]);
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
    return 0.5 * max_strain_between_checks * times->model->contact_length / times->step;
}

double carom_examination_times_most(const carom_examination_times *times) {
    double scale = scale_of(times);
    return threshold_margin * scale * scale;
}

// True if the last kick was too strong for the elements of a node to wait until `until`, as in find_pushed_in.
CAROM_INLINE bool is_pushed(const carom_examination_times *times, int k, double now, double most, const double w[3],
                            const double v[3]) {
    double wait = times->until[k] - now, d[3];
    carom_difference(w, v, d);
    bool waits = wait > 0;
    wait = (wait + 1) * (wait + 2);
    return waits && !(carom_dot(d, d) * wait * wait <= most);
}

// Stores those of the nodes [begin, end) for which |w - v| m (m + 1) > scale with m = until - now + 1: the last kick was too
// strong for their elements to wait until then. True for NaN.
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

// Stores what `search` finds among `total` in times->found, in ascending order. Returns how many.
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
    // infinite for nodes at rest; NaN does not wait
    return ratio >= max_kicks_between_checks * (max_kicks_between_checks + 1) ? max_kicks_between_checks
           : ratio > 0                                                        ? floor((sqrt(1 + 4 * ratio) - 1) / 2)
                                                                              : 0;
}

// Limits the wait of the elements of a node. Elements that would wait longer are scheduled after half that time, so that a
// growing velocity change does not reschedule them repeatedly. The schedule depends neither on additional nodes that request an
// examination without need nor on the order of requests: a batch is due after half of the shortest wait that it exceeds.
static void request_examination(carom_examination_times *times, int node, double wait) {
    const carom_model *model = times->model;
    double now = *times->kicks, until = 0;
    for (int i = model->gather_begin[node]; i < model->gather_begin[node + 1]; i++) {
        int b, e = carom_model_element_at(model, model->gather[i], &b);
        double *due = &times->due[times->first[b] + e / CAROM_LANES];
        if (*due == never)
            continue;
        double sooner = now + ceil(0.5 * wait), *advanced_at = &times->advanced_at[due - times->due];
        // a batch that another node has advanced at this kick was too late for all nodes with shorter waits as well
        if (*advanced_at == now ? *due > sooner : *due > now + wait) {
            *due = sooner;
            *advanced_at = now;
            times->next = fmin(times->next, sooner);
        }
        until = fmax(until, *due);
    }
    times->until[node] = until;
    carom_examination_times_note_changes(times, &node, 1);
}

// Raises `until` of the nodes of a batch to the kick at which it is due.
static void raise_until(carom_examination_times *times, carom_batch batch, double due) {
    const carom_block *block = &times->model->blocks[batch.block];
    const int *nodes = &block->nodes[(ptrdiff_t)batch.begin * block->node_count];
    int count = (batch.end - batch.begin) * block->node_count;
    for (int i = 0; i < count; i++)
        raise_to(&times->until[nodes[i]], due);
}

// Derives `until` from the state if it has been replaced. Batches that another process examines are never due here.
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

// Schedules the elements of a node after a kick; `push` is the square of |w - v|.
static void schedule_after_push(carom_examination_times *times, int node, double push) {
    request_examination(times, node, fmax(wait_of(times, push) - 1, 0));
}

// The same for nodes on the processor and on a device.
static void schedule_with_device(carom_examination_times *times, const double (*w)[3], const carom_check_remote *remote) {
    double now = *times->kicks, most = carom_examination_times_most(times);
    const double(*v)[3] = (const double(*)[3])times->state->v;
    int count = 0;
    for (int i = 0; i < remote->here_count; i++)
        if (is_pushed(times, remote->here[i], now, most, w[remote->here[i]], v[remote->here[i]]))
            times->found[count++] = remote->here[i];
    // in ascending order
    for (int i = 0, j = 0; i < count || j < remote->count;) {
        bool here = j == remote->count || (i < count && times->found[i] < remote->pushed[j]);
        int node = here ? times->found[i] : remote->pushed[j];
        schedule_after_push(times, node, here ? push_of(times, node, w[node]) : remote->squares[j]);
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

void carom_examination_times_count(carom_examination_times *times, const double (*w)[3], const carom_check_remote *remote,
                                   carom_vicinity *near) {
    const carom_model *model = times->model;
    int count = remote ? 0 : find(times, w, model->node_count, find_pushed);
    for (int i = 0; i < count; i++)
        schedule_after_push(times, times->found[i], push_of(times, times->found[i], w[times->found[i]]));
    if (remote)
        schedule_with_device(times, w, remote);
    if (*times->kicks < times->next)
        return;
    // batches that are due now are noted before the next kick
    times->next = next_of(times);
    count = find(times, w, times->first[model->block_count], find_due);
    carom_vicinity_add_batches(near, model, times->found, count);
}

void carom_examination_times_note(carom_examination_times *times, carom_batch batch, double rate, const double (*w)[3]) {
    const carom_block *block = &times->model->blocks[batch.block];
    const int *nodes = &block->nodes[(ptrdiff_t)batch.begin * block->node_count];
    int count = (batch.end - batch.begin) * block->node_count;
    double wait = fmin(floor(max_strain_between_checks / (times->step * rate)), max_kicks_between_checks), hardest = 0;
    for (int i = 0; i < count && wait > 1; i++) {
        double push = push_of(times, nodes[i], w[nodes[i]]);
        hardest = hardest >= push ? hardest : push;
    }
    wait = fmin(wait, wait_of(times, hardest));
    // NaN is due at the next kick
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
    // the first examination counts as a kick
    *times->kicks = fmax(*times->kicks, 1);
    times->change_count = -1;
    for (int k = 0; k < times->model->node_count; k++)
        times->until[k] = 0;
}
