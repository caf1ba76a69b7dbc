// SPDX-License-Identifier: MIT
// The state of the page as the hash of its address: a link restores the same view.

import type { Slit } from './stage.ts';

export interface State {
    time: number | null;
    run: number;
    field: string | null;
    // 'most': without the outermost values; 'run': of all frames.
    range: 'most' | 'run' | 'frame' | [number, number];
    hidden: string[];
    wireframe: boolean;
    contacts: boolean;
    normals: boolean;
    floor: boolean;
    // Whether the largest value is marked.
    largest: boolean;
    // The scale of contact forces; 0: not shown.
    forces: number;
    section: Slit | null;
    // The node whose curve is drawn, as body:number.
    node: string | null;
    theme: 'light' | 'dark' | null;
    camera: number[] | null;
    speed: number;
    loop: boolean;
    magnify: number | 'auto';
}

// Factors of the displacements that can be chosen.
export const factors = [1, 10, 100, 1000] as const;
// Scales of contact forces.
export const forceScales = [0, 0.3, 1, 3, 10] as const;

export function defaults(): State {
    return {
        time: null,
        run: 0,
        field: null,
        range: 'most',
        hidden: [],
        wireframe: false,
        contacts: false,
        normals: false,
        floor: true,
        largest: true,
        forces: 0,
        section: null,
        node: null,
        theme: null,
        camera: null,
        speed: 1,
        loop: false,
        magnify: 1,
    };
}

const short = (x: number): string => String(Number(x.toPrecision(6)));

// Only what differs from the defaults is written.
export function format(state: State): string {
    const parts = new URLSearchParams();
    if (state.time !== null) parts.set('t', short(state.time));
    if (state.run !== 0) parts.set('run', String(state.run));
    if (state.field !== null) parts.set('field', state.field);
    if (Array.isArray(state.range)) parts.set('range', state.range.map(short).join(','));
    else if (state.range !== 'most') parts.set('range', state.range);
    for (const name of state.hidden) parts.append('hide', name);
    if (state.wireframe) parts.set('wireframe', '1');
    if (state.contacts) parts.set('contacts', '1');
    if (state.normals) parts.set('normals', '1');
    if (!state.floor) parts.set('floor', '0');
    if (!state.largest) parts.set('largest', '0');
    if (state.forces > 0) parts.set('forces', String(state.forces));
    if (state.section) parts.set('section', `${state.section.axis},${short(state.section.at)},${state.section.flip ? 1 : 0}`);
    if (state.node !== null) parts.set('node', state.node);
    if (state.theme) parts.set('theme', state.theme);
    if (state.camera) parts.set('camera', state.camera.map(short).join(','));
    if (state.speed !== 1) parts.set('speed', short(state.speed));
    if (state.loop) parts.set('loop', '1');
    if (state.magnify !== 1) parts.set('magnify', String(state.magnify));
    return parts.toString();
}

function numbers(text: string | null): number[] | null {
    if (!text) return null;
    const list = text.split(',').map(Number);
    return list.every(Number.isFinite) ? list : null;
}

// Values that cannot be read keep their default.
export function parse(hash: string): State {
    const parts = new URLSearchParams(hash.replace(/^#/, ''));
    const state = defaults();
    const time = numbers(parts.get('t'));
    if (time?.length === 1) state.time = time[0];
    const run = Number(parts.get('run') ?? 0);
    if (Number.isInteger(run) && run >= 0) state.run = run;
    state.field = parts.get('field');
    const range = parts.get('range');
    const typed = numbers(range);
    if (range === 'frame' || range === 'run') state.range = range;
    else if (typed?.length === 2 && typed[0] < typed[1]) state.range = [typed[0], typed[1]];
    state.hidden = parts.getAll('hide');
    state.wireframe = parts.get('wireframe') === '1';
    state.contacts = parts.get('contacts') === '1';
    state.normals = parts.get('normals') === '1';
    state.floor = parts.get('floor') !== '0';
    state.largest = parts.get('largest') !== '0';
    const forces = Number(parts.get('forces'));
    if ((forceScales as readonly number[]).includes(forces)) state.forces = forces;
    const cut = /^([xyz]),([^,]*),([01])$/.exec(parts.get('section') ?? '');
    const at = Number(cut?.[2]);
    if (cut && at >= 0 && at <= 1) state.section = { axis: cut[1] as Slit['axis'], at, flip: cut[3] === '1' };
    state.node = parts.get('node');
    const theme = parts.get('theme');
    if (theme === 'light' || theme === 'dark') state.theme = theme;
    const camera = numbers(parts.get('camera'));
    if (camera && camera.length === 7) state.camera = camera;
    const speed = numbers(parts.get('speed'));
    if (speed?.length === 1 && speed[0] > 0) state.speed = speed[0];
    state.loop = parts.get('loop') === '1';
    const magnify = parts.get('magnify');
    if (magnify === 'auto') state.magnify = 'auto';
    else if ((factors as readonly number[]).includes(Number(magnify))) state.magnify = Number(magnify);
    return state;
}
