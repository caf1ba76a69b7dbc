// SPDX-License-Identifier: MIT
// Which copies of its arrays a device keeps in its own memory, for a run whose motion stays there: of the last accepted state,
// of the last one whose energy was in balance, and of the positions at the last check of elements.
#ifndef CAROM_DEVICE_COPIES_H
#define CAROM_DEVICE_COPIES_H

typedef enum carom_device_copy { CAROM_COPY_GOOD, CAROM_COPY_BALANCED, CAROM_COPY_CHECKED, CAROM_COPIES } carom_device_copy;

#endif
