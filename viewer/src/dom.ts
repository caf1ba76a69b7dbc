// SPDX-License-Identifier: MIT
// Elements of the page. Text from a result is inserted only as text, never as markup.

export function byId<T extends HTMLElement>(id: string): T {
    const found = document.getElementById(id);
    if (!found) throw new Error(`the page has no #${id}`);
    return found as T;
}

export function make<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Record<string, string> = {},
    ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
}

// A table of text and numbers; numbers are set to the right.
export function grid(head: string[], rows: (string | Node)[][], numeric: boolean[], caption: string): HTMLTableElement {
    const table = make('table', {}, make('caption', { class: 'hidden' }, caption));
    const side = (i: number): Record<string, string> => (numeric[i] ? { class: 'number' } : {});
    table.append(make('thead', {}, make('tr', {}, ...head.map((text, i) => make('th', { scope: 'col', ...side(i) }, text)))));
    const body = make('tbody');
    for (const row of rows) {
        body.append(
            make('tr', {}, ...row.map((cell, i) => (i === 0 ? make('th', { scope: 'row' }, cell) : make('td', side(i), cell)))),
        );
    }
    table.append(body);
    return table;
}
