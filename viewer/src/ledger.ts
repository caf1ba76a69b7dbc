// SPDX-License-Identifier: MIT
// The ledger as a table, at the row of the history nearest to the clock.

import type { LedgerColumn, Run } from './data.ts';
import { grid } from './dom.ts';
import { number, percent } from './format.ts';
import { nearest } from './frames.ts';

interface Entry extends LedgerColumn {
    // A line above it.
    rule: boolean;
}

// The balance of energy from its parts to what remains, then the momenta.
const roles = ['part', 'total', 'loss', 'known', 'residual'];
const momenta = ['momentum', 'angular_momentum'];

function entriesOf(run: Run): Entry[] {
    const present = run.ledger.filter((column) => run.history?.numbers.has(column.name));
    const energies = roles.flatMap((role) => present.filter((column) => column.role === role));
    const others = momenta.flatMap((unit) => present.filter((column) => column.unit === unit));
    return [...energies, ...others].map((column, i, all) => ({
        ...column,
        rule: column.role === 'total' || column.role === 'residual' || (i > 0 && column.unit !== all[i - 1].unit),
    }));
}

export class Ledger {
    private row = -1;
    private readonly shown: { values: Float64Array; scale: number; cells: HTMLElement[] }[] = [];
    private readonly times: Float64Array;

    constructor(place: HTMLElement, run: Run) {
        const history = run.history;
        this.times = history?.numbers.get('time') ?? new Float64Array(0);
        const scales = (run.summary['scales'] ?? {}) as Record<string, unknown>;
        const entries = entriesOf(run);
        const table = grid(
            ['', 'start', 'now', 'change', 'of scale'],
            entries.map((entry) => [entry.label, '', '', '', '']),
            [false, true, true, true, true],
            'The ledger at the time of the clock',
        );
        const rows = [...table.tBodies[0].rows];
        entries.forEach((entry, i) => {
            if (entry.rule) rows[i].className = 'rule';
            const values = history!.numbers.get(entry.name)!;
            this.shown.push({ values, scale: Number(scales[entry.unit] ?? 0), cells: [...rows[i].cells] });
        });
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
