// SPDX-License-Identifier: MIT
// The state: named arrays, of which positions and velocities are the first, the ledger, and the records of body pairs.
// Checkpoints save all three. The hash covers time, step, arrays and ledger; the records of pairs are sums for the summary, on
// which no step depends, and are excluded.
#include "model/state.h"
#include "model/remote.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "carom/rigid.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/forces/peaks.h"
#include "model/limits.h"
#include "model/model.h"
#include "model/state/guard.h"
#include "model/state/history.h"
#include "model/state/ledger.h"
#include "model/state/load_cells.h"
#include "model/state/pair_forces.h"

// Sets the initial positions and velocities.
static void begin_motion(carom_state *s) {
    const carom_model *model = s->model;
    memcpy(s->x, model->X, (size_t)model->node_count * sizeof *s->x);
    memcpy(s->v, model->v0, (size_t)model->node_count * sizeof *s->v);
    if (model->R) {
        memcpy(s->R, model->R, (size_t)model->node_count * sizeof *s->R);
        memcpy(s->spin, model->spin0, (size_t)model->node_count * sizeof *s->spin);
    }
    for (int r = 0; r < model->rigid.count; r++) {
        const carom_rigid_body *one = &model->rigid.items[r];
        double body[3];
        carom_mat3_copy((carom_const_vectors)one->R, s->turned[r]);
        carom_copy(one->spin, s->turn_rate[r]);
        carom_mat3_apply_transposed((carom_const_vectors)one->R, one->spin, body);
        for (int i = 0; i < 3; i++)
            body[i] *= one->inertia[i];
        carom_mat3_apply((carom_const_vectors)one->R, body, s->turning[r]);
    }
    // prescribed velocities apply from the start
    for (int r = 0; r < model->restraints.count; r++) {
        const carom_restraint *restraint = &model->restraints.items[r];
        carom_restraint_impose(restraint, s->v[restraint->node]);
        if (restraint->clamped)
            // A clamped frame does not turn.
            memset(s->spin[restraint->node], 0, sizeof *s->spin);
    }
}

carom_status carom_state_create(const carom_model *model, carom_state **state, carom_error *error) {
    carom_state *s = carom_allocate(1, sizeof *s);
    bool enough = s != NULL;
    *state = s;
    if (s) {
        s->model = model;
        s->x = (carom_vectors)carom_state_add_nodal(s, "positions", 3);
        s->v = (carom_vectors)carom_state_add_nodal(s, "velocities", 3);
        s->impulse = (carom_vectors)carom_state_add_nodal(s, "contact impulses", 3);
        carom_state_assign(s, s->x, CAROM_ARRAYS_POSITIONS);
        carom_state_assign(s, s->v, CAROM_ARRAYS_VELOCITIES);
        if (model->R) {
            s->R = (double(*)[3][3])carom_state_add_nodal(s, "frames", 9);
            s->spin = (carom_vectors)carom_state_add_nodal(s, "spins", 3);
        }
        if (model->rigid.count) {
            s->turned = (double(*)[3][3])carom_state_add_array(s, "rotations", 9 * model->rigid.count);
            s->turning = (carom_vectors)carom_state_add_array(s, "angular momenta", 3 * model->rigid.count);
            s->turn_rate = (carom_vectors)carom_state_add_array(s, "angular velocities", 3 * model->rigid.count);
        }
        enough = carom_history_register(s) && (!model->rigid.count || (s->turned && s->turning && s->turn_rate));
        model = s->model;
        s->guard = carom_state_add_silent(s, "guards", CAROM_GUARD_NUMBERS);
        carom_state_limit(s, s->guard, carom_guard_limits, NULL);
        enough = carom_groups_register(s) && enough;
        enough = carom_peaks_register(s) && enough;
        enough = carom_cells_register(s) && enough;
        s->own_count = s->array_count;
        s->pairs = carom_allocate(CAROM_PAIR_RECORDS_MAX, sizeof *s->pairs);
        s->pair_firsts = carom_allocate(CAROM_PAIR_RECORDS_MAX, sizeof *s->pair_firsts);
        s->pair_sums = carom_allocate(CAROM_PAIR_RECORDS_MAX, sizeof *s->pair_sums);
        s->element_energy = carom_allocate(model->element_count, sizeof *s->element_energy);
        s->load_size = carom_allocate(model->node_count, sizeof *s->load_size);
    }
    if (!enough || !s->x || !s->v || !s->impulse || (model->R && (!s->R || !s->spin)) || !s->guard || !s->pairs ||
        !s->pair_firsts || !s->pair_sums || !s->element_energy || !s->load_size) {
        carom_state_release(s);
        *state = NULL;
    }
    // Opening the ledger is collective.
    carom_status status =
        *state ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the state of %d nodes", model->node_count);
    status = CAROM_MODEL_AGREE(model, status, error);
    if (status) {
        carom_state_release(*state);
        *state = NULL;
        return status;
    }

    begin_motion(s);
    carom_ledger_open(s);
    return CAROM_OK;
}

