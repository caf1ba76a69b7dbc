// SPDX-License-Identifier: MIT
// Solves contacts as constraints on positions (interface and notation: cones.h), island by island. Contacts with a common
// movable node are coupled and form an island. Immovable nodes do not couple contacts: bodies on a common floor are separate
// islands. Islands share no memory (an immovable node has a number in each of its islands), so that threads solve them in
// parallel, each in a fixed order, with the same bits for any number of threads. Large islands, which need a sparse
// factorisation, are solved one after another.
#include "contact/cones/cones.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/disjoint_sets.h"
#include "carom/threads.h"
#include "contact/cones/island.h"
#include "math/vec3.h"

// Least number of contacts for several threads: a single contact takes about 10 microseconds, as much as starting threads.
enum { SHARED_CONTACTS = 32 };

// Result of the solve of one island.
typedef struct island_result {
    carom_status status;
    carom_cones_counts counts;
    carom_error *error; // NULL if there is none
} island_result;

// Arrays that grow and are kept between solves.
struct carom_cones_space {
    // contacts, sorted by island
    carom_cone_row *rows;
    int *island;            // per item: its island
    int *first;             // per island: its first row; then the number of rows
    int *first_node;        // per island: its first node
    island_result *results; // per island
    int64_t row_capacity;

    // nodes of the contacts, with consecutive numbers in each island
    int *local; // per node of the caller: its number here; -1 between solves
    int64_t local_capacity;
    int *parent; // disjoint-set forest of the nodes
    int *begin, *by_node;
    double (*p)[3];
    int64_t node_capacity;

    // coupled problems only
    double *W;
    int64_t W_capacity;
    double (*u)[3];
    int64_t u_capacity;
    double (*force)[3], (*displacement)[3];
    int64_t nodal_capacity;

    carom_cones_scratch *scratches; // one for each thread
    int scratch_count;
};

carom_cones_space *carom_cones_create(void) {
    return carom_allocate(1, sizeof(carom_cones_space));
}

void carom_cones_release(carom_cones_space *space) {
    if (!space)
        return;
    void *arrays[] = {space->rows,  space->island, space->first, space->first_node,  space->results,
                      space->local, space->parent, space->begin, space->by_node,     space->p,
                      space->W,     space->u,      space->force, space->displacement};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    for (int t = 0; t < space->scratch_count; t++)
        carom_cones_scratch_release(&space->scratches[t]);
    free(space->scratches);
    free(space);
}

// Reserves memory for `count` contacts with up to four nodes each. Capacities become 0 after a failure, so that the
// next call allocates everything again.
static bool ensure_capacity(carom_cones_space *space, int count, int node_count) {
    int threads = carom_threads();
    if (threads > space->scratch_count) {
        carom_cones_scratch *more = carom_allocate(threads, sizeof *more);
        if (!more)
            return false;
        for (int t = 0; t < space->scratch_count; t++)
            more[t] = space->scratches[t];
        free(space->scratches);
        space->scratches = more;
        space->scratch_count = threads;
    }
    if (!carom_cones_scratch_reserve(&space->scratches[0], count))
        return false;
    if (count > space->row_capacity) {
        int64_t n = space->row_capacity = (int64_t)count + count / 2;
        if (!carom_renew(&space->rows, n, sizeof *space->rows) || !carom_renew(&space->island, n, sizeof *space->island) ||
            !carom_renew(&space->first, n + 1, sizeof *space->first) ||
            !carom_renew(&space->first_node, n + 1, sizeof *space->first_node) ||
            !carom_renew(&space->results, n, sizeof *space->results) ||
            !carom_renew(&space->parent, 4 * n, sizeof *space->parent) ||
            !carom_renew(&space->begin, 4 * n + 2, sizeof *space->begin) ||
            !carom_renew(&space->by_node, 4 * n, sizeof *space->by_node) || !carom_renew(&space->p, 4 * n, sizeof *space->p)) {
            space->row_capacity = 0;
            return false;
        }
    }
    int64_t known = space->local_capacity;
    if (!carom_ensure_capacity(&space->local, &space->local_capacity, node_count, sizeof *space->local))
        return false;
    // no node has a number before and after a solve
    for (int64_t k = 0; k < space->local_capacity && space->local_capacity != known; k++)
        space->local[k] = -1;
    return true;
}

// Copies a contact to a row of the system, with x = (lambda, -r), except for the responses of nodes. Without friction
// only the normal row is kept.
static void to_row(const carom_cone *cone, int item, carom_cone_row *row) {
    *row = (carom_cone_row){
        .item = item, .node_id = cone->node[0], .count = cone->count, .friction = cone->friction, .softness = cone->softness};
    row->size = cone->friction > 0 ? 1 + cone->tangents : 1;
    for (int a = 0; a < row->size; a++) {
        memcpy(row->constraint[a], a ? cone->D[a - 1] : cone->G, sizeof row->constraint[a]);
        row->w[a] = a ? cone->slip[a - 1] : cone->gap;
        row->x[a] = a ? -cone->r[a - 1] : cone->lambda;
    }
}

