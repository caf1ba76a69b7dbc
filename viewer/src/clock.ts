// SPDX-License-Identifier: MIT
// The clock of the animation, which all views of the page share: it converts the time since the last picture into time of the
// run. At speed 1 the whole run, from `begin` to `end`, takes ten seconds. `stops` are the times of the frames, ascending.

export const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4] as const;
const wholeSpan = 10;

export class Clock {
    time: number;
    playing = false;
    loop = false;
    speed = 1;
    private last = 0;
    private readonly listeners: ((clock: Clock) => void)[] = [];

    constructor(
        readonly begin: number,
        readonly end: number,
        private readonly stops: ArrayLike<number>,
    ) {
        this.time = begin;
    }

    onChange(listener: (clock: Clock) => void): void {
        this.listeners.push(listener);
    }

    private notify(): void {
        for (const listener of this.listeners) listener(this);
    }

    set(time: number): void {
        this.time = Math.max(this.begin, Math.min(this.end, time));
        this.notify();
    }

    toggle(): void {
        this.playing = !this.playing && this.end > this.begin;
        if (this.playing && this.time >= this.end) this.time = this.begin;
        this.last = performance.now();
        this.notify();
    }

    pause(): void {
        if (this.playing) this.toggle();
    }

    setSpeed(speed: number): void {
        this.speed = speed;
        this.notify();
    }

    // Selects the speed `by` places further in the list.
    faster(by: number): void {
        const at = speeds.indexOf(this.speed as (typeof speeds)[number]);
        this.setSpeed(speeds[Math.max(0, Math.min(speeds.length - 1, at + by))]);
    }

    setLoop(loop: boolean): void {
        this.loop = loop;
        this.notify();
    }

    // Moves by `by` frames; a time between two frames goes to the next one in that direction.
    step(by: number): void {
        this.pause();
        const stops = this.stops;
        if (stops.length === 0) return;
        const slack = 1e-9 * (this.end - this.begin);
        let at: number;
        if (by > 0) {
            at = stops.length - 1;
            while (at > 0 && stops[at - 1] > this.time + slack) at--;
            at += by - 1;
        } else {
            at = 0;
            while (at < stops.length - 1 && stops[at + 1] < this.time - slack) at++;
            at += by + 1;
        }
        this.set(stops[Math.max(0, Math.min(stops.length - 1, at))]);
    }

    // Called once per picture; true while the clock runs.
    tick(now: number): boolean {
        if (!this.playing) return false;
        const passed = Math.max(0, now - this.last) / 1000;
        this.last = now;
        let time = this.time + (passed * this.speed * (this.end - this.begin)) / wholeSpan;
        if (time >= this.end) {
            if (this.loop) {
                time = this.begin + ((time - this.begin) % (this.end - this.begin));
            } else {
                time = this.end;
                this.playing = false;
            }
        }
        this.set(time);
        return this.playing;
    }
}
