// SPDX-License-Identifier: MIT
// Resolves the contacts inside a step of `multisymplectic` at their exact times, one after another, for bars and beams. From a
// level (time at which positions are known), with the time `rest` left of the step:
//
//     1. a slab (motion to the next level) of length `rest`; if no gap is violated at its end, the step is done;
//     2. else the smallest d in (0, rest) at which a gap is zero, and a slab of length d that ends in this contact;
//     3. the next slab starts with an impulse lambda along the normal of the contact, such that it has the energy of the slab
//        before, E(lambda) = E-, whatever its length: back to 1 with rest - d.
//
// E(lambda) is a parabola for linear elements and nearly one otherwise. The larger of its two roots is the bounce; the other
// one, near zero, is interpenetration as if there were no contact. Weak contacts may have no root; they bounce with the rate of
// approach, and the energy error is recorded as `projection`.
//
// With the energy of the motion as the target (energy_target.h), its excess is subtracted from E-, and a contact without a root
// gets the impulse of the smallest energy. An impulse must not let the gap close, nor separate the bodies faster than three
// times the rate of approach. The energy error that remains is corrected by later impacts, and nothing is recorded.
//
// With ghosts (contact time integrator 2) an event is the closing or opening of a ghost, where it has no force; the impulse is
// then only a correction, the smaller root, and 0 if there is no root.
#include "integrator/multisymplectic/contact_time.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "math/root.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/state/ledger.h"

// Contacts within less than this fraction of the rest of the step are resolved at its beginning.
static const double same_time = 1e-9;

enum { SWEEPS = 1000 };

carom_status carom_contact_time_create(const carom_slabs *slabs, carom_contact_time *times, carom_error *error) {
    const carom_model *model = slabs->model;
    const carom_candidates *candidates = &model->candidates;
    *times = (carom_contact_time){.slabs = slabs};
    bool enough = carom_watched_reserve(slabs, &times->watched);
    times->group_impulse = carom_arena_reserve(slabs->memory, candidates->count, sizeof *times->group_impulse, &enough);
    times->impulse = carom_arena_reserve(slabs->memory, model->node_count, sizeof *times->impulse, &enough);
    for (int i = 0; i < 2; i++)
        times->between[i] = carom_level_reserve(slabs, &enough);
    for (int k = 0; k < model->node_count; k++)
        times->rounding = fmax(times->rounding, 8 * DBL_EPSILON * carom_norm(model->X[k]));
    return enough ? CAROM_OK : carom_no_memory(error, "contact");
}

// A slab from the level `from`, with the contact reached there, whose impulse is to be found.
typedef struct passage {
    carom_contact_time *times;
    const carom_level *from;
    carom_level *to;
    int pending;             // index among the watched, -1: none
    double energy;           // of the slab that ended in the contact
    double target;           // of the slab after it
    double potential;        // at `from`
    double lambda, mismatch; // impulse found, and the energy that is still missing
    int searched;            // the contact whose zero gap is searched for, among the watched
} passage;

// The quantity that must not become negative: the gap, or with closed ghosts the overlap.
static double admissible(const carom_contact_time *times, int watched, const carom_level *level) {
    int c = times->watched.candidate[watched];
    double gap = carom_slabs_gap(times->slabs, c, level);
    return times->slabs->ghosts && times->slabs->closed[c] != 0 ? -gap : gap;
}

static double potential(const carom_slabs *slabs, const carom_level *level) {
    return carom_slabs_internal(slabs, level) + carom_slabs_external(slabs, level);
}

// Energy of the slab after an impulse, less its target.
static double excess(passage *p, double lambda) {
    const carom_slabs *slabs = p->times->slabs;
    const carom_contact *contact = &slabs->model->candidates.items[p->times->watched.candidate[p->pending]];
    carom_slabs_push(slabs, p->from, p->to->h, contact, lambda, p->to);
    return carom_slabs_kinetic(slabs, p->to) + 0.5 * (p->potential + potential(slabs, p->to)) - p->target;
}

// The coefficients of the parabola a l^2 + b l + c through E(0), E(l/2), E(l), with a by the masses alone where the curvature
// is below rounding.
static void fit(passage *p, double size, double softness, double *a, double *b, double *c) {
    double e0 = excess(p, 0), e1 = excess(p, 0.5 * size), e2 = excess(p, size);
    double bend = 2 * (e0 - 2 * e1 + e2);
    bool visible = fabs(bend) > 1e6 * DBL_EPSILON * fabs(p->energy);
    *a = visible ? bend / (size * size) : 0.5 * softness;
    *b = visible ? (4 * e1 - 3 * e0 - e2) / size : (e2 - e0) / size - *a * size;
    *c = e0;
}

