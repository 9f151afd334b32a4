import type { MakeDeps } from '#actors/backup/make.ts';
import type { BackupDrivers, Entry } from '#actors/backup/drivers.ts';
import type { FoundJson } from '#drivers/backup/files.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

/** What a rig does in place of a disk. */
export interface RigOptions {
  readonly sections?: Readonly<Record<string, unknown>>;
  readonly unreadable?: readonly string[];
  /** The store does not answer. */
  readonly silent?: boolean;
  readonly busy?: boolean;
  readonly filter?: FoundJson;
  /** Fails the named step with the code. */
  readonly fails?: Readonly<Partial<Record<'write' | 'encrypt' | 'stage' | 'commit', string>>>;
  readonly onTrial?: boolean;
}

class DiskError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Makes and restores backups over fakes: what is "encrypted" is the container with its passphrase before it. */
export function backupRig({
  sections = {},
  unreadable = [],
  silent,
  busy,
  filter,
  fails = {},
  onTrial,
}: RigOptions = {}) {
  const disk = new Map<string, readonly Entry[] | { readonly passphrase: string; readonly of: readonly Entry[] }>();
  const steps: string[] = [];
  const committed: Readonly<Record<string, unknown>>[] = [];
  let staged: unknown = null;
  let names = 0;
  const fail = (step: keyof typeof fails): void => {
    const code = fails[step];
    if (code !== undefined) throw new DiskError(code);
  };
  const registry = fakeRegistry({
    identity: { panelId: 'hall', friendlyName: 'Hall' },
    maintenance: {},
    'profile-catalog': { trial: onTrial === true },
  });
  registry.answer = (_, event) => {
    switch (event.type) {
      case 'store.snapshot':
        return silent ? { ok: false, reason: 'timeout' } : { ok: true, value: { ok: true, sections, unreadable } };
      case 'store.commit-all': {
        // What the actor commits.
        const { sections: changed } = event as unknown as { readonly sections: Readonly<Record<string, unknown>> };
        committed.push(changed);
        const isRefused = committed.length === 1 && fails.commit !== undefined;
        return { ok: true, value: isRefused ? { ok: false, reason: fails.commit } : { ok: true } };
      }
      case 'maintenance.begin':
        return { ok: true, value: busy ? { status: 'busy', running: null } : { status: 'begun', token: 'lane' } };
      default:
        return { ok: false, reason: 'absent' };
    }
  };
  const drivers: BackupDrivers = {
    files: {
      temporary: (extension) => `/tmp/${(names += 1)}.${extension}`,
      remove: async (path) => void disk.delete(path),
      filter: async () => filter ?? { state: 'absent' },
      sizeOf: async () => 7,
    },
    profiles: {
      list: async () => [],
      read: async () => ({ state: 'absent' }),
      readRecord: () => ({ state: 'absent' }),
    },
    writeContainer: async (path, entries) => {
      disk.set(path, entries);
      fail('write');
      return entries.length;
    },
    encrypted: async (plain, target, passphrase) => {
      const of = disk.get(plain);
      disk.set(target, { passphrase, of: Array.isArray(of) ? of : [] });
      fail('encrypt');
    },
    isEncrypted: async (path) => !Array.isArray(disk.get(path)),
    decrypted: async (path, target, passphrase) => {
      const held = disk.get(path);
      if (held === undefined || !('passphrase' in held) || held.passphrase !== passphrase) return false;
      disk.set(target, held.of);
      return true;
    },
    readContainer: async (path) => {
      const held = disk.get(path);
      return Array.isArray(held)
        ? { entries: new Map(held.map(({ name, content }: Entry) => [name, content])) }
        : { refused: 'bad-archive', message: 'It is none.' };
    },
    stage: async (plan) => {
      if (fails.stage !== undefined) return { ok: false, code: fails.stage };
      staged = plan;
      return { ok: true, digest: 'd'.repeat(64) };
    },
    unstage: async () => {
      staged = null;
    },
    redeem: (token) => {
      steps.push(`redeem ${token}`);
      return token === 'good';
    },
  };
  const deps: MakeDeps = { registry, drivers, now: () => 1000, version: '1.0.0' };
  /** How the job in the lane ended. */
  const ends = (): readonly unknown[] =>
    registry.told.flatMap(({ event }) =>
      ['maintenance.end', 'maintenance.order', 'maintenance.leave'].includes(event.type) ? [event] : [],
    );
  return { deps, disk, steps, committed, ends, staged: () => staged };
}
