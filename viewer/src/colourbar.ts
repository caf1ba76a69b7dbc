// SPDX-License-Identifier: MIT
// The colour bar: colours of values, or of bodies.

import { colourMap, mapOf, noValue, seriesColour } from './colour.ts';
import type { Run } from './data.ts';
import { make } from './dom.ts';
import { fixed, ticks } from './format.ts';

export interface Bar {
    label: string;
    range: [number, number];
    // True if some of the bodies do not have the field.
    partial: boolean;
    // Whether there are values below and above the range.
    beyond: [boolean, boolean];
}

export function paintBar(canvas: HTMLCanvasElement, range: [number, number]): void {
    const colours = colourMap(mapOf(range));
    canvas.width = 256;
    canvas.height = 1;
    const context = canvas.getContext('2d')!;
    const image = context.createImageData(256, 1);
    for (let i = 0; i < 256; i++) image.data.set([colours[3 * i], colours[3 * i + 1], colours[3 * i + 2], 255], 4 * i);
    context.putImageData(image, 0, 0);
}

export function barTicks(range: [number, number]): { value: number; text: string }[] {
    const values = ticks(range[0], range[1], 4);
    const step = values.length > 1 ? values[1] - values[0] : Math.abs(range[1]) || 1;
    return values.map((value) => ({ value, text: fixed(Math.abs(value) < 1e-9 * step ? 0 : value, step) }));
}

export function showBar(place: HTMLElement, bar: Bar): void {
    const [low, high] = bar.range;
    const canvas = make('canvas', { 'aria-hidden': 'true' });
    paintBar(canvas, bar.range);
    const scale = make('div', { class: 'ticks' });
    for (const { value, text } of barTicks(bar.range)) {
        const at = high > low ? (value - low) / (high - low) : 0.5;
        const tick = make('span', {}, text);
        tick.style.left = `${(100 * at).toFixed(2)}%`;
        scale.append(tick);
    }
    const holder = make('div', { class: 'bar' }, canvas, scale);
    // Arrows at its ends: values beyond the range have the colour of the end.
    bar.beyond.forEach((more, i) => {
        if (more) holder.classList.add(i === 0 ? 'more-below' : 'more-above');
    });
    place.replaceChildren(make('span', { class: 'bar-label' }, bar.label), holder);
    if (!bar.partial) return;
    const swatch = make('span', { class: 'swatch' });
    swatch.style.background = noValue;
    place.append(make('span', { class: 'no-value' }, swatch, 'no value'));
}

export function showBodies(place: HTMLElement, run: Run): void {
    const list = make('ul', { class: 'body-legend' });
    run.bodies.slice(0, 12).forEach((body, i) => {
        const swatch = make('span', { class: 'swatch' });
        swatch.style.background = seriesColour(i);
        list.append(make('li', {}, swatch, body.name));
    });
    if (run.bodies.length > 12) list.append(make('li', {}, `and ${run.bodies.length - 12} more`));
    place.replaceChildren(make('span', { class: 'bar-label' }, 'body'), list);
}
