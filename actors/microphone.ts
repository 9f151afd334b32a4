import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { OrderFile } from '#drivers/microphone/order-file.ts';
import type { ApprovalsContext } from '#machines/approvals/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type {
  MicrophoneAnswer,
  MicrophoneDriver,
  MicrophoneDriverCommand,
  MicrophoneFact,
  MicrophoneOrderCommand,
  MicrophoneOrders,
  MicrophonePlaceFact,
  MicrophonePlaces,
  MicrophoneQuestion,
  MicrophoneSettingsFact,
} from '#machines/microphone/events.ts';
import { microphone } from '#machines/microphone/index.ts';
import { type MicrophoneInput, microphoneMachine } from '#machines/microphone/machine.ts';
import type { MergeOutcome } from '#machines/settings/events.ts';
import { SAVE_MS } from '#machines/settings/hold.ts';

import { askAtPanel } from './kit/ask-at-panel.ts';
import { followAll } from './kit/follow-all.ts';
import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';
import { until } from './kit/until.ts';

export interface MicrophoneDeps {
  readonly registry: Pick<Registry, 'ask' | 'follow' | 'read' | 'tell'>;
  /** Scans for microphones; null if the profile says that there is none. */
  readonly driver: MicrophoneDriver | null;
  /** What `sconce microphone` leaves; null for an agent that only probes the machine. */
  readonly orders: OrderFile | null;
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
}

const OPERATION = 'MICROPHONE_ACCESS';
const KEY = 'microphone_access';

/** Longest wait for a browser that is starting, before it counts as no place to ask. */
const PLACE_MS: Milliseconds = 60_000;

/** Longest wait for the install id, right after a start. */
const IDENTITY_MS: Milliseconds = 10_000;

const noScan = fromDriver<MicrophoneDriverCommand, undefined, MicrophoneFact>(() => {});

/** Saves the permission, with the consent of a person. */
async function save(registry: Pick<Registry, 'ask'>, isAllowed: boolean): Promise<MergeOutcome['status'] | 'silent'> {
  const merge = { type: 'settings.merge' as const, patch: { [KEY]: isAllowed }, consent: OPERATION };
  const asked = await registry.ask('settings', merge, SAVE_MS);
  return asked.ok ? asked.value.status : 'silent';
}

const settingsFollower = (registry: Pick<Registry, 'follow'>) =>
  fromDriver<EventObject, undefined, MicrophoneSettingsFact>(({ send }) =>
    followAll(
      registry,
      {
        settings: (snapshot) =>
          // Before the store was read, and while the settings restart, nothing was turned off.
          snapshot === undefined || snapshot.context.revision === 0
            ? null
            : {
                isVoiceOn: snapshot.context.values['voice_enabled'] === true,
                isAllowed: snapshot.context.values[KEY] === true,
              },
        voice: (snapshot) => snapshot?.context.earFailure ?? null,
      },
      ({ settings, voice: earFailure }) => {
        if (settings !== null) send({ type: 'microphone.settings', ...settings, earFailure });
      },
    ),
  );

const isPlaceKnown = ({ context: { place } }: { readonly context: ApprovalsContext }): boolean =>
  place.kind !== 'none' || place.reason !== 'starting';

/** Asks at the panel, and stores what was approved there. */
const question = ({ registry, elapsed }: MicrophoneDeps): MicrophoneQuestion =>
  fromDriver<EventObject, undefined, MicrophoneAnswer>(({ send, guard, signal }) => {
    let isOpen = false;
    const ask = async (): Promise<MicrophoneAnswer['answer']> => {
      await until(registry, 'approvals', isPlaceKnown, PLACE_MS, { signal });
      if (signal.aborted) return 'expired';
      isOpen = true;
      const answer = await askAtPanel(registry, { operation: OPERATION, what: '', code: null, at: elapsed() });
      isOpen = false;
      if (answer !== 'approved' || signal.aborted) return answer;
      const saved = await save(registry, true);
      // The disk refused it, or a restore was under way: it counts as unanswered, and can be asked again.
      return saved === 'saved' || saved === 'no-op' ? 'approved' : 'expired';
    };
    guard(async () => send({ type: 'microphone.answered', answer: await ask() }))();
    return () => {
      if (isOpen) registry.tell('approvals', { type: 'approval.withdraw', operation: OPERATION });
    };
  });

/** Reports a place for questions that was not there before. */
const places = (registry: Pick<Registry, 'follow'>): MicrophonePlaces =>
  fromDriver<EventObject, undefined, MicrophonePlaceFact>(({ send, guard }) => {
    let wasNone = false;
    return registry.follow(
      'approvals',
      (snapshot) => (snapshot?.context.place.kind ?? 'none') !== 'none',
      guard((isThere) => {
        if (isThere && wasNone) send({ type: 'microphone.place-appeared' });
        wasNone = !isThere;
      }),
    );
  });

/** Carries out the orders of `sconce microphone`, each once; an order of another machine is only removed. */
const orders = ({ registry, orders: file }: MicrophoneDeps): MicrophoneOrders =>
  fromDriver<MicrophoneOrderCommand, undefined, never>(({ onEvent, guard, signal }) => {
    if (file === null) return;
    const inTurn = serial();
    const look = async (): Promise<void> => {
      const order = await file.read();
      if (order === null || signal.aborted) return;
      const knows = await until(registry, 'identity', ({ context }) => context.installId !== '', IDENTITY_MS, {
        signal,
      });
      // It waits for the next look.
      if (!knows.ok) return;
      if (order !== 'invalid' && order.installId === knows.value.context.installId) {
        const saved = await save(registry, order.do === 'allow');
        if (saved === 'silent' || saved === 'commit-failed' || saved === 'busy') return;
      }
      await file.remove();
    };
    const begin = guard(() => inTurn(look));
    onEvent(begin);
    begin();
  });

export const microphoneSpec = (deps: MicrophoneDeps): Part =>
  part(
    microphone,
    microphoneMachine.provide({
      actors: {
        source: deps.driver ?? noScan,
        follower: settingsFollower(deps.registry),
        orders: orders(deps),
        question: question(deps),
        places: places(deps.registry),
      },
    }),
    { input: (): MicrophoneInput => ({ suppressed: deps.driver === null }) },
  );
