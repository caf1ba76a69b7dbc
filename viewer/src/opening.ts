// SPDX-License-Identifier: MIT
// The time at which a page opens: that of the largest stress; without stress the first contact; else the start.

import type { Field, Run } from './data.ts';
import { naming } from './names.ts';
import { largestOf } from './spread.ts';

// The time of the largest von Mises stress of all steps, from the history.
function peakOfHistory(run: Run): number | null {
    const times = run.history?.numbers.get('time');
    let best = 0;
    let time: number | null = null;
    for (const [name, values] of run.history?.numbers ?? []) {
        if (!name.endsWith('.max_von_mises') || !times) continue;
        values.forEach((value, row) => {
            if (value > best) {
                best = value;
                time = times[row];
            }
        });
    }
    return time;
}

// The frame nearest to a time that has nearly the largest value of all frames; that of the largest value itself otherwise, as
// a peak between two frames cannot be seen in them.
export function stressedTime(run: Run, field: Field): number | null {
    const frames = run.frames;
    const peak = frames && largestOf(run, field);
    if (!frames || !peak || !(peak.value > 0)) return null;
    const wanted = peakOfHistory(run);
    const own = frames.times[peak.frame];
    if (wanted === null || peak.frame < 0) return own;
    let nearest = 0;
    frames.times.forEach((time, i) => {
        if (Math.abs(time - wanted) < Math.abs(frames.times[nearest] - wanted)) nearest = i;
    });
    const scale = (field.range[1] - field.range[0]) / 65535;
    let most = 0;
    for (let k = nearest * frames.nodes; k < (nearest + 1) * frames.nodes; k++) most = Math.max(most, field.values[k]);
    return field.range[0] + scale * most >= 0.9 * peak.value ? frames.times[nearest] : own;
}

function firstContact(run: Run): number | null {
    const pairs = run.summary['pairs'];
    const times = (Array.isArray(pairs) ? pairs : [])
        .map((pair: Record<string, unknown>) => pair?.['first_contact'])
        .filter((time): time is number => typeof time === 'number' && Number.isFinite(time));
    return times.length > 0 ? Math.min(...times) : null;
}

// The field that is shown at first: of solids and shells the stress, else the first field; null if there is none.
export function firstField(run: Run): string | null {
    const all = run.frames?.fields ?? [];
    const solid = run.bodies.some((body) => body.shape === 'triangles' && body.dimension >= 2);
    return ((solid && all.find((one) => naming(one.label).stress)) || all[0])?.name ?? null;
}

// Null: the start. The x-t diagram of a scene on a line shows all times at once.
export function openingTime(run: Run, field: Field | null): number | null {
    if (!run.frames || run.space === 1) return null;
    if (field && naming(field.label).stress) return stressedTime(run, field);
    return firstContact(run);
}
