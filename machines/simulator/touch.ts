import { z } from 'zod';
import { cameraStates, microphoneStates, simulatedParts, type SimulatorDriverCommand } from './events.ts';
import { once } from '../kit/once.ts';

const byte = once(() => z.int().min(0).max(255).meta({ description: '0 to 255.' }));
const button = once(() => z.int().min(1).max(4).meta({ description: 'Which button.' }));

/** What can be done to the simulated panel, by the field that names it. */
const touches = once(
  () =>
    ({
      press: z.strictObject({ press: button() }).meta({ id: 'PressButton', description: 'Presses a button once.' }),
      hold: z
        .strictObject({ hold: button(), down: z.boolean().meta({ description: 'False releases it.' }) })
        .meta({ id: 'HoldButton', description: 'Holds a button down.' }),
      air: z
        .strictObject({
          air: z
            .strictObject({
              celsius: z.number().min(-40).max(125).optional().meta({ description: 'Degrees Celsius.' }),
              humidity: z.number().min(0).max(100).optional().meta({ description: 'Percent.' }),
            })
            .meta({ description: 'The values to change.' }),
        })
        .meta({ description: 'Changes the air at the panel.' }),
      proximity: z
        .strictObject({ proximity: z.int().min(0).max(1000).meta({ description: 'Rises as something comes nearer.' }) })
        .meta({ id: 'ComeNear', description: 'Sets the distance of a person to the proximity sensor.' }),
      zigbee: z
        .strictObject({
          zigbee: z
            .strictObject({
              running: z.boolean().optional().meta({ description: 'Whether its program runs.' }),
              joined: z.boolean().optional().meta({ description: 'Whether it has joined a network.' }),
              cpuPercent: z.number().min(0).max(100).optional().meta({ description: 'Its load, percent of a core.' }),
            })
            .meta({ description: 'The values to change.' }),
        })
        .meta({ description: 'Changes the Zigbee gateway.' }),
      plug: z
        .strictObject({
          plug: z.enum(simulatedParts).meta({ description: 'Which part.' }),
          plugged: z.boolean().meta({ description: 'False unplugs it.' }),
        })
        .meta({ id: 'PlugPart', description: 'Unplugs or reconnects a part.' }),
      lux: z
        .strictObject({ lux: z.number().min(0).max(100_000).meta({ description: 'Lux.' }) })
        .meta({ id: 'LightRoom', description: 'Changes the light in the room.' }),
      relay: z
        .strictObject({
          relay: z.int().min(1).max(4).meta({ description: 'Which relay.' }),
          closed: z.boolean().meta({ description: 'False opens it.' }),
        })
        .meta({ id: 'SwitchRelay', description: 'Switches a relay behind the agent’s back.' }),
      led: z
        .strictObject({
          led: z
            .strictObject({
              on: z.boolean().meta({ description: 'Whether it is lit.' }),
              red: byte(),
              green: byte(),
              blue: byte(),
            })
            .meta({ description: 'The state to set.' }),
        })
        .meta({ description: 'Changes the LED behind the agent’s back.' }),
      backlight: z
        .strictObject({ backlight: byte() })
        .meta({ id: 'LightButtons', description: 'Lights the buttons from behind.' }),
      camera: z
        .strictObject({
          camera: z.enum(cameraStates).meta({ description: 'Which of its states.' }),
          set: z.boolean().meta({ description: 'Whether it is in that state.' }),
        })
        .meta({
          id: 'ChangeCamera',
          description: 'Unplugs, forbids, covers (`blind`), jams or occupies the camera, or ends that.',
        }),
      microphone: z
        .strictObject({
          microphone: z.enum(microphoneStates).meta({ description: 'Which of its states.' }),
          set: z.boolean().meta({ description: 'Whether it is in that state.' }),
        })
        .meta({
          id: 'ChangeMicrophone',
          description: 'Unplugs, forbids, mutes, stalls or occupies the microphone, or ends that.',
        }),
      screen: z
        .strictObject({
          screen: z
            .strictObject({
              on: z.boolean().optional().meta({ description: 'Whether it is lit.' }),
              brightness: z.int().min(1).max(255).optional().meta({ description: '1 to 255.' }),
            })
            .meta({ description: 'The values to change.' }),
        })
        .meta({ description: 'Switches the screen by its own switch.' }),
    }) as const,
);

