// SPDX-License-Identifier: MIT
// The panels of curves. A report of one run draws several columns in a panel; a comparison draws one column of all its
// runs, chosen in the panel. Panels whose columns are zero throughout are named, not drawn.

import type { LedgerColumn, Run, Table } from './data.ts';
import { number } from './format.ts';
import { extentOf } from './frames.ts';
import { loadPanels } from './loads.ts';
import { dimensionOf, dimensions, unitText, unitsOf, type Dimension } from './units.ts';

export interface Line {
    label: string;
    run: number;
    x: Float64Array;
    y: Float64Array;
}

// One choice of a panel: the lines to draw.
export interface Choice {
    name: string;
    // The field that it shows, of the curves of a node.
    key?: string;
    unit?: string;
    lines: Line[];
}

export interface Panel {
    name: string;
    note: string;
    log: boolean;
    // The scale relative to which small changes are not enlarged.
    scale: number;
    choices: Choice[];
}

export interface Panels {
    drawn: Panel[];
    // Quantities that are zero throughout.
    zero: string[];
}

interface Wanted {
    name: string;
    note: string;
    // Names of columns, and labels.
    columns: [string, string][];
    log?: boolean;
    // The unit of the columns, which is also the name of their scale.
    unit: string;
    // Changes have no such scale.
    free?: boolean;
}

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replace(/_/g, ' ');

// Energies, losses and residual, a panel for each kind of momentum, and one for each column that is none of these.
function wantedOf(ledger: LedgerColumn[]): Wanted[] {
    const named = (...roles: LedgerColumn['role'][]): [string, string][] =>
        roles.flatMap((role) => ledger.filter((column) => column.role === role)).map(({ name }) => [name, name]);
    const vector = (name: string, unit: string, note: string): Wanted => ({
        name,
        note,
        unit,
        columns: ledger.filter((column) => column.unit === unit).map((column) => [column.name, column.name.slice(-1)]),
    });
    const single = ledger.filter(({ role, unit }) => role === 'other' && !['time', 'momentum', 'angular_momentum'].includes(unit));
    return [
        { name: 'Energy', note: '', unit: 'energy', columns: named('total', 'part') },
        { name: 'Losses', note: 'cumulative', unit: 'energy', free: true, columns: named('loss') },
        {
            name: 'Residual',
            note: 'unexplained energy, absolute',
            log: true,
            unit: 'energy',
            free: true,
            columns: named('residual').map(([name]) => [name, `|${name}|`]),
        },
        vector('Momentum', 'momentum', ''),
        vector('Angular momentum', 'angular_momentum', 'about the origin'),
        ...single.map(({ name, label, unit }): Wanted => ({ name: titled(name), note: label, unit, columns: [[name, name]] })),
    ];
}

export function isZero(values: Float64Array): boolean {
    return values.every((x) => x === 0);
}

function isConstant(values: Float64Array): boolean {
    return values.every((x) => x === values[0]);
}

function magnitude(values: Float64Array): Float64Array {
    return values.map(Math.abs);
}

function scaleOf(runs: Run[], key: string): number {
    // An overlap of a billionth of the scene is round-off: the axis is at least that long.
    if (key === 'length') return 5e-8 * Math.max(0, ...runs.map((run) => (run.frames ? extentOf(run.frames) : 0)));
    return Math.max(
        0,
        ...runs.map((run) => Number((run.summary['scales'] as Record<string, unknown> | undefined)?.[key] ?? 0) || 0),
    );
}

export function line(table: Table | null, column: string, label: string, run: number, absolute = false): Line | null {
    const x = table?.numbers.get('time');
    const y = table?.numbers.get(column);
    return x && y ? { label, run, x, y: absolute ? magnitude(y) : y } : null;
}

// Momentum from loads, restraints and planes over the whole run, from the summary.
function outside(run: Run, unit: string): string {
    const key = unit === 'momentum' ? 'external_impulse' : unit === 'angular_momentum' ? 'external_angular_impulse' : '';
    const vector = run.summary[key];
    if (!Array.isArray(vector) || vector.length !== 3 || vector.every((x) => x === 0)) return '';
    return `external, total: ${vector.map((x) => number(x, 3)).join(', ')}`;
}

export const present = (lines: (Line | null)[]): Line[] => lines.filter((one): one is Line => one !== null);

