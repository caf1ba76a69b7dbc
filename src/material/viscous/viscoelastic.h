// SPDX-License-Identifier: MIT
// Which law of the material `viscoelastic` reads which of its parameters.
#ifndef CAROM_MATERIAL_VISCOUS_VISCOELASTIC_H
#define CAROM_MATERIAL_VISCOUS_VISCOELASTIC_H

#include <stdbool.h>

// The words of the laws that read the parameter of that name, as "hencky or j2". False: all of them, or none.
typedef char carom_law_words[160];
bool carom_viscoelastic_readers(const char *name, carom_law_words words);

// True if the law of that word is one of them.
bool carom_viscoelastic_reads(const char *word, const char *name);

#endif
