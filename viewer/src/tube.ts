// SPDX-License-Identifier: MIT
// A body of lines: bars and beams, drawn as their section swept along chains of segments. The section is transported from node
// to node by the smallest rotation between tangents (parallel transport).

import * as THREE from 'three';
import type { Body } from './data.ts';
import type { Appearance } from './material.ts';
import type { Shape } from './shape.ts';

// The chains of nodes that the segments form; a chain ends where no segment or several segments continue.
export function chains(cells: Int32Array): number[][] {
    const next = new Map<number, number[]>();
    for (let i = 0; i < cells.length; i += 2) {
        for (const [node, segment] of [
            [cells[i], i / 2],
            [cells[i + 1], i / 2],
        ] as const) {
            const list = next.get(node);
            if (list) list.push(segment);
            else next.set(node, [segment]);
        }
    }
    const used = new Uint8Array(cells.length / 2);
    const walk = (start: number): number[] => {
        const chain = [start];
        let node = start;
        for (;;) {
            const segment = next.get(node)!.find((s) => !used[s]);
            if (segment === undefined) return chain;
            used[segment] = 1;
            node = cells[2 * segment] === node ? cells[2 * segment + 1] : cells[2 * segment];
            chain.push(node);
            if (next.get(node)!.length !== 2) return chain;
        }
    };
    const result: number[][] = [];
    for (const [node, list] of next) if (list.length !== 2) while (list.some((s) => !used[s])) result.push(walk(node));
    for (let s = 0; s < used.length; s++) if (!used[s]) result.push(walk(cells[2 * s]));
    return result;
}

// Points and normals of a section of half width 1, in its plane.
function outline(section: 'circle' | 'square'): { x: number; y: number; nx: number; ny: number }[] {
    if (section === 'circle') {
        return Array.from({ length: 20 }, (_, i) => {
            const x = Math.cos((2 * Math.PI * i) / 20);
            const y = Math.sin((2 * Math.PI * i) / 20);
            return { x, y, nx: x, ny: y };
        });
    }
    const points = [];
    for (const [nx, ny] of [
        [1, 0],
        [0, 1],
        [-1, 0],
        [0, -1],
    ] as const) {
        for (const side of [-1, 1]) points.push({ x: nx - side * ny, y: ny + side * nx, nx, ny });
    }
    return points;
}

export function tube(body: Body, radius: number, appearance: Appearance, colour: string): Shape {
    const paths = chains(body.cells);
    const ring = outline(body.section);
    const k = ring.length;
    const total = paths.reduce((sum, path) => sum + (path.length + 2) * k, 0);
    const position = new Float32Array(total * 3);
    const normal = new Float32Array(total * 3);
    const scalar = new Float32Array(total);
    const faces: number[] = [];
    const wires: number[] = [];

    // Rings along each chain, then the rings of the two caps.
    let first = 0;
    for (const path of paths) {
        for (let i = 0; i < path.length; i++) {
            for (let j = 0; j < k; j++) {
                const here = first + i * k;
                const other = (j + 1) % k;
                wires.push(here + j, here + other);
                if (i + 1 < path.length) {
                    faces.push(here + j, here + other, here + k + j, here + other, here + k + other, here + k + j);
                    if (j % (k / 4) === 0) wires.push(here + j, here + k + j);
                }
            }
        }
        for (const cap of [path.length, path.length + 1]) {
            for (let j = 1; j + 1 < k; j++) faces.push(first + cap * k, first + cap * k + j, first + cap * k + j + 1);
        }
        first += (path.length + 2) * k;
    }

    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(position, 3));
    geometry.setAttribute('normal', new THREE.BufferAttribute(normal, 3));
    geometry.setAttribute('scalar', new THREE.BufferAttribute(scalar, 1));
    geometry.setIndex(faces);
    const object = new THREE.Mesh(geometry, appearance.material(colour, 'space'));
    object.frustumCulled = false;
    const wireGeometry = new THREE.BufferGeometry();
    wireGeometry.setAttribute('position', geometry.attributes['position']);
    wireGeometry.setIndex(wires);
    const lines = new THREE.LineSegments(wireGeometry, new THREE.LineBasicMaterial({ transparent: true, opacity: 0.35 }));
    lines.frustumCulled = false;

    const point = (nodes: Float32Array, node: number, out: THREE.Vector3): THREE.Vector3 => out.fromArray(nodes, 3 * node);
    const before = new THREE.Vector3();
    const here = new THREE.Vector3();
    const after = new THREE.Vector3();
    const tangent = new THREE.Vector3();
    const old = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const u = new THREE.Vector3();
    const v = new THREE.Vector3();

    const put = (at: number, point_: THREE.Vector3, cap: number): void => {
        ring.forEach((p, j) => {
            const i = 3 * (at + j);
            for (let axis = 0; axis < 3; axis++) {
                const a = u.getComponent(axis);
                const b = v.getComponent(axis);
                position[i + axis] = point_.getComponent(axis) + radius * (p.x * a + p.y * b);
                normal[i + axis] = cap === 0 ? p.nx * a + p.ny * b : cap * tangent.getComponent(axis);
            }
        });
    };

    return {
        object,
        lines,
        move(nodes) {
            let at = 0;
            for (const path of paths) {
                const last = path.length - 1;
                for (let i = 0; i <= last; i++) {
                    point(nodes, path[Math.max(0, i - 1)], before);
                    point(nodes, path[i], here);
                    point(nodes, path[Math.min(last, i + 1)], after);
                    tangent.subVectors(after, before).normalize();
                    if (tangent.lengthSq() < 0.5) tangent.copy(i > 0 ? old : u.set(1, 0, 0));
                    if (i === 0) {
                        // The section of the first node is upright as far as possible.
                        u.set(0, Math.abs(tangent.y) < 0.9 ? 1 : 0, Math.abs(tangent.y) < 0.9 ? 0 : 1);
                        u.addScaledVector(tangent, -u.dot(tangent)).normalize();
                    } else {
                        u.applyQuaternion(turn.setFromUnitVectors(old, tangent));
                        u.addScaledVector(tangent, -u.dot(tangent)).normalize();
                    }
                    v.crossVectors(tangent, u);
                    old.copy(tangent);
                    put(at + i * k, here, 0);
                    if (i === 0) put(at + (last + 1) * k, here, -1);
                    if (i === last) put(at + (last + 2) * k, here, 1);
                }
                at += (path.length + 2) * k;
            }
            geometry.attributes['position'].needsUpdate = true;
            geometry.attributes['normal'].needsUpdate = true;
        },
        colour(values) {
            let at = 0;
            for (const path of paths) {
                for (const node of [...path, path[0], path[path.length - 1]]) {
                    scalar.fill(values[node], at, at + k);
                    at += k;
                }
            }
            geometry.attributes['scalar'].needsUpdate = true;
        },
        dispose() {
            geometry.dispose();
            wireGeometry.dispose();
            object.material.dispose();
            lines.material.dispose();
        },
    };
}
