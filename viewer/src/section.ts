// SPDX-License-Identifier: MIT
// A section: everything on one side of a plane is left out, and the cut through solids shows the values inside, from the
// tetrahedra that the plane divides.

import * as THREE from 'three';
import type { Body } from './data.ts';
import type { Appearance } from './material.ts';
import { setAbsent } from './material.ts';

// What is kept: dot(normal, x) <= distance.
export interface Cut {
    normal: THREE.Vector3;
    distance: number;
}

// The polygons in which a plane divides tetrahedra, as triangles: positions, a value each, and the nearer of the two nodes of
// the edge on which a corner lies. Buffers are reused and grow.
export class Slice {
    count = 0;
    positions = new Float32Array(0);
    values = new Float32Array(0);
    nodes = new Int32Array(0);

    private reserve(): void {
        if (3 * (this.count + 6) <= this.positions.length) return;
        const capacity = 2 * this.count + 512;
        const grown = <T extends Float32Array | Int32Array>(old: T, next: T): T => {
            next.set(old as never);
            return next;
        };
        this.positions = grown(this.positions, new Float32Array(3 * capacity));
        this.values = grown(this.values, new Float32Array(capacity));
        this.nodes = grown(this.nodes, new Int32Array(capacity));
    }

    // The point on the edge from a to b at which the distance changes its sign.
    private corner(a: number, b: number, x: Float32Array, values: Float32Array, side: Float32Array): void {
        const t = side[a] / (side[a] - side[b]);
        const at = this.count++;
        for (let k = 0; k < 3; k++) this.positions[3 * at + k] = x[3 * a + k] + t * (x[3 * b + k] - x[3 * a + k]);
        this.values[at] = values[a] + t * (values[b] - values[a]);
        this.nodes[at] = t < 0.5 ? a : b;
    }

    // `side` is the distance of each node from the plane.
    fill(tets: Int32Array, x: Float32Array, values: Float32Array, side: Float32Array): void {
        this.count = 0;
        const over = [0, 0, 0, 0];
        const under = [0, 0, 0, 0];
        for (let tet = 0; tet < tets.length; tet += 4) {
            let above = 0;
            let below = 0;
            for (let k = 0; k < 4; k++) {
                const node = tets[tet + k];
                if (side[node] > 0) over[above++] = node;
                else under[below++] = node;
            }
            if (above === 0 || below === 0) continue;
            this.reserve();
            const put = (a: number, b: number): void => this.corner(a, b, x, values, side);
            if (above === 2) {
                const [a, b, c, d] = [over[0], over[1], under[0], under[1]];
                for (const [from, to] of [
                    [a, c],
                    [a, d],
                    [b, d],
                    [a, c],
                    [b, d],
                    [b, c],
                ] as const)
                    put(from, to);
            } else {
                const [one, three] = above === 1 ? [over[0], under] : [under[0], over];
                for (let k = 0; k < 3; k++) put(one, three[k]);
            }
        }
    }
}

export class Section {
    readonly object = new THREE.Group();
    private readonly parts: { body: number; tets: Int32Array; slice: Slice; mesh: THREE.Mesh }[] = [];
    private side = new Float32Array(0);

    constructor(bodies: Body[], appearance: Appearance, colours: string[]) {
        bodies.forEach((body, i) => {
            if (!body.tets) return;
            const mesh = new THREE.Mesh(new THREE.BufferGeometry(), appearance.material(colours[i], 'never', true));
            mesh.frustumCulled = false;
            this.parts.push({ body: i, tets: body.tets, slice: new Slice(), mesh });
            this.object.add(mesh);
        });
        this.object.visible = false;
    }

    // Cuts the bodies at the present positions; null: no section.
    update(cut: Cut | null, x: Float32Array, values: Float32Array, visible: boolean[], has: (body: number) => boolean): void {
        this.object.visible = cut !== null;
        if (!cut || this.parts.length === 0) return;
        const { normal, distance } = cut;
        if (this.side.length !== x.length / 3) this.side = new Float32Array(x.length / 3);
        for (let k = 0; k < this.side.length; k++)
            this.side[k] = normal.x * x[3 * k] + normal.y * x[3 * k + 1] + normal.z * x[3 * k + 2] - distance;
        for (const { body, tets, slice, mesh } of this.parts) {
            mesh.visible = visible[body];
            if (!visible[body]) continue;
            slice.fill(tets, x, values, this.side);
            setAbsent(mesh, !has(body));
            const geometry = mesh.geometry;
            if (geometry.attributes['position']?.array !== slice.positions) {
                geometry.setAttribute('position', new THREE.BufferAttribute(slice.positions, 3));
                geometry.setAttribute('scalar', new THREE.BufferAttribute(slice.values, 1));
            }
            for (const attribute of Object.values(geometry.attributes)) (attribute as THREE.BufferAttribute).needsUpdate = true;
            geometry.setDrawRange(0, slice.count);
        }
    }

    // The triangles of the cut, for picking.
    slices(visible: boolean[]): Slice[] {
        return this.object.visible ? this.parts.filter(({ body }) => visible[body]).map(({ slice }) => slice) : [];
    }

    dispose(): void {
        for (const { mesh } of this.parts) {
            mesh.geometry.dispose();
            (mesh.material as THREE.Material).dispose();
        }
    }
}
