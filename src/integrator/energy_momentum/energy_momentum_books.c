// SPDX-License-Identifier: MIT
// Entries of the energy-momentum method in the energy ledger. Forces of a substep act at the middle positions, the impulses of
// the velocity update at the positions of its end. The paper is that of docs/theory/energy_momentum.md (Love, Laursen 2003).
#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "integrator/energy_momentum/workspace.h"
#include "model/motion/damping.h"
#include "model/motion/obstacle_motion.h"
#include "model/state/ledger.h"

static const double nothing[3] = {0};

// Tangential tractions below this fraction of the Coulomb bound are rounding.
static const double rounding = 1e-12;

void carom_energy_momentum_book_outside(carom_stepper *stepper, carom_state *state, double h) {
    carom_energy_momentum_workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    const carom_balance *b = &s->balance;
    const carom_energy_momentum_params *p = carom_energy_momentum_params_of(stepper);
    bool newmark = p->scheme == CAROM_EM_NEWMARK;
    carom_const_vectors middle = (carom_const_vectors)b->middle;
    for (int k = 0; model->loaded && k < model->node_count; k++) {
        double impulse[3] = {0};
        // constant loads have a potential, so their work is not recorded
        carom_add_scaled(h, model->load[k], impulse);
        carom_ledger_record_external(state, middle[k], impulse, nothing, 0);
    }
    for (int i = 0; i < model->live.node_count; i++) {
        int k = model->live.nodes[i];
        double impulse[3] = {0};
        carom_add_scaled(h, b->live[k], impulse);
        // the force at the middle does exactly the work f.u
        carom_ledger_record_external(state, middle[k], impulse, nothing, carom_dot(b->live[k], b->u[k]));
    }
    carom_exact *damping = &state->books.booked.of[CAROM_ACCOUNT_DAMPING];
    for (int k = 0; model->mass_damping && k < model->node_count; k++) {
        double impulse[3] = {0}, a = model->mass_damping[k];
        if (!(a > 0))
            continue;
        carom_add_scaled(-a * model->mass[k], b->u[k], impulse);
        carom_ledger_record_external(state, middle[k], impulse, nothing, 0);
        // the work of the force -a m u/h along u
        carom_exact_add(damping, a * model->mass[k] * carom_dot(b->u[k], b->u[k]) / h);
    }

    // the impulse of a restraint is the change of momentum less the impulses of all other forces
    for (int r = 0; r < b->restraints.count; r++) {
        int k = b->restraints.items[r].node;
        // obstacles have no momentum
        double m = model->mass[k] > CAROM_MASSLESS ? model->mass[k] : 0, impulse[3], couple[3], mean[3], work, f[3],
               a = carom_model_mass_damping(model, k);
        for (int i = 0; i < 3; i++) {
            f[i] = b->force[k][i] - a * m * b->u[k][i] / h + (b->tie_force ? b->tie_force[k][i] : 0);
            if (newmark)
                // the mean of the accelerations at both ends, with the weights of Newmark's velocities
                f[i] = p->gamma * f[i] + (1 - p->gamma) * m * b->a0[k][i];
            impulse[i] = m * (s->v[k][i] - b->v0[k][i]) - h * f[i];
            mean[i] = 0.5 * m * (s->v[k][i] + b->v0[k][i]);
        }
        // the change of kinetic energy of the node less the work of all other forces
        work = 0.5 * m * (carom_dot(s->v[k], s->v[k]) - carom_dot(b->v0[k], b->v0[k])) - carom_dot(f, b->u[k]);
        // angular momentum changes by the moment of the impulse at the middle and by u x m (v0 + v1)/2, which vanishes for free
        // nodes, whose mean velocity is along u
        carom_cross(b->u[k], mean, couple);
        carom_ledger_record_external(state, middle[k], impulse, couple, work);
    }
}

// A point of the velocity update of the paper, along the whole traction: returns c_l = h area D_l + f_l.u, with the dissipation
// D_l by friction per area and time, the contact forces f_l and the displacements u. -c_l is the energy to be restored.
static double list_whole(carom_energy_momentum_workspace *s, int i, double h, carom_update_point *point) {
    const carom_quadrature_point *p = &s->contact.points[i];
    const carom_traction *t = &s->contact.tractions[i];
    double energy = h * p->area * t->dissipation;
    for (int a = 0; a < carom_quadrature_nodes(p); a++)
        energy += carom_dot(t->force[a], s->balance.u[p->node[a]]);
    point->force = (carom_const_vectors)t->after;
    return energy;
}

