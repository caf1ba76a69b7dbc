// SPDX-License-Identifier: MIT
#include "app/verification.h"
const char carom_verification_head[] = "";
const char carom_verification_claims[] = "";
const char *carom_verification_method(const char *method) {
    (void)method;
    return "";
}
