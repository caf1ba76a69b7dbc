// SPDX-License-Identifier: MIT
// Texts of the page about a report as a whole.

import type { Report, Run } from './data.ts';
import { number } from './format.ts';

export function subtitle(report: Report, run: Run | undefined): string {
    if (report.kind === 'compare') {
        const ran = report.runs.filter((one) => one.failure === null).length;
        const others = report.runs.length - ran;
        return `${ran} ${ran === 1 ? 'method' : 'methods'} on one scene${others > 0 ? `, ${others} could not` : ''}`;
    }
    const summary = run?.summary ?? {};
    const parts = [run?.integrator ?? ''];
    for (const [key, word] of [
        ['steps', 'steps'],
        ['nodes', 'nodes'],
        ['elements', 'elements'],
    ] as const) {
        const value = summary[key];
        if (typeof value === 'number')
            parts.push(
                `${value.toLocaleString('en').replace(/,/g, '\u202f')} ${value === 1 ? word.slice(0, -1) : word}`,
            );
    }
    if (typeof summary['energy_error'] === 'number') parts.push(`energy error ${number(summary['energy_error'], 3)}`);
    return parts.filter((part) => part).join(' · ');
}

// What the page does not contain.
export function leftOut(runs: Run[]): string[] {
    const most = (count: (run: Run) => number): number => Math.max(0, ...runs.map(count));
    const dropped = most((run) => run.frames?.dropped ?? 0);
    const damaged = most((run) => run.frames?.damaged ?? 0);
    const skipped = most((run) => run.skipped);
    const omitted = [...new Set(runs.flatMap((run) => run.frames?.omitted ?? []))];
    const hollow = runs.some((run) => run.bodies.some((body) => body.dimension === 3 && !body.tets));
    const frames = (count: number, what: string): string => `${count} ${count === 1 ? 'frame' : 'frames'} ${what}.`;
    return [
        ...(hollow ? ['The inside of solids is left out to keep the page small.'] : []),
        ...(omitted.length > 0 ? [`Fields left out to keep the page small: ${omitted.join(', ')}.`] : []),
        ...(dropped > 0 ? [frames(dropped, 'left out to keep the page small')] : []),
        ...(damaged > 0 ? [frames(damaged, 'could not be read')] : []),
        ...(skipped > 0 ? [`${skipped} rows of long tables left out; the extremes of each column are there.`] : []),
    ];
}

// From the first to the last time of all frames and histories.
export function span(runs: Run[]): [number, number] {
    let low = Infinity;
    let high = -Infinity;
    for (const run of runs) {
        for (const times of [run.frames?.times, run.history?.numbers.get('time')]) {
            if (!times || times.length === 0) continue;
            low = Math.min(low, times[0]);
            high = Math.max(high, times[times.length - 1]);
        }
    }
    return low <= high ? [low, high] : [0, 0];
}
