// SPDX-License-Identifier: MIT
// The report page: a template that contains all scripts and styles, and one line that is replaced by the
// data of one or several runs. The page is one self-contained file. The data are JSON in which every '<' is
// escaped, so that no text of a scene can end the script element that holds them.
#ifndef CAROM_REPORT_H
#define CAROM_REPORT_H

#include <stdint.h>

#include "carom/contact.h"
#include "carom/param.h"

#ifdef __cplusplus
extern "C" {
#endif

// Properties of a body that the frames do not contain.
typedef struct carom_page_body {
    char name[CAROM_NAME_MAX + 16];
    double radius; // length, of lines and points; NaN: unknown
} carom_page_body;

// A run: its directory, and texts that go into the page as they are.
typedef struct carom_page_run {
    const char *name, *integrator; // as the page calls it, and its method
    const char *directory;         // with history.csv, fields.pvd ...; NULL: there is no result
    const char *summary;           // JSON; NULL: none
    const char *scene;             // NULL: none
    const char *failure;           // why there is no result; NULL if there is one
    int body_count;
    const carom_page_body *bodies; // by index; bodies beyond body_count are called "body INDEX"
    int plane_count;
    const carom_plane_def *planes; // of contact
} carom_page_run;

// Definition of a page. All strings are read while it is written and stay with the caller.
typedef struct carom_page_def {
    const char *template_path;  // the page without data
    const char *kind;           // "run" or "compare"
    const char *title;          // of the page
    int run_count;              // at least one
    const carom_page_run *runs; // in the order in which they are listed
    const char *table;          // JSON of {"columns": [...], "rows": [[...]...]}; NULL: none
    double size_max;            // bytes; fields and frames are omitted to stay below
} carom_page_def;

// A summary of the page: what it contains, and what was left out.
typedef struct carom_page_facts {
    double bytes;        // size of the page
    int frames, dropped; // of all runs
    int omitted;         // fields omitted to limit the size
    int hollow;          // runs whose solids are shown without their inside, for the same reason
    int damaged;         // frames that cannot be read
    char damage[512];    // error message of the first of these
    int64_t skipped;     // rows of tables that were left out
    int colourless;      // runs whose frames have no field to colour by
} carom_page_facts;

// Writes the page, whole or not at all.
CAROM_API carom_status carom_page_write(const char *path, const carom_page_def *def, carom_page_facts *facts,
                                        carom_error *error);

#ifdef __cplusplus
}
#endif
#endif
