import type { Verdict } from '#machines/kit/verdict.ts';

/** Verdict if GPIO chips cannot be used for lack of the native library. */
export const noGpioCalls: Verdict = {
  state: 'not_here',
  reason: 'no-gpio-calls',
  detail: 'This machine has GPIO chips, but the native library that Sconce needs for them has no build for it.',
  missing: 'A build of the native library (koffi) for this machine.',
  fix: null,
};

/**
 * Verdict if another program or driver holds the line. `consumer` is the kernel's name for it, which may be empty;
 * `device` is the device that should be on the line.
 */
export function gpioLineTaken(line: number, consumer: string, device: string | null = null): Verdict {
  const where = device === null ? '' : `, where the ${device} should be,`;
  const by = consumer === '' ? '' : ` by "${consumer}"`;
  return {
    state: 'needs_you',
    reason: 'gpio-line-taken',
    detail: `Line ${line} of the GPIO chip${where} is in use${by}, and a line has one user at a time.`,
    missing: 'A line that no other program holds.',
    fix: { command: 'sudo gpioinfo', effect: 'Shows who uses each line; nothing is changed (package gpiod).' },
  };
}
