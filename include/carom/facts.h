// SPDX-License-Identifier: MIT
// Properties of a model before the first step: mass, size, inertia, wave speeds, and what determines its stable step.
#ifndef CAROM_FACTS_H
#define CAROM_FACTS_H

#include "carom/model.h"

#ifdef __cplusplus
extern "C" {
#endif

// A body, or a whole model, in its reference configuration. Masses are the lumped masses of the nodes: the inertia of a coarse
// mesh exceeds that of the shape by a term of second order in the element size.
typedef struct carom_facts {
    int nodes, elements;
    double mass;
    double low[3], high[3]; // corners of the box around its nodes; length
    double center[3];       // mass centre; length
    double moments[3];      // principal moments of inertia about the mass centre, ascending; mass length^2
    // Speed of the fastest longitudinal and shear wave in its materials without strain: along a bar, in the plane of a sheet,
    // or through a solid; length / time. NaN if the laws do not define them.
    double longitudinal, shear;
    double stable_step; // of explicit methods, as of carom_model_stable_step; HUGE_VAL if nothing is elastic
    bool obstacle;      // it has no mass; `center` is the mean of its nodes
    bool lumped;        // masses at nodes stand for volumes, so that the moments exceed those of the shape; not of rigid bodies
} carom_facts;

// Facts of one body, or of the whole model if `body` is negative. The model must be whole (not a part of one process among
// several). Sums have a fixed order. Takes time in proportion to the nodes.
CAROM_API carom_facts carom_model_facts(const carom_model *model, int body);

// The element with the shortest stable step of its own, in the body that determines the stable step of the model.
typedef struct carom_shortest {
    int body;         // -1: nothing is elastic, or memory is short
    int64_t element;  // its number in the file of the mesh, or its index in the body
    double step;      // 2/omega of the element alone
    double center[3]; // mean of its nodes in the reference configuration; length
} carom_shortest;

// Takes a few microseconds for each element of that body.
CAROM_API carom_shortest carom_model_shortest(const carom_model *model);

#ifdef __cplusplus
}
#endif
#endif
