// SPDX-License-Identifier: MIT
// How fast the page plays 200 frames of 20,000 triangles on the software renderer:  node test/browser/frames_per_second.mjs
// Not a test: the answer depends on the machine. Needs $CAROM_PAGE_BUILD, the folder viewer/ of a build with CAROM_TESTS=ON.
import { statSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { close, desktop, open, writeSamples } from './browser.mjs';

const { spheres } = writeSamples('spheres');
const begin = performance.now();
const page = await open(spheres, { bypassCSP: true });
console.log(
    `page ${(statSync(spheres).size / 2 ** 20).toFixed(1)} MiB, open after ${((performance.now() - begin) / 1000).toFixed(1)} s`,
);
console.log(
    `${cpus().length} cores, load ${loadavg()[0].toFixed(1)}, ${await page.evaluate(() => {
        const gl = document.createElement('canvas').getContext('webgl2');
        return gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL);
    })}`,
);

async function measure(what) {
    await page.getByLabel('Loop').evaluate((button) => button.getAttribute('aria-pressed') === 'true' || button.click());
    await page.locator('#play').evaluate((button) => button.classList.contains('playing') || button.click());
    const count = await page.evaluate(
        () =>
            new Promise((done) => {
                const begin = performance.now();
                let pictures = 0;
                const next = () => {
                    pictures++;
                    const passed = performance.now() - begin;
                    if (passed < 5000) requestAnimationFrame(next);
                    else done((1000 * pictures) / passed);
                };
                requestAnimationFrame(next);
            }),
    );
    const size = await page.locator('#view').evaluate((view) => `${view.width} x ${view.height}`);
    console.log(`${what}, stage of ${size} pixels: ${count.toFixed(1)} frames per second`);
}

await measure(`page of ${desktop.width} x ${desktop.height}`);
await page.addStyleTag({
    content: '.stage { position: fixed; inset: 0 auto auto 0; width: 1280px; height: 720px; z-index: 9; }',
});
await page.waitForTimeout(500);
await measure('stage alone');
await close();
