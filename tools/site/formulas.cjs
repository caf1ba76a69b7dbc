// SPDX-License-Identifier: MIT
// Formulas as HTML and MathML, for tools/site/conf.py: a line {"formula", "display"} in, a line {"html"} or {"error"} out.
const katex = require('/usr/share/nodejs/katex');

const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
    const { formula, display } = JSON.parse(line);
    let answer;
    try {
        answer = { html: katex.renderToString(formula, { displayMode: display, throwOnError: true, strict: 'ignore' }) };
    } catch (failure) {
        answer = { error: String(failure.message) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
});
