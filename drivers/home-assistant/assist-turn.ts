import type { Connection } from 'home-assistant-js-websocket';

import { type Fields, fieldsOf, textOf } from '#drivers/kit/json-fields.ts';
import { OVERDUE_MS, type TurnWords } from '#drivers/voice/turn-channel.ts';
import type { AssistTurn } from '#machines/home-assistant/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { AssistFact } from '#machines/voice/events.ts';

import type { TurnDeps } from './assist-turns.ts';
import { ANSWER_MS, bounded } from './bounded.ts';
import { speechFrames } from './speech-frames.ts';

/** Longest run in seconds; Home Assistant's own limit is 300. */
const RUN_S = 120;
/** How long after its end an error may follow: that of a timeout comes right after `run-end`. */
const AFTERMATH_MS: Milliseconds = 1000;
/** Shortest time between two questions whether the sound arrives. */
const PROOF_MS: Milliseconds = 250;
/** Longest address of an answer, in characters. */
const URL_LENGTH = 2048;

/** Codes of Home Assistant as they are reported; what is none of them may be words. */
const CODE = /^[a-z0-9_-]{1,64}$/;

type Told = AssistFact extends infer F ? (F extends AssistFact ? Omit<F, 'turn' | 'at'> : never) : never;

const codeOf = (code: unknown, otherwise: string): string =>
  typeof code === 'string' ? (CODE.test(code) ? code : 'unknown') : otherwise;

/** The id of a run's frames; null if it is none. */
function handlerOf(data: Fields): number | null {
  const id = fieldsOf(data['runner_data'])['stt_binary_handler_id'];
  return typeof id === 'number' && Number.isInteger(id) && id >= 1 && id <= 255 ? id : null;
}

/** The address of an answer, if it is on the origin that the connection is to; null otherwise. */
function answerAt(output: unknown, origin: string): string | null {
  const { url } = fieldsOf(output);
  if (typeof url !== 'string' || url === '' || url.length > URL_LENGTH || !URL.canParse(url, origin)) return null;
  const { href, origin: its, username, password } = new URL(url, origin);
  return its === new URL(origin).origin && username === '' && password === '' ? href : null;
}

/** Text for a person; the channel bounds its length. */
const wordsIn = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

/**
 * Tells whether what was sent arrives. Home Assistant answers pings in the order of what it was sent; what its own
 * system has taken may be many seconds of sound, so bytes that left this process prove nothing.
 */
function arrivalWatch(deps: {
  readonly ping: () => Promise<unknown>;
  readonly elapsed: () => Milliseconds;
  /** Called once, if a frame has not arrived for 2 s. */
  readonly overdue: () => void;
}): { readonly sent: () => void; readonly end: () => void } {
  /** When the oldest frame was sent after which no ping was. */
  let since: Milliseconds | null = null;
  let isAsked = false;
  let askedAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    sent: () => {
      const now = deps.elapsed();
      since ??= now;
      if (isAsked || now - askedAt < PROOF_MS) return;
      // At least most of 2 s for the answer: what came before may have arrived without a proof.
      timer = setTimeout(deps.overdue, OVERDUE_MS - Math.min(now - since, PROOF_MS));
      since = null;
      isAsked = true;
      askedAt = now;
      deps.ping().then(
        () => {
          isAsked = false;
          clearTimeout(timer);
        },
        () => {},
      );
    },
    end: () => clearTimeout(timer),
  };
}

