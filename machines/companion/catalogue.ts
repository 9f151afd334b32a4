import type { EntityPanel } from '../entities/panel.ts';
import { plainLight, type RowShape } from '../entities/shape.ts';
import { STATE_LENGTH } from '../kit/entity.ts';
import type { Milliseconds } from '../kit/units.ts';
import type { CatalogueItem, PanelMessage } from './messages.ts';
import type { Surface } from './move.ts';

type Catalogue = Extract<PanelMessage, { readonly type: 'catalogue' }>;
type Kind = Omit<CatalogueItem, 'k' | 'platform' | 'name' | 'object_id' | 'enabled'>;

/** Home Assistant's words for the modes of a light (`color_mode`, as over MQTT). */
const lightModes = { switch: 'onoff', level: 'brightness', rgb: 'rgb' } as const;

const lightPart = ({ colour, effects }: NonNullable<RowShape['modes']>): Kind => ({
  modes: [lightModes[colour]],
  ...(effects.length > 0 && { effects: [...effects] }),
});

function byKind({ entityKind, range, maxLength, options, eventTypes, modes }: RowShape): Kind {
  switch (entityKind) {
    case 'light':
      return lightPart(modes ?? plainLight);
    case 'number':
      return { ...range, mode: 'slider' };
    case 'text':
      return { min: 0, max_length: Math.min(maxLength ?? STATE_LENGTH, STATE_LENGTH), mode: 'text' };
    case 'select':
      return { options: [...(options ?? [])] };
    case 'sensor':
      return options === undefined ? {} : { options: [...options] };
    case 'event':
      return { event_types: [...(eventTypes ?? [])] };
    case 'switch':
    case 'button':
    case 'binary_sensor':
    case 'image':
      return {};
  }
}

/** One row as the integration gets it; `timeout` is set if a command may have to wait for a person at the panel. */
const itemOf = (shape: RowShape, timeout: Milliseconds | null = null): CatalogueItem => ({
  k: shape.key,
  platform: shape.entityKind,
  name: shape.name,
  object_id: shape.objectId ?? shape.key,
  enabled: true,
  ...(shape.icon !== undefined && { icon: shape.icon }),
  ...(shape.category !== undefined && { category: shape.category }),
  ...(shape.deviceClass !== undefined && { class: shape.deviceClass }),
  ...(shape.stateClass !== undefined && { state_class: shape.stateClass }),
  ...(shape.unit !== undefined && { unit: shape.unit }),
  ...(shape.precision !== undefined && { precision: shape.precision }),
  ...byKind(shape),
  ...(timeout !== null && { timeout }),
});

/** What a catalogue is made of. */
export interface CatalogueParts {
  /** Counts up within a session. */
  readonly rev: number;
  readonly surface: Surface;
  readonly panel: Omit<EntityPanel, 'shapes' | 'hidden' | 'installId'>;
  readonly shapes: readonly RowShape[];
  /** How long a command may wait for a person, by the key of its row. */
  readonly timeouts: Readonly<Record<string, Milliseconds>>;
}

/** The whole catalogue: the panel's device with its rows. */
export const catalogueOf = ({ rev, surface, panel, shapes, timeouts }: CatalogueParts): Catalogue => ({
  type: 'catalogue',
  rev,
  surface,
  panel: {
    id: panel.panelId,
    name: panel.friendlyName.trim() || panel.panelId,
    manufacturer: panel.manufacturer,
    model: panel.model,
    version: panel.version,
    configuration_url: panel.configurationUrl,
  },
  items: shapes.map((shape) => itemOf(shape, timeouts[shape.key] ?? null)),
});
