// SPDX-License-Identifier: MIT
// Colours. The two maps are curves in OKLab (B. Ottosson, "A perceptual color space for image processing", 2020), drawn through
// a few control points in lightness, chroma and hue, and resampled to equal steps of OKLab distance: equal steps of a value
// appear equally large. Lightness rises throughout in the sequential map, and falls evenly to both sides of zero in the
// diverging one. Bodies and curves take the "vibrant" colours of P. Tol (SRON/EPS/TN/09-002), which colour-blind readers can
// distinguish.

export type Triple = [number, number, number];
export type MapKind = 'sequential' | 'diverging';

export const palette = ['#0077bb', '#ee7733', '#009988', '#cc3311', '#aa4499', '#33bbee', '#999933', '#882255'] as const;

export function seriesColour(index: number): string {
    return palette[index % palette.length];
}

// Ottosson's matrices, to linear sRGB.
function linearFromOklab([L, a, b]: Triple): Triple {
    const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
    return [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ];
}

export function oklabFromLinear([r, g, b]: Triple): Triple {
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return [
        0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ];
}

// The transfer function of sRGB (IEC 61966-2-1), for parts in [0, 1].
const encode = (x: number): number => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
export const decodeSrgb = (x: number): number => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);

const inside = (rgb: Triple): boolean => rgb.every((x) => x >= -1e-4 && x <= 1.0001);

// Lightness, chroma and hue in degrees; the chroma is lowered outside of sRGB.
function labFromPolar(L: number, chroma: number, hue: number): Triple {
    const at = (c: number): Triple => [L, c * Math.cos((hue * Math.PI) / 180), c * Math.sin((hue * Math.PI) / 180)];
    if (inside(linearFromOklab(at(chroma)))) return at(chroma);
    let low = 0;
    let high = chroma;
    for (let i = 0; i < 30; i++) {
        const middle = (low + high) / 2;
        if (inside(linearFromOklab(at(middle)))) low = middle;
        else high = middle;
    }
    return at(low);
}

const controls: Record<MapKind, Triple[]> = {
    sequential: [
        [0.31, 0.1, 292],
        [0.44, 0.13, 268],
        [0.57, 0.105, 234],
        [0.7, 0.11, 182],
        [0.83, 0.15, 138],
        [0.94, 0.14, 104],
    ],
    diverging: [
        [0.36, 0.14, 262],
        [0.6, 0.13, 248],
        [0.93, 0, 240],
        [0.93, 0, 60],
        [0.64, 0.15, 48],
        [0.4, 0.14, 32],
    ],
};

function distance(a: Triple, b: Triple): number {
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// A smooth curve through the control points (Catmull-Rom in lightness, chroma, hue).
function curve(points: Triple[], t: number): Triple {
    const spans = points.length - 1;
    const span = Math.min(Math.floor(t * spans), spans - 1);
    const u = t * spans - span;
    const p = [-1, 0, 1, 2].map((k) => points[Math.max(0, Math.min(spans, span + k))]);
    const mix = (i: 0 | 1 | 2): number => {
        const [a, b, c, d] = p.map((q) => q[i]) as [number, number, number, number];
        return b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)));
    };
    return labFromPolar(mix(0), mix(1), mix(2));
}

// `count` points of a map in OKLab, at equal distances along it; each arm of the diverging map has half of them.
export function evenPoints(kind: MapKind, count: number): Triple[] {
    const fine = 4096;
    const labs: Triple[] = [];
    const length = [0];
    const points = controls[kind];
    for (let i = 0; i <= fine; i++) {
        labs.push(kind === 'diverging' ? arm(points, i / fine) : curve(points, i / fine));
        if (i > 0) length.push(length[i - 1] + distance(labs[i], labs[i - 1]));
    }
    const half = length[fine / 2];
    const all = length[fine];
    let at = 0;
    return Array.from({ length: count }, (_, i) => {
        const t = i / (count - 1);
        const target = kind === 'sequential' ? t * all : t < 0.5 ? 2 * t * half : half + (2 * t - 1) * (all - half);
        while (at < fine - 1 && length[at + 1] < target) at++;
        const u = (target - length[at]) / (length[at + 1] - length[at] || 1);
        return labs[at].map((x, k) => x + u * (labs[at + 1][k] - x)) as Triple;
    });
}

// `count` colours of a map as 8-bit sRGB.
export function colourMap(kind: MapKind, count = 256): Uint8Array {
    const rgb = evenPoints(kind, count).flatMap(linearFromOklab);
    return Uint8Array.from(rgb, (x) => Math.round(255 * encode(Math.max(0, Math.min(1, x)))));
}

// Both arms are sampled separately, so that the middle of the map stays at zero.
function arm(points: Triple[], t: number): Triple {
    const low = points.slice(0, 3);
    const high = points.slice(3);
    return t < 0.5 ? curve(low, 2 * t) : curve(high, 2 * t - 1);
}

// A field that changes sign is shown about zero.
export function mapOf(range: [number, number]): MapKind {
    return range[0] < 0 && range[1] > 0 && Math.min(-range[0], range[1]) > 0.05 * Math.max(-range[0], range[1])
        ? 'diverging'
        : 'sequential';
}

// A range that is round-off relative to the values themselves, or to `scale`, is widened: a constant has one colour.
export function widened(range: [number, number], scale = 0): [number, number] {
    const size = Math.max(Math.abs(range[0]), Math.abs(range[1]));
    if (range[1] - range[0] > 1e-9 * size && range[1] - range[0] > scale) return range;
    const middle = size > scale ? (range[0] + range[1]) / 2 : 0;
    const half = Math.max(Math.abs(middle) / 2, scale) || 0.5;
    return middle === 0 && range[0] >= 0 ? [0, 2 * half] : [middle - half, middle + half];
}

// The colour of bodies without a value of the field.
export const noValue = '#9a9a9a';

export function balanced(range: [number, number]): [number, number] {
    if (mapOf(range) === 'sequential') return range;
    const most = Math.max(-range[0], range[1]);
    return [-most, most];
}