export function panelsOf(runs: Run[]): Panels {
    const result: Panels = { drawn: loadPanels(runs), zero: [] };
    const many = runs.length > 1;
    const units = unitsOf(runs[0]);
    for (const want of wantedOf(runs[0].ledger)) {
        const nonzero = want.columns.filter(([column]) =>
            runs.some((run) => !isZero(run.history?.numbers.get(column) ?? new Float64Array(0))),
        );
        if (nonzero.length === 0) {
            // results of older versions do not have all columns
            const known = want.columns.some(([column]) => runs.some((run) => run.history?.numbers.has(column)));
            if (known) result.zero.push(want.name.toLowerCase());
            continue;
        }
        const lines = ([column, label]: [string, string]): Line[] =>
            present(runs.map((run, i) => line(run.history, column, many ? run.name : label, i, want.log)));
        const unit = unitText(units, dimensionOf(want.unit));
        const choices: Choice[] = many
            ? nonzero.map((pair) => ({ name: pair[1].replace(/\|/g, ''), unit, lines: lines(pair) }))
            : [{ name: want.name, unit, lines: nonzero.flatMap(lines) }];
        result.drawn.push({
            name: want.name,
            note: [want.note, many ? '' : outside(runs[0], want.unit)].filter((text) => text).join('; '),
            log: want.log ?? false,
            scale: want.free ? 0 : scaleOf(runs, want.unit),
            choices,
        });
    }
    const cells = cellPanel(runs, many);
    if (cells) result.drawn.push(cells);
    const probes = probePanel(runs, many);
    if (probes) result.drawn.push(probes);
    const bodies = many ? null : bodyPanel(runs[0]);
    if (bodies) result.drawn.push(bodies);
    return result;
}

const quantities: [string, string, Dimension][] = [
    ['v', 'velocity', dimensions.velocity],
    ['u', 'displacement', dimensions.length],
    ['', 'position', dimensions.length],
    ['r', 'rotation', dimensions.none],
    ['w', 'angular velocity', dimensions.rate],
    ['p', 'momentum', dimensions.momentum],
    ['l', 'angular momentum', dimensions.angular_momentum],
];

// Velocity, displacement and position of each probe, rotation and momenta of rigid bodies; components that never change are left out.
function probePanel(runs: Run[], many: boolean): Panel | null {
    const choices: Choice[] = [];
    const columns = [...new Set(runs.flatMap((run) => run.probes?.names ?? []))].filter((name) => name !== 'time');
    const moving = columns.filter((name) =>
        runs.some((run) => !isConstant(run.probes?.numbers.get(name) ?? new Float64Array(1))),
    );
    for (const [prefix, word, dimension] of quantities) {
        const unit = unitText(unitsOf(runs[0]), dimension);
        const mine = moving.filter((name) => new RegExp(`\\.${prefix}[xyz]$`).test(name));
        if (mine.length === 0) continue;
        if (many)
            for (const name of mine)
                choices.push({ name, unit, lines: present(runs.map((run, i) => line(run.probes, name, run.name, i))) });
        else
            choices.push({
                name: word,
                unit,
                lines: present(mine.map((name) => line(runs[0].probes, name, probeLabel(name, prefix), 0))),
            });
    }
    return choices.length === 0 ? null : { name: 'Probes', note: '', log: false, scale: 0, choices };
}

// Forces and moments of load cells of obstacles; components that are zero throughout are left out.
function cellPanel(runs: Run[], many: boolean): Panel | null {
    const choices: Choice[] = [];
    const names = [...new Set(runs.flatMap((run) => run.history?.names ?? []))];
    for (const [word, dimension] of [
        ['force', dimensions.force],
        ['moment', dimensions.energy],
    ] as const) {
        const unit = unitText(unitsOf(runs[0]), dimension);
        const mine = names
            .filter((name) => new RegExp(`\\.${word}_[xyz]$`).test(name))
            .filter((name) => runs.some((run) => !isZero(run.history?.numbers.get(name) ?? new Float64Array(0))));
        if (mine.length === 0) continue;
        if (many)
            for (const name of mine)
                choices.push({ name, unit, lines: present(runs.map((run, i) => line(run.history, name, run.name, i))) });
        else
            choices.push({
                name: word,
                unit,
                lines: present(mine.map((name) => line(runs[0].history, name, name.replace(`.${word}_`, ' '), 0))),
            });
    }
    const note = 'on obstacles, means between two rows';
    return choices.length === 0 ? null : { name: 'Load cells', note, log: false, scale: 0, choices };
}

// left_tip.vx -> left_tip x: the quantity is already chosen.
function probeLabel(name: string, prefix: string): string {
    const dot = name.lastIndexOf('.');
    return `${name.slice(0, dot)} ${name.slice(dot + 1 + prefix.length)}`;
}

// Columns of single bodies, if the history has them.
function bodyPanel(run: Run | undefined): Panel | null {
    const table = run?.history;
    if (!table) return null;
    const choices: Choice[] = [];
    const { none, rate } = dimensions;
    const turning: [string, string, Dimension][] = [];
    for (const axis of ['x', 'y', 'z'])
        turning.push([`r${axis}`, `rotation ${axis}`, none], [`w${axis}`, `angular velocity ${axis}`, rate]);
    const ledger = run!.ledger.map(({ name, label, unit }): [string, string, Dimension] => [name, label, dimensionOf(unit)]);
    for (const [column, word, dimension] of [...ledger, ...turning]) {
        const mine = table.names.filter((name) => name.endsWith(`.${column}`) && !isZero(table.numbers.get(name)!));
        if (mine.length > 0)
            choices.push({
                name: word,
                unit: unitText(unitsOf(run), dimension),
                lines: present(mine.map((name) => line(table, name, name.slice(0, -column.length - 1), 0))),
            });
    }
    return choices.length === 0 ? null : { name: 'Bodies', note: '', log: false, scale: 0, choices };
}
