// SPDX-License-Identifier: MIT
// Completes elastic impacts on tied nodes by a further impulse (tie_repay.h). A unit impulse along n at a contact, with weights
// c on its nodes, gives all nodes the velocities y = P M^-1 c, P the projection onto velocities that the ties allow. With the
// impulse J the velocities after the kick are w + J y, and all impulses other than those of forces with a potential have done
// the work
//
//     -L + J u + J^2 A / 2,   u = y.M (w_- + w)/2,   A = c.y,
//
// w_- before the kick, w after the impulses of the ties, L the energy that these removed: G y = 0, so they do no work on y.
// The larger root J for which this work equals the loss by restitution gives the constrained rate of the contact that the law
// requires: for one contact V^2 + 2 A L = u_0^2, V the rate after the ties have closed, u_0 that of the approach.
//
// A side on a rigid body is in no tie. Its rows of y are the response of the body, and its part of y.M w is the rate of w
// there.
#include "integrator/tie_repay.h"

#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/cone.h"
#include "model/limits.h"
#include "model/state/accounts.h"

// What happens to the energy that ties remove: recorded as projection; charged to the account of a pair; or recorded as long as
// ties are open, since contacts press on them that rest, were stopped or have no restitution. Such contacts open ties in every
// kick, and that energy is no error of a bounce.
enum { UNCHARGED = 0, CHARGED = 1, PRESSED = -1 };

// Energies below this fraction of the energy that impacts reversed are rounding.
static const double rounding = 1e-12;

// Of the creditor: where the energy is charged, and two bodies, of which the second may be a plane.
static carom_limits limits_of(const void *unused, const carom_state *state, int64_t i) {
    const carom_model *model = state->model;
    (void)unused;
    return i == 0  ? (carom_limits){PRESSED, CHARGED, true}
           : i < 3 ? (carom_limits){-model->contact.plane_count, model->body_count - 1, true}
                   : CAROM_LIMITS_NONE;
}

carom_status carom_tie_repay_open(carom_tie_repay *repay, const carom_newmark_kick *kick, const carom_debts *debts,
                                  carom_state *state, carom_error *error) {
    const carom_model *model = kick->model;
    const carom_tie_rows *rows = &model->ties.rows;
    bool enough = true;
    if (!repay->tie.model || !debts->numbers)
        return CAROM_OK;
    repay->tied = carom_arena_reserve(kick->arena, model->node_count, sizeof *repay->tied, &enough);
    repay->nodes = carom_arena_reserve(kick->arena, rows->begin[rows->count], sizeof *repay->nodes, &enough);
    repay->answer = carom_arena_reserve(kick->arena, carom_model_row_count(model), sizeof *repay->answer, &enough);
    repay->push = carom_arena_reserve(kick->arena, model->node_count, sizeof *repay->push, &enough);
    repay->pushes = carom_arena_reserve(kick->arena, model->node_count, sizeof *repay->pushes, &enough);
    repay->creditor = carom_state_add_dormant(state, "tie creditor", 4);
    if (!enough || !repay->creditor)
        return carom_no_memory(error, "the integrator");
    carom_state_limit(state, repay->creditor, limits_of, NULL);
    repay->debts = debts;
    for (int i = 0; i < rows->begin[rows->count]; i++) {
        if (!repay->tied[rows->node[i]])
            repay->nodes[repay->count++] = rows->node[i];
        repay->tied[rows->node[i]] = true;
    }
    return CAROM_OK;
}

void carom_tie_repay_release(carom_tie_repay *repay) {
    carom_hits_release(&repay->hits);
    carom_tie_kick_release(&repay->tie);
    *repay = (carom_tie_repay){0};
}

static bool touches_tie(const carom_tie_repay *repay, const carom_contact *contact) {
    for (int k = 0; k < contact->count; k++)
        if (repay->tied[contact->node[k]])
            return true;
    return false;
}

// True if an impact is completed: if it touches a tie and its energy error is returned (repay.h).
static bool is_completed(const carom_tie_repay *repay, const carom_contact_interval *interval, const carom_hit *hit) {
    return hit->normal > 0 && !hit->stops && !hit->amends && touches_tie(repay, &hit->contact) &&
           carom_impacts_are_repaid(carom_neighbours_law(&interval->neighbours, &hit->contact));
}

