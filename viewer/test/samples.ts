// SPDX-License-Identifier: MIT
// Payloads as the program writes them, for developing and testing the page without it.
// Motions are closed forms, so that what the page shows can be checked by eye.

import type { LedgerColumn, Payload, RawBody, RawPlane, RawRun, RawTable } from '../src/data.ts';

const base64 = (array: Float64Array | Uint16Array | Int32Array): string =>
    Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');

function table(columns: Record<string, number[]>): RawTable {
    const names = Object.keys(columns);
    return {
        rows: columns[names[0]].length,
        names,
        columns: base64(Float64Array.from(names.flatMap((name) => columns[name]))),
    };
}

// Most samples omit the members that only solids have.
type PlainBody = Omit<RawBody, 'inner' | 'tetrahedra' | 'hexahedra'> & Partial<RawBody>;

interface Motion {
    name: string;
    integrator: string;
    title: string;
    scene: string;
    space: 1 | 2 | 3;
    bodies: PlainBody[];
    planes?: RawPlane[];
    pairs?: RawTable;
    // Contact forces: nodes and vectors at a time.
    forces?: (time: number) => [number, number[]][];
    times: number[];
    nodes: number;
    // Position and scalars of a node at a time.
    at(node: number, time: number): { x: number[]; fields: number[] };
    fields: { name: string; label: string }[];
    history: RawTable;
    probes: RawTable | null;
    contacts: RawTable | null;
    summary: Record<string, unknown>;
}

// Of each frame how many forces there are, then the node and the vector of each.
function arrowWords(frames: [number, number[]][][]): Int32Array {
    const single = (x: number): number => new Int32Array(Float32Array.of(x).buffer)[0];
    return Int32Array.from(frames.flatMap((list) => [list.length, ...list.flatMap(([node, v]) => [node, ...v.map(single)])]));
}

// Quantises a motion as the program does.
function runOf(motion: Motion): RawRun {
    const size = motion.times.length * motion.nodes;
    const x = new Float64Array(size * 3);
    const values = motion.fields.map(() => new Float64Array(size));
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    motion.times.forEach((time, frame) => {
        for (let node = 0; node < motion.nodes; node++) {
            const now = motion.at(node, time);
            const at = frame * motion.nodes + node;
            now.x.forEach((value, axis) => {
                x[3 * at + axis] = value;
                low[axis] = Math.min(low[axis], value);
                high[axis] = Math.max(high[axis], value);
            });
            now.fields.forEach((value, i) => (values[i][at] = value));
        }
    });
    const quantise = (value: number, a: number, b: number): number => (b > a ? Math.round((65535 * (value - a)) / (b - a)) : 0);
    const origin = x.subarray(0, 3 * motion.nodes);
    const moved = x.map((value, i) => value - origin[i % origin.length]);
    const shift = [Math.min, Math.max].map((pick) => [0, 1, 2].map((axis) => moved.reduce((m, u, i) => (i % 3 === axis ? pick(m, u) : m), 0)));
    const positions = Uint16Array.from(moved, (u, i) => quantise(u, shift[0][i % 3], shift[1][i % 3]));
    return {
        name: motion.name,
        integrator: motion.integrator,
        scene: motion.scene,
        summary: {
            version: '0.1.0',
            title: motion.title,
            integrator: motion.integrator,
            nodes: motion.nodes,
            ...motion.summary,
        },
        history: motion.history,
        probes: motion.probes,
        contacts: motion.contacts,
        pairs: motion.pairs ?? null,
        skipped: 0,
        planes: motion.planes ?? [],
        bodies: motion.bodies.map((body) => ({ inner: [0, 0], tetrahedra: null, hexahedra: null, ...body })),
        space: motion.space,
        frames: {
            times: motion.times,
            nodes: motion.nodes,
            box: [...low, ...high],
            origin: base64(origin),
            shift: shift.flat(),
            positions: base64(positions),
            points: base64(Int32Array.from({ length: motion.nodes }, (_, i) => i)),
            arrows: motion.forces ? base64(arrowWords(motion.times.map(motion.forces))) : null,
            dropped: 0,
            damaged: 0,
            omitted: [],
            fields: motion.fields.map((field, i) => {
                const a = values[i].reduce((m, v) => Math.min(m, v), Infinity);
                const b = values[i].reduce((m, v) => Math.max(m, v), -Infinity);
                return {
                    ...field,
                    components: 1,
                    range: [a, b] as [number, number],
                    bodies: motion.bodies.map((_, k) => k),
                    values: base64(Uint16Array.from(values[i], (v) => quantise(v, a, b))),
                };
            }),
        },
        failure: null,
    };
}

