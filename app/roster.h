// SPDX-License-Identifier: MIT
// The bodies of a result, by number, as the scene beside it names them. Nothing is built: only the text is read.
#ifndef CAROM_APP_ROSTER_H
#define CAROM_APP_ROSTER_H

#include <stddef.h>

#include "output/page.h"

// Reads the scene that a run left beside its results. Returns the bodies (free with free()) and their number; NULL if the text is no scene.
carom_page_body *carom_roster_read(const char *text, size_t size, int *count);

#endif
