// SPDX-License-Identifier: MIT
// What the command writes, opened in a real browser: a run, a comparison, a hostile title.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { close, folder, open, pixels, scrub, settle, stagePicture, template } from './browser.mjs';

const command = process.env.CAROM;
const source = process.env.CAROM_SOURCE;
after(close);

function carom(...words) {
    const { status, stdout, stderr } = spawnSync(command, words, {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, CAROM_VIEWER: template },
    });
    // A gate of a scene that was changed may fail.
    assert.ok(status === 0 || status === 1, stderr);
    return stdout;
}

const twoBars = join(source, 'scenes/papers/dcr/two_bars.yaml');

test('the report of two bars shows the motion and the books of the run', async () => {
    carom('run', twoBars, '-o', 'bars', '-q');
    carom('report', 'bars');
    const page = await open(join(folder, 'bars/report.html'));
    assert.deepEqual(page.complaints, []);
    assert.equal(await page.locator('#title').textContent(), 'Impact of two bars');
    // The ledger at the end is the one of summary.json.
    await page.keyboard.press('End');
    const { ledger } = JSON.parse(readFileSync(join(folder, 'bars/summary.json'), 'utf8'));
    const shown = async (name) =>
        Number((await page.locator('#ledger tr', { hasText: name }).locator('td').nth(1).textContent()).replace(/−/g, '-'));
    for (const [row, key] of [
        ['kinetic', 'kinetic'],
        ['lost by projection', 'projection'],
        ['residual', 'residual'],
    ]) {
        assert.ok(Math.abs((await shown(row)) - ledger.last[key]) <= 2e-3 * Math.abs(ledger.last[key]), row);
    }
    // At time 10 the bars stand and are pressed together: the colour of small speed in the x-t diagram, of large speed at the end.
    await scrub(page, 10);
    const [standing, leaving] = await pixels(page, await stagePicture(page), [
        [0.45, 0.45],
        [0.25, 0.8],
    ]);
    assert.ok(Math.abs(standing[1] - leaving[1]) > 60, JSON.stringify([standing, leaving]));
    await page.close();
});

test('the stress of real bars is there by its name, and a name that is not there is said to be missing', async () => {
    carom('run', twoBars, '-o', 'named', '-q', '--report');
    const file = join(folder, 'named/report.html');
    const page = await open(file, { hash: 't=10&field=axial_stress' });
    assert.equal(await page.getByLabel('Colour', { exact: true }).inputValue(), 'axial_stress');
    assert.equal(await page.locator('#fallback').isVisible(), false);
    assert.equal(await page.locator('.bar-label').textContent(), 'axial stress');
    await page.close();
    const other = await open(file, { hash: 't=10&field=stress' });
    assert.equal(await other.locator('#fallback').textContent(), "There is no field 'stress' here; 'speed' is shown.");
    assert.equal(await other.getByLabel('Colour', { exact: true }).inputValue(), 'speed');
    await other.close();
});

test('a comparison opens with its methods and the reason of the one that cannot', async () => {
    carom(
        'compare',
        twoBars,
        '--set',
        'contact.restitution=0.5',
        '--integrators',
        'newmark-dcr,newmark-dcr:step=0.1,newmark-dcr:step=2,multisymplectic',
        '-o',
        'all',
    );
    const page = await open(join(folder, 'all/compare.html'));
    assert.deepEqual(page.complaints, []);
    assert.equal(await page.locator('#subtitle').textContent(), '2 methods on one scene, 2 could not');
    assert.equal(await page.getByRole('region', { name: 'Energy', exact: true }).locator('.legend li').count(), 2);
    assert.ok((await page.locator('.methods tbody tr').count()) > 5);
    const reasons = await page.locator('.failures li').allTextContents();
    assert.equal(reasons.length, 2);
    assert.match(reasons[0], /^newmark-dcr:step=2: .*larger than the stable step/);
    // The name of the method is said once.
    assert.match(reasons[1], /^multisymplectic: (?!multisymplectic).*no losses/);
    await page.close();
});

