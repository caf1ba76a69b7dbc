// SPDX-License-Identifier: MIT
// Divides a model among processes that share it: subdomains (the nodes of one process, and the elements around them), the
// contact space (the nodes that contact can move, as a model of its own), and serialised models. Nothing is recomputed: masses,
// reference data, restraints and loads are copied from the whole model, and so have the same bits. Extraction is not
// collective: rank 0, which has the whole model, makes all subdomains.
#ifndef CAROM_MODEL_PARTS_EXTRACT_H
#define CAROM_MODEL_PARTS_EXTRACT_H

#include "model/model.h"

// Extracts the subdomain of process `rank` of `parts`; owner[k] is the process that owns node k. Any assignment is allowed,
// including one that leaves a process without nodes. The subdomain has no contact space and no connection to other processes
// until carom_subdomain_connect. Release it with carom_model_release. Fails with CAROM_BAD_INPUT if the model cannot be sent,
// because of a load given by a function of the program, or an element or a material that is in no catalogue. Other features
// that runs on several processes do not support have been refused before (integrator/engines.h).
carom_status carom_model_extract(const carom_model *whole, const int *owner, int parts, int rank, carom_model **part,
                                 carom_error *error);

// Fails with the name of an element or a material that is in no catalogue: other processes would not find it.
carom_status carom_model_check_kinds(const carom_model *whole, carom_error *error);

// Extracts the contact space of a model.
carom_status carom_model_extract_space(const carom_model *whole, carom_model **space, carom_error *error);

// Serialises a whole model, a subdomain or a contact space; free the bytes with free(). Kinds of elements and materials are
// sent by name, so they must be in the catalogues.
carom_status carom_model_pack(const carom_model *model, void **bytes, int64_t *size, carom_error *error);
// Deserialises a model. `space` and connections are missing.
carom_status carom_model_unpack(const void *bytes, int64_t size, carom_model **model, carom_error *error);

#endif
