// SPDX-License-Identifier: MIT
// A node that the reader picked: its name, and its curves over the frames.

import type { Frames, Run } from './data.ts';
import { naming } from './names.ts';
import type { Choice, Panel } from './panels.ts';
import { dimensions, unitText, unitsOf } from './units.ts';

// The body of a node; -1 for none.
export function bodyOf(run: Run, node: number): number {
    return run.bodies.findIndex(
        ({ first, count, inner }) =>
            (node >= first && node < first + count) || (node >= inner[0] && node < inner[0] + inner[1]),
    );
}

// The first point of a body in the frames: numbers of nodes count from it, as those of its mesh do.
function firstPoint(run: Run, body: number): number {
    const { first, count, inner } = run.bodies[body];
    const { points } = run.frames!;
    let least = Infinity;
    for (const [from, size] of [[first, count], inner])
        for (let k = from; k < from + size; k++) least = Math.min(least, points[k]);
    return least;
}

const starts = new WeakMap<Run, number[]>();

function startOf(run: Run, body: number): number {
    let list = starts.get(run);
    if (!list) starts.set(run, (list = run.bodies.map((_, i) => firstPoint(run, i))));
    return list[body];
}

// The number of a node in its body.
export function numberOf(run: Run, node: number, body = bodyOf(run, node)): number {
    return run.frames!.points[node] - startOf(run, body);
}

// part:812, the name of a node in the address and in the input field.
export function nodeName(run: Run, node: number): string {
    const body = bodyOf(run, node);
    return `${run.bodies[body].name}:${numberOf(run, node, body)}`;
}

// The node of such a name; the number alone suffices if there is one body. Null if there is none.
export function findNode(run: Run, name: string): number | null {
    const found = /^(?:(.*):)?\s*(\d+)\s*$/s.exec(name);
    const frames = run.frames;
    if (!found || !frames) return null;
    const body = found[1] === undefined ? (run.bodies.length === 1 ? 0 : -1) : run.bodies.findIndex((b) => b.name === found[1]);
    if (body < 0) return null;
    const point = Number(found[2]) + startOf(run, body);
    const { first, count, inner } = run.bodies[body];
    for (const [from, size] of [[first, count], inner])
        for (let k = from; k < from + size; k++) if (frames.points[k] === point) return k;
    return null;
}

function displacement(frames: Frames, node: number, axis: number): Float64Array {
    const [low, high] = [frames.shift[0][axis], frames.shift[1][axis]];
    return Float64Array.from(
        frames.times,
        (_, i) => low + ((high - low) * frames.positions[3 * (i * frames.nodes + node) + axis]) / 65535,
    );
}

// The field that is shown first, then all others, and the displacement by its components.
export function nodePanel(run: Run, node: number, shown: string | null): Panel {
    const frames = run.frames!;
    const body = bodyOf(run, node);
    const units = unitsOf(run);
    const choices: Choice[] = frames.fields
        .filter((field) => field.bodies.includes(body))
        .map((field) => {
            const { text, dimension } = naming(field.label);
            const scale = (field.range[1] - field.range[0]) / 65535;
            const y = Float64Array.from(
                frames.times,
                (_, i) => field.range[0] + scale * field.values[i * frames.nodes + node],
            );
            return {
                name: text,
                key: field.name,
                unit: unitText(units, dimension),
                lines: [{ label: text, run: 0, x: frames.times, y }],
            };
        });
    const axes = ['x', 'y', 'z'];
    choices.push({
        name: 'displacement x, y, z',
        unit: unitText(units, dimensions.length),
        lines: axes.map((label, axis) => ({ label, run: 0, x: frames.times, y: displacement(frames, node, axis) })),
    });
    const first = choices.findIndex((choice) => choice.key === shown);
    if (first > 0) choices.unshift(...choices.splice(first, 1));
    const { name } = run.bodies[body];
    return { name: `Node ${numberOf(run, node, body)} of ${name}`, note: '', log: false, scale: 0, choices };
}
