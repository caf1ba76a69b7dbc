// SPDX-License-Identifier: MIT
// Orders and factorises the constraint matrix G M^-1 G^T of ties and solves with it (projector.h). The matrix has an entry for
// each pair of constraints (rows of G) with a common node. A reversed breadth-first ordering of the rows (Cuthill-McKee without
// sorting by degree) keeps its envelope narrow for tied surfaces; the factor has no entries outside the envelope.
#include "tied/projector.h"

#include <math.h>
#include <string.h>

// A row with a pivot below this fraction of its diagonal depends on others, and its multiplier is set to zero.
static const double dependent = 1e-12;

// The rows of each node.
typedef struct incidence {
    int *begin, *row; // node k has the rows row[begin[k]] to row[begin[k + 1] - 1]
    double *weight;
} incidence;

static bool list_rows(const carom_tie_rows *rows, int node_count, carom_arena *scratch, incidence *in) {
    int entries = rows->count ? rows->begin[rows->count] : 0;
    bool enough = true;
    in->begin = carom_arena_reserve(scratch, (int64_t)node_count + 2, sizeof *in->begin, &enough);
    in->row = carom_arena_reserve(scratch, entries, sizeof *in->row, &enough);
    in->weight = carom_arena_reserve(scratch, entries, sizeof *in->weight, &enough);
    if (!enough)
        return false;
    // counting sort: begin[k + 2] counts, then begin[k + 1] runs while the lists are filled
    for (int i = 0; i < entries; i++)
        in->begin[rows->node[i] + 2]++;
    for (int k = 0; k < node_count; k++)
        in->begin[k + 2] += in->begin[k + 1];
    for (int r = 0; r < rows->count; r++)
        for (int i = rows->begin[r]; i < rows->begin[r + 1]; i++) {
            int at = in->begin[rows->node[i] + 1]++;
            in->row[at] = r;
            in->weight[at] = rows->weight[i];
        }
    return true;
}

// Appends the rows coupled with row r that are not yet in the sequence, node by node.
static void visit(const carom_tie_rows *rows, const incidence *in, int r, int *sequence, int *count, bool *seen) {
    for (int i = rows->begin[r]; i < rows->begin[r + 1]; i++)
        for (int j = in->begin[rows->node[i]]; j < in->begin[rows->node[i] + 1]; j++)
            if (!seen[in->row[j]]) {
                seen[in->row[j]] = true;
                sequence[(*count)++] = in->row[j];
            }
}

// Breadth-first search from `start`: appends all rows that it reaches, and returns the last of them.
static int spread(const carom_tie_rows *rows, const incidence *in, int start, int *sequence, int *count, bool *seen) {
    int at = *count;
    seen[start] = true;
    sequence[(*count)++] = start;
    for (; at < *count; at++)
        visit(rows, in, sequence[at], sequence, count, seen);
    return sequence[*count - 1];
}

static bool find_order(const carom_tie_rows *rows, const incidence *in, carom_arena *scratch, int *order) {
    bool enough = true;
    int n = rows->count, count = 0, *sequence = carom_arena_reserve(scratch, n, sizeof *sequence, &enough);
    bool *seen = carom_arena_reserve(scratch, n, sizeof *seen, &enough);
    for (int r = 0; r < n && enough; r++) {
        if (seen[r])
            continue;
        // the first search finds a peripheral row of the connected component, the second one orders the component from there
        int first = count, end = spread(rows, in, r, sequence, &count, seen);
        for (int i = first; i < count; i++)
            seen[sequence[i]] = false;
        count = first;
        spread(rows, in, end, sequence, &count, seen);
    }
    for (int i = 0; i < n && enough; i++)
        order[sequence[n - 1 - i]] = i;
    return enough;
}

static double *entry_of(const carom_tie_factor *f, int i, int j) {
    return &f->value[f->begin[i + 1] - 1 - (i - j)];
}

static bool is_active(const carom_projector *p, int row, int c) {
    return carom_tie_row_is_active(p->rows, row, (const bool(*)[3])p->held, c);
}

// Assembles the matrix of one component (x, y or z) within the envelope. A row that is not active has a diagonal of 1.
static bool assemble(const carom_projector *p, const incidence *in, int c, carom_arena *scratch, carom_tie_factor *f) {
    const carom_tie_rows *rows = p->rows;
    int n = rows->count;
    bool enough = true;
    f->begin = carom_arena_reserve(p->arena, (int64_t)n + 1, sizeof *f->begin, &enough);
    int *least = carom_arena_reserve(scratch, n, sizeof *least, &enough);
    if (!enough)
        return false;
    for (int r = 0; r < n; r++) {
        int i = p->order[r];
        least[i] = i;
        for (int e = rows->begin[r]; e < rows->begin[r + 1]; e++)
            for (int j = in->begin[rows->node[e]]; j < in->begin[rows->node[e] + 1]; j++)
                least[i] = p->order[in->row[j]] < least[i] ? p->order[in->row[j]] : least[i];
    }
    for (int i = 0; i < n; i++)
        f->begin[i + 1] = f->begin[i] + i - least[i] + 1;
    f->value = carom_arena_reserve(p->arena, f->begin[n], sizeof *f->value, &enough);
    for (int r = 0; r < n && f->value; r++) {
        int i = p->order[r];
        if (!is_active(p, r, c)) {
            *entry_of(f, i, i) = 1;
            continue;
        }
        for (int e = rows->begin[r]; e < rows->begin[r + 1]; e++) {
            int k = rows->node[e];
            for (int j = in->begin[k]; j < in->begin[k + 1] && !p->held[k][c]; j++)
                if (p->order[in->row[j]] <= i && is_active(p, in->row[j], c))
                    *entry_of(f, i, p->order[in->row[j]]) += rows->weight[e] * in->weight[j] / p->mass[k];
        }
    }
    return f->value;
}

