// SPDX-License-Identifier: MIT
#include "integrator/contact_step.h"
#include "math/vec3.h"

// True if any two bodies bounce off each other, or off a plane, inside the drift.
static bool bounces(const carom_model *model) {
    bool any = model->laws.general.restitution > 0;
    for (int i = 0; i < model->laws.count; i++)
        any = any || model->laws.exceptions[i].law.restitution > 0;
    return any && model->contact.resolve == CAROM_RESOLVE_DRIFT;
}

carom_status carom_contact_step_create(carom_contact_step *contact, const carom_model *model, carom_mobility mobility,
                                       carom_state *state, const char *name, carom_error *error) {
    *contact = (carom_contact_step){.model = model, .mobility = mobility};
    carom_status status = carom_drift_reserve(&contact->drift, model->node_count, model->candidates.count, error);
    if (status || !bounces(model))
        return status;
    contact->kicks = (carom_vectors)carom_state_add_array(state, name, 3 * (int64_t)model->node_count);
    return contact->kicks ? carom_repay_reserve(&contact->repay, model->node_count, error)
                          : carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
}

void carom_contact_step_release(carom_contact_step *contact) {
    carom_drift_release(&contact->drift);
    carom_rest_release(&contact->rest);
    carom_repay_release(&contact->repay);
    carom_hits_release(&contact->hits);
    *contact = (carom_contact_step){0};
}

carom_status carom_contact_step_answer(carom_contact_step *contact, const carom_contact_moment *moment, double time,
                                       double part, const double (*x)[3], const double (*w_before)[3], double (*w)[3],
                                       carom_error *error) {
    const carom_model *model = contact->model;
    if (contact->kicks) {
        carom_repay repay = {
            .neighbours = moment->neighbours,
            .mobility = contact->mobility,
            .nodes = moment->nodes,
            .node_count = moment->node_count,
            .begin = moment->begin,
            .step = moment->step,
            .part = part,
        };
        carom_status status =
            carom_repay_run(&repay, &contact->repay, &contact->drift, x, w_before, contact->kicks, w, &contact->hits, error);
        if (status)
            return status;
    }
    if (model->contact.resolve != CAROM_RESOLVE_DRIFT)
        return CAROM_OK;
    carom_rest rest = {
        .neighbours = moment->neighbours,
        .mobility = contact->mobility,
        .time = time,
        .step = moment->step,
        .kick = moment->kick,
        .length = model->contact_length,
        .reach = moment->reach,
    };
    return carom_rest_run(&rest, &contact->rest, x, w_before, w, &contact->hits, error);
}

carom_status carom_contact_step_drift(carom_contact_step *contact, const carom_contact_moment *moment, bool flies,
                                      double allowance, const double (*v)[3], double (*x)[3], double (*w)[3],
                                      carom_books *books, bool *outran, carom_error *error) {
    carom_drift_counts counts = {0};
    carom_drift drift = {
        .neighbours = moment->neighbours,
        .mobility = contact->mobility,
        .nodes = moment->nodes,
        .node_count = moment->node_count,
        .time = moment->time,
        .begin = moment->begin,
        .step = moment->step,
        .flies = flies,
        .kick = moment->kick,
        .forces = (carom_const_vectors)contact->kicks,
        .allowance = allowance,
    };
    carom_status status = carom_drift_run(&drift, &contact->drift, v, x, w, &contact->hits, &counts, outran, error);
    if (status && contact->drift.crossed)
        return carom_fail(error, status, "the prescribed motions of '%s' and '%s' lead into each other at time %g",
                          contact->model->bodies[contact->drift.crossing[0]].name,
                          contact->model->bodies[contact->drift.crossing[1]].name, moment->time + moment->begin);
    books->events[CAROM_EVENT_CONTACT_SETTLED] += counts.settled;
    books->events[CAROM_EVENT_CONTACT_HELD] += counts.held;
    return status;
}
