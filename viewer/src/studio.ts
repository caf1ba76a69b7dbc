// SPDX-License-Identifier: MIT
// Saves pictures and films of the stage.

import type { Clock } from './clock.ts';
import { byId } from './dom.ts';
import { compose, download, fileName, paint, type Caption } from './picture.ts';
import type { Stage } from './stage.ts';
import { timeText } from './transport.ts';
import { Film, videoKind } from './video.ts';

export class Studio {
    private film: Film | null = null;
    private last: Promise<Blob> | null = null;
    private readonly button = byId<HTMLButtonElement>('video');
    private readonly note = byId('fallback');

    constructor(
        private readonly stage: Stage,
        private readonly clock: Clock,
        private readonly caption: () => Caption,
    ) {
        byId('picture').addEventListener('click', () => void this.picture());
        byId('picture').setAttribute('aria-label', 'Save a picture (PNG)');
        this.button.addEventListener('click', () => this.video());
    }

    async picture(): Promise<void> {
        if (!this.stage.works) return;
        const caption = this.caption();
        const blob = await compose(this.stage.picture(2), caption, 2);
        download(blob, fileName(caption.title, timeText(this.clock)));
    }

    // Records the run from its start, or ends the recording.
    video(): void {
        if (this.film) return void this.finish();
        const kind = videoKind();
        if (!kind || !this.stage.works) {
            this.note.textContent = 'This browser cannot record videos. PNG saves single pictures.';
            this.note.hidden = false;
            return;
        }
        const scale = this.scale;
        const first = paint(this.stage.picture(scale), this.caption(), scale);
        this.film = new Film(kind, first.width, first.height);
        this.button.setAttribute('aria-label', 'End the recording');
        this.button.classList.add('recording');
        this.clock.pause();
        this.clock.set(this.clock.begin);
        this.clock.toggle();
    }

    // The pixel ratio of the stage.
    private get scale(): number {
        return this.stage.drawing.width / this.stage.drawing.clientWidth;
    }

    // After each picture of the stage.
    drawn(): void {
        if (!this.film) return;
        this.film.add(paint(this.stage.drawing, this.caption(), this.scale));
        const { begin, end, time } = this.clock;
        this.button.textContent = `Stop, ${Math.round((100 * (time - begin)) / (end - begin || 1))} %`;
        if (!this.clock.playing) void this.finish();
    }

    private async finish(): Promise<void> {
        const film = this.film;
        if (!film || this.last) return;
        // The last picture needs time to be recorded.
        await new Promise((done) => setTimeout(done, 200));
        this.last = film.stop();
        const blob = await this.last;
        this.film = this.last = null;
        this.clock.pause();
        this.button.textContent = 'Video';
        this.button.classList.remove('recording');
        this.button.setAttribute('aria-label', 'Record a video');
        download(blob, fileName(this.caption().title, '', film.ending));
    }
}
