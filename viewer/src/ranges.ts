// SPDX-License-Identifier: MIT
// Ranges and labels of the vertical axes.

import type { Line } from './panels.ts';

// The range of a linear axis: never so narrow that round-off fills the panel.
export function linearRange(low: number, high: number, scale: number): [number, number] {
    const least = Math.max(0.02 * scale, 1e-9 * Math.max(Math.abs(low), Math.abs(high)), 1e-300);
    const middle = (low + high) / 2;
    const half = Math.max((high - low) / 2, least / 2) * 1.08;
    return [middle - half, middle + half];
}

// The range of a logarithmic axis, in whole decades: a curve that passes through zero does not extend it to very small values.
export function logRange(lines: Line[]): [number, number] {
    const sizes = lines.flatMap((line) => Array.from(line.y).filter((y) => y > 0 && Number.isFinite(y))).sort((a, b) => a - b);
    if (sizes.length === 0) return [0.1, 1];
    const high = Math.ceil(Math.log10(sizes[sizes.length - 1]) + 1e-9);
    const low = Math.floor(Math.log10(sizes[Math.floor(0.02 * sizes.length)]));
    return [10 ** Math.min(low, high - 1), 10 ** high];
}

// The decades to label, at most five.
export function decades(low: number, high: number): number[] {
    const first = Math.round(Math.log10(low));
    const last = Math.round(Math.log10(high));
    const stride = Math.max(1, Math.ceil((last - first) / 4));
    return Array.from({ length: Math.floor((last - first) / stride) + 1 }, (_, i) => 10 ** (first + i * stride));
}

// A power of ten.
export function power(value: number): string {
    const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹';
    return `10${[...String(Math.round(Math.log10(value)))].map((c) => (c === '-' ? '⁻' : digits[Number(c)])).join('')}`;
}
