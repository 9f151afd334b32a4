import { z } from 'zod';
import { verdictWord } from '../kit/status.ts';
import { statusSection } from '../subsystem.ts';

export const status = statusSection({
  reads: ['input'],
  shape: () => ({
    input: z
      .object({
        state: verdictWord(),
        devices: z
          .object({
            touch: z.int().meta({ description: 'Touch screens.' }),
            key: z.int().meta({ description: 'Devices with keys.' }),
            pointer: z.int().meta({ description: 'Mice and touch pads.' }),
          })
          .meta({ description: 'How many devices of each kind are listened to.' }),
        keyboards: z
          .object({
            connected: z.int().meta({ description: 'Devices with all letter keys.' }),
            on_screen: z.boolean().meta({ description: 'Whether an on-screen keyboard runs in the session.' }),
          })
          .meta({ description: 'What a person can type on at the panel.' }),
        last: z
          .object({
            kind: z.enum(['touch', 'key', 'pointer']).meta({ description: 'Kind of device.' }),
            at: z.int().meta({ description: 'Milliseconds since the Unix epoch.' }),
          })
          .nullable()
          .meta({ description: 'The last touch or press since the agent started; never which key, or where.' }),
        wakes: z.int().meta({ description: 'How often a touch or a press lit a dark screen.' }),
        first_touch: z
          .object({
            keeps: z.boolean().meta({ description: 'Whether touches are kept from the page now.' }),
            held: z.int().meta({ description: 'Devices that are held for this.' }),
            refused: z
              .enum(['busy', 'unsupported', 'failed'])
              .nullable()
              .meta({ description: 'Why holding them failed last; null if it did not.' }),
          })
          .meta({
            description: 'While the screen is dark, touches are kept from the page.',
          }),
        buttons: z
          .array(
            z.object({
              name: z.string().meta({ description: 'Its name in the profile.' }),
              here: z.boolean().meta({ description: 'Whether its device is connected.' }),
              refused: z.enum(['typing-key', 'typing-device']).nullable().meta({
                description:
                  'Why it is never read: people type with its key, or on its device. Null if it may be read.',
              }),
            }),
          )
          .meta({ description: 'Hardware buttons that the profile names, and whether their device is connected.' }),
        last_wake_ms: z.int().meta({
          description:
            "From the kernel's event to the finished write that lit the screen. Milliseconds; -1 while unmeasured.",
        }),
      })
      .nullable()
      .meta({
        description:
          'Touch screens, keys and buttons. Null where the profile declares none, or while its part restarts.',
      }),
  }),
  view: ({ read }) => {
    const input = read('input');
    return {
      input:
        input === undefined
          ? null
          : {
              state: input.verdict.state,
              devices: input.counts,
              keyboards: { connected: input.keyboards.connected, on_screen: input.keyboards.onScreen },
              last: input.last,
              wakes: input.wakes,
              first_touch: { keeps: input.grabs, ...input.grab },
              buttons: input.named.map(({ name, here, refused = null }) => ({ name, here, refused })),
              last_wake_ms: input.lastWakeMs,
            },
    };
  },
});
