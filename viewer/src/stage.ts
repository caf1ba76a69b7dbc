// SPDX-License-Identifier: MIT
// The stage: bodies of one run, the contact planes, and the marks on them. Draws only when something changed.

import * as THREE from 'three';
import { mapOf, seriesColour } from './colour.ts';
import { ContactMarks, contactList } from './contacts.ts';
import type { Field, Run } from './data.ts';
import { Eye } from './eye.ts';
import { ForceArrows } from './forces.ts';
import { boxOf, locate, positionsAt, valuesAt, type Place } from './frames.ts';
import { Ground } from './ground.ts';
import { Appearance, setAbsent } from './material.ts';
import { pickNode } from './pick.ts';
import { Section, type Cut } from './section.ts';
import { casting } from './shadow.ts';
import type { Shape } from './shape.ts';
import { SpaceTime } from './spacetime.ts';
import { spheres } from './spheres.ts';
import { largestNow, type Extreme } from './spread.ts';
import { surface } from './surface.ts';
import { tube } from './tube.ts';

// A section across an axis, at a part of the box; `flip` keeps the other side.
export interface Slit {
    axis: 'x' | 'y' | 'z';
    at: number;
    flip: boolean;
}

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
    readonly appearance = new Appearance();
    readonly eye: Eye;
    run: Run | null = null;
    visible: boolean[] = [];
    wireframe = false;
    contacts = false;
    normals = false;
    floor = true;
    // The scale of contact forces; 0: not shown.
    forces = 0;
    // Range of the field at the nodes that are shown now, and its largest value.
    frameRange: [number, number] = [0, 1];
    largest: Extreme | null = null;
    largestArrow = 0;
    contactsShown = 0;
    // Called when the reader moved the camera.
    onCamera: () => void = () => undefined;

    // Null where the browser has no WebGL 2: then nothing is drawn.
    private readonly renderer: THREE.WebGLRenderer | null;
    private readonly scene = new THREE.Scene();
    private shapes: Shape[] = [];
    private edges: THREE.LineSegments | null = null;
    private diagram: SpaceTime | null = null;
    private marks: ContactMarks | null = null;
    private ground: Ground | null = null;
    private section: Section | null = null;
    private arrows: ForceArrows | null = null;
    private slit: Slit | null = null;
    private nodes = new Float32Array(0);
    private values = new Float32Array(0);
    private field: Field | null = null;
    private place: Place = { index: 0, fraction: 0 };
    private widest = 0;
    private factor = 1;
    private dirty = true;
    private moved = true;

    constructor(private readonly canvas: HTMLCanvasElement) {
        this.renderer = rendererOf(canvas);
        if (this.renderer) this.renderer.localClippingEnabled = true;
        this.eye = new Eye(
            canvas,
            () => this.touch(),
            () => this.onCamera(),
        );
        canvas.addEventListener('webglcontextrestored', () => this.refresh());
    }

    get works(): boolean {
        return this.renderer !== null;
    }

    // Displacements can be magnified where there is no x-t diagram.
    get magnifiable(): boolean {
        return this.diagram === null;
    }

    // What this run can show.
    get marksPossible(): boolean {
        return this.marks !== null;
    }
    get floorPossible(): boolean {
        return (this.ground?.count ?? 0) > 0;
    }
    get forcesPossible(): boolean {
        return (this.arrows?.largest ?? 0) > 0;
    }
    get sectionPossible(): boolean {
        return this.run?.space === 3 && this.run.bodies.some((body) => body.shape === 'triangles');
    }

    private clear(): void {
        for (const shape of this.shapes) shape.dispose();
        this.edges?.geometry.dispose();
        this.diagram?.dispose();
        this.marks?.dispose();
        this.ground?.dispose();
        this.section?.dispose();
        this.arrows?.dispose();
        this.scene.clear();
        this.shapes = [];
        this.edges = this.diagram = this.marks = this.ground = this.section = this.arrows = null;
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
        const { box } = this.eye;
        box.set(new THREE.Vector3(...frames.low), new THREE.Vector3(...frames.high));
        const extent = box.getSize(new THREE.Vector3()).length() || 1;

        // Thin things are drawn thick enough to be seen.
        const colours = run.bodies.map((_, i) => seriesColour(i));
        let widest = 0;
        this.factor = 1;
        run.bodies.forEach((body, i) => {
            const radius = Math.max(body.radius, (body.shape === 'points' ? 0.008 : 0.004) * extent);
            const shape =
                body.shape === 'triangles'
                    ? surface(body, this.nodes, this.appearance, colours[i])
                    : body.shape === 'lines'
                      ? tube(body, radius, this.appearance, colours[i])
                      : spheres(body, radius, this.appearance, colours[i]);
            if (body.shape !== 'triangles') widest = Math.max(widest, radius);
            this.shapes.push(shape);
            shape.object.layers.enable(casting);
            this.scene.add(shape.object);
            if (shape.lines) this.scene.add(shape.lines);
        });
        this.widest = widest;
        box.expandByScalar(widest);
        this.addEdges(run);
        this.ground = new Ground(run.planes, box, run.space, widest, this.appearance);
        this.section = new Section(run.bodies, this.appearance, colours);
        this.scene.add(this.ground.object, this.section.object);
        if (frames.arrows) {
            this.arrows = new ForceArrows(frames.arrows, extent);
            this.scene.add(this.arrows.object);
        }

        if (run.space === 1 && frames.times.length > 1 && run.bodies.every((body) => body.shape !== 'triangles')) {
            const gap = Math.max(2.2 * widest, 0.03 * extent);
            this.diagram = new SpaceTime(run, this.appearance, colours, -gap, -gap - 0.42 * extent);
            this.scene.add(this.diagram.object);
            box.min.y = this.diagram.bottom;
        }
        const list = contactList(run);
        if (list) {
            this.marks = new ContactMarks(list, 0.06 * extent);
            this.scene.add(this.marks.object);
        }

        this.appearance.shading.value = run.space === 2 ? 0 : 1;
        this.eye.orient(run.space, upOf(run.scene));
        this.resize();
        this.eye.fit();
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

    // The colours of the page.
    setInk(colour: string, raised: string, dark: boolean): void {
        this.ground?.setInk(colour, raised, dark);
        for (const lines of [this.edges, ...this.shapes.map((shape) => shape.lines)]) {
            if (lines instanceof THREE.LineSegments)
                (lines.material as THREE.LineBasicMaterial).color.setStyle(colour, THREE.LinearSRGBColorSpace);
        }
        this.diagram?.setInk(colour);
        this.touch();
    }

    setField(field: Field | null): void {
        this.field = field;
        this.appearance.mapped.value = field ? 1 : 0;
        this.diagram?.colour(field);
        this.refresh();
    }

    // Magnifies the displacements from the first frame.
    setFactor(factor: number, time: number): void {
        const frames = this.run?.frames;
        if (!frames || factor === this.factor) return;
        this.factor = factor;
        const [low, high] = boxOf(frames, factor);
        this.eye.box.set(new THREE.Vector3(...low), new THREE.Vector3(...high)).expandByScalar(this.widest);
        this.showContacts(time);
        this.applySlit();
        this.refresh();
        this.resize();
    }

    setRange(range: [number, number]): void {
        this.appearance.range.value.set(range[0], range[1]);
        this.appearance.setMap(mapOf(range));
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
        // Contacts are at true positions, not at magnified ones.
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
            this.measure();
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
        this.ground!.object.visible = this.floor;
        const has = (body: number): boolean => !this.field || this.field.bodies.includes(body);
        this.section!.update(this.cut, this.nodes, this.values, this.visible, has);
        const kept = this.keeping();
        const shown = (node: number): boolean => this.visible[this.bodyOf(node)] && kept(node);
        this.largestArrow = this.arrows?.show(this.place, this.nodes, this.forces, shown) ?? 0;
        this.moved = true;
        this.touch();
    }

    // The range of the field now, inside solids too, and its largest value.
    private measure(): void {
        let low = Infinity;
        let high = -Infinity;
        this.run!.bodies.forEach((body, i) => {
            if (!this.visible[i] || !this.field!.bodies.includes(i)) return;
            for (const [first, count] of [[body.first, body.count], body.inner]) {
                for (let k = first; k < first + count; k++) {
                    low = Math.min(low, this.values[k]);
                    high = Math.max(high, this.values[k]);
                }
            }
        });
        this.frameRange = low <= high ? [low, high] : [0, 1];
        this.largest = largestNow(this.run!, this.field!, this.values, this.visible, this.keeping());
    }

    // Whether a node is on the side that the section keeps.
    private keeping(): (node: number) => boolean {
        const { cut } = this;
        const at = new THREE.Vector3();
        return (node) => !cut || cut.normal.dot(at.fromArray(this.nodes, 3 * node)) <= cut.distance;
    }

    // The body that a node belongs to.
    bodyOf(node: number): number {
        const within = (first: number, count: number): boolean => node >= first && node < first + count;
        return this.run!.bodies.findIndex((body) => within(body.first, body.count) || within(...body.inner));
    }

    // The value of the field at a node now, and where the node is: in space, and on the canvas.
    valueAt(node: number): number {
        return this.values[node];
    }
    positionOf(node: number): THREE.Vector3 {
        return new THREE.Vector3().fromArray(this.nodes, 3 * node);
    }
    project(node: number): [number, number] | null {
        return this.eye.project(this.positionOf(node));
    }

    setSlit(slit: Slit | null): void {
        this.slit = slit;
        this.applySlit();
        this.refresh();
    }

    // The plane of the section.
    private get cut(): Cut | null {
        if (!this.slit || !this.sectionPossible) return null;
        const { axis, at, flip } = this.slit;
        const { min, max } = this.eye.box;
        const normal = new THREE.Vector3();
        normal[axis] = flip ? -1 : 1;
        return { normal, distance: (flip ? -1 : 1) * (min[axis] + at * (max[axis] - min[axis])) };
    }

    private applySlit(): void {
        const { cut } = this;
        if (cut) this.appearance.cut.value.set(...cut.normal.toArray(), cut.distance);
        else this.appearance.cut.value.set(0, 0, 0, 1);
        const planes = cut ? [new THREE.Plane(cut.normal.clone().negate(), cut.distance)] : null;
        for (const lines of [this.edges, ...this.shapes.map((shape) => shape.lines)])
            if (lines instanceof THREE.LineSegments) (lines.material as THREE.Material).clippingPlanes = planes;
    }

    // The node at a place of the canvas, in pixels of the page.
    pick(x: number, y: number): number | null {
        if (!this.run?.frames) return null;
        const perPixel = 8 / this.canvas.clientHeight;
        const flat = this.eye.pixelsPerLength;
        return pickNode(this.eye.ray(x, y), {
            bodies: this.run.bodies,
            visible: this.visible,
            nodes: this.nodes,
            cut: this.cut,
            slices: this.section!.slices(this.visible),
            slack: (distance) => Math.max(this.widest, flat === null ? perPixel * distance * 0.54 : 8 / flat),
        });
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
        this.eye.aspect(width / height);
        this.touch();
    }

    // Where the x-t diagram begins and ends on the canvas, in pixels from the top; null without one.
    diagramSpan(): [number, number] | null {
        if (!this.diagram) return null;
        const at = (y: number): number =>
            ((1 - new THREE.Vector3(0, y, 0).project(this.eye.camera).y) / 2) * this.canvas.clientHeight;
        return [at(this.diagram.top), at(this.diagram.bottom)];
    }

    // True if it drew.
    draw(): boolean {
        if (!this.dirty || !this.renderer || !this.run?.frames) return false;
        this.dirty = false;
        this.eye.camera.updateMatrixWorld();
        if (this.moved) this.ground?.cast(this.renderer, this.scene);
        this.moved = false;
        this.renderer.render(this.scene, this.eye.camera);
        return true;
    }

    // The canvas of the stage, just drawn.
    get drawing(): HTMLCanvasElement {
        return this.canvas;
    }

    // The picture on the stage, `scale` times as fine as on the page.
    picture(scale: number): HTMLCanvasElement {
        const copy = document.createElement('canvas');
        if (!this.renderer) return copy;
        const ratio = this.renderer.getPixelRatio();
        this.renderer.setPixelRatio(scale);
        this.renderer.setSize(this.canvas.clientWidth, this.canvas.clientHeight, false);
        this.renderer.render(this.scene, this.eye.camera);
        copy.width = this.canvas.width;
        copy.height = this.canvas.height;
        copy.getContext('2d')!.drawImage(this.canvas, 0, 0);
        this.renderer.setPixelRatio(ratio);
        this.renderer.setSize(this.canvas.clientWidth, this.canvas.clientHeight, false);
        this.dirty = true;
        return copy;
    }
}
