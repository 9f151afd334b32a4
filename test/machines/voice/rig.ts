import { createActor, type EventObject, SimulatedClock } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { type VoicePhase, voicePhaseOf } from '#machines/kit/voice-phase.ts';
import type {
  AssistFact,
  EarFact,
  OverlayCommand,
  OverlayView,
  Pipelines,
  VoiceEvent,
  VoiceSurroundingsFact,
} from '#machines/voice/events.ts';
import type { VoiceFacts } from '#machines/voice/facts.ts';
import { voiceMachine } from '#machines/voice/machine.ts';

/** A fact of a turn without what the rig adds: the number of the turn and the moment. */
type Bare<F> = F extends unknown ? Omit<F, 'turn' | 'at'> : never;
type Said = Bare<Exclude<AssistFact, never>> | Bare<Extract<EarFact, { readonly turn: number }>>;

export const sources: Extract<EarFact, { readonly type: 'ear.sources' }> = {
  type: 'ear.sources',
  system: 'pulse',
  sources: [{ name: 'mic', title: 'Microphone', kind: 'microphone', isDefault: true, isMuted: false }],
  chosen: 'mic',
  failure: null,
};
export const options: Extract<VoiceSurroundingsFact, { readonly type: 'options.changed' }> = {
  type: 'options.changed',
  choice: { audioSource: 'mic', source: '', gainDb: 0 },
  pipelines: {},
  screenButton: 'auto',
  showsWords: false,
};
export const listed: Pipelines = {
  pipelines: [
    { id: 'home', name: 'Home', hears: true, speaks: true },
    { id: 'deaf', name: 'Text only', hears: false, speaks: true },
  ],
  preferred: 'home',
};

/** Children that only note what they are told. */
const children = ['ear', 'assist', 'reply', 'indication', 'panel'] as const;

