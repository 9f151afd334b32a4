import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Reading, Topic } from '#machines/home-assistant/events.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import { deviceIdentifier } from '#machines/publisher/topics.ts';
import type { SettingValue } from '#machines/settings/events.ts';
import type { Pipelines, VoiceSurroundingsFact } from '#machines/voice/events.ts';
import { pipelinesOf } from '#machines/voice/pipelines-of.ts';

import { sameValue } from './kit/follow.ts';
import { followAll, lastKnown } from './kit/follow-all.ts';
import { realTimers, type Registry, type Timers } from './kit/registry.ts';

interface VoiceSurroundingsDeps {
  readonly registry: Pick<Registry, 'follow' | 'listen' | 'tell'>;
  readonly now: () => EpochMs;
  readonly elapsed: () => Milliseconds;
  readonly timers?: Timers;
}

type Options = Extract<VoiceSurroundingsFact, { readonly type: 'options.changed' }>;
type Link = Extract<VoiceSurroundingsFact, { readonly type: 'link.changed' }>['link'];

/** Home Assistant announces no change of the pipelines: they are read again this often. */
const AGAIN_MS: Milliseconds = 60_000;

/** Watchers by topic: the devices of a large house are not read again with the pipelines. */
const watches: readonly (readonly [watcher: string, topic: Topic])[] = [
  ['voice-device', { kind: 'devices' }],
  ['voice', { kind: 'pipelines' }],
];

const audioSources = ['voice_recognition', 'mic', 'voice_communication'] as const;
const buttons = ['auto', 'always', 'never'] as const;

/** What the settings ask of voice; null while they are unknown. */
function optionsOf(values: Readonly<Record<string, SettingValue>> | undefined): Options | null {
  if (values === undefined) return null;
  const { voice_audio_source: kind, voice_source: source, voice_mic_gain_db: gainDb, voice_pipelines: text } = values;
  const { voice_glass_button: button, voice_show_text: showsWords } = values;
  if (typeof source !== 'string' || typeof gainDb !== 'number' || typeof text !== 'string') return null;
  return {
    type: 'options.changed',
    choice: { audioSource: audioSources.find((one) => one === kind) ?? 'voice_recognition', source, gainDb },
    pipelines: pipelinesOf(text) ?? {},
    screenButton: buttons.find((one) => one === button) ?? 'auto',
    showsWords: showsWords === true,
  };
}

/** Our devices in Home Assistant, by the identifier that they were announced with. */
const ownDevices = (devices: Extract<Reading, { readonly kind: 'devices' }>['devices']): ReadonlyMap<string, string> =>
  new Map(
    devices.flatMap(({ id, identifiers }) =>
      identifiers.flatMap(([domain, name]) => (domain === 'mqtt' ? [[name, id] as const] : [])),
    ),
  );

/**
 * Follows the settings, and watches what Home Assistant knows of pipelines and of this panel's device. The watch keeps
 * the connection open, so that a turn begins at once.
 */
export const voiceSurroundings = ({ registry, now, elapsed, timers = realTimers }: VoiceSurroundingsDeps) =>
  fromDriver<EventObject, undefined, VoiceSurroundingsFact>(({ send, guard }) => {
    let devices: ReadonlyMap<string, string> | null = null;
    let panelId: string | null = null;
    let deviceId: string | null = null;
    let listed: Pipelines | null = null;
    let again: unknown;

    const watch = (some: typeof watches): void => {
      for (const [watcher, topic] of some)
        registry.tell('home-assistant', { type: 'home-assistant.watch', watcher, topics: [topic] });
    };
    const readAgain = (): void => {
      timers.clearTimeout(again);
      again = timers.setTimeout(
        guard(() => {
          watch(watches.slice(1));
          readAgain();
        }),
        AGAIN_MS,
      );
    };
    const findDevice = (): void => {
      if (devices === null || panelId === null) return;
      const found = devices.get(deviceIdentifier(panelId)) ?? null;
      if (found === deviceId) return;
      deviceId = found;
      send({ type: 'device.changed', deviceId });
    };
    const take = (reading: Reading): void => {
      if (reading.kind === 'pipelines') {
        const { pipelines, preferred } = reading;
        const read = { pipelines, preferred };
        if (listed === null || !sameValue(listed, read)) send({ type: 'pipelines.changed', listed: read });
        listed = read;
      }
      if (reading.kind === 'devices') {
        devices = ownDevices(reading.devices);
        findDevice();
      }
    };
    const ends = [
      registry.follow(
        'settings',
        (snapshot) => optionsOf(snapshot?.context.values),
        guard((options) => {
          if (options !== null) send(options);
        }),
      ),
      // Before the watch, whose answer may come at once.
      registry.listen(
        'home-assistant',
        'home-assistant.read-out',
        guard(({ reading }) => take(reading)),
      ),
      registry.follow(
        'home-assistant',
        (snapshot) => snapshot !== undefined,
        guard((isThere) => {
          // After a restart it has forgotten its watchers.
          if (isThere) watch(watches);
        }),
      ),
      registry.follow(
        'identity',
        lastKnown((snapshot) => snapshot?.context.panelId ?? null),
        guard((id) => {
          panelId = id;
          findDevice();
        }),
      ),
      followAll(
        registry,
        {
          'home-assistant': (snapshot) => (snapshot?.context.route ?? null) !== null,
          // After a restart it knows its credential only once that was read; until then the last known one counts.
          'sign-in': lastKnown((snapshot) =>
            snapshot === undefined || snapshot.context.revision === 0 ? null : snapshot.context.phase === 'signed-in',
          ),
        },
        guard(({ 'home-assistant': isLive, 'sign-in': isSignedIn }) => {
          const link: Link = isSignedIn === false ? 'signed-out' : isLive ? 'live' : 'unavailable';
          send({ type: 'clock.read', moment: now(), at: elapsed() });
          send({ type: 'link.changed', link });
        }),
      ),
    ];
    readAgain();
    return () => {
      timers.clearTimeout(again);
      for (const end of ends) end();
      for (const [watcher] of watches)
        registry.tell('home-assistant', { type: 'home-assistant.watch', watcher, topics: [] });
    };
  });
