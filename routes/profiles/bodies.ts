import { z } from 'zod';
import {
  type ProfileRef,
  profileIdPattern,
  type ProfileSelection,
  revisionPattern,
} from '#machines/profile-catalog/activation.ts';
import type { BodyRefusal } from '#routes/kit/route-spec.ts';
import { once } from '#machines/kit/once.ts';

const revisionWords =
  'A revision is named by id and by revision, which is 64 lower-case hexadecimal digits. Take both from /api/v1/profiles.';

const id = once(() =>
  z
    .string({ error: revisionWords })
    .regex(profileIdPattern, { error: revisionWords })
    .meta({ id: 'NamedProfile', description: 'Lower-case name of the profile.' }),
);
const revision = once(() =>
  z
    .string({ error: revisionWords })
    .regex(revisionPattern, { error: revisionWords })
    .meta({ id: 'NamedRevision', description: 'SHA-256 of its exact bytes.' }),
);
const auto = once(() => z.boolean().optional().meta({ description: 'True: the profile that matches this panel.' }));

/** The revision, flat or as one object. */
const named = once(() => ({
  id: id().optional(),
  revision: revision().optional(),
  ref: z
    .strictObject({ id: id(), revision: revision() })
    .optional()
    .meta({ description: '`id` and `revision` in one object instead.' }),
}));

const expectedWords =
  'expected_catalog_revision must be the whole number that /api/v1/profiles returns as catalog_revision.';
const confirmWords = 'confirm must be true: this changes which profile the panel uses. Send it if you mean that.';

const confirmation = once(() => ({
  expected_catalog_revision: z.number({ error: expectedWords }).int({ error: expectedWords }).meta({
    id: 'ExpectedRevision',
    description: '`catalog_revision` of the list that you saw; a stale one is refused.',
  }),
  confirm: z.literal(true, { error: confirmWords }).meta({ description: 'Confirms the change.' }),
}));

const otherPlatform = once(() => ({
  confirm_platform: z
    .literal(true, {
      error: 'confirm_platform must be true or left out: true selects a profile for another kind of panel.',
    })
    .optional()
    .meta({ description: 'Confirms a profile for another platform (`platform-not-confirmed`).' }),
}));

interface Named {
  readonly id?: string | undefined;
  readonly revision?: string | undefined;
  readonly ref?: ProfileRef | undefined;
}

/** The named revision, flat or as `ref`; null if it is incomplete. */
const refOf = ({ id: name, revision: of, ref }: Named): ProfileRef | null =>
  ref ?? (name === undefined || of === undefined ? null : { id: name, revision: of });

const isNamed = (body: Named): boolean => body.id !== undefined || body.revision !== undefined;

/** Reports a rule over several fields, with its own problem code. */
const bothForms = (ctx: z.core.$RefinementCtx, message: string): void =>
  ctx.addIssue({ code: 'custom', path: ['ref'], message, params: { problem: 'profile-ref-both-forms' } });

function checkRef(body: Named, ctx: z.core.$RefinementCtx): void {
  if (isNamed(body) && body.ref !== undefined)
    bothForms(ctx, 'The revision is named twice. Send id and revision, or ref, not both.');
  else if (isNamed(body) && refOf(body) === null)
    ctx.addIssue({ code: 'custom', path: [body.id === undefined ? 'id' : 'revision'], message: revisionWords });
}

/** Selects a revision, or the profile that matches the panel. */
export const SelectBody = once(() =>
  z
    .strictObject({
      ...named(),
      auto: auto(),
      ...confirmation(),
      ...otherPlatform(),
    })
    .superRefine((body, ctx) => {
      checkRef(body, ctx);
      const ref = isNamed(body) || body.ref !== undefined;
      if (body.auto === true && ref) bothForms(ctx, 'Send auto, or a revision, not both.');
      if (body.auto !== true && !ref)
        ctx.addIssue({
          code: 'custom',
          path: ['id'],
          message: 'Say what to select: id and revision, or auto: true.',
        });
    })
    .transform((body): { selection: ProfileSelection; expected: number; confirmsPlatform: boolean } => {
      const ref = refOf(body);
      return {
        selection: ref === null ? { mode: 'auto' } : { mode: 'pinned', ...ref },
        expected: body.expected_catalog_revision,
        confirmsPlatform: body.confirm_platform === true,
      };
    })
    .meta({ id: 'SelectProfile', description: 'A revision or `auto`, with the confirmation.' }),
);

/** The same as a form. */
export const SelectForm = once(() =>
  z
    .strictObject({
      id: id().optional(),
      revision: revision().optional(),
      auto: auto(),
      ...confirmation(),
      ...otherPlatform(),
    })
    .meta({ id: 'SelectProfileForm', description: 'A revision or `auto`, with the confirmation, as a form.' }),
);

/** Confirms a rollback. */
export const RollbackBody = once(() =>
  z.strictObject(confirmation()).meta({ id: 'RollBackProfile', description: 'The confirmation.' }),
);

/** Deletes a revision. */
export const DeleteBody = once(() =>
  z
    .strictObject({ ...named(), ...confirmation() })
    .superRefine((body, ctx) => {
      checkRef(body, ctx);
      if (!isNamed(body) && body.ref === undefined)
        ctx.addIssue({ code: 'custom', path: ['id'], message: 'Say what to delete: id and revision.' });
    })
    .transform((body, ctx): { ref: ProfileRef; expected: number } => {
      const ref = refOf(body);
      if (ref === null) {
        ctx.addIssue({ code: 'custom', path: ['id'], message: revisionWords });
        return z.NEVER;
      }
      return { ref, expected: body.expected_catalog_revision };
    })
    .meta({ id: 'DeleteProfile', description: 'A revision, with the confirmation.' }),
);

/** The same as a form. */
export const DeleteForm = once(() =>
  z
    .strictObject({ id: id(), revision: revision(), ...confirmation() })
    .meta({ id: 'DeleteProfileForm', description: 'A revision, with the confirmation, as a form.' }),
);

/** How a body without a revision is refused. */
export const changeRefusal = {
  code: 'invalid-body',
  fields: { confirm: 'not-confirmed' },
} as const satisfies BodyRefusal;

/** How a body that names a revision is refused. */
export const namedRefusal = { ...changeRefusal, rules: ['profile-ref-both-forms'] } as const satisfies BodyRefusal;

/** A confirmation and a revision, as examples of a body. */
export const exampleOf = {
  confirmation: { expected_catalog_revision: 7, confirm: true },
  ref: { id: 'my-panel', revision: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
} as const;
