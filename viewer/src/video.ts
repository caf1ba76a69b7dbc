// SPDX-License-Identifier: MIT
// A film of the run, recorded while it plays: each picture of the stage with its caption goes to a canvas whose stream the
// browser encodes.

const kinds = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];

// The first kind of file that this browser can record; null if it records none.
export function videoKind(): string | null {
    if (typeof MediaRecorder === 'undefined' || typeof HTMLCanvasElement.prototype.captureStream !== 'function') return null;
    return kinds.find((kind) => MediaRecorder.isTypeSupported(kind)) ?? null;
}

export class Film {
    private readonly recorder: MediaRecorder;
    private readonly parts: Blob[] = [];
    readonly canvas = document.createElement('canvas');
    readonly ending: string;

    constructor(kind: string, width: number, height: number) {
        // Encoders require even numbers.
        this.canvas.width = width & ~1;
        this.canvas.height = height & ~1;
        // A context must exist before there is a stream.
        this.canvas.getContext('2d');
        this.recorder = new MediaRecorder(this.canvas.captureStream(30), { mimeType: kind, videoBitsPerSecond: 8e6 });
        this.recorder.addEventListener('dataavailable', (event) => this.parts.push(event.data));
        this.ending = kind.startsWith('video/mp4') ? 'mp4' : 'webm';
        this.recorder.start();
    }

    add(picture: HTMLCanvasElement): void {
        this.canvas.getContext('2d')!.drawImage(picture, 0, 0, this.canvas.width, this.canvas.height);
    }

    stop(): Promise<Blob> {
        return new Promise((resolve) => {
            this.recorder.addEventListener('stop', () => resolve(new Blob(this.parts, { type: this.recorder.mimeType })));
            this.recorder.stop();
        });
    }
}