/** Voice on a simulated clock, with drivers that do nothing but what a test says. */
export function voiceRig() {
  const clock = new SimulatedClock();
  const log: string[] = [];
  const commands: EventObject[] = [];
  const views: OverlayView[] = [];
  const replies = new Map<string, string>();
  const crashes = new Map<string, () => void>();
  const said = new Map<string, (fact: VoiceEvent) => void>();
  /** What is open or held now, as the drivers know it. */
  const held = { ear: 0, mark: false, duck: false };
  const follow = (command: EventObject & { readonly turn?: number }): void => {
    if (command.type === 'ear.open') held.ear = command.turn ?? 0;
    if (command.type.startsWith('indication.')) held.mark = command.type === 'indication.hold';
    if (command.type === 'reply.duck' || command.type === 'reply.unduck') held.duck = command.type === 'reply.duck';
  };
  const noting = (name: string) =>
    fromDriver<EventObject, undefined, VoiceEvent>(({ send, onEvent, guard }) => {
      said.set(name, send);
      crashes.set(
        name,
        guard(() => {
          throw new Error('broken');
        }),
      );
      onEvent((command) => {
        commands.push(command);
        if (command.type === 'overlay.show') {
          // Only this child is told what to show.
          views.push((command as OverlayCommand).view);
          return;
        }
        follow(command);
        log.push(command.type);
      });
    });
  const actor = createActor(
    voiceMachine.provide({
      actors: {
        // Every fact of voice may come from any of them here: a rig tests the order of events, not the drivers.
        ear: noting('ear'),
        assist: noting('assist'),
        reply: noting('reply'),
        indication: noting('indication'),
        panel: noting('panel'),
        overlay: noting('overlay'),
        surroundings: noting('surroundings'),
      } as object,
    }),
    { clock },
  );
  actor.on('reply', ({ requestId, outcome }) => {
    if (replies.has(requestId)) throw new Error(`${requestId} was answered twice`);
    replies.set(requestId, outcome.status === 'accepted' ? 'accepted' : outcome.reason);
  });
  actor.start();
  const say = (...events: readonly VoiceEvent[]): void => {
    for (const event of events) actor.send(event);
  };
  say(options, sources, { type: 'pipelines.changed', listed }, { type: 'device.changed', deviceId: 'device' });
  say({ type: 'link.changed', link: 'live' }, { type: 'clock.read', moment: 1_000_000, at: 0 });
  log.length = 0;
  commands.length = 0;

  const facts = (): VoiceFacts => actor.getSnapshot().context;
  let asked = 0;
  const rig = {
    actor,
    clock,
    /** The commands to all children but the overlay, since the last look. */
    told: (): string => log.splice(0).join(' '),
    commands,
    views,
    held,
    replies,
    facts,
    say,
    crash: (name: (typeof children)[number] | 'overlay' | 'surroundings'): void => crashes.get(name)?.(),
    state: (): unknown => actor.getSnapshot().value,
    phase: (): VoicePhase => voicePhaseOf(actor.getSnapshot().value),
    /** Moves on in steps, so that each timer starts the next. */
    pass: (ms: number): void => {
      for (let left = ms; left > 0; left -= 100) clock.increment(Math.min(100, left));
    },
    press: (): void => say({ type: 'overlay.pressed', at: clock.now() }),
    release: (): void => say({ type: 'overlay.released', at: clock.now() }),
    cancel: (): void => say({ type: 'voice.cancel', at: clock.now() }),
    /** Asks for a turn, and returns the answer. */
    trigger: (pipelineId: string | null = null): string | undefined => {
      const requestId = `r${(asked += 1)}`;
      say({ type: 'voice.trigger', requestId, source: 'test', pipelineId, at: clock.now() });
      return replies.get(requestId);
    },
    /** Asks for a check, which the room is shown at once, unless it is left to wait. */
    check: (isShown = true): string | undefined => {
      const requestId = `c${(asked += 1)}`;
      say({ type: 'voice.check', requestId, at: clock.now() });
      if (isShown && JSON.stringify(rig.state()) === '{"checking":"showing"}') rig.confirm();
      return replies.get(requestId);
    },
    confirm: (): void => say({ type: 'indication.confirmed', by: 'overlay' }),
    /** A fact of the running turn, or of the one that is named. */
    fact: (fact: Said, turn = facts().turn): void => {
      if (fact.type === 'ear.closed' && held.ear === turn) held.ear = 0;
      // The number and the moment complete the fact.
      say({ ...fact, turn, at: clock.now() } as VoiceEvent);
    },
    opened: (): void => rig.fact({ type: 'ear.opened' }),
    closed: (turn?: number): void => rig.fact({ type: 'ear.closed' }, turn),
    started: (): void => rig.fact({ type: 'assist.started' }),
    speechEnded: (): void => rig.fact({ type: 'assist.speech-ended' }),
    understood: (): void => rig.fact({ type: 'assist.understood' }),
    decided: (continues = false): void => rig.fact({ type: 'assist.decided', conversationId: 'talk', continues }),
    answered: (): void => rig.fact({ type: 'assist.answered', url: 'http://home/answer.mp3' }),
    ended: (): void => rig.fact({ type: 'assist.ended' }),
    failed: (code: string): void => rig.fact({ type: 'assist.failed', code }),
    playing: (): void => say({ type: 'reply.playing', turn: facts().turn, at: clock.now() }),
    played: (code: string | null = null): void =>
      say({ type: 'reply.ended', turn: facts().turn, code, at: clock.now() }),
    /** Through the speech: pressed, confirmed, heard, and the microphone closed. */
    speak: (): void => {
      rig.press();
      rig.confirm();
      rig.opened();
      rig.started();
      rig.pass(1000);
      rig.speechEnded();
      rig.closed();
    },
    outcome: (): string => `${facts().last?.outcome} ${facts().last?.code}`,
  };
  return rig;
}
export type VoiceRig = ReturnType<typeof voiceRig>;
