// SPDX-License-Identifier: MIT
// The report page in a real browser, with the samples of its own tests.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { close, desktop, open, phone, pixels, scrub, settle, stagePicture, time, writeSamples } from './browser.mjs';

const names = ['two_bars', 'plates', 'small_spheres', 'balls', 'beam', 'block', 'compare', 'hostile', 'no_frames'];
const file = writeSamples(...names);
after(close);

const near = (a, b, slack) => Math.max(...a.map((x, i) => Math.abs(x - b[i]))) <= slack;

for (const name of names) {
    test(`${name} loads from a file without a complaint, and fits the window`, async () => {
        for (const viewport of [desktop, phone]) {
            const page = await open(file[name], { viewport });
            assert.deepEqual(page.complaints, []);
            assert.equal(await page.locator('#failure').isVisible(), false);
            const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
            assert.ok(inner <= outer, `${inner} px in a window of ${outer} px`);
            // Controls are whole, and none lies on another.
            const boxes = await page
                .locator('button:visible, select:visible, input:visible')
                .evaluateAll((list) =>
                    list.map((one) => ({ name: one.id || one.textContent, ...one.getBoundingClientRect().toJSON() })),
                );
            for (const box of boxes)
                assert.ok(box.left >= 0 && box.right <= viewport.width + 0.5, `${box.name} is cut at ${viewport.width} px`);
            boxes.forEach((a, i) => {
                for (const b of boxes.slice(i + 1)) {
                    const apart =
                        a.right <= b.left + 0.5 ||
                        b.right <= a.left + 0.5 ||
                        a.bottom <= b.top + 0.5 ||
                        b.bottom <= a.top + 0.5;
                    assert.ok(apart, `${a.name} lies on ${b.name} at ${viewport.width} px`);
                }
            });
            await page.close();
        }
    });
}

test('frames play', async () => {
    const page = await open(file.plates);
    const first = await stagePicture(page);
    await page.getByRole('button', { name: 'Play' }).click();
    await page.waitForFunction(() => Number(document.querySelector('#scrub').value) > 0.05);
    await page.getByRole('button', { name: 'Pause' }).click();
    const stopped = await time(page);
    assert.ok(stopped > 0.05 && stopped < 1);
    await settle(page);
    assert.ok(!first.equals(await stagePicture(page)));
    await page.waitForTimeout(150);
    assert.equal(await time(page), stopped);
    await page.close();
});

test('scrubbing moves the hands of all plots', async () => {
    const page = await open(file.two_bars);
    await scrub(page, 30);
    assert.equal(await time(page), 30);
    const places = await page
        .locator('.u-over')
        .evaluateAll((list) =>
            list.map((over) => [
                over.querySelector('.hand').getBoundingClientRect().left - over.getBoundingClientRect().left,
                over.clientWidth,
            ]),
        );
    assert.equal(places.length, 5);
    for (const [left, width] of places)
        assert.ok(Math.abs(left + 0.75 - 0.75 * width) < 1.5, `the hand is at ${left} of ${width} px`);
    // Values beside the names are those of the clock: at 30 the bars are free again.
    const value = await page
        .getByRole('region', { name: 'Energy', exact: true })
        .locator('li', { hasText: 'internal' })
        .locator('.value')
        .textContent();
    assert.equal(value, '0');
    await page.close();
});

test('a click in a plot sets the clock, hovering only shows values', async () => {
    const page = await open(file.two_bars);
    const over = page.locator('.u-over').first();
    const box = await over.boundingBox();
    const value = page.getByRole('region', { name: 'Energy', exact: true }).locator('li', { hasText: 'internal' }).locator('.value');
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 20);
    await settle(page);
    assert.equal(await time(page), 0);
    assert.ok(Math.abs(Number(await value.textContent()) - 0.1) < 1e-3);
    await page.mouse.down();
    await page.mouse.up();
    assert.ok(Math.abs((await time(page)) - 12) < 0.15);
    await page.close();
});

