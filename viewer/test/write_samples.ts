// SPDX-License-Identifier: MIT
// Writes a page for each sample:  node write_samples.mjs TEMPLATE FOLDER [NAME...]

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fill, samples } from './samples.ts';

const [template, folder, ...names] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
for (const name of names.length > 0 ? names : Object.keys(samples)) {
    writeFileSync(`${folder}/${name}.html`, fill(readFileSync(template, 'utf8'), samples[name]()));
}
