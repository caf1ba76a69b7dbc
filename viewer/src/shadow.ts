// SPDX-License-Identifier: MIT
// A soft shadow of the bodies on a plane: they are rendered from below through the plane, darker the nearer they are to it, and
// the picture is blurred. There is no lamp; the shadow shows where above the floor a body is.

import * as THREE from 'three';
import type { Appearance } from './material.ts';

// The layer of objects that cast a shadow.
export const casting = 1;
const size = 256;

const vertexShader = `
uniform vec4 ground;
uniform float reach;
varying float near;
varying vec3 place;
void main() {
    vec4 point = vec4(position, 1.0);
    #ifdef USE_INSTANCING
    point = instanceMatrix * point;
    #endif
    place = point.xyz;
    near = exp(-max(dot(ground.xyz, point.xyz) - ground.w, 0.0) / reach);
    gl_Position = projectionMatrix * modelViewMatrix * point;
}`;
const fragmentShader = `
uniform vec4 cut;
varying float near;
varying vec3 place;
void main() {
    if (dot(cut.xyz, place) > cut.w) discard;
    gl_FragColor = vec4(near, near, near, 1.0);
}`;
const blurVertex = `
varying vec2 at;
void main() {
    at = uv;
    gl_Position = vec4(position.xy, 0.0, 1.0);
}`;
const blurFragment = `
uniform sampler2D picture;
uniform vec2 step;
varying vec2 at;
void main() {
    float sum = 0.0;
    float all = 0.0;
    for (int i = -6; i <= 6; i++) {
        float weight = exp(-float(i * i) / 14.0);
        sum += weight * texture2D(picture, at + float(i) * step).r;
        all += weight;
    }
    gl_FragColor = vec4(vec3(sum / all), 1.0);
}`;

export class Shadow {
    private readonly targets = [0, 1].map(() => new THREE.WebGLRenderTarget(size, size, { depthBuffer: true }));
    private readonly camera = new THREE.OrthographicCamera();
    private readonly caster: THREE.ShaderMaterial;
    private readonly blur: THREE.ShaderMaterial;
    private readonly screen = new THREE.Scene();
    private readonly plain = new THREE.Camera();

    // Casts onto the square of the half-side `half` about a centre on the plane; `matrix` turns z to its normal.
    constructor(
        appearance: Appearance,
        matrix: THREE.Matrix4,
        centre: THREE.Vector3,
        normal: THREE.Vector3,
        half: number,
        reach: number,
    ) {
        this.caster = new THREE.ShaderMaterial({
            vertexShader,
            fragmentShader,
            uniforms: {
                ground: { value: new THREE.Vector4(...normal.toArray(), normal.dot(centre)) },
                reach: { value: reach },
                cut: appearance.cut,
            },
            side: THREE.DoubleSide,
        });
        this.blur = new THREE.ShaderMaterial({
            vertexShader: blurVertex,
            fragmentShader: blurFragment,
            uniforms: { picture: { value: null }, step: { value: new THREE.Vector2() } },
            depthTest: false,
        });
        const sheet = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), this.blur);
        sheet.frustumCulled = false;
        this.screen.add(sheet);
        Object.assign(this.camera, { left: -half, right: half, top: half, bottom: -half, near: -half / 50, far: 100 * half });
        // From below, along the normal: the view direction of a camera is its own -z.
        this.camera.matrixAutoUpdate = false;
        this.camera.matrix.copy(matrix).multiply(new THREE.Matrix4().makeRotationX(Math.PI));
        this.camera.matrix.setPosition(centre);
        this.camera.updateProjectionMatrix();
        this.camera.updateMatrixWorld(true);
        this.camera.layers.set(casting);
    }

    get texture(): THREE.Texture {
        return this.targets[0].texture;
    }

    draw(renderer: THREE.WebGLRenderer, scene: THREE.Scene): void {
        const [first, second] = this.targets;
        scene.overrideMaterial = this.caster;
        renderer.setRenderTarget(first);
        renderer.clear();
        renderer.render(scene, this.camera);
        scene.overrideMaterial = null;
        for (const [from, to, x, y] of [
            [first, second, 1, 0],
            [second, first, 0, 1],
        ] as const) {
            this.blur.uniforms['picture'].value = from.texture;
            (this.blur.uniforms['step'].value as THREE.Vector2).set((2 * x) / size, (2 * y) / size);
            renderer.setRenderTarget(to);
            renderer.render(this.screen, this.plain);
        }
        renderer.setRenderTarget(null);
    }

    dispose(): void {
        for (const target of this.targets) target.dispose();
        this.caster.dispose();
        this.blur.dispose();
        (this.screen.children[0] as THREE.Mesh).geometry.dispose();
    }
}
