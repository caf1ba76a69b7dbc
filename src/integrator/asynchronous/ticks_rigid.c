// SPDX-License-Identifier: MIT
// Theory: docs/theory/rigid.md, docs/theory/asynchronous.md
// Rigid bodies at ticks (common kicks of all nodes near contact, ticks.h). They have no elements that would determine a step,
// so they always have ticks, as one member after elements and live loads, and are in contact with other bodies at these. From
// tick to tick their nodes move on the chords of their arcs. Where nothing is near, a span has one tick, at its end, or as many
// as keep rotations small.
#include <math.h>

#include "integrator/asynchronous/ticks_inside.h"
#include "math/exact.h"
#include "math/mat3.h"
#include "math/vec3.h"

// The largest rotation of a body between two ticks, in radians: errors of impacts are of second order in it.
static const double largest_turn = 0.2;

// How often the flight for the paths of a span is halved at most.
enum { HALVINGS_MAX = 20 };

// The largest rotation, in radians, over which the path of a node is approximated by its chord when a span is chosen.
static const double longest_chord = 1;

bool carom_ticks_rigid_create(carom_ticks *ticks) {
    carom_flight *flight = ticks->flight;
    const carom_model *model = flight->model;
    bool enough = true;
    if (!model->rigid.count)
        return true;
    ticks->at = carom_arena_reserve(ticks->arena, model->node_count, sizeof *ticks->at, &enough);
    ticks->force = carom_arena_reserve(ticks->arena, model->node_count, sizeof *ticks->force, &enough);
    ticks->rigid_nodes = carom_arena_reserve(ticks->arena, model->node_count, sizeof *ticks->rigid_nodes, &enough);
    for (int k = 0; k < model->node_count && enough; k++)
        if (model->rigid.of_node[k] != -1)
            ticks->rigid_nodes[ticks->rigid_node_count++] = k;
    enough = enough && carom_rigid_kick_create(&ticks->rigid, model, flight->state, ticks->arena);
    ticks->rigid.x = (carom_const_vectors)ticks->at;
    ticks->rigid.time = &ticks->time;
    // the velocities in the middle of the last tick: rows of bodies are after those of nodes
    ticks->rigid.rigid_bodies.spin = ticks->kick.middle + model->node_count;
    flight->mobility.rigid_bodies = &ticks->rigid.rigid_bodies;
    for (int k = 0; k < model->node_count; k++)
        carom_copy(flight->w[k], ticks->kick.middle[k]);
    for (int r = 0; r < model->rigid.count; r++) {
        carom_copy(flight->state->turn_rate[r], ticks->kick.middle[model->node_count + r]);
        carom_copy(flight->state->turn_rate[r], flight->w[model->node_count + r]);
    }
    return enough;
}

// True if forces on body r change as it moves, by a joint, by tied parts or by springs.
static bool forces_vary(const carom_ticks *ticks, int r) {
    return carom_rigid_body_sums_turns(&ticks->rigid.rigid_bodies.items[r]) || ticks->flight->model->springs.count;
}

bool carom_ticks_rigid_forces_vary(const carom_ticks *ticks) {
    bool any = false;
    for (int r = 0; r < ticks->rigid.rigid_bodies.count; r++)
        any = any || forces_vary(ticks, r);
    return any;
}

// Angular speed of a body.
static double rate_of(const carom_state *state, const carom_rigid_body *one, int r) {
    double W[3], axes[3];
    carom_mat3_apply_transposed((carom_const_vectors)state->turned[r], state->turning[r], axes);
    for (int i = 0; i < 3; i++)
        W[i] = axes[i] / one->inertia[i];
    return carom_norm(W);
}

double carom_ticks_rigid_step(const carom_ticks *ticks) {
    double most = 0;
    for (int r = 0; r < ticks->rigid.rigid_bodies.count; r++)
        most = fmax(most, rate_of(ticks->flight->state, &ticks->rigid.rigid_bodies.items[r], r));
    return most > 0 ? largest_turn / most : HUGE_VAL;
}

void carom_ticks_rigid_place(carom_ticks *ticks, double t) {
    for (int j = 0; j < ticks->rigid_node_count; j++)
        carom_flight_place(ticks->flight, ticks->rigid_nodes[j], t, ticks->at[ticks->rigid_nodes[j]]);
}

