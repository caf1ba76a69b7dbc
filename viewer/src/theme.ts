// SPDX-License-Identifier: MIT
// Light and dark: as set in the reader's system, until the switch is used.

export type Theme = 'light' | 'dark';

const preference = matchMedia('(prefers-color-scheme: dark)');

export function currentTheme(): Theme {
    const chosen = document.documentElement.dataset['theme'];
    if (chosen === 'light' || chosen === 'dark') return chosen;
    return preference.matches ? 'dark' : 'light';
}

export function setTheme(theme: Theme | null): void {
    if (theme) document.documentElement.dataset['theme'] = theme;
    else delete document.documentElement.dataset['theme'];
}

export function onPreference(listener: () => void): void {
    preference.addEventListener('change', listener);
}