void carom_state_release(carom_state *state) {
    if (!state)
        return;
    if (state->remote)
        state->remote->state = NULL;
    for (int a = 0; a < state->array_count; a++)
        free(state->arrays[a].values);
    carom_groups_release(state);
    carom_peaks_release(state->peaks);
    carom_history_release(state);
    free(state->pairs);
    free(state->pair_firsts);
    free(state->pair_sums);
    free(state->element_energy);
    free(state->load_size);
    free(state);
}

// Registers an array of that kind, whose `count` is given; NULL if memory is short.
static double *add(carom_state *state, const char *name, carom_state_array array) {
    // The number of arrays is limited, since integrators register a handful.
    if (state->array_count == CAROM_STATE_ARRAYS_MAX)
        return NULL;
    array.values = carom_allocate(array.count, sizeof *array.values);
    // After a failure earlier arrays stay registered; the state is released as a whole.
    if (!array.values)
        return NULL;
    // the rest of the name is zero: names are compared and saved with all their bytes
    strncpy(array.name, name, sizeof array.name - 1);
    state->arrays[state->array_count++] = array;
    return array.values;
}

double *carom_state_add_array(carom_state *state, const char *name, int64_t count) {
    return add(state, name, (carom_state_array){.count = count});
}

double *carom_state_add_nodal(carom_state *state, const char *name, int components) {
    return add(state, name,
               (carom_state_array){.count = (int64_t)components * state->model->node_count, .components = components});
}

double *carom_state_add_field(carom_state *state, const char *name) {
    // without rigid bodies it is a nodal array, and distributed like nodes
    if (!state->model->rigid.count)
        return carom_state_add_nodal(state, name, 3);
    return carom_state_add_array(state, name, 3 * (int64_t)carom_model_row_count(state->model));
}

double *carom_state_add_elemental(carom_state *state, const char *name, int components) {
    int64_t count = (int64_t)components * state->model->element_count;
    return add(state, name, (carom_state_array){.count = count, .components = components, .per_element = true});
}

double *carom_state_add_batchwise(carom_state *state, const char *name, int batches) {
    return add(state, name, (carom_state_array){.count = batches, .components = 1, .per_batch = true, .silent = true});
}

double *carom_state_add_rows(carom_state *state, const char *name, int64_t rows) {
    int64_t count = CAROM_LANES * rows;
    return add(state, name, (carom_state_array){.count = count, .components = CAROM_LANES, .per_row = true});
}

double *carom_state_add_dormant(carom_state *state, const char *name, int64_t count) {
    return add(state, name, (carom_state_array){.count = count, .dormant = true});
}

double *carom_state_add_silent(carom_state *state, const char *name, int64_t count) {
    return add(state, name, (carom_state_array){.count = count, .silent = true});
}

// A handful of arrays: a linear search by name.
double *carom_state_find_array(const carom_state *state, const char *name) {
    for (int a = 0; a < state->array_count; a++)
        if (strcmp(state->arrays[a].name, name) == 0)
            return state->arrays[a].values;
    return NULL;
}

double *carom_state_twin(const carom_state *state, const void *values, const carom_state *other) {
    for (int a = 0; values && a < state->array_count; a++)
        if (state->arrays[a].values == values)
            return other->arrays[a].values;
    return NULL;
}