void carom_ticks_rigid_set_chords(carom_ticks *ticks) {
    carom_flight *flight = ticks->flight;
    if (!ticks->rigid.state)
        return;
    carom_ticks_rigid_place(ticks, 0);
    double longest = fmin(flight->step, longest_chord / largest_turn * carom_ticks_rigid_step(ticks));
    // rotations up to a radian do not fail; joints of a linkage may need a shorter flight in order to close
    carom_error ignored;
    ticks->time = flight->begin;
    carom_rigid_kick_slow(&ticks->rigid, HUGE_VAL);
    for (int i = 0; i < HALVINGS_MAX && carom_rigid_kick_begin(&ticks->rigid, longest, flight->w, &ignored); i++)
        longest *= 0.5;
}

// Forces on the nodes of bodies: dead loads, the live loads that were computed last, and springs.
static void find_forces(carom_ticks *ticks) {
    const carom_model *model = ticks->flight->model;
    for (int j = 0; j < ticks->rigid_node_count; j++) {
        int k = ticks->rigid_nodes[j];
        for (int i = 0; i < 3; i++)
            ticks->force[k][i] = model->loaded ? model->load[k][i] : 0;
        if (model->live.count)
            carom_add_scaled(1, ticks->loads->live[k], ticks->force[k]);
    }
    carom_ticks_springs_add(ticks);
}

// Adds the forces of elements on nodes tied to bodies; `as_impulses`: times the length of the kick of each.
static void add_tied(carom_ticks *ticks, bool as_impulses) {
    const carom_ties *ties = &ticks->flight->model->ties;
    const carom_ticks_members *members = &ticks->members;
    for (int g = 0; g < ties->tied_count; g++) {
        int k = ties->tied[g][0];
        for (int64_t e = members->begin[k]; e < members->begin[k + 1]; e++) {
            const carom_ticks_batch *own = &members->batches[members->ends[e].batch];
            double h = as_impulses ? own->length[members->ends[e].member] : 1;
            for (int d = 0; d < 3; d++)
                ticks->force[k][d] += h * own->slots[members->ends[e].slot + CAROM_LANES * d];
        }
    }
}

// Collects forces and moments of all bodies at the positions x. `as_impulses`: for a kick of length h; with tied parts, whose
// elements may kick for other times, as impulses. Returns the length of the kick: h, or 1 for impulses.
static double collect(carom_ticks *ticks, const double (*x)[3], bool as_impulses, double h) {
    bool impulses = as_impulses && ticks->flight->model->ties.tied_count;
    find_forces(ticks);
    for (int j = 0; impulses && j < ticks->rigid_node_count; j++)
        for (int d = 0; d < 3; d++)
            ticks->force[ticks->rigid_nodes[j]][d] *= h;
    add_tied(ticks, as_impulses);
    carom_rigid_kick_collect(&ticks->rigid, x, (carom_const_vectors)ticks->force);
    return impulses ? 1 : h;
}

// Sets x such that nodes are at ticks->at at time t.
static void launch(carom_ticks *ticks, double t) {
    for (int j = 0; j < ticks->rigid_node_count; j++) {
        int k = ticks->rigid_nodes[j];
        carom_copy(ticks->at[k], ticks->flight->x[k]);
        carom_add_scaled(-t, ticks->flight->w[k], ticks->flight->x[k]);
    }
}

void carom_ticks_rigid_kick(carom_ticks *ticks, double h, double t) {
    carom_flight *flight = ticks->flight;
    const carom_model *model = flight->model;
    for (int r = 0; model->loaded && r < ticks->rigid.rigid_bodies.count; r++) {
        int centre = ticks->rigid.rigid_bodies.items[r].centre;
        // live loads have kicked it already; the centre node in a linkage has no mass
        if (!ticks->rigid.rigid_bodies.items[r].linkage)
            carom_add_scaled(h / model->mass[centre], model->load[centre], flight->w[centre]);
    }
    ticks->time = flight->begin + t;
    double length = collect(ticks, (carom_const_vectors)ticks->at, true, h);
    carom_ticks_springs_pull(ticks, h, flight->w);
    carom_rigid_kick_push(&ticks->rigid, length, ticks->kick.w_before, flight->w);
    carom_ticks_springs_kick(ticks, h, t);
    carom_ticks_springs_damp(ticks, h, t);
    // the whole kick is recorded, like other kicks
    carom_rigid_kick_book(&ticks->rigid, 0);
    if (!model->loaded)
        return;
    for (int j = 0; j < ticks->rigid_node_count; j++) {
        int k = ticks->rigid_nodes[j];
        double load[3] = {h * model->load[k][0], h * model->load[k][1], h * model->load[k][2]}, moment[3];
        carom_cross(ticks->at[k], load, moment);
        carom_add_scaled(1, load, flight->dead[0]);
        carom_add_scaled(1, moment, flight->dead[1]);
    }
    carom_flight_book(flight);
}