// The contact with the weights of its nodes on rigid bodies only.
static carom_contact rigid_fraction(const carom_contact *contact) {
    carom_contact rigid = *contact;
    for (int k = 0; k < contact->count; k++)
        if (!carom_contact_has_rigid_node(contact, k))
            rigid.weight[k] = 0;
    return rigid;
}

// The velocity of that fraction in the middle of the kick, along d.
static double rigid_rate(const carom_contact *contact, const double d[3], const carom_newmark_kick *kick) {
    carom_contact rigid = rigid_fraction(contact);
    double before[3], after[3];
    if (!carom_contact_is_rigid(contact))
        return 0;
    carom_contact_velocity(&rigid, (carom_const_vectors)kick->w_before, before);
    carom_contact_velocity(&rigid, (carom_const_vectors)kick->w, after);
    return 0.5 * (carom_dot(d, before) + carom_dot(d, after));
}

// The velocity changes of all nodes and rigid bodies by a unit impulse along d at a contact.
static void find_answer(carom_tie_repay *repay, const carom_contact_interval *interval, const carom_contact *contact,
                        const double d[3]) {
    for (int i = 0; i < repay->count; i++) {
        memset(repay->answer[repay->nodes[i]], 0, sizeof *repay->answer);
        memset(repay->push[repay->nodes[i]], 0, sizeof *repay->push);
    }
    for (int k = 0; k < contact->count; k++)
        memset(repay->answer[contact->node[k]], 0, sizeof *repay->answer);
    // bodies connected by joints respond together
    const carom_rigid_bodies *rigid_bodies = interval->mobility.rigid_bodies;
    for (int r = 0; carom_contact_is_rigid(contact) && r < rigid_bodies->count; r++) {
        memset(repay->answer[rigid_bodies->items[r].centre], 0, sizeof *repay->answer);
        memset(repay->answer[rigid_bodies->first_row + r], 0, sizeof *repay->answer);
    }
    carom_contact_push(contact, interval->mobility, d, repay->answer);
    carom_projector_run(&repay->tie.projector, NULL, repay->answer, repay->push);
}

// The i-th node that this impulse moves, each node once; -1: there are no more.
static int moved_node(const carom_tie_repay *repay, const carom_contact *contact, int i) {
    if (i < repay->count)
        return repay->nodes[i];
    int left = i - repay->count;
    for (int a = 0; a < contact->count; a++)
        if (!repay->tied[contact->node[a]] && left-- == 0)
            return contact->node[a];
    return -1;
}

// y.M (w_- + w)/2 for a contact along d, rigid bodies included.
static double rate_of(const carom_tie_repay *repay, const carom_contact *contact, const double d[3],
                      const carom_newmark_kick *kick) {
    double sum = 0;
    for (int i = 0, k; (k = moved_node(repay, contact, i)) >= 0; i++)
        for (int c = 0; c < 3; c++)
            sum += 0.5 * kick->model->mass[k] * repay->answer[k][c] * (kick->w_before[k][c] + kick->w[k][c]);
    return sum + rigid_rate(contact, d, kick);
}

// Changes w to w + J y, and adds the impulses.
static void apply(carom_tie_repay *repay, const carom_contact_interval *interval, const carom_contact *contact,
                  const double d[3], double J, carom_newmark_kick *kick, carom_hit *hit) {
    carom_contact rigid = rigid_fraction(contact);
    double impulse[3] = {J * d[0], J * d[1], J * d[2]};
    for (int i = 0, k; (k = moved_node(repay, contact, i)) >= 0; i++) {
        carom_add_scaled(J, repay->answer[k], kick->w[k]);
        carom_add_scaled(J * kick->model->mass[k], repay->answer[k], repay->tie.impulse[k]);
        repay->tie.reached[k] = true;
        if (repay->tied[k])
            carom_add_scaled(J, repay->push[k], repay->pushes[k]);
    }
    if (carom_contact_is_rigid(contact))
        carom_contact_push(&rigid, interval->mobility, impulse, kick->w);
    carom_add_scaled(1, impulse, hit->impulse);
}