void carom_state_assign(carom_state *state, const void *values, unsigned set) {
    for (int a = 0; a < state->array_count; a++)
        if (state->arrays[a].values == values)
            state->arrays[a].set = set;
}

void carom_state_limit(carom_state *state, const void *values, carom_limits_of *limits, const void *owner) {
    for (int a = 0; values && a < state->array_count; a++)
        if (state->arrays[a].values == values) {
            state->arrays[a].limits = limits;
            state->arrays[a].owner = owner;
        }
}

// Number of values above which several threads run a loop.
enum { SHARED = 1 << 18 };

static void copy_numbers(double *to, const double *from, int64_t count) {
    if (count <= SHARED) {
        memcpy(to, from, (size_t)count * sizeof *to);
        return;
    }
#pragma omp parallel for schedule(static)
    for (int64_t begin = 0; begin < count; begin += SHARED / 16) {
        int64_t end = begin + SHARED / 16 < count ? begin + SHARED / 16 : count;
        memcpy(to + begin, from + begin, (size_t)(end - begin) * sizeof *to);
    }
}

// An operation on a run of values of an array; false ends the traversal.
typedef bool on_run(double *to, const double *values, int64_t count);

// Traverses all values of an array except those of these sets that are on a device; `to` is an array of the same size.
static bool each_run(const carom_state *state, const carom_state_array *array, unsigned sets, on_run *work, double *to) {
    const double *values = array->values;
    const carom_model *model = state->model;
    int64_t at = 0;
    bool on = true;
    if (!(array->set & sets))
        return work(to, values, array->count);
    for (int i = 0; on && array->set & CAROM_ARRAYS_MOTION && i < state->remote->count; i++) {
        at = 3 * (int64_t)state->remote->here[i];
        on = work(to + at, values + at, 3);
    }
    // rows of rigid bodies
    at = 3 * (int64_t)model->node_count;
    if (array->set & CAROM_ARRAYS_MOTION)
        return on && work(to + at, values + at, array->count - at);
    at = 0;
    for (int b = 0; on && array->set == CAROM_ARRAYS_ENVELOPES && b < model->block_count; b++) {
        int64_t count = (int64_t)array->components * model->blocks[b].count;
        on = state->remote->watched[b] || work(to + at, values + at, count);
        at += count;
    }
    return on;
}

static bool copy_run(double *to, const double *from, int64_t count) {
    copy_numbers(to, from, count);
    return true;
}

// Everything but the arrays.
static void copy_rest(carom_state *to, const carom_state *from) {
    to->time = from->time;
    to->step = from->step;
    to->generation++;
    to->books = from->books;
    to->pair_count = from->pair_count;
    // `to` keeps its own scratch and model
    memcpy(to->pairs, from->pairs, (size_t)from->pair_count * sizeof *from->pairs);
    memcpy(to->pair_firsts, from->pair_firsts, (size_t)from->pair_count * sizeof *from->pair_firsts);
    for (int p = 0; p < from->pair_count; p++)
        for (int i = 0; i < CAROM_PAIR_SUMS; i++)
            carom_exact_copy(&to->pair_sums[p].of[i], &from->pair_sums[p].of[i]);
}

// Arrays are registered in the same order in both states, so they are copied by index.
void carom_state_copy_but(carom_state *to, const carom_state *from, unsigned sets) {
    carom_state_read(from, CAROM_ARRAYS_ALL & ~sets);
    carom_state_replace(to, CAROM_ARRAYS_ALL | CAROM_ARRAYS_FORCES);
    copy_rest(to, from);
    for (int a = 0; a < from->array_count; a++)
        each_run(from, &from->arrays[a], sets, copy_run, to->arrays[a].values);
    if (sets)
        to->remote->has = to->remote->on_device = sets;
}

void carom_state_copy(carom_state *to, const carom_state *from) {
    carom_state_copy_but(to, from, 0);
}

// The square of a smaller number, times a mass or a stiffness, does not overflow.
static const double most_finite = CAROM_STATE_FINITE;

