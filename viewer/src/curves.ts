// SPDX-License-Identifier: MIT
// Panels of curves over time. A line marks the clock in all of them; the values after the names are those at the clock or,
// while the pointer is over a panel, those under it. Clicking or dragging sets the clock.

import uPlot from 'uplot';
import { seriesColour } from './colour.ts';
import { make } from './dom.ts';
import { number } from './format.ts';
import { nearest } from './frames.ts';
import type { Choice, Line, Panel } from './panels.ts';
import { decades, linearRange, logRange, power } from './ranges.ts';

const height = 148;
const minus = (text: string): string => text.replace(/-/g, '−');

// All lines over one sorted axis of times; gaps are null.
export function align(lines: Line[], log: boolean): uPlot.AlignedData {
    const clean = (values: Float64Array): (number | null)[] =>
        Array.from(values, (y) => (Number.isFinite(y) && (!log || y > 0) ? y : null));
    const first = lines[0].x;
    if (lines.every((line) => line.x === first))
        return [Array.from(first), ...lines.map((line) => clean(line.y))] as uPlot.AlignedData;
    return uPlot.join(lines.map((line) => [Array.from(line.x), clean(line.y)] as uPlot.AlignedData));
}

// How many points of a line there are to draw.
function drawn(line: Line, log: boolean): number {
    return line.y.reduce((count, y) => count + (Number.isFinite(y) && (!log || y > 0) ? 1 : 0), 0);
}

class Chart {
    readonly element: HTMLElement;
    private readonly holder = make('div', { class: 'plot' });
    private readonly legend = make('ul', { class: 'legend' });
    private readonly hand = make('div', { class: 'hand' });
    private plot: uPlot | null = null;
    private values: HTMLElement[] = [];
    private choice: Choice;
    private hover: number | null = null;
    private time = 0;
    private readonly off = new Set<string>();
    private readonly unit = make('span', { class: 'unit' });

    constructor(
        private readonly panel: Panel,
        private readonly span: [number, number],
        private readonly byRun: boolean,
        private readonly scrub: (time: number) => void,
    ) {
        this.choice = panel.choices[0];
        const head = make('div', { class: 'panel-head' }, make('h3', {}, panel.name), this.unit);
        if (panel.choices.length > 1) {
            const select = make('select', { 'aria-label': `${panel.name}: quantity` });
            panel.choices.forEach((choice, i) => select.append(make('option', { value: String(i) }, choice.name)));
            select.addEventListener('change', () => {
                this.choice = panel.choices[Number(select.value)];
                this.build();
            });
            head.append(select);
        } else if (panel.note) {
            head.append(make('span', { class: 'note' }, panel.note));
        }
        this.element = make('section', { class: 'panel', 'aria-label': panel.name }, head, this.legend, this.holder);
    }

    private colour(line: Line, i: number): string {
        return seriesColour(this.byRun ? line.run : i);
    }

    private options(width: number): uPlot.Options {
        const style = getComputedStyle(document.documentElement);
        const ink = (): string => style.getPropertyValue('--muted');
        const rule = (): string => style.getPropertyValue('--rule');
        const font = '11px Inter, "Helvetica Neue", Arial, system-ui, sans-serif';
        const axis = { stroke: ink, font, grid: { stroke: rule, width: 1 }, ticks: { show: false } };
        const panel = this.panel;
        return {
            width,
            height,
            legend: { show: false },
            padding: [8, 18, 0, 0],
            cursor: { drag: { x: false, y: false }, y: false, sync: { key: 'carom' }, points: { size: 6 } },
            scales: {
                x: { time: false, range: () => this.span },
                y: panel.log
                    ? { distr: 3, log: 10, range: () => logRange(this.choice.lines) }
                    : { range: (_, low, high) => linearRange(low ?? 0, high ?? 1, panel.scale) },
            },
            axes: [
                { ...axis, size: 26, gap: 4, values: (_, splits) => splits.map((x) => minus(number(x, 6))) },
                {
                    ...axis,
                    size: 58,
                    gap: 4,
                    space: 28,
                    ...(panel.log
                        ? {
                              splits: (_: uPlot, __: number, low: number, high: number) => decades(low, high),
                              filter: (_: uPlot, splits: number[]) => splits,
                          }
                        : {}),
                    values: (_, splits) =>
                        splits.map((y) => (y === null ? '' : panel.log ? power(y) : number(Number(y.toPrecision(6)), 4))),
                },
            ],
            series: [
                {},
                ...this.choice.lines.map((line, i) => ({
                    label: line.label,
                    stroke: this.colour(line, i),
                    width: 1.5,
                    pxAlign: 0,
                    spanGaps: !panel.log,
                    // A line of one point cannot be seen.
                    points: { show: drawn(line, panel.log) === 1, size: 7 },
                    show: !this.off.has(line.label),
                })),
            ],
            hooks: {
                setCursor: [
                    (plot) => {
                        this.hover = plot.cursor.idx ?? null;
                        if (plot.cursor.left === undefined || plot.cursor.left < 0) this.hover = null;
                        this.showValues();
                    },
                ],
            },
        };
    }

