// SPDX-License-Identifier: MIT
// Tests the decoding of the payload and the interpolation between frames, with sample payloads whose motion is a closed form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, decode, type Payload } from '../src/data.ts';
import { boxOf, locate, nearest, positionsAt, valuesAt, visibleFactor } from '../src/frames.ts';
import { fill, hostileTitle, samples } from './samples.ts';

const text = (payload: Payload): string => JSON.stringify(payload);

test('base64 gives the bytes of little-endian numbers', () => {
    // 1.0 and -2.0 as IEEE 754 doubles; 258 = 0x0102 as 16 bits.
    assert.deepEqual([...new Float64Array(bytes('AAAAAAAA8D8AAAAAAAAAwA==', 8))], [1, -2]);
    assert.deepEqual([...new Uint16Array(bytes('AgE=', 2))], [258]);
    assert.throws(() => bytes('AgEA', 2), /3 bytes/);
});

test('positions and fields come back within the step of their quantisation', () => {
    const report = decode(text(samples['two_bars']()));
    const run = report.runs[0];
    const frames = run.frames!;
    assert.equal(run.space, 1);
    assert.equal(frames.nodes, 202);
    const now = new Float32Array(3 * frames.nodes);
    positionsAt(frames, locate(frames.times, 0), now);
    // The first node is the left tip at -0.2, the last the far end of the right bar at 10.2.
    const step = (frames.shift[1][0] - frames.shift[0][0]) / 65535;
    assert.ok(Math.abs(now[0] - -0.2) <= step);
    assert.ok(Math.abs(now[3 * 201] - 10.2) <= step);
    const speed = new Float32Array(frames.nodes);
    valuesAt(frames, frames.fields[0], locate(frames.times, 0), speed);
    assert.ok(speed.every((v) => Math.abs(v - 0.1) < 1e-5));
});

test('displacements are magnified about the first frame', () => {
    const frames = decode(text(samples['beam']())).runs[0].frames!;
    const [now, tenfold] = [0, 1].map(() => new Float32Array(3 * frames.nodes));
    const first = frames.origin;
    positionsAt(frames, { index: 7, fraction: 0.5 }, now);
    positionsAt(frames, { index: 7, fraction: 0.5 }, tenfold, 10);
    for (let i = 0; i < now.length; i++) assert.ok(Math.abs(tenfold[i] - (first[i] + 10 * (now[i] - first[i]))) < 1e-5);
    const [low, high] = boxOf(frames, 1);
    for (let axis = 0; axis < 3; axis++) {
        assert.ok(Math.abs(low[axis] - frames.low[axis]) < 1e-4 && Math.abs(high[axis] - frames.high[axis]) < 1e-4);
    }
    // The box has the diagonal 5 of 3 and 4; the largest displacement is 0.003: 0.1 * 5 / 0.003 = 166.
    const small = { ...frames, low: [0, 0, 0], high: [3, 4, 0], shift: [[-0.003, 0, 0], [0, 0, 0]] } as typeof frames;
    assert.equal(visibleFactor(small), 100);
    assert.equal(visibleFactor({ ...small, shift: [[0, 0, 0], [3, 0, 0]] }), 1);
    assert.equal(visibleFactor({ ...small, shift: [[0, 0, 0], [0, 0, 0]] }), 1);
});

test('between two frames the positions are on the straight line', () => {
    const frames = decode(text(samples['beam']())).runs[0].frames!;
    const [a, b, middle] = [0, 1, 2].map(() => new Float32Array(3 * frames.nodes));
    positionsAt(frames, { index: 4, fraction: 0 }, a);
    positionsAt(frames, { index: 5, fraction: 0 }, b);
    positionsAt(frames, locate(frames.times, 0.75 * frames.times[4] + 0.25 * frames.times[5]), middle);
    for (let i = 0; i < a.length; i++) assert.ok(Math.abs(middle[i] - (0.75 * a[i] + 0.25 * b[i])) < 1e-5);
});

test('places in time are clamped to the ends', () => {
    assert.deepEqual(locate([0, 1, 2], -5), { index: 0, fraction: 0 });
    assert.deepEqual(locate([0, 1, 2], 1.25), { index: 1, fraction: 0.25 });
    assert.deepEqual(locate([0, 1, 2], 2), { index: 2, fraction: 0 });
    assert.deepEqual(locate([3], 7), { index: 0, fraction: 0 });
    assert.equal(nearest([0, 1, 2], 1.6), 2);
    assert.equal(nearest([0, 1, 2], 1.4), 1);
});

test('tables keep their columns, text and numbers', () => {
    const run = decode(text(samples['spheres']())).runs[0];
    assert.deepEqual(run.history!.names.slice(0, 3), ['time', 'kinetic', 'internal']);
    assert.equal(run.history!.numbers.get('time')!.at(-1), 0.03);
    assert.equal(run.contacts!.texts.get('kind')![0], 'vertex-face');
    assert.equal(run.contacts!.numbers.get('nx')![0], 1);
});

test('a payload that does not fit is refused with a reason', () => {
    assert.throws(() => decode('null'), /empty template/);
    assert.throws(() => decode('{"format": 1}'), /format 1/);
    const short = samples['two_bars']();
    short.runs[0].frames!.positions = short.runs[0].frames!.positions.slice(0, 400);
    assert.throws(() => decode(text(short)), /the frames holds/);
    const rows = samples['two_bars']();
    rows.runs[0].history!.rows = 7;
    assert.throws(() => decode(text(rows)), /a table holds/);
});

test('methods that failed keep their reason and nothing else', () => {
    const failed = decode(text(samples['compare']())).runs.filter((run) => run.failure);
    assert.equal(failed.length, 1);
    assert.match(failed[0].failure!, /projection/);
    assert.equal(failed[0].frames, null);
});

test('no markup of the data reaches the page as markup', () => {
    const line = '<script type="application/json" id="carom-data">null</script>';
    const page = fill(`<html>\n${line}\n</html>`, samples['hostile']());
    const data = page.slice(page.indexOf('>', 8) + 1, page.lastIndexOf('</script>'));
    assert.ok(!data.includes('<'));
    assert.equal(decode(data).title, hostileTitle);
});
