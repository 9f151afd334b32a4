import type { AdbLink } from '#drivers/adb/link.ts';
import { noAndroidPanel } from '#drivers/adb/verdicts.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { rounds } from '#drivers/kit/rounds.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { VolumeDriver, VolumeDriverCommand, VolumeFact } from '#machines/volume/events.ts';

/** Pause between two checks for changes made at the panel. */
const CHECK_MS: Milliseconds = 5_000;

/** Parses `cmd media_session volume --get`: step and range of the music stream; null if the text has none. */
export function parseMediaVolume(
  text: string,
): { readonly step: number; readonly low: number; readonly high: number } | null {
  const [, step, low, high] = /volume is (\d{1,3}) in range \[(\d{1,3})\.\.(\d{1,3})\]/.exec(text) ?? [];
  return step === undefined || Number(high) <= Number(low)
    ? null
    : { step: Number(step), low: Number(low), high: Number(high) };
}

/**
 * The music stream of the Android panel behind a link. Android has about fifteen steps, so the nearest one is read
 * back.
 */
export const adbVolume = (link: AdbLink, checkMs: Milliseconds = CHECK_MS): VolumeDriver =>
  fromDriver<VolumeDriverCommand, undefined, VolumeFact>(({ send, onEvent, guard, signal }) => {
    let last: number | null = null;
    const runInTurn = serial();

    // One at a time: a reading during a write would report the old value as a change.
    const inTurn = (work: () => Promise<void>): Promise<void> => runInTurn(() => (signal.aborted ? undefined : work()));
    const read = async (): Promise<{
      readonly percent: number;
      readonly low: number;
      readonly high: number;
    } | null> => {
      const answer = await link.run({ do: 'read-volume' }, signal);
      const parsed = answer.ok ? parseMediaVolume(answer.value) : null;
      return parsed === null
        ? null
        : { ...parsed, percent: Math.round(((parsed.step - parsed.low) / (parsed.high - parsed.low)) * 100) };
    };
    const check = async (): Promise<void> => {
      const reading = await read();
      if (signal.aborted) return;
      const known = last !== null;
      if (reading === null) {
        last = null;
        send(known ? { type: 'mixer.lost', reason: 'gone' } : { type: 'mixer.missing', verdict: noAndroidPanel });
        return;
      }
      const { percent } = reading;
      if (!known) send({ type: 'mixer.found', route: 'adb', percent, muted: percent === 0 });
      else if (percent !== last) send({ type: 'mixer.observed', percent, muted: percent === 0 });
      last = percent;
    };
    const write = async (generation: number, percent: number): Promise<void> => {
      const before = await read();
      const step = before === null ? null : Math.round(before.low + (percent / 100) * (before.high - before.low));
      const set = step === null ? null : await link.run({ do: 'set-volume', step }, signal);
      const after = set?.ok === true ? await read() : null;
      if (signal.aborted) return;
      if (after === null) {
        send({ type: 'mixer.refused', generation, reason: before === null ? 'gone' : 'failed' });
        return;
      }
      last = after.percent;
      send({ type: 'mixer.written', generation, percent: after.percent, muted: after.percent === 0 });
    };
    const checks = rounds({ guard, signal }, async () => {
      await inTurn(check);
      return checkMs;
    });

    const unobserve = link.observe(checks.now);
    onEvent((command) =>
      command.type === 'mixer.probe' ? checks.now() : inTurn(() => write(command.generation, command.percent)),
    );
    checks.now();
    return () => {
      unobserve();
      void checks.stop();
    };
  });
