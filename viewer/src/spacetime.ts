// SPDX-License-Identifier: MIT
// The x-t diagram of a scene on a line: below the bodies, every node drawn against time, which runs downward. Bars become sheets
// coloured by the field, so that waves show as straight fronts; point masses become ribbons.

import * as THREE from 'three';
import type { Field, Run } from './data.ts';
import { positionsAt, valuesAt } from './frames.ts';
import { setAbsent, type Appearance } from './material.ts';

const mostVertices = 400_000;

export class SpaceTime {
    readonly object = new THREE.Group();
    private readonly sheets: { mesh: THREE.Mesh; body: number; first: number; count: number; sides: number[] }[] = [];
    private readonly rows: number[] = [];
    private readonly hand: THREE.Line;

    // Between the heights top and bottom.
    constructor(
        private readonly run: Run,
        appearance: Appearance,
        colours: string[],
        readonly top: number,
        readonly bottom: number,
    ) {
        const frames = run.frames!;
        const stride = Math.max(1, Math.ceil((frames.times.length * frames.nodes) / mostVertices));
        for (let i = 0; i < frames.times.length; i += stride) this.rows.push(i);
        if (this.rows.at(-1) !== frames.times.length - 1) this.rows.push(frames.times.length - 1);

        const ribbon = 0.002 * (frames.high[0] - frames.low[0]);
        run.bodies.forEach((body, index) => {
            // A node of a bar is one vertex of each row; a point mass is two, side by side.
            const sides = body.shape === 'lines' ? [0] : [-ribbon, ribbon];
            const count = body.count * sides.length;
            const position = new Float32Array(this.rows.length * count * 3);
            const geometry = new THREE.BufferGeometry();
            geometry.setAttribute('position', new THREE.BufferAttribute(position, 3));
            geometry.setAttribute('scalar', new THREE.BufferAttribute(new Float32Array(this.rows.length * count), 1));
            const faces: number[] = [];
            for (let row = 0; row + 1 < this.rows.length; row++) {
                const here = row * count;
                if (body.shape === 'lines') {
                    for (let i = 0; i < body.cells.length; i += 2) {
                        const a = here + body.cells[i] - body.first;
                        const b = here + body.cells[i + 1] - body.first;
                        faces.push(a, b, a + count, b, b + count, a + count);
                    }
                } else {
                    for (let a = here; a < here + count; a += 2)
                        faces.push(a, a + 1, a + count, a + 1, a + 1 + count, a + count);
                }
            }
            geometry.setIndex(faces);
            const material = appearance.material(colours[index], 'never');
            const mesh = new THREE.Mesh(geometry, material);
            mesh.frustumCulled = false;
            this.sheets.push({ mesh, body: index, first: body.first, count: body.count, sides });
            this.object.add(mesh);
        });

        const now = new Float32Array(frames.nodes * 3);
        this.rows.forEach((frame, row) => {
            positionsAt(frames, { index: frame, fraction: 0 }, now);
            for (const sheet of this.sheets) {
                const array = sheet.mesh.geometry.attributes['position'].array;
                let at = 3 * row * sheet.count * sheet.sides.length;
                for (let i = 0; i < sheet.count; i++) {
                    for (const side of sheet.sides) {
                        array[at++] = now[3 * (sheet.first + i)] + side;
                        array[at++] = this.height(frames.times[frame]);
                        array[at++] = 0;
                    }
                }
            }
        });

        const line = new THREE.BufferGeometry().setFromPoints([
            new THREE.Vector3(frames.low[0], 0, 0),
            new THREE.Vector3(frames.high[0], 0, 0),
        ]);
        this.hand = new THREE.Line(line, new THREE.LineBasicMaterial());
        this.hand.renderOrder = 1;
        this.hand.frustumCulled = false;
        this.object.add(this.hand);
    }

    private height(time: number): number {
        const times = this.run.frames!.times;
        const span = times.at(-1)! - times[0] || 1;
        return this.top + ((this.bottom - this.top) * (time - times[0])) / span;
    }

    setTime(time: number): void {
        this.hand.position.set(0, this.height(time), 0.001);
    }

    setInk(colour: string): void {
        (this.hand.material as THREE.LineBasicMaterial).color.setStyle(colour, THREE.LinearSRGBColorSpace);
    }

    setVisible(visible: boolean[]): void {
        for (const sheet of this.sheets) sheet.mesh.visible = visible[sheet.body];
    }

    colour(field: Field | null): void {
        if (!field) return;
        for (const sheet of this.sheets) setAbsent(sheet.mesh, !field.bodies.includes(sheet.body));
        const frames = this.run.frames!;
        const now = new Float32Array(frames.nodes);
        this.rows.forEach((frame, row) => {
            valuesAt(frames, field, { index: frame, fraction: 0 }, now);
            for (const sheet of this.sheets) {
                const array = sheet.mesh.geometry.attributes['scalar'].array;
                let at = row * sheet.count * sheet.sides.length;
                for (let i = 0; i < sheet.count; i++)
                    for (let k = 0; k < sheet.sides.length; k++) array[at++] = now[sheet.first + i];
            }
        });
        for (const sheet of this.sheets) sheet.mesh.geometry.attributes['scalar'].needsUpdate = true;
    }

    dispose(): void {
        for (const { mesh } of this.sheets) {
            mesh.geometry.dispose();
            (mesh.material as THREE.Material).dispose();
        }
        this.hand.geometry.dispose();
        (this.hand.material as THREE.Material).dispose();
    }
}
