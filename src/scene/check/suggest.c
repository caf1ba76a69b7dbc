// SPDX-License-Identifier: MIT
// Suggests a change where the cells of a mesh do not fit the element.
#include "scene/check/suggest.h"

#include <stdio.h>
#include <string.h>

void carom_suggest_cells(const carom_element *element, const carom_kind *mesh, carom_cell_type cells, char *text, size_t size) {
    text[0] = 0;
    for (int p = 0; p < mesh->param_count; p++)
        for (int i = 0; strcmp(mesh->params[p].name, "cells") == 0 && mesh->params[p].choices[i]; i++)
            if (strcmp(mesh->params[p].choices[i], carom_cell_name(element->cell)) == 0)
                snprintf(text, size, " (give the mesh `cells: %s`)", carom_cell_name(element->cell));
    // a shell can be made of the surface of a solid mesh, which the file reader extracts
    if (!text[0] && strcmp(element->kind.name, "loop-shell") == 0 && carom_cell_dimension(cells) == 3) {
        bool file = strcmp(mesh->name, "file") == 0;
        snprintf(text, size, " (%suse its surface or a side of it, {file: {path: ..., group: surface}})",
                 file ? "" : "first write the mesh to a file, as tet4 cells, by `carom mesh`; then ");
    }
    if (!text[0] && cells == CAROM_CELL_WEDGE6 && carom_cell_dimension(element->cell) == 3)
        snprintf(text, size, " (element 'wedge6' fits; or set `prisms: cut` for the file)");
    // solid and shell elements are named after their cells
    const carom_kind *fitting = carom_catalogue_find(carom_elements(), carom_cell_name(cells));
    if (!text[0] && fitting && !((const carom_element *)fitting)->plane)
        snprintf(text, size, " (element '%s' fits)", fitting->name);
}

void carom_suggest_sets(const carom_mesh *mesh, char *text, size_t size) {
    text[0] = 0;
    for (int i = 0; i < mesh->set_count; i++)
        snprintf(text + strlen(text), size - strlen(text), "%s%s", text[0] ? ", " : "", mesh->sets[i].name);
    // a set of cells selects their nodes as well
    for (int i = 0; i < mesh->cell_set_count; i++)
        if (!carom_mesh_set(mesh, mesh->cell_sets[i].name))
            snprintf(text + strlen(text), size - strlen(text), "%s%s", text[0] ? ", " : "", mesh->cell_sets[i].name);
}