// The oscillation of bodies with varying forces at the start of the run (carom_ticks_rigid_oscillation).
static void note_start(carom_ticks *ticks) {
    const carom_rigid_bodies *rigid_bodies = &ticks->rigid.rigid_bodies;
    *ticks->held_start = 0;
    for (int r = 0; r < rigid_bodies->count; r++) {
        const double *V = ticks->kick.whole[rigid_bodies->items[r].centre], *W = ticks->kick.whole[rigid_bodies->first_row + r];
        double l[3];
        carom_rigid_bodies_momentum(rigid_bodies, r, W, l);
        if (forces_vary(ticks, r))
            *ticks->held_start += 0.125 * (rigid_bodies->items[r].mass * carom_dot(V, V) + carom_dot(W, l));
    }
}

// The kick of bodies is a whole one at every tick except the first of a span.
void carom_ticks_rigid_whole(carom_ticks *ticks, bool first) {
    const carom_rigid_bodies *rigid_bodies = &ticks->rigid.rigid_bodies;
    carom_vectors whole = ticks->kick.whole, w = ticks->flight->w, before = ticks->kick.w_before;
    if (first && ticks->flight->model->ties.tied_count)
        collect(ticks, (carom_const_vectors)ticks->at, false, 0);
    for (int r = 0; r < rigid_bodies->count; r++) {
        int centre = rigid_bodies->items[r].centre, row = rigid_bodies->first_row + r;
        bool held = rigid_bodies->items[r].linkage;
        for (int d = 0; d < 3; d++)
            whole[centre][d] = held ? 0 : ticks->pace.step / rigid_bodies->items[r].mass * ticks->force[centre][d];
        if (first)
            continue;
        carom_difference(w[centre], before[centre], whole[centre]);
        carom_difference(w[row], before[row], whole[row]);
    }
    if (first)
        carom_rigid_kick_end(&ticks->rigid, ticks->pace.step, whole);
    if (ticks->kick.not_whole)
        carom_ticks_springs_whole(ticks, whole);
    carom_rigid_bodies_spread(rigid_bodies, (carom_const_vectors)ticks->at, whole);
    if (ticks->held_start && first && ticks->flight->begin == 0)
        note_start(ticks);
}

void carom_ticks_rigid_before(carom_ticks *ticks) {
    for (int r = 0; r < ticks->rigid.rigid_bodies.count; r++) {
        int row = ticks->rigid.rigid_bodies.first_row + r;
        carom_copy(ticks->flight->w[row], ticks->kick.answer[row]);
    }
}

// The velocity in the middle of a tick. The kick that starts a run has half the length and begins at its time.
static void find_middle(carom_ticks *ticks, int row, bool first) {
    const double *w = ticks->flight->w[row], *before = ticks->kick.w_before[row], *change = ticks->kick.answer[row];
    for (int d = 0; d < 3; d++)
        ticks->kick.middle[row][d] = first ? before[d] + 0.5 * change[d] : 0.5 * (before[d] + w[d]);
}

