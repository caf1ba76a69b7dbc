// SPDX-License-Identifier: MIT
#include "material/flow/hardening_body.h"