// The sum of a[k] b[k] by four partial sums: a fixed order that vector instructions can use.
static double product(int64_t n, const double *a, const double *b) {
    double sum[4] = {0}, rest = 0;
    int64_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (int lane = 0; lane < 4; lane++)
            sum[lane] += a[k + lane] * b[k + lane];
    for (; k < n; k++)
        rest += a[k] * b[k];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}

// Factorisation in place, A = L D L^T with unit diagonal of L: D takes its place. Without square roots, and so without rounding
// that depends on the unit of mass. A row that depends on others gets an infinite pivot: its multiplier is zero.
static void factorise(int n, carom_tie_factor *f) {
    for (int i = 0; i < n; i++) {
        int first = i + 1 - (int)(f->begin[i + 1] - f->begin[i]);
        double *row = entry_of(f, i, first), diagonal = row[i - first], pivot = diagonal;
        // first L D, then L
        for (int j = first; j < i; j++) {
            int other = j + 1 - (int)(f->begin[j + 1] - f->begin[j]), from = first > other ? first : other;
            row[j - first] -= product(j - from, row + (from - first), entry_of(f, j, from));
        }
        for (int j = first; j < i; j++) {
            double scaled = row[j - first];
            row[j - first] /= *entry_of(f, j, j);
            pivot -= scaled * row[j - first];
        }
        row[i - first] = pivot > dependent * diagonal ? pivot : HUGE_VAL;
    }
}

static void solve(int n, const carom_tie_factor *f, double *x) {
    for (int i = 0; i < n; i++) {
        int first = i + 1 - (int)(f->begin[i + 1] - f->begin[i]);
        x[i] -= product(i - first, f->value + f->begin[i], x + first);
    }
    for (int i = 0; i < n; i++)
        x[i] /= *entry_of(f, i, i);
    for (int i = n - 1; i >= 0; i--) {
        int first = i + 1 - (int)(f->begin[i + 1] - f->begin[i]);
        for (int k = first; k < i; k++)
            x[k] -= f->value[f->begin[i] + k - first] * x[i];
    }
}

// True if components a and b have the same matrix: the same nodes are restrained.
static bool are_equal(const carom_projector *p, int a, int b) {
    const carom_tie_rows *rows = p->rows;
    for (int i = 0; i < rows->begin[rows->count]; i++)
        if (p->held[rows->node[i]][a] != p->held[rows->node[i]][b])
            return false;
    return true;
}

carom_status carom_projector_create(const carom_tie_rows *rows, int node_count, const double *mass, const bool (*held)[3],
                                    carom_projector *p, carom_error *error) {
    *p = (carom_projector){.rows = rows, .mass = mass};
    incidence in = {0};
    carom_arena *scratch = carom_arena_create();
    bool enough = carom_arena_renew(&p->arena) && scratch;
    p->held = carom_arena_reserve(p->arena, node_count, sizeof *p->held, &enough);
    p->order = carom_arena_reserve(p->arena, rows->count, sizeof *p->order, &enough);
    p->lambda = carom_arena_reserve(p->arena, rows->count, sizeof *p->lambda, &enough);
    enough = enough && list_rows(rows, node_count, scratch, &in) && find_order(rows, &in, scratch, p->order);
    if (enough)
        memcpy(p->held, held, (size_t)node_count * sizeof *held);
    for (int c = 0; c < 3 && enough; c++) {
        p->factor_of[c] = c;
        for (int b = c - 1; b >= 0; b--)
            if (are_equal(p, b, c))
                p->factor_of[c] = b;
        if (p->factor_of[c] != c)
            continue;
        enough = assemble(p, &in, c, scratch, &p->factor[c]);
        if (enough)
            factorise(rows->count, &p->factor[c]);
    }
    carom_arena_release(scratch);
    return enough ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the ties");
}

void carom_projector_release(carom_projector *p) {
    carom_arena_release(p->arena);
    *p = (carom_projector){0};
}

void carom_projector_run(const carom_projector *p, const double (*goal)[3], double (*v)[3], double (*impulse)[3]) {
    const carom_tie_rows *rows = p->rows;
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < rows->count; r++) {
            double gap[3];
            carom_tie_rows_gap(rows, r, (const double(*)[3])v, gap);
            p->lambda[p->order[r]] = is_active(p, r, c) ? gap[c] - (goal ? goal[r][c] : 0) : 0;
        }
        solve(rows->count, &p->factor[p->factor_of[c]], p->lambda);
        for (int r = 0; r < rows->count; r++)
            for (int i = rows->begin[r]; i < rows->begin[r + 1]; i++) {
                int k = rows->node[i];
                double push = -rows->weight[i] * p->lambda[p->order[r]];
                if (!p->held[k][c])
                    v[k][c] += push / p->mass[k];
                if (impulse)
                    impulse[k][c] += push;
            }
    }
}