// Row a of B: the nodal forces of a unit of x[a].
static const double (*force_row(const carom_cone *cone, int a))[3] {
    return a ? cone->D[a - 1] : cone->F;
}

// Row a of C B^T at one node: the displacement by the force of a unit of x[a].
static void response_of(const carom_cone *cone, int a, int k, carom_mobility mobility, double compliance, double response[3]) {
    carom_copy(force_row(cone, a)[k], response);
    carom_restraints_project(mobility.restraints, cone->node[k], response);
    for (int c = 0; c < 3; c++)
        response[c] *= compliance / mobility.mass[cone->node[k]];
}

// A node with three restrained directions or infinite mass does not respond to forces.
static bool can_move(carom_mobility mobility, int node) {
    const carom_restraint *restraint = carom_restraint_of(mobility.restraints, node);
    return (!restraint || restraint->count < 3) && isfinite(mobility.mass[node]);
}

// Finds the islands; returns their number.
static int find_islands(carom_cones_space *space, const carom_cone *items, int count, carom_mobility mobility) {
    int nodes = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < items[i].count; k++)
            if (space->local[items[i].node[k]] < 0) {
                space->parent[nodes] = nodes;
                space->local[items[i].node[k]] = nodes++;
            }

    for (int i = 0; i < count; i++) {
        // unite all movable nodes of a contact; the smaller index becomes the root, so that islands do not
        // depend on the order of unions
        int root = -1;
        for (int k = 0; k < items[i].count; k++) {
            if (!can_move(mobility, items[i].node[k]))
                continue;
            int other = carom_disjoint_find(space->parent, space->local[items[i].node[k]]);
            root = root < 0 ? other : carom_disjoint_join(space->parent, root, other);
        }
        space->island[i] = root;
    }

    // islands are numbered in the order of their first contact; a contact without movable nodes is an
    // island of its own
    int islands = 0;
    // used as scratch; number_nodes sets it later
    int *number = space->begin;
    for (int k = 0; k < nodes; k++)
        number[k] = -1;
    for (int i = 0; i < count; i++) {
        int root = space->island[i] < 0 ? -1 : carom_disjoint_find(space->parent, space->island[i]);
        if (root < 0)
            space->island[i] = islands++;
        else
            space->island[i] = number[root] >= 0 ? number[root] : (number[root] = islands++);
    }
    return islands;
}

// Sorts the contacts by island (counting sort, stable).
static void sort_rows(carom_cones_space *space, const carom_cone *items, int count, int islands, carom_mobility mobility,
                      double compliance) {
    memset(space->first, 0, (size_t)(islands + 1) * sizeof *space->first);
    for (int i = 0; i < count; i++)
        space->first[space->island[i] + 1]++;
    for (int k = 0; k < islands; k++)
        space->first[k + 1] += space->first[k];
    int *next = space->parent; // scratch: no longer used, and large enough for all islands
    for (int k = 0; k < islands; k++)
        next[k] = space->first[k];
    for (int i = 0; i < count; i++) {
        carom_cone_row *row = &space->rows[next[space->island[i]]++];
        to_row(&items[i], i, row);
        for (int k = 0; k < row->count; k++)
            for (int a = 0; a < row->size; a++)
                response_of(&items[i], a, k, mobility, compliance, row->response[a][k]);
    }
}

// Numbers the nodes island by island, and lists the contacts of each node in compressed rows. Resets `local` to -1.
static void number_nodes(carom_cones_space *space, const carom_cone *items, int count, int islands) {
    int nodes = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < items[i].count; k++)
            space->local[items[i].node[k]] = -1;
    for (int s = 0; s < islands; s++) {
        space->first_node[s] = nodes;
        for (int i = space->first[s]; i < space->first[s + 1]; i++)
            for (int k = 0; k < space->rows[i].count; k++) {
                int *local = &space->local[items[space->rows[i].item].node[k]];
                // a smaller number belongs to another island with the same immovable node
                if (*local < space->first_node[s])
                    *local = nodes++;
                space->rows[i].node[k] = *local;
            }
    }
    space->first_node[islands] = nodes;
    memset(space->begin, 0, (size_t)(nodes + 2) * sizeof *space->begin);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < space->rows[i].count; k++)
            // counts are stored two places ahead: filling the rows then shifts each begin to its place
            space->begin[space->rows[i].node[k] + 2]++;
    for (int k = 0; k < nodes; k++)
        space->begin[k + 2] += space->begin[k + 1];
    for (int s = 0; s < islands; s++)
        for (int i = space->first[s]; i < space->first[s + 1]; i++)
            for (int k = 0; k < space->rows[i].count; k++) {
                space->by_node[space->begin[space->rows[i].node[k] + 1]++] = i;
                // number within the island
                space->rows[i].node[k] -= space->first_node[s];
            }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < items[i].count; k++)
            space->local[items[i].node[k]] = -1;
}