// As the program describes them: names by role, with units and labels.
function columns(role: LedgerColumn['role'], unit: string, names: string[], label = (name: string): string => name): LedgerColumn[] {
    return names.map((name) => ({ name, label: label(name), unit, role }));
}

const axis = (name: string): string => name.slice(-1);
const ledger: LedgerColumn[] = [
    ...columns('other', 'time', ['time']),
    ...columns('part', 'energy', ['kinetic', 'internal', 'external']),
    ...columns('loss', 'energy', ['friction', 'restitution', 'projection'], (name) => `lost by ${name}`),
    ...columns('total', 'energy', ['total']),
    ...columns('residual', 'energy', ['residual']),
    ...columns('other', 'momentum', ['px', 'py', 'pz'], (name) => `momentum ${axis(name)}`),
    ...columns('other', 'angular_momentum', ['lx', 'ly', 'lz'], (name) => `angular momentum ${axis(name)}`),
    ...columns('other', '', ['contacts']),
    ...columns('other', 'length', ['penetration']),
    ...columns('known', 'energy', ['oscillation']),
    ...columns('loss', 'energy', ['damping', 'plasticity', 'viscosity'], (name) => `lost by ${name}`),
];

function page(kind: 'run' | 'compare', title: string, runs: RawRun[], grid: Payload['table'] = null): Payload {
    return { format: 4, generator: 'carom 0.1.0', kind, title, ledger, runs, table: grid };
}

const times = (count: number, end: number): number[] => Array.from({ length: count }, (_, i) => (i * end) / (count - 1));

