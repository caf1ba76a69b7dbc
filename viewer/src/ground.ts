// SPDX-License-Identifier: MIT
// Planes of contact: in space a square that fades out, with a grid of round lengths and the shadow of the bodies; in a plane a
// band behind the line. A plane is seen from its free side only, so that a floor hides nothing in a view from below.

import * as THREE from 'three';
import type { Plane } from './data.ts';
import type { Appearance } from './material.ts';
import { Shadow } from './shadow.ts';

const vertexShader = `
varying vec2 at;
void main() {
    at = position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const fragmentShader = `
uniform sampler2D shadow;
uniform vec3 colour;
uniform vec3 ink;
uniform vec3 dark;
uniform float strength;
uniform float half_side;
uniform float spacing;
varying vec2 at;
void main() {
    vec2 line = abs(fract(at / spacing - 0.5) - 0.5) / max(fwidth(at / spacing), 1e-6);
    float grid = 1.0 - min(min(line.x, line.y), 1.0);
    // The picture was taken from below: its x has the same direction, its y the opposite one.
    vec2 place = at / (2.0 * half_side);
    float shade = strength * texture2D(shadow, vec2(0.5 + place.x, 0.5 - place.y)).r;
    float fade = 1.0 - smoothstep(0.35, 1.0, length(at) / half_side);
    vec3 plain = mix(colour, ink, 0.13 * grid);
    gl_FragColor = vec4(mix(plain, dark, shade), fade * mix(0.85, 1.0, shade));
}`;

// The length 1, 2 or 5 times a power of ten below a rough one.
export function roundLength(rough: number): number {
    const power = 10 ** Math.floor(Math.log10(rough));
    return power * (rough >= 5 * power ? 5 : rough >= 2 * power ? 2 : 1);
}

export class Ground {
    readonly object = new THREE.Group();
    private readonly shadows: Shadow[] = [];
    private readonly materials: THREE.Material[] = [];

    constructor(planes: Plane[], box: THREE.Box3, space: 1 | 2 | 3, widest: number, appearance: Appearance) {
        const centre = box.getCenter(new THREE.Vector3());
        const extent = box.getSize(new THREE.Vector3()).length() || 1;
        for (const plane of planes) {
            const normal = new THREE.Vector3(...plane.normal);
            const point = new THREE.Vector3(...plane.point);
            const distance = normal.dot(centre) - normal.dot(point);
            // A wall that nothing comes near to would only obstruct the view.
            if (Math.abs(distance) > 2 * extent) continue;
            const foot = centre.clone().addScaledVector(normal, -distance);
            if (space === 3) this.addSquare(appearance, foot, normal, extent);
            else if (Math.abs(plane.normal[2]) < 0.5) this.addBand(foot, normal, extent, space === 1 ? 4 * widest : 2 * extent);
        }
    }

    private addSquare(appearance: Appearance, foot: THREE.Vector3, normal: THREE.Vector3, extent: number): void {
        const half = extent;
        const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
        const matrix = new THREE.Matrix4().makeRotationFromQuaternion(turn);
        const shadow = new Shadow(appearance, matrix, foot, normal, half, 0.3 * extent);
        const material = new THREE.ShaderMaterial({
            vertexShader,
            fragmentShader,
            uniforms: {
                shadow: { value: shadow.texture },
                colour: { value: new THREE.Color() },
                ink: { value: new THREE.Color() },
                dark: { value: new THREE.Color() },
                strength: { value: 0.5 },
                half_side: { value: half },
                spacing: { value: roundLength(0.25 * extent) },
            },
            transparent: true,
            depthWrite: false,
            polygonOffset: true,
            // Behind bodies that lie on it, which are moved back themselves.
            polygonOffsetFactor: 2,
            polygonOffsetUnits: 8,
        });
        const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2 * half, 2 * half), material);
        mesh.quaternion.copy(turn);
        mesh.position.copy(foot);
        this.object.add(mesh);
        this.shadows.push(shadow);
        this.materials.push(material);
    }

    private addBand(foot: THREE.Vector3, normal: THREE.Vector3, extent: number, length: number): void {
        const material = new THREE.MeshBasicMaterial();
        const thick = 0.02 * extent;
        const mesh = new THREE.Mesh(new THREE.PlaneGeometry(length, thick), material);
        mesh.position.copy(foot).addScaledVector(normal, -thick / 2);
        mesh.position.z = -0.01 * extent;
        mesh.rotation.z = Math.atan2(-normal.x, normal.y);
        this.object.add(mesh);
        this.materials.push(material);
    }

    get count(): number {
        return this.materials.length;
    }

    // The colours of the page.
    setInk(ink: string, raised: string, dark: boolean): void {
        for (const material of this.materials) {
            if (material instanceof THREE.MeshBasicMaterial) {
                material.color.setStyle(ink, THREE.LinearSRGBColorSpace);
                material.opacity = 0.3;
                material.transparent = true;
                continue;
            }
            const { colour, ink: line, dark: shade, strength } = (material as THREE.ShaderMaterial).uniforms;
            (colour.value as THREE.Color).setStyle(raised, THREE.LinearSRGBColorSpace);
            (line.value as THREE.Color).setStyle(ink, THREE.LinearSRGBColorSpace);
            (shade.value as THREE.Color).setStyle(dark ? '#000000' : '#1c1f24', THREE.LinearSRGBColorSpace);
            strength.value = dark ? 0.75 : 0.42;
        }
    }

    // Before the scene is drawn, when bodies have moved.
    cast(renderer: THREE.WebGLRenderer, scene: THREE.Scene): void {
        if (!this.object.visible) return;
        for (const shadow of this.shadows) shadow.draw(renderer, scene);
    }

    dispose(): void {
        for (const shadow of this.shadows) shadow.dispose();
        for (const child of this.object.children) (child as THREE.Mesh).geometry.dispose();
        for (const material of this.materials) material.dispose();
    }
}
