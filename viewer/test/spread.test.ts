// SPDX-License-Identifier: MIT
// Tests the ranges of field values and the time at which a page opens, with a block that has one node of large stress.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '../src/data.ts';
import { firstField, openingTime } from '../src/opening.ts';
import { largestNow, largestOf, mostRange } from '../src/spread.ts';
import { samples } from './samples.ts';

const block = () => decode(JSON.stringify(samples['block']())).runs[0];
const stress = (run: ReturnType<typeof block>) => run.frames!.fields.find((f) => f.name === 'von_mises_nodes')!;

test('the range of most values leaves out the one hot corner and keeps zero', () => {
    const run = block();
    const [low, high] = mostRange(run, stress(run));
    // 125 nodes: one of them may be beyond the range; all others have at most 2.
    assert.equal(low, 0);
    assert.ok(Math.abs(high - 2) < 1e-3, `${high}`);
    assert.ok(Math.abs(stress(run).range[1] - 20) < 1e-9);
});

test('a field of both signs loses the outermost values at both ends', () => {
    const run = block();
    const field = { ...stress(run), range: [-20, 20] as [number, number], values: stress(run).values.map((v) => 65535 - v) };
    const [low, high] = mostRange(run, field);
    assert.ok(low > -20 && high > 0);
});

test('the largest value is found with its node and frame', () => {
    const run = block();
    const peak = largestOf(run, stress(run))!;
    assert.deepEqual([peak.node, peak.body, run.frames!.times[peak.frame]], [0, 0, 0.5]);
    assert.ok(Math.abs(peak.value - 20) < 1e-9);
    const values = Float32Array.from({ length: 125 }, (_, i) => (i === 3 ? -7 : 1));
    assert.equal(largestNow(run, stress(run), values, [true], () => true)!.node, 3);
    assert.notEqual(largestNow(run, stress(run), values, [true], (node) => node !== 3)!.node, 3);
    assert.equal(largestNow(run, stress(run), values, [false], () => true), null);
});

test('a page opens at the most stressed moment, else at the first contact, else at the start', () => {
    const run = block();
    assert.equal(firstField(run), 'von_mises_nodes');
    assert.equal(openingTime(run, stress(run)), 0.5);
    // A peak of the history selects the frame nearest to it if its stress is nearly the largest, else the frame of the largest.
    const times = run.history!.numbers.get('time')!;
    run.history!.numbers.set('block.max_von_mises', times.map((t) => (Math.abs(t - 0.51) < 1e-9 ? 30 : 0)));
    assert.equal(openingTime(run, stress(run)), 0.5);
    run.history!.numbers.set('block.max_von_mises', times.map((t) => (Math.abs(t - 0.9) < 1e-9 ? 30 : 0)));
    assert.equal(openingTime(run, stress(run)), 0.5);
    const speed = run.frames!.fields[0];
    assert.equal(openingTime(run, speed), null);
    run.summary['pairs'] = [{ first_contact: 0.7 }, { first_contact: 0.4 }, { first_contact: null }];
    assert.equal(openingTime(run, speed), 0.4);
    assert.equal(openingTime({ ...run, space: 1 }, speed), null);
});
