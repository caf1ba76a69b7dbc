// SPDX-License-Identifier: MIT
// Units for labels. A scene may name its units of length, mass and time; units of other quantities follow from them. Where their
// product is a unit with a name of its own, that is used: t mm/s² is N, t/(mm s²) is MPa.

import type { Run } from './data.ts';

export interface Units {
    length: string;
    mass: string;
    time: string;
}

// Powers of length, mass and time.
export type Dimension = readonly [number, number, number];

export const dimensions = {
    none: [0, 0, 0],
    length: [1, 0, 0],
    time: [0, 0, 1],
    velocity: [1, 0, -1],
    rate: [0, 0, -1],
    momentum: [1, 1, -1],
    angular_momentum: [2, 1, -1],
    force: [1, 1, -2],
    energy: [2, 1, -2],
    stress: [-1, 1, -2],
    membrane: [0, 1, -2],
    perLength: [-1, 0, 0],
    perArea: [0, 1, -2],
} as const satisfies Record<string, Dimension>;

export function dimensionOf(name: string): Dimension {
    return (dimensions as Record<string, Dimension>)[name] ?? dimensions.none;
}

// Multiples of m, kg and s.
const si: Record<string, number> = {
    m: 1,
    dm: 1e-1,
    cm: 1e-2,
    mm: 1e-3,
    um: 1e-6,
    µm: 1e-6,
    μm: 1e-6,
    nm: 1e-9,
    km: 1e3,
    kg: 1,
    g: 1e-3,
    mg: 1e-6,
    t: 1e3,
    s: 1,
    ms: 1e-3,
    us: 1e-6,
    µs: 1e-6,
    μs: 1e-6,
    ns: 1e-9,
};

const prefixes: [number, string][] = [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
    [1, ''],
    [1e-3, 'm'],
    [1e-6, 'µ'],
    [1e-9, 'n'],
    [1e-12, 'p'],
];

const named: [Dimension, string][] = [
    [dimensions.force, 'N'],
    [dimensions.stress, 'Pa'],
    [dimensions.energy, 'J'],
];

const superscript = (n: number): string => [...String(n)].map((c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)]).join('');

export function unitsOf(run: Run | undefined): Units | null {
    const found = run?.summary['units'];
    if (typeof found !== 'object' || found === null) return null;
    const { length, mass, time } = found as Record<string, unknown>;
    const text = (value: unknown): string => (typeof value === 'string' ? value : '');
    const units = { length: text(length), mass: text(mass), time: text(time) };
    return units.length || units.mass || units.time ? units : null;
}

// The unit as a product of those of the scene: t·mm/s².
function composed(parts: [string, number][]): string {
    const one = ([text, power]: [string, number]): string => text + (Math.abs(power) === 1 ? '' : superscript(Math.abs(power)));
    const above = parts.filter(([, power]) => power > 0).map(one);
    const below = parts.filter(([, power]) => power < 0).map(one);
    if (below.length === 0) return above.join('·');
    return `${above.join('·') || '1'}/${below.length > 1 ? `(${below.join('·')})` : below[0]}`;
}

// Empty where the scene does not give what is needed, or the quantity has no unit.
export function unitText(units: Units | null, dimension: Dimension): string {
    if (!units) return '';
    const parts: [string, number][] = [
        [units.mass, dimension[1]],
        [units.length, dimension[0]],
        [units.time, dimension[2]],
    ];
    const used = parts.filter(([, power]) => power !== 0);
    if (used.length === 0 || used.some(([text]) => text === '')) return '';
    const name = named.find(([known]) => known.every((power, i) => power === dimension[i]))?.[1];
    const factor = used.reduce((product, [text, power]) => product * (si[text] ?? NaN) ** power, 1);
    const prefix = prefixes.find(([value]) => Math.abs(factor / value - 1) < 1e-9)?.[1];
    return name !== undefined && prefix !== undefined ? prefix + name : composed(used);
}

// A name with its unit in brackets, where there is one.
export function withUnit(name: string, units: Units | null, dimension: Dimension): string {
    const unit = unitText(units, dimension);
    return unit ? `${name} (${unit})` : name;
}

// A number with its unit behind it.
export function valueText(text: string, units: Units | null, dimension: Dimension): string {
    const unit = unitText(units, dimension);
    return unit ? `${text} ${unit}` : text;
}
