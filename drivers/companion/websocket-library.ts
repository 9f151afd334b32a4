import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type * as Ws from 'ws';

import { once } from '#machines/kit/once.ts';

/**
 * In a build the server's half of the library is a separate file (bin/build.mjs): the agent is a client of Home
 * Assistant far more often.
 */
const bundled = './websocket-server.cjs';

/** The library, loaded at the first connection. */
export const websocketLibrary = once((): Pick<typeof Ws, 'WebSocketServer'> => {
  const here = dirname(fileURLToPath(import.meta.url));
  // A module loaded at run time has no type.
  return createRequire(import.meta.url)(existsSync(join(here, bundled)) ? bundled : 'ws') as typeof Ws;
});
