import { checking, type Fix, type Verdict, working } from '../kit/verdict.ts';
import type { AdvertiserView } from './responder-state.ts';

/** State of the advertisement; values in the status document. */
export type DiscoveryState = 'off' | 'starting' | 'advertising' | 'recovering' | 'exhausted';

export function discoveryState({
  responder,
  recovery,
}: Pick<AdvertiserView, 'responder' | 'recovery'>): DiscoveryState {
  if (responder === 'idle') return 'off';
  if (recovery.phase !== 'healthy') return recovery.phase;
  return responder === 'up' ? 'advertising' : 'starting';
}

const WHO_HOLDS: Fix = {
  command: "sudo ss -ulpn 'sport = :5353'",
  effect: 'Lists the programs that use the port of mDNS on this machine; it changes nothing.',
};

const OFF: Verdict = {
  state: 'off',
  reason: 'no-lan-address',
  detail:
    'This machine has no address on a local network, so the panel cannot be found there. It is announced as soon as there is one.',
  missing: 'An address on a local network.',
  fix: null,
};

const EXHAUSTED: Verdict = {
  state: 'needs_you',
  reason: 'not-seen',
  detail:
    'The panel announces itself on the network, but it does not hear its own announcement. Its pages and the broker are not affected; use Check again once multicast works.',
  missing: 'Multicast (mDNS, UDP port 5353) on the network interface of this machine.',
  fix: WHO_HOLDS,
};

/** The verdict on the advertisement of the panel. */
export function judgeAdvertiser(
  facts: Pick<AdvertiserView, 'lan' | 'responder' | 'seen' | 'renamed' | 'recovery'>,
): Verdict {
  if (facts.lan === 'unseen') return checking;
  if (facts.lan === null) return OFF;
  if (facts.recovery.phase === 'exhausted') return EXHAUSTED;
  if (facts.recovery.phase === 'recovering') {
    return {
      state: 'off',
      reason: 'announcing-again',
      detail: 'The announcement was no longer visible on the network. The panel is being announced again.',
      missing: null,
      fix: null,
    };
  }
  if (facts.responder !== 'up' || facts.seen === null) return checking;
  if (facts.renamed) {
    return {
      ...working(
        'renamed',
        'The panel is found on the network, under its id with a number behind it: another machine already uses the id.',
      ),
      missing: 'A panel id that no other machine of this network uses.',
    };
  }
  return facts.seen === 'visible' || facts.seen === 'missing'
    ? working('advertised', 'The panel is found on the network: it hears its own announcement.')
    : working('advertised-untested', 'The panel is announced on the network. Whether it is heard could not be tried.');
}
