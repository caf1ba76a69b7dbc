// SPDX-License-Identifier: MIT
// The payload that `carom report` and `carom compare` write into the page, and its decoding into typed arrays.
// Binary arrays are base64 text of little-endian numbers; displacements and fields are 16-bit numbers across a range.

export interface RawTable {
    rows: number;
    names: string[];
    columns: string | ({ text: string[] } | { f64: string })[];
}

export interface RawField {
    name: string;
    label: string;
    components: number;
    range: [number, number];
    // Numbers of the bodies that have it.
    bodies: number[];
    values: string;
}

export interface RawBody {
    name: string;
    shape: 'points' | 'lines' | 'triangles';
    dimension: number;
    radius: number | null;
    section: 'circle' | 'square' | null;
    nodes: [number, number];
    // The first of the nodes inside a solid and their number; its cells. Null where the page does not contain the inside.
    inner: [number, number];
    cells: string;
    edges: string | null;
    tetrahedra: string | null;
    hexahedra: string | null;
}

export interface RawPlane {
    name: string;
    point: [number, number, number];
    normal: [number, number, number];
}

export interface RawFrames {
    times: number[];
    nodes: number;
    box: number[];
    origin: string;
    shift: number[];
    positions: string;
    points: string;
    arrows: string | null;
    dropped: number;
    damaged: number;
    omitted: string[];
    fields: RawField[];
}

export interface RawRun {
    name: string;
    integrator: string;
    scene: string | null;
    summary: Summary | null;
    history: RawTable | null;
    probes: RawTable | null;
    contacts: RawTable | null;
    pairs: RawTable | null;
    skipped: number;
    planes: RawPlane[];
    bodies: RawBody[] | null;
    space: number | null;
    frames: RawFrames | null;
    failure: string | null;
}

export type Cell = string | number | boolean | null;

export interface Grid {
    columns: string[];
    rows: Cell[][];
}

// A column of the ledger, as the program describes it.
export interface LedgerColumn {
    name: string;
    label: string;
    // The name of a dimension, and of a scale of the summary; empty for plain numbers.
    unit: string;
    role: 'other' | 'part' | 'total' | 'loss' | 'known' | 'residual';
}

export interface Payload {
    format: number;
    generator: string;
    kind: 'run' | 'compare';
    title: string;
    ledger: LedgerColumn[];
    runs: RawRun[];
    table: Grid | null;
}

export type Summary = { [key: string]: unknown };

// Named columns of equal length; text columns are stored separately.
export interface Table {
    rows: number;
    names: string[];
    numbers: Map<string, Float64Array>;
    texts: Map<string, string[]>;
}

export interface Body {
    name: string;
    shape: 'points' | 'lines' | 'triangles';
    dimension: number;
    radius: number;
    section: 'circle' | 'square';
    first: number;
    count: number;
    cells: Int32Array;
    edges: Int32Array | null;
    // Nodes inside a solid: the first and their number.
    inner: [number, number];
    // The inside, in tetrahedra; null where there is none or the page does not contain it.
    tets: Int32Array | null;
}

// A fixed plane of contact; the normal has the length 1 and points to the free side.
export interface Plane {
    name: string;
    point: [number, number, number];
    normal: [number, number, number];
}

// Contact forces: those of frame i are begin[i] to begin[i + 1].
export interface Arrows {
    begin: Int32Array;
    nodes: Int32Array;
    vectors: Float32Array;
}

// A field at the nodes, frame after frame: value = range[0] + (range[1] - range[0]) * values / 65535.
export interface Field {
    name: string;
    label: string;
    range: [number, number];
    bodies: number[];
    values: Uint16Array;
}

