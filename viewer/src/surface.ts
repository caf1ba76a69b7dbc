// SPDX-License-Identifier: MIT
// A body of triangles. Neighbouring faces share a smooth normal unless they meet at an edge sharper than 40 degrees in the first
// frame; there the vertex is split.

import * as THREE from 'three';
import type { Body } from './data.ts';
import type { Appearance } from './material.ts';
import type { Shape } from './shape.ts';

const sharp = Math.cos((40 * Math.PI) / 180);

function faceNormal(nodes: Float32Array, a: number, b: number, c: number, out: Float64Array, at: number): void {
    const ux = nodes[3 * b] - nodes[3 * a];
    const uy = nodes[3 * b + 1] - nodes[3 * a + 1];
    const uz = nodes[3 * b + 2] - nodes[3 * a + 2];
    const vx = nodes[3 * c] - nodes[3 * a];
    const vy = nodes[3 * c + 1] - nodes[3 * a + 1];
    const vz = nodes[3 * c + 2] - nodes[3 * a + 2];
    out[at] = uy * vz - uz * vy;
    out[at + 1] = uz * vx - ux * vz;
    out[at + 2] = ux * vy - uy * vx;
}

// Gives each corner of each triangle a vertex: `corners` numbers them, `owner` names the node of each.
export function splitCorners(cells: Int32Array, nodes: Float32Array): { corners: Uint32Array; owner: Int32Array } {
    const count = cells.length / 3;
    const normals = new Float64Array(3 * count);
    const around = new Map<number, number[]>();
    for (let face = 0; face < count; face++) {
        faceNormal(nodes, cells[3 * face], cells[3 * face + 1], cells[3 * face + 2], normals, 3 * face);
        const n = normals.subarray(3 * face, 3 * face + 3);
        const length = Math.hypot(n[0], n[1], n[2]) || 1;
        for (let k = 0; k < 3; k++) {
            n[k] /= length;
            const node = cells[3 * face + k];
            const list = around.get(node);
            if (list) list.push(3 * face + k);
            else around.set(node, [3 * face + k]);
        }
    }

    const smooth = (a: number, b: number): boolean => {
        const p = 3 * Math.floor(a / 3);
        const q = 3 * Math.floor(b / 3);
        let shared = 0;
        for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) if (cells[p + i] === cells[q + j]) shared++;
        return (
            shared > 1 && normals[p] * normals[q] + normals[p + 1] * normals[q + 1] + normals[p + 2] * normals[q + 2] > sharp
        );
    };

    // Corners of a node that are joined by smooth edges become one vertex.
    const corners = new Uint32Array(cells.length);
    const owner: number[] = [];
    for (const [node, list] of around) {
        const open = new Set(list);
        while (open.size > 0) {
            const group = [open.values().next().value!];
            open.delete(group[0]);
            for (const one of group) {
                corners[one] = owner.length;
                for (const other of open) {
                    if (smooth(one, other)) {
                        open.delete(other);
                        group.push(other);
                    }
                }
            }
            owner.push(node);
        }
    }
    return { corners, owner: Int32Array.from(owner) };
}

export function surface(body: Body, nodes: Float32Array, appearance: Appearance, colour: string): Shape {
    const { corners, owner } = splitCorners(body.cells, nodes);
    const geometry = new THREE.BufferGeometry();
    const position = new Float32Array(owner.length * 3);
    const normal = new Float32Array(owner.length * 3);
    const scalar = new Float32Array(owner.length);
    const face = new Float64Array(3);
    geometry.setAttribute('position', new THREE.BufferAttribute(position, 3));
    geometry.setAttribute('normal', new THREE.BufferAttribute(normal, 3));
    geometry.setAttribute('scalar', new THREE.BufferAttribute(scalar, 1));
    geometry.setIndex(new THREE.BufferAttribute(corners, 1));
    const object = new THREE.Mesh(geometry, appearance.material(colour, 'space', false, body.dimension === 3 && !body.tets));
    object.frustumCulled = false;

    return {
        object,
        lines: null,
        move(now) {
            for (let i = 0; i < owner.length; i++) {
                const node = 3 * owner[i];
                position[3 * i] = now[node];
                position[3 * i + 1] = now[node + 1];
                position[3 * i + 2] = now[node + 2];
            }
            // The sum of the faces' normals, weighted by area; the shader makes it a unit vector.
            normal.fill(0);
            for (let i = 0; i < corners.length; i += 3) {
                faceNormal(position, corners[i], corners[i + 1], corners[i + 2], face, 0);
                for (let k = 0; k < 3; k++) {
                    const at = 3 * corners[i + k];
                    normal[at] += face[0];
                    normal[at + 1] += face[1];
                    normal[at + 2] += face[2];
                }
            }
            for (let i = 0; i < normal.length; i += 3) {
                const length = Math.hypot(normal[i], normal[i + 1], normal[i + 2]) || 1;
                normal[i] /= length;
                normal[i + 1] /= length;
                normal[i + 2] /= length;
            }
            geometry.attributes['position'].needsUpdate = true;
            geometry.attributes['normal'].needsUpdate = true;
        },
        colour(values) {
            for (let i = 0; i < owner.length; i++) scalar[i] = values[owner[i]];
            geometry.attributes['scalar'].needsUpdate = true;
        },
        dispose() {
            geometry.dispose();
            object.material.dispose();
        },
    };
}
