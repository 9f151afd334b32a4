import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { CompanionContext } from '#machines/companion/events.ts';
import { phaseOf } from '#machines/home-assistant/phase.ts';
import type { HomeAssistantContext } from '#machines/home-assistant/events.ts';
import type { PresenceFact, PresenceFacts } from '#machines/home-presence/events.ts';
import { homePresence } from '#machines/home-presence/index.ts';
import { homePresenceMachine } from '#machines/home-presence/machine.ts';
import { certificateFaultOf } from '#machines/kit/certificate.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import { probeView } from '#machines/path-probe/view.ts';
import type { PathProbeContext } from '#machines/path-probe/events.ts';
import type { PublisherContext } from '#machines/publisher/events.ts';
import { publisherView } from '#machines/publisher/phase.ts';
import { judgePublisher } from '#machines/publisher/verdict.ts';
import { unreachableOf } from '#machines/renderer/reachability.ts';
import { type ShownRenderer, shownRenderer } from '#machines/renderer/phase.ts';

import { homePresenceLookup } from './home-presence-lookup.ts';
import { followAll, lastKnown } from './kit/follow-all.ts';
import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';

type Observed<K extends keyof PresenceFacts> = Pick<PresenceFacts, K>;

/**
 * Home Assistant's own notice. One from the broker says `stopping` only after an orderly close, since a crash may cause
 * it too.
 */
function lifecycleOf({ lifecycle }: HomeAssistantContext): PresenceFacts['lifecycle'] {
  if (lifecycle?.state === 'starting') return 'starting';
  if (lifecycle?.state !== 'shutting_down') return null;
  return lifecycle.source !== 'mqtt' || lifecycle.orderly === true ? 'stopping' : null;
}

const noSocket: Observed<'socket' | 'failure' | 'lifecycle'> = { socket: 'absent', failure: null, lifecycle: null };

/** The connection to Home Assistant as evidence; none if it is not needed or left alone. */
function socketOf(
  snapshot: SnapshotView<HomeAssistantContext> | undefined,
): Observed<'socket' | 'failure' | 'lifecycle'> {
  if (snapshot === undefined) return noSocket;
  const phase = phaseOf(snapshot);
  // What its own integration says needs no connection of the panel.
  const isToldOtherwise = snapshot.context.lifecycle?.source === 'native';
  if (phase === 'closed' || phase === 'parked')
    return isToldOtherwise ? { ...noSocket, lifecycle: lifecycleOf(snapshot.context) } : noSocket;
  return { socket: phase, failure: snapshot.context.failure, lifecycle: lifecycleOf(snapshot.context) };
}

/**
 * Not connected if what is drawn may be out of date: a page whose connection is closed keeps it, and a frozen page
 * cannot be asked.
 */
const isPageConnected = ({ phase, place, rendered, disconnectedSince, frozen }: ShownRenderer): boolean =>
  phase === 'showing' && place === 'dashboard' && rendered && disconnectedSince === null && !frozen;

/** The page as evidence; an untrusted certificate still proves that something answers, so it is none of an outage. */
function pageOf(context: ShownRenderer | undefined): PresenceFacts['page'] {
  if (context?.mode !== 'builtin') return null;
  const unreachable = unreachableOf(context);
  if (unreachable !== null)
    return unreachable.reason === 'tls' || certificateFaultOf(unreachable.reason) !== null ? null : 'away';
  return isPageConnected(context) ? 'connected' : null;
}

function pathOf(context: PathProbeContext | undefined): PresenceFacts['path'] {
  if (context === undefined) return null;
  const { state } = probeView(context, 0);
  return state === 'unsupported' || state === 'unproven' ? null : state;
}

function publishingOf(snapshot: SnapshotView<PublisherContext> | undefined): Observed<'broker' | 'publishing'> {
  if (snapshot === undefined) return { broker: null, publishing: null };
  const publisher = publisherView(snapshot);
  const announced = publisher.phase === 'live';
  const { homeAssistantDetected, homeAssistantLeft } = publisher;
  return {
    // A disconnected broker says nothing.
    broker: publisher.phase === 'waiting' ? null : homeAssistantLeft ? 'will' : homeAssistantDetected ? 'birth' : null,
    publishing: { verdict: judgePublisher(publisher), announced, entities: publisher.announced.length },
  };
}

/** The session of its own integration; null where the entities go through the broker. */
function sessionOf(context: CompanionContext | undefined): NonNullable<PresenceFacts['session']> | null {
  if (context?.surface !== 'native') return null;
  const { sessions, followed, life, announced } = context;
  const isOpen = sessions.some(({ client }) => client.clientId === followed);
  return { state: isOpen ? 'live' : life === null ? 'awaited' : 'lost', entities: announced.length };
}

/** Follows everything that the panel observes of Home Assistant. */
export const homePresenceFacts = (registry: Registry) =>
  fromDriver<EventObject, undefined, Extract<PresenceFact, { readonly type: 'presence.observed' }>>(({ send, guard }) =>
    followAll(
      registry,
      {
        'home-assistant': (snapshot) => socketOf(snapshot),
        renderer: (snapshot) => pageOf(snapshot && shownRenderer(snapshot)),
        'sign-in': lastKnown((snapshot) =>
          snapshot === undefined
            ? null
            : { signedIn: snapshot.context.phase === 'signed-in', answers: snapshot.context.reachable },
        ),
        'path-probe': (snapshot) => pathOf(snapshot?.context),
        publisher: (snapshot) => publishingOf(snapshot),
        companion: (snapshot) => sessionOf(snapshot?.context),
      },
      guard(
        ({
          'home-assistant': socket,
          renderer: page,
          'sign-in': signIn,
          'path-probe': path,
          publisher,
          companion: session,
        }) =>
          send({
            type: 'presence.observed',
            facts: {
              ...socket,
              page,
              path,
              signedIn: signIn?.signedIn ?? false,
              answers: signIn?.answers ?? null,
              ...publisher,
              ...(session !== null && { session }),
            },
          }),
      ),
    ),
  );

/** Judges whether Home Assistant is there, and whether it shows this panel. */
export const homePresenceSpec = (registry: Registry): Part =>
  part(
    homePresence,
    homePresenceMachine.provide({
      actors: { followed: homePresenceFacts(registry), lookup: homePresenceLookup(registry) },
    }),
  );
