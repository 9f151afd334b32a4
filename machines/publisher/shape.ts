import type { EntityPlatform, EntityRow, LightModes } from '../kit/entity.ts';

/** The plain facts of a catalogue row: everything but its functions, so that it can travel and be compared. */
export interface RowShape {
  readonly key: string;
  readonly platform: EntityPlatform;
  readonly name: string;
  readonly icon?: string;
  readonly category?: 'config' | 'diagnostic';
  readonly deviceClass?: string;
  readonly stateClass?: string;
  readonly unit?: string;
  readonly precision?: number;
  readonly range?: { readonly min: number; readonly max: number; readonly step: number };
  readonly maxLength?: number;
  readonly options?: readonly string[];
  readonly eventTypes?: readonly string[];
  /** What a light offers. */
  readonly modes?: LightModes;
  /** Whether the row publishes attributes beside its state. */
  readonly attributes: boolean;
}

/** Whether the platform may command a row of this platform. */
export const isCommandable = (platform: EntityPlatform): boolean =>
  platform !== 'sensor' && platform !== 'binary_sensor' && platform !== 'event';

/** Whether a row of this platform has a topic for its state; a button has none. */
export const hasState = (platform: EntityPlatform): boolean => platform !== 'button';

/** What a light offers whose row says nothing else: a level from 0 to 255. */
export const plainLight: LightModes = { colour: 'level', effects: [] };

/** The plain facts of `row`; `modes` is what its hardware was found to offer, where it was. */
export const shapeOf = (row: EntityRow, modes?: LightModes): RowShape => ({
  key: row.key,
  platform: row.platform,
  name: row.name,
  ...(row.icon !== undefined && { icon: row.icon }),
  ...(row.category !== undefined && { category: row.category }),
  ...(row.deviceClass !== undefined && { deviceClass: row.deviceClass }),
  ...(row.stateClass !== undefined && { stateClass: row.stateClass }),
  ...(row.unit !== undefined && { unit: row.unit }),
  ...(row.platform === 'sensor' && row.precision !== undefined && { precision: row.precision }),
  ...(row.platform === 'number' && { range: row.range }),
  ...(row.platform === 'text' && { maxLength: row.maxLength }),
  ...(row.platform === 'select' && { options: row.options }),
  ...(row.platform === 'event' && { eventTypes: row.eventTypes }),
  ...(row.platform === 'light' && { modes: modes ?? row.modes ?? plainLight }),
  attributes: row.platform === 'sensor' && row.attributes !== undefined,
});
