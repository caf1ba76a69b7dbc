// SPDX-License-Identifier: MIT
// Finds the contact points of an implicit step of energy-momentum and their tractions. A site is a place that can touch: a
// quadrature point of a slave surface, or a node with a fixed normal (bar ends, point masses, nodes against planes). In a step
// each site has at most one opposite facet; the sites with one are the points of the iteration.
#include "integrator/energy_momentum/implicit_contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "contact/quadrature/obstacle_points.h"
#include "contact/quadrature/tunnelling.h"
#include "integrator/energy_momentum/model_facets.h"
#include "math/functions.h"
#include "math/vec3.h"

// Penalty over E/h: overlap is then a tenth of the compression of one element.
static const double penalty_factor = 10;

// Overlap, in units of the element size, above which the augmented Lagrangian is used.
static const double deep_overlap = 0.02;

enum {
    PARALLEL_SITES = 1024, // with fewer sites starting threads costs more than it saves
    FIND_SHARE = 64,       // sites that a thread processes at a time: small, since costly sites are next to each other
};

// The volume of a body of several densities; NaN if memory is short.
static double volume_of(const carom_model *model, const carom_body *body) {
    double sum = 0;
    for (int b = body->block_begin; b < body->block_begin + body->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        double *volume = carom_allocate(block->count, sizeof *volume);
        if (!volume)
            return NAN;
        if (block->element->volume)
            block->element->volume(block, 0, block->count, (carom_const_vectors)model->X, volume);
        for (int e = 0; e < block->count; e++) {
            const int *nodes = &block->nodes[(ptrdiff_t)e * block->node_count];
            double along[3];
            carom_difference(model->X[nodes[block->node_count - 1]], model->X[nodes[0]], along);
            // the volume of a bar is its length times its section
            sum += block->element->volume ? volume[e] : carom_block_section(block) * carom_norm(along);
        }
        free(volume);
    }
    return sum;
}

// The block of a body with the stiffest material, so that overlaps are small everywhere. *mixed: densities differ.
static const carom_block *stiffest_of(const carom_model *model, const carom_body *body, bool *mixed) {
    const carom_block *first = &model->blocks[body->block_begin], *stiffest = first;
    *mixed = false;
    for (int b = 1; b < body->block_count; b++) {
        const carom_block *block = &first[b];
        if (!block->material || !first->material)
            continue;
        *mixed = *mixed || block->material->density(block->material_params) != first->material->density(first->material_params);
        if (block->material->young && stiffest->material->young &&
            block->material->young(block->material_params) > stiffest->material->young(stiffest->material_params))
            stiffest = block;
    }
    return stiffest;
}

// Sets E/h and the element size h of each body; returns the smallest volume over surface, NaN if memory is short.
static double measure_bodies(carom_implicit_contact *contact, const double *surface) {
    const carom_model *model = contact->model;
    double thinnest = HUGE_VAL;
    for (int b = 0; b < model->body_count; b++) {
        const carom_body *body = &model->bodies[b];
        const carom_block *block = &model->blocks[body->block_begin];
        int elements = 0, dimension = carom_cell_dimension(block->element->cell);
        for (int i = 0; i < body->block_count; i++)
            elements += carom_block_has_cells(&block[i]) ? block[i].count : 0;
        // point masses and bodies without a material keep size and stiffness 0
        if (!block->material || dimension == 0)
            continue;
        bool mixed;
        block = stiffest_of(model, body, &mixed);
        double volume = mixed ? volume_of(model, body) : body->mass / block->material->density(block->material_params);
        if (isnan(volume))
            return NAN;
        // an element is a cube, square or segment of the mean size
        double h = carom_pow(volume / carom_block_section(block) / elements, 1.0 / dimension);
        contact->size[b] = h;
        if (block->material->young)
            contact->stiffness[b] = block->material->young(block->material_params) / h;
        if (surface[b] > 0)
            thinnest = fmin(thinnest, volume / surface[b]);
    }
    return thinnest;
}

// Penalty between two sides, by the softer one; without elasticity, by inertia within a step.
static double penalty_of(const carom_implicit_contact *contact, const int body[2], double mass, double area) {
    if (!isnan(contact->def.penalty))
        return contact->def.penalty;
    double least = HUGE_VAL;
    for (int side = 0; side < 2; side++)
        if (body[side] >= 0 && contact->stiffness[body[side]] > 0)
            least = fmin(least, contact->stiffness[body[side]]);
    double step = contact->rule.step;
    // force per overlap and area; m/h^2 is the stiffness that moves a mass m within one step
    return penalty_factor * (isfinite(least) ? least : mass / (step * step * area));
}