    build(): void {
        this.plot?.destroy();
        this.unit.textContent = this.choice.unit ?? '';
        const width = Math.max(200, this.holder.clientWidth);
        this.plot = new uPlot(this.options(width), align(this.choice.lines, this.panel.log), this.holder);
        this.plot.root.setAttribute('role', 'img');
        this.plot.root.setAttribute(
            'aria-label',
            `${this.panel.name} over time: ${this.choice.lines.map((line) => line.label).join(', ')}`,
        );
        this.plot.over.append(this.hand);
        this.plot.over.addEventListener('pointerdown', (event) => this.grab(event));
        this.plot.over.addEventListener('pointermove', (event) => {
            if (event.buttons & 1) this.set(event);
        });

        // The legend is also the switch of each curve.
        this.values = [];
        this.legend.replaceChildren();
        this.choice.lines.forEach((line, i) => {
            const value = make('span', { class: 'value' });
            const swatch = make('span', { class: 'swatch' });
            swatch.style.background = this.colour(line, i);
            const button = make(
                'button',
                { type: 'button', 'aria-pressed': String(!this.off.has(line.label)) },
                swatch,
                line.label,
            );
            button.addEventListener('click', () => {
                if (!this.off.delete(line.label)) this.off.add(line.label);
                button.setAttribute('aria-pressed', String(!this.off.has(line.label)));
                this.plot?.setSeries(i + 1, { show: !this.off.has(line.label) });
            });
            this.values.push(value);
            this.legend.append(make('li', {}, button, value));
        });
        this.setTime(this.time);
    }

    private grab(event: PointerEvent): void {
        if (event.button !== 0) return;
        if (event.pointerType === 'mouse') this.plot!.over.setPointerCapture(event.pointerId);
        this.set(event);
    }

    private set(event: PointerEvent): void {
        const left = event.clientX - this.plot!.over.getBoundingClientRect().left;
        this.scrub(this.plot!.posToVal(left, 'x'));
    }

    setTime(time: number): void {
        this.time = time;
        if (!this.plot) return;
        this.hand.style.transform = `translateX(${this.plot.valToPos(time, 'x').toFixed(2)}px)`;
        this.showValues();
    }

    private showValues(): void {
        const axis = this.plot?.data[0];
        if (!axis) return;
        const time = this.hover === null ? this.time : axis[this.hover];
        this.choice.lines.forEach((line, i) => {
            const row = nearest(line.x, time);
            this.values[i].textContent = number(line.y[row], 4);
            this.values[i].title = `row at t = ${number(line.x[row], 6)}`;
        });
    }

    resize(): void {
        const width = Math.max(200, this.holder.clientWidth);
        if (!this.plot) this.build();
        else if (this.plot.width !== width) this.plot.setSize({ width, height });
        this.setTime(this.time);
    }

    recolour(): void {
        this.plot?.redraw(false, true);
    }

    remove(): void {
        this.plot?.destroy();
        this.element.remove();
    }
}

export class Curves {
    private readonly charts: Chart[];
    private extra: Chart | null = null;
    private time = 0;

    constructor(
        place: HTMLElement,
        panels: Panel[],
        private readonly span: [number, number],
        byRun: boolean,
        private readonly scrub: (time: number) => void,
    ) {
        this.charts = panels.map((panel) => new Chart(panel, span, byRun, scrub));
        place.append(...this.charts.map((chart) => chart.element));
        new ResizeObserver(() => this.all.forEach((chart) => chart.resize())).observe(place);
    }

    private get all(): Chart[] {
        return this.extra ? [this.extra, ...this.charts] : this.charts;
    }

    // An additional panel at a separate place; null: none.
    setExtra(place: HTMLElement, panel: Panel | null): void {
        this.extra?.remove();
        this.extra = panel && new Chart(panel, this.span, false, this.scrub);
        if (!this.extra) return;
        place.append(this.extra.element);
        this.extra.setTime(this.time);
        this.extra.resize();
    }

    setTime(time: number): void {
        this.time = time;
        for (const chart of this.all) chart.setTime(time);
    }

    recolour(): void {
        for (const chart of this.all) chart.recolour();
    }
}
