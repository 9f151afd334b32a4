import { hasState, isCommandable, plainLight, type RowShape } from '../entities/shape.ts';
import type { LightModes } from '../kit/entity.ts';
import { statusTopic } from '../kit/status-topic.ts';
import { type AnnouncedEntities, shapesToAnnounce } from './announced.ts';
import type { EntityMark, PublishedPanel } from './events.ts';
import { configTopic, deviceIdentifier, entityTopic } from './topics.ts';
import { refusalOfComponent, refusalOfDevice } from './validate.ts';

/**
 * One entity in a device payload (`platform` is Home Assistant's word for its kind), or the removal marker of one,
 * which has only its kind.
 */
export type Component = Readonly<Record<string, unknown>> & { readonly platform: string };

/** The device payload of Home Assistant's discovery (seen with Home Assistant 2026.11). */
export interface DevicePayload {
  readonly device: Readonly<Record<string, unknown>>;
  readonly origin: Readonly<Record<string, unknown>>;
  readonly availability: readonly { readonly topic: string }[];
  readonly qos: 0 | 1;
  readonly components: Readonly<Record<string, Component>>;
}

/** The panel whose device a payload describes. */
export type DeviceOwner = Pick<
  PublishedPanel,
  'panelId' | 'installId' | 'friendlyName' | 'manufacturer' | 'model' | 'version' | 'configurationUrl'
>;

const uniqueId = (panelId: string, key: string): string => `${deviceIdentifier(panelId)}_${key}`;

const identity = (panelId: string, mark: EntityMark & Pick<RowShape, 'objectId'>) => ({
  platform: mark.entityKind,
  unique_id: uniqueId(panelId, mark.key),
  default_entity_id: `${mark.entityKind}.${panelId}_${mark.objectId ?? mark.key}`,
});

const topics = (panelId: string, mark: EntityMark) => ({
  ...(hasState(mark.entityKind) && {
    [mark.entityKind === 'image' ? 'url_topic' : 'state_topic']: entityTopic(panelId, mark.key, 'state'),
  }),
  ...(isCommandable(mark.entityKind) && { command_topic: entityTopic(panelId, mark.key, 'set') }),
});

const colourModes = { switch: 'onoff', level: 'brightness', rgb: 'rgb' } as const satisfies Record<
  LightModes['colour'],
  string
>;

const lightPart = ({ colour, effects }: LightModes): Readonly<Record<string, unknown>> => ({
  schema: 'json',
  supported_color_modes: [colourModes[colour]],
  // Otherwise Home Assistant multiplies the brightness into the colour and omits it (seen with Home Assistant 2026.11).
  ...(colour === 'rgb' && { brightness: true }),
  ...(effects.length > 0 && { effect: true, effect_list: effects }),
  flash: false,
  transition: false,
});

function byKind(shape: RowShape): Readonly<Record<string, unknown>> {
  switch (shape.entityKind) {
    case 'light':
      return lightPart(shape.modes ?? plainLight);
    case 'number':
      return { min: shape.range?.min, max: shape.range?.max, step: shape.range?.step, mode: 'slider' };
    case 'text':
      return { min: 0, max: shape.maxLength, mode: 'text', value_template: '{{ value_json.value }}' };
    case 'select':
      return { options: shape.options };
    case 'button':
      return { payload_press: 'PRESS' };
    case 'event':
      return { event_types: shape.eventTypes };
    case 'sensor':
      return shape.options === undefined ? {} : { options: shape.options };
    case 'switch':
    case 'binary_sensor':
    case 'image':
      return {};
  }
}

/** The full component of `shape`. */
export const componentOf = (owner: Pick<DeviceOwner, 'panelId' | 'installId'>, shape: RowShape): Component => ({
  ...identity(owner.panelId, shape),
  name: shape.name,
  ...(shape.icon !== undefined && { icon: shape.icon }),
  ...(shape.category !== undefined && { entity_category: shape.category }),
  ...(shape.deviceClass !== undefined && { device_class: shape.deviceClass }),
  ...(shape.stateClass !== undefined && { state_class: shape.stateClass }),
  ...(shape.unit !== undefined && { unit_of_measurement: shape.unit }),
  ...(shape.precision !== undefined && { suggested_display_precision: shape.precision }),
  ...topics(owner.panelId, shape),
  ...(shape.attributes && { json_attributes_topic: entityTopic(owner.panelId, shape.key, 'attributes') }),
  // A component's own list replaces the device's, so the device's topic is repeated in it.
  availability: [
    { topic: statusTopic(owner.panelId, owner.installId) },
    { topic: entityTopic(owner.panelId, shape.key, 'availability') },
  ],
  availability_mode: 'all',
  ...byKind(shape),
});

/**
 * The minimal component that Home Assistant accepts for an orphaned entity: it must be loaded before it can be removed.
 */
export const orphanComponent = (panelId: string, mark: EntityMark): Component => ({
  ...identity(panelId, mark),
  name: mark.key,
  ...topics(panelId, mark),
  ...(mark.entityKind === 'light' && { schema: 'json' }),
  ...(mark.entityKind === 'select' && { options: ['-'] }),
  ...(mark.entityKind === 'event' && { event_types: ['-'] }),
});

/** The marker that removes an entity which a running Home Assistant has loaded. */
export const removalMarker = (mark: EntityMark): Component => ({ platform: mark.entityKind });

const devicePart = (owner: DeviceOwner): Readonly<Record<string, unknown>> => ({
  identifiers: [deviceIdentifier(owner.panelId)],
  name: owner.friendlyName.trim() || owner.panelId,
  ...(owner.manufacturer !== '' && { manufacturer: owner.manufacturer }),
  ...(owner.model !== '' && { model: owner.model }),
  sw_version: owner.version,
  ...(owner.configurationUrl !== null && { configuration_url: owner.configurationUrl }),
});

export const devicePayload = (owner: DeviceOwner, components: Readonly<Record<string, Component>>): DevicePayload => ({
  device: devicePart(owner),
  origin: { name: 'Sconce', sw_version: owner.version },
  availability: [{ topic: statusTopic(owner.panelId, owner.installId) }],
  qos: 1,
  components,
});

/** The rows of a panel after the check: the ones to publish, and the refused ones with their reasons. */
export interface CheckedPanel {
  readonly components: Readonly<Record<string, Component>>;
  readonly shapes: readonly RowShape[];
  /** Reason by refused row key; the key `device` is the device itself, without which nothing is published. */
  readonly refused: Readonly<Record<string, string>>;
}

/**
 * Builds and checks the components of `panel`, given what was announced before: a single invalid one would void the
 * whole device in Home Assistant.
 */
export function checkPanel(panel: PublishedPanel, announced: AnnouncedEntities): CheckedPanel {
  const components = new Map<string, Component>();
  const refused = new Map<string, string>();
  const shapes: RowShape[] = [];
  for (const shape of shapesToAnnounce(panel, announced)) {
    const component = componentOf(panel, shape);
    const reason = components.has(shape.key) ? 'key used twice' : refusalOfComponent(shape.key, component);
    if (reason === null) {
      components.set(shape.key, component);
      shapes.push(shape);
    } else refused.set(shape.key, reason);
  }
  const device = refusalOfDevice(devicePayload(panel, {}));
  if (device !== null) refused.set('device', device);
  return device === null
    ? { components: Object.fromEntries(components), shapes, refused: Object.fromEntries(refused) }
    : { components: {}, shapes: [], refused: Object.fromEntries(refused) };
}

export const configTopicOf = (panel: Pick<PublishedPanel, 'prefix' | 'panelId'>): string =>
  configTopic(panel.prefix, panel.panelId);
