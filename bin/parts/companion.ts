import { nativeBridge } from '#actors/companion/native-bridge.ts';
import { companionSpec } from '#actors/companion.ts';
import type { Part } from '#actors/kit/part.ts';
import { companionSessions } from '#drivers/companion/sessions.ts';
import { ClientHello, ClientMessage, PairingStep } from '#machines/companion/messages.ts';
import { channels, PROLOGUE, PROTOCOL, wireLimits, wireTimes } from '#machines/companion/wire.ts';
import { entityRows } from '#machines/entities.ts';
import { chunk } from '#machines/kit/chunk.ts';
import type { PartDeps } from './deps.ts';

const terminal = chunk(() => import('#drivers/companion/terminal.ts'));
const homeChoice = chunk(() => import('#actors/kit/home-choice.ts'));

const elapsed = (): number => performance.now();

/** The native connection with its drivers; the exchange joins its connections, the listener and the rows. */
export function companionPart({ registry, admission, folder, now, companion: joint }: PartDeps): Part {
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
      schemas: { hello: ClientHello, step: PairingStep, message: ClientMessage },
    }),
    bridge: nativeBridge({
      registry,
      exchange: joint,
      rows: entityRows,
      admission,
      elapsed,
      lookAtSettings: (patch) =>
        'home_dashboard' in patch
          ? homeChoice().then(({ objectionToHome }) => objectionToHome(registry, patch['home_dashboard']))
          : null,
    }),
  });
}
