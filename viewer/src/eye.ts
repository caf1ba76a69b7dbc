// SPDX-License-Identifier: MIT
// The camera of the stage. Scenes on a line or in a plane are seen straight on, without perspective; others in perspective, with
// up against gravity.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export type View = 'x' | 'y' | 'z' | 'fit';

export class Eye {
    // The bounding box of everything that is shown.
    readonly box = new THREE.Box3();
    readonly up = new THREE.Vector3(0, 0, 1);
    camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
    controls: OrbitControls;
    private readonly perspective = new THREE.PerspectiveCamera(30, 1, 0.01, 1000);
    private readonly flat = new THREE.OrthographicCamera(-1, 1, 1, -1, -1000, 1000);
    private quiet = false;

    constructor(
        private readonly canvas: HTMLCanvasElement,
        // Called after any change, and after a change by the user.
        private readonly changed: () => void,
        private readonly moved: () => void,
    ) {
        this.camera = this.perspective;
        this.controls = this.control();
    }

    private control(): OrbitControls {
        const controls = new OrbitControls(this.camera, this.canvas);
        const plane = this.camera === this.flat;
        controls.enableRotate = !plane;
        controls.screenSpacePanning = true;
        controls.zoomToCursor = true;
        if (plane) {
            controls.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN };
            controls.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN };
        }
        controls.addEventListener('change', () => {
            this.changed();
            if (!this.quiet) this.moved();
        });
        return controls;
    }

    // Sets the camera for a scene of so many dimensions.
    orient(space: 1 | 2 | 3, up: [number, number, number]): void {
        this.camera = space === 3 ? this.perspective : this.flat;
        this.up.fromArray(space === 3 ? up : [0, 1, 0]);
        this.camera.up.copy(this.up);
        this.controls.dispose();
        this.controls = this.control();
    }

    get isFlat(): boolean {
        return this.camera === this.flat;
    }

    aspect(aspect: number): void {
        this.perspective.aspect = aspect;
        this.perspective.updateProjectionMatrix();
        // The visible box of the flat camera at zoom 1 contains the whole motion.
        const size = this.box.getSize(new THREE.Vector3());
        const half = Math.max(size.y / 2, size.x / 2 / aspect, 1e-6) * 1.1;
        this.flat.left = -half * aspect;
        this.flat.right = half * aspect;
        this.flat.top = half;
        this.flat.bottom = -half;
        this.flat.near = -10 * size.length() - 1;
        this.flat.far = 10 * size.length() + 1;
        this.flat.updateProjectionMatrix();
    }

    // Shows all of the motion, along an axis or, for 'fit', from the default direction.
    fit(view: View = 'fit'): void {
        const centre = this.box.getCenter(new THREE.Vector3());
        if (this.camera === this.flat) {
            this.flat.zoom = 1;
            this.flat.position.copy(centre).add(new THREE.Vector3(0, 0, 1));
            this.flat.updateProjectionMatrix();
        } else {
            this.camera.position.copy(centre).addScaledVector(this.direction(view), this.distance(view, centre));
            const size = this.box.getSize(new THREE.Vector3()).length() || 1;
            this.perspective.near = size / 200;
            this.perspective.far = size * 50;
            this.perspective.updateProjectionMatrix();
        }
        this.quiet = true;
        this.controls.target.copy(centre);
        this.controls.update();
        this.quiet = false;
        this.changed();
    }

    private direction(view: View): THREE.Vector3 {
        if (view === 'x') return new THREE.Vector3(1, 0, 0);
        if (view === 'y') return new THREE.Vector3(0, -1, 0);
        if (view === 'z')
            return new THREE.Vector3(0, 0, 1)
                .addScaledVector(new THREE.Vector3(0, -1, 0), Math.abs(this.up.z) > 0 ? 1e-3 : 0)
                .normalize();
        const up = this.up;
        const side =
            Math.abs(up.x) > 0.5
                ? new THREE.Vector3(0, 0.45, 1)
                : Math.abs(up.y) > 0.5
                  ? new THREE.Vector3(0.45, 0, 1)
                  : new THREE.Vector3(0.45, -1, 0);
        return side.addScaledVector(up, 0.42).normalize();
    }

    // The smallest distance from which all corners of the box are seen.
    private distance(view: View, centre: THREE.Vector3): number {
        const direction = this.direction(view);
        const basis = new THREE.Matrix4().lookAt(direction, new THREE.Vector3(), this.up).transpose();
        const tangent = Math.tan(((this.perspective.fov / 2) * Math.PI) / 180);
        let distance = 0;
        for (let corner = 0; corner < 8; corner++) {
            const p = new THREE.Vector3(
                corner & 1 ? this.box.max.x : this.box.min.x,
                corner & 2 ? this.box.max.y : this.box.min.y,
                corner & 4 ? this.box.max.z : this.box.min.z,
            );
            p.sub(centre).applyMatrix4(basis);
            distance = Math.max(
                distance,
                p.z + Math.abs(p.y) / tangent,
                p.z + Math.abs(p.x) / tangent / this.perspective.aspect,
            );
        }
        return Math.max(1.06 * distance, 1e-6);
    }

    zoom(factor: number): void {
        if (this.camera === this.flat) {
            this.flat.zoom *= factor;
            this.flat.updateProjectionMatrix();
        } else {
            const target = this.controls.target;
            this.camera.position.sub(target).divideScalar(factor).add(target);
        }
        this.controls.update();
        this.changed();
        this.moved();
    }

    get state(): number[] {
        return [...this.camera.position.toArray(), ...this.controls.target.toArray(), this.camera.zoom];
    }

    set state(state: number[]) {
        this.quiet = true;
        this.camera.position.fromArray(state);
        this.controls.target.fromArray(state, 3);
        this.camera.zoom = state[6] > 0 ? state[6] : 1;
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.quiet = false;
        this.changed();
    }

    // Directions of the axes on the screen: x to the right, y up, for each of x, y, z.
    axes(): [number, number, number][] {
        const inverse = this.camera.quaternion.clone().invert();
        return [0, 1, 2].map(
            (i) => new THREE.Vector3().setComponent(i, 1).applyQuaternion(inverse).toArray() as [number, number, number],
        );
    }

    // Pixels of the page per unit of length, in scenes without perspective.
    get pixelsPerLength(): number | null {
        if (this.camera !== this.flat) return null;
        return (this.canvas.clientWidth * this.flat.zoom) / (this.flat.right - this.flat.left);
    }

    // A place on the canvas, in pixels of the page; null behind the camera.
    project(point: THREE.Vector3): [number, number] | null {
        const p = point.clone().project(this.camera);
        if (p.z > 1 || p.z < -1) return null;
        return [((p.x + 1) / 2) * this.canvas.clientWidth, ((1 - p.y) / 2) * this.canvas.clientHeight];
    }

    // The line of sight through a place on the canvas.
    ray(x: number, y: number): THREE.Ray {
        const caster = new THREE.Raycaster();
        const place = new THREE.Vector2((2 * x) / this.canvas.clientWidth - 1, 1 - (2 * y) / this.canvas.clientHeight);
        caster.setFromCamera(place, this.camera);
        return caster.ray;
    }
}
