// SPDX-License-Identifier: MIT
// The table of a comparison, and the methods that could not run the scene.

import { seriesColour } from './colour.ts';
import type { Cell, Report } from './data.ts';
import { grid, make } from './dom.ts';
import { number } from './format.ts';

export function showComparison(place: HTMLElement, report: Report): void {
    const table = report.table;
    if (table) {
        const numeric = table.columns.map((_, i) => table.rows.some((row) => typeof row[i] === 'number'));
        const index = (name: Cell | undefined): number => report.runs.findIndex((run) => run.name === name);
        const first = (name: Cell | undefined): Node | string => {
            const run = index(name);
            if (run < 0) return number(name);
            const swatch = make('span', { class: 'swatch' });
            swatch.style.background = seriesColour(run);
            return make('span', { class: 'named' }, swatch, String(name));
        };
        const rows = table.rows.map((row) => row.map((cell, i) => (i === 0 ? first(cell) : number(cell, 4))));
        place.append(
            make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Methods side by side' }, grid(table.columns, rows, numeric, 'Methods side by side')),
        );
    }
    const failed = report.runs.filter((run) => run.failure !== null);
    if (failed.length > 0) {
        const list = make('ul', { class: 'failures' });
        for (const run of failed) list.append(make('li', {}, make('strong', {}, run.name), ` ${run.failure}`));
        place.append(make('h3', {}, 'Cannot run this scene'), list);
    }
}
