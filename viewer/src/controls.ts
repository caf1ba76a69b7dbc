// SPDX-License-Identifier: MIT
// The switches below the stage: colour, range, magnification, forces, wireframe, contacts, bodies. They show the state and
// report what the reader changes.

import { seriesColour } from './colour.ts';
import type { Run } from './data.ts';
import { byId, make } from './dom.ts';
import { visibleFactor } from './frames.ts';
import { number } from './format.ts';
import { naming } from './names.ts';
import { factors, forceScales, type State } from './state.ts';
import { unitsOf, withUnit } from './units.ts';

// The controls that apply to a run.
export interface Possible {
    contacts: boolean;
    magnified: boolean;
    floor: boolean;
    forces: boolean;
    section: boolean;
}

// The entry of the field switch for the colours of the bodies.
export const bodyField = 'body';

export class Controls {
    private readonly field = byId<HTMLSelectElement>('field');
    private readonly range = byId<HTMLSelectElement>('range');
    private readonly low = byId<HTMLInputElement>('low');
    private readonly high = byId<HTMLInputElement>('high');
    private readonly typed = byId('typed');
    private readonly bodies = byId('bodies');
    private readonly magnify = byId<HTMLSelectElement>('magnify');
    private readonly forces = byId<HTMLSelectElement>('forces');
    private readonly section = byId<HTMLSelectElement>('section');
    private readonly slit = byId<HTMLInputElement>('slit');
    private readonly switches = ['wireframe', 'contacts', 'normals', 'floor', 'largest'] as const;

    constructor(
        private readonly state: State,
        private readonly changed: (what: 'field' | 'range' | 'switch' | 'magnify' | 'section') => void,
        // The range shown now, the initial value for typing.
        private readonly shownRange: () => [number, number],
        // True if the camera is on the negative side of an axis: a new section removes the side towards the camera.
        private readonly seenFromBelow: (axis: 'x' | 'y' | 'z') => boolean,
    ) {
        this.field.addEventListener('change', () => {
            state.field = this.field.value;
            if (Array.isArray(state.range)) state.range = 'most';
            changed('field');
        });
        this.range.addEventListener('change', () => {
            if (this.range.value === 'typed') state.range = [...this.shownRange()];
            else state.range = this.range.value as 'most' | 'run' | 'frame';
            changed('range');
        });
        this.magnify.addEventListener('change', () => {
            state.magnify = this.magnify.value === 'auto' ? 'auto' : Number(this.magnify.value);
            changed('magnify');
        });
        this.forces.addEventListener('change', () => {
            state.forces = Number(this.forces.value);
            changed('switch');
        });
        this.section.addEventListener('change', () => {
            const axis = this.section.value as '' | 'x' | 'y' | 'z';
            state.section = axis === '' ? null : { axis, at: state.section?.at ?? 0.5, flip: this.seenFromBelow(axis) };
            changed('section');
        });
        this.slit.addEventListener('input', () => {
            if (state.section) state.section.at = Number(this.slit.value);
            changed('section');
        });
        byId('flip').addEventListener('click', () => {
            if (state.section) state.section.flip = !state.section.flip;
            changed('section');
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
    offer(run: Run, possible: Possible): void {
        this.magnify.replaceChildren();
        for (const factor of factors) this.magnify.append(make('option', { value: String(factor) }, `${factor}×`));
        const visible = run.frames ? visibleFactor(run.frames) : 1;
        this.magnify.append(make('option', { value: 'auto' }, `auto (${number(visible, 4)}×)`));
        this.magnify.parentElement!.hidden = !possible.magnified;
        this.field.replaceChildren();
        const units = unitsOf(run);
        for (const field of run.frames?.fields ?? []) {
            const { text, dimension } = naming(field.label);
            this.field.append(make('option', { value: field.name, title: field.label }, withUnit(text, units, dimension)));
        }
        this.forces.replaceChildren();
        for (const scale of forceScales)
            this.forces.append(make('option', { value: String(scale) }, scale === 0 ? 'off' : `${scale}×`));
        this.field.append(make('option', { value: bodyField }, 'body'));
        const offer = (name: string, there: boolean): void => {
            byId(name).parentElement!.hidden = !there;
        };
        offer('contacts', possible.contacts);
        offer('normals', possible.contacts);
        offer('floor', possible.floor);
        offer('forces', possible.forces);
        offer('section', possible.section);
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
        this.forces.value = String(state.forces);
        this.section.value = state.section?.axis ?? '';
        this.slit.value = String(state.section?.at ?? 0.5);
        byId('cutting').hidden = state.section === null || this.section.parentElement!.hidden;
        byId('largest').parentElement!.hidden = state.field === bodyField;
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

    // The next field, cyclically.
    nextField(): void {
        const count = this.field.options.length;
        this.field.selectedIndex = (this.field.selectedIndex + 1) % count;
        this.field.dispatchEvent(new Event('change'));
    }
}
