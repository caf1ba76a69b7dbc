// SPDX-License-Identifier: MIT
// Marks in the corner of the stage: the axes, a scale bar where lengths are true, and the times of the x-t diagram.

import { make } from './dom.ts';
import { number } from './format.ts';
import type { Stage } from './stage.ts';
import { dimensions, unitsOf, valueText, type Units } from './units.ts';

const svg = 'http://www.w3.org/2000/svg';

function drawAxes(place: HTMLElement, stage: Stage): void {
    const picture = document.createElementNS(svg, 'svg');
    picture.setAttribute('viewBox', '-30 -30 60 60');
    picture.setAttribute('aria-hidden', 'true');
    const names = ['x', 'y', 'z'];
    stage.eye.axes().forEach(([right, up], i) => {
        if (Math.hypot(right, up) < 0.12) return;
        const line = document.createElementNS(svg, 'line');
        line.setAttribute('x2', (18 * right).toFixed(2));
        line.setAttribute('y2', (-18 * up).toFixed(2));
        const text = document.createElementNS(svg, 'text');
        text.setAttribute('x', (25 * right).toFixed(2));
        text.setAttribute('y', (-25 * up).toFixed(2));
        text.textContent = names[i];
        picture.append(line, text);
    });
    place.replaceChildren(picture);
}

// A round length of about a sixth of the stage.
function drawScale(place: HTMLElement, perLength: number, width: number, units: Units | null): void {
    const rough = width / 6 / perLength;
    const power = 10 ** Math.floor(Math.log10(rough));
    const length = [1, 2, 5, 10].map((k) => k * power).findLast((x) => x <= rough * 1.0001) ?? power;
    const bar = make('span', { class: 'scale-line' });
    bar.style.width = `${length * perLength}px`;
    place.replaceChildren(bar, make('span', {}, valueText(number(length, 2), units, dimensions.length)));
}

export function drawMarks(stage: Stage, axes: HTMLElement, scale: HTMLElement, times: HTMLElement, width: number): void {
    const units = unitsOf(stage.run ?? undefined);
    drawAxes(axes, stage);
    const perLength = stage.eye.pixelsPerLength;
    scale.hidden = perLength === null;
    if (perLength !== null) drawScale(scale, perLength, width, units);
    const span = stage.diagramSpan();
    times.replaceChildren();
    if (!span || !stage.run?.frames) return;
    const frames = stage.run.frames.times;
    [frames[0], frames.at(-1)!].forEach((time, i) => {
        const label = make('span', {}, valueText(`t = ${number(time, 4)}`, units, dimensions.time));
        label.style.top = `${span[i]}px`;
        times.append(label);
    });
}
