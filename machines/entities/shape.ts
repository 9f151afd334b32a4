import type { AnyRow, EntityKind, LightModes } from '../kit/entity.ts';

/** The plain facts of a catalogue row: everything but its functions, so that it can travel and be compared. */
export interface RowShape {
  readonly key: string;
  readonly entityKind: EntityKind;
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

/** Whether Home Assistant may command a row of this kind. */
export const isCommandable = (kind: EntityKind): boolean =>
  kind !== 'sensor' && kind !== 'binary_sensor' && kind !== 'event';

/** Whether a row of this kind has a topic for its state; a button has none. */
export const hasState = (kind: EntityKind): boolean => kind !== 'button';

/** What a light offers whose row says nothing else: a level from 0 to 255. */
export const plainLight: LightModes = { colour: 'level', effects: [] };

/** The plain facts of `row`; `modes` is what its hardware was found to offer, where it was. */
export const shapeOf = (row: AnyRow, modes?: LightModes): RowShape => ({
  key: row.key,
  entityKind: row.entityKind,
  name: row.name,
  ...(row.icon !== undefined && { icon: row.icon }),
  ...(row.category !== undefined && { category: row.category }),
  ...(row.deviceClass !== undefined && { deviceClass: row.deviceClass }),
  ...(row.stateClass !== undefined && { stateClass: row.stateClass }),
  ...(row.unit !== undefined && { unit: row.unit }),
  ...(row.entityKind === 'sensor' && row.precision !== undefined && { precision: row.precision }),
  ...(row.entityKind === 'number' && { range: row.range }),
  ...(row.entityKind === 'text' && { maxLength: row.maxLength }),
  ...(row.entityKind === 'select' && { options: row.options }),
  ...(row.entityKind === 'event' && { eventTypes: row.eventTypes }),
  ...(row.entityKind === 'light' && { modes: modes ?? row.modes ?? plainLight }),
  attributes: row.entityKind === 'sensor' && row.attributes !== undefined,
});
