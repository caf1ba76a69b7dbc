// SPDX-License-Identifier: MIT
// Values of a field in words: how large, with its unit, and where.

import type { Field, Run } from './data.ts';
import { number } from './format.ts';
import { naming } from './names.ts';
import { bodyOf, numberOf } from './node.ts';
import { unitsOf, valueText, withUnit } from './units.ts';

// The name of a field with its unit.
export function fieldText(run: Run, field: Field): string {
    const { text, dimension } = naming(field.label);
    return withUnit(text, unitsOf(run), dimension);
}

export function fieldValue(run: Run, field: Field, value: number): string {
    return valueText(number(value, 4), unitsOf(run), naming(field.label).dimension);
}

// The place of a node: its body, where there are several, its number, and whether it lies inside.
export function placeText(run: Run, node: number): string {
    const body = bodyOf(run, node);
    const { inner, name, dimension, shape } = run.bodies[body];
    const inside = node >= inner[0] && node < inner[0] + inner[1] ? ', inside' : '';
    // The outline of a beam has points that are no nodes.
    const word = dimension === 1 && shape === 'triangles' ? 'point' : 'node';
    return `${name}, ${word} ${numberOf(run, node, body)}${inside}`;
}
