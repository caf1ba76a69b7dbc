// SPDX-License-Identifier: MIT
// Resolves contact during a drift (nodes move straight) and at the kick after it (velocity update by forces) for explicit
// methods: memory, messages, and the order of the calls to src/contact.
#include "integrator/contact_step.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "model/limits.h"
#include "model/motion/obstacle_motion.h"
#include "model/watch/closing.h"

bool carom_contact_step_bounces(const carom_model *model, bool drifts) {
    bool any = carom_impacts_are_repaid(model->laws.general);
    for (int i = 0; i < model->laws.count; i++)
        any = any || carom_impacts_are_repaid(model->laws.exceptions[i].law);
    return any && drifts;
}

bool carom_contact_step_bounced(const carom_contact_step *contact, const carom_neighbours *neighbours, int begin) {
    const carom_hits *hits = &contact->impacts.hits;
    for (int h = begin; h < hits->count; h++)
        if (!hits->items[h].stops && carom_impacts_are_repaid(carom_neighbours_law(neighbours, &hits->items[h].contact)))
            return true;
    return false;
}

// Registers the velocity changes by the last kick. Contact reads them in its space, which is another array if several processes
// share the model.
static carom_vectors keep_kicks(carom_contact_step *contact, carom_state *state, const char *name) {
    carom_vectors kicks = (carom_vectors)carom_state_add_field(state, name);
    if (!kicks || contact->model == state->model)
        return kicks;
    contact->kept = kicks;
    contact->space_kicks = carom_allocate(contact->model->node_count, sizeof *contact->space_kicks);
    return contact->space_kicks;
}

carom_vectors carom_contact_step_forces(const carom_contact_step *contact) {
    return contact->impacts.forces ? contact->impacts.forces : contact->kick;
}

carom_status carom_contact_step_create(carom_contact_step *contact, const carom_model *whole, carom_state *state,
                                       const char *name, carom_error *error) {
    const carom_model *model = whole->part.space;
    bool drifts = contact->drifts || model->contact.resolve == CAROM_RESOLVE_EXACT;
    *contact = (carom_contact_step){.model = model, .drifts = drifts};
    int rows = carom_model_row_count(model);
    carom_status status = carom_drift_reserve(&contact->drift, rows, model->candidates.count, error);
    if (!status)
        status = carom_impacts_reserve(&contact->impacts, rows, error);
    if (status || !carom_contact_step_bounces(model, drifts))
        return status;
    contact->impacts.forces = keep_kicks(contact, state, name);
    return contact->impacts.forces ? carom_repay_reserve(&contact->repay, rows, error)
                                   : carom_no_memory(error, "the integrator");
}

static carom_limits limits_of(const void *unused, const carom_state *state, int64_t i) {
    (void)unused;
    return i ? CAROM_LIMITS_NONE : (carom_limits){0, carom_debts_capacity(state->model->body_count), true};
}

carom_debts carom_contact_accounts_register(carom_state *state, const carom_model *model) {
    int capacity = carom_debts_capacity(model->body_count);
    double *numbers = carom_state_add_dormant(state, "accounts", carom_debts_buffer(capacity));
    carom_state_limit(state, numbers, limits_of, NULL);
    return (carom_debts){numbers, capacity};
}

carom_status carom_contact_step_open_accounts(carom_contact_step *contact, carom_state *state, carom_error *error) {
    if (!contact->impacts.forces)
        return CAROM_OK;
    contact->debts = carom_contact_accounts_register(state, contact->model);
    return contact->debts.numbers ? CAROM_OK : carom_no_memory(error, "the integrator");
}

carom_status carom_contact_step_measure_losses(carom_contact_step *contact, carom_state *state, carom_error *error) {
    int n = carom_model_row_count(contact->model);
    if (!contact->drifts)
        return CAROM_OK;
    contact->loss_corrections = state->method.loss_corrections =
        carom_state_add_silent(state, "unbooked losses", CAROM_LOSS_CORRECTION_NUMBERS);
    bool bounces = contact->impacts.forces;
    // kept for the ledger only
    if (!bounces)
        contact->kick = keep_kicks(contact, state, "kicks");
    if (!bounces && contact->kick)
        state->arrays[state->array_count - 1].silent = true;
    if (!contact->loss_corrections || !(bounces || contact->kick))
        return carom_no_memory(error, "the integrator");
    return bounces ? CAROM_OK : carom_repay_reserve(&contact->repay, n, error);
}

void carom_contact_step_release(carom_contact_step *contact) {
    carom_drift_release(&contact->drift);
    carom_impacts_release(&contact->impacts);
    carom_rest_release(&contact->rest);
    carom_repay_release(&contact->repay);
    free(contact->space_kicks);
    *contact = (carom_contact_step){0};
}

