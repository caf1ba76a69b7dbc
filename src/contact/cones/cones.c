// SPDX-License-Identifier: MIT
// Contacts are sorted into islands, which do not feel each other. Nodes that cannot move join nothing.
#include "contact/cones/cones.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/cones/island.h"
#include "math/vec3.h"

struct carom_cones_space {
    // contacts, by islands
    carom_cone_row *rows;
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

    carom_cones_scratch scratch;
};

carom_cones_space *carom_cones_create(void) {
    return carom_allocate(1, sizeof(carom_cones_space));
}

void carom_cones_release(carom_cones_space *space) {
    if (!space)
        return;
    void *arrays[] = {space->rows,    space->island, space->first, space->local, space->parent, space->begin,
                      space->by_node, space->p,      space->W,     space->u,     space->force,  space->displacement};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    carom_cones_scratch_release(&space->scratch);
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
    if (!carom_cones_scratch_make_room(&space->scratch, count))
        return false;
    if (count > space->row_capacity) {
        int64_t n = space->row_capacity = (int64_t)count + count / 2;
        if (!renew(&space->rows, n, sizeof *space->rows) || !renew(&space->island, n, sizeof *space->island) ||
            !renew(&space->first, n + 1, sizeof *space->first) || !renew(&space->parent, 4 * n, sizeof *space->parent) ||
            !renew(&space->begin, 4 * n + 2, sizeof *space->begin) || !renew(&space->by_node, 4 * n, sizeof *space->by_node) ||
            !renew(&space->p, 4 * n, sizeof *space->p)) {
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
    *row = (carom_cone_row){
        .item = item, .known_as = cone->node[0], .count = cone->count, .friction = cone->friction, .softness = cone->softness};
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
        status = carom_cones_island_solve(&space->scratch, &system, tolerance, counts, error);
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
                                carom_cones_apply apply, void *context, carom_error *error) {
    for (int k = 0; k < items[j].count; k++)
        carom_copy(force_row(&items[j], b)[k], space->force[items[j].node[k]]);
    carom_status status = apply(context, (carom_const_vectors)space->force, space->displacement, error);
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
                                       carom_cones_apply apply, void *context, double tolerance, double (*p)[3],
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
    carom_status status = count ? carom_cones_island_solve(&space->scratch, &system, tolerance, counts, error) : CAROM_OK;
    if (status)
        return status;
    give_back(&system, items);

    // all forces at once
    for (int i = 0; i < count; i++)
        for (int a = 0; a < space->rows[i].size; a++)
            for (int k = 0; k < items[i].count; k++)
                carom_add_scaled(space->rows[i].x[a], force_row(&items[i], a)[k], space->force[items[i].node[k]]);
    return apply(context, (carom_const_vectors)space->force, p, error);
}
