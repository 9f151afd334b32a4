import { z } from 'zod';
import { type Tap, TapBody } from '#machines/action/tap.ts';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import { shownRenderer } from '#machines/renderer/phase.ts';
import { TAP_BOUND_MS, tapRefusal, unknown, whyUntappable } from '#machines/renderer/tap.ts';
import { androidPicture, askAndroid } from '#routes/kit/android.ts';
import { bytes, json } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { restarting } from '#routes/kit/problem.ts';
import { unlessStopping } from '#routes/kit/stopping.ts';
import { isTrustedLoopback } from '#routes/kit/trusted-loopback.ts';

const Done = once(() =>
  z
    .object({ ok: z.literal(true).meta({ description: 'It is done.' }) })
    .meta({ id: 'Tapped', description: 'The tap was made.' }),
);

/**
 * Taps the page of the built-in renderer; returns the picture if one was requested, or why it was not tapped. `note` is
 * called when the tap is tried.
 */
async function tapPage({ registry }: RouteDeps, { x, y, capture }: Tap, note: () => void) {
  const snapshot = registry.read('renderer');
  if (snapshot === undefined) return restarting('renderer');
  const renderer = shownRenderer(snapshot);
  const why = whyUntappable(renderer);
  if (why !== null) return refuse('not-here', why);
  note();
  const asked = await registry.ask('renderer', { type: 'renderer.tap', x, y, capture }, TAP_BOUND_MS);
  // It was made now, perhaps long after the request.
  note();
  if (!asked.ok) return asked.reason === 'absent' ? restarting('renderer') : refuse('completion-unknown', unknown);
  if (!asked.value.ok) return tapRefusal(asked.value, { x, y }, shownRenderer(registry.read('renderer') ?? snapshot));
  const { png } = asked.value;
  return capture && png === null
    ? refuse('screenshot-unavailable', 'The tap was made, but the browser returned no picture afterwards. Request one.')
    : { ok: true as const, png };
}

export const inputRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'tap',
      method: 'post',
      path: '/api/v1/input',
      tag: 'panel',
      summary: 'Tap what the panel shows',
      description:
        'Taps the page of the built-in renderer, even while the screen is dark, or the screen of an Android panel. `x` and `y` are pixels of the picture from `/api/v1/screenshot.png`. The page sees a finger; the screen neither lights up nor counts as touched. With `capture` the answer is a new picture, taken a second after the tap and before the next one; a tap that would wait longer than five seconds for others is not made. After `tap-failed` nothing was tapped; after `completion-unknown` and `screenshot-unavailable` do not blindly send it again.',
      guard: 'write',
      protects: {
        closed: 'remote-input-disabled',
        message: 'This panel is in Hardened mode, in which it is tapped by hand only, or by a program that runs on it.',
      },
      maxBodyBytes: 16_384,
      admit: unlessStopping(deps),
      query: () =>
        z.strictObject({
          capture: z
            .boolean()
            .optional()
            .meta({ description: 'True if the answer is to be a picture; true here or in the body is enough.' }),
        }),
      body: () => ({
        description: 'Where, and if a picture is wanted.',
        schema: TapBody(),
        refusal: { code: 'bad-value' },
        example: { x: 240, y: 120, capture: true },
      }),
      answers: () => ({
        200: bytes('The picture after the tap.', 'image/png'),
        202: json('The tap was made.', Done(), { example: { ok: true } }),
      }),
      problems: [
        'not-here',
        'tap-failed',
        'completion-unknown',
        'screenshot-unavailable',
        'panel-unavailable',
        'restarting',
        'stopping',
      ],
    },
    async ({ c, query, body, answer }) => {
      const tap = { ...body, capture: body.capture || query.capture === true };
      const noteTap = (): void => {
        if (!isTrustedLoopback(c)) deps.networkTaps.note();
      };
      if (!deps.registry.ids().includes('adb')) {
        const tapped = await tapPage(deps, tap, noteTap);
        if (!tapped.ok) return tapped;
        return tapped.png === null ? answer(202, { ok: true }) : answer(200, new Uint8Array(tapped.png));
      }
      const done = await askAndroid(deps, { do: 'tap', x: tap.x, y: tap.y });
      if (!done.ok) return done;
      if (!tap.capture) return answer(202, { ok: true });
      const picture = await androidPicture(deps);
      return picture.ok ? answer(200, picture.png) : picture;
    },
  );
};
