import { z } from 'zod';
import { once } from '../kit/once.ts';
import { ok, refuse, type Result } from '../kit/result.ts';
import type { Added, Manifest } from './events.ts';

const Owner = once(() =>
  z.object({
    name: z.string().max(64),
    uid: z.number().int(),
    gid: z.number().int(),
    home: z.string().max(4096),
  }),
);

const Entry: () => z.ZodType<Added> = once(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['package', 'group', 'user']), name: z.string().max(200) }),
    z.object({ kind: z.literal('membership'), user: z.string().max(64), group: z.string().max(64) }),
    z.object({
      kind: z.literal('file'),
      path: z.string().max(4096),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      owner: Owner().nullable(),
      before: z.string().max(200).nullable(),
    }),
    z.object({ kind: z.literal('folder'), path: z.string().max(4096), owner: Owner().nullable() }),
    z.object({ kind: z.literal('linger'), user: z.string().max(64) }),
    z.object({ kind: z.literal('given'), folder: z.string().max(4096), user: z.string().max(64) }),
    z.object({ kind: z.literal('unit'), name: z.string().max(200), person: Owner().nullable() }),
  ]),
);

const From = once(() =>
  z.object({
    folder: z.string().max(4096),
    commit: z
      .string()
      .regex(/^[0-9a-f]{40,64}$/)
      .nullable(),
    origin: z.string().max(2048).nullable(),
    ref: z
      .string()
      .max(512)
      .regex(/^(?:HEAD|refs\/heads\/[^\s~^:?*[\\]+)$/),
  }),
);

const Document: () => z.ZodType<Manifest> = once(() =>
  z.object({
    version: z.literal(1),
    shape: z.enum(['kiosk', 'user']),
    user: z.string().max(64),
    data: z.string().max(4096),
    // Absent from lists of older installations.
    profile: z.string().max(128).nullable().default(null),
    from: From().nullable().default(null),
    added: z.array(Entry()).max(2000),
  }),
);

/** Reads the list of what was added; a refusal says what to do. */
export function parseManifest(text: string): Result<Manifest, 'damaged'> {
  try {
    return ok(Document().parse(JSON.parse(text)));
  } catch {
    return refuse(
      'damaged',
      'The list of what was installed is damaged. Remove it and run "sconce install" again to have it written again.',
    );
  }
}

function keyOf(entry: Added): string {
  switch (entry.kind) {
    case 'package':
    case 'group':
    case 'user':
      return `${entry.kind} ${entry.name}`;
    case 'membership':
      return `membership ${entry.user} ${entry.group}`;
    case 'file':
    case 'folder':
      return `${entry.kind} ${entry.path}`;
    case 'linger':
      return `linger ${entry.user}`;
    case 'given':
      return `given ${entry.folder}`;
    case 'unit':
      return `unit ${entry.person?.name ?? ''} ${entry.name}`;
  }
}

/** Records an addition. A file written again keeps the copy of its first original; everything else is recorded once. */
export function noteAdded(manifest: Manifest, entry: Added): Manifest {
  const key = keyOf(entry);
  const known = manifest.added.find((one) => keyOf(one) === key);
  if (known === undefined) return { ...manifest, added: [...manifest.added, entry] };
  if (known.kind !== 'file' || entry.kind !== 'file') return manifest;
  return {
    ...manifest,
    added: manifest.added.map((one) => (one === known ? { ...entry, before: known.before } : one)),
  };
}
