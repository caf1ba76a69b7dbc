// SPDX-License-Identifier: MIT
// Finds the islands of contacts and colours the contacts of each (islands.h). Disjoint sets of movable nodes give the islands;
// contacts are then sorted by island and colour.
#include "contact/impact/islands.h"

#include <string.h>

#include "base/disjoint_sets.h"
#include "parallel/parallel.h"

enum {
    // Number of contacts above which threads share loops over contacts.
    SHARED_CONTACTS = 4096
};

void carom_islands_release(carom_islands *islands) {
    carom_arena_release(islands->of_contacts);
    carom_arena_release(islands->of_nodes);
    *islands = (carom_islands){0};
}

// Reserves the arrays per contact. An island has at most as many colours as contacts, and one more entry for their end.
static bool reserve_contacts(carom_islands *islands, int64_t count) {
    if (count <= islands->contact_capacity)
        return true;
    int64_t capacity = count + count / 2;
    int **const arrays[] = {&islands->begin,  &islands->order,  &islands->first,     &islands->colours,
                            &islands->island, &islands->colour, &islands->by_colour, &islands->owner};
    bool enough = carom_arena_renew(&islands->of_contacts);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = carom_arena_reserve(islands->of_contacts, 2 * capacity + 2, sizeof **arrays[i], &enough);
    islands->movers = carom_arena_reserve(islands->of_contacts, capacity, sizeof *islands->movers, &enough);
    islands->rubbed = carom_arena_reserve(islands->of_contacts, capacity, sizeof *islands->rubbed, &enough);
    islands->load = carom_arena_reserve(islands->of_contacts, carom_parallel_size(), sizeof *islands->load, &enough);
    islands->noted = 0;
    islands->contact_capacity = enough ? capacity : 0;
    return enough;
}

static bool reserve_nodes(carom_islands *islands, int64_t count) {
    if (count <= islands->node_capacity)
        return true;
    int64_t capacity = count + count / 2;
    bool enough = carom_arena_renew(&islands->of_nodes);
    islands->parent = carom_arena_reserve(islands->of_nodes, capacity, sizeof *islands->parent, &enough);
    islands->number = carom_arena_reserve(islands->of_nodes, capacity, sizeof *islands->number, &enough);
    islands->taken = carom_arena_reserve(islands->of_nodes, capacity, sizeof *islands->taken, &enough);
    islands->node_capacity = enough ? capacity : 0;
    return enough;
}

// The representative of the k-th node of a contact: itself, or the centre of its rigid body, or of the first body of its
// linkage; -1 if it does not move.
static int mover_of(const carom_solved_contact *one, const carom_rigid_bodies *rigid_bodies, int k) {
    const carom_contact *contact = &one->contact;
    if (carom_contact_has_rigid_node(contact, k)) {
        int centre = carom_contact_rigid_centre(contact, k);
        const carom_contact_side *side = &contact->side[contact->side[0].centre != centre];
        const int *linked;
        if (!rigid_bodies)
            return centre;
        carom_linkage_bodies(rigid_bodies, side->turn - rigid_bodies->first_row, &linked);
        return rigid_bodies->items[linked[0]].centre;
    }
    return carom_solved_contact_moves(one, k) ? contact->node[k] : -1;
}

// Copies the representatives of all contacts. In parallel, as other cores have written the contacts and one thread would wait
// for all of them. Returns the largest representative, or -1 if none has changed.
static int note_movers(carom_islands *islands, const carom_contact_solve *solve, const carom_rigid_bodies *rigid_bodies) {
    int last = 0;
    bool changed = solve->count == 0 || islands->noted != solve->count;
#pragma omp parallel for schedule(static) reduction(max : last) reduction(|| : changed) if (solve->count > SHARED_CONTACTS)
    for (int i = 0; i < solve->count; i++) {
        int movers[4] = {-1, -1, -1, -1}, count = 0;
        for (int k = 0; k < solve->items[i].contact.count; k++) {
            int mover = mover_of(&solve->items[i], rigid_bodies, k);
            if (mover < 0)
                continue;
            movers[count++] = mover;
            last = mover > last ? mover : last;
        }
        if (memcmp(islands->movers[i], movers, sizeof movers) == 0)
            continue;
        changed = true;
        memcpy(islands->movers[i], movers, sizeof movers);
    }
    return changed ? last : -1;
}

