import type { Context } from 'hono';
import type { AnswerOf, AskEventOf, AskTypeOf } from '#machines/kit/actor.ts';
import type { CatalogStopping, ChangeRefused } from '#machines/profiles/requests.ts';
import type { ProfilesActor } from '#machines/profiles/events.ts';
import { mostProfileBytes } from '#machines/profiles/admit.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { problem, restarting } from '#routes/kit/problem.ts';

/** How long the catalogue may take: probing every driver takes the longest. */
const askTimeoutMs = 15_000;

/** Media types of a profile; `text/plain` is what a file without a known ending is sent as. */
export const yamlTypes = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml', 'text/plain'] as const;

const isOutcome = <O>(answer: O): answer is Exclude<O, CatalogStopping> =>
  !(typeof answer === 'object' && answer !== null && 'status' in answer && answer.status === 'stopping');

/** Asks the catalogue; a response instead of an outcome says why there is none. */
export const askProfiles = async <T extends AskTypeOf<ProfilesActor>>(
  c: Context,
  deps: RouteDeps,
  event: { readonly type: T } & AskEventOf<ProfilesActor, T>,
): Promise<{ readonly outcome: Exclude<AnswerOf<ProfilesActor, T>, CatalogStopping> } | Response> => {
  const asked = await deps.registry.ask('profiles', event, askTimeoutMs);
  if (asked.ok) return isOutcome(asked.value) ? { outcome: asked.value } : restarting(c, 'profiles');
  if (asked.reason === 'timeout')
    return problem(
      c,
      'save-unknown',
      'The catalogue is taking long: what was asked may still have happened. Read /api/v1/profiles to see.',
    );
  return restarting(c, 'profiles');
};

/** A refused change as a response. */
export const refusedChange = (c: Context, { code, message }: ChangeRefused): Response => problem(c, code, message);

/** The exact bytes of a profile, or why they are not taken. */
export const readProfileBytes = async (c: Context): Promise<Uint8Array | Response> => {
  const type = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== '' && !yamlTypes.some((known) => known === type))
    return problem(c, 'unsupported-type', 'A profile is sent as it is, with Content-Type: application/yaml.');
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  return bytes.length > mostProfileBytes
    ? problem(c, 'request-too-large', `A profile has at most ${mostProfileBytes} bytes. Shorten it.`)
    : bytes;
};
