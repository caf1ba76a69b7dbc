// SPDX-License-Identifier: MIT
// The copies of its arrays that a device keeps in its own memory if the motion stays on the device: of the last accepted state,
// of the last state whose energy was in balance, and of the positions at the last check of elements.
#ifndef CAROM_DEVICE_COPIES_H
#define CAROM_DEVICE_COPIES_H

typedef enum carom_device_copy { CAROM_COPY_GOOD, CAROM_COPY_BALANCED, CAROM_COPY_CHECKED, CAROM_COPIES } carom_device_copy;

#endif