// With a target, the impulse within its bounds; `bottom` is that of the smallest energy. The remaining energy error is left to
// later impacts.
static void apply_bounded(passage *p, double root, double bottom, double before, double free) {
    double softness = p->times->watched.softness[p->pending];
    double least = fmax(0, -free / softness), largest = fmax(least, 4 * fabs(before) / softness);
    double wanted = isfinite(root) ? root : isfinite(bottom) ? bottom : -2 * before / softness;
    p->lambda = fmin(fmax(wanted, least), largest);
    excess(p, p->lambda);
    p->mismatch = 0;
}

// Finds the impulse that conserves the energy, in a slab whose nodes have all been advanced without it.
static void jump(passage *p) {
    const carom_contact_time *times = p->times;
    bool bounces = !times->slabs->ghosts;
    int candidate = times->watched.candidate[p->pending];
    double softness = times->watched.softness[p->pending];
    double before = carom_slabs_rate(times->slabs, candidate, p->from), free = carom_slabs_rate(times->slabs, candidate, p->to);
    double size = 2 * fmax(fabs(before), fabs(free)) / softness, a = 0, b = 0, c = 0, root = NAN;
    if (size > 0) {
        fit(p, size, softness, &a, &b, &c);
        double discriminant = b * b - 4 * a * c;
        if (discriminant >= 0) {
            // of the two roots q/a and c/q
            double q = -0.5 * (b + copysign(sqrt(discriminant), b)), first = q / a, second = q != 0 ? c / q : 0;
            root = bounces ? fmax(first, second) : fabs(first) < fabs(second) ? first : second;
        }
    }
    if (times->target && !(root > fmax(0, -free / softness) && root < 4 * fabs(before) / softness)) {
        apply_bounded(p, root, -0.5 * b / a, before, free);
        return;
    }
    if (!isfinite(root) || (bounces && !(root > 0))) {
        p->lambda = bounces ? fmax(0, -2 * before / softness) : 0;
        p->mismatch = excess(p, p->lambda);
        return;
    }

    // improves the root by the secant method, and keeps the best
    double slope = 2 * a * root + b, last = 0, error = excess(p, root);
    p->lambda = root;
    p->mismatch = error;
    for (int i = 0; i < 20 && fabs(error) > 2 * DBL_EPSILON * fabs(p->energy) && slope != 0; i++) {
        double step = -error / slope;
        last = error;
        root += step;
        error = excess(p, root);
        if (fabs(error) >= fabs(p->mismatch))
            break;
        if (step != 0 && error != last)
            slope = (error - last) / step;
        p->lambda = root;
        p->mismatch = error;
    }
    if (p->lambda != root)
        excess(p, p->lambda);
    p->mismatch = 0;
}

// Makes a slab of length h from `from` to `to`, with the impulse of the pending contact.
static void slab(passage *p, double h) {
    carom_slabs_advance(p->times->slabs, p->from, h, p->to);
    p->lambda = p->mismatch = 0;
    if (p->pending >= 0)
        jump(p);
}

static bool share_a_node(const carom_contact *a, const carom_contact *b) {
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            if (a->node[i] == b->node[j])
                return true;
    return false;
}

// The gap of the searched contact after a slab of length d. Nodes move independently within a slab, so only those of the
// contact are moved, unless the pending impulse acts on them.
static double gap_after(void *context, double d) {
    passage *p = context;
    const carom_contact *items = p->times->slabs->model->candidates.items,
                        *searched = &items[p->times->watched.candidate[p->searched]];
    if (p->pending >= 0 && share_a_node(searched, &items[p->times->watched.candidate[p->pending]])) {
        slab(p, d);
    } else {
        p->to->h = d;
        carom_slabs_push(p->times->slabs, p->from, d, searched, 0, p->to);
    }
    return admissible(p->times, p->searched, p->to);
}

// The first contact in a slab of length `rest` that was just made: its time d, and which. False if there is none.
static bool first_contact(passage *p, double rest, double *d, int *which) {
    const carom_contact_time *times = p->times;
    *d = rest;
    *which = -1;
    for (int i = 0; i < times->watched.count; i++) {
        double end = admissible(times, i, p->to);
        if (!(end < -times->rounding))
            continue;
        // the search overwrites the level, which is then made again
        p->searched = i;
        double least = same_time * rest, start = gap_after(p, least), found = least;
        if (start > 0)
            found = carom_root(gap_after, p, least, start, rest, end);
        slab(p, rest);
        if (*which < 0 || found < *d) {
            *d = found;
            *which = i;
        }
    }
    return *which >= 0;
}