test('the colours are those of the field, the map and the bodies', async () => {
    const page = await open(file.two_bars);
    // In the x-t diagram, where nothing is shaded: the left bar flies, the bars stand, the right bar flies.
    const places = [
        [0.25, 0.75],
        [0.5, 0.4],
        [0.75, 0.75],
    ];
    const speed = await pixels(page, await stagePicture(page), places);
    const bar = await page
        .locator('#colourbar canvas')
        .evaluate((canvas) => [0, 255].map((x) => [...canvas.getContext('2d').getImageData(x, 0, 1, 1).data.slice(0, 3)]));
    assert.ok(
        near(speed[0], bar[1], 2) && near(speed[1], bar[0], 2) && near(speed[2], bar[1], 2),
        JSON.stringify([speed, bar]),
    );
    await page.getByLabel('Colour', { exact: true }).selectOption('body');
    await settle(page);
    const body = await pixels(page, await stagePicture(page), places);
    assert.ok(near(body[0], [0x00, 0x77, 0xbb], 2) && near(body[2], [0xee, 0x77, 0x33], 2), JSON.stringify(body));
    // The velocity has a sign: the two ends of the diverging map.
    await page.getByLabel('Colour', { exact: true }).selectOption('velocity_x');
    await settle(page);
    const signed = await pixels(page, await stagePicture(page), places);
    assert.ok(signed[0][2] > signed[0][0] + 40 && signed[2][0] > signed[2][2] + 40, JSON.stringify(signed));
    assert.ok(Math.min(...signed[1]) > 200, 'zero is light');
    await page.close();
});

test('a typed range moves the colours and the scale', async () => {
    const page = await open(file.two_bars);
    const before = await pixels(page, await stagePicture(page), [[0.25, 0.75]]);
    await page.getByLabel('Range', { exact: true }).selectOption('typed');
    await page.getByLabel('Highest value').fill('0.4');
    await page.getByLabel('Highest value').press('Enter');
    await settle(page);
    const now = await pixels(page, await stagePicture(page), [[0.25, 0.75]]);
    assert.ok(!near(before[0], now[0], 40));
    assert.deepEqual(await page.locator('.ticks span').allTextContents(), ['0.0', '0.1', '0.2', '0.3', '0.4']);
    await page.getByLabel('Lowest value').fill('9');
    await page.getByLabel('Lowest value').press('Enter');
    assert.equal(await page.getByLabel('Lowest value').getAttribute('aria-invalid'), 'true');
    assert.deepEqual(await page.locator('.ticks span').allTextContents(), ['0.0', '0.1', '0.2', '0.3', '0.4']);
    await page.close();
});

test('keys work, and not where one types', async () => {
    const page = await open(file.two_bars);
    await page.keyboard.press('ArrowRight');
    assert.equal(await time(page), 0.4);
    await page.keyboard.press('Shift+ArrowRight');
    assert.equal(await time(page), 4.4);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await time(page), 4);
    await page.keyboard.press('End');
    assert.equal(await time(page), 40);
    await page.keyboard.press('Home');
    assert.equal(await time(page), 0);
    await page.keyboard.press(']');
    assert.equal(await page.getByLabel('Speed', { exact: true }).inputValue(), '2');
    await page.keyboard.press('w');
    assert.equal(await page.getByLabel('wireframe').isChecked(), true);
    await page.keyboard.press('v');
    assert.equal(await page.getByLabel('Colour', { exact: true }).inputValue(), 'displacement');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Range', { exact: true }).selectOption('typed');
    await page.getByLabel('Lowest value').fill('');
    await page.getByLabel('Lowest value').press('w');
    assert.equal(await page.getByLabel('wireframe').isChecked(), true);
    assert.deepEqual(page.complaints, []);
    await page.close();
});