const solid = (mesh, element, more = '') => `title: A block is pulled
integrator: newmark-dcr
time: {end: 2, step: auto}
bodies:
  - name: block
    mesh: ${mesh}
    element: ${element}
    material: {linear: {young: 1000, poisson: 0.3, density: 1}}
    damping: {mass: 0.5}
  - name: ball
    mesh: {point: {at: [3, 0.5, 0]}}
    element: {point-mass: {mass: 1}}
restraints: [{body: block, set: xmin, fix: xyz}]
loads: [{body: block, set: xmax, traction: [0.02, 0.01, 0]}]
output: {fields: {every: 10}${more}}
`;
const solids = {
    'a real solid': ['{box: {from: [0, 0, 0], to: [2, 1, 1], elements: [6, 3, 3]}}', 'hex8'],
    'a real plane body': ['{rectangle: {from: [0, 0, 0], to: [2, 1, 0], columns: 8, rows: 4}}', '{quad4: {plane: strain}}'],
};
for (const [what, [mesh, element]] of Object.entries(solids)) {
    test(`${what} shows stress, damping and magnified displacements`, async () => {
        const name = what.replaceAll(' ', '_');
        writeFileSync(join(folder, `${name}.yaml`), solid(mesh, element));
        carom('run', `${name}.yaml`, '-o', name, '-q', '--report');
        const page = await open(join(folder, name, 'report.html'));
        assert.deepEqual(page.complaints, []);
        // It opens with the stress that ParaView calls the same, and offers the components.
        assert.equal(await page.getByLabel('Colour', { exact: true }).inputValue(), 'von_mises_nodes');
        const offered = await page.locator('#field option').allTextContents();
        assert.ok(offered.includes('stress xx') && offered.includes('stress xy'), offered.join('; '));
        // The ball has no stress, and is not painted as if it had none of it.
        assert.equal(await page.locator('.no-value').isVisible(), true);
        await page.keyboard.press('End');
        await settle(page);
        const lost = Number(
            (await page.locator('#ledger tr', { hasText: 'lost by damping' }).locator('td').nth(1).textContent()).replace('−', '-'),
        );
        const { ledger } = JSON.parse(readFileSync(join(folder, name, 'summary.json'), 'utf8'));
        assert.ok(ledger.last.damping > 0 && Math.abs(lost - ledger.last.damping) <= 1e-3 * ledger.last.damping);
        await page.getByRole('region', { name: 'Losses' }).getByRole('button', { name: 'damping' }).waitFor();
        // The displacement is about 1e-5 of the block: rigid to the eye until magnified.
        const still = await stagePicture(page);
        await page.getByLabel('Displacements', { exact: true }).selectOption('auto');
        await settle(page);
        const bent = await stagePicture(page);
        assert.ok(!still.equals(bent));
        assert.match(await page.locator('#magnify option:checked').textContent(), /^auto \([125]0{2,5}×\)$/);
        await page.waitForFunction(() => /magnify=auto/.test(location.hash));
        await page.close();
    });
}

test('a real beam opens as its swept section', async () => {
    carom('run', join(source, 'scenes/gallery/beam_in_a_box.yaml'), '-o', 'beam', '-q', '--report', '--set', 'time.end=0.05');
    const page = await open(join(folder, 'beam/report.html'));
    assert.deepEqual(page.complaints, []);
    assert.equal(await page.locator('#nothing').isVisible(), false);
    const places = Array.from({ length: 900 }, (_, i) => [((i % 30) + 0.5) / 30, (Math.floor(i / 30) + 0.5) / 30]);
    const colours = await pixels(page, await stagePicture(page), places);
    assert.ok(colours.some((colour) => Math.max(...colour.map((x, i) => Math.abs(x - colours[0][i]))) > 60));
    await page.close();
});

test('without WebGL there are the books and a word about the stage', async () => {
    carom('run', twoBars, '-o', 'blind', '-q', '--report');
    const file = join(folder, 'blind/report.html');
    const page = await open(file, {
        before: () => {
            HTMLCanvasElement.prototype.getContext = new Proxy(HTMLCanvasElement.prototype.getContext, {
                apply: (original, canvas, words) => (/webgl/.test(words[0]) ? null : Reflect.apply(original, canvas, words)),
            });
        },
    });
    assert.match(await page.locator('#nothing').textContent(), /no WebGL 2/);
    assert.equal(await page.locator('#nothing').isVisible(), true);
    assert.equal(await page.locator('#failure').isVisible(), false);
    assert.ok((await page.locator('.u-over').count()) > 3);
    await scrub(page, 30);
    assert.match(await page.locator('#ledger-time').textContent(), /row at t = 30/);
    assert.ok((await page.locator('#ledger tbody tr').count()) > 10);
    await page.close();
});

test('what a page leaves out stands at its foot', async () => {
    carom('run', twoBars, '-o', 'long', '-q', '--set', 'time.step=0.001', '--set', 'output.history.every=1');
    carom('report', 'long', '--max-size', '1.6');
    const page = await open(join(folder, 'long/report.html'));
    assert.match(await page.locator('#footer').textContent(), /rows of long tables left out; the extremes/);
    // Nothing that is in the ledger is called zero.
    assert.doesNotMatch(await page.locator('#zero').textContent(), /residual|losses|contacts/);
    await page.close();
});

test('the ledger names the row that it shows', async () => {
    carom('run', twoBars, '-o', 'rows', '-q', '--report', '--set', 'output.history.every=20');
    const page = await open(join(folder, 'rows/report.html'));
    await scrub(page, 10.6);
    assert.equal(await page.locator('#ledger-time').textContent(), 'row at t = 11');
    await page.close();
});

test('a title with markup is shown as it was written', async () => {
    const title = '</script><img src=x onerror=alert(1)> <!-- &lt;b&gt;';
    const scene = readFileSync(twoBars, 'utf8').replace(/^title:.*$/m, `title: ${JSON.stringify(title)}`);
    writeFileSync(join(folder, 'hostile.yaml'), scene);
    carom('run', 'hostile.yaml', '-o', 'hostile', '-q', '--report');
    assert.ok(existsSync(join(folder, 'hostile/report.html')));
    const page = await open(join(folder, 'hostile/report.html'));
    assert.equal(await page.locator('#title').textContent(), title);
    assert.equal(await page.locator('img').count(), 0);
    assert.deepEqual(page.complaints, []);
    await page.close();
});
