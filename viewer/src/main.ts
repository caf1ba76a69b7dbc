// SPDX-License-Identifier: MIT
// The page: decodes its data, builds the stage, the curves and the tables, and keeps them on one clock.

import { Clock, speeds } from './clock.ts';
import { balanced, seriesColour, widened } from './colour.ts';
import { showBar, showBodies, type Bar } from './colourbar.ts';
import { showComparison } from './comparison.ts';
import { Controls, bodyField } from './controls.ts';
import { Curves } from './curves.ts';
import { decode, type Field, type Report, type Run } from './data.ts';
import { byId, make } from './dom.ts';
import { number } from './format.ts';
import { extentOf, visibleFactor } from './frames.ts';
import { listen, type Action } from './keys.ts';
import { Ledger } from './ledger.ts';
import { drawMarks } from './marks.ts';
import { panelsOf } from './panels.ts';
import { compose, download, fileName } from './picture.ts';
import { showScene } from './scenetext.ts';
import { Stage, type View } from './stage.ts';
import { format, parse } from './state.ts';
import { showSummary } from './summary.ts';
import { currentTheme, onPreference, setTheme } from './theme.ts';
import { connect, timeText } from './transport.ts';

function readReport(): Report {
    const holder = byId('carom-data');
    const report = decode(holder.textContent ?? 'null');
    // The text is as large as all the rest of the page.
    holder.textContent = '';
    return report;
}

function subtitle(report: Report, run: Run | undefined): string {
    if (report.kind === 'compare') {
        const ran = report.runs.filter((one) => one.failure === null).length;
        const others = report.runs.length - ran;
        return `${ran} ${ran === 1 ? 'method' : 'methods'} on one scene${others > 0 ? `, ${others} could not` : ''}`;
    }
    const summary = run?.summary ?? {};
    const parts = [run?.integrator ?? ''];
    for (const [key, word] of [
        ['steps', 'steps'],
        ['nodes', 'nodes'],
        ['elements', 'elements'],
    ] as const) {
        const value = summary[key];
        if (typeof value === 'number') parts.push(
                `${value.toLocaleString('en').replace(/,/g, '\u202f')} ${value === 1 ? word.slice(0, -1) : word}`,
            );
    }
    if (typeof summary['energy_drift'] === 'number') parts.push(`energy drift ${number(summary['energy_drift'], 3)}`);
    return parts.filter((part) => part).join(' · ');
}

// What the page does not hold.
function leftOut(runs: Run[]): string[] {
    const most = (count: (run: Run) => number): number => Math.max(0, ...runs.map(count));
    const dropped = most((run) => run.frames?.dropped ?? 0);
    const damaged = most((run) => run.frames?.damaged ?? 0);
    const skipped = most((run) => run.skipped);
    const omitted = [...new Set(runs.flatMap((run) => run.frames?.omitted ?? []))];
    const frames = (count: number, what: string): string => `${count} ${count === 1 ? 'frame' : 'frames'} ${what}.`;
    return [
        ...(omitted.length > 0 ? [`Fields left out to keep the page small: ${omitted.join(', ')}.`] : []),
        ...(dropped > 0 ? [frames(dropped, 'left out to keep the page small')] : []),
        ...(damaged > 0 ? [frames(damaged, 'could not be read')] : []),
        ...(skipped > 0 ? [`${skipped} rows of long tables left out; the extremes of each column are there.`] : []),
    ];
}

// What to colour by at first: of solids the stress, else the first field.
function firstField(run: Run): string {
    const all = run.frames?.fields ?? [];
    const solid = run.bodies.some((body) => body.shape === 'triangles' && body.dimension >= 2);
    return ((solid && all.find((one) => one.name.startsWith('von_mises'))) || all[0])?.name ?? bodyField;
}

// From the first to the last time of all frames and histories.
function span(runs: Run[]): [number, number] {
    let low = Infinity;
    let high = -Infinity;
    for (const run of runs) {
        for (const times of [run.frames?.times, run.history?.numbers.get('time')]) {
            if (!times || times.length === 0) continue;
            low = Math.min(low, times[0]);
            high = Math.max(high, times[times.length - 1]);
        }
    }
    return low <= high ? [low, high] : [0, 0];
}

