import { describe, expect, it } from 'vitest';

import type { ShownRenderer } from '#machines/renderer/phase.ts';
import { initialFacts } from '#machines/renderer/initial.ts';
import { rendererView } from '#machines/renderer/view.ts';
import { INCIDENT_MS } from '#machines/renderer/recovery.ts';
import { desired } from './start.ts';

const at = 1_000_000;
const signedIn = { phase: 'signed-in', method: 'oauth', revision: 1 } as const;
const needed = { phase: 'needed', method: null, revision: 1 } as const;
const blank = [{ reason: 'blank', at: at - 1 }] as const;

describe('the outcome of the renderer', () => {
  it.each<[string, Pick<ShownRenderer, 'phase'> & Partial<ShownRenderer>]>([
    ['ok', { phase: 'showing', rendered: true }],
    ['ok', { phase: 'showing', rendered: true, restarts: blank }],
    ['unobserved', { phase: 'loading' }],
    ['unobserved', { phase: 'off', credential: needed }],
    ['transport_failed', { phase: 'waiting', unreachable: { since: 1, reason: 'refused' } }],
    ['credential_refused', { phase: 'waiting', credential: { phase: 'refused', method: 'oauth', revision: 1 } }],
    ['sign_in_required', { phase: 'waiting', credential: needed, place: 'own' }],
    ['sign_in_page_unreachable', { phase: 'waiting', credential: needed, place: 'error' }],
    ['bridge_unavailable', { phase: 'not-installed' }],
    ['bridge_unavailable', { phase: 'no-display' }],
    ['bridge_attach_failed', { phase: 'recovering', restarts: [{ reason: 'start-timeout', at }] }],
    ['unobserved', { phase: 'recovering', restarts: [{ reason: 'killed', at }] }],
    ['bridge_handshake_missed', { phase: 'recovering', restarts: blank }],
    ['bridge_handshake_missed', { phase: 'showing', restarts: blank }],
    ['unobserved', { phase: 'settings', restarts: blank }],
    ['unobserved', { phase: 'loading', restarts: [{ reason: 'blank', at: at - INCIDENT_MS }] }],
  ])('is %s for %j', (outcome, change) => {
    const facts = { ...initialFacts, at, desired, credential: signedIn, ...change };
    expect(rendererView(facts, { now: at, startedAt: 0 }).outcome).toBe(outcome);
  });
});
