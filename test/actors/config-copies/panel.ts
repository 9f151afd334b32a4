import { createActor } from 'xstate';

import type { RunInLane } from '#actors/config-copies/deps.ts';
import { configCopiesSpec } from '#actors/config-copies.ts';
import { createRegistry } from '#actors/kit/registry.ts';
import { settingsSpec } from '#actors/settings.ts';
import type { RevisionsFile } from '#drivers/config-copies/revisions-file.ts';
import type { ImportOptions } from '#machines/config-copies/events.ts';
import type { RevisionBook } from '#machines/config-copies/revisions.ts';
import { askOf } from '#test/fakes/registry.ts';
import { createClock, settle, timersOf } from '#test/fakes/kit-clock.ts';
import { memoryStore } from '../settings/memory-store.ts';

export const FINGERPRINT = 'a'.repeat(64);

/** A file of revisions in memory that reads and refuses as the test says. */
export function memoryFile(book: RevisionBook | null = null) {
  const file = {
    book,
    writes: 0,
    unreadable: null as string | null,
    failure: null as string | null,
  };
  const driver: RevisionsFile<RevisionBook> = {
    read: async () =>
      file.unreadable === null
        ? { ok: true, value: file.book }
        : { ok: false, reason: file.unreadable, message: 'It cannot be read.' },
    write: async (value) => {
      if (file.failure !== null) return file.failure;
      file.writes += 1;
      file.book = value;
      return null;
    },
  };
  return { file, driver };
}

type File = ReturnType<typeof memoryFile>;

/** Runs jobs one at a time and notes how each ended; `busy` makes the next one wait for another. */
function fakeLane(hold: (token: string) => Promise<unknown>, release: (token: string) => void) {
  const lane = { ends: [] as unknown[], busy: false };
  const run: RunInLane = async (kind, work) => {
    if (lane.busy) return { busy: null };
    const token = 'token';
    await hold(token);
    const { value, end } = await work({ token, progress: () => {} });
    release(token);
    lane.ends.push({ kind, end });
    return { done: value };
  };
  return { lane, run };
}

/** A panel's settings and their copies, on a stepped clock and a store in memory. */
export async function startPanel(
  sections: Record<string, unknown> = {},
  { file, driver }: File = memoryFile(),
  fingerprint = FINGERPRINT,
) {
  const store = memoryStore({ identity: { fingerprint, fingerprints: [] }, ...sections });
  const clock = createClock();
  const live = createRegistry();
  const { lane, run } = fakeLane(
    (token) => live.ask('settings', { type: 'settings.hold', token }, 60_000),
    (token) => void live.tell('settings', { type: 'settings.release', token }),
  );
  const asked: unknown[] = [];
  const registry = {
    ...live,
    ask: askOf((id, event) => {
      if (id === 'store') return store.ask('store', event as never, 0);
      asked.push(event);
      // The types are those of the question.
      return live.ask(id as 'settings', event as never, 60_000);
    }),
    read: ((id: string) =>
      id === 'identity'
        ? { value: 'ready', context: { panelId: 'hall_panel' } }
        : live.read(id as 'settings')) as typeof live.read,
  };
  const settings = createActor(
    settingsSpec({
      registry: store,
      openFiles: [],
      now: clock.now,
      mode: () => 'hardened',
      recorded: null,
      clock: timersOf(clock),
    }).logic,
  );
  const copies = createActor(
    configCopiesSpec({ registry, now: clock.now, file: driver, inLane: run, timers: timersOf(clock) }).logic,
  );
  live.attach({ get: (id) => (id === 'settings' ? settings : id === 'config-copies' ? copies : undefined) });
  settings.start();
  copies.start();
  await settle();

  /** Lets a question be answered: the writer joins saves to four commits a second. */
  const answered = async <T>(question: Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false }>) => {
    await settle();
    clock.pass(1000, 250);
    const answer = await question;
    await settle();
    if (!answer.ok) throw new Error('there was no answer');
    return answer.value;
  };
  const from = 'network' as const;
  return {
    store,
    file,
    lane,
    asked,
    pass: async (ms: number) => {
      clock.pass(ms, 250);
      await settle();
    },
    facts: () => live.read('config-copies')?.context,
    settings: () => live.read('settings')?.context,
    save: (patch: Readonly<Record<string, unknown>>) =>
      answered(live.ask('settings', { type: 'settings.merge', patch, admitted: ['DISPLAY_CONFIGURATION'] }, 60_000)),
    exported: async (secrets = false) => {
      const at = clock.now();
      const outcome = await answered(live.ask('config-copies', { type: 'config.export', secrets, from, at }, 60_000));
      if (outcome.status !== 'exported') throw new Error(outcome.status);
      return outcome.bundle;
    },
    import: (bundle: unknown, more: Partial<ImportOptions> = {}) => {
      const options = {
        mode: 'restore' as const,
        strict: false,
        dryRun: false,
        hidesStored: false,
        expectedCfg: null,
        ...more,
      };
      const at = clock.now();
      return answered(live.ask('config-copies', { type: 'config.import', bundle, options, from, at }, 60_000));
    },
    restore: (id: number) => {
      const at = clock.now();
      return answered(live.ask('config-copies', { type: 'config.restore-revision', id, from, at }, 60_000));
    },
    stop: async () => {
      copies.stop();
      settings.stop();
      await settle();
    },
  };
}
