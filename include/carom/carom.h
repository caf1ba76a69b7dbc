// SPDX-License-Identifier: MIT
// carom: impact dynamics with an energy ledger that balances. This header includes the whole public interface.
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include "carom/facts.h"
#include "carom/file.h"
#include "carom/lock.h"
#include "carom/parallel.h"
#include "carom/picture.h"
#include "carom/profile.h"
#include "carom/report.h"
#include "carom/rigid.h"
#include "carom/run.h"
#include "carom/scene.h"
#include "carom/sim.h"
#include "carom/stepper.h"
#include "carom/study.h"
#include "carom/table.h"
#include "carom/text.h"
#include "carom/version.h"
#include "carom/view.h"

#endif
