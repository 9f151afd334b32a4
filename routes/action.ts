import { z } from 'zod';
import { absenceOf, type NamedParts } from '#machines/action/absence.ts';
import { ActionBody, ActionForm, verbs } from '#machines/action/body.ts';
import { decideAction } from '#machines/action/decide.ts';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import { effectsOf, modesOf, unableTo } from '#machines/lights/decide.ts';
import { lightIds } from '#machines/lights/events.ts';
import { relayIds } from '#machines/relays/events.ts';
import { shownRenderer, takesCommands } from '#machines/renderer/phase.ts';
import { judgeRenderer } from '#machines/renderer/verdict.ts';
import type { RendererEvent } from '#machines/renderer/events.ts';
import { answerOf, type CommandAnswer } from '#machines/renderer/navigation.ts';
import { screenIds } from '#machines/screen/events.ts';
import { json } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';
import { unlessStopping } from '#routes/kit/stopping.ts';

const Accepted = once(() =>
  z
    .object({
      ok: z.literal(true).meta({ description: 'It was handed on.' }),
      action: z.enum(verbs).meta({ description: 'The verb.' }),
      message: z
        .string()
        .optional()
        .meta({ description: 'Until when what was asked for is kept, where it cannot be done at once.' }),
    })
    .meta({ id: 'Accepted', description: 'The action was handed to its part.' }),
);

const notAndroid = 'Only an Android panel has this key, and the active profile is not of one.';

const notAudible = 'The profile of this panel says that it has no loudspeaker.';

type Refused = Refusal<'bad-value' | 'not-here' | 'restarting'> | null;

/** Hands an action to the renderer; what it refuses or only keeps at once is answered with its reason. */
function toRenderer(
  { registry }: RouteDeps,
  event: Exclude<RendererEvent, { readonly requestId: string }>,
): CommandAnswer | Refusal<'not-here' | 'restarting'> {
  const snapshot = registry.read('renderer');
  if (snapshot === undefined) return restarting('renderer');
  const before = shownRenderer(snapshot);
  if (!takesCommands(before)) return refuse('not-here', judgeRenderer(before).detail);
  if (registry.tell('renderer', event) === 'absent') return restarting('renderer');
  return answerOf(before, registry.read('renderer')?.context);
}

/** What of this panel a body can name. Whether there is a further display is not known before it was looked for. */
function namedParts({ registry }: RouteDeps): NamedParts {
  const ids = registry.ids();
  const isDisplay = (id: (typeof screenIds)[number]): boolean => {
    const screen = registry.read(id)?.context;
    return ids.includes(id) && (id === 'screen' || screen?.seen !== false || screen.verdict.state === 'checking');
  };
  return {
    lights: lightIds.filter((id) => ids.includes(id)),
    relays: relayIds.filter((id) => ids.includes(id)),
    displays: screenIds.flatMap((id, index) => (isDisplay(id) ? [index + 1] : [])),
  };
}

/** What of a body is more than its light can do; nothing is done then, not even the rest of it. */
function beyondLight({ registry }: RouteDeps, body: ActionBody): Refused {
  if (body.a !== 'light') return null;
  const ability = registry.read(body.id)?.context.ability ?? null;
  const unable = ability === null ? null : unableTo(modesOf(ability, effectsOf(body.id)), body);
  return unable && { ...refuse('bad-value', unable.message), reasons: { [unable.field]: unable.message } };
}

/** Bounded actions on the panel. */
export const actionRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'doAction',
      method: 'post',
      path: '/api/v1/action',
      tag: 'panel',
      summary: 'Do one thing on the panel',
      description:
        '`screen_on`, `screen_off` and `brightness` (`value` 0 to 255) take a `display`, 1 to 4. `light` sets the light `id`: `on`, `brightness` (0 to 255), `rgb` (a list, or text such as `#ff7800`, which is the way of a form) and `effect`, as far as the light has them; what it has not is refused and nothing is done. `relay` switches the relay `id`. Which there are, and what came of it, stands in the status document under `displays`, `lights` and `relays`. `volume` takes `value` 0 to 100; `volup` and `voldn` move the volume by 5; `test_sound` plays a short sound of the panel’s own, and what became of it stands in `announcement`. `navigate` takes `path`, a page of Home Assistant, and shows it; `home` shows the home dashboard and `reload` loads it anew. Without a browser that runs they are refused with `not-here`; while it shows no dashboard, `reload` and, before the sign-in, `home` are too, and the page of `navigate` is kept until there is one, which `message` says. `back`, `recents` and `launcher` press the keys of an Android panel.',
      guard: 'write',
      protects: 'DEVICE_REBOOT',
      maxBodyBytes: 16_384,
      admit: unlessStopping(deps),
      body: () => ({
        description: 'The verb in `a`, and what it takes.',
        schema: ActionBody(),
        form: ActionForm(),
        refusal: { code: 'bad-value', fields: { a: 'bad-action' } },
        example: { a: 'light', id: 'led', brightness: 128, rgb: [255, 120, 0] },
      }),
      answers: () => ({ 202: json('Accepted.', Accepted(), { example: { ok: true, action: 'light' } }) }),
      problems: ['not-here', 'restarting', 'stopping'],
    },
    ({ body, answer }) => {
      const { actor, event, verb } = decideAction(body, deps.now());
      const accepted = (): ReturnType<typeof answer> => answer(202, { ok: true, action: verb });
      if (actor === 'adb' && !deps.registry.ids().includes('adb')) return refuse('not-here', notAndroid);
      const absence = absenceOf(body, namedParts(deps));
      if (absence !== null) return refuse('not-here', absence);
      if (actor === 'announcer' && !deps.registry.ids().includes(actor)) return refuse('not-here', notAudible);
      if (actor === 'renderer') {
        const done = toRenderer(deps, event);
        if (!done.ok) return done;
        return done.message === null ? accepted() : answer(202, { ok: true, action: verb, message: done.message });
      }
      const verdict = deps.registry.read(actor)?.context.verdict;
      if (verdict?.state === 'checking') return restarting(actor);
      if (verb === 'reboot' && deps.registry.read('power')?.context.busy === true)
        return refuse('not-here', 'A reboot is already under way. Wait for it.');
      if (verdict?.state === 'not_here' || verdict?.state === 'needs_you') return refuse('not-here', verdict.detail);
      const beyond = beyondLight(deps, body);
      if (beyond !== null) return beyond;
      return deps.registry.tell(actor, event) === 'absent' ? restarting(actor) : accepted();
    },
  );
};
