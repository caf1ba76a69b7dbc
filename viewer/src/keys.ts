// SPDX-License-Identifier: MIT
// Keys of the page. A key is ignored if the focused control uses it itself.

export interface Action {
    keys: string[];
    // How the key is shown in the help.
    shown: string;
    what: string;
    act: (event: KeyboardEvent) => void;
}

function taken(event: KeyboardEvent): boolean {
    const target = event.target;
    if (!(target instanceof HTMLElement)) return false;
    if (target.closest('dialog')) return true;
    if (target instanceof HTMLInputElement && target.type === 'range')
        return event.key === 'PageUp' || event.key === 'PageDown';
    if (target instanceof HTMLInputElement && target.type === 'checkbox') return event.key === ' ';
    if (target instanceof HTMLInputElement && target.type === 'radio')
        return event.key === ' ' || event.key.startsWith('Arrow');
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement)
        return true;
    if (target instanceof HTMLButtonElement || target.tagName === 'SUMMARY') return event.key === ' ' || event.key === 'Enter';
    return false;
}

export function listen(actions: Action[]): void {
    document.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || taken(event)) return;
        const action = actions.find((one) => one.keys.includes(event.key));
        if (!action) return;
        event.preventDefault();
        action.act(event);
    });
}
