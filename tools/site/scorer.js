// SPDX-License-Identifier: MIT
// Which results of a search come first: pages of the manual before theory, scenes, members of C and the history of changes.
const scorerPlaces = [
    [/^docs\/manual\/scene$/, 12],
    [/^docs\/(manual|tour)/, 15],
    [/^docs\/(theory|verification|performance)/, 4],
    [/^reference\/c\//, -12],
    [/^gallery\//, -4],
    [/^(CHANGELOG|test\/|docs\/developer\/)/, -10],
];
// With `var`, since the search of Sphinx declares its own the same way where there is none.
// eslint-disable-next-line no-unused-vars, no-var
var Scorer = {
    score: ([page, , , , score]) => score + (scorerPlaces.find(([place]) => place.test(page)) ?? [null, 0])[1],
    objNameMatch: 11,
    objPartialMatch: 6,
    objPrio: { 0: 5, 1: 0, 2: -5 },
    objPrioDefault: 0,
    title: 15,
    partialTitle: 7,
    term: 5,
    partialTerm: 2,
};