// Tangents of a plane, by the cross product with the axis most perpendicular to the normal, which cannot vanish.
static void set_tangents(carom_quadrature_point *p) {
    int least = 0;
    for (int i = 1; i < 3; i++)
        least = fabs(p->normal[i]) < fabs(p->normal[least]) ? i : least;
    double axis[3] = {least == 0, least == 1, least == 2};
    carom_cross(p->normal, axis, p->tangent[0]);
    carom_normalize(p->tangent[0]);
    carom_cross(p->normal, p->tangent[0], p->tangent[1]);
}

// Lists end points of bars, point masses and nodes against planes, whose normals never change.
static carom_status find_frames(carom_implicit_contact *contact, const double *node_area, carom_error *error) {
    const carom_model *model = contact->model;
    bool enough = true;
    contact->frames = carom_arena_reserve(contact->memory, model->candidates.count, sizeof *contact->frames, &enough);
    if (!enough)
        return carom_no_memory(error, "contact");
    for (int c = 0; c < model->candidates.count; c++) {
        const carom_contact *item = &model->candidates.items[c];
        carom_quadrature_point *p = &contact->frames[contact->frame_count++];
        *p = (carom_quadrature_point){
            .slave_count = item->count, .offset = item->offset, .body = {item->body[0], item->body[1]}};
        memcpy(p->node, item->node, (size_t)item->count * sizeof *p->node);
        memcpy(p->N, item->weight, sizeof p->N);
        carom_copy(item->normal, p->normal);
        // the area is that of the faces at a node of a surface, the section of a bar, or 1 for a point mass
        p->area = node_area[item->node[0]] > 0 ? node_area[item->node[0]] : carom_model_section_of(model, item->body[0]);
        if (item->kind == CAROM_CONTACT_NODE_PLANE) {
            set_tangents(p);
            p->friction = carom_contact_law_of(&model->laws, p->body).friction;
        }
    }
    return CAROM_OK;
}

// Adds the areas of facets to those of bodies and of nodes.
static void add_areas(const carom_implicit_contact *contact, double *surface, double *node_area) {
    const carom_facets *facets = &contact->facets;
    for (int f = 0; f < facets->count; f++) {
        double area[4];
        carom_facet_areas(facets, f, (carom_const_vectors)contact->model->X, area);
        for (int a = 0; a < facets->corners[f]; a++) {
            surface[facets->body[f]] += area[a];
            node_area[facets->nodes[f][a]] += area[a];
        }
    }
}

// A point mass gets the mean area of the nodes of surfaces.
static void share_areas(carom_implicit_contact *contact, const double *node_area) {
    carom_facets *facets = &contact->facets;
    double sum = 0;
    int nodes = 0;
    for (int k = 0; k < contact->model->node_count; k++) {
        sum += node_area[k];
        nodes += node_area[k] > 0;
    }
    for (int f = facets->count; f < facets->count + facets->point_count; f++)
        if (contact->model->bodies[facets->body[f]].node_count == 1)
            facets->thickness[f] = sum / nodes;
}

static carom_status prepare(carom_implicit_contact *contact, double *surface, double *node_area, carom_error *error) {
    const carom_model *model = contact->model;
    carom_status status = carom_model_facets(contact->model, &contact->facets, error);
    if (status)
        return status;
    add_areas(contact, surface, node_area);
    share_areas(contact, node_area);
    double thinnest = measure_bodies(contact, surface);
    if (isnan(thinnest))
        return carom_no_memory(error, "contact");
    // obstacles have no volume: where nothing else has a surface, the shortest side of a face is a measure of the thinnest
    if (!isfinite(thinnest) && model->surface.face_count)
        thinnest = 0.5 * model->surface_length;
    if (isnan(contact->def.reach))
        contact->def.reach = thinnest;
    status = find_frames(contact, node_area, error);
    if (!status)
        status = carom_pairing_create(&contact->facets, &model->exclusions, contact->def.slave, contact->def.quadrature,
                                      contact->def.reach, (carom_const_vectors)model->X, &contact->pairing, error);
    return status;
}

