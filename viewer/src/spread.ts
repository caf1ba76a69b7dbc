// SPDX-License-Identifier: MIT
// Where the values of a field lie: the largest and where it is, and the range that holds most of them. A single corner with a
// large value then does not determine the range: in no frame is more than one percent of the nodes beyond an end of the range.

import type { Field, Run } from './data.ts';

const part = 0.01;

export interface Extreme {
    value: number;
    node: number;
    body: number;
    frame: number;
}

// The ranges of nodes of the bodies that have the field, those inside solids included.
function spans(run: Run, field: Field): [number, number, number][] {
    return run.bodies.flatMap((body, i) =>
        field.bodies.includes(i)
            ? ([
                  [i, body.first, body.first + body.count],
                  [i, body.inner[0], body.inner[0] + body.inner[1]],
              ] as [number, number, number][])
            : [],
    );
}

const mostOf = new WeakMap<Field, [number, number]>();

// The range that holds the values of all frames but, in each, the outermost percent at an end that is not zero.
export function mostRange(run: Run, field: Field): [number, number] {
    const known = mostOf.get(field);
    if (known) return known;
    const frames = run.frames!;
    const ranges = spans(run, field);
    const count = ranges.reduce((sum, [, from, to]) => sum + to - from, 0);
    const beyond = Math.floor(part * count);
    const bins = new Uint32Array(65536);
    let low = 65535;
    let high = 0;
    for (let frame = 0; frame < frames.times.length; frame++) {
        bins.fill(0);
        const at = frame * frames.nodes;
        for (const [, from, to] of ranges) for (let k = from; k < to; k++) bins[field.values[at + k]]++;
        let top = 65535;
        for (let left = beyond; top > 0 && bins[top] <= left; top--) left -= bins[top];
        let bottom = 0;
        for (let left = beyond; bottom < 65535 && bins[bottom] <= left; bottom++) left -= bins[bottom];
        low = Math.min(low, bottom);
        high = Math.max(high, top);
    }
    const value = (bin: number): number => field.range[0] + ((field.range[1] - field.range[0]) * bin) / 65535;
    // A range from zero, as of speeds, keeps its zero.
    const range: [number, number] =
        count === 0 || low >= high
            ? field.range
            : [field.range[0] >= 0 ? field.range[0] : value(low), field.range[1] <= 0 ? field.range[1] : value(high)];
    mostOf.set(field, range);
    return range;
}

const peakOf = new WeakMap<Field, Extreme | null>();

// The largest value of all frames, by its size where the field has both signs.
export function largestOf(run: Run, field: Field): Extreme | null {
    const known = peakOf.get(field);
    if (known !== undefined) return known;
    const frames = run.frames!;
    const [a, b] = field.range;
    const scale = (b - a) / 65535;
    const negative = -a > b;
    let best: Extreme | null = null;
    let most = -1;
    for (const [body, from, to] of spans(run, field)) {
        for (let frame = 0; frame < frames.times.length; frame++) {
            const at = frame * frames.nodes;
            for (let k = from; k < to; k++) {
                const bin = negative ? 65535 - field.values[at + k] : field.values[at + k];
                if (bin <= most) continue;
                most = bin;
                best = { value: a + scale * field.values[at + k], node: k, body, frame };
            }
        }
    }
    peakOf.set(field, best);
    return best;
}

// The largest of the values at one time, of the bodies that are shown and the nodes that no section removes.
export function largestNow(
    run: Run,
    field: Field,
    values: Float32Array,
    visible: boolean[],
    kept: (node: number) => boolean,
): Extreme | null {
    let best: Extreme | null = null;
    let most = -1;
    for (const [body, from, to] of spans(run, field)) {
        if (!visible[body]) continue;
        for (let k = from; k < to; k++) {
            const size = Math.abs(values[k]);
            if (!(size > most) || !kept(k)) continue;
            most = size;
            best = { value: values[k], node: k, body, frame: -1 };
        }
    }
    return best;
}
