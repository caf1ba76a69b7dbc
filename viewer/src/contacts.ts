// SPDX-License-Identifier: MIT
// Contacts of the run around the clock's time: a dot at each point, a stroke along each normal.

import * as THREE from 'three';
import type { Run, Table } from './data.ts';

// The column of a vector's component, however the table writes it: nx, normal_x, normal.x.
function component(table: Table, stems: string[], axis: string): Float64Array | null {
    for (const stem of stems) {
        for (const name of [`${stem}${axis}`, `${stem}_${axis}`, `${stem}.${axis}`]) {
            const found = table.numbers.get(name);
            if (found) return found;
        }
    }
    return null;
}

export interface ContactList {
    times: Float64Array;
    points: Float64Array[];
    normals: Float64Array[] | null;
}

export function contactList(run: Run): ContactList | null {
    const table = run.contacts;
    const times = table?.numbers.get('time');
    if (!table || !times) return null;
    const points = ['x', 'y', 'z'].map((axis) => component(table, ['point', '', 'c', 'p'], axis));
    const normals = ['x', 'y', 'z'].map((axis) => component(table, ['normal', 'n'], axis));
    if (points.some((p) => p === null)) return null;
    return {
        times,
        points: points as Float64Array[],
        normals: normals.some((n) => n === null) ? null : (normals as Float64Array[]),
    };
}

// The rows with from < time <= to, for times that rise.
export function between(times: Float64Array, from: number, to: number): [number, number] {
    const after = (limit: number): number => {
        let low = 0;
        let high = times.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (times[middle] <= limit) low = middle + 1;
            else high = middle;
        }
        return low;
    };
    return [after(from), after(to)];
}

const most = 20_000;

// A disc, where points would be squares.
function disc(): THREE.DataTexture {
    const size = 32;
    const data = new Uint8Array(4 * size * size).fill(255);
    for (let i = 0; i < size * size; i++) {
        const radius = Math.hypot((i % size) + 0.5 - size / 2, Math.floor(i / size) + 0.5 - size / 2);
        data[4 * i + 3] = radius < size / 2 - 1 ? 255 : 0;
    }
    const texture = new THREE.DataTexture(data, size, size);
    texture.magFilter = texture.minFilter = THREE.LinearFilter;
    texture.needsUpdate = true;
    return texture;
}

export class ContactMarks {
    readonly object = new THREE.Group();
    private readonly dots: THREE.Points;
    private readonly strokes: THREE.LineSegments;

    constructor(
        readonly list: ContactList,
        private readonly length: number,
    ) {
        const colour = new THREE.Color().setStyle('#cc3311', THREE.LinearSRGBColorSpace);
        const points = new THREE.BufferGeometry();
        points.setAttribute('position', new THREE.BufferAttribute(new Float32Array(most * 3), 3));
        this.dots = new THREE.Points(
            points,
            new THREE.PointsMaterial({
                color: colour,
                size: 7,
                sizeAttenuation: false,
                depthTest: false,
                map: disc(),
                alphaTest: 0.5,
                transparent: true,
            }),
        );
        const lines = new THREE.BufferGeometry();
        lines.setAttribute('position', new THREE.BufferAttribute(new Float32Array(most * 6), 3));
        this.strokes = new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ color: colour, depthTest: false }));
        for (const part of [this.dots, this.strokes]) {
            part.frustumCulled = false;
            part.renderOrder = 2;
            this.object.add(part);
        }
    }

    // Shows the contacts of (from, to]; returns how many.
    show(from: number, to: number, dots: boolean, normals: boolean): number {
        const { times, points, normals: n } = this.list;
        const [first, end] = between(times, from, to);
        const count = Math.min(most, end - first);
        const p = this.dots.geometry.attributes['position'];
        const s = this.strokes.geometry.attributes['position'];
        for (let i = 0; i < count; i++) {
            const row = first + i;
            const [x, y, z] = points.map((column) => column[row]) as [number, number, number];
            p.setXYZ(i, x, y, z);
            if (n) {
                s.setXYZ(2 * i, x, y, z);
                s.setXYZ(2 * i + 1, x + this.length * n[0][row], y + this.length * n[1][row], z + this.length * n[2][row]);
            }
        }
        this.dots.geometry.setDrawRange(0, dots ? count : 0);
        this.strokes.geometry.setDrawRange(0, normals && n ? 2 * count : 0);
        p.needsUpdate = s.needsUpdate = true;
        return count;
    }

    dispose(): void {
        (this.dots.material as THREE.PointsMaterial).map?.dispose();
        for (const part of [this.dots, this.strokes]) {
            part.geometry.dispose();
            (part.material as THREE.Material).dispose();
        }
    }
}
