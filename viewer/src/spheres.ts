// SPDX-License-Identifier: MIT
// A body of point masses: one sphere for each.

import * as THREE from 'three';
import type { Body } from './data.ts';
import type { Appearance } from './material.ts';
import type { Shape } from './shape.ts';

export function spheres(body: Body, radius: number, appearance: Appearance, colour: string): Shape {
    const nodes = body.cells;
    const geometry = new THREE.SphereGeometry(1, 32, 20);
    const scalar = new THREE.InstancedBufferAttribute(new Float32Array(nodes.length), 1);
    geometry.setAttribute('scalar', scalar);
    const object = new THREE.InstancedMesh(geometry, appearance.material(colour, 'space'), nodes.length);
    object.frustumCulled = false;
    const matrix = new THREE.Matrix4();

    return {
        object,
        lines: null,
        move(now) {
            for (let i = 0; i < nodes.length; i++) {
                const at = 3 * nodes[i];
                matrix.makeScale(radius, radius, radius).setPosition(now[at], now[at + 1], now[at + 2]);
                object.setMatrixAt(i, matrix);
            }
            object.instanceMatrix.needsUpdate = true;
        },
        colour(values) {
            for (let i = 0; i < nodes.length; i++) scalar.array[i] = values[nodes[i]];
            scalar.needsUpdate = true;
        },
        dispose() {
            geometry.dispose();
            object.dispose();
            object.material.dispose();
        },
    };
}