carom_status carom_implicit_contact_create(const carom_model *model, const carom_implicit_contact_def *def, double step,
                                           carom_implicit_contact *contact, carom_error *error) {
    *contact = (carom_implicit_contact){
        .model = model,
        .def = *def,
        .rule = {.step = step, .thickness = model->contact.thickness, .plain = def->plain},
        .softening = 1,
    };
    if (!model->contact.enabled)
        return CAROM_OK;
    double *surface = carom_allocate(model->body_count, sizeof *surface);
    double *node_area = carom_allocate(model->node_count, sizeof *node_area);
    contact->memory = carom_arena_create();
    bool enough = contact->memory;
    contact->stiffness = carom_arena_reserve(contact->memory, model->body_count, sizeof *contact->stiffness, &enough);
    contact->size = carom_arena_reserve(contact->memory, model->body_count, sizeof *contact->size, &enough);
    carom_status status =
        surface && node_area && enough ? prepare(contact, surface, node_area, error) : carom_no_memory(error, "contact");
    free(surface);
    free(node_area);
    if (status)
        return status;
    // nodes with fixed normals first, then the points of surfaces
    int sites = contact->frame_count + contact->pairing.point_count;
    contact->site_count = sites;
    contact->met = carom_arena_reserve(contact->memory, sites, sizeof *contact->met, &enough);
    contact->meets = carom_arena_reserve(contact->memory, sites, sizeof *contact->meets, &enough);
    contact->multipliers = carom_arena_reserve(contact->memory, sites, sizeof *contact->multipliers, &enough);
    contact->points = carom_arena_reserve(contact->memory, sites, sizeof *contact->points, &enough);
    contact->tractions = carom_arena_reserve(contact->memory, sites, sizeof *contact->tractions, &enough);
    contact->site = carom_arena_reserve(contact->memory, sites, sizeof *contact->site, &enough);
    return enough ? CAROM_OK : carom_no_memory(error, "contact");
}

void carom_implicit_contact_release(carom_implicit_contact *contact) {
    carom_pairing_release(&contact->pairing);
    carom_facets_release(&contact->facets);
    carom_arena_release(contact->memory);
    *contact = (carom_implicit_contact){0};
}

// Clears the multipliers of the last step: they would act where there is no contact any more.
void carom_implicit_contact_begin(carom_implicit_contact *contact, double step, const double (*x0)[3], const double (*v0)[3]) {
    contact->v0 = v0;
    contact->rule.step = step;
    contact->pairing.start = x0;
    contact->softening = 1;
    contact->count = 0;
    for (int i = 0; i < contact->site_count; i++) {
        contact->met[i] = -1;
        memset(contact->multipliers[i], 0, sizeof contact->multipliers[i]);
    }
}

// The point of a site with a facet of another surface.
static carom_quadrature_point meet(const carom_implicit_contact *contact, int point, int facet) {
    const carom_slave_point *slave = &contact->pairing.points[point];
    const carom_facets *facets = &contact->facets;
    carom_quadrature_point p = {
        .slave_count = slave->count,
        .corners = facets->corners[facet],
        .area = slave->area,
        .body = {slave->body, facets->body[facet]},
    };
    if (point >= contact->pairing.feelers_begin) {
        double share[4];
        carom_facet_areas(facets, facet, (carom_const_vectors)contact->model->X, share);
        p.area = carom_feeler_area(&facets->feelers[point - contact->pairing.feelers_begin],
                                   share[0] + share[1] + share[2] + share[3]);
    }
    memcpy(p.N, slave->N, sizeof p.N);
    memcpy(p.node, slave->node, (size_t)slave->count * sizeof *p.node);
    memcpy(p.node + slave->count, facets->nodes[facet], (size_t)p.corners * sizeof *p.node);
    p.friction = carom_contact_law_of(&contact->model->laws, p.body).friction;
    return p;
}

// Sets a coefficient of friction that depends on the slip speed, by that at the beginning of the step.
static void set_friction(const carom_implicit_contact *contact, carom_quadrature_point *p) {
    carom_contact_law law = carom_contact_law_of(&contact->model->laws, p->body);
    if (p->friction > 0 && carom_contact_law_varies(&law))
        p->friction = carom_contact_law_friction(&law, carom_quadrature_slide(p, contact->pairing.start, contact->v0));
}

// True if neither body can move: there is no contact between them.
static bool is_idle(const carom_model *model, const int body[2]) {
    return model->immovable[body[0]] && (body[1] < 0 || model->immovable[body[1]]);
}

