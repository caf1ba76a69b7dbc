// SPDX-License-Identifier: MIT
// Contacts are sorted into islands, which do not feel each other. In each, sweeps of Gauss-Seidel find roughly who presses and who slips; Newton's
// method then finishes to rounding, or shows that the guess was wrong: more sweeps.
#include "contact/cones.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/cones_interior.h"
#include "contact/cones_newton.h"
#include "math/vec3.h"

// Sweeps before Newton's method: those of the first round, doubled in each.
enum { SWEEPS = 10, ROUNDS = 8, STEPS = 20, PATIENCE = 4 };
static const double relative = 1e-12;
// Of the interior point method.
enum { ITERATIONS = 60 };
static const double shortest = 1e-6;

struct carom_cones_space {
    // contacts, by islands
    carom_cone_row *rows;
    double (*best)[3];
    double (*start)[3];
    carom_cone_inside *inside;
    int *island; // per item
    int *first;  // per island, and the end
    int64_t row_capacity;

    // nodes of the contacts
    int *local; // per node of the caller: its number here, or -1
    int64_t local_capacity;
    int *parent; // islands as trees
    int *begin, *by_node;
    double (*p)[3];
    int64_t node_capacity;

    // coupled
    double *W;
    int64_t W_capacity;
    double (*u)[3];
    int64_t u_capacity;
    double (*force)[3], (*displacement)[3];
    int64_t nodal_capacity;

    carom_cones_linear linear;
};

carom_cones_space *carom_cones_create(void) {
    return carom_allocate(1, sizeof(carom_cones_space));
}

void carom_cones_release(carom_cones_space *space) {
    if (!space)
        return;
    void *arrays[] = {space->inside, space->rows,  space->best,   space->start, space->island,
                      space->first,  space->local, space->parent, space->begin, space->by_node,
                      space->p,      space->W,     space->u,      space->force, space->displacement};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    carom_cones_linear_release(&space->linear);
    free(space);
}

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for contacts");
}

// A new array of `count` items instead of the old one; false if memory is short.
static bool renew(void *array, int64_t count, size_t size) {
    void **at = array;
    free(*at);
    *at = carom_allocate(count, size);
    return *at != NULL;
}

static bool make_room(carom_cones_space *space, int count, int node_count) {
    if (count > space->row_capacity) {
        int64_t n = space->row_capacity = (int64_t)count + count / 2;
        if (!renew(&space->rows, n, sizeof *space->rows) || !renew(&space->best, n, sizeof *space->best) ||
            !renew(&space->start, n, sizeof *space->start) || !renew(&space->inside, n, sizeof *space->inside) ||
            !renew(&space->island, n, sizeof *space->island) || !renew(&space->first, n + 1, sizeof *space->first) ||
            !renew(&space->parent, 4 * n, sizeof *space->parent) || !renew(&space->begin, 4 * n + 2, sizeof *space->begin) ||
            !renew(&space->by_node, 4 * n, sizeof *space->by_node) || !renew(&space->p, 4 * n, sizeof *space->p)) {
            space->row_capacity = 0;
            return false;
        }
    }
    if (node_count > space->local_capacity) {
        space->local_capacity = (int64_t)node_count + node_count / 2;
        if (!renew(&space->local, space->local_capacity, sizeof *space->local)) {
            space->local_capacity = 0;
            return false;
        }
        for (int64_t k = 0; k < space->local_capacity; k++)
            space->local[k] = -1;
    }
    return true;
}

// ---- contacts as rows ----

// All but the answers of nodes.
static void take(const carom_cone *cone, int item, carom_cone_row *row) {
    *row = (carom_cone_row){.item = item, .count = cone->count, .friction = cone->friction, .softness = cone->softness};
    row->size = cone->friction > 0 ? 1 + cone->tangents : 1;
    for (int a = 0; a < row->size; a++) {
        memcpy(row->feel[a], a ? cone->D[a - 1] : cone->G, sizeof row->feel[a]);
        row->w[a] = a ? cone->slip[a - 1] : cone->gap;
        row->x[a] = a ? -cone->r[a - 1] : cone->lambda;
    }
}

static const double (*force_row(const carom_cone *cone, int a))[3] {
    return a ? cone->D[a - 1] : cone->F;
}

