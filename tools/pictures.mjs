// SPDX-License-Identifier: MIT
// Makes the pictures of the README and the manual again, from real runs:  make pictures
// The moving picture of the README is drawn by `carom picture --animate`, the others are taken in a real browser. Check them
// before you commit them.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { close, folder, open, phone, template } from '../test/browser/browser.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const wide = { width: 1280, height: 720 };

// Drawn without a browser: the scene, the options of `carom picture`, and the file.
const drawn = [{ file: 'crash_tube', scene: 'gallery/crash_tube', options: ['--frames', '60', '--seconds', '5'] }];

// The scene, the comparison or the sweep, the state of the page, and the file.
const pictures = [
    { file: 'report_cradle', scene: 'gallery/cradle', hash: 't=13.5&field=axial_stress', deviceScaleFactor: 1.5 },
    {
        file: 'report_part',
        scene: 'gallery/dropped_part',
        set: ['units={length: m, mass: kg, time: s}', 'output.history.pairs=true'],
        hash: 'forces=1',
    },
    { file: 'report_phone', scene: 'papers/dcr/two_bars', hash: 't=12&field=axial_stress', viewport: phone },
    {
        file: 'compare_two_bars',
        scene: 'papers/dcr/two_bars',
        methods: 'newmark-dcr,newmark-dcr:contact.resolve=drift,multisymplectic',
        hash: 't=15&field=axial_stress',
    },
    {
        file: 'sweep_bounce',
        scene: 'verify/oblique_bounce',
        vary: ['contact.friction=0:0.6:7', 'contact.restitution=0,0.5,1'],
        hash: 'y=r:probes.ball.vx.last&sy=r:ledger.last.friction',
    },
];

function carom(...words) {
    const { status, stderr } = spawnSync(process.env.CAROM, words, {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, CAROM_VIEWER: template },
    });
    // A gate of the scene that fails does not spoil its picture.
    if (status !== 0 && status !== 1) throw new Error(`carom ${words.join(' ')}: ${stderr}`);
}

for (const { file, scene, options } of drawn) {
    carom('run', join(root, 'scenes', `${scene}.yaml`), '-o', file, '-q');
    carom('picture', file, '--animate', join(root, 'docs/pictures', `${file}.png`), ...options);
    console.log(`docs/pictures/${file}.png`);
}
for (const { file, scene, methods, vary, set = [], hash, viewport = wide, deviceScaleFactor = 1 } of pictures) {
    const path = join(root, 'scenes', `${scene}.yaml`);
    if (methods) carom('compare', path, '--integrators', methods, '-o', file);
    else if (vary) carom('sweep', path, ...vary.flatMap((v) => ['--vary', v]), '--set', 'expect={}', '-o', file, '-q');
    else carom('run', path, ...set.flatMap((one) => ['--set', one]), '-o', file, '-q', '--report');
    const page = await open(join(folder, file, methods ? 'compare.html' : vary ? 'sweep.html' : 'report.html'), {
        viewport,
        hash,
        deviceScaleFactor,
    });
    if (page.complaints.length > 0) throw new Error(`${file}: ${page.complaints.join('; ')}`);
    await page.screenshot({ path: join(root, 'docs/pictures', `${file}.png`) });
    await page.close();
    console.log(`docs/pictures/${file}.png`);
}
await close();