test('every control has a name, the focus can be seen, and tab follows the page', async () => {
    const page = await open(file.plates);
    const nameless = await page
        .locator('button, select, input, canvas[tabindex]')
        .evaluateAll((list) =>
            list
                .filter(
                    (one) => !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.[0]?.textContent.trim()),
                )
                .map((one) => one.outerHTML),
        );
    assert.deepEqual(nameless, []);
    const order = [];
    for (let i = 0; i < 18; i++) {
        await page.keyboard.press('Tab');
        order.push(await page.evaluate(() => document.activeElement.id));
        assert.notEqual(
            await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle),
            'none',
            `${order.at(-1)} shows its focus`,
        );
    }
    assert.deepEqual(order.slice(0, 17), [
        'picture',
        'video',
        'help',
        'theme',
        'view',
        'zoom-in',
        'zoom-out',
        'fit',
        'to-peak',
        'play',
        'previous',
        'next',
        'scrub',
        'speed',
        'loop',
        'field',
        'range',
    ]);
    await page.close();
});

test('the picture is a PNG with something in it', async () => {
    const page = await open(file.plates, { hash: 't=0.5' });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save a picture (PNG)' }).click();
    const saved = await download;
    assert.equal(saved.suggestedFilename(), 'A_plate_falls_onto_a_plate_t_0.500.png');
    const png = readFileSync(await saved.path());
    assert.deepEqual([...png.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    assert.ok(png.readUInt32BE(16) > 1000 && png.readUInt32BE(20) > 600, 'it is twice as fine as the stage');
    // A place on the anvil, against the paper around.
    const [anvil, paper] = await pixels(page, png, [
        [0.5, 0.8],
        [0.01, 0.5],
    ]);
    assert.ok(!near(anvil, paper, 60), JSON.stringify([anvil, paper]));
    // The page itself goes on as before.
    await page.keyboard.press('End');
    await settle(page);
    assert.deepEqual(page.complaints, []);
    await page.close();
});

test('text of the user is text', async () => {
    const page = await open(file.hostile);
    const title = '</script><img src=x onerror=document.title="owned"><b>&amp; bold</b> <!-- "quoted" \\u003c';
    assert.equal(await page.locator('#title').textContent(), title);
    assert.equal(await page.title(), `${title} – carom`);
    assert.equal(await page.locator('img, b').count(), 0);
    assert.equal(await page.getByLabel('<img src=x onerror=alert(1)>').count(), 1);
    assert.match(await page.locator('#scene').textContent(), /<\/script><img/);
    assert.deepEqual(page.complaints, []);
    await page.close();
});

test('the address keeps the view', async () => {
    const page = await open(file.beam);
    await scrub(page, 2);
    await page.getByLabel('Colour', { exact: true }).selectOption('curvature');
    await page.getByLabel('wireframe').check();
    await page.getByRole('button', { name: 'View along y' }).click();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByRole('button', { name: 'Dark colours' }).click();
    await page.waitForFunction(() => /theme=dark/.test(location.hash) && /camera=/.test(location.hash));
    await page.locator('h1').hover();
    await settle(page);
    const picture = await stagePicture(page);
    const hash = await page.evaluate(() => location.hash.slice(1));
    const again = await open(file.beam, { hash });
    assert.equal(await time(again), 2);
    assert.equal(await again.getByLabel('Colour', { exact: true }).inputValue(), 'curvature');
    assert.equal(await again.getByLabel('wireframe').isChecked(), true);
    assert.equal(await again.evaluate(() => document.documentElement.dataset.theme), 'dark');
    const places = Array.from({ length: 400 }, (_, i) => [((i % 20) + 0.5) / 20, (Math.floor(i / 20) + 0.5) / 20]);
    const [a, b] = [await pixels(page, picture, places), await pixels(page, await stagePicture(again), places)];
    assert.ok(a.filter((colour, i) => near(colour, b[i], 24)).length >= 396, 'the pictures are the same');
    assert.ok(
        a.some((colour) => !near(colour, a[0], 60)),
        'and not empty',
    );
    await page.close();
    await again.close();
});

test('a body can be hidden', async () => {
    const page = await open(file.plates);
    const place = [[0.5, 0.9]];
    const [shown] = await pixels(page, await stagePicture(page), place);
    await page.getByLabel('anvil').uncheck();
    await settle(page);
    const [hidden] = await pixels(page, await stagePicture(page), place);
    assert.ok(!near(shown, hidden, 60), JSON.stringify([shown, hidden]));
    await page.close();
});

test('contact points and normals are shown when asked for', async () => {
    const page = await open(file.small_spheres, { hash: 't=0.015' });
    const places = Array.from({ length: 10_000 }, (_, i) => [((i % 100) + 0.5) / 100, (Math.floor(i / 100) + 0.5) / 100]);
    const red = async () =>
        (await pixels(page, await stagePicture(page), places)).filter((colour) => near(colour, [0xcc, 0x33, 0x11], 12)).length;
    assert.equal(await red(), 0);
    await page.getByLabel('contact points').check();
    await settle(page);
    const dots = await red();
    assert.ok(dots > 5, `${dots} places are red`);
    await page.getByLabel('normals').check();
    await settle(page);
    assert.ok((await red()) > dots);
    // Long before the impact there are none.
    await scrub(page, 0.003);
    assert.equal(await red(), 0);
    await page.close();
});

test('the stage turns, moves and zooms by mouse, and fit brings it back', async () => {
    const page = await open(file.small_spheres);
    const box = await page.locator('#view').boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const first = await stagePicture(page);
    let last = first;
    const changed = async (what) => {
        await settle(page);
        const now = await stagePicture(page);
        assert.ok(!now.equals(last), what);
        last = now;
    };
    for (const button of ['left', 'right']) {
        await page.mouse.move(x, y);
        await page.mouse.down({ button });
        await page.mouse.move(x + 60, y + 25, { steps: 3 });
        await page.mouse.up({ button });
        await changed(button);
    }
    await page.mouse.wheel(0, -300);
    await changed('wheel');
    await page.keyboard.press('f');
    await page.locator('h1').hover();
    await settle(page);
    const places = Array.from({ length: 400 }, (_, i) => [((i % 20) + 0.5) / 20, (Math.floor(i / 20) + 0.5) / 20]);
    const [a, b] = [await pixels(page, first, places), await pixels(page, await stagePicture(page), places)];
    assert.ok(a.filter((colour, i) => near(colour, b[i], 24)).length >= 396);
    await page.close();
});

test('the range of a frame follows the clock', async () => {
    const page = await open(file.small_spheres, { hash: 'field=von_mises&range=frame' });
    const highest = async () => Number((await page.locator('.ticks span').allTextContents()).at(-1));
    await scrub(page, 0.015);
    const most = await highest();
    await scrub(page, 0.012);
    assert.ok((await highest()) < 0.5 * most);
    await page.close();
});

test('the ledger is that of the clock', async () => {
    const page = await open(file.two_bars);
    await scrub(page, 12);
    const row = page.locator('#ledger tr', { hasText: 'internal' });
    assert.deepEqual(
        (await row.locator('td').allTextContents()).map((x) => x.trim()),
        ['0', '0.1', '0.1', '100.000 %'],
    );
    assert.match(await page.locator('#ledger-time').textContent(), /t = 12/);
    await page.close();
});

test('dark is what the system prefers, until the switch is used', async () => {
    const page = await open(file.two_bars, { colorScheme: 'dark' });
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    assert.equal(await paper(), 'rgb(21, 23, 27)');
    await page.getByRole('button', { name: 'Light colours' }).click();
    assert.equal(await paper(), 'rgb(252, 251, 249)');
    await page.close();
});

test('a comparison shows its methods, their curves and who failed', async () => {
    const page = await open(file.compare);
    assert.deepEqual(
        await page
            .locator('.methods thead th')
            .allTextContents()
            .then((list) => list.map((text) => text.trim())),
        ['', 'newmark-dcr', 'newmark-dcr:step=0.01', 'multisymplectic'],
    );
    assert.match(await page.locator('.failures').textContent(), /energy-momentum: contact\.resolve/);
    const energy = page.getByRole('region', { name: 'Energy', exact: true });
    assert.equal(await energy.locator('.legend li').count(), 3);
    await scrub(page, 22);
    const values = () => energy.locator('.value').allTextContents();
    const total = await values();
    await energy.getByLabel('Energy: quantity').selectOption('internal');
    assert.notDeepEqual(await values(), total);
    await page.getByLabel('multisymplectic', { exact: true }).check();
    await settle(page);
    assert.match(await page.evaluate(() => new Promise((done) => setTimeout(() => done(location.hash), 400))), /run=2/);
    // The lost energy of the method on the stage, in the ledger.
    assert.equal(await page.locator('#ledger tr', { hasText: 'projection' }).locator('td').nth(1).textContent(), '0');
    assert.deepEqual(page.complaints, []);
    await page.close();
});

test('a curve can be switched off', async () => {
    const page = await open(file.two_bars);
    const button = page.getByRole('region', { name: 'Energy', exact: true }).getByRole('button', { name: 'kinetic' });
    const plot = page.locator('.u-wrap').first();
    const before = await plot.screenshot();
    await button.click();
    await settle(page);
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
    assert.ok(!before.equals(await plot.screenshot()));
    await page.close();
});

test('a page of stress opens at the most stressed moment, with the largest value named and marked', async () => {
    const page = await open(file.block);
    assert.equal(await page.locator('#time').textContent(), 't = 0.500 s');
    assert.equal(await page.locator('.bar-label').textContent(), 'von Mises stress (MPa)');
    // Node 0 has ten times the stress of its neighbours, 20.
    assert.match(await page.locator('#peak-text').textContent(), /20 MPa · block, node 0 · t = 0\.500 s/);
    assert.equal(await page.locator('.tag.largest').textContent(), '20 MPa');
    // The one hot corner does not take the colours: they end near the rest, 2, with an arrow; the whole range goes to 20.
    const highest = async () => Number((await page.locator('.ticks span').allTextContents()).at(-1));
    assert.ok((await highest()) <= 2);
    assert.equal(await page.locator('.bar.more-above').count(), 1);
    await page.getByLabel('Range', { exact: true }).selectOption('run');
    assert.equal(await highest(), 20);
    assert.equal(await page.locator('.bar.more-above').count(), 0);
    await page.getByLabel('largest value').uncheck();
    await settle(page);
    assert.equal(await page.locator('.tag.largest').count(), 0);
    await page.keyboard.press('Home');
    await page.keyboard.press('m');
    assert.equal(await page.locator('#time').textContent(), 't = 0.500 s');
    await page.close();
});

test('the curves of stress and force stand before the books', async () => {
    const page = await open(file.block);
    assert.deepEqual((await page.locator('#curves h3').allTextContents()).slice(0, 3), ['Peak stress', 'Contact force', 'Energy']);
    const value = (name) => page.getByRole('region', { name }).locator('.value').first().textContent();
    assert.equal(await value('Peak stress'), '20');
    assert.equal(await value('Contact force'), '25');
    assert.equal(await page.getByRole('region', { name: 'Contact force' }).locator('.unit').textContent(), 'N');
    await scrub(page, 0.2);
    assert.equal(await value('Contact force'), '0');
    await page.close();
});

test('the floor carries a shadow that darkens as the block comes down', async () => {
    const page = await open(file.block, { hash: 't=0&largest=0' });
    // Below the block, and beside it on the floor.
    const places = [
        [0.5, 0.87],
        [0.75, 0.87],
    ];
    const darker = async () => {
        const [below, beside] = await pixels(page, await stagePicture(page), places);
        return beside[1] - below[1];
    };
    const high = await darker();
    await scrub(page, 0.1);
    const low = await darker();
    assert.ok(high > 5 && low > high + 5, `${high} high above the floor, ${low} nearer to it`);
    await page.getByLabel('planes').uncheck();
    await settle(page);
    assert.equal(await darker(), 0);
    await page.close();
});

test('a section shows the values inside', async () => {
    const page = await open(file.block, { hash: 't=0.5&range=1,2&largest=0&section=y,0.5,1' });
    const box = await page.locator('#view').boundingBox();
    await page.getByRole('button', { name: 'View along y' }).click();
    await settle(page);
    // Straight at the cut, 1 at the top and 2 at the bottom: the colours of the bar, unshaded.
    const picture = await stagePicture(page);
    const column = await pixels(
        page,
        picture,
        Array.from({ length: 200 }, (_, i) => [0.5, (i + 0.5) / 200]),
    );
    const bar = await page
        .locator('#colourbar canvas')
        .evaluate((canvas) => {
            const { data } = canvas.getContext('2d').getImageData(0, 0, 256, 1);
            return [10, 128, 245].map((x) => [...data.slice(4 * x, 4 * x + 3)]);
        });
    for (const wanted of bar) assert.ok(column.some((colour) => near(colour, wanted, 14)), JSON.stringify([wanted, column]));
    // A click picks a node inside, in the middle of the cut, and draws its curve.
    const rows = column.map((colour, i) => [colour, i]).filter(([colour]) => near(colour, bar[1], 30));
    await page.mouse.click(box.x + 0.5 * box.width, box.y + ((rows[0][1] + 0.5) / 200) * box.height);
    await settle(page);
    assert.match(await page.locator('.tag.picked').textContent(), /inside/);
    assert.match(await page.locator('#picked h3').textContent(), /^Node \d+ of block$/);
    assert.deepEqual(page.complaints, []);
    await page.close();
});

test('a node is picked by a click or by its name, and let go by escape', async () => {
    const page = await open(file.block);
    const box = await page.locator('#view').boundingBox();
    const input = page.getByLabel('Node', { exact: true });
    await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.75 * box.height);
    assert.match(await input.inputValue(), /^block:\d+$/);
    await input.fill('0');
    await input.press('Enter');
    // the tag is drawn with the next frame
    await settle(page);
    assert.equal(await page.locator('#picked h3').textContent(), 'Node 0 of block');
    assert.equal(await page.getByRole('region', { name: 'Node 0 of block' }).locator('.value').textContent(), '20');
    assert.match(await page.locator('.tag.picked').textContent(), /^block, node 0\(0, 0, .*\)20 MPa$/);
    await input.fill('block:777');
    await input.press('Enter');
    assert.equal(await input.getAttribute('aria-invalid'), 'true');
    await page.locator('h1').click();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#picked h3').count(), 0);
    await page.close();
});

test('arrows of contact force are drawn when asked for', async () => {
    const page = await open(file.block, { hash: 't=0.5&largest=0' });
    const places = Array.from({ length: 10_000 }, (_, i) => [((i % 100) + 0.5) / 100, (Math.floor(i / 100) + 0.5) / 100]);
    const red = async () =>
        (await pixels(page, await stagePicture(page), places)).filter((colour) => near(colour, [0xcc, 0x33, 0x11], 14)).length;
    assert.equal(await red(), 0);
    await page.getByLabel('Contact forces').selectOption('1');
    await settle(page);
    const some = await red();
    assert.ok(some > 10);
    await page.getByLabel('Contact forces').selectOption('3');
    await settle(page);
    assert.ok((await red()) > some);
    assert.equal(await page.locator('#force-scale').textContent(), 'largest force now 1 N');
    await scrub(page, 0);
    assert.equal(await red(), 0);
    await page.close();
});

test('a video is recorded, and a browser that cannot says so', async () => {
    const page = await open(file.block, { hash: 'speed=4', viewport: { width: 900, height: 600 } });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Record a video' }).click();
    const saved = await download;
    assert.match(saved.suggestedFilename(), /^A_block_falls_on_a_floor\.(webm|mp4)$/);
    const bytes = readFileSync(await saved.path());
    assert.ok(bytes.length > 5000, `${bytes.length} bytes`);
    // The mark of Matroska, of which WebM is a part; or that of MP4.
    assert.ok(bytes.readUInt32BE(0) === 0x1a45dfa3 || bytes.subarray(4, 8).toString() === 'ftyp');
    assert.deepEqual(page.complaints, []);
    await page.close();
    const old = await open(file.block, { before: () => delete window.MediaRecorder });
    await old.getByRole('button', { name: 'Record a video' }).click();
    assert.match(await old.locator('#fallback').textContent(), /cannot record/);
    await old.close();
});