export interface Frames {
    times: Float64Array;
    nodes: number;
    // The box of all that is shown.
    low: [number, number, number];
    high: [number, number, number];
    // Positions in the first frame, and displacements from it: shift[0] + (shift[1] - shift[0]) * positions / 65535.
    origin: Float64Array;
    shift: [number[], number[]];
    positions: Uint16Array;
    // The number of each node among the points of the frames' files.
    points: Int32Array;
    arrows: Arrows | null;
    // Frames and fields left out to keep the page small; frames that could not be read.
    dropped: number;
    damaged: number;
    omitted: string[];
    fields: Field[];
}

export interface Run {
    name: string;
    integrator: string;
    scene: string;
    summary: Summary;
    ledger: LedgerColumn[];
    history: Table | null;
    probes: Table | null;
    contacts: Table | null;
    pairs: Table | null;
    // Rows of tables left out.
    skipped: number;
    planes: Plane[];
    bodies: Body[];
    space: 1 | 2 | 3;
    frames: Frames | null;
    failure: string | null;
}

export interface Report {
    generator: string;
    kind: 'run' | 'compare';
    title: string;
    runs: Run[];
    table: Grid | null;
}

// The bytes of base64 text, with the order of bytes of this machine for numbers of the given width.
export function bytes(text: string, width: number): ArrayBuffer {
    const binary = atob(text);
    const result = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) result[i] = binary.charCodeAt(i);
    if (result.length % width !== 0)
        throw new Error(`an array of ${result.length} bytes does not hold numbers of ${width} bytes`);
    const little = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
    if (!little && width > 1) for (let i = 0; i < result.length; i += width) result.subarray(i, i + width).reverse();
    return result.buffer;
}

function expect(name: string, length: number, wanted: number): void {
    if (length !== wanted) throw new Error(`${name} holds ${length} numbers, not ${wanted}`);
}

function decodeTable(raw: RawTable | null): Table | null {
    if (!raw || raw.rows === 0) return null;
    const table: Table = { rows: raw.rows, names: raw.names, numbers: new Map(), texts: new Map() };
    if (typeof raw.columns === 'string') {
        const all = new Float64Array(bytes(raw.columns, 8));
        expect('a table', all.length, raw.rows * raw.names.length);
        raw.names.forEach((name, i) => table.numbers.set(name, all.subarray(i * raw.rows, (i + 1) * raw.rows)));
        return table;
    }
    raw.columns.forEach((column, i) => {
        const name = raw.names[i] ?? '';
        if ('text' in column) {
            expect(`column ${name}`, column.text.length, raw.rows);
            table.texts.set(name, column.text);
        } else {
            const values = new Float64Array(bytes(column.f64, 8));
            expect(`column ${name}`, values.length, raw.rows);
            table.numbers.set(name, values);
        }
    });
    return table;
}

// A hexahedron as six tetrahedra around its diagonal from the first to the seventh node.
const sixth = [0, 1, 2, 6, 0, 2, 3, 6, 0, 3, 7, 6, 0, 7, 4, 6, 0, 4, 5, 6, 0, 5, 1, 6];

export function tetsOf(tetrahedra: Int32Array, hexahedra: Int32Array): Int32Array {
    const result = new Int32Array(tetrahedra.length + 3 * hexahedra.length);
    result.set(tetrahedra);
    let at = tetrahedra.length;
    for (let cell = 0; cell < hexahedra.length; cell += 8) for (const corner of sixth) result[at++] = hexahedra[cell + corner];
    return result;
}

function decodeArrows(text: string | null, frames: number): Arrows | null {
    if (!text) return null;
    const words = new Int32Array(bytes(text, 4));
    const singles = new Float32Array(words.buffer);
    const begin = new Int32Array(frames + 1);
    const count = (words.length - frames) / 4;
    if (!Number.isInteger(count) || count < 0) throw new Error('the contact forces are damaged');
    const nodes = new Int32Array(count);
    const vectors = new Float32Array(3 * count);
    let at = 0;
    for (let frame = 0; frame < frames; frame++) {
        const items = words[at++];
        begin[frame + 1] = begin[frame] + items;
        if (items < 0 || begin[frame + 1] > count) throw new Error('the contact forces are damaged');
        for (let i = begin[frame]; i < begin[frame + 1]; i++) {
            nodes[i] = words[at++];
            for (let k = 0; k < 3; k++) vectors[3 * i + k] = singles[at++];
        }
    }
    return { begin, nodes, vectors };
}

