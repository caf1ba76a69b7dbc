// SPDX-License-Identifier: MIT
// Emulation of a device on the processor, for tests without a GPU: the threads of a kernel are a loop; arithmetic, lists and
// transfers are the same.
#define CAROM_LANES_ONE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/backend.h"
#include "device/threads.h"
#include "device/threads_bound.h"
#include "device/threads_damping.h"
#include "device/threads_sweep.h"

static const char *open_device(char *name, size_t size, size_t *memory) {
    snprintf(name, size, "a GPU emulated by the processor");
    *memory = SIZE_MAX;
    return NULL;
}

static void nothing(void) {}

static const char *fault(void) {
    return NULL;
}

static void *allocate(size_t bytes) {
    return calloc(bytes ? bytes : 1, 1);
}

static void pin(void *host, size_t bytes) {
    (void)host, (void)bytes;
}

static void unpin(void *host) {
    (void)host;
}

static void copy(void *to, const void *from, size_t bytes) {
    if (bytes)
        memcpy(to, from, bytes);
}

static void clear(void *memory, size_t bytes) {
    memset(memory, 0, bytes);
}

#define OF_LAW(NAME, name, ...)                                                                           \
    case CAROM_KERNEL_##NAME:                                                                             \
        carom_thread_force(&at, b->kind, CAROM_KERNEL_##NAME, b->sheet.stress, b->point_count, extremes); \
        break;
// The force of one element; the law is a compile-time constant in each call.
static void force_of_one(const carom_thread_block *b, const carom_thread_call *call, int e, carom_extremes *extremes,
                         const carom_sink *sink) {
    const carom_element_batch at = {b, call, e, b->kind == CAROM_THREAD_HEX8_ONE_POINT, sink};
    switch (b->law) {
        CAROM_BATCHED_LAWS(OF_LAW, )
    default: carom_thread_force(&at, b->kind, CAROM_KERNEL_FLOW, false, b->point_count, NULL); break;
    }
}

// The largest scores of a group; elements come in ascending order, and the first of equal scores is kept.
static void take_best(const carom_extremes *found, int e, double *best, int *element) {
    for (int kind = 0; kind < CAROM_EXTREME_KINDS; kind++)
        if (found->score[kind] > best[kind]) {
            best[kind] = found->score[kind];
            element[kind] = e;
        }
}

// Copies the forces of a group from its shared memory to the slots.
static void write_group(const carom_thread_block *b, const carom_thread_call *call, int begin, int end, const double *common) {
    const carom_thread_group *group = &b->groups[begin / CAROM_GROUP];
    const unsigned short *sources = b->sorted_source + (ptrdiff_t)begin * b->node_count;
    const int *sorted = b->sorted + group->output;
    for (int r = 0; r < group->run_count; r++)
        for (int c = 0; c < 3; c++)
            call->slots[3 * (ptrdiff_t)sorted[r] + c] = carom_thread_begin_sum(b, call, group, sources, r, c, common);
    sorted += group->run_count;
    sources += group->joined;
    for (int i = 0; i < (end - begin) * b->node_count - group->joined; i++)
        for (int c = 0; c < 3; c++)
            call->slots[3 * (ptrdiff_t)sorted[i] + c] = common[carom_thread_source(sources[i], c)];
}

// A group of threads: writes forces to its shared memory, then to the slots in their order; or directly to the slots.
static void force_of_group(const carom_thread_block *b, const carom_thread_call *call, int begin) {
    enum { MOST = 12 };
    double common[3 * MOST * CAROM_COLUMN], *best = NULL;
    int end = begin + CAROM_GROUP < b->count ? begin + CAROM_GROUP : b->count, *element = NULL;
    bool sorts = b->groups;
    if (call->watches) {
        ptrdiff_t at = CAROM_EXTREME_KINDS * (ptrdiff_t)(b->first_group + begin / CAROM_GROUP);
        best = call->best + at;
        element = call->best_element + at;
        for (int kind = 0; kind < CAROM_EXTREME_KINDS; kind++)
            best[kind] = CAROM_NO_SCORE;
    }
    for (int e = begin; e < end; e++) {
        carom_extremes extremes = carom_thread_extremes(b, call);
        carom_sink sink = {common + (e - begin), CAROM_COLUMN, NULL};
        if (!sorts)
            sink = (carom_sink){call->slots, 1, b->target + (ptrdiff_t)e * b->node_count};
        force_of_one(b, call, e, best ? &extremes : NULL, &sink);
        if (best)
            take_best(&extremes, e, best, element);
    }
    for (int kind = 0; best && kind < CAROM_EXTREME_KINDS; kind++)
        if (best[kind] > CAROM_NO_SCORE) {
#pragma omp atomic write
            call->any[b->number] = 1;
        }
    if (sorts)
        write_group(b, call, begin, end, common);
}

static void force(const carom_thread_block *b, const carom_thread_call *call) {
    if (b->kind == CAROM_THREAD_NOTHING)
        return;
#pragma omp parallel for schedule(static) if (b->count > 1024)
    for (int begin = 0; begin < b->count; begin += CAROM_GROUP)
        force_of_group(b, call, begin);
}

static void disturb(const carom_thread_block *b, const carom_thread_damping *d) {
#pragma omp parallel for schedule(static) if (b->count > 1024)
    for (int e = 0; e < b->count; e++)
        carom_thread_disturb(b, d, e);
}

static void damp(const carom_thread_block *b, const carom_thread_damping *d) {
#pragma omp parallel for schedule(static) if (b->count > 1024)
    for (int e = 0; e < b->count; e++)
        carom_thread_damp(b, d, e);
}

// Groups come in ascending order, and the first of equal scores is kept.
static void find_tops(const carom_thread_block *blocks, int count, const carom_thread_call *call, carom_thread_top *tops) {
    for (int n = 0; n < count; n++)
        for (int kind = 0; kind < CAROM_EXTREME_KINDS; kind++) {
            const carom_thread_block *b = &blocks[n];
            carom_thread_top *top = &tops[n];
            top->score[kind] = CAROM_NO_SCORE;
            for (int g = 0; call->any[n] && g < (b->count + CAROM_GROUP - 1) / CAROM_GROUP; g++) {
                ptrdiff_t at = CAROM_EXTREME_KINDS * (ptrdiff_t)(b->first_group + g) + kind;
                if (!(call->best[at] > top->score[kind]))
                    continue;
                top->score[kind] = call->best[at];
                top->element[kind] = call->best_element[at];
            }
            for (int c = 0; top->score[kind] > CAROM_NO_SCORE && c < 3 * CAROM_TOP_NODES; c++)
                top->x[kind][c] = carom_thread_top_place(b, call, top->element[kind], c);
        }
}

static void energy(const carom_thread_block *b, const carom_thread_call *call, double *energies) {
#pragma omp parallel for schedule(static) if (b->count > 1024)
    for (int e = 0; e < b->count; e++)
        energies[e] = carom_thread_energy(b, call, e, b->kind, (carom_kernel_law)b->law);
}

static void gather(const carom_thread_nodes *n) {
#pragma omp parallel for schedule(static) if (n->count > 4096)
    for (int k = 0; k < n->count; k++)
        carom_thread_gather(n, k, &n->force[3 * (ptrdiff_t)k]);
}

static void kick(const carom_thread_nodes *n, double h, double *most) {
    *most = 0;
    for (int k = 0; k < n->count; k++) {
        double f[3];
        carom_thread_gather(n, k, f);
        double change = carom_thread_kick(n, k, h, f);
        *most = change > *most ? change : *most;
        if (n->force)
            memcpy(&n->force[3 * (ptrdiff_t)k], f, sizeof f);
    }
}

static void drift(const carom_thread_nodes *n, double h) {
    for (int k = 0; k < n->count; k++)
        carom_thread_drift(n, k, h);
}

static void add_term(carom_thread_sums sums, int sum, double term) {
    int64_t digit[3];
    int d = carom_exact_cut(carom_thread_bits(term), digit);
    if (d < -1)
        sums.special[sum] |= (unsigned)(-2 - d);
    for (int i = 0; d >= 0 && i < 3; i++)
        sums.digits[CAROM_THREAD_DIGITS * sum + d + i] += digit[i];
}

static void push(const carom_thread_nodes *n, const carom_thread_push *push) {
    for (int k = 0; k < n->count; k++) {
        if (n->held[k])
            continue;
        double change = carom_thread_push_node(n, push, k), terms[2][CAROM_THREAD_KICK_SUMS];
        double square = carom_terms_dot(n->w + 3 * (ptrdiff_t)k, n->w + 3 * (ptrdiff_t)k);
        push->report->most = change > push->report->most ? change : push->report->most;
        push->report->fastest = square > push->report->fastest ? square : push->report->fastest;
        double motion[CAROM_THREAD_MOTION_SUMS];
        push->report->stray |= !carom_thread_settle_node(n, push->after, k, n->v_next, motion);
        for (int a = 0; a < CAROM_THREAD_MOTION_SUMS; a++)
            add_term(push->sums, CAROM_THREAD_KICK_SUMS + a, motion[a]);
        if (!n->load && !n->damping)
            continue;
        carom_thread_kick_terms(n, push->h, k, terms);
        for (int a = 0; a < 2 * CAROM_THREAD_KICK_SUMS; a++)
            add_term(push->sums, a % CAROM_THREAD_KICK_SUMS, terms[a / CAROM_THREAD_KICK_SUMS][a % CAROM_THREAD_KICK_SUMS]);
    }
}

static void settle(const carom_thread_nodes *n, double after, carom_thread_sums sums, carom_thread_reported *report) {
    for (int k = 0; k < n->count; k++) {
        double terms[CAROM_THREAD_MOTION_SUMS];
        if (n->held[k])
            continue;
        report->stray |= !carom_thread_settle_node(n, after, k, n->v, terms);
        for (int a = 0; a < CAROM_THREAD_MOTION_SUMS; a++)
            add_term(sums, a, terms[a]);
    }
}

static void sum(const double *table, int rows, int columns, carom_thread_sums sums) {
    for (int64_t i = 0; i < (int64_t)rows * columns; i++)
        add_term(sums, (int)(i % columns), table[i]);
}

static void share_alone(const carom_thread_block *b, const carom_thread_call *call) {
#pragma omp parallel for schedule(static) if (b->count > 1024)
    for (int e = 0; e < b->count; e++)
        carom_thread_share_alone(b, call, e, b->kind);
}

static void share(const carom_thread_block *b, const carom_thread_call *call) {
    if (!b->groups) {
        share_alone(b, call);
        return;
    }
#pragma omp parallel for schedule(static) if (b->count > 1024)
    for (int begin = 0; begin < b->count; begin += CAROM_GROUP) {
        double common[CAROM_LOOP_REGULAR * CAROM_GROUP];
        int end = begin + CAROM_GROUP < b->count ? begin + CAROM_GROUP : b->count;
        for (int e = begin; e < end; e++)
            carom_thread_share(b, call, e, b->kind, (carom_kernel_law)b->law, common + e - begin, CAROM_GROUP);
        const carom_thread_group *group = &b->groups[begin / CAROM_GROUP];
        const unsigned short *sources = b->sorted_source + (ptrdiff_t)begin * b->node_count;
        const int *sorted = b->sorted + group->output;
        for (int r = 0; r < group->run_count; r++)
            call->slots[3 * (ptrdiff_t)sorted[r]] = carom_thread_begin_single(b, group, sources, r, common);
        for (int i = 0; i < (end - begin) * b->node_count - group->joined; i++)
            call->slots[3 * (ptrdiff_t)sorted[group->run_count + i]] = common[sources[group->joined + i]];
    }
}

static void frequency(const carom_thread_nodes *n, const int *body, double *squares) {
    for (int k = 0; k < n->count; k++) {
        double square = body[k] < 0 ? 0 : carom_thread_frequency(n, k);
        if (!(square <= 0) && !(square <= squares[body[k]]) && !isnan(squares[body[k]]))
            squares[body[k]] = square;
    }
}

static void find_pushed(const carom_thread_nodes *n, const carom_thread_pushed *pushed) {
    for (int k = n->count - 1; k >= 0; k--) {
        double square;
        if (!n->held[k] && carom_thread_is_pushed(n, pushed, k, &square))
            pushed->found[(*pushed->count)++] = (carom_thread_pushed_node){square, k};
    }
}

static void check_elements(const carom_thread_block *b, const carom_thread_check *check) {
    int wrong = 0;
#pragma omp parallel for schedule(static) reduction(| : wrong) if (b->count > 1024)
    for (int e = 0; e < b->count; e++)
        wrong |= carom_thread_is_shell(b->kind) ? carom_thread_check_shell(b, check, e, b->kind)
                                                : carom_thread_check_at(b, check, e);
    *check->wrong |= wrong;
}

static void check_behind(const carom_thread_nodes *n, const carom_thread_planes *planes) {
    for (int k = 0; k < n->count; k++)
        *planes->wrong |= carom_thread_is_behind(n, planes, k);
}

static void check_magnitude(const double *numbers, size_t count, double most, int *wrong) {
    for (size_t i = 0; i < count; i++)
        *wrong |= !(numbers[i] < most && -numbers[i] < most);
}

static void pack(const double *from, const int *list, int count, double *to) {
    for (int i = 0; i < count; i++)
        memcpy(to + 3 * (ptrdiff_t)i, from + 3 * (ptrdiff_t)list[i], 3 * sizeof *to);
}

static void unpack(const double *from, const int *list, int count, double *to) {
    for (int i = 0; i < count; i++)
        memcpy(to + 3 * (ptrdiff_t)list[i], from + 3 * (ptrdiff_t)i, 3 * sizeof *to);
}

static void place(const double *from, const int *list, int count, double *to) {
    for (int i = 0; i < count; i++)
        to[list[i]] = from[i];
}

static carom_plain_contact record_of(const carom_thread_sweep *s, int i) {
    carom_thread_part parts[CAROM_THREAD_PARTS];
    carom_plain_contact one;
    for (int p = 0; p < CAROM_THREAD_PARTS; p++)
        parts[p] = s->contacts[carom_thread_part_place(i, p)];
    memcpy(&one, parts, sizeof one);
    return one;
}

static bool relax(const carom_thread_sweep *s, int begin, int end) {
    bool moved = false, changed;
    for (int i = begin; i < end; i++) {
        carom_plain_contact one = record_of(s, i);
        moved = carom_thread_relax(s, &one, s->impulses + 4 * (ptrdiff_t)i, &changed) || moved;
    }
    return moved;
}

// Visits the contacts of a colour in descending order, since the order must not matter.
static void sweep(const carom_thread_sweep *s) {
    int done = s->colours[s->colour_count];
    bool moved = true;
    copy(s->v, s->start, 4 * (size_t)s->rows * sizeof *s->v);
    clear(s->impulses, 4 * (size_t)s->count * sizeof *s->impulses);
    for (int n = 0; n < s->most && moved; n++) {
        moved = false;
        for (int c = 0; c < s->colour_count; c++)
            for (int i = s->colours[c + 1] - 1; i >= s->colours[c]; i--)
                moved = relax(s, i, i + 1) || moved;
        moved = relax(s, done, s->count) || moved;
    }
    copy(s->v, s->start, 4 * (size_t)s->rows * sizeof *s->v);
    for (int i = 0; i < s->count; i++) {
        carom_plain_contact one = record_of(s, i);
        carom_thread_apply(s, &one, s->impulses + 4 * (ptrdiff_t)i);
    }
}

const carom_backend *carom_backend_emulation(void) {
    static const carom_backend backend = {
        .version = CAROM_BACKEND_VERSION,
        .open = open_device,
        .close = nothing,
        .fault = fault,
        .allocate = allocate,
        .release = free,
        .pin = pin,
        .unpin = unpin,
        .put = copy,
        .get = copy,
        .clear = clear,
        .wait = nothing,
        .disturb = disturb,
        .damp = damp,
        .energy = energy,
        .force = force,
        .find_tops = find_tops,
        .gather = gather,
        .kick = kick,
        .drift = drift,
        .push = push,
        .settle = settle,
        .sum = sum,
        .share = share,
        .frequency = frequency,
        .check_elements = check_elements,
        .check_behind = check_behind,
        .copy = copy,
        .check_magnitude = check_magnitude,
        .find_pushed = find_pushed,
        .pack = pack,
        .unpack = unpack,
        .place = place,
        .sweep = sweep,
        .poisons = 1,
    };
    return &backend;
}
