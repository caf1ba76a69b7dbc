// SPDX-License-Identifier: MIT
// What the command writes, opened in a real browser: a run, a comparison, a hostile title.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { close, folder, open, pixels, scrub, stagePicture, template } from './browser.mjs';

const command = process.env.CAROM;
const source = process.env.CAROM_SOURCE;
after(close);

function carom(...words) {
    const { status, stdout, stderr } = spawnSync(command, words, {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, CAROM_VIEWER: template },
    });
    assert.equal(status, 0, stderr);
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

test('a comparison opens with its methods and the reason of the one that cannot', async () => {
    carom('compare', twoBars, '--integrators', 'newmark-dcr,newmark-dcr:step=0.1,multisymplectic', '-o', 'all');
    const page = await open(join(folder, 'all/compare.html'));
    assert.deepEqual(page.complaints, []);
    assert.equal(await page.getByRole('region', { name: 'Energy' }).locator('.legend li').count(), 3);
    assert.ok((await page.locator('.methods tbody tr').count()) > 5);
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
