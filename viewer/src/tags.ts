// SPDX-License-Identifier: MIT
// Labels on the stage: a ring at a node and a few words next to it.

import { make } from './dom.ts';

export interface Tag {
    kind: 'largest' | 'picked';
    x: number;
    y: number;
    lines: string[];
}

const height = 17;

// Where the words of a tag begin: next to the ring, within the stage.
export function placeWords(tag: Tag, wide: number, width: number, tall: number): [number, number] {
    const right = tag.x + 14 + wide <= width;
    const x = right ? tag.x + 14 : Math.max(0, tag.x - 14 - wide);
    const all = height * tag.lines.length;
    const y = Math.max(0, Math.min(tall - all, tag.y - all / 2));
    return [x, y];
}

export function showTags(place: HTMLElement, tags: Tag[]): void {
    place.replaceChildren();
    const width = place.clientWidth;
    const tall = place.clientHeight;
    const taken: [number, number, number, number][] = [];
    for (const tag of tags) {
        const ring = make('span', { class: `ring ${tag.kind}` });
        ring.style.left = `${tag.x}px`;
        ring.style.top = `${tag.y}px`;
        const words = make('span', { class: `tag ${tag.kind}` }, ...tag.lines.map((line) => make('span', {}, line)));
        place.append(ring, words);
        const wide = words.offsetWidth;
        let [x, y] = placeWords(tag, wide, width, tall);
        // Labels must not overlap: the second moves down, or up at the bottom.
        for (const [left, top, right, bottom] of taken) {
            const all = words.offsetHeight;
            if (x >= right || x + wide <= left || y >= bottom || y + all <= top) continue;
            y = bottom + 3 + all <= tall ? bottom + 3 : top - 3 - all;
        }
        words.style.left = `${x}px`;
        words.style.top = `${y}px`;
        taken.push([x, y, x + wide, y + words.offsetHeight]);
    }
}

// The same on a canvas, for pictures.
export function paintTags(draw: CanvasRenderingContext2D, tags: Tag[], scale: number, top: number, font: string): void {
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string): string => style.getPropertyValue(name);
    draw.save();
    draw.font = `${12 * scale}px ${font}`;
    draw.textAlign = 'left';
    draw.textBaseline = 'middle';
    for (const tag of tags) {
        draw.beginPath();
        draw.arc(tag.x * scale, top + tag.y * scale, 6 * scale, 0, 2 * Math.PI);
        draw.lineWidth = 2 * scale;
        draw.strokeStyle = colour(tag.kind === 'largest' ? '--hot' : '--accent');
        draw.stroke();
        const wide = Math.max(...tag.lines.map((line) => draw.measureText(line).width)) / scale + 12;
        const [x, y] = placeWords(tag, wide, draw.canvas.width / scale, draw.canvas.height / scale);
        draw.fillStyle = colour('--paper');
        draw.globalAlpha = 0.85;
        draw.fillRect(x * scale, top + y * scale, wide * scale, height * tag.lines.length * scale);
        draw.globalAlpha = 1;
        draw.fillStyle = colour('--ink');
        tag.lines.forEach((line, i) => draw.fillText(line, (x + 6) * scale, top + (y + height * (i + 0.5)) * scale));
    }
    draw.restore();
}