// True if one of two crossing bodies is rigid: only joints can move such a body into another one.
static bool crosses_by_joints(const carom_model *model, const carom_impacts *impacts) {
    for (int r = 0; r < model->rigid.count; r++)
        for (int s = 0; s < 2; s++)
            if (model->rigid.items[r].body == impacts->crossing[s])
                return true;
    return false;
}

static bool yields(const carom_model *model, int side) {
    return side >= 0 && !model->immovable[side];
}

// The message about the bodies of `crossed` or `spent`.
static carom_status report_crossing(const carom_model *model, const carom_impacts *impacts, double time, carom_error *error) {
    const int *side = impacts->crossing;
    if (impacts->crossed || (!yields(model, side[0]) && !yields(model, side[1])))
        return carom_closing_report(
            model, side, crosses_by_joints(model, impacts) ? "motions that joints leave" : "prescribed motions", time, error);
    if (!impacts->squeezes)
        return carom_fail(error, CAROM_NUMERICAL,
                          "'%s' and '%s' are pressed together at time %g until rounding decides on which side they are; "
                          "use a smaller time.step, or a larger contact.layer",
                          carom_model_side_name(model, side[0]), carom_model_side_name(model, side[1]), time);
    // the first one yields
    bool turned = !yields(model, side[0]);
    carom_error reason;
    carom_closing_report_squeezed(model, side[turned], (const int[2]){side[!turned], impacts->squeezer}, &reason);
    return carom_fail(error, CAROM_NUMERICAL, "%s at time %g", reason.message, time);
}

carom_contact_interval carom_contact_step_interval(const carom_contact_step *contact, const carom_search *search,
                                                   carom_mobility mobility, double time, double step, double kick_speed) {
    return (carom_contact_interval){.neighbours = carom_search_neighbours(search),
                                    .mobility = mobility,
                                    .node_count = contact->model->node_count,
                                    .length = contact->model->contact_length,
                                    .reach = carom_search_reach(search),
                                    .time = time,
                                    .step = step,
                                    .carry = carom_model_carry(contact->model, time, step),
                                    .kick_time = time,
                                    .kick_part = 1,
                                    .kick_after = 0.5,
                                    .last_step = step,
                                    .last_part = 1,
                                    .kick_speed = kick_speed};
}

carom_status carom_contact_step_drift(carom_contact_step *contact, const carom_contact_interval *interval, const double (*v)[3],
                                      double (*x)[3], double (*w)[3], carom_books *ledger, bool *outran, carom_error *error) {
    carom_impacts *impacts = &contact->impacts;
    carom_status status = carom_drift_run(interval, &contact->drift, v, x, w, impacts, error);
    // the names of the bodies are in the model only
    if (status && (impacts->crossed || impacts->spent))
        return report_crossing(contact->model, impacts, interval->time + interval->begin, error);
    if (status && impacts->jam > 0)
        return carom_fail(
            error, status,
            "'%s' jams against '%s' at time %g: with a friction above %.3g impulses against the sliding may press "
            "the contact instead of opening it (Painleve's paradox), and none are found with which it bounces; no "
            "step is short enough: use less friction there, or restitution: 0",
            carom_model_side_name(contact->model, impacts->crossing[0]),
            carom_model_side_name(contact->model, impacts->crossing[1]), interval->time + interval->begin, impacts->jam);
    ledger->events[CAROM_EVENT_CONTACT_SETTLED] += impacts->settled;
    ledger->events[CAROM_EVENT_CONTACT_HELD] += impacts->held;
    *outran = impacts->outran;
    return status;
}

carom_status carom_contact_step_answer(carom_contact_step *contact, const carom_contact_interval *interval,
                                       const double (*x)[3], const double (*w_before)[3], double (*w)[3], carom_error *error) {
    carom_status status = CAROM_OK;
    if (contact->impacts.forces)
        status = carom_repay_run(interval, &contact->repay, &contact->debts, contact->loss_corrections, x, w_before, w,
                                 &contact->impacts, error);
    else if (contact->kick)
        carom_repay_measure(interval, &contact->repay, contact->loss_corrections, x, w_before, (carom_const_vectors)w,
                            &contact->impacts, contact->kick);
    if (status || !contact->drifts)
        return status;
    carom_const_vectors base = w_before;
    if (contact->impacts.forces)
        base = carom_repay_base(interval, &contact->repay, &contact->impacts, w_before);
    return carom_rest_run(interval, &contact->rest, x, w_before, base, w, &contact->impacts.hits, error);
}