// Copies the forces to the contacts of the caller: r = -x_t.
static void copy_forces(const carom_cone_system *system, carom_cone *items) {
    for (int i = 0; i < system->count; i++) {
        const carom_cone_row *row = &system->rows[i];
        carom_cone *cone = &items[row->item];
        cone->lambda = row->x[0];
        for (int a = 0; a < 2; a++)
            cone->r[a] = a + 1 < row->size ? -row->x[a + 1] : 0;
    }
}

// Island k as a system of its own.
static carom_cone_system system_of(const carom_cones_space *space, int k) {
    int first = space->first[k], node = space->first_node[k];
    return (carom_cone_system){.count = space->first[k + 1] - first,
                               .rows = space->rows + first,
                               .p = space->p + node,
                               .begin = space->begin + node,
                               .by_node = space->by_node,
                               .offset = first};
}

// Solves island k; the message of a failure is stored with its result.
static void solve_island(carom_cones_space *space, carom_cones_scratch *scratch, carom_cone *items, int k,
                         carom_mobility mobility, double compliance, double tolerance) {
    carom_cone_system system = system_of(space, k);
    island_result *result = &space->results[k];
    carom_error error = {0};
    *result = (island_result){0};
    for (int i = 0; i < system.count; i++) {
        const carom_cone *cone = &items[system.rows[i].item];
        // the compliance without restraints: the scale to decide whether restraints leave any mobility
        double softest = cone->softness;
        for (int n = 0; n < cone->count; n++)
            if (can_move(mobility, cone->node[n]))
                softest += compliance * carom_dot(cone->G[n], cone->G[n]) / mobility.mass[cone->node[n]];
        carom_cone_row_prepare(&system, i, softest);
    }
    if (carom_cones_scratch_reserve(scratch, system.count))
        result->status = carom_cones_island_solve(scratch, &system, tolerance, &result->counts, &error);
    else
        result->status = carom_no_memory(&error, "contacts");
    if (result->status && (result->error = carom_allocate(1, sizeof error)))
        *result->error = error;
    copy_forces(&system, items);
}

// Adds up the counts of the islands in order, up to the first that failed, and copies p at their nodes to the caller.
static carom_status collect(carom_cones_space *space, const carom_cone *items, int islands, double (*p)[3],
                            carom_cones_counts *counts, carom_error *error) {
    carom_status status = CAROM_OK;
    for (int k = 0; k < islands; k++) {
        island_result *result = &space->results[k];
        carom_cone_system system = system_of(space, k);
        if (!status) {
            counts->largest = system.count > counts->largest ? system.count : counts->largest;
            counts->sweeps += result->counts.sweeps;
            counts->factorisations += result->counts.factorisations;
            counts->loose += result->counts.loose;
            status = result->status;
            counts->stuck = result->counts.stuck;
            if (status)
                carom_fail(error, status, "%s", result->error ? result->error->message : "no memory for contacts");
        }
        free(result->error);
        for (int i = 0; i < system.count; i++)
            for (int n = 0; n < system.rows[i].count; n++)
                carom_copy(system.p[system.rows[i].node[n]], p[items[system.rows[i].item].node[n]]);
    }
    return status;
}

// Solves the islands: large ones in order, since a sparse solver belongs to one thread, then the others.
static carom_status solve_islands(carom_cones_space *space, carom_cone *items, int islands, carom_mobility mobility,
                                  double compliance, double tolerance, double (*p)[3], carom_cones_counts *counts,
                                  carom_error *error) {
    int shared = 0;
    for (int k = 0; k < islands; k++) {
        carom_cone_system system = system_of(space, k);
        if (carom_cones_linear_is_large(&system))
            solve_island(space, &space->scratches[0], items, k, mobility, compliance, tolerance);
        else
            shared += system.count;
    }
    int taken = 0;
#pragma omp parallel if (shared > SHARED_CONTACTS && islands > 1)
    {
        int own;
#pragma omp atomic capture
        own = taken++;
#pragma omp for schedule(dynamic)
        for (int k = 0; k < islands; k++) {
            carom_cone_system system = system_of(space, k);
            if (!carom_cones_linear_is_large(&system))
                solve_island(space, &space->scratches[own], items, k, mobility, compliance, tolerance);
        }
    }
    return collect(space, items, islands, p, counts, error);
}

