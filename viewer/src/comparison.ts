// SPDX-License-Identifier: MIT
// The table of a comparison, and the methods that could not run the scene.

import { seriesColour } from './colour.ts';
import type { Report, Run } from './data.ts';
import { grid, make } from './dom.ts';
import { number } from './format.ts';

// Removes the name of the method at the beginning of a reason.
export function reasonOf(run: Run): string {
    const reason = run.failure ?? '';
    return reason.startsWith(`${run.integrator} `) ? reason.slice(run.integrator.length + 1) : reason;
}

export function showComparison(place: HTMLElement, report: Report): void {
    const table = report.table;
    if (table) {
        // Methods side by side, one quantity below the other; a method that failed has its reason below instead.
        const ran = table.rows.filter((row) => !report.runs.some((run) => run.name === row[0] && run.failure !== null));
        const rows = table.columns.slice(1).map((quantity, k) => [quantity, ...ran.map((row) => number(row[k + 1], 4))]);
        const shown = grid(
            ['', ...ran.map((row) => number(row[0]))],
            rows,
            [false, ...ran.map(() => true)],
            'Methods side by side',
        );
        [...shown.tHead!.rows[0].cells].slice(1).forEach((cell, i) => {
            const swatch = make('span', { class: 'swatch' });
            swatch.style.background = seriesColour(report.runs.findIndex((run) => run.name === ran[i][0]));
            // Long names may break after their marks, not within words.
            const parts = number(ran[i][0]).split(/(?<=[:=_-]|\.(?=[a-z]))/);
            cell.replaceChildren(swatch, ' ', ...parts.flatMap((part) => [part, make('wbr')]));
        });
        place.append(
            make(
                'div',
                { class: 'scroll methods', tabindex: '0', role: 'region', 'aria-label': 'Methods side by side' },
                shown,
            ),
        );
    }
    const failed = report.runs.filter((run) => run.failure !== null);
    if (failed.length > 0) {
        const list = make('ul', { class: 'failures' });
        for (const run of failed) list.append(make('li', {}, make('strong', {}, run.name), `: ${reasonOf(run)}`));
        place.append(make('h3', {}, 'Did not run to the end'), list);
    }
}