// True if all numbers are below that in size; a comparison with NaN is false. Counted without branches, to allow vectorisation.
static bool are_finite(const double *values, int64_t count) {
    // Length of a run, after which the loop can stop.
    enum { RUN = 4096 };
    if (count > SHARED) {
        int64_t wrong = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong)
        for (int64_t i = 0; i < count; i++)
            wrong += !(fabs(values[i]) < most_finite);
        return wrong == 0;
    }
    for (int64_t begin = 0; begin < count; begin += RUN) {
        int64_t end = begin + RUN < count ? begin + RUN : count, wrong = 0;
        for (int64_t i = begin; i < end; i++)
            wrong += !(fabs(values[i]) < most_finite);
        if (wrong)
            return false;
    }
    return true;
}

static bool is_finite_run(double *unused, const double *values, int64_t count) {
    (void)unused;
    return are_finite(values, count);
}

bool carom_state_is_finite(const carom_state *state) {
    carom_remote *remote = state->remote;
    unsigned sets = remote ? remote->has & CAROM_ARRAYS_ALL : 0;
    bool finite = !sets || remote->is_finite(remote, sets);
    for (int a = 0; finite && a < state->array_count; a++)
        finite = each_run(state, &state->arrays[a], sets, is_finite_run, state->arrays[a].values);
    return !carom_model_any(state->model, !finite);
}

double carom_state_time(const carom_state *state) {
    return state->time;
}

int64_t carom_state_step(const carom_state *state) {
    return state->step;
}

const double (*carom_state_positions(const carom_state *state))[3] {
    carom_state_read(state, CAROM_ARRAYS_POSITIONS);
    return (carom_const_vectors)state->x;
}

const double (*carom_state_velocities(const carom_state *state))[3] {
    carom_state_read(state, CAROM_ARRAYS_VELOCITIES);
    return (carom_const_vectors)state->v;
}

const double *carom_state_array_values(const carom_state *state, const char *name) {
    carom_state_read(state, CAROM_ARRAYS_ALL);
    return carom_state_find_array(state, name);
}

double (*carom_state_edit_positions(carom_state *state))[3] {
    carom_state_write(state, CAROM_ARRAYS_POSITIONS);
    return state->x;
}

double (*carom_state_edit_velocities(carom_state *state))[3] {
    carom_state_write(state, CAROM_ARRAYS_VELOCITIES);
    return state->v;
}

double (*carom_state_edit_frames(carom_state *state))[3][3] {
    return state->R;
}

double (*carom_state_edit_spins(carom_state *state))[3] {
    return state->spin;
}

void carom_state_count_event(carom_state *state, carom_event event) {
    state->books.events[event]++;
}

const double (*carom_state_frames(const carom_state *state))[3][3] {
    return (const double(*)[3][3])state->R;
}

const double (*carom_state_spins(const carom_state *state))[3] {
    return (carom_const_vectors)state->spin;
}

const double (*carom_state_rotations(const carom_state *state))[3][3] {
    return (const double(*)[3][3])state->turned;
}

const double (*carom_state_angular_velocities(const carom_state *state))[3] {
    return (carom_const_vectors)state->turn_rate;
}

const double (*carom_state_impulses(const carom_state *state))[3] {
    return (carom_const_vectors)state->impulse;
}

// True if all values are zero in all processes.
static bool is_zero(const carom_model *model, const carom_state_array *array) {
    bool zero = true;
    for (int64_t i = 0; i < array->count; i++)
        zero = zero && array->values[i] == 0;
    return !carom_model_any(model, !zero);
}

// Copies the ledger and propagates the carries of all sums: equal ledgers have equal bytes.
static void normal_books(const carom_state *state, carom_books *books) {
    *books = state->books;
    for (int a = 0; a < CAROM_ACCOUNTS; a++) {
        carom_exact_normalize(&books->booked.of[a]);
        carom_exact_normalize(&books->pending.of[a]);
    }
}

// The hash ends with the events that depend on the motion. Those behind them come from guards, which only monitor it.
enum { HASHED_EVENTS = CAROM_EVENT_ENERGY_GROWTH };

// Hashes the name of an array.
static uint64_t key_of(const char *name) {
    return carom_hash(CAROM_HASH_START, name, strlen(name));
}

