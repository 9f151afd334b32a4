import type { Verdict } from './verdict.ts';

/** A command, or a sentence with commands, for a root shell: without `sudo`, which may not be installed. */
export const withoutSudo = (text: string): string => text.replaceAll(/\bsudo (?=[a-z])/g, '');

/** A verdict whose commands are for a root shell. */
export const forRootShell = <V extends Verdict>(verdict: V): V => ({
  ...verdict,
  detail: withoutSudo(verdict.detail),
  missing: verdict.missing === null ? null : withoutSudo(verdict.missing),
  fix: verdict.fix === null ? null : { ...verdict.fix, command: withoutSudo(verdict.fix.command) },
});
