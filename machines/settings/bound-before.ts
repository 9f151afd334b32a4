import { z } from 'zod';

import { once } from '../kit/once.ts';
import type { Recipient } from '../kit/recipient.ts';

/** Section `broker` of the stored document, version 1, from when only the broker's password had a recipient. */
const section = once(() =>
  z.object({
    version: z.literal(1),
    password: z.string().min(1),
    binding: z.object({
      kind: z.literal('bound'),
      broker: z.object({ name: z.string(), address: z.string(), port: z.int() }),
    }),
  }),
);

/** The found broker that an earlier version bound the password to. */
export function boundBefore(stored: unknown): ReadonlyMap<string, Recipient> {
  const { data } = section().safeParse(stored);
  if (data === undefined) return new Map();
  const { name, address, port } = data.binding.broker;
  return new Map([['mqtt_password', { scheme: 'mqtt', host: address, port, name }]]);
}
