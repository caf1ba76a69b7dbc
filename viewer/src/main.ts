// SPDX-License-Identifier: MIT
// The page: decodes its data, builds the stage, the curves and the tables, and synchronises them by one clock.

import { Clock, speeds } from './clock.ts';
import { balanced, seriesColour, widened } from './colour.ts';
import { showBar, showBodies, type Bar } from './colourbar.ts';
import { showComparison } from './comparison.ts';
import { Controls, bodyField } from './controls.ts';
import { Curves } from './curves.ts';
import { decode, type Field, type Report, type Run } from './data.ts';
import { byId, make } from './dom.ts';
import type { View } from './eye.ts';
import { leftOut, span, subtitle } from './facts.ts';
import { number } from './format.ts';
import { extentOf, visibleFactor } from './frames.ts';
import { listen, type Action } from './keys.ts';
import { Ledger } from './ledger.ts';
import { drawMarks } from './marks.ts';
import { findNode, nodeName, nodePanel } from './node.ts';
import { firstField, openingTime } from './opening.ts';
import { panelsOf } from './panels.ts';
import { listenForNames, listenForPicks } from './picking.ts';
import { showScene } from './scenetext.ts';
import { largestOf, mostRange } from './spread.ts';
import { Stage } from './stage.ts';
import { format, parse } from './state.ts';
import { Studio } from './studio.ts';
import { showSummary } from './summary.ts';
import { showTags, type Tag } from './tags.ts';
import { currentTheme, onPreference, setTheme } from './theme.ts';
import { connect, timeText } from './transport.ts';
import { dimensions, unitsOf, valueText } from './units.ts';
import { fieldText, fieldValue, placeText } from './words.ts';

