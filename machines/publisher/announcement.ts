import { hasState, type RowShape } from '../entities/shape.ts';
import { statusTopic } from '../kit/status-topic.ts';
import type { OutgoingMessage } from '../mqtt/events.ts';
import { configTopicOf, devicePayload, orphanComponent, removalMarker, type Component } from './discovery.ts';
import type { EntityMark, PublishedPanel, RowValue } from './events.ts';
import { orphansOf, isSame, oldDevices, type AnnouncedDevice, type AnnouncedEntities } from './announced.ts';
import { occurredSince } from './state.ts';
import { entityTopic, ownerTopic } from './topics.ts';

/**
 * One step of an announcement; a second passes between two of them (seen with Home Assistant 2026.11: payloads back to
 * back get lost).
 */
export interface Stage {
  readonly configs: readonly OutgoingMessage[];
  /** Whether all states follow: every changed payload resets entities at Home Assistant. */
  readonly states: boolean;
  /** Retained topics to forget. */
  readonly clears: readonly string[];
}

/**
 * A retained message that the broker acknowledges; few at a time, a broker takes only so many unacknowledged ones (20,
 * seen with Home Assistant 2026.11).
 */
export const retained = (topic: string, payload: string): OutgoingMessage => ({ topic, payload, retain: true, qos: 1 });

/** A retained message without acknowledgement: it is sent again on every new connection anyway. */
export const retainedFact = (topic: string, payload: string): OutgoingMessage => ({
  topic,
  payload,
  retain: true,
  qos: 0,
});

/** What is to be announced. */
export interface Announcement {
  readonly panel: PublishedPanel;
  readonly components: Readonly<Record<string, Component>>;
  readonly announced: AnnouncedEntities;
  /** `all` after Home Assistant's birth message: also what was swept while nobody could say whether it was running. */
  readonly sweep: 'due' | 'all';
  /** True when the device was removed at Home Assistant by its owner: no discovery, states only. */
  readonly silent: boolean;
}

const topicsOf = (panelId: string, mark: EntityMark): readonly string[] =>
  (['state', 'availability', 'attributes'] as const).map((part) => entityTopic(panelId, mark.key, part));

const keyed = <T>(marks: readonly EntityMark[], make: (mark: EntityMark) => T): Record<string, T> =>
  Object.fromEntries(marks.map((mark) => [mark.key, make(mark)]));

function current({ panel, components, announced, sweep }: Announcement): Stage[] {
  const payload = (all: Readonly<Record<string, Component>>): OutgoingMessage[] => [
    retained(configTopicOf(panel), JSON.stringify(devicePayload(panel, all))),
  ];
  const stage = (all: Readonly<Record<string, Component>>): Stage => ({
    configs: payload(all),
    states: true,
    clears: [],
  });
  const lingering = orphansOf(announced, panel, 'all').filter((mark) => !components[mark.key]);
  const orphaned = orphansOf(announced, panel, sweep);
  const markers = keyed(lingering, removalMarker);
  if (orphaned.length === 0) return [stage({ ...components, ...markers })];

  // A key whose kind changed: the old entity leaves before the new one comes, else both exist.
  const changed = new Set(orphaned.filter((mark) => components[mark.key]).map((mark) => mark.key));
  const untouched = Object.fromEntries(Object.entries(components).filter(([key]) => !changed.has(key)));
  const gone = orphaned.filter((mark) => !components[mark.key]);
  return [
    stage({ ...untouched, ...markers, ...keyed(orphaned, (mark) => orphanComponent(panel.panelId, mark)) }),
    stage({ ...untouched, ...markers, ...keyed(orphaned, removalMarker) }),
    ...(changed.size > 0 ? [stage({ ...components, ...markers })] : []),
    // Last, because clearing the state of a light that is still loaded there is an error in its log.
    ...(gone.length > 0
      ? [{ configs: [], states: false, clears: gone.flatMap((mark) => topicsOf(panel.panelId, mark)) }]
      : []),
  ];
}

function sweepOld(panel: PublishedPanel, device: AnnouncedDevice): Stage[] {
  const owner = { ...panel, panelId: device.panelId, friendlyName: device.panelId, configurationUrl: null };
  const topic = configTopicOf(device);
  const full = devicePayload(
    owner,
    keyed(device.entries, (mark) => orphanComponent(device.panelId, mark)),
  );
  const clears =
    device.panelId === panel.panelId
      ? []
      : [
          ...device.entries.flatMap((mark) => topicsOf(device.panelId, mark)),
          statusTopic(device.panelId, panel.installId),
          ownerTopic(device.panelId),
        ];
  return [
    { configs: [retained(topic, JSON.stringify(full))], states: false, clears: [] },
    { configs: [retained(topic, '')], states: false, clears: [] },
    { configs: [], states: false, clears },
  ];
}

