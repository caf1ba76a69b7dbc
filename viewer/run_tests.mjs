// SPDX-License-Identifier: MIT
// Checks the types, or bundles the unit tests and runs them by node's own runner:  node run_tests.mjs types|unit
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const node = (...words) => spawnSync(process.execPath, words, { cwd: here, stdio: 'inherit' }).status ?? 1;

// The exit code that CTest takes for "skipped".
if (!existsSync(join(here, 'node_modules/typescript'))) {
    console.log('skipped: the packages of the page could not be fetched');
    process.exit(77);
}
if (process.argv[2] === 'types') process.exit(node('node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'));
const status = node('build.mjs', '--tests');
if (status !== 0) process.exit(status);
const tests = readdirSync(join(here, 'out/unit')).filter((name) => name.endsWith('.test.mjs'));
process.exit(node('--test', ...tests.map((name) => join('out/unit', name))));
