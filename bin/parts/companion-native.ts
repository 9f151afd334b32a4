import { followIssues } from '#actors/companion/issues.ts';
import { serveRows } from '#actors/companion/native-bridge.ts';
import type { WireSchemas } from '#drivers/companion/rules.ts';
import { ClientHello, ClientMessage, PairingStep } from '#machines/companion/messages.ts';
import { entityRows } from '#machines/entities.ts';
import { chunk } from '#machines/kit/chunk.ts';
import { parkedParts } from '#machines/kit/status.ts';
import type { PartDeps } from './deps.ts';

const homeChoice = chunk(() => import('#actors/kit/home-choice.ts'));

/** Reads what the other end of a native connection says. */
export const schemas: WireSchemas = { hello: ClientHello, step: PairingStep, message: ClientMessage };

/** Serves the rows, and what needs a person, to the sessions. */
export const nativeRows = ({ registry, admission, tree, rootShell, companion: exchange }: PartDeps) =>
  serveRows({
    registry,
    exchange,
    rows: entityRows,
    issues: (scope) => followIssues({ registry, parked: () => parkedParts(tree()), rootShell }, scope),
    admission,
    elapsed: () => performance.now(),
    lookAtSettings: (patch) =>
      'home_dashboard' in patch
        ? homeChoice().then(({ objectionToHome }) => objectionToHome(registry, patch['home_dashboard']))
        : null,
  });