function readReport(): Report {
    const holder = byId('carom-data');
    const report = decode(holder.textContent ?? 'null');
    // The text is as large as the rest of the page: free it.
    holder.textContent = '';
    return report;
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
    // Curves keep the colours of the comparison's table, which includes failed methods.
    for (const panel of panels.drawn)
        for (const choice of panel.choices) for (const line of choice.lines) line.run = report.runs.indexOf(runs[line.run]);
    const curves = new Curves(byId('curves'), panels.drawn, [begin, end], runs.length > 1, (time) => {
        clock.pause();
        clock.set(time);
    });
    if (panels.zero.length > 0) byId('zero').textContent = `Zero throughout: ${panels.zero.join(', ')}.`;
    let ledger: Ledger;
    let bar: Bar | null = null;

    let picked: number | null = null;
    const units = unitsOf(runs[0]);

    const run = (): Run => runs[state.run];
    const field = (): Field | null => fields.get(run())!.find((one) => one.name === state.field) ?? null;
    const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const ink = (): void => stage.setInk(colour('--ink'), colour('--floor'), currentTheme() === 'dark');

    // All runs of a comparison share one range, so that their colours can be compared.
    const sharedRange = (of: (one: Run, f: Field) => [number, number]): [number, number] => {
        const all = runs.flatMap((one) => fields.get(one)!.filter((f) => f.name === state.field).map((f) => of(one, f)));
        return [Math.min(...all.map((range) => range[0])), Math.max(...all.map((range) => range[1]))];
    };
    const wholeRange = (): [number, number] => sharedRange((_, f) => f.range);
    // Round-off has one colour, whether relative to the values or, for displacements, to the size of the scene.
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
            : settled(
                  state.range === 'frame' ? stage.frameRange : state.range === 'run' ? wholeRange() : sharedRange(mostRange),
              );
        stage.setRange(range);
        const label = fieldText(run(), now);
        if (bar && bar.label === label && bar.range[0] === range[0] && bar.range[1] === range[1]) return;
        const whole = wholeRange();
        const slack = 1e-6 * (range[1] - range[0]);
        const beyond: [boolean, boolean] = [whole[0] < range[0] - slack, whole[1] > range[1] + slack];
        bar = { label, range, partial: now.bodies.length < run().bodies.length, beyond };
        showBar(byId('colourbar'), bar);
    };

    // The largest value of the run, in words; the labels on the stage.
    const peakTime = (): number | null => {
        const now = field();
        const peak = now && run().frames ? largestOf(run(), now) : null;
        return peak ? run().frames!.times[peak.frame] : null;
    };
    const showPeak = (): void => {
        const now = field();
        const peak = now && state.largest && run().frames ? largestOf(run(), now) : null;
        byId('peak').hidden = peak === null;
        if (!peak || !now) return;
        const when = timeText(clock, units, run().frames!.times[peak.frame]);
        byId('peak-text').textContent = `Largest of the frames: ${fieldValue(run(), now, peak.value)} · ${placeText(run(), peak.node)} · ${when}`;
    };
    const tagsNow = (): Tag[] => {
        const tags: Tag[] = [];
        const now = field();
        const add = (kind: Tag['kind'], node: number, lines: string[]): void => {
            const at = stage.project(node);
            if (at) tags.push({ kind, x: at[0], y: at[1], lines });
        };
        const { largest } = stage;
        if (state.largest && now && largest && largest.node !== picked && largest.value !== 0 && stage.magnifiable)
            add('largest', largest.node, [fieldValue(run(), now, largest.value)]);
        if (picked !== null && run().frames) {
            const at = stage.positionOf(picked).toArray().map((x) => number(x, 4)).join(', ');
            const value = now ? [fieldValue(run(), now, stage.valueAt(picked))] : [];
            add('picked', picked, [placeText(run(), picked), `(${at})`, ...value]);
        }
        return tags;
    };
    const showForceScale = (): void => {
        const text = valueText(number(stage.largestArrow, 3), units, dimensions.force);
        byId('force-scale').textContent = state.forces > 0 && stage.forcesPossible ? `largest force now ${text}` : '';
    };
    const pick = (node: number | null): void => {
        picked = node;
        state.node = node === null ? null : nodeName(run(), node);
        const input = byId<HTMLInputElement>('node');
        input.value = state.node ?? '';
        input.removeAttribute('aria-invalid');
        curves.setExtra(byId('picked'), node === null ? null : nodePanel(run(), node, state.field));
        if (node !== null) byId('books').scrollTop = 0;
        stage.touch();
        save();
    };

    // The hash is updated shortly after a change of the page.
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
        stage.floor = state.floor;
        stage.forces = state.forces;
        stage.switched(clock.time);
    };
    const factor = (): number =>
        !stage.magnifiable || !run().frames ? 1 : state.magnify === 'auto' ? visibleFactor(run().frames!) : state.magnify;
    const applyFactor = (): void => {
        stage.setFactor(factor(), clock.time);
        if (!state.camera) stage.eye.fit();
    };
    const controls = new Controls(
        state,
        (what) => {
            if (what === 'switch') applySwitches();
            if (what === 'field') {
                stage.setField(field());
                byId('fallback').hidden = true;
                if (picked !== null) pick(picked);
            }
            if (what === 'section') stage.setSlit(state.section);
            if (what === 'magnify') applyFactor();
            controls.show(run());
            showRange();
            showPeak();
            save();
        },
        () => bar?.range ?? [0, 1],
        (axis) => stage.eye.camera.position[axis] < stage.eye.controls.target[axis],
    );

    const showRun = (): void => {
        const one = run();
        const seen = one.frames !== null && stage.works;
        byId('nothing').hidden = seen;
        byId('nothing').textContent = stage.works
            ? 'This result has no frames to show (output.fields).'
            : 'This browser has no WebGL 2, which the animation requires. All curves and tables are available.';
        for (const name of ['display', 'below', 'views', 'picture', 'video']) byId(name).hidden = !seen;
        byId('sides').hidden = one.space !== 3;
        bar = null;
        byId('colourbar').replaceChildren();
        stage.show(one);
        const missing = state.field !== null && state.field !== bodyField && !field() ? state.field : null;
        if (state.field === null || missing !== null) state.field = firstField(one) ?? bodyField;
        byId('fallback').hidden = missing === null;
        byId('fallback').textContent = `There is no field '${missing}' here; '${state.field}' is shown.`;
        controls.offer(one, {
            contacts: stage.marksPossible,
            magnified: stage.magnifiable,
            floor: stage.floorPossible,
            forces: stage.forcesPossible,
            section: stage.sectionPossible,
        });
        controls.show(one);
        applySwitches();
        stage.setField(field());
        applyFactor();
        stage.setSlit(state.section);
        ink();
        if (state.camera) stage.eye.state = state.camera;
        stage.setTime(clock.time);
        showRange();
        showPeak();
        const node = state.node === null ? null : findNode(one, state.node);
        if (node !== null || picked !== null) pick(node);
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
        ink();
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
        state.camera = stage.eye.state;
        save();
    };
    stage.onCamera = keepCamera;
    const showView = (view: View): void => {
        stage.eye.fit(view);
        state.camera = view === 'fit' ? null : stage.eye.state;
        save();
    };
    byId('zoom-in').addEventListener('click', () => stage.eye.zoom(1.25));
    byId('zoom-out').addEventListener('click', () => stage.eye.zoom(0.8));
    byId('fit').addEventListener('click', () => showView('fit'));
    for (const axis of ['x', 'y', 'z'] as const) byId(`view-${axis}`).addEventListener('click', () => showView(axis));
    new ResizeObserver(() => {
        stage.resize();
        if (!state.camera) stage.eye.fit();
    }).observe(byId('stage'));

    listenForPicks(stage, byId<HTMLCanvasElement>('view'), pick);
    listenForNames((name) => findNode(run(), name), pick);
    const studio = new Studio(stage, clock, () => {
        const magnified = factor() === 1 ? '' : `, displacements ${number(factor(), 4)}×`;
        return { title: report.title, time: `${timeText(clock, units)}${magnified}`, bar, tags: tagsNow() };
    });
    const toPeak = (): void => {
        const time = peakTime();
        if (time === null) return;
        clock.pause();
        clock.set(time);
    };
    byId('to-peak').addEventListener('click', toPeak);

    // Keys.
    const toggle = (name: 'wireframe' | 'contacts' | 'normals' | 'floor' | 'largest'): void => {
        const box = byId<HTMLInputElement>(name);
        if (!box.parentElement!.hidden) box.click();
    };
    const advance = (name: 'section' | 'forces'): void => {
        const select = byId<HTMLSelectElement>(name);
        if (select.parentElement!.hidden) return;
        select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
        select.dispatchEvent(new Event('change'));
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
        { keys: ['m'], shown: 'm', what: 'to the largest value of the field', act: toPeak },
        { keys: [']'], shown: ']', what: 'faster', act: () => clock.faster(1) },
        { keys: ['['], shown: '[', what: 'slower', act: () => clock.faster(-1) },
        { keys: ['l'], shown: 'l', what: 'loop', act: () => clock.setLoop(!clock.loop) },
        { keys: ['f', '0'], shown: 'f', what: 'fit all into view', act: () => showView('fit') },
        { keys: ['+', '='], shown: '+', what: 'zoom in', act: () => stage.eye.zoom(1.25) },
        { keys: ['-'], shown: '−', what: 'zoom out', act: () => stage.eye.zoom(0.8) },
        {
            keys: ['x', 'y', 'z'],
            shown: 'x  y  z',
            what: 'view along an axis (in space)',
            act: (e) => run().space === 3 && showView(e.key as View),
        },
        { keys: ['v'], shown: 'v', what: 'next field', act: () => controls.nextField() },
        { keys: ['w'], shown: 'w', what: 'wireframe', act: () => toggle('wireframe') },
        { keys: ['c'], shown: 'c', what: 'contact points', act: () => toggle('contacts') },
        { keys: ['n'], shown: 'n', what: 'normals', act: () => toggle('normals') },
        { keys: ['s'], shown: 's', what: 'section across x, y, z, none', act: () => advance('section') },
        { keys: ['a'], shown: 'a', what: 'arrows of contact forces, longer', act: () => advance('forces') },
        { keys: ['g'], shown: 'g', what: 'planes (floor)', act: () => toggle('floor') },
        { keys: ['h'], shown: 'h', what: 'mark the largest value', act: () => toggle('largest') },
        { keys: ['Escape'], shown: 'esc', what: 'deselect the node', act: () => pick(null) },
        { keys: ['d'], shown: 'd', what: 'dark or light', act: switchTheme },
        { keys: ['p'], shown: 'p', what: 'save a picture', act: () => void studio.picture() },
        { keys: ['r'], shown: 'r', what: 'record a video, or end it', act: () => studio.video() },
        { keys: ['?'], shown: '?', what: 'this list', act: () => byId<HTMLDialogElement>('keys').showModal() },
    ];
    listen(actions);
    byId('help').addEventListener('click', () => byId<HTMLDialogElement>('keys').showModal());
    for (const { shown, what } of actions) byId('key-list').append(make('dt', {}, shown), make('dd', {}, what));

    connect(clock, units);
    clock.onChange(() => {
        stage.setTime(clock.time);
        if (state.range === 'frame') showRange();
        curves.setTime(clock.time);
        ledger.setTime(clock.time);
        byId('ledger-time').textContent =
            ledger.time === null ? '' : valueText(`row at t = ${number(ledger.time, 6)}`, units, dimensions.time);
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
    clock.set(state.time ?? openingTime(run(), field()) ?? begin);

    const frame = (now: number): void => {
        clock.tick(now);
        if (stage.draw()) {
            marks();
            showTags(byId('tags'), tagsNow());
            showForceScale();
            studio.drawn();
        }
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
