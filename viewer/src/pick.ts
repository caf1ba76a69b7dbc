// SPDX-License-Identifier: MIT
// The node under the pointer: a corner of the nearest triangle that the line of sight meets, or a node of bars and points near it.

import * as THREE from 'three';
import type { Body } from './data.ts';
import type { Cut, Slice } from './section.ts';

export interface Target {
    bodies: Body[];
    visible: boolean[];
    nodes: Float32Array;
    cut: Cut | null;
    slices: Slice[];
    // Distance of thin bodies from the line of sight at which they are picked, at a distance from the eye.
    slack: (distance: number) => number;
}

export function pickNode(ray: THREE.Ray, target: Target): number | null {
    let best: number | null = null;
    let nearest = Infinity;
    const [a, b, c, hit] = [0, 1, 2, 3].map(() => new THREE.Vector3()) as [
        THREE.Vector3,
        THREE.Vector3,
        THREE.Vector3,
        THREE.Vector3,
    ];
    const kept = (p: THREE.Vector3): boolean => !target.cut || target.cut.normal.dot(p) <= target.cut.distance;
    const triangle = (nodes: [number, number, number]): void => {
        if (!ray.intersectTriangle(a, b, c, false, hit)) return;
        const distance = ray.origin.distanceTo(hit);
        if (distance >= nearest || !kept(hit)) return;
        nearest = distance;
        const lengths = [a, b, c].map((corner) => corner.distanceToSquared(hit));
        best = nodes[lengths.indexOf(Math.min(...lengths))];
    };
    const thin = (node: number): void => {
        a.fromArray(target.nodes, 3 * node);
        const distance = ray.direction.dot(b.subVectors(a, ray.origin));
        if (distance < 0 || !kept(a)) return;
        const off = Math.sqrt(ray.distanceSqToPoint(a));
        // Of adjacent nodes the one nearest to the pointer.
        const rank = distance + off;
        if (off > target.slack(distance) || rank >= nearest) return;
        nearest = rank;
        best = node;
    };
    target.bodies.forEach((body, i) => {
        if (!target.visible[i]) return;
        if (body.shape !== 'triangles') {
            for (let k = body.first; k < body.first + body.count; k++) thin(k);
            return;
        }
        for (let face = 0; face < body.cells.length; face += 3) {
            const [p, q, r] = [body.cells[face], body.cells[face + 1], body.cells[face + 2]];
            a.fromArray(target.nodes, 3 * p);
            b.fromArray(target.nodes, 3 * q);
            c.fromArray(target.nodes, 3 * r);
            triangle([p, q, r]);
        }
    });
    // The cut lies on the plane itself.
    const { cut } = target;
    target.cut = null;
    for (const slice of target.slices) {
        for (let i = 0; i < slice.count; i += 3) {
            a.fromArray(slice.positions, 3 * i);
            b.fromArray(slice.positions, 3 * i + 3);
            c.fromArray(slice.positions, 3 * i + 6);
            triangle([slice.nodes[i], slice.nodes[i + 1], slice.nodes[i + 2]]);
        }
    }
    target.cut = cut;
    return best;
}