void carom_ticks_rigid_after(carom_ticks *ticks, double t, bool first) {
    carom_flight *flight = ticks->flight;
    carom_vectors forces = carom_contact_step_forces(&ticks->contact);
    if (!ticks->rigid.state)
        return;
    for (int r = 0; r < ticks->rigid.rigid_bodies.count; r++) {
        int row = ticks->rigid.rigid_bodies.first_row + r;
        double change[3];
        carom_difference(flight->w[row], ticks->kick.answer[row], change);
        carom_copy(change, ticks->kick.answer[row]);
        if (forces && ticks->kick.not_whole)
            carom_copy(ticks->kick.whole[row], forces[row]);
        if (first && !ticks->members.fresh[ticks->rigid.rigid_bodies.items[r].centre])
            continue;
        find_middle(ticks, row, first);
        find_middle(ticks, ticks->rigid.rigid_bodies.items[r].centre, first);
        // rotations change with every drift, and guards check both
        carom_copy(ticks->kick.middle[row], flight->state->turn_rate[r]);
    }
    carom_rigid_kick_settle(&ticks->rigid, (carom_const_vectors)ticks->kick.w_before, flight->w);
    carom_ticks_springs_after(ticks, first);
    launch(ticks, t);
}

carom_status carom_ticks_rigid_begin(carom_ticks *ticks, const carom_contact_interval *interval, carom_error *error) {
    carom_flight *flight = ticks->flight;
    if (!ticks->rigid.state)
        return CAROM_OK;
    carom_rigid_kick_slow(&ticks->rigid, interval->neighbours.layer.slow);
    ticks->time = flight->begin + interval->begin;
    carom_status status = carom_rigid_kick_begin(&ticks->rigid, interval->step, flight->w, error);
    // from now on times of the drift count from the beginning of the flight
    ticks->rigid.rigid_bodies.time = flight->begin;
    for (int r = 0; r < ticks->rigid.rigid_bodies.count; r++)
        ticks->rigid.rigid_bodies.since[r] = interval->begin;
    launch(ticks, interval->begin);
    return status;
}

carom_status carom_ticks_rigid_finish(carom_ticks *ticks, const carom_contact_interval *interval, carom_error *error) {
    carom_flight *flight = ticks->flight;
    carom_vectors place = flight->kicks.place;
    double end = carom_contact_interval_end(interval);
    if (!ticks->rigid.state)
        return CAROM_OK;
    for (int j = 0; j < ticks->rigid_node_count; j++)
        carom_flight_place(flight, ticks->rigid_nodes[j], end, place[ticks->rigid_nodes[j]]);
    carom_status status = carom_rigid_kick_finish(&ticks->rigid, end, place, flight->w, error);
    for (int r = 0; r < ticks->rigid.rigid_bodies.count; r++) {
        const carom_rigid_body *one = &ticks->rigid.rigid_bodies.items[r];
        const int nodes[2] = {one->centre, one->mass_node};
        for (int i = 0; i < 2 && one->linkage; i++) {
            carom_copy(place[nodes[i]], flight->x[nodes[i]]);
            carom_add_scaled(-end, flight->w[nodes[i]], flight->x[nodes[i]]);
        }
    }
    return status;
}

// The kick at the end of a drift, with the poses there.
void carom_ticks_rigid_end_kick(carom_ticks *ticks) {
    if (!ticks->rigid.state)
        return;
    collect(ticks, (carom_const_vectors)ticks->flight->kicks.place, false, 0);
    carom_ticks_springs_pull(ticks, ticks->pace.step, ticks->kick.end);
    carom_rigid_kick_end(&ticks->rigid, ticks->pace.step, ticks->kick.end);
}

void carom_ticks_rigid_velocities(const carom_ticks *ticks, carom_state *state, carom_accounts *sum) {
    const carom_model *model = state->model;
    if (!ticks || !ticks->rigid.state)
        return;
    double h = -carom_ticks_ahead(ticks, carom_ticks_rigid_member(ticks));
    const carom_rigid_bodies *rigid_bodies = &ticks->rigid.rigid_bodies;
    for (int r = 0; r < rigid_bodies->count; r++) {
        const carom_rigid_body *one = &rigid_bodies->items[r];
        carom_copy(ticks->kick.middle[rigid_bodies->first_row + r], state->turn_rate[r]);
        carom_copy(ticks->kick.middle[one->centre], state->v[one->centre]);
        for (int j = 0; j < carom_rigid_body_size(one); j++) {
            int k = carom_rigid_body_node(one, j);
            double arm[3], u[3];
            carom_difference(state->x[k], state->x[one->centre], arm);
            carom_cross(state->turn_rate[r], arm, u);
            for (int i = 0; i < 3; i++)
                state->v[k][i] = state->v[one->centre][i] + u[i];
        }
    }
    for (int j = 0; j < ticks->rigid_node_count; j++) {
        int k = ticks->rigid_nodes[j];
        double load[3], moment[3];
        for (int i = 0; i < 3; i++)
            load[i] = model->loaded ? h * model->load[k][i] : 0;
        carom_cross(state->x[k], load, moment);
        carom_add_scaled(1, load, sum->impulse);
        carom_add_scaled(1, moment, sum->angular_impulse);
    }
    carom_ticks_subtract_half_accounts(&ticks->rigid.given, sum);
    carom_ticks_springs_velocities(ticks, state, sum);
}

