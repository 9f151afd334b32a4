import { z } from 'zod';
import type { Rgb } from '../kit/entity.ts';
import { once } from '../kit/once.ts';
import type { LightEffect, LightId } from '../lights/events.ts';
import type { RelayId } from '../relays/events.ts';

/** The verbs of `POST /api/v1/action`. */
export const verbs = [
  'screen_on',
  'screen_off',
  'brightness',
  'light',
  'relay',
  'volume',
  'volup',
  'voldn',
  'test_sound',
  'home',
  'own_pages',
  'navigate',
  'reload',
  'reboot',
  'back',
  'recents',
  'launcher',
] as const;

export type Verb = (typeof verbs)[number];

/** Names as an enum; the compiler demands all names of the other subsystem, and no others. */
type AllOf<N extends string> = { readonly [K in N]: K };

const lights = {
  led: 'led',
  buttons: 'buttons',
  button_led1: 'button_led1',
  button_led2: 'button_led2',
  button_led3: 'button_led3',
  button_led4: 'button_led4',
} as const satisfies AllOf<LightId>;

const relays = {
  relay1: 'relay1',
  relay2: 'relay2',
  relay3: 'relay3',
  relay4: 'relay4',
} as const satisfies AllOf<RelayId>;

const effects = {
  none: 'none',
  blink: 'blink',
  pulse: 'pulse',
  strobe: 'strobe',
} as const satisfies AllOf<LightEffect>;

const oneVerb = <const V extends readonly [Verb, ...Verb[]]>(of: V) => z.enum(of).meta({ description: 'The verb.' });

/** A level or a percentage; a fraction is accepted and rounded. */
function numberTo(most: number, verb: Verb): z.ZodNumber {
  const error = `The field "value" of ${verb} must be a number from 0 to ${most}.`;
  return z.number({ error }).min(0, { error }).max(most, { error }).meta({ description: 'A fraction is rounded.' });
}

const display = once(() =>
  z.int().min(1).max(4).optional().meta({ description: 'Which display, 1 to 4; the first if omitted.' }),
);

const noColour =
  'The field "rgb" must be three whole numbers from 0 to 255 such as [255, 120, 0], or text such as "#ff7800".';
const part = once(() => z.int({ error: noColour }).min(0, { error: noColour }).max(255, { error: noColour }));

// Without a flag: the API document shows the expression and has no place for flags.
const hex = once(() => z.string({ error: noColour }).regex(/^#[\da-fA-F]{6}$/, { error: noColour, abort: true }));
const bound = { error: noColour, abort: true };
const parts = once(() => z.array(part(), { error: noColour }).min(3, bound).max(3, bound));
const rgb = once(() => z.union([parts(), hex()], { error: noColour }));

/** The three parts of a colour in a body. */
export function colourOf(said: z.infer<ReturnType<typeof rgb>>): Rgb {
  if (typeof said !== 'string') {
    const [red = 0, green = 0, blue = 0] = said;
    return { red, green, blue };
  }
  const whole = Number.parseInt(said.slice(1), 16);
  return { red: whole >> 16, green: (whole >> 8) & 255, blue: whole & 255 };
}

const light = once(() =>
  z.strictObject({
    a: oneVerb(['light']),
    id: z.enum(lights).meta({ description: 'Which light, as `lights` of the status document names it.' }),
    on: z.boolean().optional().meta({ description: 'Whether it is lit.' }),
    brightness: z.int().min(0).max(255).optional().meta({ description: '0 switches the light off.' }),
    rgb: rgb().optional().meta({
      description: 'Red, green and blue, 0 to 255 each, one of them above 0; or the same as text such as `#ff7800`.',
    }),
    effect: z.enum(effects).optional().meta({ description: 'It runs until another one, `none` or off.' }),
  }),
);

const isBlack = ({ red, green, blue }: Rgb): boolean => red === 0 && green === 0 && blue === 0;

/** A contradiction within a light's body, as field and sentence; such a body has no effect. */
function contradictionOf({
  on,
  brightness,
  rgb: said,
  effect,
}: z.infer<ReturnType<typeof light>>): [string, string] | null {
  if (on === undefined && brightness === undefined && said === undefined && effect === undefined)
    return ['on', 'No change of the light is requested. Send at least one of "on", "brightness", "rgb" and "effect".'];
  if (said !== undefined && isBlack(colourOf(said)))
    return ['rgb', 'The field "rgb" must have a part above 0. To switch the light off, send "on" as false instead.'];
  const shown = said === undefined ? (effect === undefined || effect === 'none' ? null : 'effect') : 'rgb';
  if (brightness === 0 && (on === true || shown !== null))
    return ['brightness', 'The field "brightness" must be 1 to 255 here, since 0 switches the light off.'];
  const lit = brightness === undefined || brightness === 0 ? shown : 'brightness';
  return on === false && lit !== null
    ? [lit, `A light that is switched off cannot have "${lit}". Leave it out, or send "on" as true.`]
    : null;
}

const others = once(
  () =>
    [
      z
        .strictObject({ a: oneVerb(['screen_on', 'screen_off']), display: display() })
        .meta({ id: 'SwitchScreen', description: 'Switches a display on or off.' }),
      z
        .strictObject({ a: oneVerb(['brightness']), value: numberTo(255, 'brightness'), display: display() })
        .meta({ id: 'SetBrightness', description: 'Sets the brightness of a display.' }),
      z
        .strictObject({
          a: oneVerb(['relay']),
          id: z.enum(relays).meta({ description: 'Which relay, as `relays` of the status document names it.' }),
          on: z.boolean().meta({ description: 'True closes the contact.' }),
        })
        .meta({ id: 'SetRelay', description: 'Switches a relay.' }),
      z
        .strictObject({ a: oneVerb(['volume']), value: numberTo(100, 'volume') })
        .meta({ id: 'SetVolume', description: 'Sets the volume.' }),
      z
        .strictObject({
          a: oneVerb(['navigate']),
          path: z
            .string({
              error: 'The field "path" of navigate must name a page of Home Assistant, such as /lovelace/hallway.',
            })
            .meta({ description: 'A page of Home Assistant, such as `/lovelace/hallway`.' }),
        })
        .meta({ id: 'Navigate', description: 'Shows a page of Home Assistant.' }),
      z
        .strictObject({
          a: oneVerb([
            'volup',
            'voldn',
            'test_sound',
            'home',
            'own_pages',
            'reload',
            'reboot',
            'back',
            'recents',
            'launcher',
          ]),
        })
        .meta({ id: 'PlainAction', description: 'A verb without arguments.' }),
    ] as const,
);

/** The body of `POST /api/v1/action`: a verb and its arguments. */
export const ActionBody = once(() =>
  z.discriminatedUnion(
    'a',
    [
      ...others(),
      light()
        .superRefine((body, issues) => {
          const wrong = contradictionOf(body);
          if (wrong !== null) issues.addIssue({ code: 'custom', path: [wrong[0]], message: wrong[1] });
        })
        .meta({ id: 'SetLight', description: 'Sets a light.' }),
    ],
    { error: `The field "a" must be one of: ${verbs.join(', ')}.` },
  ),
);
export type ActionBody = z.infer<ReturnType<typeof ActionBody>>;

/** The part that an HTML form can send: it has no lists, so a colour is text. */
export const ActionForm = once(() =>
  z.discriminatedUnion('a', [
    ...others(),
    light()
      .extend({ rgb: hex().optional().meta({ description: 'A colour such as `#ff7800`, never black.' }) })
      .meta({ id: 'SetLightForm', description: 'Sets a light, as sent by a form.' }),
  ]),
);
