// SPDX-License-Identifier: MIT
// The switches below the stage: colour, range, magnification, wireframe, contacts, bodies. They show the state and report what the reader changes.

import { seriesColour } from './colour.ts';
import type { Run } from './data.ts';
import { byId, make } from './dom.ts';
import { visibleFactor } from './frames.ts';
import { number } from './format.ts';
import { factors, type State } from './state.ts';

// What the switch shows as the field when the bodies' own colours are shown.
export const bodyField = 'body';

export class Controls {
    private readonly field = byId<HTMLSelectElement>('field');
    private readonly range = byId<HTMLSelectElement>('range');
    private readonly low = byId<HTMLInputElement>('low');
    private readonly high = byId<HTMLInputElement>('high');
    private readonly typed = byId('typed');
    private readonly bodies = byId('bodies');
    private readonly magnify = byId<HTMLSelectElement>('magnify');
    private readonly switches = ['wireframe', 'contacts', 'normals'] as const;

    constructor(
        private readonly state: State,
        private readonly changed: (what: 'field' | 'range' | 'switch' | 'magnify') => void,
        // The range shown now, from which typing starts.
        private readonly shownRange: () => [number, number],
    ) {
        this.field.addEventListener('change', () => {
            state.field = this.field.value;
            if (Array.isArray(state.range)) state.range = 'run';
            changed('field');
        });
        this.range.addEventListener('change', () => {
            if (this.range.value === 'typed') state.range = [...this.shownRange()];
            else state.range = this.range.value as 'run' | 'frame';
            changed('range');
        });
        this.magnify.addEventListener('change', () => {
            state.magnify = this.magnify.value === 'auto' ? 'auto' : Number(this.magnify.value);
            changed('magnify');
        });
        for (const input of [this.low, this.high]) input.addEventListener('change', () => this.readTyped());
        for (const name of this.switches) {
            byId<HTMLInputElement>(name).addEventListener('change', (event) => {
                state[name] = (event.target as HTMLInputElement).checked;
                changed('switch');
            });
        }
    }

    private readTyped(): void {
        const read = (input: HTMLInputElement): number => {
            const text = input.value.trim().replace('−', '-');
            return text === '' ? NaN : Number(text);
        };
        const low = read(this.low);
        const high = read(this.high);
        const valid = Number.isFinite(low) && Number.isFinite(high) && low < high;
        for (const input of [this.low, this.high]) input.setAttribute('aria-invalid', String(!valid));
        if (!valid) return;
        this.state.range = [low, high];
        this.changed('range');
    }

    // The choices of a run.
    offer(run: Run, contactsPossible: boolean, magnifiable: boolean): void {
        this.magnify.replaceChildren();
        for (const factor of factors) this.magnify.append(make('option', { value: String(factor) }, `${factor}×`));
        const visible = run.frames ? visibleFactor(run.frames) : 1;
        this.magnify.append(make('option', { value: 'auto' }, `auto (${number(visible, 4)}×)`));
        this.magnify.parentElement!.hidden = !magnifiable;
        this.field.replaceChildren();
        for (const field of run.frames?.fields ?? []) this.field.append(make('option', { value: field.name }, field.label));
        this.field.append(make('option', { value: bodyField }, 'body'));
        const offer = (name: string, possible: boolean): void => {
            byId(name).parentElement!.hidden = !possible;
        };
        offer('contacts', contactsPossible);
        offer('normals', contactsPossible);
        offer(
            'wireframe',
            run.bodies.some((body) => body.edges || body.shape === 'lines'),
        );

        this.bodies.replaceChildren();
        run.bodies.forEach((body, i) => {
            const box = make('input', { type: 'checkbox' });
            box.checked = !this.state.hidden.includes(body.name);
            box.addEventListener('change', () => {
                this.state.hidden = this.state.hidden.filter((name) => name !== body.name);
                if (!box.checked) this.state.hidden.push(body.name);
                this.changed('switch');
            });
            const swatch = make('span', { class: 'swatch' });
            swatch.style.background = seriesColour(i);
            this.bodies.append(make('label', { class: 'check' }, box, swatch, body.name));
        });
    }

    // Shows the state.
    show(run: Run): void {
        const { state } = this;
        this.field.value = state.field ?? bodyField;
        const typed = Array.isArray(state.range);
        this.range.value = typed ? 'typed' : (state.range as string);
        this.range.disabled = state.field === bodyField;
        this.magnify.value = String(state.magnify);
        this.typed.hidden = !typed || state.field === bodyField;
        if (typed && document.activeElement !== this.low && document.activeElement !== this.high) {
            this.low.value = String(Number(state.range[0]));
            this.high.value = String(Number(state.range[1]));
        }
        for (const name of this.switches) byId<HTMLInputElement>(name).checked = state[name];
        const boxes = this.bodies.querySelectorAll('input');
        run.bodies.forEach((body, i) => {
            if (boxes[i]) boxes[i].checked = !state.hidden.includes(body.name);
        });
    }

    // The field after the present one, round and round.
    nextField(): void {
        const count = this.field.options.length;
        this.field.selectedIndex = (this.field.selectedIndex + 1) % count;
        this.field.dispatchEvent(new Event('change'));
    }
}