/** Carries one turn of Assist; the returned function cancels it. */
export function runTurn(connection: Connection, turn: AssistTurn, deps: TurnDeps): () => void {
  const { channel, elapsed, guard } = deps;
  const reported = new Set<AssistFact['type']>();
  let isOver = false;
  let maySend = true;
  let words: TurnWords = { turn: turn.turn, heard: null, answer: null };
  /** Where a streamed answer will be; null if it is not streamed. */
  let streamed: string | null = null;
  let letGo = (): void => {};
  let aftermath: ReturnType<typeof setTimeout> | undefined;

  /** Each fact is reported once, however often Home Assistant says it. */
  const report = (fact: Told): boolean => {
    if (isOver || reported.has(fact.type)) return false;
    // After a failure only the end may follow, and after the end only a failure.
    if (reported.has('assist.failed') && fact.type !== 'assist.ended') return false;
    if (reported.has('assist.ended') && fact.type !== 'assist.failed') return false;
    reported.add(fact.type);
    // The turn and the time complete the same variant.
    deps.report({ ...fact, turn: turn.turn, at: elapsed() } as AssistFact);
    return true;
  };
  const say = (change: Partial<Pick<TurnWords, 'heard' | 'answer'>>): void => {
    words = { ...words, ...change };
    channel.say(words);
  };
  const hush = (): void => {
    if (words.heard !== null || words.answer !== null) channel.say(null);
    words = { turn: turn.turn, heard: null, answer: null };
  };
  /** Nothing is sent any more: each frame for a run that is over is an error in Home Assistant's log. */
  const stopSending = (): void => {
    maySend = false;
    letGo();
    arrival.end();
  };
  /** Frees what this run holds here and in Home Assistant, where it ends at once if it still runs. */
  const close = (): void => {
    if (isOver) return;
    isOver = true;
    stopSending();
    clearTimeout(aftermath);
    clearTimeout(unanswered);
    deps.hurry(false);
    made.then(
      (unsubscribe) => bounded(unsubscribe()),
      () => {},
    );
  };
  const fail = (code: string): void => {
    stopSending();
    hush();
    report({ type: 'assist.failed', code });
  };
  const giveUp = (code: string): void => {
    fail(code);
    close();
  };
  const closeSoon = (): void => {
    stopSending();
    clearTimeout(unanswered);
    aftermath ??= setTimeout(close, AFTERMATH_MS);
  };
  const answer = (url: string | null): void => {
    if (url !== null) report({ type: 'assist.answered', url });
  };
  const arrival = arrivalWatch({ ping: () => connection.ping(), elapsed, overdue: guard(() => giveUp('backlog')) });

  const endSpeech = (): void => {
    stopSending();
    report({ type: 'assist.speech-ended' });
  };
  const start = (data: Fields): void => {
    const handler = handlerOf(data);
    if (handler === null) return giveUp('unavailable');
    if (!report({ type: 'assist.started' })) return;
    clearTimeout(unanswered);
    const output = fieldsOf(data['tts_output']);
    if (output['stream_response'] === true) streamed = answerAt(output, deps.origin);
    if (!maySend) return;
    const frames = speechFrames(handler, (frame) => {
      if (!maySend) return;
      deps.sendBinary(frame);
      arrival.sent();
    });
    letGo = channel.attach(turn.turn, {
      ...frames,
      end: () => {
        frames.end();
        // Recognising takes seconds in which nothing is sent, and the mark would say otherwise.
        if (maySend) connection.ping().then(guard(endSpeech), () => {});
      },
    });
  };
  const decide = ({ intent_output: output }: Fields): void => {
    const { response, conversation_id: conversation, continue_conversation: continues } = fieldsOf(output);
    const conversationId = textOf(conversation);
    if (!report({ type: 'assist.decided', conversationId, continues: continues === true })) return;
    const speech = wordsIn(fieldsOf(fieldsOf(fieldsOf(response)['speech'])['plain'])['speech']);
    if (speech !== null) say({ answer: speech });
  };
  const understand = ({ stt_output: output }: Fields): void => {
    endSpeech();
    const heard = wordsIn(fieldsOf(output)['text']);
    if (report({ type: 'assist.understood' }) && heard !== null) say({ heard });
  };
  const stages = new Map<unknown, (data: Fields) => void>([
    ['run-start', start],
    ['stt-vad-start', () => report({ type: 'assist.speech-began' })],
    ['stt-vad-end', endSpeech],
    ['stt-end', understand],
    ['intent-progress', (data) => data['tts_start_streaming'] === true && answer(streamed)],
    ['intent-end', decide],
    ['tts-end', (data) => answer(answerAt(data['tts_output'], deps.origin))],
    [
      'error',
      ({ code }) => {
        fail(codeOf(code, 'unknown'));
        closeSoon();
      },
    ],
    [
      'run-end',
      () => {
        closeSoon();
        report({ type: 'assist.ended' });
      },
    ],
  ]);

  deps.hurry(true);
  const unanswered = setTimeout(
    guard(() => giveUp('unavailable')),
    ANSWER_MS,
  );
  const made = connection.subscribeMessage(
    guard((event: unknown) => {
      const { type, data } = fieldsOf(event);
      if (!isOver) stages.get(type)?.(fieldsOf(data));
    }),
    {
      type: 'assist_pipeline/run',
      start_stage: 'stt',
      end_stage: 'tts',
      timeout: RUN_S,
      input: { sample_rate: 16_000 },
      ...(turn.pipelineId !== null && { pipeline: turn.pipelineId }),
      ...(turn.deviceId !== null && { device_id: turn.deviceId }),
      ...(turn.conversationId !== null && { conversation_id: turn.conversationId }),
    },
  );
  made.catch(
    guard((error: unknown) => {
      // A refused command has no events, and no end either.
      if (!isOver) giveUp(codeOf(fieldsOf(error)['code'], 'unavailable'));
    }),
  );
  return () => {
    close();
    hush();
  };
}