// Coulomb friction for the normal impulse J, opposite to the sliding velocity after it, as in repay.c.
static void rub(carom_tie_repay *repay, const carom_contact_interval *interval, carom_newmark_kick *kick, carom_hit *hit) {
    const carom_contact *contact = &hit->contact;
    carom_contact_law law = carom_neighbours_law(&interval->neighbours, contact);
    double t[3], u[3];
    if (!(law.friction > 0))
        return;
    carom_contact_velocity(contact, (carom_const_vectors)kick->w, u);
    double speed = carom_cone_slide(contact->normal, u, t);
    if (!(speed > 0))
        return;
    find_answer(repay, interval, contact, t);
    carom_contact_velocity(contact, (carom_const_vectors)repay->answer, u);
    double softness = carom_dot(u, t);
    double middle = rate_of(repay, contact, t, kick), size;
    if (carom_hit_rub(hit, &law, speed, middle, softness, &size))
        apply(repay, interval, contact, t, -size, kick, hit);
}

// Completes one impact with its share of the energy that ties have removed; returns how much of that was returned.
static double complete(carom_tie_repay *repay, const carom_contact_interval *interval, const carom_hit *impact, double energy,
                       const double (*x)[3], carom_newmark_kick *kick) {
    carom_contact contact = carom_repay_contact(&impact->contact, x);
    carom_rigid_bodies_set_sides(interval->mobility.rigid_bodies, &contact, x, (carom_const_vectors)kick->w, 0);
    double e = carom_neighbours_law(&interval->neighbours, &contact).restitution;
    double own = carom_contact_softness(&contact, interval->mobility, contact.normal);
    find_answer(repay, interval, &contact, contact.normal);
    double softness = carom_contact_rate(&contact, (carom_const_vectors)repay->answer);
    if (!(softness > 0) || !(own > 0))
        return 0;
    double u = rate_of(repay, &contact, contact.normal, kick);
    // the loss that restitution requires for the tied mass, less that of the impact of the nodes alone
    double lost = fmax(0, 0.5 * (1 - e * e) * impact->rate * impact->rate * (1 / softness - 1 / own));
    double square = u * u + 2 * softness * (energy - lost), J = (sqrt(fmax(0, square)) - u) / softness;
    if (!(J > 0))
        return 0;
    double gain = J * (u + 0.5 * softness * J);
    carom_hit hit = {.contact = contact, .time = impact->time, .rate = u, .normal = J, .restitution = lost, .amends = true};
    apply(repay, interval, &contact, contact.normal, J, kick, &hit);
    rub(repay, interval, kick, &hit);
    hit.ground = carom_contact_ground(&contact, interval->mobility, hit.impulse, x, (carom_const_vectors)kick->w, 0);
    hit.spot = carom_contact_spot(&contact, x, (carom_const_vectors)kick->w, 0);
    repay->explained += hit.restitution + hit.friction - hit.ground.work;
    carom_hits_add(&repay->hits, &hit);
    return gain + lost;
}

static double *account_of(const carom_tie_repay *repay) {
    const int body[2] = {(int)repay->creditor[1], (int)repay->creditor[2]};
    return carom_debts_account(repay->debts, body);
}

// The energy returned in advance is part of the energy that ties remove in this kick.
static void settle(carom_tie_repay *repay) {
    double *account = repay->creditor[3] != 0 ? account_of(repay) : NULL;
    repay->taken = account ? -repay->creditor[3] : 0;
    if (account)
        *account -= repay->creditor[3];
    repay->creditor[3] = 0;
}

// Includes the account of the pair of an impact in the energy to return, and charges it with what ties remove from now on.
static void take_over(carom_tie_repay *repay, const carom_contact *contact) {
    double *account = carom_debts_account(repay->debts, contact->body);
    if (!account)
        return;
    repay->taken -= *account;
    *account = 0;
    repay->creditor[0] = CHARGED;
    repay->creditor[1] = contact->body[0];
    repay->creditor[2] = contact->body[1];
}

// The energy of the motion that closes open ties, which the next kick will remove: that of the smallest velocities with
// G v = -G x/h.
static double find_closing(carom_tie_repay *repay, const carom_newmark_kick *kick) {
    double sum = 0;
    if (!repay->tie.open)
        return 0;
    for (int i = 0; i < repay->count; i++)
        memset(repay->answer[repay->nodes[i]], 0, sizeof *repay->answer);
    carom_projector_run(&repay->tie.projector, (carom_const_vectors)repay->tie.goal, repay->answer, NULL);
    for (int i = 0; i < repay->count; i++) {
        const double *v = repay->answer[repay->nodes[i]];
        sum += 0.5 * kick->model->mass[repay->nodes[i]] * carom_dot(v, v);
    }
    return sum;
}

