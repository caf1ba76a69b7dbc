// SPDX-License-Identifier: MIT
// Tests the colour maps: OKLab against published values, uniform steps of the maps, and the ranges of values they cover.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { balanced, colourMap, decodeSrgb, evenPoints, mapOf, oklabFromLinear, widened, type Triple } from '../src/colour.ts';
import { barTicks } from '../src/colourbar.ts';

function labs(kind: 'sequential' | 'diverging'): Triple[] {
    const map = colourMap(kind);
    return Array.from({ length: map.length / 3 }, (_, i) =>
        oklabFromLinear([...map.subarray(3 * i, 3 * i + 3)].map((x) => decodeSrgb(x / 255)) as Triple),
    );
}

test('OKLab of white and of pure red are the published ones', () => {
    const white = oklabFromLinear([1, 1, 1]);
    assert.ok(Math.abs(white[0] - 1) < 1e-4 && Math.hypot(white[1], white[2]) < 1e-4);
    // Ottosson's own table: sRGB red is L 0.628, a 0.225, b 0.126.
    const red = oklabFromLinear([1, 0, 0]);
    [0.628, 0.225, 0.126].forEach((wanted, i) => assert.ok(Math.abs(red[i] - wanted) < 5e-4));
});

test('the sequential map grows lighter, in even steps', () => {
    const points = evenPoints('sequential', 256);
    const steps = points.slice(1).map((point, i) => Math.hypot(...point.map((x, k) => x - points[i][k])));
    points.slice(1).forEach((point, i) => assert.ok(point[0] > points[i][0]));
    assert.ok(Math.max(...steps) / Math.min(...steps) < 1.02, `steps from ${Math.min(...steps)} to ${Math.max(...steps)}`);
    // Rounded to 8 bits, the map is that curve: half a step of sRGB moves OKLab by less than 0.01.
    labs('sequential').forEach((lab, i) => assert.ok(Math.hypot(...lab.map((x, k) => x - points[i][k])) < 0.01));
});

test('the diverging map is lightest and colourless in the middle, and even on both sides', () => {
    const map = labs('diverging');
    const middle = (map[127][0] + map[128][0]) / 2;
    assert.ok(middle > 0.9 && Math.hypot(map[127][1], map[127][2]) < 0.03);
    for (let i = 8; i < 128; i += 8) {
        assert.ok(map[i][0] > map[i - 8][0]);
        assert.ok(map[255 - i][0] > map[263 - i][0]);
        // Equal distance from zero looks about equally strong.
        assert.ok(Math.abs(map[i][0] - map[255 - i][0]) < 0.08);
    }
});

test('a field that changes sign is shown about zero', () => {
    assert.equal(mapOf([-1, 2]), 'diverging');
    assert.equal(mapOf([0, 2]), 'sequential');
    assert.equal(mapOf([-3, 0.001]), 'sequential');
    assert.deepEqual(balanced([-1, 2]), [-2, 2]);
    assert.deepEqual(balanced([1, 2]), [1, 2]);
});

test('round-off is not stretched over the map, and what differs has labels that differ', () => {
    assert.deepEqual(widened([0, 2]), [0, 2]);
    const [low, high] = widened([0.1, 0.1 + 1e-16]);
    assert.ok(Math.abs(low - 0.05) < 1e-12 && Math.abs(high - 0.15) < 1e-12);
    assert.deepEqual(widened([0, 0]), [0, 1]);
    // Displacements of 1e-17 in a scene of size 1 are none.
    assert.deepEqual(widened([0, 1e-17], 1e-13), [0, 2e-13]);
    for (const range of [
        [1, 1 + 1e-7],
        [1e7, 1e7 + 1],
        [2e-9, 2.001e-9],
    ] as [number, number][]) {
        const texts = barTicks(widened(range)).map((tick) => tick.text);
        assert.equal(new Set(texts).size, texts.length, texts.join(' '));
        assert.ok(texts.length > 1);
    }
});
