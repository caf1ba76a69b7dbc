// SPDX-License-Identifier: MIT
// The state of a run between its saved frames: linear in time.

import type { Field, Frames } from './data.ts';

// A place in a rising sequence: between index and index + 1, fraction of the way; clamped to the ends.
export interface Place {
    index: number;
    fraction: number;
}

export function locate(times: ArrayLike<number>, time: number): Place {
    const last = times.length - 1;
    if (last < 1 || !(time > times[0])) return { index: 0, fraction: 0 };
    if (time >= times[last]) return { index: last, fraction: 0 };
    let low = 0;
    let high = last;
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (times[middle] <= time) low = middle;
        else high = middle;
    }
    const span = times[high] - times[low];
    return { index: low, fraction: span > 0 ? (time - times[low]) / span : 0 };
}

// The entry nearest to a time.
export function nearest(times: ArrayLike<number>, time: number): number {
    const { index, fraction } = locate(times, time);
    return fraction > 0.5 ? index + 1 : index;
}

export function positionsAt(frames: Frames, place: Place, out: Float32Array): void {
    const size = frames.nodes * 3;
    const from = place.index * size;
    const to = place.fraction > 0 ? from + size : from;
    for (let axis = 0; axis < 3; axis++) {
        const low = frames.low[axis];
        const scale = (frames.high[axis] - low) / 65535;
        for (let i = axis; i < size; i += 3) {
            const a = frames.positions[from + i];
            const b = frames.positions[to + i];
            out[i] = low + scale * (a + (b - a) * place.fraction);
        }
    }
}

export function valuesAt(frames: Frames, field: Field, place: Place, out: Float32Array): void {
    const from = place.index * frames.nodes;
    const to = place.fraction > 0 ? from + frames.nodes : from;
    const scale = (field.range[1] - field.range[0]) / 65535;
    for (let i = 0; i < frames.nodes; i++) {
        const a = field.values[from + i];
        const b = field.values[to + i];
        out[i] = field.range[0] + scale * (a + (b - a) * place.fraction);
    }
}
