// SPDX-License-Identifier: MIT
// Bundles the unit tests and runs them by node's own runner:  node run_tests.mjs
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const node = (...words) => spawnSync(process.execPath, words, { cwd: here, stdio: 'inherit' }).status ?? 1;
let status = node('build.mjs', '--tests');
if (status === 0) {
    const tests = readdirSync(join(here, 'out/unit')).filter((name) => name.endsWith('.test.mjs'));
    status = node('--test', ...tests.map((name) => join('out/unit', name)));
}
process.exit(status);