// Joins the movable nodes of each contact.
static void join_nodes(carom_islands *islands, int count) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 4 && islands->movers[i][k] >= 0; k++) {
            int node = islands->movers[i][k];
            islands->parent[node] = node;
            islands->number[node] = -1;
            islands->taken[node] = 0;
        }
    for (int i = 0; i < count; i++) {
        int root = -1;
        for (int k = 0; k < 4 && islands->movers[i][k] >= 0; k++) {
            int other = carom_disjoint_find(islands->parent, islands->movers[i][k]);
            root = root < 0 || root == other ? other : carom_disjoint_join(islands->parent, root, other);
        }
    }
}

// Gives each contact its island and its colour.
static void number_contacts(carom_islands *islands, int count) {
    islands->count = 0;
    for (int i = 0; i < count; i++) {
        const int *movers = islands->movers[i];
        uint64_t taken = 0;
        for (int k = 0; k < 4 && movers[k] >= 0; k++)
            taken |= islands->taken[movers[k]];
        // the lowest bit that is not set
        int colour = ~taken ? __builtin_ctzll(~taken) : CAROM_COLOURS;
        islands->colour[i] = colour;
        for (int k = 0; k < 4 && movers[k] >= 0 && colour < CAROM_COLOURS; k++)
            islands->taken[movers[k]] |= UINT64_C(1) << colour;
        // a contact without movable nodes is an island of its own
        int none = -1, *number = movers[0] < 0 ? &none : &islands->number[carom_disjoint_find(islands->parent, movers[0])];
        if (*number < 0)
            *number = islands->count++;
        islands->island[i] = *number;
    }
}

// A stable counting sort of contacts by a key below `keys`, in the order of `from`, or of the list (NULL). Contacts with key k
// are then to[begin[k]] to before to[begin[k + 1]].
static void sort_by(const int *key, int count, int keys, const int *from, int *begin, int *to) {
    memset(begin, 0, ((size_t)keys + 1) * sizeof *begin);
    for (int i = 0; i < count; i++)
        begin[key[i] + 1]++;
    for (int k = 0; k < keys; k++)
        begin[k + 1] += begin[k];
    for (int i = 0; i < count; i++) {
        int contact = from ? from[i] : i;
        to[begin[key[contact]]++] = contact;
    }
    memmove(begin + 1, begin, (size_t)keys * sizeof *begin);
    begin[0] = 0;
}

// Sorts contacts by island, then by colour, then by number: two stable passes, the less significant key first.
static void sort_contacts(carom_islands *islands, int count) {
    int places[CAROM_COLOURS + 2];
    sort_by(islands->colour, count, CAROM_COLOURS + 1, NULL, places, islands->by_colour);
    sort_by(islands->island, count, islands->count, islands->by_colour, islands->begin, islands->order);
}

// Finds the beginnings of the colours of each island. The colours of an island are consecutive: each contact gets the smallest
// free one.
static void find_colours(carom_islands *islands) {
    int used = 0;
    for (int i = 0; i < islands->count; i++) {
        int last = -1;
        islands->first[i] = used;
        for (int p = islands->begin[i]; p < islands->begin[i + 1]; p++)
            if (islands->colour[islands->order[p]] != last) {
                last = islands->colour[islands->order[p]];
                islands->colours[used++] = p - islands->begin[i];
            }
        if (last < CAROM_COLOURS)
            islands->colours[used++] = islands->begin[i + 1] - islands->begin[i];
    }
    islands->first[islands->count] = used;
}

bool carom_islands_find(carom_islands *islands, const carom_contact_solve *solve, const carom_rigid_bodies *rigid_bodies) {
    if (!reserve_contacts(islands, solve->count))
        return false;
    int last = note_movers(islands, solve, rigid_bodies);
    if (last < 0)
        return true;
    islands->noted = 0;
    if (!reserve_nodes(islands, (int64_t)last + 1))
        return false;
    join_nodes(islands, solve->count);
    number_contacts(islands, solve->count);
    sort_contacts(islands, solve->count);
    find_colours(islands);
    islands->noted = solve->count;
    return true;
}

carom_solve_group carom_islands_group(const carom_islands *islands, int i, bool shared) {
    return (carom_solve_group){
        .order = islands->order + islands->begin[i],
        .first = islands->begin[i],
        .count = islands->begin[i + 1] - islands->begin[i],
        .colours = islands->colours + islands->first[i],
        .colour_count = islands->first[i + 1] - islands->first[i] - 1,
        .shared = shared,
    };
}
