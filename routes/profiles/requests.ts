import type { Context } from 'hono';
import type { AnswerOf, AskEventOf, AskTypeOf } from '#machines/kit/actor.ts';
import type { CatalogStopping, ChangeRefused } from '#machines/profile-catalog/requests.ts';
import type { ProfileCatalogActor } from '#machines/profile-catalog/events.ts';
import { mostProfileBytes } from '#machines/profile-catalog/admit.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { refuse } from '#machines/kit/result.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';

/** How long the catalogue may take: probing every driver takes the longest, or waiting for saves before a change. */
const askTimeoutMs = 25_000;

/** Media types of a profile; `text/plain` is what a file without a known ending is sent as. */
export const yamlTypes = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml', 'text/plain'] as const;

const isOutcome = <O>(answer: O): answer is Exclude<O, CatalogStopping> =>
  !(typeof answer === 'object' && answer !== null && 'status' in answer && answer.status === 'stopping');

/** Asks the catalogue; a refusal instead of an outcome says why there is none. */
export async function requestProfiles<T extends AskTypeOf<ProfileCatalogActor>>(
  deps: RouteDeps,
  event: { readonly type: T } & AskEventOf<ProfileCatalogActor, T>,
): Promise<
  | { readonly ok: true; readonly outcome: Exclude<AnswerOf<ProfileCatalogActor, T>, CatalogStopping> }
  | Refusal<'restarting' | 'save-unknown'>
> {
  const asked = await deps.registry.ask('profile-catalog', event, askTimeoutMs);
  if (asked.ok) return isOutcome(asked.value) ? { ok: true, outcome: asked.value } : restarting('profile-catalog');
  if (asked.reason === 'timeout')
    return refuse(
      'save-unknown',
      'The catalogue is taking long: what was asked may still have happened. Read /api/v1/profiles to see.',
    );
  return restarting('profile-catalog');
}

/** A refused change as a refusal of a route, which declares the codes that its change can be refused with. */
export function refusedChange<C extends ChangeRefused['code']>(
  { code, message }: ChangeRefused,
  declared: readonly C[],
): Refusal<C> {
  const reason = declared.find((one) => one === code);
  if (reason === undefined) throw new Error(`the catalogue refused with ${code}, which this route does not declare`);
  return refuse(reason, message);
}

/** The exact bytes of a profile, or why they are not accepted. */
export async function readProfileBytes(
  c: Context,
): Promise<{ readonly ok: true; readonly bytes: Uint8Array } | Refusal<'unsupported-type' | 'request-too-large'>> {
  const type = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== '' && !yamlTypes.some((known) => known === type))
    return refuse('unsupported-type', 'A profile is sent as it is, with Content-Type: application/yaml.');
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  return bytes.length > mostProfileBytes
    ? refuse('request-too-large', `A profile has at most ${mostProfileBytes} bytes. Shorten it.`)
    : { ok: true, bytes };
}
