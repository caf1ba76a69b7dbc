// SPDX-License-Identifier: MIT
// The time of the parts of a step on a device.
#ifndef CAROM_BENCH_DEVICE_PARTS_H
#define CAROM_BENCH_DEVICE_PARTS_H

#include "device/device.h"

// The seconds of one call of each part of a step, the mean of `count`, at the positions on the device: the
// drift, forces without and with a comparison of stresses, the best of each block, sums at the nodes, the kick with the
// transfer of its sums, the query for pushed nodes, an empty wait. The device cannot be used afterwards. False if it failed.
typedef enum carom_bench_part {
    CAROM_BENCH_DRIFT,
    CAROM_BENCH_FORCE,
    CAROM_BENCH_WATCHED,
    CAROM_BENCH_TOPS,
    CAROM_BENCH_GATHER,
    CAROM_BENCH_PUSH,
    CAROM_BENCH_PUSHED,
    CAROM_BENCH_WAIT,
    CAROM_BENCH_PARTS
} carom_bench_part;
const char *carom_bench_part_name(carom_bench_part part);
bool carom_bench_device_parts(carom_device *device, int count, double seconds[CAROM_BENCH_PARTS]);

#endif
