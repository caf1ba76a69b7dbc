// SPDX-License-Identifier: MIT
// Evaluates the law at one quadrature point: loads the history of the point, calls the law, and, if the block commits, stores
// the new history and records the losses.
#include "element/point_law.h"

#include <math.h>
#include <string.h>

#include "element/conserving_point.h"
#include "element/element.h"
#include "element/point_body.h"
#include "material/flow/j2.h"
#include "material/material.h"

// Copies the history of a point to consecutive numbers.
static void load(const carom_block *block, int e, int q, double *history) {
    int size = block->history_size / block->point_count;
    for (int k = 0; k < size; k++)
        history[k] = block->history[carom_block_history(block, e, q, k)];
}

static void store(const carom_block *block, int e, int q, const double *history) {
    int size = block->history_size / block->point_count;
    for (int k = 0; k < size; k++)
        block->history[carom_block_history(block, e, q, k)] = history[k];
}

void carom_point_book(const carom_block *block, int e, int q, double volume, const carom_losses *losses) {
    carom_point_add_losses(block->losses + (ptrdiff_t)e * CAROM_BLOCK_LOSSES, q, volume, losses);
}

static bool is_incremental(const carom_block *block) {
    return block->flow && block->flow->after == CAROM_FLOW_INCREMENT;
}

// Called after the law: commits history and losses if the block requires it. Returns the energy, plus the potential where the
// incremental energy is required.
static double finish(const carom_block *block, int e, int q, double volume, double energy, const double *history,
                     carom_losses *losses) {
    bool incremental = is_incremental(block);
    if (carom_block_use(block) == CAROM_USE_COMMIT && energy < HUGE_VAL) {
        if (incremental)
            losses->plasticity = losses->potential;
        store(block, e, q, history);
        carom_point_book(block, e, q, volume, losses);
    }
    return incremental ? energy + losses->potential : energy;
}

static carom_flow flow_of(const carom_block *block, bool isochoric) {
    carom_flow flow = block->flow ? *block->flow : (carom_flow){.use = CAROM_USE_READ};
    flow.isochoric = isochoric;
    if (is_incremental(block))
        flow.after = 0;
    return flow;
}

static double solid(const carom_block *block, int e, int q, double volume, bool isochoric, const double F[9], double P[9],
                    double A[81]) {
    double history[CAROM_HISTORY_MAX];
    carom_losses losses = {0};
    carom_flow flow = flow_of(block, isochoric);
    load(block, e, q, history);
    double energy = block->material->inelastic->solid(block->material_params, &flow, history, F, P, A, &losses);
    return finish(block, e, q, volume, energy, history, &losses);
}

double carom_point_solid(const carom_block *block, int e, int q, double volume, const double F[9], double P[9], double A[81]) {
    return block->history ? solid(block, e, q, volume, false, F, P, A)
                          : block->material->solid(block->material_params, F, P, A);
}

double carom_point_isochoric(const carom_block *block, int e, int q, double volume, const double F[9], double P[9],
                             double A[81]) {
    return block->history ? solid(block, e, q, volume, true, F, P, A)
                          : block->material->isochoric(block->material_params, F, P, A);
}

carom_uniaxial carom_point_uniaxial(const carom_block *block, int e, int q, double volume, double strain) {
    const carom_material *material = block->material;
    if (!block->history && material->uniaxial)
        return material->uniaxial(block->material_params, strain);
    double history[CAROM_HISTORY_MAX] = {0};
    carom_losses losses = {0};
    carom_flow flow = flow_of(block, false);
    if (block->history)
        load(block, e, q, history);
    else
        material->inelastic->start(block->material_params, CAROM_POINT_UNIAXIAL, history);
    carom_uniaxial law = material->inelastic->uniaxial(block->material_params, &flow, history, strain, &losses);
    law.energy = finish(block, e, q, volume, law.energy, history, &losses);
    return law;
}

double carom_point_sheet(const carom_block *block, int e, int q, double volume, const double metric[3], const double strain[3],
                         double stress[3], double tangent[3][3], double *thinning) {
    if (!block->history)
        return block->material->sheet(block->material_params, metric, strain, stress, tangent, thinning);
    double history[CAROM_HISTORY_MAX];
    carom_losses losses = {0};
    carom_flow flow = flow_of(block, false);
    load(block, e, q, history);
    double energy = block->material->inelastic->sheet(block->material_params, &flow, history, metric, strain, stress, tangent,
                                                      thinning, &losses);
    return finish(block, e, q, volume, energy, history, &losses);
}

double carom_point_inner(const carom_block *block, int e, int q, carom_inner what) {
    double history[CAROM_HISTORY_MAX];
    if (!block->history)
        return 0;
    load(block, e, q, history);
    double value = block->material->inelastic->show(block->material_params, block->form, history, what);
    return isnan(value) ? 0 : value;
}

double carom_point_show(const carom_block *block, int e, carom_inner what) {
    double sum = 0, most = -HUGE_VAL;
    for (int q = 0; q < block->point_count; q++) {
        double value = carom_point_inner(block, e, q, what);
        sum += value;
        most = fmax(most, value);
    }
    if (!block->history)
        return 0;
    return block->element == &carom_element_loop_shell ? most : sum / block->point_count;
}

bool carom_block_flows(const carom_block *block) {
    double history[CAROM_HISTORY_MAX];
    if (!block->point_count)
        return false;
    block->material->inelastic->start(block->material_params, block->form, history);
    return !isnan(block->material->inelastic->show(block->material_params, block->form, history, CAROM_INNER_PLASTIC_STRAIN));
}

bool carom_block_ages(const carom_block *block) {
    const carom_inelastic *law = block->point_count ? block->material->inelastic : NULL;
    return law && (!law->ages || law->ages(block->material_params));
}
