import { z } from 'zod';
import { simulatedParts } from '#machines/simulator/events.ts';
import { decideQuestion, isOfQuestions, simulatorRequest, simulatorRequestForm } from '#machines/simulator/question.ts';
import { decideSimulator } from '#machines/simulator/touch.ts';
import { litRange, toRaw } from '#machines/screen/scale.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { Family } from '#routes/kit/family.ts';
import { refuse } from '#machines/kit/result.ts';
import { json } from '#routes/kit/answer.ts';
import { restarting } from '#routes/kit/problem.ts';
import { isTrustedLoopback } from '#routes/kit/trusted-loopback.ts';
import { once } from '#machines/kit/once.ts';

const byte = (description: string) => z.int().min(0).max(255).meta({ description });
const four = <T extends z.ZodType>(of: T, description: string) => z.array(of).min(4).max(4).meta({ description });

/** The simulated hardware. */
const Panel = once(() =>
  z
    .object({
      screen: z
        .object({
          raw: z.int().meta({ description: 'Brightness in its own unit, up to `rawMax`.' }),
          rawMax: z.int().meta({ description: 'Brightest.' }),
          powered: z.boolean().meta({ description: 'True if it is lit.' }),
        })
        .meta({ description: 'The screen.' }),
      led: z
        .object({
          on: z.boolean().meta({ description: 'True if it is lit.' }),
          red: byte('0 to 255.'),
          green: byte('0 to 255.'),
          blue: byte('0 to 255.'),
        })
        .meta({ description: 'The LED.' }),
      relays: four(z.boolean(), 'Four relays; true is closed.'),
      buttonBacklight: byte('Level of the light behind the buttons, 0 to 255.'),
      buttonLeds: four(z.boolean(), 'Four small lamps, one beside each button.'),
      buttons: four(
        z.int().nullable(),
        'When each of the four buttons was last pressed, in milliseconds since the Unix epoch; null for never.',
      ),
      held: four(z.boolean(), 'Which of the four buttons is held down.'),
      lux: z.number().meta({ description: 'Light on the sensor in lux, 0 to 100000.' }),
      celsius: z.number().meta({ description: 'Temperature in degrees Celsius, -40 to 125.' }),
      humidity: z.number().meta({ description: 'Relative humidity in percent, 0 to 100.' }),
      proximity: z.int().meta({ description: 'Raw reading, 0 to 1000; it rises as something comes nearer.' }),
      zigbee: z
        .object({
          running: z.boolean().meta({ description: 'True if its program runs.' }),
          joined: z.boolean().meta({ description: 'True if it has joined a network.' }),
          cpuPercent: z.number().meta({ description: 'Its load in percent of one core.' }),
        })
        .meta({ description: 'The Zigbee gateway.' }),
      unplugged: z.array(z.enum(simulatedParts)).meta({ description: 'Parts that are unplugged.' }),
      volume: z
        .object({
          percent: z.int().meta({ description: '0 to 100.' }),
          muted: z.boolean().meta({ description: 'True if nothing would be heard.' }),
        })
        .meta({ description: 'The loudspeaker.' }),
      camera: z
        .object({
          plugged: z.boolean().meta({ description: 'False while it is unplugged.' }),
          permitted: z.boolean().meta({ description: 'False if the system does not let this user open it.' }),
          blind: z.boolean().meta({ description: 'True while its lens is covered.' }),
          jammed: z.boolean().meta({ description: 'True while it delivers nothing, although it is open.' }),
          occupied: z.boolean().meta({ description: 'True while another program streams from it.' }),
        })
        .meta({ description: 'The camera, which films a drawn room.' }),
      microphone: z
        .object({
          plugged: z.boolean().meta({ description: 'False while it is unplugged.' }),
          permitted: z.boolean().meta({ description: 'False if the system does not let this user open it.' }),
          muted: z.boolean().meta({ description: 'True while it delivers silence.' }),
          stalled: z.boolean().meta({ description: 'True while it delivers nothing, although it is open.' }),
          occupied: z.boolean().meta({ description: 'True while another program holds it.' }),
        })
        .meta({ description: 'The microphone, which hears what is said by `/api/v1/simulator/say`.' }),
      reboots: z.int().meta({ description: 'How often it was "rebooted"; it reboots nothing.' }),
    })
    .meta({ id: 'SimulatedPanel', description: 'The hardware of the simulated panel as it is now.' }),
);

/** What is said to the simulated microphone. */
const Say = once(() =>
  z
    .object({ text: z.string().min(1).max(200).meta({ description: 'What is said, in English.' }) })
    .meta({ id: 'SayText', description: 'A text that is spoken to the simulated microphone.' }),
);

const Said = once(() =>
  z
    .object({
      ok: z.literal(true).meta({ description: 'It is being said.' }),
      ms: z.int().min(0).meta({ description: 'How long it sounds, in milliseconds.' }),
    })
    .meta({ id: 'Said', description: 'What was said to the simulated microphone.' }),
);

/** Largest sound that is sent. */
const SOUND_BYTES = 1_048_576;
/** Longest wait for it: two programs, with 10 s each, after another one that is spoken. */
const SAY_MS: Milliseconds = 30_000;

