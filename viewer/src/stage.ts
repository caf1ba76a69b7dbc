// SPDX-License-Identifier: MIT
// The stage: bodies of one run, a camera, and the marks on them. Draws only when something changed.
// Scenes on a line or in a plane are seen straight on, without perspective; others in perspective, with up against gravity.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { mapOf, seriesColour } from './colour.ts';
import { ContactMarks, contactList } from './contacts.ts';
import type { Field, Run } from './data.ts';
import { boxOf, locate, positionsAt, valuesAt, type Place } from './frames.ts';
import { Look, setAbsent } from './material.ts';
import type { Shape } from './shape.ts';
import { SpaceTime } from './spacetime.ts';
import { spheres } from './spheres.ts';
import { surface } from './surface.ts';
import { tube } from './tube.ts';

export type View = 'x' | 'y' | 'z' | 'fit';

// The axis that points up: against gravity where the scene has some.
export function upOf(scene: string): [number, number, number] {
    const found = /^\s*gravity:\s*\[([^\]]*)\]/m.exec(scene);
    const g = (found?.[1] ?? '').split(',').map(Number);
    if (g.length === 3 && g.every(Number.isFinite)) {
        const most = Math.max(...g.map(Math.abs));
        const axis = g.findIndex((x) => Math.abs(x) === most);
        if (most > 0) return [0, 1, 2].map((i) => (i === axis ? -Math.sign(g[axis]) : 0)) as [number, number, number];
    }
    return [0, 0, 1];
}

function rendererOf(canvas: HTMLCanvasElement): THREE.WebGLRenderer | null {
    try {
        const renderer = new THREE.WebGLRenderer({
            canvas,
            antialias: true,
            alpha: true,
            powerPreference: 'high-performance',
        });
        renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
        renderer.setClearColor(0, 0);
        return renderer;
    } catch {
        return null;
    }
}

export class Stage {
    readonly look = new Look();
    run: Run | null = null;
    visible: boolean[] = [];
    wireframe = false;
    contacts = false;
    normals = false;
    // Of the field at the nodes that are shown now.
    frameRange: [number, number] = [0, 1];
    contactsShown = 0;
    // Called when the reader moved the camera.
    onCamera: () => void = () => undefined;

    // Null where the browser has no WebGL 2: then nothing is drawn.
    private readonly renderer: THREE.WebGLRenderer | null;
    private readonly scene = new THREE.Scene();
    private readonly perspective = new THREE.PerspectiveCamera(30, 1, 0.01, 1000);
    private readonly flat = new THREE.OrthographicCamera(-1, 1, 1, -1, -1000, 1000);
    private camera: THREE.PerspectiveCamera | THREE.OrthographicCamera = this.perspective;
    private controls: OrbitControls;
    private shapes: Shape[] = [];
    private edges: THREE.LineSegments | null = null;
    private diagram: SpaceTime | null = null;
    private marks: ContactMarks | null = null;
    private nodes = new Float32Array(0);
    private values = new Float32Array(0);
    private field: Field | null = null;
    private place: Place = { index: 0, fraction: 0 };
    private box = new THREE.Box3();
    private widest = 0;
    private factor = 1;
    private up = new THREE.Vector3(0, 0, 1);
    private dirty = true;
    private quiet = false;

    constructor(private readonly canvas: HTMLCanvasElement) {
        this.renderer = rendererOf(canvas);
        this.controls = this.control();
        canvas.addEventListener('webglcontextrestored', () => this.touch());
    }

    get works(): boolean {
        return this.renderer !== null;
    }

    // Displacements can be magnified where there is no x-t diagram.
    get magnifiable(): boolean {
        return this.diagram === null;
    }