// Records the impulses of the slab from `from` to `to` in the ledger.
static void accept(passage *p, carom_state *state) {
    const carom_slabs *slabs = p->times->slabs;
    if (p->pending >= 0) {
        int candidate = p->times->watched.candidate[p->pending];
        carom_hit hit = carom_slabs_hit(slabs, candidate, p->lambda, p->from);
        hit.projection = -p->mismatch;
        carom_ledger_record_hits(state, slabs->observer, &hit, 1, 0, state->step + 1);
        carom_slabs_book(slabs, state, p->from, p->to, 1, &candidate, &p->lambda);
    } else {
        carom_slabs_book(slabs, state, p->from, p->to, 0, NULL, NULL);
    }
}

// Bodies that are pressed together bounce with ever smaller rates. When a step has too many contacts, the rest of it is one
// slab with impulses that let no gap close, found by Gauss-Seidel iteration. Their energy error is recorded.
static void settle(passage *p, carom_state *state, double rest) {
    carom_contact_time *times = p->times;
    const carom_slabs *slabs = times->slabs;
    const carom_contact *items = slabs->model->candidates.items;
    state->books.events[CAROM_EVENT_CONTACT_SETTLED]++;
    memset(times->group_impulse, 0, (size_t)times->watched.count * sizeof *times->group_impulse);
    memset(times->impulse, 0, (size_t)slabs->model->node_count * sizeof *times->impulse);
    carom_slabs_advance(slabs, p->from, rest, p->to);
    bool done = slabs->ghosts;
    for (int sweep = 0; sweep < SWEEPS && !done; sweep++) {
        done = true;
        for (int i = 0; i < times->watched.count; i++) {
            double gap = admissible(times, i, p->to), more = -gap / (rest * times->watched.softness[i]);
            if (gap >= -times->rounding && times->group_impulse[i] == 0)
                continue;
            more = fmax(more, -times->group_impulse[i]);
            done = done && gap >= -times->rounding && fabs(gap) < 1e3 * times->rounding;
            times->group_impulse[i] += more;
            const carom_contact *contact = &items[times->watched.candidate[i]];
            for (int k = 0; k < contact->count; k++) {
                carom_add_scaled(more * contact->weight[k], contact->normal, times->impulse[contact->node[k]]);
                carom_slabs_push_node(slabs, p->from, rest, contact->node[k], times->impulse[contact->node[k]], p->to);
            }
        }
    }

    // ghosts need no impulse: they close or open by the sign of their gaps
    for (int i = 0; slabs->ghosts && i < times->watched.count; i++)
        slabs->closed[times->watched.candidate[i]] = carom_slabs_gap(slabs, times->watched.candidate[i], p->to) < 0;

    double cost = p->energy - carom_slabs_kinetic(slabs, p->to) - 0.5 * (p->potential + potential(slabs, p->to));
    // with a target later impacts correct it
    if (!times->target)
        carom_exact_add(&state->books.booked.of[CAROM_ACCOUNT_PROJECTION], cost);
    for (int i = 0; i < times->watched.count; i++) {
        if (times->group_impulse[i] == 0)
            continue;
        carom_hit hit = carom_slabs_hit(slabs, times->watched.candidate[i], times->group_impulse[i], p->from);
        carom_ledger_record_hits(state, slabs->observer, &hit, 1, 0, state->step + 1);
    }
    carom_slabs_book(slabs, state, p->from, p->to, times->watched.count, times->watched.candidate, times->group_impulse);
}

void carom_contact_time_step(carom_contact_time *times, carom_state *state, const carom_level *from, double step,
                             carom_level **end) {
    const carom_slabs *slabs = times->slabs;
    passage p = {.times = times, .from = from, .to = &times->between[0], .pending = -1};
    double rest = step, d;
    int which, most = 32 + 4 * times->watched.count;
    slab(&p, rest);
    for (int count = 0; first_contact(&p, rest, &d, &which); count++) {
        if (count == most) {
            settle(&p, state, rest);
            *end = p.to;
            return;
        }

        // the slab that ends in the contact
        slab(&p, d);
        accept(&p, state);
        rest -= d;

        // the target of the jump
        double there = potential(slabs, p.to);
        p.energy = carom_slabs_kinetic(slabs, p.to) + 0.5 * (potential(slabs, p.from) + there);
        p.potential = there;
        p.target = p.energy;
        if (times->target) {
            if (count == 0)
                carom_energy_target_measure(times->target, from, step);
            p.target -=
                carom_energy_target_take(times->target, &slabs->model->candidates.items[times->watched.candidate[which]]);
        }

        // the ghosts of the contact close or open, and the next slab begins
        if (slabs->ghosts)
            slabs->closed[times->watched.candidate[which]] = slabs->closed[times->watched.candidate[which]] == 0;
        carom_slabs_force(slabs, p.to);
        state->books.element_updates += slabs->model->element_count;
        p.from = p.to;
        p.to = &times->between[p.to == &times->between[0]];
        p.pending = which;
        slab(&p, rest);
    }
    accept(&p, state);
    *end = p.to;
}