// Two bars of length 10 meet with speed V each; wave speed 1. d'Alembert's solution: a section at distance s from the tip is at
// rest from time s to time 2 * 10 - s, and its stress is -V meanwhile.
function twoBars(name: string, loss: number): RawRun {
    const V = 0.1;
    const L = 10;
    const n = 101;
    const begin = 2;
    const u = (s: number, t: number): number => V * Math.min(t, Math.max(s, 0)) - V * Math.max(0, t - (2 * L - s));
    const velocity = (s: number, t: number): number => (t < s ? V : t < 2 * L - s ? 0 : -V);
    const rows = times(401, 40);
    const loaded = (t: number): number => Math.max(0, Math.min(t, 2 * L - t)) / L;
    const internal = rows.map((t) => 0.1 * loaded(t - begin));
    const projection = rows.map((t) => 0.1 * loss * Math.max(0, Math.min(1, (t - begin) / 20)));
    const residual = rows.map((t, i) => 2e-5 * Math.sin(1.7 * t) * (i === 0 ? 0 : 1) * (1 + 30 * loss));
    const total = rows.map((_, i) => 0.1 - projection[i] + residual[i]);
    const zero = rows.map(() => 0);
    const column = (f: (t: number) => number): number[] => rows.map(f);
    return runOf({
        name,
        integrator: 'newmark-dcr',
        title: 'Impact of two bars',
        scene: `title: Impact of two bars   # Cirak & West, section 5\nintegrator: newmark-dcr\ntime: {end: 40, step: 0.05}\nbodies:\n  - name: left\n    mesh: {line: {from: [-10, 0, 0], to: [0, 0, 0], elements: 100}}\n    element: {bar: {area: 1}}\n    material: {linear: {young: 1, density: 1}}\n    velocity: [0.1, 0, 0]\n  - name: right\n    mesh: {line: {from: [0, 0, 0], to: [10, 0, 0], elements: 100}}\n    element: {bar: {area: 1}}\n    material: {linear: {young: 1, density: 1}}\n    velocity: [-0.1, 0, 0]\ncontact: {resolve: projection, restitution: 1}\n`,
        space: 1,
        bodies: ['left', 'right'].map((body, k) => ({
            name: body,
            shape: 'lines',
            dimension: 1,
            radius: 0.5642,
            section: 'circle',
            nodes: [k * n, n],
            cells: base64(Int32Array.from({ length: 200 }, (_, i) => k * n + (i >> 1) + (i & 1))),
            edges: null,
        })),
        times: times(101, 40),
        nodes: 2 * n,
        at(node, time) {
            const side = node < n ? -1 : 1;
            const s = ((node % n) * L) / (n - 1);
            const t = time - begin;
            const x = side * (s - u(s, t) + (t < 0 ? 0 : 0));
            const v = -side * velocity(s, t);
            const stress = t >= s && t < 2 * L - s ? -V : 0;
            return { x: [x, 0, 0], fields: [Math.abs(v), Math.abs(side * u(s, t) + side * V * begin), v, stress] };
        },
        fields: [
            { name: 'speed', label: 'speed' },
            { name: 'displacement', label: 'displacement' },
            { name: 'velocity_x', label: 'velocity x' },
            { name: 'stress', label: 'stress' },
        ],
        history: table({
            time: rows,
            kinetic: total.map((e, i) => e - internal[i]),
            internal,
            external: zero,
            friction: zero,
            restitution: zero,
            projection,
            total,
            residual,
            px: zero,
            py: zero,
            pz: zero,
            lx: zero,
            ly: zero,
            lz: zero,
            contacts: column((t) => (t >= begin && t < begin + 20 ? 1 : 0)),
            penetration: zero,
        }),
        probes: table({
            time: rows,
            'left_tip.x': column((t) => u(0, t - begin)),
            'left_tip.ux': column((t) => u(0, t - begin)),
            'left_tip.vx': column((t) => velocity(0, t - begin)),
            'left_tip.vy': zero,
            'right_tip.x': column((t) => -u(0, t - begin)),
            'right_tip.ux': column((t) => -u(0, t - begin)),
            'right_tip.vx': column((t) => -velocity(0, t - begin)),
            'right_tip.vy': zero,
        }),
        contacts: null,
        summary: {
            steps: 800,
            step_size: 0.05,
            elements: 200,
            contact_events: 400,
            threads: 2,
            wall_seconds: 0.155,
            energy_error: 0.0022,
            momentum_error: 0,
            angular_momentum_error: 0,
            max_penetration: 0,
            intersections: 0,
            completed: true,
            state_hash: '0x992a1572bebd9ea0',
            events: { not_finite: 0, contact_settled: 0 },
            scales: { energy: 0.1, momentum: 2, angular_momentum: 13.9 },
            pairs: [
                {
                    bodies: ['left', 'right'],
                    events: 400,
                    first_contact: 2,
                    last_contact: 22,
                    impulse: 1.9876,
                    approach: 0.2,
                    macroscopic_restitution: 0.9876,
                },
            ],
            expect: [
                { name: 'energy_error', condition: '< 0.003', value: 0.0022, passed: true },
                { name: 'momentum_error', condition: '< 1e-12', value: 0, passed: true },
            ],
        },
    });
}

