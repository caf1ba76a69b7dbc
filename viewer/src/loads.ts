// SPDX-License-Identifier: MIT
// Curves of the loads on the bodies: the largest stress of each body, from columns BODY.max_... of the history, and the
// contact force of each pair.

import type { Run, Table } from './data.ts';
import type { Choice, Line, Panel } from './panels.ts';
import { dimensions, unitText, unitsOf, type Dimension } from './units.ts';

// Quantities of pairs.csv.
const quantities: [string, string][] = [
    ['normal', 'normal force'],
    ['force_x', 'force x'],
    ['force_y', 'force y'],
    ['force_z', 'force z'],
];

const peaks: [string, string, Dimension][] = [
    ['max_von_mises', 'von Mises stress', dimensions.stress],
    ['max_principal', 'largest principal stress', dimensions.stress],
    ['min_principal', 'smallest principal stress', dimensions.stress],
    ['max_strain', 'largest strain', dimensions.none],
];

// The rows of each pair as curves; before its first contact a pair has no row, and its force is zero. `steps` are the times of
// all rows of the history.
export function pairLines(table: Table, column: string, run: number, steps: ArrayLike<number>): Line[] {
    const times = table.numbers.get('time');
    const values = table.numbers.get(column);
    const [one, two] = [table.texts.get('body_1'), table.texts.get('body_2')];
    if (!times || !values || !one || !two) return [];
    const rows = new Map<string, number[]>();
    for (let row = 0; row < table.rows; row++) {
        const name = `${one[row]} – ${two[row]}`;
        const list = rows.get(name);
        if (list) list.push(row);
        else rows.set(name, [row]);
    }
    return [...rows].map(([label, list]) => {
        const before = Array.from(steps).filter((time) => time < times[list[0]]);
        return {
            label,
            run,
            x: Float64Array.from([...before, ...list.map((row) => times[row])]),
            y: Float64Array.from([...before.map(() => 0), ...list.map((row) => values[row])]),
        };
    });
}

// More curves than this cannot be distinguished.
const most = 12;

// The curves with the largest values, in their order.
export function highest(lines: Line[]): Line[] {
    if (lines.length <= most) return lines;
    const size = (one: Line): number => one.y.reduce((largest, y) => Math.max(largest, Math.abs(y)), 0);
    const kept = new Set([...lines].sort((a, b) => size(b) - size(a)).slice(0, most));
    return lines.filter((one) => kept.has(one));
}

// In a comparison one curve of each run, of the choice that is made; else all curves together.
function panel(name: string, note: string, quantity: { name: string; unit: string; lines: Line[] }[], runs: Run[]): Panel | null {
    const full = quantity.filter(({ lines }) => lines.some((one) => one.y.some((y) => y !== 0)));
    if (full.length === 0) return null;
    const choices: Choice[] =
        runs.length === 1
            ? full.map((choice) => ({
                  ...choice,
                  name: choice.lines.length > most ? `${choice.name}, ${most} largest of ${choice.lines.length}` : choice.name,
                  lines: highest(choice.lines),
              }))
            : full.flatMap(({ name: word, unit, lines }) =>
                  [...new Set(lines.map((one) => one.label))].map((label) => ({
                      name: full.length > 1 ? `${label}, ${word}` : label,
                      unit,
                      lines: lines.filter((one) => one.label === label).map((one) => ({ ...one, label: runs[one.run].name })),
                  })),
              );
    return { name, note, log: false, scale: 0, choices };
}

export function loadPanels(runs: Run[]): Panel[] {
    const units = unitsOf(runs[0]);
    const stress = peaks.map(([column, name, dimension]) => ({
        name,
        unit: unitText(units, dimension),
        lines: runs.flatMap((run, i) => {
            const x = run.history?.numbers.get('time');
            return [...(run.history?.numbers ?? [])]
                .filter(([key]) => x && key.endsWith(`.${column}`))
                .map(([key, y]) => ({ label: key.slice(0, -column.length - 1), run: i, x: x!, y }));
        }),
    }));
    const force = quantities.map(([column, name]) => ({
        name,
        unit: unitText(units, dimensions.force),
        lines: runs.flatMap((run, i) => (run.pairs ? pairLines(run.pairs, column, i, run.history?.numbers.get('time') ?? []) : [])),
    }));
    return [
        panel('Peak stress', 'largest in each body', stress, runs),
        panel('Contact force', 'mean between rows', force, runs),
    ].filter((one): one is Panel => one !== null);
}
