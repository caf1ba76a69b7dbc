// SPDX-License-Identifier: MIT
// A headless Chromium of the system, driven by playwright-core from the build folder of the page ($CAROM_PAGE_BUILD).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const build = process.env.CAROM_PAGE_BUILD;

// The exit code that CTest takes for "skipped".
function skip(reason) {
    console.log(`skipped: ${reason}`);
    process.exit(77);
}

function find(names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
        for (const name of names) if (existsSync(join(folder, name))) return join(folder, name);
    }
    return null;
}

if (!build || !existsSync(join(build, 'report.html'))) skip('the report page is not built');
if (!existsSync(join(build, 'node_modules/playwright-core')))
    skip('playwright-core is not there (configure with CAROM_TESTS=ON)');
const executablePath = process.env.CHROMIUM ?? find(['chromium', 'chromium-browser', 'google-chrome']);
if (!executablePath) skip('there is no Chromium');

const { chromium } = createRequire(join(build, 'x'))('playwright-core');
const browser = await chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: [
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
        '--disable-background-networking',
        '--disable-component-update',
        '--no-first-run',
    ],
});

export const folder = mkdtempSync(join(tmpdir(), 'carom-browser-'));
export const template = join(build, 'report.html');
export const desktop = { width: 1280, height: 720 };
export const phone = { width: 390, height: 844 };

export async function close() {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
}

// Pages made from the samples of the page's own tests; the names of their files.
export function writeSamples(...names) {
    for (const words of [
        ['build.mjs', '--tests'],
        ['out/unit/write_samples.mjs', template, folder, ...names],
    ]) {
        const { status, stderr } = spawnSync(process.execPath, words, { cwd: build, encoding: 'utf8' });
        if (status !== 0) throw new Error(stderr);
    }
    return Object.fromEntries(names.map((name) => [name, join(folder, `${name}.html`)]));
}

// Opens a file and waits for its first picture. What goes wrong in it is kept in `page.complaints`. `before` runs in the page
// ahead of its own script.
export async function open(file, { viewport = desktop, hash = '', before = null, ...options } = {}) {
    const page = await browser.newPage({ viewport, acceptDownloads: true, ...options });
    if (before) await page.addInitScript(before);
    page.complaints = [];
    page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) page.complaints.push(message.text());
    });
    page.on('pageerror', (error) => page.complaints.push(error.message));
    page.on('dialog', (dialog) => {
        page.complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
    });
    page.on('request', (request) => {
        if (!/^(file|data|blob):/.test(request.url())) page.complaints.push(`request: ${request.url()}`);
    });
    await page.goto(`${pathToFileURL(file)}${hash && `#${hash}`}`);
    await settle(page);
    return page;
}

// Two more pictures: what was asked for is drawn.
export async function settle(page) {
    await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))),
    );
}

// Colours of a picture at places given as parts of its width and height.
export async function pixels(page, png, places) {
    return page.evaluate(
        async ([data, at]) => {
            const image = new Image();
            image.src = `data:image/png;base64,${data}`;
            await image.decode();
            const canvas = document.createElement('canvas');
            canvas.width = image.width;
            canvas.height = image.height;
            const context = canvas.getContext('2d', { willReadFrequently: true });
            context.drawImage(image, 0, 0);
            return at.map(([x, y]) => [
                ...context.getImageData(Math.floor(x * image.width), Math.floor(y * image.height), 1, 1).data.slice(0, 3),
            ]);
        },
        [png.toString('base64'), places],
    );
}

export const stagePicture = (page) => page.locator('#view').screenshot();
export const time = async (page) => Number((await page.locator('#time').textContent()).replace('t = ', '').replace('−', '-'));

// Sets the clock as the slider does.
export async function scrub(page, value) {
    await page.locator('#scrub').evaluate((slider, to) => {
        slider.value = String(to);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
    }, value);
    await settle(page);
}
