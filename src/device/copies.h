// SPDX-License-Identifier: MIT
// Copies of what a device keeps: of the last state that was accepted, of the last one whose books balanced, and of the
// positions at the last look at elements.
#ifndef CAROM_DEVICE_COPIES_H
#define CAROM_DEVICE_COPIES_H

typedef enum carom_device_copy { CAROM_COPY_GOOD, CAROM_COPY_BALANCED, CAROM_COPY_CHECKED, CAROM_COPIES } carom_device_copy;

#endif