// A point of Coulomb's update: the normal traction t_N, with c_l = -area t_N h v_N for the mean rate v_N at which the overlap
// grows, which is returned, and the tangential traction separately. All work of the latter is friction, also at sticking
// points, where it is lost to creep.
static double list_parts(carom_energy_momentum_workspace *s, int i, double h, carom_update_point *point,
                         carom_update_slip *slip) {
    const carom_quadrature_point *p = &s->contact.points[i];
    const carom_traction *t = &s->contact.tractions[i];
    // a tangential traction at the level of rounding has no direction
    bool drags = t->size > rounding * p->friction * t->normal;
    point->force = (carom_const_vectors)t->press;
    *slip = (carom_update_slip){.force = (carom_const_vectors)t->drag,
                                .cone = drags ? fmax(p->friction * t->normal / t->size, 1) : 0,
                                .taken = h * p->area * t->power,
                                .slips = t->slips};
    return -p->area * t->normal * t->rate;
}

// With multipliers that have not converged, tangential tractions may add energy at some points. This is subtracted from the
// losses of the other points, in proportion, so that friction is the total work; *gained grows by the rest.
static void net_friction(carom_energy_momentum_workspace *s, int count, double *gained) {
    double taken = 0, given = 0;
    for (int l = 0; l < count; l++) {
        taken += fmax(s->slips[l].taken, 0);
        given -= fmin(s->slips[l].taken, 0);
    }
    double share = taken > 0 ? fmin(given / taken, 1) : 0;
    for (int l = 0; l < count; l++)
        s->slips[l].taken = (1 - share) * fmax(s->slips[l].taken, 0);
    *gained += given - share * taken;
}

// Subtracts energy that points have added from the creep of sticking points, which is a loss by the regularisation too.
static void subtract_from_creep(carom_energy_momentum_workspace *s, int count, double *gained) {
    double creep = 0;
    for (int l = 0; l < count; l++)
        creep += s->contact.tractions[s->index[l]].slips ? 0 : s->slips[l].taken;
    double share = creep > 0 ? fmin(*gained / creep, 1) : 0;
    for (int l = 0; l < count; l++)
        if (!s->contact.tractions[s->index[l]].slips)
            s->slips[l].taken *= 1 - share;
    *gained -= share * creep;
}

int carom_energy_momentum_list_points(carom_energy_momentum_workspace *s, double h, double *gained) {
    const carom_implicit_contact *contact = &s->contact;
    int count = 0;
    double taken = 0;
    *gained = 0;
    for (int i = 0; i < contact->count; i++) {
        const carom_quadrature_point *p = &contact->points[i];
        if (!(contact->tractions[i].normal > 0))
            continue;
        carom_update_point *point = &s->points[count];
        *point = (carom_update_point){.count = carom_quadrature_nodes(p), .node = p->node};
        double energy = s->coulomb ? list_parts(s, i, h, point, &s->slips[count]) : list_whole(s, i, h, point);
        // with multipliers a point can add energy while the passes have not converged
        *gained += fmax(energy, 0);
        taken -= fmin(energy, 0);
        point->energy = fmin(energy, 0);
        s->index[count++] = i;
    }
    if (s->coulomb)
        net_friction(s, count, gained);
    // the other points then restore less, in proportion
    double share = taken > 0 ? fmin(*gained / taken, 1) : 0;
    for (int l = 0; l < count; l++)
        s->points[l].energy *= 1 - share;
    *gained -= share * taken;
    if (s->coulomb)
        subtract_from_creep(s, count, gained);
    return count;
}

// Adds an impulse at a position to those on the ground.
static void take(carom_ground *ground, const double impulse[3], const double place[3]) {
    double moment[3];
    carom_add_scaled(1, impulse, ground->impulse);
    carom_cross(place, impulse, moment);
    carom_add_scaled(1, moment, ground->moment);
}

