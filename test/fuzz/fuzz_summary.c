// SPDX-License-Identifier: MIT
// Any bytes are a summary.json: read or refused with its name, never a crash, a leak or a hang.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/result.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char folder[] = "summary-XXXXXX", path[64];
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/summary.json", folder);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
    carom_result result;
    carom_error error = {0};
    if (carom_result_read(folder, &result, &error))
        carom_result_release(&result);
    else if (!strstr(error.message, path))
        abort();
    unlink(path);
    rmdir(folder);
    return 0;
}
