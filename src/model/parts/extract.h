// SPDX-License-Identifier: MIT
// Parts of a model for processes that share it (model.h), and models as bytes, to be sent to them. Nothing is computed anew:
// masses, reference data, restraints and loads are copied from the whole model, and so have the same bits. No process need be
// asked: rank 0, which has the whole model, makes all parts.
#ifndef CAROM_MODEL_PARTS_EXTRACT_H
#define CAROM_MODEL_PARTS_EXTRACT_H

#include "model/model.h"

// The part of process `rank` of `parts`; owner[k] is the process that owns node k. Any owners will do, also ones that leave a
// process without nodes. Its space and what connects it to other processes are missing (carom_subdomain_connect). Release it
// with carom_model_release. Fails with CAROM_BAD_INPUT and the name of what cannot be shared.
carom_status carom_model_extract(const carom_model *whole, const int *owner, int parts, int rank, carom_model **part,
                                 carom_error *error);

// Fails with the name of an element or a material that is in no catalogue: other processes would not find it.
carom_status carom_model_check_kinds(const carom_model *whole, carom_error *error);

// The contact space of a model.
carom_status carom_model_extract_space(const carom_model *whole, carom_model **space, carom_error *error);

// A model as bytes, to be freed with free(): a whole one, a part or a space. Kinds of elements and materials are sent by name,
// so they must be those of the library.
carom_status carom_model_pack(const carom_model *model, void **bytes, int64_t *size, carom_error *error);
// The model that was packed. `space` and connections are missing.
carom_status carom_model_unpack(const void *bytes, int64_t size, carom_model **model, carom_error *error);

#endif
