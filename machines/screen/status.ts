import { z } from 'zod';
import { once } from '../kit/once.ts';
import { isSupervised, verdictWord } from '../kit/status.ts';
import { statusSection } from '../subsystem.ts';
import { type ScreenContext, screenIds } from './events.ts';

const routes = once(() =>
  z
    .object({
      brightness: z.string().nullable().meta({ description: 'What dims it, such as `backlight`; null for nothing.' }),
      power: z.string().nullable().meta({ description: 'What switches it; null for nothing.' }),
    })
    .nullable()
    .meta({ description: 'How it is reached; null while there is none.' }),
);

const DisplayStatus = once(() =>
  z
    .object({
      state: verdictWord(),
      name: z.string().nullable().meta({ description: 'Its name on this machine; null while there is none.' }),
      lit: z.boolean().nullable().meta({ description: 'Whether it gives light; null while unknown.' }),
      brightness: z
        .int()
        .min(0)
        .max(255)
        .nullable()
        .meta({ description: '1 to 255 while lit; null while dark or unknown.' }),
      routes: routes(),
      fault: z.string().nullable().meta({ description: 'Why the last write failed; null after a good one.' }),
    })
    .meta({ id: 'Display', description: 'A display of the panel.' }),
);

const unread: z.infer<ReturnType<typeof DisplayStatus>> = {
  state: 'checking',
  name: null,
  lit: null,
  brightness: null,
  routes: null,
  fault: null,
};

const displayOf = ({ verdict, display, lit, brightness, fault }: ScreenContext): typeof unread => ({
  state: verdict.state,
  name: display?.name ?? null,
  lit,
  brightness,
  routes: display?.routes ?? null,
  fault,
});

export const status = statusSection({
  reads: screenIds,
  uses: ['tree'],
  shape: () => ({
    screen: z
      .object({
        state: verdictWord(),
        lit: z.boolean().nullable().meta({ description: 'Whether it gives light; null while unknown.' }),
        brightness: z
          .int()
          .min(0)
          .max(255)
          .nullable()
          .meta({ description: '1 to 255 while lit; null while dark or unknown.' }),
        last_brightness: z.int().min(1).max(255).meta({ description: 'The level it returns to when it is lit again.' }),
        display: z.string().nullable().meta({ description: 'Its name on this machine; null while there is none.' }),
        routes: routes(),
        fault: z.string().nullable().meta({ description: 'Why the last write failed; null after a good one.' }),
        changed: z
          .object({
            by: z.string().meta({
              description:
                'Such as `home-assistant`, `http`, `touch`, `wave`, `auto-brightness`, `auto-sleep`, `clock`, `presence`, `announcement`, `entity`, `elsewhere`.',
            }),
            at: z.int().meta({ description: 'Milliseconds since the Unix epoch.' }),
          })
          .nullable()
          .meta({ description: 'What changed it last; null before a change.' }),
      })
      .nullable()
      .meta({ description: 'Null where the profile declares no screen, or while its part restarts.' }),
    displays: z.partialRecord(z.enum(['1', '2', '3', '4']), DisplayStatus()).meta({
      description:
        'The displays by their numbers: the first, whatever was found, and each further one that this run has found. `screen` tells more of the first.',
    }),
  }),
  view: ({ read, tree }) => {
    const screen = read('screen');
    return {
      displays: Object.fromEntries(
        screenIds.flatMap((id, index) => {
          const one = read(id);
          const number = `${index + 1}`;
          if (one !== undefined) return index === 0 || one.seen ? [[number, displayOf(one)]] : [];
          return index === 0 && isSupervised(tree, id) ? [[number, unread]] : [];
        }),
      ),
      screen:
        screen === undefined
          ? null
          : {
              state: screen.verdict.state,
              lit: screen.lit,
              brightness: screen.brightness,
              last_brightness: screen.lastBrightness,
              display: screen.display?.name ?? null,
              routes: screen.display?.routes ?? null,
              fault: screen.fault,
              changed: screen.changed,
            },
    };
  },
});