// Finds the islands, numbers their nodes, and solves them.
carom_status carom_cones_solve(carom_cones_space *space, carom_cone *items, int count, carom_mobility mobility,
                               double compliance, double tolerance, double (*p)[3], carom_cones_counts *counts,
                               carom_error *error) {
    int last = -1;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < items[i].count; k++)
            last = items[i].node[k] > last ? items[i].node[k] : last;
    if (!ensure_capacity(space, count, last + 1))
        return carom_no_memory(error, "contacts");
    int islands = find_islands(space, items, count, mobility);
    sort_rows(space, items, count, islands, mobility, compliance);
    number_nodes(space, items, count, islands);
    counts->islands = islands;
    counts->largest = 0;
    return solve_islands(space, items, islands, mobility, compliance, tolerance, p, counts, error);
}

// Reserves memory for the dense matrix and nodal vectors.
static bool reserve_coupled(carom_cones_space *space, int count, int node_count) {
    int64_t n = 3 * (int64_t)count;
    if (!carom_ensure_capacity(&space->W, &space->W_capacity, n * n, sizeof *space->W) ||
        !carom_ensure_capacity(&space->u, &space->u_capacity, count, sizeof *space->u))
        return false;
    if (node_count > space->nodal_capacity) {
        space->nodal_capacity = node_count;
        if (!carom_renew(&space->force, node_count, sizeof *space->force) ||
            !carom_renew(&space->displacement, node_count, sizeof *space->displacement)) {
            space->nodal_capacity = 0;
            return false;
        }
    }
    return true;
}

// One column of W: the values of all rows under a unit force of row b of contact j.
static carom_status find_column(carom_cones_space *space, carom_cone_system *system, const carom_cone *items, int j, int b,
                                carom_cones_answer answer, carom_error *error) {
    for (int k = 0; k < items[j].count; k++)
        carom_copy(force_row(&items[j], b)[k], space->force[items[j].node[k]]);
    carom_status status = answer.apply(answer.context, (carom_const_vectors)space->force, space->displacement, error);
    for (int k = 0; k < items[j].count; k++)
        memset(space->force[items[j].node[k]], 0, sizeof *space->force);
    for (int i = 0; i < system->count && !status; i++)
        for (int a = 0; a < system->rows[i].size; a++) {
            double sum = i == j && a == 0 && b == 0 ? items[i].softness : 0;
            for (int k = 0; k < items[i].count; k++)
                sum += carom_dot(system->rows[i].constraint[a][k], space->displacement[items[i].node[k]]);
            system->W[((int64_t)3 * i + a) * 3 * system->count + 3 * j + b] = sum;
        }
    return status;
}

// All contacts form one island; W is assembled column by column.
carom_status carom_cones_solve_coupled(carom_cones_space *space, carom_cone *items, int count, int node_count,
                                       carom_cones_answer answer, double tolerance, double (*p)[3], carom_cones_counts *counts,
                                       carom_error *error) {
    if (!ensure_capacity(space, count, 0) || !reserve_coupled(space, count, node_count))
        return carom_no_memory(error, "contacts");
    memset(space->force, 0, (size_t)node_count * sizeof *space->force);
    carom_cone_system system = {.count = count, .rows = space->rows, .W = space->W, .u = space->u};
    for (int i = 0; i < count; i++)
        to_row(&items[i], i, &space->rows[i]);
    for (int j = 0; j < count; j++)
        for (int b = 0; b < space->rows[j].size; b++) {
            carom_status status = find_column(space, &system, items, j, b, answer, error);
            if (status)
                return status;
        }
    // all contacts are coupled: the most compliant one is the scale
    double softest = 0;
    for (int i = 0; i < count; i++)
        softest = fmax(softest, space->W[((int64_t)3 * i) * 3 * count + 3 * i]);
    for (int i = 0; i < count; i++)
        carom_cone_row_prepare(&system, i, softest);
    counts->islands = count > 0;
    counts->largest = count;
    carom_status status = count ? carom_cones_island_solve(&space->scratches[0], &system, tolerance, counts, error) : CAROM_OK;
    if (status)
        return status;
    copy_forces(&system, items);

    // one application with all forces gives p
    for (int i = 0; i < count; i++)
        for (int a = 0; a < space->rows[i].size; a++)
            for (int k = 0; k < items[i].count; k++)
                carom_add_scaled(space->rows[i].x[a], force_row(&items[i], a)[k], space->force[items[i].node[k]]);
    return answer.apply(answer.context, (carom_const_vectors)space->force, p, error);
}