// C B^T of one node and row.
static void answer(const carom_cone *cone, int a, int k, carom_mobility mobility, double compliance, double move[3]) {
    carom_copy(force_row(cone, a)[k], move);
    const carom_restraint *restraint = carom_restraint_of(mobility.restraints, cone->node[k]);
    if (restraint)
        carom_restraint_project(restraint, move);
    for (int c = 0; c < 3; c++)
        move[c] *= compliance / mobility.mass[cone->node[k]];
}

static bool can_move(carom_mobility mobility, int node) {
    const carom_restraint *restraint = carom_restraint_of(mobility.restraints, node);
    return (!restraint || restraint->count < 3) && isfinite(mobility.mass[node]);
}

// ---- islands ----

static int root_of(int *parent, int i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

// Numbers the nodes and finds the islands; returns how many.
static int find_islands(carom_cones_space *space, const carom_cone *items, int count, carom_mobility mobility, int *nodes) {
    *nodes = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < items[i].count; k++)
            if (space->local[items[i].node[k]] < 0) {
                space->parent[*nodes] = *nodes;
                space->local[items[i].node[k]] = (*nodes)++;
            }

    // nodes that move join those of a contact
    for (int i = 0; i < count; i++) {
        int root = -1;
        for (int k = 0; k < items[i].count; k++) {
            if (!can_move(mobility, items[i].node[k]))
                continue;
            int other = root_of(space->parent, space->local[items[i].node[k]]);
            if (root < 0)
                root = other;
            else if (root < other)
                space->parent[other] = root;
            else
                root = space->parent[root] = other;
        }
        space->island[i] = root;
    }

    // numbered as they appear; what cannot move is alone
    int islands = 0;
    int *number = space->begin;
    for (int k = 0; k < *nodes; k++)
        number[k] = -1;
    for (int i = 0; i < count; i++) {
        int root = space->island[i] < 0 ? -1 : root_of(space->parent, space->island[i]);
        if (root < 0)
            space->island[i] = islands++;
        else
            space->island[i] = number[root] >= 0 ? number[root] : (number[root] = islands++);
    }
    return islands;
}

// Contacts island by island, and the contacts of every node.
static void sort_rows(carom_cones_space *space, const carom_cone *items, int count, int islands, int nodes,
                      carom_mobility mobility, double compliance) {
    memset(space->first, 0, (size_t)(islands + 1) * sizeof *space->first);
    for (int i = 0; i < count; i++)
        space->first[space->island[i] + 1]++;
    for (int k = 0; k < islands; k++)
        space->first[k + 1] += space->first[k];
    int *next = space->parent; // not needed any more; islands are no more than nodes and fixed contacts
    for (int k = 0; k < islands; k++)
        next[k] = space->first[k];
    memset(space->begin, 0, (size_t)(nodes + 2) * sizeof *space->begin);
    for (int i = 0; i < count; i++) {
        carom_cone_row *row = &space->rows[next[space->island[i]]++];
        take(&items[i], i, row);
        for (int k = 0; k < row->count; k++) {
            row->node[k] = space->local[items[i].node[k]];
            space->begin[row->node[k] + 2]++;
            for (int a = 0; a < row->size; a++)
                answer(&items[i], a, k, mobility, compliance, row->move[a][k]);
        }
    }
    for (int k = 0; k < nodes; k++)
        space->begin[k + 2] += space->begin[k + 1];
    for (int i = 0; i < count; i++)
        for (int k = 0; k < space->rows[i].count; k++)
            space->by_node[space->begin[space->rows[i].node[k] + 1]++] = i;
}

// ---- one island ----

// What the solution may lack.
typedef struct allowance {
    double normal, tangential;
} allowance;

// 1: as good as is asked for; below: better.
static double badness(carom_cone_lack lack, allowance allowed) {
    double normal = lack.normal / allowed.normal, tangential = lack.tangential / allowed.tangential;
    return isnan(normal) || normal > tangential ? normal : tangential;
}

static allowance allow(carom_cone_lack lack, double tolerance) {
    double floor = fmax(fmax(tolerance, 2 * lack.rounding), 1e-300);
    return (allowance){fmax(floor, 0.5 * relative * lack.gap), fmax(floor, 0.5 * relative * fmax(lack.gap, lack.slip))};
}

static void keep(const carom_cone_system *system, double (*to)[3]) {
    for (int i = 0; i < system->count; i++)
        carom_copy(system->rows[i].x, to[i]);
}

