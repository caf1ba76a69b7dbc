// SPDX-License-Identifier: MIT
// The ledger as a table, at the row of the history nearest to the clock.

import type { Run } from './data.ts';
import { grid } from './dom.ts';
import { number, percent } from './format.ts';
import { nearest } from './frames.ts';

interface Entry {
    label: string;
    column: string;
    scale: 'energy' | 'momentum' | 'angular_momentum';
    rule?: boolean;
}

const entries: Entry[] = [
    { label: 'kinetic', column: 'kinetic', scale: 'energy' },
    { label: 'internal', column: 'internal', scale: 'energy' },
    { label: 'external', column: 'external', scale: 'energy' },
    { label: 'total', column: 'total', scale: 'energy', rule: true },
    { label: 'lost by friction', column: 'friction', scale: 'energy' },
    { label: 'lost by restitution', column: 'restitution', scale: 'energy' },
    { label: 'lost by projection', column: 'projection', scale: 'energy' },
    { label: 'lost by damping', column: 'damping', scale: 'energy' },
    { label: 'lost by plasticity', column: 'plasticity', scale: 'energy' },
    { label: 'lost by viscosity', column: 'viscosity', scale: 'energy' },
    { label: 'oscillation (known)', column: 'oscillation', scale: 'energy' },
    { label: 'residual (unexplained)', column: 'residual', scale: 'energy', rule: true },
    { label: 'momentum x', column: 'px', scale: 'momentum', rule: true },
    { label: 'momentum y', column: 'py', scale: 'momentum' },
    { label: 'momentum z', column: 'pz', scale: 'momentum' },
    { label: 'angular momentum x', column: 'lx', scale: 'angular_momentum', rule: true },
    { label: 'angular momentum y', column: 'ly', scale: 'angular_momentum' },
    { label: 'angular momentum z', column: 'lz', scale: 'angular_momentum' },
];

export class Ledger {
    private row = -1;
    private readonly shown: { entry: Entry; values: Float64Array; scale: number; cells: HTMLElement[] }[] = [];
    private readonly times: Float64Array;

    constructor(place: HTMLElement, run: Run) {
        const history = run.history;
        this.times = history?.numbers.get('time') ?? new Float64Array(0);
        const scales = (run.summary['scales'] ?? {}) as Record<string, unknown>;
        const table = grid(
            ['', 'start', 'now', 'change', 'of scale'],
            entries.filter((entry) => history?.numbers.has(entry.column)).map((entry) => [entry.label, '', '', '', '']),
            [false, true, true, true, true],
            'The ledger at the time of the clock',
        );
        const rows = [...table.tBodies[0].rows];
        for (const entry of entries) {
            const values = history?.numbers.get(entry.column);
            if (!values) continue;
            const row = rows[this.shown.length];
            if (entry.rule) row.className = 'rule';
            this.shown.push({ entry, values, scale: Number(scales[entry.scale] ?? 0), cells: [...row.cells] });
        }
        place.replaceChildren(table);
    }

    // The time of the row that is shown; null without rows.
    get time(): number | null {
        return this.row < 0 ? null : this.times[this.row];
    }

    setTime(time: number): void {
        if (this.times.length === 0) return;
        const row = nearest(this.times, time);
        if (row === this.row) return;
        this.row = row;
        for (const { values, scale, cells } of this.shown) {
            const start = values[0];
            const now = values[row];
            cells[1].textContent = number(start, 5);
            cells[2].textContent = number(now, 5);
            cells[3].textContent = number(now - start, 3);
            cells[4].textContent = percent(now - start, scale);
        }
    }
}
