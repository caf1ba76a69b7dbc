// SPDX-License-Identifier: MIT
// Numbers as text, with a true minus sign.

export function number(value: unknown, digits = 4): string {
    if (typeof value !== 'number') return value === null || value === undefined ? '–' : String(value);
    if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '−inf';
    if (value === 0) return '0';
    const size = Math.abs(value);
    let text: string;
    if (Number.isInteger(value) && size < 1e7) text = String(value);
    else if (size >= 1e-3 && size < 1e6) text = String(Number(value.toPrecision(digits)));
    else
        text = value
            .toExponential(digits - 2)
            .replace(/\.?0+e/, 'e')
            .replace('e+', 'e');
    return text.replace(/-/g, '−');
}

// With as many decimals as the step of a scale needs.
export function fixed(value: number, step: number): string {
    const size = Math.abs(value);
    // Neighbours on the scale must differ.
    if (!(step >= 1e-4) || size >= 1e6)
        return number(value, step > 0 ? Math.max(3, Math.min(15, Math.ceil(Math.log10(Math.max(size / step, 1))) + 3)) : 3);
    let decimals = 0;
    while (decimals < 8 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals++;
    return value
        .toFixed(decimals)
        .replace(/^-(?=0\.?0*$)/, '')
        .replace('-', '−');
}

export function percent(part: number, whole: number): string {
    if (!(whole > 0)) return '–';
    const value = (100 * part) / whole;
    if (value === 0) return '0 %';
    if (Math.abs(value) < 5e-4) return `${number(value, 3)} %`;
    return `${value.toFixed(3).replace('-', '−')} %`;
}

// Round values from low to high, at most `count` spans.
export function ticks(low: number, high: number, count: number): number[] {
    const span = high - low;
    if (!(span > 0)) return [low];
    const rough = span / count;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map((k) => k * power).find((s) => s >= rough * (1 - 1e-9))!;
    const result: number[] = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) result.push(i * step);
    return result;
}
