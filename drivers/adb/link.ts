import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { AdbCommand } from '#machines/adb/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { serviceOf } from './commands.ts';
import type { AdbRefusal, AdbServer } from './server.ts';

/** Longest a command may take; a screenshot of a slow panel takes seconds. */
const COMMAND_MS: Milliseconds = 4_000;
const PICTURE_MS: Milliseconds = 20_000;

/**
 * What the drivers of one Android panel share: the device that answers now. It outlives them, as the panel itself does.
 */
export class AdbLink {
  #online: { readonly server: AdbServer; readonly serial: string } | null = null;
  readonly #observers = new Set<() => void>();

  /** Whether the device answers now. */
  get online(): boolean {
    return this.#online !== null;
  }

  /** Says which device answers now; null for none. Told by the bridge alone. */
  use(online: { readonly server: AdbServer; readonly serial: string } | null): void {
    if (online?.serial === this.#online?.serial && online?.server === this.#online?.server) return;
    this.#online = online;
    for (const observer of this.#observers) observer();
  }

  /** Calls back whenever the device comes or goes, until the returned function is called. */
  observe(observer: () => void): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** Has one command of the closed list done; its text without the exit status, which must be 0. */
  async run(
    command: Exclude<AdbCommand, { do: 'screenshot' }>,
    signal: AbortSignal,
  ): Promise<Result<string, AdbRefusal>> {
    const answer = await this.#open(command, signal, COMMAND_MS);
    if (!answer.ok || command.do === 'reboot') return answer.ok ? ok('') : answer;
    const text = answer.value.toString('utf8').replaceAll('\r', '');
    const [, said, status] = /^([\s\S]*?)exit=(\d+)\s*$/.exec(text) ?? [];
    return said === undefined || status !== '0' ? refuse('refused', 'The device refused it.') : ok(said);
  }

  /** A picture of the screen as PNG. */
  async picture(signal: AbortSignal): Promise<Result<Buffer, AdbRefusal>> {
    return this.#open({ do: 'screenshot' }, signal, PICTURE_MS);
  }

  async #open(command: AdbCommand, signal: AbortSignal, boundMs: Milliseconds): Promise<Result<Buffer, AdbRefusal>> {
    const online = this.#online;
    if (online === null) return refuse('no-bridge', 'The Android panel does not answer.');
    const { service } = serviceOf(command);
    // A daemon that reboots says nothing more until it is gone, which takes longer than any answer may.
    return command.do === 'reboot'
      ? online.server.begin(online.serial, service, signal, boundMs)
      : online.server.open(online.serial, service, signal, boundMs);
  }
}