function bookkeeping(
    rows: number[],
    energy: number,
    momentum: (t: number) => number[],
    spin: (t: number) => number[],
): Record<string, number[]> {
    const dip = (t: number): number => 0.35 * energy * Math.exp(-(((t / rows.at(-1)! - 0.5) / 0.06) ** 2));
    const friction = rows.map((t) => (0.04 * energy) / (1 + Math.exp(-(t / rows.at(-1)! - 0.5) / 0.02)));
    const residual = rows.map((t, i) => (i === 0 ? 0 : 1e-7 * energy * (1 + i / 50) * Math.cos(t * 40)));
    const total = rows.map((_, i) => energy - friction[i] + friction[0] + residual[i]);
    const part = (f: (t: number) => number[], axis: number): number[] => rows.map((t) => f(t)[axis]);
    return {
        time: rows,
        kinetic: rows.map((t, i) => total[i] - dip(t)),
        internal: rows.map(dip),
        external: rows.map(() => 0),
        friction: friction.map((f) => f - friction[0]),
        restitution: rows.map(() => 0),
        projection: rows.map(() => 0),
        total,
        residual,
        px: part(momentum, 0),
        py: part(momentum, 1),
        pz: part(momentum, 2),
        lx: part(spin, 0),
        ly: part(spin, 1),
        lz: part(spin, 2),
        contacts: rows.map((t) => Math.round(120 * Math.max(0, 1 - ((t / rows.at(-1)! - 0.5) / 0.1) ** 2))),
        penetration: rows.map((t) => 1e-9 * Math.max(0, 1 - ((t / rows.at(-1)! - 0.5) / 0.1) ** 2)),
    };
}

const summaryOf = (energy: number): Record<string, unknown> => ({
    steps: 4000,
    step_size: 2.5e-4,
    elements: 5000,
    contact_events: 81234,
    threads: 2,
    wall_seconds: 12.4,
    energy_error: 3.1e-5,
    momentum_error: 2.2e-16,
    angular_momentum_error: 4.1e-15,
    max_penetration: 1e-9,
    intersections: 0,
    completed: true,
    state_hash: '0x0123456789abcdef',
    events: {},
    scales: { energy, momentum: 4, angular_momentum: 3 },
});

// A square plate of quadrilaterals that turns, falls onto a fixed one and leaves, squeezed at the impact.
function plates(): RawRun {
    const n = 24;
    const per = (n + 1) ** 2;
    const cells: number[] = [];
    const edges: number[] = [];
    for (let j = 0; j <= n; j++) {
        for (let i = 0; i <= n; i++) {
            const a = j * (n + 1) + i;
            if (i < n && j < n) cells.push(a, a + 1, a + n + 2, a, a + n + 2, a + n + 1);
            if (i < n) edges.push(a, a + 1);
            if (j < n) edges.push(a, a + n + 1);
        }
    }
    const shifted = (list: number[], by: number): string => base64(Int32Array.from(list, (a) => a + by));
    const rows = times(201, 1);
    return runOf({
        name: 'plates',
        integrator: 'energy-momentum',
        title: 'A plate falls onto a plate',
        space: 2,
        scene: 'title: A plate falls onto a plate\n# plane strain\n',
        bodies: [0, 1].map((k) => ({
            name: k ? 'anvil' : 'plate',
            shape: 'triangles',
            dimension: 2,
            radius: null,
            section: null,
            nodes: [k * per, per],
            cells: shifted(cells, k * per),
            edges: shifted(edges, k * per),
        })),
        times: times(81, 1),
        nodes: 2 * per,
        at(node, t) {
            const local = node % per;
            const X = (local % (n + 1)) / n - 0.5;
            const Y = Math.floor(local / (n + 1)) / n - 0.5;
            const hit = Math.exp(-(((t - 0.5) / 0.08) ** 2));
            if (node >= per)
                return {
                    x: [4 * X, 0.5 * Y - 0.28 - 0.06 * hit * Math.exp(-((4 * X) ** 2)), 0],
                    fields: [
                        0.3 * hit * Math.exp(-((4 * X) ** 2)),
                        0.06 * hit,
                        -hit * Math.exp(-((4 * X) ** 2) * 2) * (0.5 + Y),
                    ],
                };
            const angle = 0.9 * (0.5 - t);
            const squeeze = 1 - 0.22 * hit;
            const px = X * (1 + 0.14 * hit);
            const py = Y * squeeze;
            const height = 0.5 * squeeze + 3.2 * Math.abs(t - 0.5) + 0.12 * Math.abs(angle);
            return {
                x: [
                    px * Math.cos(angle) - py * Math.sin(angle) + 0.8 * (t - 0.5),
                    px * Math.sin(angle) + py * Math.cos(angle) + height,
                    0,
                ],
                fields: [3.2 * (1 - hit) + 0.5 * Math.hypot(X, Y), 3.2 * t, -hit * (0.5 - Y) + 0.4 * hit * Y],
            };
        },
        fields: [
            { name: 'speed', label: 'speed' },
            { name: 'displacement', label: 'displacement' },
            { name: 'stress_yy', label: 'stress yy' },
        ],
        history: table(
            bookkeeping(
                rows,
                5,
                (t) => [0.8, t < 0.5 ? -3.2 : 3.1, 0],
                () => [0, 0, -0.15],
            ),
        ),
        probes: null,
        contacts: null,
        summary: summaryOf(5),
    });
}