function merge(columns: readonly (readonly Stage[])[]): Stage[] {
  const length = Math.max(0, ...columns.map((column) => column.length));
  return Array.from({ length }, (_, index) => {
    const row = columns.flatMap((column) => column[index] ?? []);
    return {
      configs: row.flatMap((it) => it.configs),
      states: row.some((it) => it.states),
      clears: row.flatMap((it) => it.clears),
    };
  });
}

/**
 * The steps by which the panel's entities come to Home Assistant, and those of earlier shapes and names leave it.
 */
export function stagesOf(announcement: Announcement): readonly Stage[] {
  const own: Stage[] = announcement.silent ? [{ configs: [], states: true, clears: [] }] : current(announcement);
  const old = oldDevices(announcement.announced, announcement.panel, announcement.sweep).map((device) =>
    sweepOld(announcement.panel, device),
  );
  return merge([own, ...old]);
}

/** What is known of the device that is withdrawn. */
type Withdrawal = Pick<Announcement, 'panel' | 'components' | 'announced'>;

/** The panel's own device leaves as a whole, and nothing of it stays on the broker. */
function withdrawOwn({ panel, components, announced }: Withdrawal, loaded: boolean): Stage[] {
  const own = announced.devices.find((device) => isSame(device, panel));
  if (own === undefined) return [];
  const topic = configTopicOf(panel);
  const orphaned = keyed(own.entries, (mark) => orphanComponent(panel.panelId, mark));
  const full = JSON.stringify(devicePayload(panel, { ...orphaned, ...components }));
  const clears = [
    ...own.entries.flatMap((mark) => topicsOf(panel.panelId, mark)),
    statusTopic(panel.panelId, panel.installId),
    ownerTopic(panel.panelId),
  ];
  return [
    { configs: loaded ? [] : [retained(topic, full)], states: false, clears: [] },
    { configs: [retained(topic, '')], states: false, clears: [] },
    { configs: [], states: false, clears },
  ];
}

/**
 * The steps by which everything that was announced leaves Home Assistant, the panel's own device included. `loaded`
 * says that this one is announced whole. Always three, so that a second has passed since the last payload.
 */
export function withdrawalStages(withdrawal: Withdrawal, loaded: boolean): readonly Stage[] {
  const { panel, announced } = withdrawal;
  const old = oldDevices(announced, panel, 'all').map((device) => sweepOld(panel, device));
  return merge([withdrawOwn(withdrawal, loaded), ...old]);
}

const stateMessage = (panelId: string, shape: RowShape, { state }: RowValue): readonly OutgoingMessage[] =>
  hasState(shape.entityKind) && state !== null ? [retainedFact(entityTopic(panelId, shape.key, 'state'), state)] : [];

const attributesMessage = (panelId: string, shape: RowShape, { attributes }: RowValue): readonly OutgoingMessage[] =>
  shape.attributes && attributes !== null
    ? [retainedFact(entityTopic(panelId, shape.key, 'attributes'), attributes)]
    : [];

const availabilityMessage = (panelId: string, shape: RowShape, { available }: RowValue): OutgoingMessage =>
  retainedFact(entityTopic(panelId, shape.key, 'availability'), available ? 'online' : 'offline');

/**
 * The messages that say what one row is now; the availability comes last, so that a row never returns with a bad state.
 */
export const rowMessages = (panelId: string, shape: RowShape, value: RowValue): readonly OutgoingMessage[] => [
  ...stateMessage(panelId, shape, value),
  ...attributesMessage(panelId, shape, value),
  availabilityMessage(panelId, shape, value),
];

/**
 * Without acknowledgement and never retained: what a broken connection lost must not be told when it is no longer true.
 */
const occurrenceMessages = (
  panelId: string,
  shape: RowShape,
  before: RowValue | undefined,
  after: RowValue,
): readonly OutgoingMessage[] =>
  occurredSince(before, after).map((payload) => ({
    topic: entityTopic(panelId, shape.key, 'state'),
    payload,
    retain: false,
    qos: 0,
  }));

/** The messages that differ between two values of one row. */
export const changedMessages = (
  panelId: string,
  shape: RowShape,
  before: RowValue | undefined,
  after: RowValue,
): readonly OutgoingMessage[] => [
  ...(before?.state === after.state ? [] : stateMessage(panelId, shape, after)),
  ...(before?.attributes === after.attributes ? [] : attributesMessage(panelId, shape, after)),
  ...(before?.available === after.available ? [] : [availabilityMessage(panelId, shape, after)]),
  ...occurrenceMessages(panelId, shape, before, after),
];
