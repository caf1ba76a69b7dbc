// SPDX-License-Identifier: MIT
// Lookup of the parameters that each law of the material `viscoelastic` uses.
#ifndef CAROM_MATERIAL_VISCOUS_VISCOELASTIC_H
#define CAROM_MATERIAL_VISCOUS_VISCOELASTIC_H

#include <stdbool.h>

// Lists the words of the laws that use the parameter of that name, such as "hencky or j2"; false if all laws or none use it.
typedef char carom_law_words[160];
bool carom_viscoelastic_readers(const char *name, carom_law_words words);

// True if the law of that word uses the parameter.
bool carom_viscoelastic_reads(const char *word, const char *name);

#endif