function decodePlane(raw: RawPlane): Plane {
    const length = Math.hypot(...raw.normal) || 1;
    return { name: raw.name, point: raw.point, normal: raw.normal.map((x) => x / length) as [number, number, number] };
}

function decodeBody(raw: RawBody): Body {
    const list = (text: string | null): Int32Array => (text === null ? new Int32Array(0) : new Int32Array(bytes(text, 4)));
    return {
        name: raw.name,
        shape: raw.shape,
        dimension: raw.dimension,
        radius: raw.radius ?? 0,
        section: raw.section ?? 'circle',
        first: raw.nodes[0],
        count: raw.nodes[1],
        cells: list(raw.cells),
        edges: raw.edges === null ? null : list(raw.edges),
        inner: raw.inner,
        tets: raw.tetrahedra === null && raw.hexahedra === null ? null : tetsOf(list(raw.tetrahedra), list(raw.hexahedra)),
    };
}

function decodeFrames(raw: RawFrames | null): Frames | null {
    if (!raw || raw.times.length === 0 || raw.nodes === 0) return null;
    const positions = new Uint16Array(bytes(raw.positions, 2));
    expect('the frames', positions.length, raw.times.length * raw.nodes * 3);
    const origin = new Float64Array(bytes(raw.origin, 8));
    expect('the first frame', origin.length, raw.nodes * 3);
    const fields: Field[] = [];
    for (const field of raw.fields) {
        const values = new Uint16Array(bytes(field.values, 2));
        expect(`the field ${field.name}`, values.length, raw.times.length * raw.nodes);
        fields.push({ name: field.name, label: field.label, range: field.range, bodies: field.bodies, values });
    }
    const box = raw.box;
    return {
        times: Float64Array.from(raw.times),
        nodes: raw.nodes,
        low: [box[0] ?? 0, box[1] ?? 0, box[2] ?? 0],
        high: [box[3] ?? 0, box[4] ?? 0, box[5] ?? 0],
        origin,
        shift: [raw.shift.slice(0, 3), raw.shift.slice(3, 6)],
        positions,
        points: new Int32Array(bytes(raw.points, 4)),
        arrows: decodeArrows(raw.arrows, raw.times.length),
        dropped: raw.dropped,
        damaged: raw.damaged,
        omitted: raw.omitted,
        fields,
    };
}

function decodeRun(raw: RawRun, ledger: LedgerColumn[]): Run {
    return {
        name: raw.name,
        integrator: raw.integrator,
        scene: raw.scene ?? '',
        summary: raw.summary ?? {},
        ledger,
        history: decodeTable(raw.history),
        probes: decodeTable(raw.probes),
        contacts: decodeTable(raw.contacts),
        pairs: decodeTable(raw.pairs),
        skipped: raw.skipped,
        planes: raw.planes.map(decodePlane),
        bodies: (raw.bodies ?? []).map(decodeBody),
        space: raw.space === 1 || raw.space === 2 ? raw.space : 3,
        frames: decodeFrames(raw.frames),
        failure: raw.failure,
    };
}

// Throws with a reason that can be shown when the payload is not one of this page.
export function decode(text: string): Report {
    const payload = JSON.parse(text) as Payload | null;
    if (!payload) throw new Error('This is the empty template of the report page; `carom report DIR` fills it.');
    if (payload.format !== 4) throw new Error(`This page reads format 4, the report has format ${String(payload.format)}.`);
    return {
        generator: payload.generator,
        kind: payload.kind,
        title: payload.title,
        runs: payload.runs.map((raw) => decodeRun(raw, payload.ledger)),
        table: payload.table,
    };
}
