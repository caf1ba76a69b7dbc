// SPDX-License-Identifier: MIT
// The summary of a run: results, contacts of bodies, and gates.

import type { Run } from './data.ts';
import { grid, make } from './dom.ts';
import { number } from './format.ts';

const facts: [string, string][] = [
    ['integrator', 'integrator'],
    ['steps', 'steps'],
    ['step_size', 'step'],
    ['nodes', 'nodes'],
    ['elements', 'elements'],
    ['element_updates', 'element updates'],
    ['contact_events', 'contact events'],
    ['wall_seconds', 'wall time (s)'],
    ['threads', 'threads'],
    ['energy_error', 'energy error'],
    ['momentum_error', 'momentum error'],
    ['angular_momentum_error', 'angular momentum error'],
    ['max_penetration', 'largest penetration'],
    ['intersections', 'intersections'],
    ['state_hash', 'state hash'],
];

type Row = Record<string, unknown>;

function rows(value: unknown): Row[] {
    return Array.isArray(value) ? value.filter((one): one is Row => typeof one === 'object' && one !== null) : [];
}

// The names of the two bodies of a pair in the summary.
function pairName(pair: Row): string {
    const names = pair['bodies'] ?? [pair['first'] ?? pair['a'], pair['second'] ?? pair['b']];
    return Array.isArray(names) ? names.filter((name) => name !== undefined).join(' – ') : String(names);
}

export function showSummary(place: HTMLElement, run: Run): void {
    const summary = run.summary;
    const list = make('dl', { class: 'facts' });
    for (const [key, label] of facts) {
        if (!(key in summary)) continue;
        list.append(make('div', {}, make('dt', {}, label), make('dd', {}, number(summary[key], 4))));
    }
    for (const [name, count] of Object.entries((summary['events'] ?? {}) as Row)) {
        if (count !== 0)
            list.append(make('div', {}, make('dt', {}, name.replace(/_/g, ' ')), make('dd', { class: 'bad' }, number(count))));
    }
    place.replaceChildren(list);
    if (summary['completed'] === false) place.prepend(make('p', { class: 'bad' }, 'The run was stopped before its end.'));

    const pairs = rows(summary['pairs']);
    if (pairs.length > 0) {
        const table = grid(
            ['contact', 'events', 'first', 'last', 'impulse', 'approach', 'restitution'],
            pairs.map((pair) => [
                pairName(pair),
                ...['events', 'first_contact', 'last_contact', 'impulse', 'approach', 'macroscopic_restitution'].map((key) =>
                    number(pair[key], 4),
                ),
            ]),
            [false, true, true, true, true, true, true],
            'Contacts of pairs of bodies',
        );
        place.append(
            make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Contacts of pairs of bodies' }, table),
        );
    }

    const gates = rows(summary['expect']);
    if (gates.length > 0) {
        const verdict = (passed: unknown): HTMLElement =>
            make('span', { class: passed ? 'good' : 'bad' }, passed ? 'passed' : 'failed');
        const table = grid(
            ['gate', 'condition', 'value', ''],
            gates.map((gate) => [
                String(gate['name']),
                String(gate['condition']),
                number(gate['value'], 4),
                verdict(gate['passed']),
            ]),
            [false, false, true, false],
            'Gates of the scene',
        );
        place.append(
            make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Gates of the scene' }, table),
        );
    }
    place.append(
        make(
            'details',
            {},
            make('summary', {}, 'summary.json'),
            make('pre', { tabindex: '0' }, JSON.stringify(summary, null, 2)),
        ),
    );
}
