// SPDX-License-Identifier: MIT
// Divides a graph into parts by the library Scotch, on one process: rank 0 has the whole model, and so the whole graph.
// PT-Scotch would require a distributed graph, but the owners of its vertices are only determined here. 100,000 nodes take half
// a second.
#include "parallel/scotch.h"

// scotch.h uses FILE and does not include it.
#include <stdio.h>

#include <scotch.h>
#include <stdbool.h>

#include "base/arena.h"

// Allowed excess of the weight of a part, relative to the mean.
static const double imbalance = 0.02;

// Upper bound of the sum of weights, so that it fits into the integers of Scotch with a margin.
static const int64_t whole_weight = SCOTCH_NUMMAX / 4;

typedef struct graph {
    carom_arena *memory;
    SCOTCH_Num *begin, *neighbour, *weight, *part;
} graph;

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory to share the nodes among processes by Scotch");
}

// Copies the graph into integers of Scotch. Weights are divided by a common unit, so that their sum fits; none becomes zero.
static bool copy(graph *g, int count, const int64_t *begin, const int *neighbour, const int64_t *weight) {
    int64_t arcs = begin[count], whole = 0;
    g->memory = carom_arena_create();
    bool enough = g->memory;
    g->begin = carom_arena_reserve(g->memory, (int64_t)count + 1, sizeof *g->begin, &enough);
    g->neighbour = carom_arena_reserve(g->memory, arcs, sizeof *g->neighbour, &enough);
    g->weight = carom_arena_reserve(g->memory, count, sizeof *g->weight, &enough);
    g->part = carom_arena_reserve(g->memory, count, sizeof *g->part, &enough);
    if (!enough)
        return false;
    for (int v = 0; v <= count; v++)
        g->begin[v] = (SCOTCH_Num)begin[v];
    for (int64_t i = 0; i < arcs; i++)
        g->neighbour[i] = (SCOTCH_Num)neighbour[i];
    for (int v = 0; v < count; v++)
        whole += weight[v];
    int64_t unit = whole / (whole_weight - count) + 1;
    for (int v = 0; v < count; v++)
        g->weight[v] = (SCOTCH_Num)(weight[v] / unit + 1);
    return true;
}

// Finds the parts with one thread and a fixed random seed: with several threads the result of Scotch 7 is not reproducible.
static bool find_parts(SCOTCH_Context *context, SCOTCH_Graph *net, SCOTCH_Graph *bound, SCOTCH_Strat *strategy, int parts,
                       SCOTCH_Num *part) {
    SCOTCH_contextRandomSeed(context, 1);
    SCOTCH_contextRandomReset(context);
    return SCOTCH_contextOptionSetNum(context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) == 0 &&
           SCOTCH_contextThreadSpawn(context, 1, NULL) == 0 && SCOTCH_contextBindGraph(context, net, bound) == 0 &&
           SCOTCH_stratGraphMapBuild(strategy, SCOTCH_STRATQUALITY, parts, imbalance) == 0 &&
           SCOTCH_graphPart(bound, parts, strategy, part) == 0;
}

static carom_status cut(graph *g, int count, int64_t arcs, int parts, carom_error *error) {
    SCOTCH_Context context;
    SCOTCH_Graph net, bound;
    SCOTCH_Strat strategy;
    // These only clear the structs.
    if (SCOTCH_contextInit(&context) || SCOTCH_graphInit(&net) || SCOTCH_graphInit(&bound) || SCOTCH_stratInit(&strategy))
        return no_memory(error);
    bool done = SCOTCH_graphBuild(&net, 0, count, g->begin, NULL, g->weight, NULL, (SCOTCH_Num)arcs, g->neighbour, NULL) == 0 &&
                find_parts(&context, &net, &bound, &strategy, parts, g->part);
    SCOTCH_stratExit(&strategy);
    SCOTCH_graphExit(&bound);
    SCOTCH_graphExit(&net);
    SCOTCH_contextExit(&context);
    return done ? CAROM_OK
                : carom_fail(error, CAROM_NO_MEMORY, "Scotch cannot share %d nodes among %d processes", count, parts);
}

carom_status carom_scotch_part(int count, const int64_t *begin, const int *neighbour, const int64_t *weight, int parts,
                               int *part, carom_error *error) {
    if (begin[count] >= SCOTCH_NUMMAX || count >= whole_weight / 2)
        return carom_fail(error, CAROM_BAD_INPUT, "the model is too large for this Scotch: use --partition bisection");
    graph g = {0};
    carom_status status = copy(&g, count, begin, neighbour, weight) ? CAROM_OK : no_memory(error);
    if (!status && count > 0)
        status = cut(&g, count, begin[count], parts, error);
    for (int v = 0; !status && v < count; v++)
        part[v] = (int)g.part[v];
    carom_arena_release(g.memory);
    return status;
}