// The impulse of one point in a substep, as a hit of the ledger.
static carom_hit hit_of(const carom_stepper *stepper, int l, double h, double time, double (*impulses)[3]) {
    const carom_energy_momentum_workspace *s = stepper->workspace;
    const carom_update_point *update = &s->points[l];
    const carom_quadrature_point *p = &s->contact.points[s->index[l]];
    const carom_traction *t = &s->contact.tractions[s->index[l]];
    const carom_update_slip *slip = s->coulomb ? &s->slips[l] : NULL;
    // the mean rate of the gap over the step is positive if the sides separate
    carom_hit hit = {.time = time,
                     .rate = -t->rate / h,
                     .friction = slip ? slip->taken + slip->work : h * p->area * t->dissipation,
                     .slips = slip ? slip->slips : t->slips,
                     .contact = {.kind = p->corners == 2 ? CAROM_CONTACT_NODE_SEGMENT : CAROM_CONTACT_NODE_FACE,
                                 .body = {p->body[0], p->body[1]}}};
    // the normal points from the first body to the second, from a plane to the body on it
    bool plane = p->body[1] < 0, frame = p->corners == 0, obstacle_first = carom_poses_has(&stepper->model->poses, p->body[0]);
    double sign = frame || obstacle_first ? 1 : -1;
    // an obstacle is the second body, whichever side has the points, so that the pair has one record
    if (obstacle_first) {
        hit.contact.body[0] = p->body[1];
        hit.contact.body[1] = p->body[0];
    }
    for (int i = 0; i < 3; i++)
        hit.contact.normal[i] = sign * t->m[i];
    if (frame) {
        hit.contact.kind = plane ? CAROM_CONTACT_NODE_PLANE : CAROM_CONTACT_END_END;
        hit.contact.offset = p->offset;
    }
    hit.spot.gap = -t->gap;
    carom_copy(t->place, hit.spot.point);

    for (int a = 0; a < update->count; a++) {
        int k = p->node[a];
        // forces of the balance act at the middle positions, impulses of the update at the end
        double *J = impulses[a], late[3] = {0};
        memset(J, 0, 3 * sizeof *J);
        carom_add_scaled(h, t->force[a], J);
        carom_add_scaled(update->factor, update->force[a], late);
        if (slip)
            carom_add_scaled(-slip->factor, slip->force[a], late);
        if (plane) {
            take(&hit.ground, J, s->balance.middle[k]);
            take(&hit.ground, late, s->balance.x1[k]);
        }
        carom_add_scaled(1, late, J);
        // the component of the update along restrained directions acts on the ground
        const carom_restraint *r = carom_restraint_of(&s->balance.restraints, k);
        if (r) {
            double lost[3], part[3];
            carom_copy(late, part);
            carom_restraint_project(r, part);
            carom_difference(part, late, lost);
            // Coulomb's update includes prescribed velocities, with which the restraint does work
            if (slip)
                hit.ground.work += carom_dot(lost, r->velocity);
            take(&hit.ground, lost, s->balance.x1[k]);
        }
        // sums the impulse on the second side, or on the first one if the second is a plane
        bool counts = plane || (frame ? p->N[a] > 0 : obstacle_first == (a < p->slave_count));
        if (counts)
            carom_add_scaled(1, J, hit.impulse);
    }
    hit.normal = carom_dot(hit.contact.normal, hit.impulse);
    return hit;
}

carom_status carom_energy_momentum_book_contact(carom_stepper *stepper, carom_state *state, int count, double h, double time,
                                                double lost, carom_error *error) {
    carom_energy_momentum_workspace *s = stepper->workspace;
    s->hits.count = 0;
    for (int l = 0; l < count; l++) {
        double impulses[CAROM_QUADRATURE_NODES][3];
        carom_hit hit = hit_of(stepper, l, h, time, impulses);
        for (int a = 0; a < s->points[l].count; a++)
            carom_add_scaled(1, impulses[a], state->impulse[s->points[l].node[a]]);
        carom_hits_add(&s->hits, &hit);
    }
    if (s->hits.failed)
        return carom_no_memory(error, "contacts");
    carom_ledger_record_hits(state, &stepper->observer, s->hits.items, s->hits.count, 0, state->step + 1);
    carom_exact_add(&state->books.booked.of[CAROM_ACCOUNT_PROJECTION], lost);
    return CAROM_OK;
}