// Completes all impacts of the drift before the kick.
static void complete_all(carom_tie_repay *repay, const carom_contact_interval *interval, const double (*x)[3],
                         carom_newmark_kick *kick, const carom_hits *hits) {
    settle(repay);
    double shares = 0;
    if (repay->creditor[0] == PRESSED && !repay->tie.open)
        repay->creditor[0] = UNCHARGED;
    for (int h = 0; h < hits->count; h++) {
        if (is_completed(repay, interval, &hits->items[h]))
            shares += hits->items[h].normal * fabs(hits->items[h].rate);
        else if (touches_tie(repay, &hits->items[h].contact))
            repay->creditor[0] = PRESSED;
    }
    if (!(shares > 0) || repay->creditor[0] == PRESSED)
        return;
    for (int h = 0; h < hits->count; h++)
        if (is_completed(repay, interval, &hits->items[h]))
            take_over(repay, &hits->items[h].contact);
    for (int i = 0; i < repay->count; i++)
        memset(repay->pushes[repay->nodes[i]], 0, sizeof *repay->pushes);
    repay->closing = find_closing(repay, kick);
    double left = carom_tie_kick_taken(&repay->tie, kick) + repay->taken + repay->closing, all = shares;
    for (int h = 0; h < hits->count; h++) {
        if (!is_completed(repay, interval, &hits->items[h]))
            continue;
        double share = hits->items[h].normal * fabs(hits->items[h].rate);
        double energy = shares > share ? left * share / shares : left;
        shares -= share;
        if (fabs(energy) > rounding * all)
            left -= complete(repay, interval, &hits->items[h], energy, x, kick);
    }
    carom_tie_kick_balance(&repay->tie, repay->pushes, x, kick);
}

void carom_tie_repay_run(carom_tie_repay *repay, const carom_contact_interval *interval, const double (*x)[3],
                         carom_newmark_kick *kick, carom_hits *hits, double h, carom_vectors other) {
    repay->hits.count = 0;
    repay->closing = repay->explained = 0;
    repay->all = hits;
    repay->begin = hits->count;
    if (repay->debts)
        complete_all(repay, interval, x, kick, hits);
    if (other)
        carom_tie_kick_add_force(&repay->tie, h, other);
}

// Charges an account with the energy that ties have removed in the kick, as far as it was not returned. Returns the energy to
// be recorded as projection instead.
static double charge(carom_tie_repay *repay, double taken, const carom_newmark_kick *kick) {
    // the work of completing impulses on rigid bodies
    for (int h = 0; h < repay->hits.count; h++)
        taken -= rigid_rate(&repay->hits.items[h].contact, repay->hits.items[h].impulse, kick);
    double rest = taken - repay->explained + repay->taken, *account = repay->creditor[0] == CHARGED ? account_of(repay) : NULL;
    // contacts that rest on a tie open it in every kick
    for (int h = repay->begin; h < repay->all->count; h++)
        if (!repay->all->items[h].amends && touches_tie(repay, &repay->all->items[h].contact))
            repay->creditor[0] = PRESSED;
    if (!account)
        return rest;
    // includes the energy returned in advance, until the next kick removes it
    *account -= rest;
    repay->creditor[3] = repay->closing;
    carom_debts_note_size(repay->debts, *account);
    return 0;
}

// Functions of the part of the kick.
static double push(void *own, carom_newmark_kick *kick, double h) {
    (void)h;
    carom_tie_kick_push(&((carom_tie_repay *)own)->tie, kick);
    return 0;
}

static void book(void *own, const carom_newmark_kick *kick, carom_state *state, double h, double after) {
    (void)h;
    carom_tie_repay *repay = own;
    double taken = carom_tie_kick_taken(&repay->tie, kick);
    if (repay->debts)
        taken = charge(repay, taken, kick);
    carom_exact_add(&state->books.booked.of[CAROM_ACCOUNT_PROJECTION], taken);
    carom_exact_add(&state->books.pending.of[CAROM_ACCOUNT_PROJECTION], after * taken);
    for (int i = 0; i < repay->hits.count; i++)
        carom_hits_add(repay->all, &repay->hits.items[i]);
}

carom_status carom_tie_repay_create(carom_tie_repay *repay, carom_newmark_kick *kick, carom_error *error) {
    *repay = (carom_tie_repay){0};
    carom_status status = carom_tie_kick_create(&repay->tie, kick, error);
    if (!status && repay->tie.model)
        carom_newmark_kick_add(kick, (carom_kick_part){.own = repay, .push = push, .book = book});
    return status;
}
