// SPDX-License-Identifier: MIT
// Tests that the hash of the address restores the state of the page, and the clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Clock } from '../src/clock.ts';
import { defaults, format, parse, type State } from '../src/state.ts';

test('the hash brings back all of the state', () => {
    const state: State = {
        time: 12.5,
        run: 2,
        field: 'von mises & <more>',
        range: [-1, 2.5e-7],
        hidden: ['left,right', 'a=b#c'],
        wireframe: true,
        contacts: true,
        normals: true,
        floor: false,
        largest: false,
        forces: 3,
        section: { axis: 'y', at: 0.25, flip: true },
        node: 'part & more:12',
        theme: 'dark',
        camera: [1, -2, 3, 0, 0.5, 0, 1.25],
        speed: 0.25,
        loop: true,
        magnify: 'auto',
    };
    assert.deepEqual(parse(`#${format(state)}`), state);
    for (const range of ['frame', 'run', 'most'] as const) assert.equal(parse(format({ ...state, range })).range, range);
    assert.equal(parse(format({ ...state, magnify: 100 })).magnify, 100);
});

test('an untouched page has an empty hash', () => {
    assert.equal(format(defaults()), '');
    assert.deepEqual(parse(''), defaults());
});

test('what cannot be read keeps its default', () => {
    assert.deepEqual(parse('#t=abc&run=-1&range=1,x&camera=1,2,3&theme=pink&speed=-2&other=1&magnify=-3&section=w,0.5,0&forces=7'), defaults());
    assert.deepEqual(parse('#range=2,1&section=x,2,0'), defaults());
});

test('the clock steps from frame to frame and stops at its ends', () => {
    const clock = new Clock(0, 4, [0, 1, 2, 4]);
    clock.set(1.5);
    clock.step(1);
    assert.equal(clock.time, 2);
    clock.step(1);
    assert.equal(clock.time, 4);
    clock.step(1);
    assert.equal(clock.time, 4);
    clock.set(1.5);
    clock.step(-1);
    assert.equal(clock.time, 1);
    clock.step(-10);
    assert.equal(clock.time, 0);
    clock.step(2);
    assert.equal(clock.time, 2);
});

test('the clock runs through its span in ten seconds at speed 1', () => {
    const clock = new Clock(0, 4, [0, 4]);
    clock.toggle();
    const begin = performance.now();
    clock.tick(begin + 2500);
    assert.ok(Math.abs(clock.time - 1) < 0.01);
    clock.tick(begin + 20_000);
    assert.equal(clock.time, 4);
    assert.equal(clock.playing, false);
    clock.loop = true;
    clock.toggle();
    assert.equal(clock.time, 0);
    clock.tick(performance.now() + 12_500);
    assert.ok(Math.abs(clock.time - 1) < 0.01 && clock.playing);
});
