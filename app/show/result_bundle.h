// SPDX-License-Identifier: MIT
// The contents of a result directory for the report page, and the template of that page.
#ifndef CAROM_APP_SHOW_RESULT_BUNDLE_H
#define CAROM_APP_SHOW_RESULT_BUNDLE_H

#include "app/options.h"
#include "carom/file.h"
#include "carom/report.h"

// Default size limit of a page in megabytes, above which frames are omitted.
#define CAROM_PAGE_MEGABYTES 50

// What a page shows of one run. `run` points into the rest.
typedef struct carom_result_bundle {
    carom_page_run run;
    char name[CAROM_TEXT_MAX], title[CAROM_TEXT_MAX], integrator[CAROM_NAME_MAX];
    char *summary, *scene;
    carom_page_body *bodies;
    carom_plane_def *planes;
} carom_result_bundle;

// Reads the files of a result; that of a run in progress or killed has no summary. `directory` must outlive the bundle. Fails
// if there is no result. Release in any case.
carom_status carom_result_bundle_read(const char *directory, carom_result_bundle *bundle, carom_error *error);
void carom_result_bundle_release(carom_result_bundle *bundle);

// Finds the template: that of $CAROM_VIEWER, the one installed with the command, or that of the build folder. Fails with advice
// if there is none.
carom_status carom_template_find(char path[static CAROM_PATH_MAX], carom_error *error);

// The option --max-size in bytes; returns an exit code after a message.
int carom_page_size_option(const carom_arguments *arguments, double *bytes);

// Writes the page of one result.
carom_status carom_result_bundle_write(const char *directory, const char *path, double size_max, carom_error *error);
// Prints notes about what was omitted from a page.
void carom_page_note(const carom_page_facts *facts, double size_max);

#endif
