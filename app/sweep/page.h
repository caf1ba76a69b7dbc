// SPDX-License-Identifier: MIT
// The template of the page of a sweep, page.html, embedded into the program by the build (cmake/embed.cmake).
#ifndef CAROM_APP_SWEEP_PAGE_H
#define CAROM_APP_SWEEP_PAGE_H

// Its bytes, with a final zero.
extern const unsigned char carom_sweep_page[];

#endif
