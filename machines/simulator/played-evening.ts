import type { FeedPosition, Moment, SleepFollow, SleepInput, SleepReason } from '../auto-sleep/events.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import {
  type Evening,
  EVENING_MS,
  type EveningEvent,
  type EveningSensor,
  eveningOf,
  eveningSensors,
} from './evening.ts';
import type { EveningFrame } from './events.ts';

/** Six in the evening of any day. */
const START: EpochMs = Date.UTC(2026, 8, 14, 18);
const FRAME_MS: Milliseconds = 60_000;

const momentAt = (at: Milliseconds): Moment => ({ now: START + at, elapsed: at });

const settings: SleepInput = {
  type: 'settings',
  settings: {
    enabled: true,
    source: 'home_assistant',
    touchDelaySeconds: 30,
    offHours: '',
    dimHours: '',
    dimPercent: 20,
    wakeOnAnnouncement: false,
    wakeOnEntity: '',
    stayAwakeDashboard: '',
  },
};

const holds: SleepInput = {
  type: 'holds',
  holds: { announcement: false, calibration: false, ownPages: false, dashboard: false },
};

const nothingStored: SleepInput = {
  type: 'recalled',
  stored: { learned: null, darkened: {}, isSuppressed: false, place: null },
};

/** The panel of the generated room: its screen, its sensors, and the functions that decide about them. */
class EveningPanel {
  readonly #follow: SleepFollow;
  readonly #on = new Set<EveningSensor>();
  #revision = 0;
  #at: Milliseconds = 0;
  #isLit = true;
  #reason: SleepReason = 'runtime_unavailable';

  constructor(follow: SleepFollow) {
    this.#follow = follow;
    this.#take(settings);
    this.#take({ type: 'place', place: null });
    this.#take(nothingStored);
    this.#take(holds);
    this.#show(true, 'stop');
    this.#feed();
  }

  /** Lets time pass up to `to`. */
  pass(to: Milliseconds): void {
    for (;;) {
      const due = this.#at + Math.max(1, this.#follow.dueIn(momentAt(this.#at)));
      if (due > to) break;
      this.#at = due;
      this.#take({ type: 'tick' });
    }
    this.#at = to;
  }

  happen(event: EveningEvent): void {
    this.pass(event.at);
    if (event.type === 'off') this.#show(false, 'http');
    else if (event.type === 'touched') {
      if (!this.#isLit) this.#show(true, event.isWave ? 'wave' : 'touch');
      this.#take({ type: 'touched', isWave: event.isWave });
    } else {
      if (event.state === 'on') this.#on.add(event.sensor);
      else this.#on.delete(event.sensor);
      this.#feed();
    }
  }

  frame(isPresent: boolean): EveningFrame {
    return {
      minute: this.#at / FRAME_MS,
      isPresent,
      isSeen: this.#on.size > 0,
      isLit: this.#isLit,
      reason: this.#reason,
    };
  }

  #feed(): void {
    this.#revision += 1;
    const position: FeedPosition = { generation: 1, revision: this.#revision };
    const sources = eveningSensors.map((key) => ({ key, state: this.#on.has(key) ? 'on' : 'off' }) as const);
    this.#take({ type: 'feed', feed: { kind: 'live', sources }, position, partition: 'evening' });
  }

  #show(isLit: boolean, by: string): void {
    this.#isLit = isLit;
    const changed = { by, at: START + this.#at };
    this.#take({ type: 'displays', displays: [{ id: 'screen', lit: isLit, level: 128, dims: true, changed }] });
  }

  #take(input: SleepInput): void {
    for (const output of this.#follow.take(input, momentAt(this.#at))) {
      if (output.type === 'sleep.decided') this.#reason = output.view.reason;
      if (output.type === 'sleep.set' && output.on !== undefined) this.#show(output.on, output.origin);
    }
  }
}

const isPresentAt = ({ stays }: Evening, at: Milliseconds): boolean =>
  stays.some(({ from, to }) => at >= from && at < to);

/** The minutes from 18:00 to 02:00 of a person who comes and goes, as the functions of a real panel decide. */
export function playedEvening(seed: number, follow: () => SleepFollow): readonly EveningFrame[] {
  const evening = eveningOf(seed);
  const panel = new EveningPanel(follow());
  const frames: EveningFrame[] = [];
  let next = 0;
  for (let at = 0; at < EVENING_MS; at += FRAME_MS) {
    for (let event = evening.events[next]; event !== undefined && event.at <= at; event = evening.events[next]) {
      panel.happen(event);
      next += 1;
    }
    panel.pass(at);
    frames.push(panel.frame(isPresentAt(evening, at)));
  }
  return frames;
}