// Two spheres of `u` by `v` patches meet off-centre, flatten and part.
function spheres(u: number, v: number, frames: number): RawRun {
    const per = u * (v - 1) + 2;
    const id = (i: number, j: number): number => (j === 0 ? 0 : j === v ? per - 1 : 1 + (j - 1) * u + (i % u));
    const cells: number[] = [];
    const edges: number[] = [];
    for (let j = 0; j < v; j++) {
        for (let i = 0; i < u; i++) {
            if (j > 0) cells.push(id(i, j), id(i + 1, j + 1), id(i + 1, j));
            if (j < v - 1) cells.push(id(i, j), id(i, j + 1), id(i + 1, j + 1));
            edges.push(id(i, j), id(i, j + 1));
            if (j > 0) edges.push(id(i, j), id(i + 1, j));
        }
    }
    const rows = times(301, 0.03);
    const moments = times(frames, 0.03);
    const hit = (t: number): number => Math.exp(-(((t - 0.015) / 0.0025) ** 2));
    const touch: number[][] = [];
    for (const t of moments) {
        if (hit(t) < 0.15) continue;
        for (let k = 0; k < 24; k++) {
            const r = 0.45 * hit(t) * Math.sqrt((k + 0.5) / 24);
            touch.push([t, 0, r * Math.cos(2.4 * k), r * Math.sin(2.4 * k), 1, 0, 0, 0.01]);
        }
    }
    const contactNames = ['time', 'x', 'y', 'z', 'nx', 'ny', 'nz', 'impulse'];
    return runOf({
        name: 'spheres',
        integrator: 'newmark-dcr',
        title: 'Oblique impact of two spheres',
        space: 3,
        scene: 'title: Oblique impact of two spheres\n',
        bodies: [0, 1].map((k) => ({
            name: k ? 'right' : 'left',
            shape: 'triangles',
            dimension: 2,
            radius: null,
            section: null,
            nodes: [k * per, per],
            cells: base64(Int32Array.from(cells, (a) => a + k * per)),
            edges: base64(Int32Array.from(edges, (a) => a + k * per)),
        })),
        times: moments,
        nodes: 2 * per,
        at(node, t) {
            const side = node < per ? -1 : 1;
            const local = node % per;
            const j = local === 0 ? 0 : local === per - 1 ? v : 1 + Math.floor((local - 1) / u);
            const phi = (2 * Math.PI * ((local - 1) % u)) / u;
            const theta = (Math.PI * j) / v;
            const [X, Y, Z] = [Math.cos(theta), Math.sin(theta) * Math.cos(phi), Math.sin(theta) * Math.sin(phi)];
            const h = hit(t);
            const away = 100 * Math.abs(t - 0.015);
            const near = Math.max(0, -side * X) ** 3;
            const flat = X + side * 0.22 * h * near * (1 + 0.4 * Math.cos(8 * phi) * Math.sin(theta));
            const spin = side * 25 * (t - 0.015);
            const cx = side * (0.98 - 0.1 * h + away);
            const cy = side * 18 * (t - 0.015);
            return {
                x: [
                    cx + flat,
                    cy + (Y * Math.cos(spin) - Z * Math.sin(spin)) * (1 + 0.08 * h),
                    (Y * Math.sin(spin) + Z * Math.cos(spin)) * (1 + 0.08 * h),
                ],
                fields: [
                    100 * (1 - h * near) + 8 * Math.hypot(Y, Z),
                    100 * t + 0.2 * h * near,
                    2.1e5 * h * near * (0.3 + 0.7 * Math.abs(Math.sin(6 * theta))),
                ],
            };
        },
        fields: [
            { name: 'speed', label: 'speed' },
            { name: 'displacement', label: 'displacement' },
            { name: 'von_mises', label: 'von Mises stress' },
        ],
        history: table(
            bookkeeping(
                rows,
                800,
                () => [0.1, 0, 0],
                () => [0, 0, 2.2],
            ),
        ),
        probes: null,
        contacts: {
            rows: touch.length,
            names: [...contactNames, 'kind'],
            columns: [
                ...contactNames.map((_, i) => ({ f64: base64(Float64Array.from(touch, (row) => row[i])) })),
                { text: touch.map(() => 'vertex-face') },
            ],
        },
        summary: summaryOf(800),
    });
}

