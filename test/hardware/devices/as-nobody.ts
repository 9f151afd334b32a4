import { createRequire } from 'node:module';

import type * as Koffi from 'koffi';

/** Id of the user of Debian without rights, who is in no group. */
const NOBODY = 65_534;

/** Runs something with this process, and those that it starts, as a user without rights; root again afterwards. */
export async function asNobody<T>(run: () => Promise<T>): Promise<T> {
  // Reached by its own path: what is bundled cannot hold a library of the machine.
  const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
  const libc = koffi.load('libc.so.6');
  // Node's own `setuid` has no way back. The third id is what allows it.
  const setUser = libc.func('int setresuid(unsigned int real, unsigned int effective, unsigned int saved)');
  const become = (user: number): void => {
    if (setUser(user, user, 0) !== 0) throw new Error(`this process may not become user ${user}`);
  };
  become(NOBODY);
  try {
    return await run();
  } finally {
    become(0);
  }
}
