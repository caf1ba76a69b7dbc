// SPDX-License-Identifier: MIT
// A simulation driven by a loop of the calling program: run to a time, report impacts to a callback, read probes.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"
#include "model/forces/forces.h"
#include "model/model.h"
#include "output/run/output.h"
#include "output/tables/probes.h"
#include "sim/sim.h"

carom_status carom_sim_run_until(carom_sim *sim, double time, carom_error *error) {
    // no further step if the rest is only rounding of the time
    double reached = time - 1e-6 * sim->stepper.step;
    carom_status status = CAROM_OK;
    while (!status && sim->state->time < reached && !carom_sim_done(sim))
        status = carom_sim_step(sim, error);
    return status;
}

// Called for each impulse when it is recorded: passes it to the output, and queues it for the callback of the program.
static void receive_hit(void *context, const carom_state *state, const carom_hit *hit, int64_t step) {
    (void)state;
    carom_sim *sim = context;
    if (sim->output)
        carom_output_record(sim->output, carom_sim_model(sim), hit, step);
    if (sim->listener)
        carom_contacts_record(&sim->heard, hit, step);
}

// Without output and callback, impulses are not copied.
static void set_observer(carom_sim *sim) {
    bool observes = sim->output || sim->listener;
    sim->stepper.observer = observes ? (carom_observer){receive_hit, sim} : (carom_observer){0};
}

void carom_sim_report_output(carom_sim *sim, carom_output *output) {
    sim->output = output;
    set_observer(sim);
}

// The impulses of earlier steps are dropped: a callback receives only impulses after its registration.
void carom_sim_on_hit(carom_sim *sim, carom_hit_function function, void *context) {
    sim->listener = function;
    sim->listener_context = context;
    sim->heard.every = 1;
    carom_sim_drop_impacts(sim);
    set_observer(sim);
}

carom_status carom_sim_report_impacts(carom_sim *sim, carom_error *error) {
    carom_contacts *heard = &sim->heard;
    if (!sim->listener)
        return CAROM_OK;
    // the callback may read the state
    carom_status status = heard->count ? carom_sim_synchronize(sim, error) : CAROM_OK;
    if (status)
        return status;
    if (heard->failed) {
        carom_sim_drop_impacts(sim);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the impacts of a step");
    }
    for (int64_t i = 0; i < heard->count; i++) {
        const carom_hit *hit = &heard->pending[i].hit;
        // Impulse and normal are reported as they act on the first body: a plane pushes it along the normal, another body
        // against it. The addition of 0.0 below turns -0 into 0, which prints without a sign.
        double sign = hit->contact.body[1] < 0 ? 1 : -1;
        carom_hit_report impact = {
            .contact = hit->contact,
            .time = hit->time,
            .step = heard->pending[i].step,
            .gap = hit->spot.gap,
            .closing_speed = -hit->rate,
            .normal_impulse = hit->normal,
            .restitution = hit->restitution,
            .friction = hit->friction,
            .slips = hit->slips,
        };
        carom_copy(hit->spot.point, impact.point);
        for (int d = 0; d < 3; d++) {
            impact.normal[d] = sign * hit->contact.normal[d] + 0.0;
            impact.impulse[d] = sign * hit->impulse[d] + 0.0;
        }
        sim->listener(sim->listener_context, sim, &impact);
    }
    carom_sim_drop_impacts(sim);
    return CAROM_OK;
}

void carom_sim_drop_impacts(carom_sim *sim) {
    sim->heard.count = sim->heard.amended = 0;
    sim->heard.failed = false;
}

void carom_sim_forget_impacts(carom_sim *sim) {
    free(sim->heard.pending);
    sim->heard = (carom_contacts){0};
}

// The nodes are selected at each call: readings are rare, and so a probe is not stored in the simulation.
carom_status carom_sim_probe(const carom_sim *sim, const carom_selection *where, carom_probe_reading *reading,
                             carom_error *error) {
    int *nodes, count;
    carom_status status = carom_model_select(sim->model, where, &nodes, &count, error);
    if (status)
        return status;
    double reference[3];
    carom_probe_mean(nodes, count, sim->model->mass, carom_state_positions(sim->state), reading->position);
    carom_probe_mean(nodes, count, sim->model->mass, carom_state_velocities(sim->state), reading->velocity);
    carom_probe_mean(nodes, count, sim->model->mass, (carom_const_vectors)sim->model->X, reference);
    carom_difference(reading->position, reference, reading->displacement);
    free(nodes);
    return CAROM_OK;
}

// The stable step of the model for central differences, times the factor of the method.
double carom_sim_stable_step(const carom_sim *sim) {
    return carom_model_stable_step(sim->model) * carom_integrator_stability(sim->stepper.method, sim->params);
}

// Number of surface faces above which contact may have enough work for several threads: with a few hundred close pairs in a
// step all threads share search, test and solution.
enum { SHARED_FACES = 256 };

int carom_sim_threads(const carom_sim *sim) {
    const carom_model *model = carom_sim_model(sim);
    bool touches = model->contact.enabled && model->surface.face_count > SHARED_FACES;
    return touches || carom_model_is_shared(model) ? carom_threads() : 1;
}
