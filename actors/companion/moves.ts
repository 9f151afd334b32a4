import { fromPromise } from 'xstate';

import type { Surface } from '#machines/companion/move.ts';
import type { Withdrawn } from '#machines/companion/moving.ts';
import { companionPeer } from '#machines/kit/companion-peer.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { Admission } from '../kit/admission.ts';
import type { Registry } from '../kit/registry.ts';

type Asking = Pick<Registry, 'ask' | 'tell'>;

const OPERATION = 'TRANSPORT_RELEASE' as const;

/** Longest wait for the entities to be withdrawn: the publisher's own bound of 5 s and a margin. */
const WITHDRAW_MS: Milliseconds = 6000;
/** Longest wait for the setting to be on the disk. */
const SAVE_MS: Milliseconds = 10_000;
/** How long a person at the panel may take for a move that was begun in Home Assistant. */
const APPROVAL_MS: Milliseconds = 60_000;

/** Withdraws the entities from the broker; what may not be left there is announced again. */
export const withdrawal = (registry: Asking) =>
  fromPromise<Withdrawn, { readonly leave: boolean }>(async ({ input: { leave } }) => {
    const asked = await registry.ask('publisher', { type: 'publisher.withdraw' }, WITHDRAW_MS);
    const outcome: Withdrawn = asked.ok ? asked.value : { status: 'left', reason: 'absent', entities: 0, topics: [] };
    if (outcome.status === 'left' && !leave) registry.tell('publisher', { type: 'publisher.release' });
    return outcome;
  });

/** Saves the setting; the code of why it is not saved, null on success. */
export const surfaceCommit = (registry: Asking) =>
  fromPromise<string | null, { readonly to: Surface }>(async ({ input: { to } }) => {
    const asked = await registry.ask(
      'settings',
      { type: 'settings.merge', patch: { entity_surface: to }, admitted: [OPERATION] },
      SAVE_MS,
    );
    const status = asked.ok ? asked.value.status : asked.reason;
    const failure = status === 'saved' || status === 'no-op' ? null : status;
    // It was withdrawn for the other surface, which is not in force now.
    if (to === 'mqtt' || failure !== null) registry.tell('publisher', { type: 'publisher.release' });
    return failure;
  });

/** Asks a person at the panel about a move that was begun in Home Assistant, where the mode says so. */
export const moveConsent = (admission: Pick<Admission, 'admit' | 'whenAnswered'>) =>
  fromPromise<string | null, { readonly clientId: string; readonly to: Surface }>(
    async ({ input: { clientId, to }, signal }) => {
      const peer = companionPeer(clientId);
      const what = to === 'native' ? 'Sconce integration' : 'MQTT broker';
      const request = { operation: OPERATION, what, peer, trusted: false, binds: JSON.stringify({ to }), effect: null };
      const first = await admission.admit(request);
      if (first.ok) return null;
      if (first.approvalId === undefined) return first.reason;
      const answer = await admission.whenAnswered(
        { operation: OPERATION, peer, id: first.approvalId },
        APPROVAL_MS,
        signal,
      );
      if (answer !== 'approved') return answer;
      // Takes the approval, so that it serves no other move.
      const second = await admission.admit(request);
      return second.ok ? null : second.reason;
    },
  );