static void restore(carom_cone_system *system, const double (*from)[3]) {
    for (int i = 0; i < system->count; i++)
        carom_copy(from[i], system->rows[i].x);
}

// Whether the forces grow from `start` without effect, while that would give ever more work: no position satisfies all contacts. Names the
// contact that has grown most.
static bool grows_in_vain(carom_cone_system *system, const double (*start)[3], double (*now)[3], int *who) {
    double work = 0, size = 0, most = 0, least = 0, effect = 0;
    keep(system, now);
    for (int i = 0; i < system->count; i++) {
        carom_cone_row *row = &system->rows[i];
        for (int a = 0; a < 3; a++)
            row->x[a] -= start[i][a];
        work += row->w[0] * row->x[0];
        size += fabs(row->w[0] * row->x[0]);
        least = fmin(least, row->block[0][0] * row->x[0]);
        if (row->block[0][0] * row->x[0] > most) {
            most = row->block[0][0] * row->x[0];
            *who = i;
        }
    }
    carom_cone_system_refresh(system);
    for (int i = 0; i < system->count; i++) {
        double u[3];
        carom_cone_system_value(system, i, u);
        effect = fmax(effect, fabs(u[0] - system->rows[i].w[0]));
    }
    restore(system, (const double(*)[3])now);
    carom_cone_system_refresh(system);
    return most > 0 && least > -1e-6 * most && effect < 1e-6 * most && work < -1e-6 * size;
}

static carom_status squeezed(const carom_cone_system *system, int i, const carom_cone *items, carom_error *error) {
    return carom_fail(error, CAROM_NUMERICAL, "no position of the nodes satisfies all contacts: node %d cannot give way",
                      items[system->rows[i].item].node[0]);
}

// Newton's method from x; x is in the end the best that was found. True if it is good enough.
static carom_status finish(carom_cones_space *space, carom_cone_system *system, double tolerance, bool *done,
                           carom_cones_counts *counts, carom_error *error) {
    carom_cone_lack lack = carom_cone_system_lack(system);
    double best = badness(lack, allow(lack, tolerance)), before = best;
    *done = lack.normal <= lack.rounding && lack.tangential <= lack.rounding;
    keep(system, space->best);
    for (int step = 0, worse = 0; step < STEPS && worse < PATIENCE && !*done; step++) {
        carom_status status = carom_cones_newton_step(&space->linear, system, error);
        counts->factorisations++;
        if (status == CAROM_NO_MEMORY)
            return status;
        if (status)
            break;
        lack = carom_cone_system_lack(system);
        double now = badness(lack, allow(lack, tolerance));
        worse = now < best ? 0 : worse + 1;
        if (now < best) {
            best = now;
            keep(system, space->best);
        }
        // to rounding, or as far as it goes
        *done = (lack.normal <= lack.rounding && lack.tangential <= lack.rounding) || (best <= 1 && !(now < 0.25 * before));
        before = now;
    }
    *done = *done || best <= 1;
    restore(system, (const double(*)[3])space->best);
    carom_cone_system_project(system);
    carom_cone_system_refresh(system);
    return CAROM_OK;
}

// From the middle of the cones outwards; Newton's method is tried whenever the lack has become a hundredth of what it was then.
static carom_status approach(carom_cones_space *space, carom_cone_system *system, double tolerance, bool *done,
                             carom_cones_counts *counts, carom_error *error) {
    *done = false;
    carom_cones_interior_start(system, space->inside);
    carom_cone_system_refresh(system);
    double tried = 0.1, step = 1;
    for (int i = 0; i < ITERATIONS && !*done && step > shortest; i++) {
        carom_status status = carom_cones_interior_step(&space->linear, system, space->inside, &step, error);
        counts->factorisations++;
        if (status)
            return status;
        carom_cone_lack lack = carom_cone_system_lack(system);
        double now = fmax(lack.normal / lack.gap, lack.tangential / fmax(lack.gap, lack.slip));
        if (now < 0.01 * tried) {
            tried = now;
            keep(system, space->start);
            status = finish(space, system, tolerance, done, counts, error);
            if (status)
                return status;
            if (!*done) {
                restore(system, (const double(*)[3])space->start);
                carom_cone_system_refresh(system);
            }
        }
    }
    return CAROM_OK;
}

