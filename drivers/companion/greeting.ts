import type { ClientDescription, ClientHello, PanelHello } from '#machines/companion/events.ts';
import { foreignValue } from '#machines/kit/foreign-json.ts';
import { prologueOf } from './prologue.ts';
import type { RefusalCode } from './refused.ts';
import { plainBounds, type WireRules, type WireSchemas } from './rules.ts';

/** How this panel introduces itself. */
export type PanelIntroduction = Pick<PanelHello, 'id' | 'name' | 'model'>;

/** A greeting that is answered. */
export interface Greeted {
  readonly client: ClientDescription;
  /** Null if it wants to be paired. */
  readonly keyId: string | null;
  /** The panel's greeting. */
  readonly answer: string;
  readonly prologue: Buffer;
}

/** The newest protocol that both speak; null if there is none, or if that is not what the greeting says. */
function commonProtocol(said: unknown, [oldest, newest]: readonly [number, number]): number | null {
  if (!Array.isArray(said)) return null;
  // Elements of a foreign list.
  const [from, to] = said as readonly unknown[];
  if (typeof from !== 'number' || typeof to !== 'number') return null;
  const best = Math.min(newest, to);
  return best >= Math.max(oldest, from) ? best : null;
}

const describe = ({ client: { id, ...rest } }: ClientHello): ClientDescription => ({ clientId: id, ...rest });

/** Answers a greeting, or says why it is refused. */
export function greet(
  bytes: Buffer,
  panel: PanelIntroduction,
  { protocol: range, prologue }: WireRules,
  schemas: WireSchemas,
): Greeted | RefusalCode {
  const value = foreignValue(bytes.toString(), plainBounds);
  if (typeof value !== 'object' || value === null || !('protocol' in value)) return 'malformed';
  // Before all else: the greeting of a later protocol may have another shape.
  const protocol = commonProtocol(value.protocol, range);
  if (protocol === null) return Array.isArray(value.protocol) ? 'protocol' : 'malformed';
  const parsed = schemas.hello().safeParse(value);
  if (!parsed.success) return 'malformed';
  const { id, name, model } = panel;
  const answer = JSON.stringify({ type: 'hello', protocol, id, name, model } satisfies PanelHello);
  return {
    client: describe(parsed.data),
    keyId: parsed.data.key_id ?? null,
    answer,
    prologue: prologueOf(prologue, [bytes, Buffer.from(answer)]),
  };
}