export const hostileTitle = '</script><img src=x onerror=document.title="owned"><b>&amp; bold</b> <!-- "quoted" \\u003c';

function hostile(): Payload {
    const run = twoBars(hostileTitle, 0.006);
    run.bodies![0].name = '<img src=x onerror=alert(1)>';
    run.scene = `title: ${hostileTitle}\n`;
    run.frames!.fields[0].label = '<i>speed</i>';
    return page('run', hostileTitle, [run]);
}

function compare(): Payload {
    const names: [string, number][] = [
        ['newmark-dcr', 0.006],
        ['newmark-dcr:step=0.01', 0.009],
        ['multisymplectic', 0],
    ];
    const runs = names.map(([name, loss]) => twoBars(name, loss));
    const failed: RawRun = {
        name: 'energy-momentum',
        integrator: 'energy-momentum',
        scene: null,
        summary: null,
        history: null,
        probes: null,
        contacts: null,
        pairs: null,
        skipped: 0,
        planes: [],
        bodies: null,
        space: null,
        frames: null,
        failure: 'contact.resolve: projection is not a choice of this method; it has persistency and penalty.',
    };
    return page('compare', 'Impact of two bars', [runs[0], failed, runs[1], runs[2]], {
        columns: ['method', 'wall s', 'energy error', 'largest residual', 'lost', 'release', 'restitution'],
        rows: [
            ['newmark-dcr', 0.155, 2.2e-3, 2.2e-4, 6.1e-4, 22.05, 0.9876],
            ['energy-momentum', null, null, null, null, null, null],
            ['newmark-dcr:step=0.01', 0.71, 9.1e-5, 9.1e-6, 9.4e-4, 22.01, 0.9851],
            ['multisymplectic', 0.31, 3.3e-14, 3.3e-15, 0, 22, 0.9912],
        ],
    });
}

// Five balls of point mass in a plane, without history columns beyond the usual, and no frames at all in the last sample.
function balls(): RawRun {
    const rows = times(201, 6);
    const t0 = (t: number): number => t % 2;
    return runOf({
        name: 'balls',
        integrator: 'newmark-dcr',
        title: 'Bouncing balls',
        space: 2,
        scene: 'title: Bouncing balls\ngravity: [0, -9.81, 0]\n',
        bodies: [0, 1, 2, 3, 4].map((k) => ({
            name: `ball ${k + 1}`,
            shape: 'points',
            dimension: 0,
            radius: 0.12,
            section: null,
            nodes: [k, 1],
            cells: base64(Int32Array.of(k)),
            edges: null,
        })),
        times: times(121, 6),
        nodes: 5,
        at(k, t) {
            const s = t0(t + 0.2 * k);
            return { x: [k * 0.8, 0.12 + 2 * s * (2 - s) * 0.9 ** k, 0], fields: [Math.abs(4 * (1 - s)), s] };
        },
        fields: [
            { name: 'speed', label: 'speed' },
            { name: 'displacement', label: 'displacement' },
        ],
        history: table(
            bookkeeping(
                rows,
                10,
                (t) => [0, Math.cos(3 * t), 0],
                () => [0, 0, 0],
            ),
        ),
        probes: null,
        contacts: null,
        summary: summaryOf(10),
    });
}

