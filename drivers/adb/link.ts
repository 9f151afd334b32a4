import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { AdbCommand } from '#machines/adb/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { serviceOf } from './commands.ts';
import type { AdbRefusal, AdbServer } from './server.ts';

/** Time limits of a command and of a screenshot, which takes seconds on a slow panel. */
const COMMAND_MS: Milliseconds = 4_000;
const PICTURE_MS: Milliseconds = 20_000;

/**
 * The device that answers now, shared by all drivers of one Android panel. It outlives them, as the panel itself does.
 */
export class AdbLink {
  #online: { readonly server: AdbServer; readonly serial: string } | null = null;
  readonly #observers = new Set<() => void>();

  /** True while the device answers. */
  get online(): boolean {
    return this.#online !== null;
  }

  /** Sets the device that answers now; null for none. Only the bridge calls this. */
  use(online: { readonly server: AdbServer; readonly serial: string } | null): void {
    if (online?.serial === this.#online?.serial && online?.server === this.#online?.server) return;
    this.#online = online;
    for (const observer of this.#observers) observer();
  }

  /** Calls `observer` whenever the device appears or disappears, until the returned function is called. */
  observe(observer: () => void): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** Runs one command of the closed list and returns its text without the exit status, which must be 0. */
  async run(
    command: Exclude<AdbCommand, { do: 'screenshot' }>,
    signal: AbortSignal,
  ): Promise<Result<string, AdbRefusal>> {
    const answer = await this.#open(command, signal, COMMAND_MS);
    if (!answer.ok || command.do === 'reboot') return answer.ok ? ok('') : answer;
    const text = answer.value.toString('utf8').replaceAll('\r', '');
    const [, output, status] = /^([\s\S]*?)exit=(\d+)\s*$/.exec(text) ?? [];
    return output === undefined || status !== '0' ? refuse('refused', 'The device refused it.') : ok(output);
  }

  /** Takes a screenshot, as PNG. */
  async picture(signal: AbortSignal): Promise<Result<Buffer, AdbRefusal>> {
    return this.#open({ do: 'screenshot' }, signal, PICTURE_MS);
  }

  async #open(command: AdbCommand, signal: AbortSignal, boundMs: Milliseconds): Promise<Result<Buffer, AdbRefusal>> {
    const online = this.#online;
    if (online === null) return refuse('no-bridge', 'The Android panel does not answer.');
    const { service } = serviceOf(command);
    // A rebooting daemon sends nothing more until it is gone, which takes longer than any answer may.
    return command.do === 'reboot'
      ? online.server.begin(online.serial, service, signal, boundMs)
      : online.server.open(online.serial, service, signal, boundMs);
  }
}
