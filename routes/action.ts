import { z } from 'zod';
import { absenceOf, type NamedParts } from '#machines/action/absence.ts';
import { ActionBody, ActionForm, verbs } from '#machines/action/body.ts';
import { type Action, decideAction } from '#machines/action/decide.ts';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import { type Objection, objectionOfPart, restartingPart } from '#machines/kit/objection.ts';
import { objectionOfLight } from '#machines/lights/objection.ts';
import { lightIds } from '#machines/lights/events.ts';
import { relayIds } from '#machines/relays/events.ts';
import { objectionToReboot } from '#machines/power/objection.ts';
import { objectionOfRenderer } from '#machines/renderer/objection.ts';
import { type ShownRenderer, shownRenderer } from '#machines/renderer/phase.ts';
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
      ok: z.literal(true).meta({ description: 'It was passed on.' }),
      action: z.enum(verbs).meta({ description: 'The verb.' }),
      message: z
        .string()
        .optional()
        .meta({ description: 'Until when the request is kept, if it cannot be done at once.' }),
    })
    .meta({ id: 'Accepted', description: 'The action was passed to its part.' }),
);

const notAndroid = 'Only an Android panel has this key, and the active profile is not for one.';

const notAudible = 'The profile of this panel says that it has no loudspeaker.';

type Refused = Refusal<Objection['reason']>;

const refusedBy = ({ reason, message, field }: Objection): Refused => ({
  ...refuse(reason, message),
  ...(field !== undefined && { reasons: { [field]: message } }),
});

/** The renderer as it takes commands, or why it takes none. */
function commandedRenderer({ registry }: RouteDeps): { readonly ok: true; readonly before: ShownRenderer } | Refused {
  const snapshot = registry.read('renderer');
  if (snapshot === undefined) return restarting('renderer');
  const before = shownRenderer(snapshot);
  const objection = objectionOfRenderer(before);
  return objection === null ? { ok: true, before } : refusedBy(objection);
}

/** Passes an action to the renderer; if it refuses the action, or only keeps it for later, the answer says why. */
function toRenderer(
  deps: RouteDeps,
  event: Exclude<RendererEvent, { readonly requestId: string }>,
): CommandAnswer | Refused {
  const renderer = commandedRenderer(deps);
  if (!renderer.ok) return renderer;
  const { registry } = deps;
  const { before } = renderer;
  if (registry.tell('renderer', event) === 'absent') return restarting('renderer');
  return answerOf(before, registry.read('renderer')?.context);
}

/** The parts of this panel that a body can name. A further display is known only after the search for it. */
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

/** Why the part of a body refuses it as it is now, as it would refuse an entity's command; null if it does not. */
function objectionTo(
  { registry }: RouteDeps,
  body: ActionBody,
  actor: Exclude<Action['actor'], 'renderer'>,
): Objection | null {
  if (body.a === 'light') {
    const light = registry.read(body.id);
    return light === undefined ? restartingPart(body.id) : objectionOfLight(body.id, light.context, body);
  }
  if (body.a === 'reboot') {
    const power = registry.read('power');
    return power === undefined ? restartingPart('power') : objectionToReboot(power.context);
  }
  const part = registry.read(actor);
  return part === undefined ? restartingPart(actor) : objectionOfPart(actor, part.context.verdict);
}

/** What a body asks for that its part refuses as it is now; null for nothing. */
function whyNot(deps: RouteDeps, body: ActionBody): Refused | null {
  const { actor } = decideAction(body, deps.now());
  const ids = deps.registry.ids();
  if (actor === 'adb' && !ids.includes('adb')) return refuse('not-here', notAndroid);
  const absence = absenceOf(body, namedParts(deps));
  if (absence !== null) return refuse('not-here', absence);
  if (actor === 'announcer' && !ids.includes(actor)) return refuse('not-here', notAudible);
  if (actor === 'renderer') {
    const renderer = commandedRenderer(deps);
    return renderer.ok ? null : renderer;
  }
  const objection = objectionTo(deps, body, actor);
  return objection === null ? null : refusedBy(objection);
}

interface SentAction {
  readonly body: ActionBody;
}

/** The verbs that need a person at the panel in Hardened mode; the others are open. */
const protectedVerbs: Readonly<Partial<Record<ActionBody['a'], 'DEVICE_REBOOT' | 'DASHBOARD_RELOAD'>>> = {
  reboot: 'DEVICE_REBOOT',
  reload: 'DASHBOARD_RELOAD',
};

export const actionRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'doAction',
      method: 'post',
      path: '/api/v1/action',
      tag: 'panel',
      summary: 'Do one thing on the panel',
      description:
        '`screen_on`, `screen_off` and `brightness` (`value` 0 to 255) take a `display`, 1 to 4. `light` sets the light `id`: `on`, `brightness` (0 to 255), `rgb` (a list, or in a form text such as `#ff7800`) and `effect`, if the light has them; if it lacks one, the request is refused and nothing is done. `relay` switches the relay `id`. The status document lists them and their states under `displays`, `lights` and `relays`. `volume` takes `value` 0 to 100; `volup` and `voldn` move the volume by 5; `test_sound` plays a built-in short sound, with its result in `announcement`. `navigate` takes `path`, a page of Home Assistant, and shows it; `home` shows the home dashboard, `own_pages` the panel’s own pages, and `reload` loads the dashboard again. Without a running browser they are refused with `not-here`. While it shows no dashboard, `reload` is refused too, as is `home` before the sign-in; the page of `navigate` is kept until there is one, as `message` says. `back`, `recents` and `launcher` press the keys of an Android panel.',
      guard: 'write',
      protects: ({ body }: SentAction) => protectedVerbs[body.a] ?? null,
      operations: ['DEVICE_REBOOT', 'DASHBOARD_RELOAD'],
      check: ({ body }: SentAction) => whyNot(deps, body),
      maxBodyBytes: 16_384,
      admit: unlessStopping(deps),
      body: () => ({
        description: 'The verb in `a`, and its parameters.',
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
      const refused = whyNot(deps, body);
      if (refused !== null) return refused;
      if (actor === 'renderer') {
        const done = toRenderer(deps, event);
        if (!done.ok) return done;
        return done.message === null ? accepted() : answer(202, { ok: true, action: verb, message: done.message });
      }
      return deps.registry.tell(actor, event) === 'absent' ? restarting(actor) : accepted();
    },
  );
};
