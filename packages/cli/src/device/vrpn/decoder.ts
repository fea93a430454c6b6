import {
  COOKIE_BYTES,
  checkCookie,
  HEADER_BYTES,
  MAX_MESSAGE_BYTES,
  paddedLength,
  type VrpnMessage,
  VrpnProtocolError,
} from './wire.js';

export interface VrpnDecoderEvents {
  /** The other end's cookie has come and is right. */
  onCookie(): void;
  onMessage(message: VrpnMessage): void;
}

/**
 * Cuts the stream of one connection into messages, however the network has cut it. Memory is bounded by the longest
 * message allowed; what breaks the protocol throws a `VrpnProtocolError`, after which the decoder is of no more use.
 */
export class VrpnDecoder {
  readonly #events: VrpnDecoderEvents;
  readonly #bytes = new Uint8Array(paddedLength(MAX_MESSAGE_BYTES));
  readonly #view = new DataView(this.#bytes.buffer);
  #start = 0;
  #end = 0;
  #hasCookie = false;
  #isStopped = false;

  constructor(events: VrpnDecoderEvents) {
    this.#events = events;
  }

  /** Hands out nothing more, also not from the chunk at hand. */
  stop(): void {
    this.#isStopped = true;
  }

  push(chunk: Uint8Array): void {
    let taken = 0;
    while (taken < chunk.length && !this.#isStopped) {
      this.#makeRoom();
      const part = Math.min(chunk.length - taken, this.#bytes.length - this.#end);
      this.#bytes.set(chunk.subarray(taken, taken + part), this.#end);
      this.#end += part;
      taken += part;
      this.#drain();
    }
  }

  #makeRoom(): void {
    this.#bytes.copyWithin(0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#start = 0;
  }

  #drain(): void {
    if (!this.#hasCookie && !this.#takeCookie()) return;
    while (!this.#isStopped && this.#takeMessage());
  }

  #takeCookie(): boolean {
    checkCookie(this.#bytes.subarray(0, this.#end));
    if (this.#end < COOKIE_BYTES) return false;
    this.#start = COOKIE_BYTES;
    this.#hasCookie = true;
    this.#events.onCookie();
    return true;
  }

  /** False when the next message is not yet complete. */
  #takeMessage(): boolean {
    const start = this.#start;
    const there = this.#end - start;
    if (there < 4) return false;
    const length = this.#view.getUint32(start);
    if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES) {
      throw new VrpnProtocolError(
        `a message claims ${length} bytes; expected ${HEADER_BYTES} (its header) to ${MAX_MESSAGE_BYTES}`,
      );
    }
    if (there < paddedLength(length)) return false;
    this.#start += paddedLength(length);
    this.#events.onMessage({
      timeMs: this.#view.getUint32(start + 4) * 1000 + this.#view.getUint32(start + 8) / 1000,
      sender: this.#view.getInt32(start + 12),
      type: this.#view.getInt32(start + 16),
      sequence: this.#view.getUint32(start + 20),
      payload: new DataView(this.#bytes.buffer, start + HEADER_BYTES, length - HEADER_BYTES),
    });
    return true;
  }
}
