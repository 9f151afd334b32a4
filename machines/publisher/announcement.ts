import { occurredSince, samePicture } from '../entities/row-value.ts';
import { hasState, type RowShape } from '../entities/shape.ts';
import { statusTopic } from '../kit/status-topic.ts';
import type { OutgoingMessage } from '../mqtt/events.ts';
import { configTopicOf, devicePayload, orphanComponent, removalMarker, type Component } from './discovery.ts';
import type { EntityMark, PublishedPanel, RowPayloads } from './events.ts';
import { orphansOf, isSame, oldDevices, type AnnouncedDevice, type AnnouncedEntities } from './announced.ts';
import { entityTopic, ownerTopic } from './topics.ts';

/**
 * One step of an announcement; steps are a second apart, since payloads sent back to back get lost (seen with Home
 * Assistant 2026.11).
 */
export interface Stage {
  readonly configs: readonly OutgoingMessage[];
  /** True if all states follow: every changed payload resets the entities in Home Assistant. */
  readonly states: boolean;
  /** Retained topics to clear. */
  readonly clears: readonly string[];
}

/**
 * A retained message with acknowledgement. Send few at a time: a broker accepts only 20 unacknowledged ones (seen with
 * Home Assistant 2026.11).
 */
export const retained = (topic: string, payload: string): OutgoingMessage => ({ topic, payload, retain: true, qos: 1 });

/** A retained message without acknowledgement: it is sent again on every new connection anyway. */
export const retainedFact = (topic: string, payload: string): OutgoingMessage => ({
  topic,
  payload,
  retain: true,
  qos: 0,
});

export interface Announcement {
  readonly panel: PublishedPanel;
  readonly components: Readonly<Record<string, Component>>;
  readonly announced: AnnouncedEntities;
  /**
   * `all` after Home Assistant's birth message: also sweeps again what was swept while it was not known if Home
   * Assistant was running.
   */
  readonly sweep: 'due' | 'all';
  /** True if the owner removed the device in Home Assistant: publish states only, no discovery. */
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

  // For a key whose kind changed, the old entity is removed before the new one is announced; otherwise both would
  // exist.
  const changed = new Set(orphaned.filter((mark) => components[mark.key]).map((mark) => mark.key));
  const untouched = Object.fromEntries(Object.entries(components).filter(([key]) => !changed.has(key)));
  const gone = orphaned.filter((mark) => !components[mark.key]);
  return [
    stage({ ...untouched, ...markers, ...keyed(orphaned, (mark) => orphanComponent(panel.panelId, mark)) }),
    stage({ ...untouched, ...markers, ...keyed(orphaned, removalMarker) }),
    ...(changed.size > 0 ? [stage({ ...components, ...markers })] : []),
    // Last, because Home Assistant logs an error if the state of a light that is still loaded is cleared.
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

/** The steps that announce the panel's entities and remove those of earlier shapes and names. */
export function stagesOf(announcement: Announcement): readonly Stage[] {
  const own: Stage[] = announcement.silent ? [{ configs: [], states: true, clears: [] }] : current(announcement);
  const old = oldDevices(announcement.announced, announcement.panel, announcement.sweep).map((device) =>
    sweepOld(announcement.panel, device),
  );
  return merge([own, ...old]);
}

type Withdrawal = Pick<Announcement, 'panel' | 'components' | 'announced'>;

/** Removes the panel's own device as a whole and clears all of its topics on the broker. */
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
 * The steps that remove everything announced from Home Assistant, including the panel's own device. `loaded`: that
 * device is currently announced in full. Always three steps, so that a second has passed since the last payload.
 */
export function withdrawalStages(withdrawal: Withdrawal, loaded: boolean): readonly Stage[] {
  const { panel, announced } = withdrawal;
  const old = oldDevices(announced, panel, 'all').map((device) => sweepOld(panel, device));
  return merge([withdrawOwn(withdrawal, loaded), ...old]);
}

const stateMessage = (panelId: string, shape: RowShape, { state }: RowPayloads): readonly OutgoingMessage[] =>
  hasState(shape.entityKind) && state !== null ? [retainedFact(entityTopic(panelId, shape.key, 'state'), state)] : [];

const attributesMessage = (panelId: string, shape: RowShape, { attributes }: RowPayloads): readonly OutgoingMessage[] =>
  shape.attributes && attributes !== null
    ? [retainedFact(entityTopic(panelId, shape.key, 'attributes'), attributes)]
    : [];

const availabilityMessage = (panelId: string, shape: RowShape, { available }: RowPayloads): OutgoingMessage =>
  retainedFact(entityTopic(panelId, shape.key, 'availability'), available ? 'online' : 'offline');

/**
 * The messages for the current value of a row; the availability comes last, so that a row never becomes available with
 * a wrong state.
 */
export const rowMessages = (panelId: string, shape: RowShape, value: RowPayloads): readonly OutgoingMessage[] => [
  ...stateMessage(panelId, shape, value),
  ...attributesMessage(panelId, shape, value),
  availabilityMessage(panelId, shape, value),
];

/**
 * Without acknowledgement and never retained: an occurrence lost with a broken connection must not be delivered later.
 */
const occurrenceMessages = (
  panelId: string,
  shape: RowShape,
  before: RowPayloads | undefined,
  after: RowPayloads,
): readonly OutgoingMessage[] =>
  occurredSince(before, after).map(({ payload }) => ({
    topic: entityTopic(panelId, shape.key, 'state'),
    payload,
    retain: false,
    qos: 0,
  }));

/** Whether the state is to be published: a new picture is, though its URL is the same. */
const sameState = (before: RowPayloads | undefined, after: RowPayloads): boolean =>
  before !== undefined && before.state === after.state && samePicture(before, after);

/** The messages that differ between two values of one row. */
export const changedMessages = (
  panelId: string,
  shape: RowShape,
  before: RowPayloads | undefined,
  after: RowPayloads,
): readonly OutgoingMessage[] => [
  ...(sameState(before, after) ? [] : stateMessage(panelId, shape, after)),
  ...(before?.attributes === after.attributes ? [] : attributesMessage(panelId, shape, after)),
  ...(before?.available === after.available ? [] : [availabilityMessage(panelId, shape, after)]),
  ...occurrenceMessages(panelId, shape, before, after),
];
