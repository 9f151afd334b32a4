import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { PresenceFact } from '#machines/home-presence/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { publisherView } from '#machines/publisher/phase.ts';
import { deviceIdentifier } from '#machines/publisher/topics.ts';

import { followAll, lastKnown } from './kit/follow-all.ts';
import type { Registry } from './kit/registry.ts';

type LookupFact = Extract<PresenceFact, { readonly type: 'presence.found' | 'presence.forgotten' }>;

/** Home Assistant takes an announcement within 0.5 s (seen with 2026.11), and reconnects to a broker every 10 s. */
const SOON_MS: Milliseconds = 1_500;
/** Pause after a lookup that found nothing: doubled each time, up to the second number. */
const AGAIN_MS: Milliseconds = 3_000;
const AGAIN_MOST_MS: Milliseconds = 300_000;
/**
 * Pause after a lookup that found the panel: over a connection that is open anyway, where it costs one small message,
 * and where one has to be opened. It is needed because a disabled integration stays connected to the broker, so no will
 * reports it.
 */
const SHOWN_MS: Milliseconds = 30_000;
const SHOWN_ALONE_MS: Milliseconds = 900_000;
/** Longest wait for an answer: at most five queries of 10 s each, and connecting. */
const ANSWER_MS: Milliseconds = 60_000;
/** How many of the panel's entities a later lookup searches for first. */
const KNOWN = 8;
/** Failed lookups before the panel counts as not shown: 19 s after the first. */
const CERTAIN = 3;

/**
 * Looks up what Home Assistant shows of the panel: after an announcement, a new connection and each message of Home
 * Assistant at the broker, then at growing intervals. It neither asks nor connects while nothing is announced or no one
 * is signed in.
 */
export const homePresenceLookup = (registry: Registry) =>
  fromDriver<EventObject, undefined, LookupFact>(({ send, guard, signal }) => {
    let wanted: { readonly panelId: string; readonly key: string; readonly route: number | null } | null = null;
    let timer: NodeJS.Timeout | undefined;
    let generation = 0;
    /** The query that is under way. */
    let asking: { readonly generation: number; readonly madeRoute: boolean } | null = null;
    let misses = 0;
    let known: readonly string[] = [];
    let deviceId: string | null = null;

    const routeNow = (): number | null => registry.read('home-assistant')?.context.route?.number ?? null;
    const lookUpIn = (ms: Milliseconds): void => {
      clearTimeout(timer);
      timer = setTimeout(guard(lookUp), ms);
    };
    const pauseAfter = (isLive: boolean): Milliseconds => {
      if (!isLive) return Math.min(AGAIN_MOST_MS, AGAIN_MS * 2 ** misses);
      return routeNow() === null ? SHOWN_ALONE_MS : SHOWN_MS;
    };
    async function lookUp(): Promise<void> {
      const now = wanted;
      if (now === null) return;
      generation += 1;
      const mine = generation;
      asking = { generation: mine, madeRoute: routeNow() === null };
      const topic = { kind: 'own-device', identifier: deviceIdentifier(now.panelId), known } as const;
      const asked = await registry.ask('home-assistant', { type: 'home-assistant.read', topic }, ANSWER_MS);
      if (asking?.generation === mine) asking = null;
      if (signal.aborted || mine !== generation || wanted?.panelId !== now.panelId) return;
      const reading = asked.ok && asked.value.ok ? asked.value.reading : null;
      if (reading?.kind !== 'own-device') {
        lookUpIn(pauseAfter(true));
        return;
      }
      const isLive = reading.state === 'live';
      misses = isLive ? 0 : misses + 1;
      known = isLive ? reading.entityIds.slice(0, KNOWN) : [];
      // Known entities are looked up without their device.
      deviceId = reading.deviceId ?? (isLive ? deviceId : null);
      const device = { ...reading, deviceId };
      send({ type: 'presence.found', panelId: now.panelId, device, isCertain: misses >= CERTAIN });
      lookUpIn(pauseAfter(isLive));
    }

    const end = followAll(
      registry,
      {
        identity: lastKnown((snapshot) => snapshot?.context.panelId ?? null),
        'sign-in': lastKnown((snapshot) => (snapshot === undefined ? null : snapshot.context.phase === 'signed-in')),
        'home-assistant': (snapshot) => snapshot?.context.route?.number ?? null,
        companion: (snapshot) => {
          const session = snapshot?.context;
          if (session?.surface !== 'native' || session.sessions.length === 0) return null;
          return { announced: session.announced, isThere: true, isGone: false };
        },
        publisher: (snapshot) => {
          const publisher = snapshot && publisherView(snapshot);
          if (publisher?.phase !== 'live') return null;
          return {
            announced: publisher.announced,
            isThere: publisher.homeAssistantDetected,
            isGone: publisher.homeAssistantLeft,
          };
        },
      },
      guard(({ identity: panelId, 'sign-in': signedIn, 'home-assistant': route, companion, publisher: ofBroker }) => {
        const publisher = companion ?? ofBroker;
        if (panelId === null || signedIn !== true || publisher === null) {
          if (wanted !== null) send({ type: 'presence.forgotten' });
          wanted = null;
          known = [];
          deviceId = null;
          misses = 0;
          generation += 1;
          clearTimeout(timer);
          return;
        }
        const before = wanted;
        const key = JSON.stringify(publisher);
        wanted = { panelId, key, route };
        const isSame = before?.panelId === panelId && before.key === key;
        if (isSame && before.route === route) return;
        if (before?.panelId !== panelId) [known, deviceId] = [[], null];
        // A lost connection is no reason to look, nor is one that was opened for the query. A will without a connection
        // is no reason either: nothing would answer.
        const isOccasion = isSame ? route !== null && asking?.madeRoute !== true : route !== null || !publisher.isGone;
        if (!isOccasion && before !== null) return;
        // The answer to a query that is under way would be out of date.
        generation += 1;
        lookUpIn(SOON_MS);
      }),
    );
    return () => {
      clearTimeout(timer);
      end();
    };
  });