// A cantilever of square section that waves in space.
function beam(): RawRun {
    const n = 41;
    const rows = times(201, 4);
    return runOf({
        name: 'beam',
        integrator: 'multisymplectic',
        title: 'A beam in space',
        space: 3,
        scene: 'title: A beam in space\ngravity: [0, 0, -9.81]\n',
        bodies: [
            {
                name: 'beam',
                shape: 'lines',
                dimension: 1,
                radius: 0.05,
                section: 'square',
                nodes: [0, n],
                cells: base64(Int32Array.from({ length: 2 * (n - 1) }, (_, i) => (i >> 1) + (i & 1))),
                edges: null,
            },
        ],
        times: times(101, 4),
        nodes: n,
        at(k, t) {
            const s = (2 * k) / (n - 1);
            const a = 0.35 * s * s * Math.sin(3 * t);
            const b = 0.25 * s * s * Math.cos(2 * t) * Math.sin(2 * s);
            return { x: [s - 0.1 * a * a, b, a], fields: [s * s * Math.abs(Math.cos(3 * t)), Math.hypot(a, b), a] };
        },
        fields: [
            { name: 'speed', label: 'speed' },
            { name: 'displacement', label: 'displacement' },
            { name: 'curvature', label: 'curvature' },
        ],
        history: table(
            bookkeeping(
                rows,
                2,
                (t) => [0, 0, Math.sin(t)],
                (t) => [0, Math.cos(t), 0],
            ),
        ),
        probes: null,
        contacts: null,
        summary: summaryOf(2),
    });
}

