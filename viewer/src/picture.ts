// SPDX-License-Identifier: MIT
// The stage as a picture, with its title, time, labels and colour bar: one to save, or one of a film.

import { paintBar, barTicks, type Bar } from './colourbar.ts';
import { paintTags, type Tag } from './tags.ts';

export interface Caption {
    title: string;
    time: string;
    bar: Bar | null;
    tags: Tag[];
}

export function paint(stage: HTMLCanvasElement, caption: Caption, scale: number): HTMLCanvasElement {
    const style = getComputedStyle(document.documentElement);
    const font = style.getPropertyValue('--sans');
    const pad = 20 * scale;
    const head = 52 * scale;
    const foot = caption.bar ? 64 * scale : pad;
    const canvas = document.createElement('canvas');
    canvas.width = stage.width;
    canvas.height = stage.height + head + foot;
    const draw = canvas.getContext('2d')!;
    draw.fillStyle = style.getPropertyValue('--paper');
    draw.fillRect(0, 0, canvas.width, canvas.height);
    draw.drawImage(stage, 0, head);
    paintTags(draw, caption.tags, scale, head, font);

    draw.fillStyle = style.getPropertyValue('--ink');
    draw.textBaseline = 'middle';
    draw.font = `600 ${15 * scale}px ${font}`;
    const available = canvas.width - 2 * pad;
    draw.font = `${14 * scale}px ${font}`;
    const timeWidth = draw.measureText(caption.time).width;
    draw.textAlign = 'right';
    draw.fillText(caption.time, canvas.width - pad, head / 2);
    draw.textAlign = 'left';
    draw.font = `600 ${15 * scale}px ${font}`;
    draw.fillText(caption.title, pad, head / 2, Math.max(10, available - timeWidth - pad));

    if (caption.bar) {
        const bar = document.createElement('canvas');
        paintBar(bar, caption.bar.range);
        draw.font = `${12 * scale}px ${font}`;
        const label = draw.measureText(caption.bar.label).width;
        const left = pad + label + 14 * scale;
        const width = Math.min(320 * scale, canvas.width - left - 2 * pad);
        const top = canvas.height - foot + 14 * scale;
        draw.fillText(caption.bar.label, pad, top + 5 * scale);
        draw.drawImage(bar, left, top, width, 10 * scale);
        draw.textAlign = 'center';
        const [low, high] = caption.bar.range;
        for (const { value, text } of barTicks(caption.bar.range)) {
            draw.fillText(text, left + (high > low ? (value - low) / (high - low) : 0.5) * width, top + 22 * scale);
        }
    }
    return canvas;
}

export function compose(stage: HTMLCanvasElement, caption: Caption, scale: number): Promise<Blob> {
    const canvas = paint(stage, caption, scale);
    return new Promise((resolve, reject) => {
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be made'))), 'image/png');
    });
}

export function download(blob: Blob, name: string): void {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// A file name from any title.
export function fileName(title: string, time: string, ending = 'png'): string {
    const plain = `${title} ${time}`
        .normalize('NFKD')
        .replace(/[^A-Za-z0-9.]+/g, '_')
        .replace(/^[_.]+|_+$/g, '');
    return `${plain.slice(0, 80) || 'carom'}.${ending}`;
}
