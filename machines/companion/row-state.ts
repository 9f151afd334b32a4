import type { RowValue } from '../entities/row-value.ts';
import type { EntityValue } from '../entities/value.ts';
import { type EntityOccurrence, type LightValue, STATE_LENGTH } from '../kit/entity.ts';
import type { CommandValue } from '../entities/command.ts';
import type { ClientMessage, PanelMessage } from './messages.ts';

type State = Extract<PanelMessage, { readonly type: 'state' }>;
type Occurred = Extract<PanelMessage, { readonly type: 'event' }>;

/** Largest attributes of one row as JSON, in characters; larger ones are left out (as over MQTT). */
const ATTRIBUTES_LENGTH = 8192;

const lightState = ({ on, brightness, rgb, effect }: LightValue): State['v'] => ({
  on,
  brightness,
  rgb: rgb == null ? null : [rgb.red, rgb.green, rgb.blue],
  effect: effect ?? null,
});

const plainState = (value: EntityValue): State['v'] =>
  typeof value === 'object' && value !== null ? lightState(value) : value;

/** Texts of at most 255 characters, as in a state: that is the wire's bound. */
const cutTexts = <T>(values: Readonly<Record<string, T>>): Record<string, T | string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > STATE_LENGTH
        ? Array.from(value).slice(0, STATE_LENGTH).join('')
        : value,
    ]),
  );

function attributesOf({ attributes }: RowValue): Pick<State, 'attributes'> {
  if (attributes === null) return {};
  const cut = cutTexts(attributes);
  return { attributes: JSON.stringify(cut).length > ATTRIBUTES_LENGTH ? {} : cut };
}

/** The message with the state of a row. */
export const stateMessage = (key: string, row: RowValue): State => ({
  type: 'state',
  k: key,
  available: row.available,
  v: row.picture == null ? plainState(row.value) : { path: row.picture.path, n: row.picture.sequence },
  ...attributesOf(row),
});

/** The message for one occurrence; `n` counts up while a session lasts, whatever the actor counts. */
export const eventMessage = (key: string, n: number, { type, attributes }: EntityOccurrence): Occurred => ({
  type: 'event',
  k: key,
  n,
  event: type,
  data: cutTexts(attributes ?? {}),
});

/** The value of a `set` as a command. */
export function commandOf(value: Extract<ClientMessage, { readonly type: 'set' }>['v']): CommandValue {
  if (typeof value !== 'object' || value === null) return value;
  const { on, brightness, rgb, effect } = value;
  return {
    ...(on !== undefined && { on }),
    ...(brightness !== undefined && { brightness }),
    ...(rgb !== undefined && { rgb: { red: rgb[0], green: rgb[1], blue: rgb[2] } }),
    ...(effect !== undefined && { effect }),
  };
}
