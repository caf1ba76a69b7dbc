// SPDX-License-Identifier: MIT
// One material for all bodies: a scalar per vertex through a colour map, or the colour of the body; matte, lit from next to the
// camera. Surfaces of plane scenes are not shaded, so that their colours are those of the colour bar. A section removes what is
// beyond its plane; the inner side of a solid whose inside is not known is then grey.

import * as THREE from 'three';
import { colourMap, noValue, type MapKind } from './colour.ts';

const vertexShader = `
attribute float scalar;
varying float value;
varying vec3 facing;
varying vec3 place;
void main() {
    vec4 point = vec4(position, 1.0);
    vec3 direction = normal;
    #ifdef USE_INSTANCING
    point = instanceMatrix * point;
    direction = mat3(instanceMatrix) * direction;
    #endif
    value = scalar;
    place = point.xyz;
    facing = normalMatrix * direction;
    gl_Position = projectionMatrix * modelViewMatrix * point;
}`;

const fragmentShader = `
uniform sampler2D colours;
uniform vec2 range;
uniform float mapped;
uniform float shading;
uniform vec3 own;
uniform vec3 none;
uniform float absent;
uniform vec4 cut;
uniform float hollow;
varying float value;
varying vec3 facing;
varying vec3 place;
void main() {
    if (dot(cut.xyz, place) > cut.w) discard;
    float at = clamp((value - range.x) / max(range.y - range.x, 1e-30), 0.0, 1.0);
    vec3 found = mix(texture2D(colours, vec2((at * 255.0 + 0.5) / 256.0, 0.5)).rgb, none, absent);
    vec3 colour = mix(own, found, mapped);
    if (!gl_FrontFacing) colour = mix(colour, none, hollow);
    // Objects without normals have the length 0 here.
    vec3 n = facing / max(length(facing), 1e-6);
    if (!gl_FrontFacing) n = -n;
    float light = 0.5 + 0.5 * dot(n, normalize(vec3(-0.35, 0.55, 0.75)));
    float shade = mix(1.0, 0.42 + 0.62 * light, shading);
    gl_FragColor = vec4(min(colour * shade, 1.0), 1.0);
}`;

// A body without the field that is shown.
export function setAbsent(object: THREE.Object3D, absent: boolean): void {
    const material = (object as THREE.Mesh).material as THREE.ShaderMaterial;
    material.uniforms['absent'].value = absent ? 1 : 0;
}

// Uniforms shared by all materials of a scene.
export class Appearance {
    readonly colours = { value: this.texture('sequential') };
    readonly range = { value: new THREE.Vector2(0, 1) };
    readonly mapped = { value: 0 };
    readonly shading = { value: 1 };
    // What is beyond it is left out: dot(xyz, place) > w.
    readonly cut = { value: new THREE.Vector4(0, 0, 0, 1) };
    private kind: MapKind = 'sequential';

    private texture(kind: MapKind): THREE.DataTexture {
        const rgb = colourMap(kind);
        const rgba = new Uint8Array(256 * 4).fill(255);
        for (let i = 0; i < 256; i++) rgba.set(rgb.subarray(3 * i, 3 * i + 3), 4 * i);
        const texture = new THREE.DataTexture(rgba, 256, 1);
        texture.minFilter = texture.magFilter = THREE.LinearFilter;
        texture.needsUpdate = true;
        return texture;
    }

    setMap(kind: MapKind): void {
        if (kind === this.kind) return;
        this.kind = kind;
        this.colours.value.dispose();
        this.colours.value = this.texture(kind);
    }

    // Shaded always, never, or only in space. `whole`: no section cuts it. `hollow`: grey on its inner side.
    material(colour: string, shaded: 'always' | 'never' | 'space', whole = false, hollow = false): THREE.ShaderMaterial {
        const own = new THREE.Color().setStyle(colour, THREE.LinearSRGBColorSpace);
        return new THREE.ShaderMaterial({
            vertexShader,
            fragmentShader,
            uniforms: {
                colours: this.colours,
                range: this.range,
                mapped: this.mapped,
                shading: shaded === 'space' ? this.shading : { value: shaded === 'always' ? 1 : 0 },
                own: { value: own },
                none: { value: new THREE.Color().setStyle(noValue, THREE.LinearSRGBColorSpace) },
                absent: { value: 0 },
                cut: whole ? { value: new THREE.Vector4(0, 0, 0, 1) } : this.cut,
                hollow: { value: hollow ? 1 : 0 },
            },
            side: THREE.DoubleSide,
            polygonOffset: true,
            polygonOffsetFactor: 1,
            polygonOffsetUnits: 1,
        });
    }
}
