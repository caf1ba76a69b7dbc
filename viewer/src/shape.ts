// SPDX-License-Identifier: MIT
// The visible object of a body, whose vertices move with the nodes.

import type * as THREE from 'three';

export interface Shape {
    readonly object: THREE.Object3D;
    // Lines drawn on the body when the wireframe is on, where the edges of its elements do not show by themselves.
    readonly lines: THREE.Object3D | null;
    // Positions of all nodes of the run, xyz after xyz.
    move(nodes: Float32Array): void;
    // A scalar of all nodes of the run.
    colour(values: Float32Array): void;
    dispose(): void;
}