// The contribution of an array to the hash.
static uint64_t sum_of(const char *name, const void *words, int64_t count) {
    return carom_hash_sum(key_of(name), words, 0, count);
}

// The contribution of the rows of history whose batches have their home in this process.
static uint64_t sum_of_rows(const carom_model *model, uint64_t key, const double *values) {
    uint64_t sum = 0;
    int64_t here = 0;
    int batch = 0;
    for (int b = 0, first = 0; b < model->block_count; first += model->blocks[b++].count) {
        const carom_block *block = &model->blocks[b];
        for (int e = 0; e < block->count; e += CAROM_LANES, batch++, here += block->history_size)
            if (model->part.home[batch])
                sum +=
                    carom_hash_sum(key, values + CAROM_LANES * here, CAROM_LANES * carom_history_first_row(model, b, first + e),
                                   (int64_t)CAROM_LANES * block->history_size);
    }
    return sum;
}

// The contribution of the nodes or elements that belong to this process, by their numbers in the whole model.
static uint64_t sum_of_part(const carom_model *model, const carom_state_array *array) {
    uint64_t key = key_of(array->name), sum = 0;
    int n = array->components;
    if (array->per_row)
        return sum_of_rows(model, key, array->values);
    for (int k = 0; !array->per_element && k < model->part.owned_count; k++)
        sum += carom_hash_sum(key, array->values + (ptrdiff_t)n * k, (int64_t)n * model->part.global[k], n);
    for (int b = 0, first = 0; array->per_element && b < model->block_count; first += model->blocks[b++].count) {
        const carom_block *block = &model->blocks[b];
        for (int e = 0; e < block->count; e++)
            if (carom_model_counts(model, &block->nodes[(ptrdiff_t)e * block->node_count]))
                sum += carom_hash_sum(key, array->values + (ptrdiff_t)n * (first + e),
                                      (int64_t)n * model->part.element_global[first + e], n);
    }
    return sum;
}

// A sum over all values, each hashed with its array and its index: it does not depend on order, so threads and processes
// compute parts of it.
uint64_t carom_state_hash(const carom_state *state) {
    const carom_model *model = state->model;
    bool shared = carom_model_is_subdomain(model);
    carom_state_read(state, CAROM_ARRAYS_ALL);
    // Time and step count too: the same positions at another time are another state.
    uint64_t sum = sum_of("time", &state->time, 1) + sum_of("step", &state->step, 1), distributed = 0;
    for (int a = 0; a < state->array_count; a++) {
        const carom_state_array *array = &state->arrays[a];
        if (array->silent || (array->dormant && is_zero(model, array)))
            continue;
        if (shared && array->components > 0)
            distributed += sum_of_part(model, array);
        else
            // arrays that belong to neither nodes nor elements are the same in all processes
            sum += sum_of(array->name, array->values, array->count);
    }
    if (shared)
        carom_parallel_sum_words(&distributed, 1);
    sum += distributed;
    // The ledger is part of the hash: two runs are the same only if they agree on every account.
    carom_books books;
    normal_books(state, &books);
    int64_t size = offsetof(carom_books, events) + HASHED_EVENTS * sizeof *books.events;
    return carom_hash_mix(sum + sum_of("books", &books, size / 8));
}

int64_t carom_state_events(const carom_state *state, carom_event event) {
    return state->books.events[event];
}

int64_t carom_state_element_updates(const carom_state *state) {
    return state->books.element_updates;
}

int64_t carom_state_contact_events(const carom_state *state) {
    return state->books.contact_events;
}

int carom_state_pair_count(const carom_state *state) {
    return state->pair_count;
}

carom_pair_record carom_state_pair(const carom_state *state, int pair) {
    carom_pair_record record = state->pairs[pair];
    const carom_exact *sums = state->pair_sums[pair].of;
    record.impulse = carom_exact_value(&sums[CAROM_PAIR_IMPULSE]);
    for (int i = 0; i < 3; i++) {
        record.push[i] = carom_exact_value(&sums[CAROM_PAIR_PUSH + i]);
        record.moment[i] = carom_exact_value(&sums[CAROM_PAIR_MOMENT + i]);
    }
    carom_pair_forces_check(state, pair, &record);
    return record;
}
