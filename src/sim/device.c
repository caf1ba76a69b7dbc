// SPDX-License-Identifier: MIT
// A simulation on a device: the device computes the forces of elements, and stores the motion of nodes that no contact or
// constraint changes (integrator/device_motion.h).
#include "device/device.h"

#include "integrator/engines.h"
#include "integrator/stepper.h"
#include "sim/collect.h"
#include "sim/sim.h"

carom_status carom_sim_use_device(carom_sim *sim, carom_error *error) {
    const carom_backend *backend;
    if (sim->stepper.device)
        return CAROM_OK;
    if (carom_sim_is_shared(sim))
        return carom_fail(error, CAROM_BAD_INPUT, "a device serves one process: remove --ranks");
    // the model is checked before the hardware, so that the message about an unsupported model is the same on all machines
    carom_status status = carom_engine_accepts(CAROM_ENGINE_DEVICE, sim->stepper.method, sim->model, sim->params, error);
    if (!status)
        status = carom_device_find_backend(&backend, error);
    if (!status)
        status = carom_device_create(backend, sim->model, &sim->stepper.device, error);
    if (!status)
        carom_device_serve(sim->stepper.device, sim->state);
    return status;
}

const char *carom_sim_device(const carom_sim *sim) {
    return sim->stepper.device ? carom_device_name(sim->stepper.device) : NULL;
}

bool carom_sim_device_use(const carom_sim *sim, carom_device_use *use) {
    if (!sim->stepper.device)
        return false;
    carom_device_times spent = carom_device_spent(sim->stepper.device);
    *use = (carom_device_use){.waiting = spent.waiting,
                              .settling = spent.settling,
                              .to = spent.to,
                              .from = spent.from,
                              .memory = (double)carom_device_bytes(sim->stepper.device),
                              .islands = spent.islands};
    return true;
}

carom_status carom_sim_judge_device(const carom_sim *sim, carom_error *error) {
    const char *fault = sim->stepper.device ? carom_device_fault(sim->stepper.device) : NULL;
    return fault ? carom_fail(error, CAROM_NUMERICAL, "%s failed at time %g (step %lld): %s",
                              carom_device_name(sim->stepper.device), sim->state->time, (long long)sim->state->step, fault)
                 : CAROM_OK;
}
