// SPDX-License-Identifier: MIT
// Finds the next event of a pair of features (node and face, two edges): the times at which its distance falls to the levels of
// the contact layer, from the outermost to the innermost, each found by the conservative search of hull.c.
//
// The distance is that of the features themselves, so the closest points may be outside when a level is reached: then
// another pair is nearer, and this one is tested again at the next level, a quarter of the last. Contact is distance
// zero, below all levels, so a level is always reached before it. The search adds the rounding of positions x + t v as
// a margin: distances that it finds larger than a level are larger also for the doubles computed by the event loop.
#include <float.h>
#include <math.h>

#include "contact/narrow/narrow.h"
#include "math/vec3.h"

// Ratio of successive levels.
static const double level_ratio = 0.25;

// In grazing motion, where the search converges slowly, it may stop early by this fraction of the interval.
static const double search_tolerance = 1e-9;

// At the lowest level a separating pair is checked again when its distance exceeds rounding, but not before this fraction
// of the interval has passed.
static const double least_pause = 1e-4;

// A pair in straight motion x + t v on [t0, t1].
typedef struct moving_pair {
    carom_narrow_kind kind;
    const double (*x)[3], (*v)[3];
    double t0, t1;
    double rounding; // of distances
    carom_hull hull;
} moving_pair;

double carom_narrow_rounding(carom_narrow_kind kind, const double (*x)[3], const double (*v)[3], double last) {
    int count = carom_narrow_count(kind);
    double size = 0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < 3; i++) {
            double far = fabs(x[k][i]) + last * fabs(v[k][i]);
            size = far > size ? far : size;
        }
    return 16 * DBL_EPSILON * size;
}

// The polygon of the pair at both ends of the interval, and the rounding of its distances.
static void start(moving_pair *f) {
    carom_hull path;
    carom_hull_between(f->kind, f->x, f->v, &path);
    f->hull.count = path.count;
    f->hull.edge_count = path.edge_count;
    for (int k = 0; k < path.count; k++)
        for (int i = 0; i < 3; i++) {
            // differences first, then time: the rounding does not depend on the distance of the pair from the origin of space
            f->hull.corner[k][0][i] = path.corner[k][0][i] + f->t0 * path.corner[k][1][i];
            f->hull.corner[k][1][i] = path.corner[k][0][i] + f->t1 * path.corner[k][1][i];
        }
    for (int k = 0; k < path.edge_count; k++)
        for (int i = 0; i < 3; i++) {
            f->hull.edge[k][0][i] = path.edge[k][0][i] + f->t0 * path.edge[k][1][i];
            f->hull.edge[k][1][i] = path.edge[k][0][i] + f->t1 * path.edge[k][1][i];
        }
    f->rounding = carom_narrow_rounding(f->kind, f->x, f->v, fmax(fabs(f->t0), fabs(f->t1)));
}

// The fraction of the interval, >= `from`, at which the distance falls to the level; false if it stays above.
static bool falls_to(const moving_pair *f, double level, double from, double *part) {
    return carom_hull_first(&f->hull, level + f->rounding, from, search_tolerance, part);
}

static double time_of(const moving_pair *f, double part) {
    return fmin(f->t1, f->t0 + part * (f->t1 - f->t0));
}

// Sets the closest points at a time; true if the pair approaches by more than rounding.
static bool view_at(const moving_pair *f, double time, carom_narrow_hit *hit) {
    int count = carom_narrow_count(f->kind);
    double x[4][3], size = 0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < 3; i++)
            x[k][i] = f->x[k][i] + time * f->v[k][i];
    hit->time = time;
    carom_narrow_nearest(f->kind, (carom_const_vectors)x, f->v, &hit->nearest);
    hit->rate = 0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < 3; i++) {
            double term = hit->nearest.weight[k] * hit->nearest.normal[i] * f->v[k][i];
            hit->rate += term;
            size += fabs(term);
        }
    return hit->rate < -8 * DBL_EPSILON * size;
}

// The fraction of the interval after which a separating pair certainly exceeds a distance.
static double clear_after(const moving_pair *f, double distance, double rate) {
    return rate > 0 ? fmax(least_pause, 4 * distance / (rate * (f->t1 - f->t0))) : 1;
}