// The term of a body with a joint, tied parts or springs, by the energy V + 1/2 w.M(w - k) that leapfrog conserves, with k the
// kick of the forces and joints. It is less than the energy by 1/8 k.Mk, which is not constant here.
static void add_varying(const carom_ticks *ticks, const carom_state *state, int r, const double (*impulse)[3],
                        carom_exact *sum) {
    const carom_model *model = state->model;
    const double(*w)[3] = (carom_const_vectors)ticks->flight->w;
    const carom_rigid_body *one = &ticks->rigid.rigid_bodies.items[r];
    const double *v = state->v[one->mass_node], *u = w[one->mass_node];
    carom_exact_add(sum, carom_rigid_kick_oscillation(&ticks->rigid, r, w));
    for (int i = 0; i < 3; i++)
        carom_exact_add(sum, 0.5 * one->mass * (v[i] * v[i] - u[i] * u[i]));
    for (int i = 0; i <= carom_rigid_body_size(one) && model->loaded; i++) {
        int k = i < carom_rigid_body_size(one) ? carom_rigid_body_node(one, i) : one->centre;
        carom_exact_add(sum, 0.5 * ticks->memory->step * carom_dot(w[k], model->load[k]));
    }
    for (int i = 0; i <= carom_rigid_body_size(one); i++) {
        int k = i < carom_rigid_body_size(one) ? carom_rigid_body_node(one, i) : one->centre;
        carom_exact_add(sum, 0.5 * carom_dot(w[k], impulse[k]));
    }
}

// With w the velocity after a kick of length h by the force f, leapfrog conserves V + 1/2 m w.(w - h f/m) and, for a constant
// force, also that plus h^2 f^2/(8 m), which is the energy itself.
void carom_ticks_rigid_oscillation(const carom_ticks *ticks, const carom_state *state, const double (*impulse)[3],
                                   carom_exact *sum) {
    const carom_model *model = state->model;
    const double(*w)[3] = (carom_const_vectors)ticks->flight->w;
    double h = ticks->memory->step;
    if (ticks->held_start)
        carom_exact_add(sum, -*ticks->held_start);
    for (int r = 0; r < ticks->rigid.rigid_bodies.count; r++) {
        const carom_rigid_body *one = &ticks->rigid.rigid_bodies.items[r];
        if (forces_vary(ticks, r)) {
            add_varying(ticks, state, r, impulse, sum);
            continue;
        }
        const double *v = state->v[one->centre], *u = w[one->centre], *W = w[ticks->rigid.rigid_bodies.first_row + r];
        double f[3] = {0}, moment[3] = {0}, axes[3];
        for (int k = one->node_begin; k <= one->centre && model->loaded; k++) {
            double arm[3], turn[3];
            carom_difference(state->x[k], state->x[one->centre], arm);
            carom_cross(arm, model->load[k], turn);
            carom_add_scaled(1, model->load[k], f);
            carom_add_scaled(1, turn, moment);
        }
        carom_exact_add(sum, carom_rigid_kick_oscillation(&ticks->rigid, r, w));
        for (int i = 0; i < 3; i++) {
            carom_exact_add(sum, 0.5 * one->mass * (v[i] * v[i] - u[i] * u[i]));
            carom_exact_add(sum, 0.5 * h * (u[i] * f[i] + W[i] * moment[i]) - 0.125 * h * h * f[i] * f[i] / one->mass);
        }
        carom_mat3_apply_transposed((carom_const_vectors)state->turned[r], moment, axes);
        for (int i = 0; i < 3; i++)
            carom_exact_add(sum, -0.125 * h * h * axes[i] * axes[i] / one->inertia[i]);
    }
}
