import type { DriverScope } from '#drivers/kit/from-driver.ts';
import { type KeptBinding, keptSection, originOf, readKept } from '#machines/mqtt/binding.ts';
import type { DesiredFact, PasswordCommand } from '#machines/mqtt/events.ts';

import type { Asking } from './kit/stored-section.ts';
import { storedSection } from './kit/stored-section.ts';

/** What the memory of the broker's password is wired to. */
export interface PasswordMemoryDeps {
  readonly registry: Asking;
  /** The broker's password, null where none is set; it is compared, and handed to nobody. */
  readonly readPassword: () => Promise<string | null>;
  /** Recognises a password on this machine without telling it (`passwordMark()` of the link's drivers). */
  readonly markPassword: (password: string, installId: string) => string;
  /** The password that the command line handed over in a file; null where it did not. */
  readonly handedOver: string | null;
}

/** What the settings say of the password. */
export interface PasswordSetting {
  readonly passwordSet: boolean;
  /** Whether a broker is configured. */
  readonly configured: boolean;
  readonly installId: string;
}

/** A look at the password in force. */
interface Look {
  readonly value: string | null;
  readonly mark: string | null;
  readonly configured: boolean;
}

/** Notices another password, and keeps durably which broker it is for. */
export interface PasswordMemory {
  /** Looks at the password; rejects where it cannot be read now. */
  readonly look: (setting: PasswordSetting) => Promise<void>;
  /** The mark of the password that was looked at last; null where none was, or none is set. */
  readonly mark: () => string | null;
  /** How many other passwords were seen after the first. */
  readonly revision: () => number;
  /** The driver's cleanup. */
  readonly end: () => Promise<void>;
}

/** The memory of the broker's password, for the driver whose scope is given. */
export const passwordMemory = (
  { registry, readPassword, markPassword, handedOver }: PasswordMemoryDeps,
  scope: DriverScope<PasswordCommand, undefined, DesiredFact>,
): PasswordMemory => {
  const memory = storedSection<KeptBinding | null>(registry, scope, {
    section: 'broker',
    parse: readKept,
    format: (kept) => (kept === null ? null : keptSection(kept)),
    pace: 'at-once',
  });
  /** Undefined until it was recalled. */
  let kept: KeptBinding | null | undefined;
  let seen: Look | null = null;
  let revision = 0;
  let noted: number | null = null;
  let isFileDue = handedOver !== null && handedOver !== '';

  const note = (): void => {
    if (kept === undefined || seen === null || noted === revision) return;
    const { value, mark, configured } = seen;
    const isHandedOver = isFileDue && value === handedOver;
    if (isHandedOver) isFileDue = false;
    const stored = kept === null ? 'nothing' : kept.password === mark ? 'same' : 'other';
    const origin = originOf({ isSet: value !== null, stored, isHandedOver, isFirstLook: noted === null });
    noted = revision;
    const binding = origin === 'recorded' ? (kept?.binding ?? null) : null;
    scope.send({ type: 'password.noted', revision, origin, binding, configured });
  };

  scope.onEvent(async (command) => {
    const isCurrent = command.revision === revision && seen !== null;
    const next: KeptBinding = { password: seen?.mark ?? null, binding: command.binding };
    if (command.type === 'binding.keep') {
      if (!isCurrent) return;
      kept = next;
      await memory.keep(next);
      return;
    }
    const { requestId, binding } = command;
    const failure = isCurrent ? await memory.write(next) : 'password-changed';
    if (failure === null && command.revision === revision) kept = next;
    scope.send({
      type: 'binding.settled',
      requestId,
      revision: command.revision,
      binding,
      outcome: failure === null ? { status: 'confirmed' } : { status: 'commit-failed', reason: failure },
    });
  });
  memory.recall((found) => {
    kept = found;
    note();
  });

  return {
    look: async ({ passwordSet, configured, installId }) => {
      const value = passwordSet ? await readPassword() : null;
      if (seen !== null && seen.value !== value) revision += 1;
      seen = { value, mark: value === null ? null : markPassword(value, installId), configured };
      note();
    },
    mark: () => seen?.mark ?? null,
    revision: () => revision,
    end: memory.end,
  };
};