function start(report: Report): void {
    const runs = report.runs.filter((run) => run.failure === null);
    const state = parse(location.hash);
    if (state.run >= runs.length) state.run = 0;
    const fields = new Map<Run, Field[]>(runs.map((run) => [run, run.frames?.fields ?? []]));

    document.title = `${report.title} – carom`;
    byId('title').textContent = report.title;
    byId('subtitle').textContent = subtitle(report, runs[0]);
    byId('footer').textContent = [`Written by ${report.generator}.`, ...leftOut(runs)].join(' ');
    if (report.kind === 'compare') {
        byId('comparison').hidden = false;
        showComparison(byId('comparison'), report);
    }
    if (runs.length === 0) {
        byId('failure').textContent = 'No method could run this scene.';
        byId('failure').hidden = false;
        for (const hidden of document.querySelectorAll<HTMLElement>('.motion, .books > section:not(#comparison)'))
            hidden.hidden = true;
        return;
    }

    const [begin, end] = span(runs);
    const clock = new Clock(
        begin,
        end,
        runs.find((run) => run.frames)?.frames?.times ?? runs[0].history?.numbers.get('time') ?? [],
    );
    clock.speed = (speeds as readonly number[]).includes(state.speed) ? state.speed : 1;
    clock.loop = state.loop;
    const stage = new Stage(byId<HTMLCanvasElement>('view'));
    const panels = panelsOf(runs);
    // Curves keep the colours of the comparison's table, in which failed methods have their place.
    for (const panel of panels.drawn)
        for (const choice of panel.choices) for (const line of choice.lines) line.run = report.runs.indexOf(runs[line.run]);
    const curves = new Curves(byId('curves'), panels.drawn, [begin, end], runs.length > 1, (time) => {
        clock.pause();
        clock.set(time);
    });
    if (panels.zero.length > 0) byId('zero').textContent = `Zero throughout: ${panels.zero.join(', ')}.`;
    let ledger: Ledger;
    let bar: Bar | null = null;

    const run = (): Run => runs[state.run];
    const field = (): Field | null => fields.get(run())!.find((one) => one.name === state.field) ?? null;
    const ink = (): string => getComputedStyle(document.documentElement).getPropertyValue('--ink').trim();

    // All runs of a comparison share one range, so that their colours can be compared.
    const wholeRange = (): [number, number] => {
        const all = runs.flatMap((one) => fields.get(one)!.filter((f) => f.name === state.field));
        return settled([Math.min(...all.map((f) => f.range[0])), Math.max(...all.map((f) => f.range[1]))]);
    };
    // Round-off has one colour, whether beside the values or, for displacements, beside the size of the scene.
    const settled = (range: [number, number]): [number, number] => {
        const frames = run().frames;
        return balanced(widened(range, state.field === 'displacement' && frames ? 1e-13 * extentOf(frames) : 0));
    };
    const showRange = (): void => {
        const now = field();
        if (!now) {
            if (bar !== null || !byId('colourbar').hasChildNodes()) showBodies(byId('colourbar'), run());
            bar = null;
            return;
        }
        const range = Array.isArray(state.range)
            ? state.range
            : state.range === 'frame'
              ? settled(stage.frameRange)
              : wholeRange();
        stage.setRange(range);
        if (bar && bar.label === now.label && bar.range[0] === range[0] && bar.range[1] === range[1]) return;
        bar = { label: now.label, range, partial: now.bodies.length < run().bodies.length };
        showBar(byId('colourbar'), bar);
    };

    // The hash follows the page, a little later.
    let saving = 0;
    const save = (): void => {
        clearTimeout(saving);
        saving = window.setTimeout(() => {
            state.time = clock.time;
            state.speed = clock.speed;
            state.loop = clock.loop;
            history.replaceState(null, '', `#${format(state)}`);
        }, 250);
    };

    const applySwitches = (): void => {
        stage.visible = run().bodies.map((body) => !state.hidden.includes(body.name));
        stage.wireframe = state.wireframe;
        stage.contacts = state.contacts;
        stage.normals = state.normals;
        stage.switched(clock.time);
    };
    const factor = (): number =>
        !stage.magnifiable || !run().frames ? 1 : state.magnify === 'auto' ? visibleFactor(run().frames!) : state.magnify;
    const applyFactor = (): void => {
        stage.setFactor(factor(), clock.time);
        if (!state.camera) stage.fit();
    };
    const controls = new Controls(
        state,
        (what) => {
            if (what === 'switch') applySwitches();
            if (what === 'field') {
                stage.setField(field());
                byId('fallback').hidden = true;
            }
            if (what === 'magnify') applyFactor();
            controls.show(run());
            showRange();
            save();
        },
        () => bar?.range ?? [0, 1],
    );

    const showRun = (): void => {
        const one = run();
        const seen = one.frames !== null && stage.works;
        byId('nothing').hidden = seen;
        byId('nothing').textContent = stage.works
            ? 'This result has no frames to show (output.fields).'
            : 'This browser has no WebGL 2, which the motion needs. The curves and tables are all here.';
        byId('display').hidden = byId('below').hidden = byId('views').hidden = byId('picture').hidden = !seen;
        byId('sides').hidden = one.space !== 3;
        bar = null;
        byId('colourbar').replaceChildren();
        stage.show(one);
        const missing = state.field !== null && state.field !== bodyField && !field() ? state.field : null;
        if (state.field === null || missing !== null) state.field = firstField(one);
        byId('fallback').hidden = missing === null;
        byId('fallback').textContent = `There is no field '${missing}' here; '${state.field}' is shown.`;
        controls.offer(one, stage.marksPossible, stage.magnifiable);
        controls.show(one);
        applySwitches();
        stage.setField(field());
        applyFactor();
        stage.setInk(ink());
        if (state.camera) stage.cameraState = state.camera;
        stage.setTime(clock.time);
        showRange();
        ledger = new Ledger(byId('ledger'), one);
        ledger.setTime(clock.time);
        showSummary(byId('summary'), one);
        showScene(byId('scene'), one.scene);
    };

    if (runs.length > 1) {
        const place = byId('runs');
        place.hidden = false;
        runs.forEach((one, i) => {
            const input = make('input', { type: 'radio', name: 'run' });
            input.checked = i === state.run;
            input.addEventListener('change', () => {
                state.run = i;
                showRun();
                save();
            });
            const swatch = make('span', { class: 'swatch' });
            swatch.style.background = seriesColour(report.runs.indexOf(one));
            place.append(make('label', {}, input, swatch, one.name));
        });
    }

    // Theme.
    const applyTheme = (): void => {
        setTheme(state.theme);
        const dark = currentTheme() === 'dark';
        byId('theme').textContent = dark ? 'Light' : 'Dark';
        byId('theme').setAttribute('aria-label', dark ? 'Light colours' : 'Dark colours');
        stage.setInk(ink());
        curves.recolour();
    };
    const switchTheme = (): void => {
        state.theme = currentTheme() === 'dark' ? 'light' : 'dark';
        applyTheme();
        save();
    };
    byId('theme').addEventListener('click', switchTheme);
    onPreference(applyTheme);

    // Camera.
    const marks = (): void => drawMarks(stage, byId('axes'), byId('scale'), byId('times'), byId('stage').clientWidth);
    const keepCamera = (): void => {
        state.camera = stage.cameraState;
        save();
    };
    stage.onCamera = keepCamera;
    const look = (view: View): void => {
        stage.fit(view);
        state.camera = view === 'fit' ? null : stage.cameraState;
        save();
    };
    byId('zoom-in').addEventListener('click', () => stage.zoom(1.25));
    byId('zoom-out').addEventListener('click', () => stage.zoom(0.8));
    byId('fit').addEventListener('click', () => look('fit'));
    for (const axis of ['x', 'y', 'z'] as const) byId(`view-${axis}`).addEventListener('click', () => look(axis));
    new ResizeObserver(() => {
        stage.resize();
        if (!state.camera) stage.fit();
    }).observe(byId('stage'));

    const picture = async (): Promise<void> => {
        if (!stage.works) return;
        const scale = 2;
        const magnified = factor() === 1 ? '' : `, displacements ${number(factor(), 4)}×`;
        const caption = { title: report.title, time: `${timeText(clock)}${magnified}`, bar };
        const blob = await compose(stage.picture(scale), caption, scale);
        download(blob, fileName(report.title, timeText(clock)));
    };
    byId('picture').addEventListener('click', () => void picture());
    byId('picture').setAttribute('aria-label', 'Save a picture (PNG)');

    // Keys.
    const toggle = (name: 'wireframe' | 'contacts' | 'normals'): void => {
        const box = byId<HTMLInputElement>(name);
        if (!box.parentElement!.hidden) box.click();
    };
    const actions: Action[] = [
        { keys: [' ', 'k'], shown: 'space', what: 'play or pause', act: () => clock.toggle() },
        {
            keys: ['ArrowRight'],
            shown: '→  shift →',
            what: 'next frame, ten frames on',
            act: (e) => clock.step(e.shiftKey ? 10 : 1),
        },
        {
            keys: ['ArrowLeft'],
            shown: '←  shift ←',
            what: 'previous frame, ten frames back',
            act: (e) => clock.step(e.shiftKey ? -10 : -1),
        },
        { keys: ['Home'], shown: 'home', what: 'to the start', act: () => clock.set(begin) },
        { keys: ['End'], shown: 'end', what: 'to the end', act: () => clock.set(end) },
        { keys: [']'], shown: ']', what: 'faster', act: () => clock.faster(1) },
        { keys: ['['], shown: '[', what: 'slower', act: () => clock.faster(-1) },
        { keys: ['l'], shown: 'l', what: 'loop', act: () => clock.setLoop(!clock.loop) },
        { keys: ['f', '0'], shown: 'f', what: 'fit all into view', act: () => look('fit') },
        { keys: ['+', '='], shown: '+', what: 'zoom in', act: () => stage.zoom(1.25) },
        { keys: ['-'], shown: '−', what: 'zoom out', act: () => stage.zoom(0.8) },
        {
            keys: ['x', 'y', 'z'],
            shown: 'x  y  z',
            what: 'look along an axis (in space)',
            act: (e) => run().space === 3 && look(e.key as View),
        },
        { keys: ['v'], shown: 'v', what: 'next field', act: () => controls.nextField() },
        { keys: ['w'], shown: 'w', what: 'wireframe', act: () => toggle('wireframe') },
        { keys: ['c'], shown: 'c', what: 'contact points', act: () => toggle('contacts') },
        { keys: ['n'], shown: 'n', what: 'normals', act: () => toggle('normals') },
        { keys: ['d'], shown: 'd', what: 'dark or light', act: switchTheme },
        { keys: ['p'], shown: 'p', what: 'save a picture', act: () => void picture() },
        { keys: ['?'], shown: '?', what: 'this list', act: () => byId<HTMLDialogElement>('keys').showModal() },
    ];
    listen(actions);
    byId('help').addEventListener('click', () => byId<HTMLDialogElement>('keys').showModal());
    for (const { shown, what } of actions) byId('key-list').append(make('dt', {}, shown), make('dd', {}, what));

    connect(clock);
    clock.onChange(() => {
        stage.setTime(clock.time);
        if (state.range === 'frame') showRange();
        curves.setTime(clock.time);
        ledger.setTime(clock.time);
        byId('ledger-time').textContent = ledger.time === null ? '' : `row at t = ${number(ledger.time, 6)}`;
        if (!clock.playing) save();
    });

    window.addEventListener('hashchange', () => {
        Object.assign(state, parse(location.hash));
        if (state.run >= runs.length) state.run = 0;
        byId('runs')
            .querySelectorAll('input')
            .forEach((input, i) => (input.checked = i === state.run));
        applyTheme();
        showRun();
        if (state.time !== null) clock.set(state.time);
    });

    showRun();
    applyTheme();
    clock.set(state.time ?? begin);

    const frame = (now: number): void => {
        clock.tick(now);
        if (stage.draw()) marks();
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
}

try {
    start(readReport());
} catch (error) {
    const place = byId('failure');
    place.textContent = error instanceof Error ? error.message : String(error);
    place.hidden = false;
    byId('main').hidden = true;
}
