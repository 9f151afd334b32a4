import { type ProfileRef, profileRef, type ProfileSelection } from '#machines/profiles/activation.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';

type Fields = Readonly<Record<string, unknown>>;
type Refusal = 'invalid-body' | 'not-confirmed' | 'profile-ref-both-forms';

const yes = (value: unknown): boolean => value === true || value === 'true';

/** The catalogue revision that the sender has seen, once they confirm. */
export const readExpected = (body: Fields): Result<number, Refusal> => {
  if (!yes(body['confirm']))
    return refuse(
      'not-confirmed',
      'confirm must be true: this changes which profile the panel uses. Send it so when that is meant.',
    );
  const given = body['expected_catalog_revision'];
  const expected = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given;
  if (typeof expected !== 'number' || !Number.isSafeInteger(expected))
    return refuse(
      'invalid-body',
      'expected_catalog_revision must be the whole number that /api/v1/profiles gives as catalog_revision.',
    );
  return ok(expected);
};

/** The revision that is named, flat or as `ref`; null where none is. */
export const readRef = (body: Fields): Result<ProfileRef | null, Refusal> => {
  const flat = body['id'] !== undefined || body['revision'] !== undefined;
  if (flat && body['ref'] !== undefined)
    return refuse('profile-ref-both-forms', 'The revision is named twice. Send id and revision, or ref, not both.');
  if (!flat && body['ref'] === undefined) return ok(null);
  const parsed = profileRef.safeParse(flat ? { id: body['id'], revision: body['revision'] } : body['ref']);
  return parsed.success
    ? ok(parsed.data)
    : refuse(
        'invalid-body',
        'A revision is named by id and by revision, which is 64 lower-case hexadecimal digits. Take both from /api/v1/profiles.',
      );
};

/** What is to be selected. */
export const readSelectionRequest = (body: Fields): Result<ProfileSelection, Refusal> => {
  const ref = readRef(body);
  if (!ref.ok) return ref;
  const auto = yes(body['auto']);
  if (auto && ref.value !== null) return refuse('profile-ref-both-forms', 'Send auto, or a revision, not both.');
  if (auto) return ok({ mode: 'auto' });
  return ref.value === null
    ? refuse('invalid-body', 'Say what to select: id and revision, or auto: true.')
    : ok({ mode: 'pinned', ...ref.value });
};