static carom_status solve_island(carom_cones_space *space, carom_cone_system *system, const carom_cone *items, double tolerance,
                                 carom_cones_counts *counts, carom_error *error) {
    carom_cone_system_project(system);
    carom_cone_system_refresh(system);
    for (int round = 0; round < ROUNDS; round++) {
        int sweeps = SWEEPS << round;
        bool still = false;
        double rounding = 0;
        for (int s = 0; s < sweeps && !still; s++) {
            still = carom_cone_system_sweep(system) <= rounding;
            counts->sweeps++;
            if (s == 0 || s == sweeps / 2)
                rounding = carom_cone_system_lack(system).rounding;
            if (s == sweeps / 2)
                keep(system, space->start);
        }
        int who = 0;
        if (!still && grows_in_vain(system, (const double(*)[3])space->start, space->best, &who))
            return squeezed(system, who, items, error);
        carom_cone_system_refresh(system);
        bool done;
        carom_status status = finish(space, system, tolerance, &done, counts, error);
        if (!status && !done)
            status = approach(space, system, tolerance, &done, counts, error);
        if (status == CAROM_NO_MEMORY || (!status && done))
            return status;
    }
    return carom_fail(error, CAROM_NUMERICAL, "the forces of %d contacts did not converge", system->count);
}

// What no iteration can mend: contacts that are not finite, or that nothing can open.
static carom_status examine(const carom_cone_system *system, const carom_cone *items, double tolerance, carom_error *error) {
    allowance allowed = allow(carom_cone_system_lack(system), tolerance);
    for (int i = 0; i < system->count; i++) {
        const carom_cone_row *row = &system->rows[i];
        double sum = 0;
        for (int a = 0; a < row->size; a++)
            sum += row->w[a] + row->x[a] + row->block[a][a];
        if (!isfinite(sum))
            return carom_fail(error, CAROM_NUMERICAL, "a contact of node %d is not finite", items[row->item].node[0]);
        if (row->stuck && row->w[0] < -allowed.normal)
            return squeezed(system, i, items, error);
    }
    return CAROM_OK;
}

static void give_back(const carom_cone_system *system, carom_cone *items) {
    for (int i = 0; i < system->count; i++) {
        const carom_cone_row *row = &system->rows[i];
        carom_cone *cone = &items[row->item];
        cone->lambda = row->x[0];
        for (int a = 0; a < 2; a++)
            cone->r[a] = a + 1 < row->size ? -row->x[a + 1] : 0;
    }
}

static carom_status solve_islands(carom_cones_space *space, carom_cone *items, int islands, carom_mobility mobility,
                                  double compliance, double tolerance, double (*p)[3], carom_cones_counts *counts,
                                  carom_error *error) {
    carom_status status = CAROM_OK;
    for (int k = 0; k < islands && !status; k++) {
        int first = space->first[k];
        carom_cone_system system = {.count = space->first[k + 1] - first, .rows = space->rows + first};
        system.p = space->p;
        system.begin = space->begin;
        system.by_node = space->by_node;
        system.offset = first;
        for (int i = 0; i < system.count; i++) {
            const carom_cone *cone = &items[system.rows[i].item];
            double softest = cone->softness;
            for (int n = 0; n < cone->count; n++)
                softest += compliance * carom_dot(cone->G[n], cone->G[n]) / mobility.mass[cone->node[n]];
            carom_cone_row_prepare(&system, i, softest);
        }
        counts->largest = system.count > counts->largest ? system.count : counts->largest;
        carom_cone_system_project(&system);
        carom_cone_system_refresh(&system);
        status = examine(&system, items, tolerance, error);
        if (!status)
            status = solve_island(space, &system, items, tolerance, counts, error);
        give_back(&system, items);
        for (int i = 0; i < system.count; i++)
            for (int n = 0; n < system.rows[i].count; n++)
                carom_copy(space->p[system.rows[i].node[n]], p[items[system.rows[i].item].node[n]]);
    }
    return status;
}

