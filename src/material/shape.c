// SPDX-License-Identifier: MIT
#include "material/shape_body.h"
