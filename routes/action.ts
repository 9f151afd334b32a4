import { z } from '@hono/zod-openapi';
import type { Family } from '#routes/kit/family.ts';
import { readObject } from '#routes/kit/body.ts';
import { problem, restarting } from '#routes/kit/problem.ts';
import type { Context } from 'hono';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { RendererEvent } from '#machines/renderer/events.ts';
import { takesCommands } from '#machines/renderer/ask.ts';
import { decideAction, type Verb, verbs } from '#machines/action/decide.ts';

const Accepted = z
  .object({ ok: z.literal(true), action: z.enum(verbs) })
  .meta({ id: 'Accepted', description: 'The action was handed to its part.' });

const notAndroid = 'Only an Android panel has this key, and the active profile is not of one.';

/** Hands an action to the renderer; a path that it refuses at once is answered with its reason. */
const toRenderer = (
  c: Context,
  deps: RouteDeps,
  verb: Verb,
  event: Exclude<RendererEvent, { readonly requestId: string }>,
): Response => {
  const before = deps.registry.read('renderer')?.context;
  if (before === undefined) return restarting(c, 'renderer');
  if (!takesCommands(before)) return problem(c, 'not-here', before.verdict.detail);
  if (deps.registry.tell('renderer', event) === 'absent') return restarting(c, 'renderer');
  const after = deps.registry.read('renderer')?.context.lastNavigation;
  if (after?.outcome === 'refused' && after !== before.lastNavigation)
    return problem(c, 'bad-value', after.message ?? before.verdict.detail);
  return c.json({ ok: true, action: verb }, 202);
};

/** Bounded actions on the panel. */
export const actionRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      method: 'post',
      path: '/api/v1/action',
      tag: 'panel',
      summary: 'Do one thing on the panel',
      description:
        '`brightness` takes `value` 0 to 255, `volume` takes `value` 0 to 100; `volup` and `voldn` move the volume by 5. `navigate` takes `path`, a page of Home Assistant, and shows it; `home` shows the home dashboard and `reload` loads it anew. Without a browser that runs they are refused with `not-here`. `back`, `recents` and `launcher` press the keys of an Android panel.',
      guard: 'write',
      protects: 'DEVICE_REBOOT',
      maxBodyBytes: 16_384,
      body: {
        description: 'The verb in `a`, and its value or path.',
        schema: z.strictObject({ a: z.enum(verbs), value: z.number().optional(), path: z.string().optional() }),
      },
      answers: { 202: { description: 'Accepted.', type: 'application/json', schema: Accepted } },
      problems: ['invalid-body', 'bad-action', 'bad-value', 'not-here', 'restarting', 'stopping'],
    },
    async (c) => {
      if (deps.stopping()) return problem(c, 'stopping', 'The agent is stopping and takes no more commands.');
      const body = await readObject(c);
      if (!body.ok) return problem(c, body.reason, body.message);
      const decided = decideAction(body.value);
      if (!decided.ok) return problem(c, decided.reason, decided.message);
      const { actor, event, verb } = decided.value;
      if (actor === 'adb' && !deps.registry.ids().includes('adb')) return problem(c, 'not-here', notAndroid);
      if (actor === 'renderer') return toRenderer(c, deps, verb, event);
      const verdict = deps.registry.read(actor)?.context.verdict;
      if (verdict?.state === 'checking') return restarting(c, actor);
      if (verb === 'reboot' && deps.registry.read('power')?.context.busy === true)
        return problem(c, 'not-here', 'A reboot is already under way. Wait for it.');
      if (verdict?.state === 'not_here' || verdict?.state === 'needs_you')
        return problem(c, 'not-here', verdict.detail);
      if (deps.registry.tell(actor, event) === 'absent') return restarting(c, actor);
      return c.json({ ok: true, action: verb }, 202);
    },
  );
};
