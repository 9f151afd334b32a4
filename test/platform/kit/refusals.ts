import type { CatalogueItem, ClientMessage, PanelMessage } from '#machines/companion/messages.ts';
import { connectCompanion, type CompanionClient, pairCompanion } from '#test/fakes/companion-client.ts';
import type { EntityState } from '../home-assistant/client.ts';
import type { Agent } from './agent.ts';
import { answer, questionAt } from './paired.ts';
import { until } from './until.ts';

type Wanted = Extract<ClientMessage, { readonly type: 'set' }>['v'];
type Shown = Extract<PanelMessage, { readonly type: 'state' }>;

/** An action of Home Assistant on one entity. */
export interface Action {
  readonly action: string;
  readonly data?: object;
}

/** A row of the panel's catalogue, as a session gets it. */
export type Item = CatalogueItem;

const tooLong = ({ max_length: longest = 0 }: Item): string => 'x'.repeat(longest + 1);
const tooMuch = ({ max = 0 }: Item): number => max + 1;
const OTHER = 'no such word';

/** What no row of this kind takes, and the code with which the panel refuses it. */
export function wrongFor(item: Item): { readonly value: Wanted; readonly code: string } {
  switch (item.platform) {
    case 'light':
      return { value: { effect: OTHER }, code: 'not-an-option' };
    case 'number':
      return { value: tooMuch(item), code: 'out-of-range' };
    case 'text':
      return { value: tooLong(item), code: 'too-long' };
    case 'select':
      return { value: OTHER, code: 'not-an-option' };
    case 'switch':
    case 'button':
      return { value: 'on', code: 'malformed' };
    default:
      return { value: true, code: 'not-commandable' };
  }
}

/** An action whose value Home Assistant itself refuses; null for a kind without values. */
export function wrongAction(item: Item): Action | null {
  switch (item.platform) {
    case 'light':
      return { action: 'light.turn_on', data: { rgb_color: [256, 0, 0] } };
    case 'number':
      return { action: 'number.set_value', data: { value: tooMuch(item) } };
    case 'text':
      return { action: 'text.set_value', data: { value: tooLong(item) } };
    case 'select':
      return { action: 'select.select_option', data: { option: OTHER } };
    default:
      return null;
  }
}

/** True if it takes commands. */
export const takesCommands = (item: Item): boolean => wrongFor(item).code !== 'not-commandable';

/** An action that would change the row from the state that it has. */
export function changeOf({ platform, min, max, options = [] }: Item, { state }: EntityState): Action {
  switch (platform) {
    case 'number':
      return { action: 'number.set_value', data: { value: Number(state) === min ? max : min } };
    case 'text':
      return { action: 'text.set_value', data: { value: '/lovelace/elsewhere' } };
    case 'select':
      return { action: 'select.select_option', data: { option: options.find((option) => option !== state) } };
    case 'button':
      return { action: 'button.press' };
    default:
      return { action: `${platform}.turn_${state === 'on' ? 'off' : 'on'}` };
  }
}

/** The same to the panel itself, from what it shows. */
export function valueOf({ platform, min = 0 }: Item): Wanted {
  switch (platform) {
    case 'light':
      return { on: true };
    case 'number':
      return min;
    case 'switch':
      return true;
    case 'button':
      return null;
    default:
      return '/lovelace/elsewhere';
  }
}

function stateOf(value: Shown['v']): unknown {
  const shown = typeof value === 'object' && value !== null && 'on' in value ? value.on : value;
  if (shown === null) return 'unknown';
  return typeof shown === 'boolean' ? (shown ? 'on' : 'off') : shown;
}

/** A session of a second Home Assistant, without one: what it sends reaches the panel as it is. */
export interface RawSession extends CompanionClient {
  readonly items: readonly Item[];
  /** The newest state of a row. */
  readonly shown: (key: string) => Shown | undefined;
}

/** Pairs such a one, and opens its session. */
export async function openRaw(agent: Agent): Promise<RawSession> {
  const { port } = agent;
  const client = { id: 'feedfacefeedfacefeedfacefeedface', name: 'Second home' };
  const pairing = await pairCompanion({ port, client });
  const question = await until('the panel asks about it', async () => {
    const shown = await questionAt(agent);
    return shown?.code === pairing.agreed.digits && shown;
  });
  pairing.confirm();
  await answer(agent, question, 'hold');
  const session = await connectCompanion({ port, client, key: await pairing.paired() });
  const { items } = await session.untilType('catalogue');
  await session.untilType('synced');
  return {
    ...session,
    items,
    shown: (key) =>
      session.messages.findLast((message): message is Shown => message.type === 'state' && message.k === key),
  };
}

/** True if Home Assistant shows a row that takes commands as the panel does. */
export function isTrue({ platform }: Item, shown: Shown | undefined, state: EntityState | undefined): boolean {
  if (shown === undefined || state === undefined) return false;
  if (!shown.available || state.state === 'unavailable') return !shown.available && state.state === 'unavailable';
  if (platform === 'button') return true;
  const wanted = stateOf(shown.v);
  return platform === 'number' ? Number(state.state) === wanted : state.state === wanted;
}