/** What each form needs, for a refusal. */
const wants: Readonly<Record<keyof ReturnType<typeof touches> | 'approval' | 'mode' | 'questions', string>> = {
  press: '"press" must be a whole number from 1 to 4, and the only field.',
  hold: '"hold" must be a whole number from 1 to 4, with "down" true or false and no other field.',
  air: '"air" may contain "celsius" (-40 to 125) and "humidity" (0 to 100).',
  proximity: '"proximity" must be a whole number from 0 to 1000, and the only field.',
  zigbee: '"zigbee" may contain "running" and "joined" (true or false) and "cpuPercent" (0 to 100).',
  plug: `"plug" must be one of ${simulatedParts.join(', ')}, with "plugged" true or false and no other field.`,
  lux: '"lux" must be a number from 0 to 100000, and the only field.',
  relay: '"relay" must be a whole number from 1 to 4, with "closed" true or false and no other field.',
  led: '"led" must contain "on" (true or false) and "red", "green", "blue" (whole numbers from 0 to 255).',
  backlight: '"backlight" must be a whole number from 0 to 255, and the only field.',
  camera: `"camera" must be one of ${cameraStates.join(', ')}, with "set" true or false and no other field.`,
  microphone: `"microphone" must be one of ${microphoneStates.join(', ')}, with "set" true or false alone.`,
  approval: '"approval" must be the id of the question that is shown, with "answer" one of hold, deny, ignore.',
  mode: '"security_mode" must be hardened or relaxed, and the only field.',
  questions: '"questions" must be show, and the only field.',
  screen: '"screen" may contain "on" (true or false) and "brightness" (a whole number from 1 to 255).',
};

function formOf(body: unknown): keyof typeof wants | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  if ('press' in body) return 'press';
  if ('hold' in body || 'down' in body) return 'hold';
  if ('air' in body) return 'air';
  if ('proximity' in body) return 'proximity';
  if ('zigbee' in body) return 'zigbee';
  if ('plug' in body || 'plugged' in body) return 'plug';
  if ('lux' in body) return 'lux';
  if ('relay' in body || 'closed' in body) return 'relay';
  if ('led' in body) return 'led';
  if ('backlight' in body) return 'backlight';
  if ('microphone' in body) return 'microphone';
  if ('camera' in body || 'set' in body) return 'camera';
  if ('approval' in body || 'answer' in body) return 'approval';
  if ('security_mode' in body) return 'mode';
  if ('questions' in body) return 'questions';
  return 'screen' in body ? 'screen' : undefined;
}

/** Why a body matches none of the forms: the needs of the form it most resembles. */
export function whatItWants(body: unknown): string {
  const form = formOf(body);
  return form === undefined
    ? 'Send one of "press", "hold" with "down", "lux", "air", "proximity", "zigbee", "plug" with "plugged", "relay" with "closed", "led", "backlight", "camera" or "microphone" with "set", "screen", "approval" with "answer", "security_mode" or "questions".'
    : wants[form];
}

/** Every form of a touch. */
export const touchForms = once(
  () =>
    [
      touches().press,
      touches().hold,
      touches().lux,
      touches().air,
      touches().proximity,
      touches().zigbee,
      touches().plug,
      touches().relay,
      touches().led,
      touches().backlight,
      touches().camera,
      touches().microphone,
      touches().screen,
    ] as const,
);

/** One event of the simulated hardware: exactly one of its forms at a time. */
export const simulatorTouch = once(() => z.union(touchForms(), { error: ({ input }) => whatItWants(input) }));

export type SimulatorTouch = z.infer<ReturnType<typeof simulatorTouch>>;

/** The forms that an HTML form can send: those without nested fields. */
export const flatTouchForms = once(
  () =>
    [
      touches().press,
      touches().hold,
      touches().lux,
      touches().proximity,
      touches().plug,
      touches().relay,
      touches().backlight,
      touches().camera,
      touches().microphone,
    ] as const,
);

/** The fields without those that are undefined. */
const withoutUndefined = <T extends object>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } =>
  // Only entries whose value is undefined are removed.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** The driver's command for a request; `toRaw` turns a brightness of 1 to 255 into the screen's raw value. */
export function decideSimulator(value: SimulatorTouch, toRaw: (brightness: number) => number): SimulatorDriverCommand {
  if ('press' in value) return { type: 'simulator.press', button: value.press };
  if ('hold' in value) return { type: 'simulator.hold', button: value.hold, down: value.down };
  if ('air' in value) return { type: 'simulator.air', ...withoutUndefined(value.air) };
  if ('proximity' in value) return { type: 'simulator.near', proximity: value.proximity };
  if ('zigbee' in value) return { type: 'simulator.zigbee', ...withoutUndefined(value.zigbee) };
  if ('plug' in value) return { type: 'simulator.plug', part: value.plug, plugged: value.plugged };
  if ('lux' in value) return { type: 'simulator.light', lux: value.lux };
  if ('relay' in value) return { type: 'simulator.relay', relay: value.relay, closed: value.closed };
  if ('led' in value) return { type: 'simulator.led', ...value.led };
  if ('backlight' in value) return { type: 'simulator.backlight', level: value.backlight };
  if ('microphone' in value) return { type: 'simulator.microphone', [value.microphone]: value.set };
  if ('camera' in value) return { type: 'simulator.camera', [value.camera]: value.set };
  const { on, brightness } = value.screen;
  return {
    type: 'simulator.screen',
    ...(on === undefined ? {} : { powered: on }),
    ...(brightness === undefined ? {} : { raw: toRaw(brightness) }),
  };
}
