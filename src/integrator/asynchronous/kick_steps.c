// SPDX-License-Identifier: MIT
// Stable steps of elements. An element alone, with the masses m_ek of its nodes k, is stable up to c_e = 2/omega(K_e, m_e). For
// any other division of the nodal masses, sum_e mu_ek = sum_e m_ek with mu > 0, omega(K, M) <= max_e omega(K_e, mu_e) holds
// too, and
//     2/omega(K_e, mu_e) >= c_e sqrt(min_k mu_ek/m_ek).
// A thin element between thick ones vibrates with their masses, far slower than alone. So elements with long steps lend mass,
// at most the fraction `max_lent_fraction` of their mass at a node, to elements whose steps are shorter at least by the factor
// `lending_step_ratio`:
//     offer    the mass that can be lent at a node is offered to the elements with short steps in proportion to their stiffness
//              m_ek/c_e^2
//     gain     an element uses the smallest of the offers at its nodes, relative to its own masses
//     loan     it takes that much from the lenders, in proportion to their masses at the node
// Elements among similar neighbours neither lend nor borrow: they keep the step c_e. So do elements that reach beyond their
// cells, to which no masses are assigned here.
//
// Steps below the stable ones are not sufficient: kicks can resonate. Suppose a node of mass m vibrates with frequency w, and
// another element, of stiffness k, kicks it at intervals h. The trace of the map over h becomes 2 cos wh - (k h/(m w)) sin wh.
// It leaves [-2, 2] near all wh = j pi, where the vibration grows as exp(k h/(2 j pi m)) per unit of time. Nodes of an element
// vibrate no faster than 2/c_e, and faster vibrations of nodes outside hardly move them. So no element kicks at intervals
// longer than `neighbour_step_ratio` < pi/2 times the stable step of a neighbour, an element that shares a node.
#include "integrator/asynchronous/kicks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "element/body_step.h"
#include "math/vec3.h"

// Lending half of its mass shortens the step of a lender by sqrt(1 - 0.5), to 0.7 of it.
static const double max_lent_fraction = 0.5;

// Steps within a factor of two count as similar, so that nothing is lent in meshes with ordinary grading.
static const double lending_step_ratio = 2;

// The first resonance is at pi/2; 1 leaves a margin.
static const double neighbour_step_ratio = 1;

// Ends are the nodes of all elements, one element after the other.
typedef struct division {
    int end_count;
    int *nodes, *owner; // per end
    double *mass;       // per end: mass of the element at the node; 0 if it neither lends nor borrows
    double *offer;      // per end: mass that is offered to the element there
    double *given;      // per end: mass that the element lends there
    int *first, *ends;  // per node: its ends are ends[first[k]] ... ends[first[k + 1] - 1]
    double *step;       // per element: stable step, at first of the element alone
    double *gain;       // per element: masses with loans over its own masses
} division;

// Allocates the arrays; false if memory is short.
static bool reserve(division *d, const carom_model *model, carom_arena *arena) {
    int n = d->end_count = model->element_node_count;
    bool enough = arena;
    d->nodes = carom_arena_reserve(arena, n, sizeof *d->nodes, &enough);
    d->owner = carom_arena_reserve(arena, n, sizeof *d->owner, &enough);
    d->mass = carom_arena_reserve(arena, n, sizeof *d->mass, &enough);
    d->offer = carom_arena_reserve(arena, n, sizeof *d->offer, &enough);
    d->given = carom_arena_reserve(arena, n, sizeof *d->given, &enough);
    d->ends = carom_arena_reserve(arena, n, sizeof *d->ends, &enough);
    d->first = carom_arena_reserve(arena, (int64_t)model->node_count + 1, sizeof *d->first, &enough);
    d->gain = carom_arena_reserve(arena, model->element_count, sizeof *d->gain, &enough);
    // the result, owned by the caller
    d->step = carom_allocate(model->element_count, sizeof *d->step);
    return enough && d->step;
}

// The nodal masses of the elements of one block, from end `at` on, found by preparing a block of one element for each. `all` is
// scratch, zero for all nodes.
static bool find_masses(const carom_model *model, const carom_block *block, int at, double *all, division *d) {
    int n = block->node_count;
    carom_block one = *block;
    one.count = 1;
    one.ids = NULL;
    one.cells = NULL;
    one.data = carom_allocate(carom_lanes_size(1, block->data_size), sizeof *one.data);
    bool done = one.data != NULL;
    for (int e = 0; e < block->count && done; e++, at += n) {
        one.nodes = &block->nodes[(int64_t)e * n];
        done = !block->element->prepare(&one, (carom_const_vectors)model->X, all, NULL);
        for (int a = 0; a < n; a++)
            d->mass[at + a] = all[one.nodes[a]];
        for (int a = 0; a < n; a++)
            all[one.nodes[a]] = 0;
    }
    free(one.data);
    return done;
}