// A block of 4 x 4 x 4 hexahedra falls onto a floor from the height 1, is squeezed and rises. Its stress grows downwards and is
// largest at t = 0.5; one corner, node 0, has ten times as much. The floor supports it from 0.4 to 0.6.
function block(): RawRun {
    const n = 4;
    const m = n + 1;
    const outer = (i: number): boolean => i === 0 || i === n;
    const places: number[][] = [];
    for (const wanted of [true, false])
        for (let k = 0; k < m; k++)
            for (let j = 0; j < m; j++)
                for (let i = 0; i < m; i++)
                    if ((outer(i) || outer(j) || outer(k)) === wanted) places.push([i, j, k]);
    const shown = m ** 3 - (m - 2) ** 3;
    const number = (i: number, j: number, k: number): number => places.findIndex((p) => p[0] === i && p[1] === j && p[2] === k);
    const cells: number[] = [];
    const edges: number[] = [];
    const hexahedra: number[] = [];
    const corners = [0, 1, 3, 2, 4, 5, 7, 6].map((c) => [c & 1, (c >> 1) & 1, c >> 2]);
    for (let a = 0; a < n; a++)
        for (let b = 0; b < n; b++) {
            for (let c = 0; c < n; c++) hexahedra.push(...corners.map(([x, y, z]) => number(a + x, b + y, c + z)));
            for (const end of [0, n])
                for (let axis = 0; axis < 3; axis++) {
                    const at = (u: number, v: number): number => {
                        const p = [0, 0, 0];
                        p[axis] = end;
                        p[(axis + 1) % 3] = u;
                        p[(axis + 2) % 3] = v;
                        return number(p[0], p[1], p[2]);
                    };
                    const [p, q, r, s] = [at(a, b), at(a + 1, b), at(a + 1, b + 1), at(a, b + 1)];
                    cells.push(...(end ? [p, q, r, p, r, s] : [p, r, q, p, s, r]));
                    edges.push(p, q, p, s);
                }
        }
    const rows = times(101, 1);
    const height = (t: number): number => Math.max(0, 4 * (t - 0.5) ** 2 - 0.04);
    const press = (t: number): number => Math.max(0, 1 - 100 * (t - 0.5) ** 2);
    return runOf({
        name: 'block',
        integrator: 'newmark-dcr',
        title: 'A block falls on a floor',
        space: 3,
        scene: 'title: A block falls on a floor\ngravity: [0, 0, -8]\n',
        planes: [{ name: 'floor', point: [0, 0, 0], normal: [0, 0, 2] }],
        bodies: [
            {
                name: 'block',
                shape: 'triangles',
                dimension: 3,
                radius: null,
                section: null,
                nodes: [0, shown],
                inner: [shown, m ** 3 - shown],
                cells: base64(Int32Array.from(cells)),
                edges: base64(Int32Array.from(edges)),
                hexahedra: base64(Int32Array.from(hexahedra)),
            },
        ],
        times: times(21, 1),
        nodes: m ** 3,
        at(k, t) {
            const [x, y, z] = places[k].map((p) => p / n);
            const squeezed = z * (1 - 0.1 * press(t));
            return { x: [x, y, squeezed + height(t)], fields: [8 * Math.abs(t - 0.5), 1 - t, (k === 0 ? 10 : 1) * (2 - z) * press(t)] };
        },
        forces: (t) => (press(t) > 0 ? places.flatMap((p, k) => (p[2] === 0 ? [[k, [0, 0, press(t)]] as [number, number[]]] : [])) : []),
        fields: [
            { name: 'speed', label: 'speed' },
            { name: 'displacement', label: 'displacement' },
            { name: 'von_mises_nodes', label: 'von_mises_nodes' },
        ],
        history: table({
            ...bookkeeping(
                rows,
                4,
                (t) => [0, 0, 8 * (t - 0.5)],
                () => [0, 0, 0],
            ),
            'block.max_von_mises': rows.map((t) => 20 * press(t)),
        }),
        pairs: {
            rows: 51,
            names: ['time', 'body_1', 'body_2', 'events', 'normal'],
            columns: [
                { f64: base64(Float64Array.from(rows.slice(50))) },
                { text: rows.slice(50).map(() => 'block') },
                { text: rows.slice(50).map(() => 'floor') },
                { f64: base64(Float64Array.from(rows.slice(50), () => 1)) },
                { f64: base64(Float64Array.from(rows.slice(50), (t) => 25 * press(t))) },
            ],
        },
        probes: null,
        contacts: null,
        summary: { ...summaryOf(4), units: { length: 'mm', mass: 't', time: 's' } },
    });
}

function noFrames(): Payload {
    const run = twoBars('two_bars', 0.006);
    run.frames = null;
    run.bodies = [];
    return page('run', 'Impact of two bars, without frames', [run]);
}

export const samples: Record<string, () => Payload> = {
    two_bars: () => page('run', 'Impact of two bars', [twoBars('two_bars', 0.006)]),
    plates: () => page('run', 'A plate falls onto a plate', [plates()]),
    spheres: () => page('run', 'Oblique impact of two spheres', [spheres(72, 71, 200)]),
    small_spheres: () => page('run', 'Oblique impact of two coarse spheres', [spheres(24, 23, 21)]),
    balls: () => page('run', 'Bouncing balls', [balls()]),
    beam: () => page('run', 'A beam in space', [beam()]),
    block: () => page('run', 'A block falls on a floor', [block()]),
    compare,
    hostile,
    no_frames: noFrames,
};

const marker = '<script type="application/json" id="carom-data">null</script>';

// Inserts the data into the template, as `carom report` does.
export function fill(template: string, payload: Payload): string {
    const [before, after] = template.split(marker);
    return `${before}${marker.replace('null', () => JSON.stringify(payload).replace(/</g, '\\u003c'))}${after}`;
}