carom_status carom_cones_solve(carom_cones_space *space, carom_cone *items, int count, carom_mobility mobility,
                               double compliance, double tolerance, double (*p)[3], carom_cones_counts *counts,
                               carom_error *error) {
    int last = -1, nodes;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < items[i].count; k++)
            last = items[i].node[k] > last ? items[i].node[k] : last;
    if (!make_room(space, count, last + 1))
        return no_memory(error);
    int islands = find_islands(space, items, count, mobility, &nodes);
    sort_rows(space, items, count, islands, nodes, mobility, compliance);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < items[i].count; k++)
            space->local[items[i].node[k]] = -1;
    counts->islands = islands;
    counts->largest = 0;
    return solve_islands(space, items, islands, mobility, compliance, tolerance, p, counts, error);
}

// ---- coupled ----

static bool make_coupled_room(carom_cones_space *space, int count, int node_count) {
    int64_t n = 3 * (int64_t)count;
    if (n * n > space->W_capacity) {
        space->W_capacity = n * n + n * n / 2;
        if (!renew(&space->W, space->W_capacity, sizeof *space->W)) {
            space->W_capacity = 0;
            return false;
        }
    }
    if (count > space->u_capacity) {
        space->u_capacity = space->row_capacity;
        if (!renew(&space->u, space->u_capacity, sizeof *space->u)) {
            space->u_capacity = 0;
            return false;
        }
    }
    if (node_count > space->nodal_capacity) {
        space->nodal_capacity = node_count;
        if (!renew(&space->force, node_count, sizeof *space->force) ||
            !renew(&space->displacement, node_count, sizeof *space->displacement)) {
            space->nodal_capacity = 0;
            return false;
        }
    }
    return true;
}

// One column of W: all rows by a unit of force of row b of contact j.
static carom_status find_column(carom_cones_space *space, carom_cone_system *system, const carom_cone *items, int j, int b,
                                carom_cones_apply *apply, void *context, carom_error *error) {
    for (int k = 0; k < items[j].count; k++)
        carom_copy(force_row(&items[j], b)[k], space->force[items[j].node[k]]);
    carom_status status = apply(context, (const double(*)[3])space->force, space->displacement, error);
    for (int k = 0; k < items[j].count; k++)
        memset(space->force[items[j].node[k]], 0, sizeof *space->force);
    for (int i = 0; i < system->count && !status; i++)
        for (int a = 0; a < system->rows[i].size; a++) {
            double sum = i == j && a == 0 && b == 0 ? items[i].softness : 0;
            for (int k = 0; k < items[i].count; k++)
                sum += carom_dot(system->rows[i].feel[a][k], space->displacement[items[i].node[k]]);
            system->W[((int64_t)3 * i + a) * 3 * system->count + 3 * j + b] = sum;
        }
    return status;
}

carom_status carom_cones_solve_coupled(carom_cones_space *space, carom_cone *items, int count, int node_count,
                                       carom_cones_apply *apply, void *context, double tolerance, double (*p)[3],
                                       carom_cones_counts *counts, carom_error *error) {
    if (!make_room(space, count, 0) || !make_coupled_room(space, count, node_count))
        return no_memory(error);
    memset(space->force, 0, (size_t)node_count * sizeof *space->force);
    carom_cone_system system = {.count = count, .rows = space->rows, .W = space->W, .u = space->u};
    for (int i = 0; i < count; i++)
        take(&items[i], i, &space->rows[i]);
    for (int j = 0; j < count; j++)
        for (int b = 0; b < space->rows[j].size; b++) {
            carom_status status = find_column(space, &system, items, j, b, apply, context, error);
            if (status)
                return status;
        }
    double softest = 0;
    for (int i = 0; i < count; i++)
        softest = fmax(softest, space->W[((int64_t)3 * i) * 3 * count + 3 * i]);
    for (int i = 0; i < count; i++)
        carom_cone_row_prepare(&system, i, softest);
    counts->islands = count > 0;
    counts->largest = count;
    carom_cone_system_project(&system);
    carom_cone_system_refresh(&system);
    carom_status status = examine(&system, items, tolerance, error);
    if (!status && count)
        status = solve_island(space, &system, items, tolerance, counts, error);
    if (status)
        return status;
    give_back(&system, items);

    // all forces at once
    for (int i = 0; i < count; i++)
        for (int a = 0; a < space->rows[i].size; a++)
            for (int k = 0; k < items[i].count; k++)
                carom_add_scaled(space->rows[i].x[a], force_row(&items[i], a)[k], space->force[items[i].node[k]]);
    return apply(context, (const double(*)[3])space->force, p, error);
}
