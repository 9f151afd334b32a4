import { z } from '@hono/zod-openapi';
import { decideTap } from '#machines/action/tap.ts';
import type { Family } from '#routes/kit/family.ts';
import { androidPicture, askAndroid } from '#routes/kit/android.ts';
import { readObject } from '#routes/kit/body.ts';
import { noStore, noStoreDoc } from '#routes/kit/no-store.ts';
import { problem } from '#routes/kit/problem.ts';

/** Most packages that are listed. */
const mostPackages = 2_000;

const Packages = z
  .object({ present: z.boolean(), packages: z.array(z.string().max(255)).max(mostPackages) })
  .meta({ id: 'Packages', description: 'Packages of an Android panel; on any other panel `present` is false.' });

const Done = z.object({ ok: z.literal(true) }).meta({ id: 'Tapped', description: 'The tap was made.' });

const nameOf = (line: string): string | null => /^package:([A-Za-z0-9_.]{1,255})$/.exec(line.trim())?.[1] ?? null;

/** What only Android panels can do: taps from outside, and their packages. */
export const androidRoutes: Family = ({ declare, deps }) => {
  const isAndroid = (): boolean => deps.registry.ids().includes('adb');
  declare(
    {
      method: 'post',
      path: '/api/v1/input',
      tag: 'panel',
      summary: 'Tap the screen of an Android panel',
      description: 'With `capture` the answer is a fresh picture of the screen, taken after the tap.',
      guard: 'write',
      protects: 'REMOTE_INPUT',
      maxBodyBytes: 16_384,
      body: {
        description: 'Where, in pixels of the device.',
        schema: z.strictObject({ x: z.number(), y: z.number(), capture: z.boolean().optional() }),
      },
      answers: {
        200: { description: 'The picture after the tap.', type: 'image/png', schema: z.string() },
        202: { description: 'The tap was made.', type: 'application/json', schema: Done },
      },
      problems: ['invalid-body', 'bad-value', 'not-here', 'panel-unavailable', 'restarting', 'stopping'],
    },
    async (c) => {
      if (deps.stopping()) return problem(c, 'stopping', 'The agent is stopping and takes no more commands.');
      const body = await readObject(c);
      if (!body.ok) return problem(c, body.reason, body.message);
      const decided = decideTap(body.value);
      if (!decided.ok) return problem(c, decided.reason, decided.message);
      if (!isAndroid())
        return problem(
          c,
          'not-here',
          'Only an Android panel can be tapped from outside, and the active profile is not of one.',
        );
      const { x, y, capture } = decided.value;
      const done = await askAndroid(c, deps, { do: 'tap', x, y });
      if (done instanceof Response) return done;
      return capture ? androidPicture(c, deps) : c.json({ ok: true }, 202);
    },
  );
  declare(
    {
      method: 'get',
      path: '/api/v1/packages',
      tag: 'panel',
      summary: 'Packages of an Android panel',
      guard: 'active',
      protects: null,
      maxBodyBytes: 0,
      answers: {
        200: {
          description: 'The packages.',
          type: 'application/json',
          schema: Packages,
          headers: noStoreDoc,
        },
      },
      problems: ['panel-unavailable', 'restarting'],
    },
    async (c) => {
      const empty: z.infer<typeof Packages> = { present: false, packages: [] };
      if (!isAndroid()) return c.json(empty, 200, noStore);
      const done = await askAndroid(c, deps, { do: 'packages' });
      if (done instanceof Response) return done;
      const packages = done.text.split('\n').flatMap((line) => nameOf(line) ?? []);
      const body: z.infer<typeof Packages> = { present: true, packages: packages.toSorted().slice(0, mostPackages) };
      return c.json(body, 200, noStore);
    },
  );
};
