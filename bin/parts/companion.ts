import { companionSpec } from '#actors/companion.ts';
import type { Part } from '#actors/kit/part.ts';
import { companionSessions } from '#drivers/companion/sessions.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { channels, PROLOGUE, PROTOCOL, wireLimits, wireTimes } from '#machines/companion/wire.ts';
import { chunk } from '#machines/kit/chunk.ts';
import type { PartDeps } from './deps.ts';

const terminal = chunk(() => import('#drivers/companion/terminal.ts'));
const native = chunk(() => import('./companion-native.ts'));

const elapsed = (): number => performance.now();

/**
 * The native connection with its drivers; the exchange joins its connections, the listener and the rows. What reads
 * messages and serves rows is loaded with the first connection.
 */
export function companionPart(deps: PartDeps): Part {
  const { registry, admission, folder, now, companion: joint } = deps;
  return companionSpec({
    registry,
    admission,
    now,
    elapsed,
    terminal: async (question, signal) => (await terminal()).askInTerminal(question, { folder, signal }),
    sessions: companionSessions({
      joint,
      now,
      rules: { protocol: PROTOCOL, prologue: PROLOGUE, json: channels.json, limits: wireLimits, times: wireTimes },
      schemas: async () => (await native()).schemas,
    }),
    bridge: fromDriver(async (scope) => (await native()).nativeRows(deps)(scope)),
  });
}
