import { z } from 'zod';

import type { Binding, FoundBroker, PasswordOrigin } from './events.ts';

/** The binding of a password that is meant for no broker that is known. */
export const unconfirmed: Binding = { kind: 'unconfirmed' };

/** What is known of a password when it is looked at. */
export interface LookedAt {
  readonly isSet: boolean;
  /** What the stored binding speaks of: `nothing` where none was ever stored. */
  readonly stored: 'nothing' | 'same' | 'other';
  /** Whether it is what a file handed over in this run, which counts once. */
  readonly isHandedOver: boolean;
  /** Whether it is the first that this run looks at. */
  readonly isFirstLook: boolean;
}

/**
 * How the password in force came. What is stored already stays as it was, so that a file with the same content changes
 * nothing.
 */
export const originOf = ({ isSet, stored, isHandedOver, isFirstLook }: LookedAt): PasswordOrigin => {
  if (stored === 'same') return 'recorded';
  if (!isSet) return 'none';
  if (isHandedOver) return 'file';
  if (!isFirstLook) return 'saved';
  return stored === 'nothing' ? 'upgrade' : 'unwitnessed';
};

/** What the binding of a password is decided from. */
export interface BindingParts {
  readonly origin: PasswordOrigin;
  /** The stored binding of a `recorded` one. */
  readonly stored: Binding | null;
  /** Whether a broker is configured, which gets the password without any binding. */
  readonly configured: boolean;
  /** The one broker that is found now; null with none, with several, and where one is configured. */
  readonly found: FoundBroker | null;
}

/** Whose a password is when it comes. Who saves it while one broker is found means that one. */
export const bindingOf = ({ origin, stored, configured, found }: BindingParts): Binding => {
  switch (origin) {
    case 'recorded':
      return stored ?? unconfirmed;
    case 'saved':
      return found === null || configured ? unconfirmed : { kind: 'bound', broker: found };
    case 'file':
      return { kind: 'open', by: 'file' };
    case 'upgrade':
      return configured ? unconfirmed : { kind: 'open', by: 'upgrade' };
    case 'unwitnessed':
    case 'none':
      return unconfirmed;
  }
};

/** A password by its mark, which does not tell it, with its binding. */
export interface KeptBinding {
  /** Null where no password was set. */
  readonly password: string | null;
  readonly binding: Binding;
}

/** Section `broker` of the durable document, version 1. */
const section = z.object({
  version: z.literal(1),
  password: z.string().nullable(),
  binding: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('bound'),
      broker: z.object({ name: z.string(), address: z.string(), port: z.int() }),
    }),
    z.object({ kind: z.literal('open'), by: z.enum(['file', 'upgrade']) }),
    z.object({ kind: z.literal('unconfirmed') }),
  ]),
});

/** No password has this mark. */
const NO_MARK = '';

/** Reads the section; null where it was never written. One that cannot be read speaks of no password. */
export const readKept = (stored: unknown): KeptBinding | null => {
  if (stored === null) return null;
  const { data } = section.safeParse(stored);
  return data === undefined
    ? { password: NO_MARK, binding: unconfirmed }
    : { password: data.password, binding: data.binding };
};

/** The section for a binding. */
export const keptSection = (kept: KeptBinding): z.infer<typeof section> => ({ version: 1, ...kept });
