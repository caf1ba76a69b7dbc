// SPDX-License-Identifier: MIT
// Makes the template of the report page, one file with all script and style inside:  node build.mjs [OUTPUT]
// With --tests it bundles the unit tests into out/unit instead.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const marker = '<script type="application/json" id="carom-data">null</script>';
const target = ['chrome111', 'firefox113', 'safari16.4'];

async function bundle(options) {
    const result = await build({
        absWorkingDir: here,
        bundle: true,
        minify: true,
        write: false,
        logLevel: 'warning',
        legalComments: 'none',
        ...options,
    });
    return result.outputFiles[0].text.trim();
}

async function page(output) {
    const script = await bundle({ entryPoints: ['src/main.ts'], format: 'iife', target });
    const style = await bundle({ entryPoints: ['src/page.css'], target });
    const licences = ['three', 'uplot'].map((name) => {
        const { version } = JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8'));
        return `${name} ${version}: ${readFileSync(join(here, 'node_modules', name, 'LICENSE'), 'utf8').match(/Copyright.*/)[0]}`;
    });
    const code = `/*! carom, with ${licences.join('; ')}; all under the MIT licence */${script}`;

    // Only this script and this style may run; nothing may be fetched.
    const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const policy = `default-src 'none'; script-src ${hash(code)}; style-src ${hash(style)}; img-src data: blob:; base-uri 'none'; form-action 'none'`;
    const fill = { policy, style, script: code };
    const html = readFileSync(join(here, 'template.html'), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => fill[name]);

    // The program looks for this line; it must be there once.
    if (html.split('\n').filter((line) => line === marker).length !== 1 || html.split('id="carom-data"').length !== 2) {
        throw new Error('the template does not have exactly one line for the data');
    }
    if (/<\/script/i.test(code) || /<\/style/i.test(style)) throw new Error('the script or the style would end its element');
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, html);
    console.log(`${output}: ${Math.round(html.length / 1024)} KiB`);
}

async function tests() {
    const entryPoints = readdirSync(join(here, 'test'))
        .filter((name) => /\.ts$/.test(name))
        .map((name) => `test/${name}`);
    await build({
        absWorkingDir: here,
        entryPoints,
        outdir: 'out/unit',
        outExtension: { '.js': '.mjs' },
        bundle: true,
        platform: 'node',
        format: 'esm',
        logLevel: 'warning',
    });
}

if (process.argv[2] === '--tests') await tests();
else await page(process.argv[2] ?? join(here, 'out', 'report.html'));