// Below the lowest level, only distance zero itself is left. A pair that separates there at *from may turn back and touch
// before its distance exceeds rounding: returns true if it does; otherwise sets *from to the time at which it exceeds it.
static bool touches_again(const moving_pair *f, double offset, double lowest, double *from, carom_narrow_hit *hit) {
    double until = *from + clear_after(f, lowest, hit->rate), part;
    while (*from < fmin(1, until) && falls_to(f, offset, *from, &part) && part < until) {
        bool closes = view_at(f, time_of(f, part), hit);
        hit->level = 0;
        if (closes)
            return true;
        // within rounding, and it separates
        *from = part + least_pause;
    }
    *from = fmax(*from, until);
    return false;
}

static inline bool boxes_meet(int split, int count, const double (*x)[3], const double (*v)[3], double from, double to,
                              double reach) {
    for (int i = 0; i < 3; i++) {
        double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
        for (int k = 0; k < count; k++) {
            int side = k >= split;
            double a = x[k][i] + from * v[k][i], b = x[k][i] + to * v[k][i], lower = a < b ? a : b, upper = a < b ? b : a;
            low[side] = lower < low[side] ? lower : low[side];
            high[side] = upper > high[side] ? upper : high[side];
        }
        if (low[0] > high[1] + reach || low[1] > high[0] + reach)
            return false;
    }
    return true;
}

// The counts are constants here, so that the compiler unrolls the loops.
bool carom_narrow_boxes_meet(carom_narrow_kind kind, const double (*x)[3], const double (*v)[3], double from, double to,
                             double reach) {
    switch (kind) {
    case CAROM_NARROW_NODE_FACE: return boxes_meet(1, 4, x, v, from, to, reach);
    case CAROM_NARROW_EDGE_EDGE: return boxes_meet(2, 4, x, v, from, to, reach);
    case CAROM_NARROW_NODE_SEGMENT: return boxes_meet(1, 3, x, v, from, to, reach);
    }
    return true;
}

bool carom_narrow_level(carom_narrow_kind kind, const double (*x)[3], const double (*v)[3], double t0, double t1, double level,
                        double *time) {
    moving_pair f = {.kind = kind, .x = x, .v = v, .t0 = t0, .t1 = t1};
    start(&f);
    double part;
    if (!falls_to(&f, level, 0, &part))
        return false;
    *time = time_of(&f, part);
    return true;
}

bool carom_narrow_first(carom_narrow_kind kind, const double (*x)[3], const double (*v)[3], double t0, double t1,
                        const carom_narrow_layer *layer, carom_narrow_hit *hit) {
    moving_pair f = {.kind = kind, .x = x, .v = v, .t0 = t0, .t1 = t1};
    start(&f);
    double level = layer->height, offset = layer->offset, part, from = 0;
    if (!falls_to(&f, offset + level, 0, &part))
        return false;
    double lowest = 2 * f.rounding, anywhere = fmax(CAROM_NARROW_ANYWHERE * level, lowest);

    if (part == 0 || layer->patient) {
        // in the layer from the start: an event at once, or not before half of the distance is used
        bool closes = view_at(&f, t0, hit);
        double distance = hit->nearest.distance - offset;
        // the speed limit fades from `slow` at the top of the layer to zero at a quarter of it
        double fade = fmin(1, fmax(0, (distance - level_ratio * level) / (level - level_ratio * level)));
        if (closes && !layer->patient && hit->rate < -fade * layer->slow && (hit->nearest.inside || distance <= anywhere)) {
            hit->level = distance;
            return true;
        }
        level = fmin(level, 0.5 * distance);
        if (level < lowest) {
            level = lowest;
            if (touches_again(&f, offset, lowest, &from, hit))
                return true;
        }
    }

    // level by level
    while (from < 1 && falls_to(&f, offset + level, from, &part)) {
        bool closes = view_at(&f, time_of(&f, part), hit);
        if (closes && (hit->nearest.inside || level <= anywhere)) {
            hit->level = level;
            return true;
        }
        from = part;
        if (level > lowest)
            level = fmax(lowest, level_ratio * level);
        else if (touches_again(&f, offset, lowest, &from, hit))
            return true;
    }
    return false;
}
