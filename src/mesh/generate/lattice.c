// SPDX-License-Identifier: MIT
#include "mesh/generate/lattice.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/generate/sides.h"
#include "mesh/mesh.h"

carom_status carom_mesh_lattice(const int n[3], double *const x[3], bool split, const char *const names[7], carom_mesh *mesh,
                                carom_error *error) {
    int64_t row = n[0] + 1, sheet = row * (n[1] + 1), nodes = sheet * (n[2] + 1);
    carom_status status = carom_mesh_allocate(mesh, nodes, CAROM_CELL_HEX8, (int64_t)n[0] * n[1] * n[2], error);
    if (status)
        return status;
    uint8_t *bits = carom_allocate(nodes, sizeof *bits);
    if (!bits)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the sides of a mesh");

    int *cell = mesh->blocks[0].nodes;
    for (int64_t k = 0; k < nodes; k++) {
        int at[3] = {(int)(k % row), (int)(k / row % (n[1] + 1)), (int)(k / sheet)};
        for (int i = 0; i < 3; i++) {
            mesh->nodes[k][i] = x[i][at[i]];
            bits[k] |= (uint8_t)((at[i] == 0) << 2 * i | (at[i] == n[i]) << (2 * i + 1));
        }
        if (at[0] == n[0] || at[1] == n[1] || at[2] == n[2])
            continue;
        for (int i = 0; i < 8; i++) {
            int64_t up = i / 4 * sheet, back = (i % 4 / 2) * row, right = (i % 4 == 1 || i % 4 == 2);
            *cell++ = (int)(k + up + back + right);
        }
    }
    status = carom_mesh_finish_solid(mesh, split, bits, names, error);
    free(bits);
    return status;
}