    // The contacts that this run can show.
    get marksPossible(): boolean {
        return this.marks !== null;
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
            this.dirty = true;
            if (!this.quiet) this.onCamera();
        });
        return controls;
    }

    private clear(): void {
        for (const shape of this.shapes) shape.dispose();
        this.edges?.geometry.dispose();
        this.diagram?.dispose();
        this.marks?.dispose();
        this.scene.clear();
        this.shapes = [];
        this.edges = this.diagram = this.marks = null;
    }

    show(run: Run): void {
        this.clear();
        this.run = run;
        this.visible = run.bodies.map(() => true);
        const frames = run.frames;
        if (!frames) return;
        this.nodes = new Float32Array(frames.nodes * 3);
        this.values = new Float32Array(frames.nodes);
        positionsAt(frames, { index: 0, fraction: 0 }, this.nodes);
        this.box.set(new THREE.Vector3(...frames.low), new THREE.Vector3(...frames.high));
        const extent = this.box.getSize(new THREE.Vector3()).length() || 1;

        // Thin things are drawn thick enough to be seen.
        const colours = run.bodies.map((_, i) => seriesColour(i));
        let widest = 0;
        this.factor = 1;
        run.bodies.forEach((body, i) => {
            const radius = Math.max(body.radius, (body.shape === 'points' ? 0.008 : 0.004) * extent);
            const shape =
                body.shape === 'triangles'
                    ? surface(body, this.nodes, this.look, colours[i])
                    : body.shape === 'lines'
                      ? tube(body, radius, this.look, colours[i])
                      : spheres(body, radius, this.look, colours[i]);
            if (body.shape !== 'triangles') widest = Math.max(widest, radius);
            this.shapes.push(shape);
            this.scene.add(shape.object);
            if (shape.lines) this.scene.add(shape.lines);
        });
        this.widest = widest;
        this.box.expandByScalar(widest);
        this.addEdges(run);

        if (run.space === 1 && frames.times.length > 1 && run.bodies.every((body) => body.shape !== 'triangles')) {
            const gap = Math.max(2.2 * widest, 0.03 * extent);
            this.diagram = new SpaceTime(run, this.look, colours, -gap, -gap - 0.42 * extent);
            this.scene.add(this.diagram.object);
            this.box.min.y = this.diagram.bottom;
        }
        const list = contactList(run);
        if (list) {
            this.marks = new ContactMarks(list, 0.06 * extent);
            this.scene.add(this.marks.object);
        }

        this.camera = run.space === 3 ? this.perspective : this.flat;
        this.look.shading.value = run.space === 2 ? 0 : 1;
        this.up.fromArray(run.space === 3 ? upOf(run.scene) : [0, 1, 0]);
        this.camera.up.copy(this.up);
        this.controls.dispose();
        this.controls = this.control();
        this.resize();
        this.fit();
    }

    private addEdges(run: Run): void {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.BufferAttribute(this.nodes, 3));
        this.edges = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ transparent: true, opacity: 0.35 }));
        this.edges.frustumCulled = false;
        this.edges.visible = run.bodies.some((body) => body.edges);
        this.scene.add(this.edges);
    }

    private indexEdges(): void {
        const list = this.run!.bodies.filter((body, i) => body.shape === 'triangles' && body.edges && this.visible[i]);
        const all = new Uint32Array(list.reduce((sum, body) => sum + body.edges!.length, 0));
        let at = 0;
        for (const body of list) {
            all.set(body.edges!, at);
            at += body.edges!.length;
        }
        this.edges!.geometry.setIndex(new THREE.BufferAttribute(all, 1));
    }

    setInk(colour: string): void {
        for (const lines of [this.edges, ...this.shapes.map((shape) => shape.lines)]) {
            if (lines instanceof THREE.LineSegments)
                (lines.material as THREE.LineBasicMaterial).color.setStyle(colour, THREE.LinearSRGBColorSpace);
        }
        this.diagram?.setInk(colour);
        this.touch();
    }

    setField(field: Field | null): void {
        this.field = field;
        this.look.mapped.value = field ? 1 : 0;
        this.diagram?.colour(field);
        this.refresh();
    }

    // Magnifies the displacements from the first frame.
    setFactor(factor: number, time: number): void {
        const frames = this.run?.frames;
        if (!frames || factor === this.factor) return;
        this.factor = factor;
        const [low, high] = boxOf(frames, factor);
        this.box.set(new THREE.Vector3(...low), new THREE.Vector3(...high)).expandByScalar(this.widest);
        this.showContacts(time);
        this.refresh();
        this.resize();
    }

    setRange(range: [number, number]): void {
        this.look.range.value.set(range[0], range[1]);
        this.look.setMap(mapOf(range));
        this.touch();
    }

    setTime(time: number): void {
        const frames = this.run?.frames;
        if (!frames) return;
        this.place = locate(frames.times, time);
        this.diagram?.setTime(Math.max(frames.times[0], Math.min(frames.times.at(-1)!, time)));
        this.showContacts(time);
        this.refresh();
    }

    // Contacts since the frame before.
    private showContacts(time: number): void {
        if (!this.marks) return;
        const times = this.run!.frames!.times;
        const { index, fraction } = this.place;
        const step =
            times.length > 1 ? times[Math.min(index + 1, times.length - 1)] - times[Math.min(index, times.length - 2)] : 0;
        const slack = 1e-9 * Math.abs(times.at(-1)!);
        const from = fraction > 0 ? times[index] : time - step;
        // Contacts are where they were, not where magnified bodies are.
        const on = (this.contacts || this.normals) && this.factor === 1;
        const to = fraction > 0 ? times[index + 1] : time;
        this.contactsShown = this.marks.show(from + slack, to + slack, on && this.contacts, on && this.normals);
    }

    // Moves and colours the shapes for the present place and switches.
    refresh(): void {
        const frames = this.run?.frames;
        if (!frames) return;
        positionsAt(frames, this.place, this.nodes, this.factor);
        if (this.field) {
            valuesAt(frames, this.field, this.place, this.values);
            let low = Infinity;
            let high = -Infinity;
            this.run!.bodies.forEach((body, i) => {
                if (!this.visible[i] || !this.field!.bodies.includes(i)) return;
                for (let k = body.first; k < body.first + body.count; k++) {
                    low = Math.min(low, this.values[k]);
                    high = Math.max(high, this.values[k]);
                }
            });
            this.frameRange = low <= high ? [low, high] : [0, 1];
        }
        this.shapes.forEach((shape, i) => {
            shape.object.visible = this.visible[i];
            if (shape.lines) shape.lines.visible = this.visible[i] && this.wireframe;
            if (!this.visible[i]) return;
            shape.move(this.nodes);
            if (!this.field) return;
            shape.colour(this.values);
            setAbsent(shape.object, !this.field.bodies.includes(i));
        });
        this.edges!.geometry.attributes['position'].needsUpdate = true;
        this.edges!.visible = this.wireframe;
        this.touch();
    }

    // After a change of visible, wireframe, contacts or normals.
    switched(time: number): void {
        if (!this.run?.frames) return;
        this.indexEdges();
        this.diagram?.setVisible(this.visible);
        this.showContacts(time);
        this.refresh();
    }

    touch(): void {
        this.dirty = true;
    }

    resize(): void {
        const width = Math.max(1, this.canvas.clientWidth);
        const height = Math.max(1, this.canvas.clientHeight);
        this.renderer?.setPixelRatio(Math.min(window.devicePixelRatio, 2));
        this.renderer?.setSize(width, height, false);
        this.aspect(width / height);
        this.touch();
    }

    private aspect(aspect: number): void {
        this.perspective.aspect = aspect;
        this.perspective.updateProjectionMatrix();
        // The visible box of the flat camera at zoom 1 holds the whole motion.
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

    // Looks at all of the motion, from the side of an axis or, for 'fit', from the usual place.
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
        this.touch();
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
        this.touch();
        this.onCamera();
    }

    get cameraState(): number[] {
        return [...this.camera.position.toArray(), ...this.controls.target.toArray(), this.camera.zoom];
    }

    set cameraState(state: number[]) {
        this.quiet = true;
        this.camera.position.fromArray(state);
        this.controls.target.fromArray(state, 3);
        this.camera.zoom = state[6] > 0 ? state[6] : 1;
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.quiet = false;
        this.touch();
    }

    // Where the axes point on the screen: x to the right, y up, for each of x, y, z.
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

    // Where the x-t diagram begins and ends on the canvas, in pixels from the top; null without one.
    diagramSpan(): [number, number] | null {
        if (!this.diagram) return null;
        const at = (y: number): number =>
            ((1 - new THREE.Vector3(0, y, 0).project(this.flat).y) / 2) * this.canvas.clientHeight;
        return [at(this.diagram.top), at(this.diagram.bottom)];
    }

    // True if it drew.
    draw(): boolean {
        if (!this.dirty || !this.renderer || !this.run?.frames) return false;
        this.dirty = false;
        this.camera.updateMatrixWorld();
        this.renderer.render(this.scene, this.camera);
        return true;
    }

    // The picture on the stage, `scale` times as fine as on the page.
    picture(scale: number): HTMLCanvasElement {
        const copy = document.createElement('canvas');
        if (!this.renderer) return copy;
        const ratio = this.renderer.getPixelRatio();
        this.renderer.setPixelRatio(scale);
        this.renderer.setSize(this.canvas.clientWidth, this.canvas.clientHeight, false);
        this.renderer.render(this.scene, this.camera);
        copy.width = this.canvas.width;
        copy.height = this.canvas.height;
        copy.getContext('2d')!.drawImage(this.canvas, 0, 0);
        this.renderer.setPixelRatio(ratio);
        this.renderer.setSize(this.canvas.clientWidth, this.canvas.clientHeight, false);
        this.dirty = true;
        return copy;
    }
}