/** The question that the simulated panel shows. */
const Shown = once(() =>
  z
    .object({
      shown: z
        .object({
          id: z.string().meta({ description: 'Its id.' }),
          kind: z
            .enum(['operation', 'enter-hardened', 'leave-hardened'])
            .meta({ description: 'What is asked: an operation, or to switch the security mode.' }),
          title: z.string().meta({ description: 'What is asked, in words.' }),
          consequence: z.string().meta({ description: 'What follows from approving it; "" for nothing.' }),
          code: z.string().nullable().meta({ description: 'Digits to compare with another screen; null for none.' }),
        })
        .nullable()
        .meta({ description: 'The question; null for none.' }),
    })
    .meta({ id: 'SimulatedQuestion', description: 'The question that the simulated panel shows.' }),
);

/** A simulated panel has no screen of its own: who is at its machine counts as a person in front of it. */
const notHere = refuse(
  'not-this-machine',
  'Only a program or browser on the machine that runs this panel may do this. Open http://127.0.0.1 there.',
);

/** The simulated panel's hardware; on real hardware these routes do not exist. */
export const simulatorRoutes: Family = ({ declare, deps }) => {
  if (!deps.simulated) return;
  declare(
    {
      operationId: 'getSimulator',
      method: 'get',
      path: '/api/v1/simulator',
      tag: 'simulator',
      developer: true,
      summary: 'The simulated hardware',
      description: 'In place of real hardware, in the state that the drivers left it.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: json('The simulated panel.', Panel()),
      }),
      problems: ['restarting'],
    },
    ({ answer }) => {
      const simulator = deps.registry.read('simulator');
      return simulator === undefined ? restarting('simulator') : answer(200, simulator.context.panel);
    },
  );
  declare(
    {
      operationId: 'touchSimulator',
      method: 'post',
      path: '/api/v1/simulator',
      tag: 'simulator',
      developer: true,
      summary: 'Touch the simulated hardware',
      description:
        'What a person would do at a real panel: press a button, change the light in the room, switch the screen by its own button.',
      guard: 'write',
      protects: null,
      maxBodyBytes: 16_384,
      body: () => ({
        description: 'One of the actions.',
        schema: simulatorRequest(),
        form: simulatorRequestForm(),
        refusal: { code: 'bad-value' },
        example: { press: 1 },
      }),
      answers: () => ({ 202: json('Done.', z.object({ ok: z.literal(true) }), { example: { ok: true } }) }),
      problems: ['restarting', 'not-here', 'not-this-machine'],
    },
    ({ c, body, answer }) => {
      if (isOfQuestions(body)) {
        if (!isTrustedLoopback(c)) return notHere;
        const approvals = deps.registry.read('approvals');
        if (approvals === undefined) return restarting('approvals');
        if (approvals.context.place.kind !== 'simulator')
          return refuse('not-here', 'This panel does not ask on the page of the simulated panel.');
        return deps.registry.tell('approvals', decideQuestion(body, deps.elapsed())) === 'absent'
          ? restarting('approvals')
          : answer(202, { ok: true });
      }
      const simulator = deps.registry.read('simulator');
      if (simulator === undefined) return restarting('simulator');
      const { rawMax } = simulator.context.panel.screen;
      const screen = deps.registry.read('screen')?.context;
      // The scale by which the agent reads it back; without its part, that of the whole hardware.
      const range = screen?.display ? litRange(screen.display, screen.minimumPercent) : { low: 1, high: rawMax };
      const command = decideSimulator(body, (brightness) => toRaw(brightness, range));
      if (deps.registry.tell('simulator', command) === 'absent') return restarting('simulator');
      return answer(202, { ok: true });
    },
  );
  declare(
    {
      operationId: 'saySimulated',
      method: 'post',
      path: '/api/v1/simulator/say',
      tag: 'simulator',
      developer: true,
      summary: 'Speak to the simulated microphone',
      description:
        'As a person in front of the panel would: a text, spoken by flite, else by espeak-ng, or a sound of at most a minute. It is heard by what listens now or within ten seconds, and kept nowhere.',
      guard: 'write',
      protects: null,
      maxBodyBytes: SOUND_BYTES,
      // Into a file: neither words nor sounds are in an event.
      body: () => ({
        reads: 'file',
        description: 'A text, or a WAV file with 16-bit PCM samples, one or two channels, 8000 to 192000 a second.',
        types: {
          'application/json': { schema: Say(), example: { text: 'turn on the light' } },
          'audio/wav': { schema: z.string().meta({ type: 'string', format: 'binary' }) },
        },
      }),
      answers: () => ({ 202: json('It is being said.', Said(), { example: { ok: true, ms: 1830 } }) }),
      problems: ['bad-value', 'bad-sound', 'no-speech-program', 'speech-failed', 'restarting'],
    },
    async ({ body: { path: file }, answer }) => {
      const asked = await deps.registry.ask('simulator', { type: 'simulator.say', file }, SAY_MS);
      if (!asked.ok) return restarting('simulator');
      return asked.value.ok ? answer(202, { ok: true, ms: asked.value.value.ms }) : asked.value;
    },
  );
  declare(
    {
      operationId: 'getSimulatedQuestion',
      method: 'get',
      path: '/api/v1/simulator/approvals',
      tag: 'simulator',
      developer: true,
      summary: 'The question on the simulated panel',
      description: 'From the machine that runs the panel only. Who asks is not told.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({ 200: json('The question.', Shown(), { example: { shown: null } }) }),
      problems: ['restarting', 'not-this-machine'],
    },
    ({ c, answer }) => {
      if (!isTrustedLoopback(c)) return notHere;
      const approvals = deps.registry.read('approvals');
      return approvals === undefined ? restarting('approvals') : answer(200, { shown: approvals.context.shown });
    },
  );
};
