/**
 * The state of a capability. `checking` until the first probe has ended, or while it waits for something temporary;
 * `missing` then says for what.
 */
export type VerdictState = 'working' | 'needs_you' | 'off' | 'not_here' | 'checking';

/** What a person can do about a verdict. */
export interface Fix {
  /** A single shell command, ready to paste. */
  readonly command: string;
  /** One sentence: what the command does and what it changes. */
  readonly effect: string;
}

/** The state of one capability, with the reason and what helps. */
export interface Verdict {
  readonly state: VerdictState;
  /** Stable lower-case code, words joined by hyphens: `no-backlight-device`. */
  readonly reason: string;
  /** One plain sentence for the owner; never an address, an identifier or an exception text. */
  readonly detail: string;
  /** What is missing; null if nothing is. */
  readonly missing: string | null;
  /** The one command that fixes it, if any. */
  readonly fix: Fix | null;
}

/** True until the first probe has ended; a verdict that waits for something temporary names it in `missing`. */
export const isUnprobed = ({ state, missing }: Pick<Verdict, 'state' | 'missing'>): boolean =>
  state === 'checking' && missing === null;

/** A verdict in state `checking`, before the first look at the system has ended. */
export const checking: Verdict = {
  state: 'checking',
  reason: 'not-looked-yet',
  detail: 'Sconce is still looking at this machine.',
  missing: null,
  fix: null,
};

/** The verdict on a capability that was tried and works; `detail` says what was tried. */
export const working = (reason: string, detail: string): Verdict => ({
  state: 'working',
  reason,
  detail,
  missing: null,
  fix: null,
});

/** A verdict from its fields; by default nothing is missing and there is no fix. */
export const verdictOf = (
  state: VerdictState,
  reason: string,
  detail: string,
  missing: string | null = null,
  fix: Fix | null = null,
): Verdict => ({ state, reason, detail, missing, fix });

/** The verdict that a person has to do something. */
export const needsYou = (reason: string, detail: string, missing: string, fix: Fix | null = null): Verdict =>
  verdictOf('needs_you', reason, detail, missing, fix);
