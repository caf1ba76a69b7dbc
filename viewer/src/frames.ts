// SPDX-License-Identifier: MIT
// The state of a run between its saved frames: linear in time.

import type { Field, Frames } from './data.ts';

// A position in a rising sequence: index + fraction, with fraction in [0, 1]; clamped to the ends.
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

// The diagonal of the box of a run.
export function extentOf(frames: Frames): number {
    return Math.hypot(...frames.high.map((x, i) => x - frames.low[i]));
}

// Positions with displacements from the first frame magnified.
export function positionsAt(frames: Frames, place: Place, out: Float32Array, factor = 1): void {
    const size = frames.nodes * 3;
    const from = place.index * size;
    const to = place.fraction > 0 ? from + size : from;
    for (let axis = 0; axis < 3; axis++) {
        const low = factor * frames.shift[0][axis];
        const scale = (factor * frames.shift[1][axis] - low) / 65535;
        for (let i = axis; i < size; i += 3) {
            const a = frames.positions[from + i];
            const b = frames.positions[to + i];
            out[i] = frames.origin[i] + low + scale * (a + (b - a) * place.fraction);
        }
    }
}

// The factor 1, 2 or 5 times a power of ten, at least 1, by which the largest displacement becomes at most a tenth of the scene.
export function visibleFactor(frames: Frames): number {
    const most = Math.hypot(...[0, 1, 2].map((i) => Math.max(-frames.shift[0][i], frames.shift[1][i])));
    const rough = (0.1 * extentOf(frames)) / most;
    if (!(rough > 1 && rough < 1e12)) return 1;
    const power = 10 ** Math.floor(Math.log10(rough));
    return power * (rough >= 5 * power ? 5 : rough >= 2 * power ? 2 : 1);
}

// The box of the whole motion with displacements magnified.
export function boxOf(frames: Frames, factor: number): [number[], number[]] {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const now = new Float32Array(3 * frames.nodes);
    for (let index = 0; index < frames.times.length; index++) {
        positionsAt(frames, { index, fraction: 0 }, now, factor);
        for (let i = 0; i < now.length; i++) {
            low[i % 3] = Math.min(low[i % 3], now[i]);
            high[i % 3] = Math.max(high[i % 3], now[i]);
        }
    }
    return [low, high];
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
