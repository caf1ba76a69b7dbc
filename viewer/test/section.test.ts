// SPDX-License-Identifier: MIT
// Tests sections and picking against geometry in closed form, and the curves of nodes, forces and loads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as THREE from 'three';
import { decode, tetsOf } from '../src/data.ts';
import { frameOf, largestForce } from '../src/forces.ts';
import { positionsAt } from '../src/frames.ts';
import { roundLength } from '../src/ground.ts';
import { highest, pairLines } from '../src/loads.ts';
import { panelsOf } from '../src/panels.ts';
import { findNode, nodeName, nodePanel } from '../src/node.ts';
import { pickNode } from '../src/pick.ts';
import { Slice } from '../src/section.ts';
import { placeWords } from '../src/tags.ts';
import { samples } from './samples.ts';

const block = () => decode(JSON.stringify(samples['block']())).runs[0];

// The area of the triangles of a slice, and the integral of their values.
function measure(slice: Slice): [number, number] {
    const p = (i: number) => new THREE.Vector3().fromArray(slice.positions, 3 * i);
    let area = 0;
    let sum = 0;
    for (let i = 0; i < slice.count; i += 3) {
        const part = new THREE.Triangle(p(i), p(i + 1), p(i + 2)).getArea();
        area += part;
        sum += (part * (slice.values[i] + slice.values[i + 1] + slice.values[i + 2])) / 3;
    }
    return [area, sum];
}

test('a section of a cube has the area and the mean value of a square', () => {
    // Six tetrahedra, cut across each axis; the value is x + 2 y + 3 z, which a linear field keeps exactly.
    const tets = tetsOf(new Int32Array(0), Int32Array.of(0, 1, 2, 3, 4, 5, 6, 7));
    assert.equal(tets.length, 24);
    const x = Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1);
    const values = Float32Array.from({ length: 8 }, (_, i) => x[3 * i] + 2 * x[3 * i + 1] + 3 * x[3 * i + 2]);
    const slice = new Slice();
    for (let axis = 0; axis < 3; axis++) {
        for (const at of [0.25, 0.6]) {
            slice.fill(tets, x, values, Float32Array.from({ length: 8 }, (_, i) => x[3 * i + axis] - at));
            const [area, sum] = measure(slice);
            assert.ok(Math.abs(area - 1) < 1e-6, `${area}`);
            const mean = [0, 1, 2].reduce((total, k) => total + (k + 1) * (k === axis ? at : 0.5), 0);
            assert.ok(Math.abs(sum - mean) < 1e-6, `${sum} against ${mean}`);
        }
    }
    // A plane outside the cube cuts nothing.
    slice.fill(tets, x, values, Float32Array.from({ length: 8 }, (_, i) => x[3 * i] - 2));
    assert.equal(slice.count, 0);
});

test('the line of sight finds the nearest corner, and beyond a section the inside', () => {
    const run = block();
    const nodes = new Float32Array(3 * run.frames!.nodes);
    positionsAt(run.frames!, { index: 0, fraction: 0 }, nodes);
    const target = { bodies: run.bodies, visible: [true], nodes, cut: null, slices: [], slack: () => 0.01 };
    // At t = 0 the bottom of the block is at the height 0.96; the ray comes from -y.
    const ray = new THREE.Ray(new THREE.Vector3(0.27, -5, 0.96 + 0.48), new THREE.Vector3(0, 1, 0));
    const at = (node: number | null) => [...nodes.slice(3 * node!, 3 * node! + 3)].map((x) => Math.round(100 * x) / 100);
    assert.deepEqual(at(pickNode(ray, target)), [0.25, 0, 1.46]);
    assert.equal(pickNode(ray, { ...target, visible: [false] }), null);
    const slice = new Slice();
    const cut = { normal: new THREE.Vector3(0, -1, 0), distance: -0.55 };
    const side = Float32Array.from({ length: run.frames!.nodes }, (_, i) => 0.55 - nodes[3 * i + 1]);
    slice.fill(run.bodies[0].tets!, nodes, new Float32Array(run.frames!.nodes), side);
    const inside = pickNode(ray, { ...target, cut, slices: [slice] })!;
    assert.deepEqual(at(inside), [0.25, 0.5, 1.46]);
    assert.ok(inside >= run.bodies[0].inner[0]);
    // Without the inside the ray meets the far wall.
    assert.deepEqual(at(pickNode(ray, { ...target, cut })), [0.25, 1, 1.46]);
});

