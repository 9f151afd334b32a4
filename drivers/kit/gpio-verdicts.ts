import type { Verdict } from '#machines/kit/verdict.ts';

/** The verdict where this build cannot speak to GPIO chips. */
export const noGpioCalls: Verdict = {
  state: 'not_here',
  reason: 'no-gpio-calls',
  detail: 'This machine has GPIO chips, and the native library with which Sconce uses them has no build for it.',
  missing: 'A build of the native library (koffi) for this machine.',
  fix: null,
};

/**
 * The verdict where another program or driver holds the line; `consumer` is what the kernel knows of it, perhaps
 * nothing, and `device` names in the sentence what should be on the line.
 */
export function gpioLineTaken(line: number, consumer: string, device: string | null = null): Verdict {
  const where = device === null ? '' : `, where the ${device} should be,`;
  const by = consumer === '' ? '' : ` by "${consumer}"`;
  return {
    state: 'needs_you',
    reason: 'gpio-line-taken',
    detail: `Line ${line} of the GPIO chip${where} is in use${by}, and a line has one user at a time.`,
    missing: 'A line that nobody else holds.',
    fix: { command: 'sudo gpioinfo', effect: 'Shows who uses each line; nothing is changed (package gpiod).' },
  };
}
