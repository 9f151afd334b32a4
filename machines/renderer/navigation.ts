import { type CertificateFault, certificateFaultOf } from '../kit/certificate.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import { admitPath } from './admit-path.ts';
import type { navigationOutcomes, RendererActor } from './events.ts';
import type { RendererFacts } from './facts.ts';
import { isSignedIn } from './is-signed-in.ts';

/** The last command to the dashboard, and its outcome. */
export interface Navigation {
  readonly outcome: (typeof navigationOutcomes)[number];
  /** `bad-path`: the path was refused. `not-shown`: no dashboard can take the command. Null if not refused. */
  readonly refusal: 'bad-path' | 'not-shown' | null;
  readonly message: string | null;
  /** Who requested it: `http`, `home-assistant`, `sconce`. */
  readonly origin: string;
  readonly tookMs: Milliseconds;
  readonly at: EpochMs;
}

/** Why no dashboard is shown. */
type Obstacle =
  | 'address'
  | 'refused'
  | 'sign-in'
  | CertificateFault
  | 'never-reached'
  | 'unreachable'
  | 'recovering'
  | 'none';

type Known = Pick<
  RendererFacts,
  'desired' | 'credential' | 'unreachable' | 'everReached' | 'lastEnd' | 'recovery' | 'at'
>;

function obstacleOf({ desired, credential, unreachable, everReached, lastEnd, recovery }: Known): Obstacle {
  if (desired === null || desired.mode === 'none' || (lastEnd !== null && lastEnd !== 'failed')) return 'none';
  if (desired.origin === null) return 'address';
  if (!isSignedIn(credential)) return credential?.phase === 'refused' ? 'refused' : 'sign-in';
  if (unreachable !== null)
    return certificateFaultOf(unreachable.reason) ?? (everReached ? 'unreachable' : 'never-reached');
  return recovery !== null || lastEnd === 'failed' ? 'recovering' : 'none';
}

/** Of a page from which Home Assistant's frontend itself led away. */
export const ELSEWHERE = 'Home Assistant opened another page: there is no such dashboard, or this user may not see it.';

export const certificateSentences: Readonly<Record<CertificateFault, string>> = {
  'certificate-untrusted': 'The browser does not trust the certificate of Home Assistant.',
  'certificate-expired': 'The certificate of Home Assistant is not valid now.',
  'certificate-other-name': 'The certificate of Home Assistant is for another name.',
  'certificate-refused': 'The certificate of Home Assistant cannot be used.',
};

const eachFault = (format: (sentence: string) => string): Readonly<Record<CertificateFault, string>> => ({
  'certificate-untrusted': format(certificateSentences['certificate-untrusted']),
  'certificate-expired': format(certificateSentences['certificate-expired']),
  'certificate-other-name': format(certificateSentences['certificate-other-name']),
  'certificate-refused': format(certificateSentences['certificate-refused']),
});

const refusals: Readonly<Record<Obstacle, string>> = {
  ...eachFault((sentence) => `No dashboard is shown now. ${sentence} The page of this panel says what to do.`),
  address: 'No dashboard is shown yet: set the address of Home Assistant first, on the page /configure of this panel.',
  'sign-in':
    'No dashboard is shown yet: sign in first. Scan the code on the screen of the panel, or open its page /sign-in.',
  refused:
    'No dashboard is shown: Home Assistant refused the sign-in. Sign in again: scan the code on the screen of the panel, or open its page /sign-in.',
  'never-reached':
    'No dashboard is shown yet: Home Assistant has not answered. Check that it runs and that its address under /configure is right.',
  unreachable:
    "No dashboard is shown now: Home Assistant isn't responding. The dashboard comes back on its own when it does.",
  recovering: 'No dashboard is shown now: it is being brought back, which reloads it.',
  none: 'No dashboard is shown now.',
};

const promises: Readonly<Record<Obstacle, string>> = {
  ...eachFault((sentence) => `Kept: it is shown once the certificate is in order. ${sentence}`),
  address: 'Kept: it is shown once the address of Home Assistant is set and the panel is signed in.',
  'sign-in': 'Kept: it is shown once the panel is signed in to Home Assistant.',
  refused: 'Kept: it is shown once the panel is signed in to Home Assistant again.',
  'never-reached': 'Kept: it is shown once Home Assistant answers.',
  unreachable: 'Kept: it is shown once Home Assistant answers again.',
  recovering: 'Kept: it is shown once the dashboard is back.',
  none: 'Kept: it is shown once there is a dashboard.',
};

/** True if a dashboard will open without help from the owner; it opens at home. */
export const comesByItself = ({ desired, credential }: Pick<RendererFacts, 'desired' | 'credential'>): boolean =>
  desired !== null && desired.origin !== null && isSignedIn(credential);

type Change = Pick<RendererFacts, 'lastNavigation'>;

const recorded = (
  { at }: Known,
  origin: string,
  result: Pick<Navigation, 'outcome' | 'refusal' | 'message'>,
): Change => ({ lastNavigation: { ...result, origin, tookMs: 0, at } });

/** Refuses a command while no dashboard can take it. */
export const refuseNotShown = (facts: Known, origin: string): Change =>
  recorded(facts, origin, { outcome: 'refused', refusal: 'not-shown', message: refusals[obstacleOf(facts)] });

/** Refuses a navigation for its path, or because no dashboard can take it now. */
export function refusePath(facts: Known, path: string, origin: string): Change {
  const admitted = admitPath(path, facts.desired?.origin ?? null);
  return admitted.ok
    ? refuseNotShown(facts, origin)
    : recorded(facts, origin, { outcome: 'refused', refusal: 'bad-path', message: admitted.message });
}

/** Records that a command is kept for the next load. */
export const keep = (facts: Known, origin: string): Change =>
  recorded(facts, origin, { outcome: 'kept', refusal: null, message: promises[obstacleOf(facts)] });

/** Outcome of a command for its caller. */
export type CommandAnswer =
  /** The message says until when it is kept; null if it is done at once. */
  | { readonly ok: true; readonly message: string | null }
  | { readonly ok: false; readonly reason: 'bad-value' | 'not-here'; readonly message: string };

type Observed = Pick<RendererActor['context'], 'lastNavigation'>;

/** The outcome of a command, from the facts just before and just after it was sent. */
export function answerOf(before: Observed, after: Observed | undefined): CommandAnswer {
  const last = after?.lastNavigation ?? null;
  if (last === null || last === before.lastNavigation) return { ok: true, message: null };
  if (last.outcome !== 'refused') return { ok: true, message: last.outcome === 'kept' ? last.message : null };
  return { ok: false, reason: last.refusal === 'bad-path' ? 'bad-value' : 'not-here', message: last.message ?? '' };
}