test('a node is found again by its name, and its curves are those of the frames', () => {
    const run = block();
    for (const node of [0, 17, 124]) assert.equal(findNode(run, nodeName(run, node)), node);
    assert.equal(findNode(run, '3'), 3);
    for (const name of ['block:125', 'floor:1', 'block:', 'x', '']) assert.equal(findNode(run, name), null);
    const panel = nodePanel(run, 0, 'von_mises_nodes');
    assert.equal(panel.name, 'Node 0 of block');
    assert.equal(panel.choices[0].name, 'von Mises stress');
    assert.equal(panel.choices[0].unit, 'MPa');
    assert.ok(Math.abs(Math.max(...panel.choices[0].lines[0].y) - 20) < 1e-9);
    const last = panel.choices.at(-1)!;
    // It falls by 0.96 until it stands on the floor.
    assert.ok(Math.abs(Math.min(...last.lines[2].y) + 0.96) < 1e-4);
});

test('forces keep their nodes and frames', () => {
    const { arrows, times } = block().frames!;
    assert.equal(arrows!.begin.at(-1), arrows!.nodes.length);
    const frame = times.indexOf(0.5);
    assert.equal(arrows!.begin[frame + 1] - arrows!.begin[frame], 25);
    assert.equal(largestForce(arrows!), 1);
    // Forces are means since the previous frame: between two frames, those of the later one are shown.
    assert.equal(frameOf({ index: 4, fraction: 0.5 }), 5);
    assert.equal(frameOf({ index: 4, fraction: 0 }), 4);
    const damaged = samples['block']();
    damaged.runs[0].frames!.arrows = damaged.runs[0].frames!.arrows!.slice(0, 32);
    assert.throws(() => decode(JSON.stringify(damaged)), /contact forces/);
});

test('the force of a pair is zero until it touches', () => {
    const run = block();
    const [line] = pairLines(run.pairs!, 'normal', 0, run.history!.numbers.get('time')!);
    assert.equal(line.label, 'block – floor');
    assert.equal(line.x.length, 101);
    assert.ok(line.y.slice(0, 50).every((y) => y === 0));
    assert.equal(line.y[50], 25);
});

test('of many curves the highest are drawn', () => {
    const x = Float64Array.of(0, 1);
    const lines = Array.from({ length: 30 }, (_, i) => ({ label: `${i}`, run: 0, x, y: Float64Array.of(0, i % 2 ? -i : i) }));
    assert.deepEqual(
        highest(lines).map((one) => one.label),
        Array.from({ length: 12 }, (_, i) => String(18 + i)),
    );
    assert.equal(highest(lines.slice(0, 5)).length, 5);
});

test('the panel of momentum tells what came from outside', () => {
    const run = block();
    run.summary['external_impulse'] = [0, 0, 8];
    const note = panelsOf([run]).drawn.find((panel) => panel.name === 'Momentum')!.note;
    assert.equal(note, 'external, total: 0, 0, 8');
});

test('lengths are round and words stay on the stage', () => {
    assert.deepEqual([0.25, 7.3, 30, 1].map(roundLength), [0.2, 5, 20, 1]);
    const tag = { kind: 'largest' as const, x: 95, y: 2, lines: ['20 MPa'] };
    assert.deepEqual(placeWords(tag, 40, 100, 100), [41, 0]);
    assert.deepEqual(placeWords({ ...tag, x: 10, y: 50 }, 40, 100, 100), [24, 41.5]);
});
