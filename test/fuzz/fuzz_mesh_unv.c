// SPDX-License-Identifier: MIT
#include "mesh_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return read_input(data, size, CAROM_MESH_UNV);
}
