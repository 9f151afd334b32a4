import type { Verdict } from './verdict.ts';

/** A command, or a sentence that names some, for the shell of root: without `sudo`, which may not even be there. */
export const withoutSudo = (text: string): string => text.replaceAll(/\bsudo (?=[a-z])/g, '');

/** A verdict whose commands are for the shell of root. */
export const forRootShell = <V extends Verdict>(verdict: V): V => ({
  ...verdict,
  detail: withoutSudo(verdict.detail),
  missing: verdict.missing === null ? null : withoutSudo(verdict.missing),
  fix: verdict.fix === null ? null : { ...verdict.fix, command: withoutSudo(verdict.fix.command) },
});