// Finds steps and masses, and lists the ends of each node.
static bool collect_ends(const carom_model *model, division *d) {
    const double(*X)[3] = (carom_const_vectors)model->X;
    double *all = carom_allocate(model->node_count, sizeof *all);
    bool done = all != NULL;
    for (int b = 0, e0 = 0, at = 0; b < model->block_count && done; b++) {
        const carom_block *block = &model->blocks[b];
        int ends = block->count * block->node_count;
        carom_block_stable_steps(block, X, &d->step[e0]);
        memcpy(&d->nodes[at], block->nodes, (size_t)ends * sizeof *d->nodes);
        for (int i = 0; i < ends; i++)
            d->owner[at + i] = e0 + i / block->node_count;
        done = block->element->arrange || find_masses(model, block, at, all, d);
        e0 += block->count;
        at += ends;
    }
    free(all);

    // counting sort of the ends by node
    for (int i = 0; i < d->end_count; i++)
        d->first[d->nodes[i] + 1]++;
    for (int k = 0; k < model->node_count; k++)
        d->first[k + 1] += d->first[k];
    for (int i = d->end_count - 1; i >= 0; i--)
        d->ends[--d->first[d->nodes[i] + 1]] = i;
    memmove(d->first, d->first + 1, (size_t)model->node_count * sizeof *d->first);
    d->first[model->node_count] = d->end_count;
    return done;
}

// True if the element of end `lender` lends mass to that of end `borrower` at the same node.
static bool lends(const division *d, int lender, int borrower) {
    return d->mass[lender] > 0 && d->mass[borrower] > 0 &&
           d->step[d->owner[lender]] >= lending_step_ratio * d->step[d->owner[borrower]];
}

// The sum of the masses of all lenders to an end.
static double lender_mass(const division *d, int node, int borrower) {
    double sum = 0;
    for (int j = d->first[node]; j < d->first[node + 1]; j++)
        sum += lends(d, d->ends[j], borrower) ? d->mass[d->ends[j]] : 0;
    return sum;
}

// Stiffness of an end, m/c^2 up to a factor.
static double stiffness(const division *d, int end) {
    double step = d->step[d->owner[end]];
    return d->mass[end] / (step * step);
}

// Distributes the mass that can be lent at a node over the ends with short steps.
static void offer(division *d, int node) {
    double need = 0;
    for (int j = d->first[node]; j < d->first[node + 1]; j++) {
        int end = d->ends[j];
        d->offer[end] = max_lent_fraction * lender_mass(d, node, end);
        need += d->offer[end] > 0 ? stiffness(d, end) : 0;
    }
    for (int j = d->first[node]; j < d->first[node + 1]; j++)
        d->offer[d->ends[j]] *= d->offer[d->ends[j]] > 0 ? stiffness(d, d->ends[j]) / need : 0;
}

// Adds up the masses that lenders give at a node.
static void lend(division *d, int node) {
    for (int j = d->first[node]; j < d->first[node + 1]; j++) {
        int borrower = d->ends[j];
        double loan = (d->gain[d->owner[borrower]] - 1) * d->mass[borrower],
               sum = loan > 0 ? lender_mass(d, node, borrower) : 0;
        for (int i = d->first[node]; i < d->first[node + 1] && sum > 0; i++)
            if (lends(d, d->ends[i], borrower))
                d->given[d->ends[i]] += loan * d->mass[d->ends[i]] / sum;
    }
}

// Divides the masses: lengthens the steps of borrowers and shortens those of lenders. `mass`, per end, receives the result.
static void divide(const carom_model *model, division *d, double *mass) {
    for (int e = 0; e < model->element_count; e++)
        d->gain[e] = HUGE_VAL;
    for (int k = 0; k < model->node_count; k++)
        offer(d, k);
    for (int i = 0; i < d->end_count; i++) {
        double *gain = &d->gain[d->owner[i]];
        *gain = fmin(*gain, d->offer[i] > 0 ? 1 + d->offer[i] / d->mass[i] : 1);
    }
    for (int k = 0; k < model->node_count; k++)
        lend(d, k);
    for (int i = 0, e = 0; i < d->end_count; e++) {
        double least = HUGE_VAL;
        for (; i < d->end_count && d->owner[i] == e; i++) {
            if (mass)
                mass[i] = d->gain[e] * d->mass[i] - d->given[i];
            least = fmin(least, d->given[i] > 0 ? d->gain[e] - d->given[i] / d->mass[i] : d->gain[e]);
        }
        d->step[e] *= sqrt(least);
    }
}

// Reduces each step to `beta` times itself, but not more than `neighbour_step_ratio` times the step of any neighbour.
static void limit_steps(const carom_model *model, double beta, division *d) {
    for (int e = 0; e < model->element_count; e++)
        d->gain[e] = HUGE_VAL;
    for (int k = 0; k < model->node_count; k++) {
        double least = HUGE_VAL;
        for (int j = d->first[k]; j < d->first[k + 1]; j++)
            least = fmin(least, d->step[d->owner[d->ends[j]]]);
        for (int j = d->first[k]; j < d->first[k + 1]; j++)
            d->gain[d->owner[d->ends[j]]] = fmin(d->gain[d->owner[d->ends[j]]], least);
    }
    for (int e = 0; e < model->element_count; e++)
        d->step[e] = fmin(beta * d->step[e], neighbour_step_ratio * d->gain[e]);
}

double *carom_kick_steps(const carom_model *model, double beta, double *mass) {
    division d = {0};
    carom_arena *arena = carom_arena_create();
    bool done = reserve(&d, model, arena) && collect_ends(model, &d);
    if (done) {
        divide(model, &d, mass);
        limit_steps(model, beta, &d);
    }
    carom_arena_release(arena);
    if (done)
        return d.step;
    free(d.step);
    return NULL;
}
