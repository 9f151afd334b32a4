import { z } from 'zod';
import { askAndroid } from '#routes/kit/android.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { once } from '#machines/kit/once.ts';

const mostPackages = 2_000;

/** What is installed on an Android panel. */
const Packages = once(() =>
  z
    .object({
      present: z.boolean().meta({ description: 'True if this is an Android panel.' }),
      packages: z.array(z.string().max(255)).max(mostPackages).meta({ description: 'Names, sorted.' }),
    })
    .meta({ id: 'Packages', description: 'Packages of an Android panel; on any other panel `present` is false.' }),
);

const nameOf = (line: string): string | null => /^package:([A-Za-z0-9_.]{1,255})$/.exec(line.trim())?.[1] ?? null;

/** Routes that only Android panels need. */
export const androidRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getPackages',
      method: 'get',
      path: '/api/v1/packages',
      tag: 'panel',
      summary: 'Packages of an Android panel',
      description: 'Asks the panel; on any other panel `present` is false.',
      guard: 'active',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: json('The packages.', Packages(), {
          example: { present: true, packages: ['com.example.clock', 'com.example.wallpaper'] },
        }),
      }),
      problems: ['panel-unavailable', 'restarting'],
    },
    async ({ answer }) => {
      const empty: z.infer<ReturnType<typeof Packages>> = { present: false, packages: [] };
      if (!deps.registry.ids().includes('adb')) return answer(200, empty);
      const done = await askAndroid(deps, { do: 'packages' });
      if (!done.ok) return done;
      const packages = done.text.split('\n').flatMap((line) => nameOf(line) ?? []);
      const listed: z.infer<ReturnType<typeof Packages>> = {
        present: true,
        packages: packages.toSorted().slice(0, mostPackages),
      };
      return answer(200, listed);
    },
  );
};
