// SPDX-License-Identifier: MIT
// Play, scrub, step, speed and loop.

import { speeds, type Clock } from './clock.ts';
import { byId, make } from './dom.ts';
import { fixed } from './format.ts';
import { dimensions, valueText, type Units } from './units.ts';

// The clock's time, or another one, with as many decimals as its span needs.
export function timeText(clock: Clock, units: Units | null = null, time = clock.time): string {
    const span = clock.end - clock.begin || Math.abs(clock.end) || 1;
    return valueText(`t = ${fixed(time, 10 ** Math.floor(Math.log10(span / 500)))}`, units, dimensions.time);
}

export function connect(clock: Clock, units: Units | null): void {
    const play = byId<HTMLButtonElement>('play');
    const scrub = byId<HTMLInputElement>('scrub');
    const time = byId('time');
    const speed = byId<HTMLSelectElement>('speed');
    const loop = byId<HTMLButtonElement>('loop');
    scrub.min = String(clock.begin);
    scrub.max = String(clock.end);
    for (const value of speeds) speed.append(make('option', { value: String(value) }, `${value}×`));

    play.addEventListener('click', () => clock.toggle());
    byId('previous').addEventListener('click', () => clock.step(-1));
    byId('next').addEventListener('click', () => clock.step(1));
    scrub.addEventListener('input', () => {
        clock.pause();
        clock.set(Number(scrub.value));
    });
    speed.addEventListener('change', () => clock.setSpeed(Number(speed.value)));
    loop.addEventListener('click', () => clock.setLoop(!clock.loop));

    clock.onChange(() => {
        play.classList.toggle('playing', clock.playing);
        play.setAttribute('aria-label', clock.playing ? 'Pause' : 'Play');
        scrub.value = String(clock.time);
        const text = timeText(clock, units);
        scrub.setAttribute('aria-valuetext', text);
        time.textContent = text;
        speed.value = String(clock.speed);
        loop.setAttribute('aria-pressed', String(clock.loop));
    });
}
