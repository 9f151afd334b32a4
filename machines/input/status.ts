import { z } from 'zod';
import { diagLine } from '../kit/diag.ts';
import { verdictWord } from '../kit/status.ts';
import { statusSection, textLines } from '../subsystem.ts';

/** Touch and keys in the status document. */
export const status = statusSection({
  reads: ['input'],
  shape: {
    input: z
      .object({
        state: verdictWord,
        devices: z
          .object({ touch: z.number().int(), key: z.number().int(), pointer: z.number().int() })
          .meta({ description: 'How many devices of each kind are listened to.' }),
        last: z
          .object({ kind: z.enum(['touch', 'key', 'pointer']), at: z.number().int() })
          .nullable()
          .meta({ description: 'The last touch or press since the agent started; never which key, or where.' }),
        wakes: z.number().int().meta({ description: 'How often a touch or a press lit a dark screen.' }),
        first_touch: z
          .object({
            keeps: z.boolean(),
            held: z.number().int(),
            refused: z.enum(['busy', 'unsupported', 'failed']).nullable(),
          })
          .meta({
            description:
              'Whether touches are kept from the page now because the screen is dark, how many devices are held for that, and why that was refused the last time.',
          }),
        buttons: z
          .array(z.object({ name: z.string(), here: z.boolean() }))
          .meta({ description: 'Hardware buttons that the profile names, and whether their device is here.' }),
        last_wake_ms: z.number().int().meta({
          description:
            "From the kernel's event to the finished write that lit the screen. Milliseconds; -1 while unmeasured.",
        }),
      })
      .nullable()
      .meta({
        description:
          'Touch screens, keys and buttons. Null where the profile declares none, or while its part restarts.',
      }),
  },
  project: ({ read }) => {
    const input = read('input');
    return {
      input:
        input === undefined
          ? null
          : {
              state: input.verdict.state,
              devices: input.counts,
              last: input.last,
              wakes: input.wakes,
              first_touch: { keeps: input.grabs, ...input.grab },
              buttons: [...input.named],
              last_wake_ms: input.lastWakeMs,
            },
    };
  },
});

/** The line of the diagnostics on touch and keys. */
export const diag = [
  textLines({
    order: 51,
    reads: ['input'],
    lines: ({ read }) => {
      const input = read('input');
      return [
        diagLine('input', {
          reason: input?.verdict.reason,
          touch: input?.counts.touch,
          key: input?.counts.key,
          pointer: input?.counts.pointer,
          wakes: input?.wakes,
          last_wake_ms: input?.lastWakeMs,
          held: input?.grab.held,
          refused: input?.grab.refused,
          buttons: input?.named.length,
          pressed: input?.buttons.sequence,
          dropped: input?.buttons.dropped,
        }),
      ];
    },
  }),
];
