// SPDX-License-Identifier: MIT
// Tests which curves the panels show, the ranges of their axes, and helpers for numbers, lines, surfaces and the scene text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { between } from '../src/contacts.ts';
import { linearRange, logRange } from '../src/ranges.ts';
import { decode } from '../src/data.ts';
import { fixed, number, percent, ticks } from '../src/format.ts';
import { panelsOf } from '../src/panels.ts';
import { commentStart } from '../src/scenetext.ts';
import { splitCorners } from '../src/surface.ts';
import { chains } from '../src/tube.ts';
import { samples } from './samples.ts';

const runs = (name: string) => decode(JSON.stringify(samples[name]())).runs.filter((run) => run.failure === null);

test('a run draws columns, and names what is zero throughout', () => {
    const panels = panelsOf(runs('two_bars'));
    assert.deepEqual(
        panels.drawn.map((panel) => panel.name),
        ['Energy', 'Losses', 'Residual', 'Contacts', 'Probes'],
    );
    assert.deepEqual(panels.zero, ['momentum', 'angular momentum', 'penetration']);
    assert.deepEqual(
        panels.drawn[0].choices[0].lines.map((line) => line.label),
        ['total', 'kinetic', 'internal'],
    );
    assert.deepEqual(
        panels.drawn[4].choices.map((choice) => choice.name),
        ['velocity', 'displacement', 'position'],
    );
    assert.deepEqual(
        panels.drawn[4].choices[0].lines.map((line) => line.label),
        ['left_tip x', 'right_tip x'],
    );
});

test('rotation and momenta of rigid bodies are curves of probes', () => {
    const [run] = runs('two_bars');
    const time = run.probes!.numbers.get('time')!;
    for (const name of ['top.rz', 'top.wz', 'top.px', 'top.ly']) {
        run.probes!.names.push(name);
        run.probes!.numbers.set(name, time.map((t) => 3 * t));
    }
    const choices = panelsOf([run]).drawn.find((panel) => panel.name === 'Probes')!.choices;
    assert.deepEqual(
        choices.slice(3).map((choice) => [choice.name, choice.lines[0].label]),
        [
            ['rotation', 'top z'],
            ['angular velocity', 'top z'],
            ['momentum', 'top x'],
            ['angular momentum', 'top y'],
        ],
    );
});

test('losses by damping are among the losses', () => {
    const [run] = runs('two_bars');
    const time = run.history!.numbers.get('time')!;
    run.history!.numbers.set('damping', time.map((t) => 1e-3 * t));
    const losses = panelsOf([run]).drawn.find((panel) => panel.name === 'Losses')!;
    assert.deepEqual(
        losses.choices[0].lines.map((line) => line.label),
        ['projection', 'damping'],
    );
});

test('load cells have a panel of forces and moments', () => {
    const [run] = runs('two_bars');
    const time = run.history!.numbers.get('time')!;
    for (const [name, factor] of [['table.force_x', 0], ['table.force_z', -2], ['table.moment_y', 1]] as const) {
        run.history!.names.push(name);
        run.history!.numbers.set(name, time.map((t) => factor * t));
    }
    const panel = panelsOf([run]).drawn.find((one) => one.name === 'Load cells')!;
    assert.deepEqual(
        panel.choices.map((choice) => choice.lines.map((line) => line.label)),
        [['table z'], ['table y']],
    );
});

test('an overlap of round-off does not fill its panel', () => {
    const [run] = runs('two_bars');
    const time = run.history!.numbers.get('time')!;
    run.history!.numbers.set('penetration', time.map((t) => 1e-19 * t));
    const panel = panelsOf([run]).drawn.find((one) => one.name === 'Penetration')!;
    const [low, high] = linearRange(0, 4e-18, panel.scale);
    assert.ok(high - low > 1e-9 * 20 && high - low < 1e-7 * 20);
});

test('a comparison draws one column of all runs', () => {
    const panels = panelsOf(runs('compare'));
    const energy = panels.drawn[0];
    assert.deepEqual(
        energy.choices.map((choice) => choice.name),
        ['total', 'kinetic', 'internal'],
    );
    assert.deepEqual(
        energy.choices[0].lines.map((line) => line.label),
        ['newmark-dcr', 'newmark-dcr:step=0.01', 'multisymplectic'],
    );
    assert.ok(
        panels.drawn.find((panel) => panel.name === 'Residual')!.choices[0].lines.every((line) => line.y.every((y) => y >= 0)),
    );
});

test('round-off does not fill a panel', () => {
    const [low, high] = linearRange(1 - 1e-16, 1 + 1e-16, 1);
    assert.ok(high - low > 0.02 && low < 1 && high > 1);
    const [a, b] = linearRange(0, 5, 1);
    assert.ok(a < 0 && a > -0.5 && b > 5 && b < 5.5);
});

test('the logarithmic range is of whole decades and not dragged down by a zero crossing', () => {
    const y = Float64Array.from({ length: 101 }, (_, i) => (i === 50 ? 1e-30 : 3e-5));
    assert.deepEqual(logRange([{ label: '', run: 0, x: y, y }]), [10 ** -5, 10 ** -4]);
});

test('segments form chains that end at branches', () => {
    assert.deepEqual(chains(Int32Array.of(1, 2, 0, 1, 2, 3)), [[0, 1, 2, 3]]);
    const star = chains(Int32Array.of(0, 1, 0, 2, 0, 3));
    assert.equal(star.length, 3);
    assert.deepEqual(chains(Int32Array.of(5, 6, 6, 7, 7, 5)), [[5, 6, 7, 5]]);
});

test('a cube keeps its edges sharp, a flat patch is one surface', () => {
    const flat = splitCorners(Int32Array.of(0, 1, 2, 0, 2, 3), Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0));
    assert.equal(flat.owner.length, 4);
    // Two faces at a right angle share the nodes 0 and 1, which are both split.
    const bent = splitCorners(Int32Array.of(0, 1, 2, 1, 0, 3), Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1));
    assert.equal(bent.owner.length, 6);
});

test('contacts of an interval', () => {
    const times = Float64Array.of(0, 1, 1, 2, 3);
    assert.deepEqual(between(times, 0, 1), [1, 3]);
    assert.deepEqual(between(times, 3, 9), [5, 5]);
    assert.deepEqual(between(times, -1, 9), [0, 5]);
});

test('numbers are written shortly and with a true minus', () => {
    assert.equal(number(-0.00061381), '−6.14e−4');
    assert.equal(number(0.0022167968), '0.002217');
    assert.equal(number(160200), '160200');
    assert.equal(number(NaN), 'nan');
    assert.equal(number(null), '–');
    assert.equal(fixed(0.025, 0.025), '0.025');
    assert.equal(fixed(-0.00001, 0.01), '0.00');
    assert.equal(percent(0.0006138, 0.1), '0.614 %');
    assert.deepEqual(
        ticks(0, 0.1, 4).map((x) => x.toFixed(3)),
        ['0.000', '0.025', '0.050', '0.075', '0.100'],
    );
});

test('a # within quotes is no comment', () => {
    assert.equal(commentStart('title: "a # b" # c'), 15);
    assert.equal(commentStart("it's # here"), 5);
    assert.equal(commentStart('colour: a#b'), 11);
});
