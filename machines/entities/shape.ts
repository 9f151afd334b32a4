import type { AnyRow, EntityKind, LightModes } from '../kit/entity.ts';

/** The plain facts of a catalogue row: everything but its functions, so that it can be sent and compared. */
export interface RowShape {
  readonly key: string;
  /** Suffix of the entity id; the key if absent. */
  readonly objectId?: string;
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
  /** Only of a light. */
  readonly modes?: LightModes;
  /** True if the row has attributes: those of a sensor beside its state, or why its newest command was refused. */
  readonly attributes: boolean;
}

/** Kinds of rows that only report. */
const reporting: readonly EntityKind[] = ['sensor', 'binary_sensor', 'event', 'image'];

/** True if Home Assistant can command rows of this kind. */
export const isCommandable = (kind: EntityKind): boolean => !reporting.includes(kind);

/** True if rows of this kind have a state; a button has none. */
export const hasState = (kind: EntityKind): boolean => kind !== 'button';

/** Default modes of a light: a brightness from 0 to 255. */
export const plainLight: LightModes = { colour: 'level', effects: [] };

/** The plain facts of `row`; `modes` are the detected ones of its hardware, if any. */
export const shapeOf = (row: AnyRow, modes?: LightModes): RowShape => ({
  key: row.key,
  ...(row.objectId !== undefined && { objectId: row.objectId }),
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
  ...((row.entityKind === 'select' || row.entityKind === 'sensor') &&
    row.options !== undefined && { options: row.options }),
  ...(row.entityKind === 'event' && { eventTypes: row.eventTypes }),
  ...(row.entityKind === 'light' && { modes: modes ?? row.modes ?? plainLight }),
  attributes: isCommandable(row.entityKind) || ('attributes' in row && row.attributes !== undefined),
});
