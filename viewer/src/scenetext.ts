// SPDX-License-Identifier: MIT
// The text of the scene, with dimmed comments.

import { make } from './dom.ts';

// Where the comment of a line of YAML begins: at a # at the start or after a space, outside quotes; the length if there is none.
export function commentStart(line: string): number {
    let quote = '';
    for (let i = 0; i < line.length; i++) {
        const c = line[i];
        if (quote) {
            if (c === '\\' && quote === '"') i++;
            else if (c === quote) quote = '';
        } else if ((c === '"' || c === "'") && (i === 0 || /[\s[{,:]/.test(line[i - 1]))) {
            quote = c;
        } else if (c === '#' && (i === 0 || /\s/.test(line[i - 1]))) {
            return i;
        }
    }
    return line.length;
}

export function showScene(place: HTMLElement, text: string): void {
    place.replaceChildren();
    for (const line of text.replace(/\n$/, '').split('\n')) {
        const at = commentStart(line);
        place.append(line.slice(0, at));
        if (at < line.length) place.append(make('span', { class: 'comment' }, line.slice(at)));
        place.append('\n');
    }
}
