// SPDX-License-Identifier: MIT
// Picking a node on the stage: a click that is no drag. The switch "Node" does the same by its name.

import { byId } from './dom.ts';
import type { Stage } from './stage.ts';

// Pixels that a pointer may move within a click, and how long one may last.
const still = 5;
const brief = 600;

export function listenForPicks(stage: Stage, canvas: HTMLCanvasElement, picked: (node: number | null) => void): void {
    let begin: { x: number; y: number; time: number } | null = null;
    let pointers = 0;
    canvas.addEventListener('pointerdown', (event) => {
        pointers++;
        begin = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY, time: event.timeStamp } : null;
        if (pointers > 1) begin = null;
    });
    for (const name of ['pointerup', 'pointercancel'] as const) {
        window.addEventListener(name, (event) => {
            pointers = Math.max(0, pointers - 1);
            const from = begin;
            begin = null;
            if (name === 'pointercancel' || !from || event.timeStamp - from.time > brief) return;
            if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > still) return;
            const box = canvas.getBoundingClientRect();
            picked(stage.pick(event.clientX - box.left, event.clientY - box.top));
        });
    }
}

// Handles the input of a name: a name is searched, an empty one clears the selection.
export function listenForNames(find: (name: string) => number | null, picked: (node: number | null) => void): void {
    const input = byId<HTMLInputElement>('node');
    input.addEventListener('change', () => {
        const name = input.value.trim();
        const node = name === '' ? null : find(name);
        input.setAttribute('aria-invalid', String(name !== '' && node === null));
        if (name === '' || node !== null) picked(node);
    });
}