carom_status carom_implicit_contact_pair(carom_implicit_contact *contact, const double (*x)[3], bool *changed,
                                         carom_error *error) {
    const carom_model *model = contact->model;
    *changed = false;
    if (contact->site_count == 0)
        return CAROM_OK;
    carom_status status = carom_pairing_search(&contact->pairing, x, error);
    if (status)
        return status;
    int before = contact->count;
    contact->count = 0;
    // sites with fixed normals always have their one counterpart, as facet 0; the others have the facet found by the pairing
#pragma omp parallel for schedule(dynamic, FIND_SHARE) if (contact->site_count > PARALLEL_SITES)
    for (int s = 0; s < contact->site_count; s++)
        contact->meets[s] = s < contact->frame_count ? 0 : carom_pairing_find(&contact->pairing, s - contact->frame_count, x);
    for (int s = 0; s < contact->site_count; s++) {
        int point = s - contact->frame_count, facet = contact->meets[s];
        if (facet != contact->met[s]) {
            *changed = true;
            // tangential multipliers refer to the axes of a facet
            contact->multipliers[s][1] = contact->multipliers[s][2] = 0;
        }
        contact->met[s] = facet;
        if (facet < 0)
            continue;
        carom_quadrature_point p = point < 0 ? contact->frames[s] : meet(contact, point, facet);
        if (is_idle(model, p.body))
            continue;
        set_friction(contact, &p);
        // without elasticity the lightest slave node with a mass determines the penalty, or else the first other such node
        double mass = HUGE_VAL;
        for (int k = 0; k < carom_quadrature_nodes(&p); k++)
            if ((k < p.slave_count || isinf(mass)) && model->mass[p.node[k]] > CAROM_MASSLESS)
                mass = fmin(mass, model->mass[p.node[k]]);
        // softening s scales the normal penalty by sqrt(s) and the tangential one by s
        p.penalty = penalty_of(contact, p.body, mass, p.area) * sqrt(contact->softening);
        p.tangential = isnan(contact->def.tangential) ? p.penalty * sqrt(contact->softening) * contact->rule.step
                                                      : contact->def.tangential * contact->softening;
        p.multiplier = contact->multipliers[s][0];
        p.multiplier_t[0] = contact->multipliers[s][1];
        p.multiplier_t[1] = contact->multipliers[s][2];
        contact->site[contact->count] = s;
        contact->points[contact->count++] = p;
    }
    *changed = *changed || contact->count != before;
    return CAROM_OK;
}

void carom_implicit_contact_force(carom_implicit_contact *contact, const double (*x0)[3], const double (*x1)[3],
                                  double (*force)[3]) {
#pragma omp parallel for schedule(static) if (contact->count > 256)
    for (int i = 0; i < contact->count; i++)
        // points are independent; their forces are added in order by one thread
        carom_quadrature_traction(&contact->points[i], &contact->rule, x0, x1, &contact->tractions[i]);
    for (int i = 0; i < contact->count; i++) {
        const carom_quadrature_point *p = &contact->points[i];
        const carom_traction *t = &contact->tractions[i];
        // open points have tractions, for the pairing and the pattern of the matrix, but no force
        for (int a = 0; t->normal > 0 && a < carom_quadrature_nodes(p); a++)
            carom_add_scaled(1, t->force[a], force[p->node[a]]);
    }
}

double carom_implicit_contact_augment(carom_implicit_contact *contact) {
    double change = 0, largest = 0;
    for (int i = 0; i < contact->count; i++) {
        carom_quadrature_point *p = &contact->points[i];
        const carom_traction *t = &contact->tractions[i];
        double *l = contact->multipliers[contact->site[i]];
        // Uzawa: the traction of this pass is the multiplier of the next one
        change = fmax(change, fabs(t->normal - l[0]));
        largest = fmax(largest, t->normal);
        // tangential multipliers that would do positive work on slip are dropped
        bool pulls = t->tangential[0] * t->slip[0] + t->tangential[1] * t->slip[1] >= 0;
        l[0] = p->multiplier = t->normal;
        for (int a = 0; a < 2; a++)
            l[1 + a] = p->multiplier_t[a] = pulls && t->normal > 0 ? t->tangential[a] : 0;
    }
    // relative to the largest traction, so that the test does not depend on units
    return largest > 0 ? change / largest : 0;
}

carom_status carom_implicit_contact_tunnelling(carom_implicit_contact *contact, const double (*x0)[3], const double (*x1)[3],
                                               double *depth, int bodies[2], carom_error *error) {
    const carom_model *model = contact->model;
    *depth = 0;
    if (contact->facets.count == 0)
        return CAROM_OK;
    return carom_surface_tunnelling(&contact->pairing.tree, &model->exclusions, model->immovable, x0, x1, contact->def.reach,
                                    depth, bodies, error);
}

carom_sheet_fault carom_implicit_contact_sides(const carom_implicit_contact *contact, const double (*x0)[3],
                                               const double (*x1)[3], int bodies[2]) {
    return contact->site_count ? carom_sheets_check(&contact->pairing, x0, x1, bodies) : CAROM_SHEET_HOLDS;
}

bool carom_implicit_contact_is_deep(const carom_implicit_contact *contact) {
    for (int i = 0; i < contact->count; i++) {
        double h = HUGE_VAL;
        for (int side = 0; side < 2; side++) {
            int body = contact->points[i].body[side];
            if (body >= 0 && contact->size[body] > 0)
                h = fmin(h, contact->size[body]);
        }
        if (contact->tractions[i].normal > 0 && contact->tractions[i].gap > deep_overlap * h)
            return true;
    }
    return false;
}

double carom_implicit_contact_overlap(const carom_implicit_contact *contact) {
    double overlap = 0;
    for (int i = 0; i < contact->count; i++)
        overlap = fmax(overlap, contact->tractions[i].gap);
    return overlap;
}
