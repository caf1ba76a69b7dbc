// SPDX-License-Identifier: MIT
// Tests the unit labels that follow from the units of a scene, and the names of fields.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { naming } from '../src/names.ts';
import { dimensions, unitText, unitsOf, withUnit } from '../src/units.ts';
import type { Run } from '../src/data.ts';

const millimetres = { length: 'mm', mass: 't', time: 's' };

test('units with a name of their own are called by it', () => {
    assert.equal(unitText(millimetres, dimensions.force), 'N');
    assert.equal(unitText(millimetres, dimensions.stress), 'MPa');
    assert.equal(unitText(millimetres, dimensions.energy), 'mJ');
    const si = { length: 'm', mass: 'kg', time: 's' };
    assert.deepEqual(
        [dimensions.force, dimensions.stress, dimensions.energy].map((d) => unitText(si, d)),
        ['N', 'Pa', 'J'],
    );
    assert.equal(unitText({ length: 'mm', mass: 'kg', time: 'ms' }, dimensions.stress), 'GPa');
});

test('others are products', () => {
    assert.equal(unitText(millimetres, dimensions.velocity), 'mm/s');
    assert.equal(unitText(millimetres, dimensions.momentum), 't·mm/s');
    assert.equal(unitText(millimetres, dimensions.angular_momentum), 't·mm²/s');
    assert.equal(unitText(millimetres, dimensions.perLength), '1/mm');
    assert.equal(unitText({ length: 'in', mass: 'lb', time: 's' }, dimensions.stress), 'lb/(in·s²)');
    assert.equal(unitText({ length: 'cm', mass: 'g', time: 's' }, dimensions.force), 'g·cm/s²');
});

test('without units there is no text', () => {
    assert.equal(unitText(null, dimensions.force), '');
    assert.equal(unitText(millimetres, dimensions.none), '');
    assert.equal(unitText({ ...millimetres, mass: '' }, dimensions.force), '');
    assert.equal(withUnit('speed', null, dimensions.velocity), 'speed');
    assert.equal(unitsOf({ summary: {} } as Run), null);
    assert.equal(unitsOf({ summary: { units: 'mm' } } as unknown as Run), null);
    assert.deepEqual(unitsOf({ summary: { units: millimetres } } as unknown as Run), millimetres);
});

test('fields have names for people', () => {
    assert.equal(naming('von_mises_nodes').text, 'von Mises stress');
    assert.equal(naming('von_mises').stress, true);
    assert.equal(naming('stress_nodes, xx').text, 'stress xx');
    assert.equal(naming('stress, mises').text, 'von Mises stress');
    assert.equal(naming('principal_stress_nodes, largest').text, 'largest principal stress');
    assert.equal(naming('membrane_force, mises').text, 'membrane force von Mises');
    assert.equal(naming('my_field').text, 'my_field');
    assert.equal(naming('toString').text, 'toString');
});
