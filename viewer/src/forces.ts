// SPDX-License-Identifier: MIT
// Contact forces as arrows at the nodes. They are drawn over the bodies, since most of them point into one.

import * as THREE from 'three';
import type { Arrows } from './data.ts';
import type { Place } from './frames.ts';

const most = 4000;
const colour = 0xcc3311;

// The largest force of all frames.
export function largestForce(arrows: Arrows): number {
    let size = 0;
    for (let i = 0; i < arrows.vectors.length; i += 3)
        size = Math.max(size, Math.hypot(arrows.vectors[i], arrows.vectors[i + 1], arrows.vectors[i + 2]));
    return size;
}

// The frame whose forces are valid at a time: forces are means since the frame before, so it is the next one.
export const frameOf = (place: Place): number => place.index + (place.fraction > 0 ? 1 : 0);

export class ForceArrows {
    readonly object = new THREE.Group();
    // Of all frames.
    readonly largest: number;
    private readonly shafts: THREE.InstancedMesh;
    private readonly tips: THREE.InstancedMesh;

    constructor(
        private readonly arrows: Arrows,
        private readonly extent: number,
    ) {
        this.largest = largestForce(arrows);
        const material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true });
        material.color.setHex(colour, THREE.LinearSRGBColorSpace);
        // Both point along y, with their foot in the origin.
        const shaft = new THREE.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0);
        const tip = new THREE.ConeGeometry(1, 1, 10).translate(0, 0.5, 0);
        this.shafts = new THREE.InstancedMesh(shaft, material, most);
        this.tips = new THREE.InstancedMesh(tip, material, most);
        for (const mesh of [this.shafts, this.tips]) {
            mesh.frustumCulled = false;
            mesh.renderOrder = 3;
            mesh.count = 0;
            this.object.add(mesh);
        }
    }

    // The largest force is drawn `scale` times a seventh of the scene long; 0: none. Returns the largest that is shown.
    show(place: Place, nodes: Float32Array, scale: number, visible: (node: number) => boolean): number {
        const { begin, nodes: at, vectors } = this.arrows;
        const frame = frameOf(place);
        const up = new THREE.Vector3(0, 1, 0);
        const foot = new THREE.Vector3();
        const force = new THREE.Vector3();
        const turn = new THREE.Quaternion();
        const matrix = new THREE.Matrix4();
        const thick = 0.0028 * this.extent;
        let count = 0;
        let largest = 0;
        for (let i = begin[frame]; scale > 0 && i < begin[frame + 1] && count < most; i++) {
            if (!visible(at[i])) continue;
            force.fromArray(vectors, 3 * i);
            const size = force.length();
            const length = (scale * 0.14 * this.extent * size) / (this.largest || 1);
            // Too short to be seen.
            if (length < 0.001 * this.extent) continue;
            largest = Math.max(largest, size);
            foot.fromArray(nodes, 3 * at[i]);
            turn.setFromUnitVectors(up, force.divideScalar(size));
            const head = Math.min(5 * thick, 0.5 * length);
            this.shafts.setMatrixAt(count, matrix.compose(foot, turn, new THREE.Vector3(thick, length - head, thick)));
            foot.addScaledVector(force, length - head);
            this.tips.setMatrixAt(count++, matrix.compose(foot, turn, new THREE.Vector3(0.4 * head, head, 0.4 * head)));
        }
        for (const mesh of [this.shafts, this.tips]) {
            mesh.count = count;
            mesh.instanceMatrix.needsUpdate = true;
        }
        return largest;
    }

    dispose(): void {
        (this.shafts.material as THREE.Material).dispose();
        for (const mesh of [this.shafts, this.tips]) {
            mesh.geometry.dispose();
            mesh.dispose();
        }
    }
}
