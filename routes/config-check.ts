import { z } from 'zod';
import { descriptorOf } from '#machines/settings.ts';
import { judgeBeside } from '#machines/settings/merge.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { restarting } from '#routes/kit/problem.ts';
import { lookUpHome } from '#actors/kit/home-choice.ts';
import { once } from '#machines/kit/once.ts';

/** Longest key that is looked up, in characters. */
const keyLength = 64;
/** Longest value that is checked, in characters: that of the longest plain setting. */
const valueLength = 4096;
/** Longest text of unsaved values beside it, in characters: a rule is over a few numbers. */
const besideLength = 512;

const CheckedSetting = once(() =>
  z
    .object({
      ok: z.boolean().meta({ description: 'True if a save would accept it.' }),
      value: z
        .union([z.string(), z.number(), z.boolean()])
        .nullable()
        .meta({ description: 'The value as it would be stored; null for its default, and if it would be refused.' }),
      message: z.string().meta({ description: 'Why it would be refused; "" if it would not.' }),
    })
    .meta({ id: 'CheckedSetting', description: 'What a save would make of one value.' }),
);

/** What a save would make of a value, by the rules of the save itself and without changing anything. */
export const configCheckRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'checkSetting',
      method: 'get',
      path: '/api/v1/config/check',
      tag: 'configuration',
      summary: 'What a save would make of one value',
      description:
        'Checks the value as `POST /api/v1/config` would and changes nothing, together with the settings in force and the unsaved ones in `beside`. Credentials are not checked here: they do not belong in an address.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      query: () =>
        z.strictObject({
          key: z.string().max(keyLength).meta({ description: 'The setting.' }),
          value: z.string().max(valueLength).meta({ description: 'The value, as a form would send it.' }),
          beside: z.string().max(besideLength).default('').meta({
            description:
              'Other unsaved values, form-encoded; those that are judged together with this one count, such as both ends of a range.',
          }),
        }),
      answers: () => ({
        200: json('The verdict.', CheckedSetting()),
      }),
      problems: ['restarting'],
    },
    async ({ query, answer }) => {
      const row = descriptorOf(query.key);
      if (row?.secret === true)
        return answer(200, {
          ok: false,
          value: null,
          message: `${row.label} is a credential: only a save checks it.`,
        });
      const settings = deps.registry.read('settings')?.context;
      if (settings === undefined) return restarting('settings');
      const beside = Object.fromEntries(new URLSearchParams(query.beside));
      const judged = judgeBeside(settings.values, [query.key, query.value], beside);
      const home = query.key === 'home_dashboard' ? await lookUpHome(deps.registry, query.value) : null;
      if (judged.ok && home?.ok === false) return answer(200, { ok: false, value: null, message: home.message });
      return judged.ok
        ? answer(200, { ok: true, value: judged.value, message: '' })
        : answer(200, { ok: false, value: null, message: judged.message });
    },
  );
};
