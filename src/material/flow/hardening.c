// SPDX-License-Identifier: MIT
// Flow stress of J2 plasticity on the processor; hardening_body.h is shared with devices.
#include "material/flow/hardening_body.h"
