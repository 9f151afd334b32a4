import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createTurnChannel, OVERDUE_MS, type TurnWords } from '#drivers/voice/turn-channel.ts';

let now = 0;
beforeEach(() => {
  now = 5000;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => void vi.useRealTimers());

function pass(ms: number): void {
  now += ms;
  vi.advanceTimersByTime(ms);
}
/** A sink that writes down what it is given. */
function sink() {
  const taken: (string | null)[] = [];
  return { taken, samples: (pcm: Buffer) => void taken.push(pcm.toString()), end: () => void taken.push(null) };
}
function start() {
  const channel = createTurnChannel(() => now);
  const overdue: number[] = [];
  return {
    ...channel,
    overdue,
    begin: (turn: number) => channel.begin(turn, () => void overdue.push(turn)),
    write: (turn: number, text: string) => channel.write(turn, Buffer.from(text)),
  };
}

describe('the sound of a turn', () => {
  it('reaches a sink that comes late whole, then live, and ends', () => {
    const channel = start();
    const to = sink();
    channel.begin(1);
    channel.write(1, 'a');
    channel.write(1, 'b');
    channel.attach(1, to);
    expect(to.taken).toEqual(['a', 'b']);
    channel.write(1, 'c');
    channel.finish(1);
    expect(to.taken).toEqual(['a', 'b', 'c', null]);
    channel.write(1, 'd');
    channel.finish(1);
    expect([to.taken.length, vi.getTimerCount()]).toEqual([4, 0]);
  });

  it('reaches a sink that was there before the ear', () => {
    const channel = start();
    const to = sink();
    channel.attach(1, to);
    channel.write(1, 'before it begins');
    channel.begin(1);
    channel.write(1, 'a');
    expect(to.taken).toEqual(['a']);
  });

  it('that ended before there was a sink is handed over with its end', () => {
    const channel = start();
    const to = sink();
    channel.begin(1);
    channel.write(1, 'a');
    channel.finish(1);
    channel.attach(1, to);
    expect(to.taken).toEqual(['a', null]);
  });

  it('of another turn is dropped, whoever is late', () => {
    const channel = start();
    const [old, to] = [sink(), sink()];
    channel.begin(1);
    channel.write(1, 'a');
    const letGo = channel.attach(1, old);
    channel.attach(2, to);
    channel.begin(2);
    channel.write(1, 'late');
    channel.finish(1);
    channel.drop(1);
    letGo();
    channel.write(2, 'b');
    expect([old.taken, to.taken]).toEqual([['a'], ['b']]);
  });

  it('is gone once it was dropped, or its sink let go', () => {
    const channel = start();
    const to = sink();
    channel.begin(1);
    channel.write(1, 'a');
    channel.drop(1);
    const letGo = channel.attach(1, to);
    channel.write(1, 'b');
    channel.finish(1);
    expect(to.taken).toEqual([]);
    channel.begin(2);
    channel.attach(2, to);
    letGo();
    channel.write(2, 'c');
    expect(to.taken).toEqual(['c']);
    channel.drop(2);
    pass(OVERDUE_MS);
    expect([channel.overdue, vi.getTimerCount()]).toEqual([[], 0]);
  });

  it('is overdue once if nothing took it for 2 s, and then forgotten', () => {
    const channel = start();
    channel.begin(1);
    pass(10_000);
    channel.write(1, 'a');
    pass(1500);
    channel.write(1, 'b');
    pass(OVERDUE_MS - 1501);
    expect(channel.overdue).toEqual([]);
    pass(1);
    expect(channel.overdue).toEqual([1]);
    const to = sink();
    channel.attach(1, to);
    channel.write(1, 'c');
    pass(10_000);
    expect([channel.overdue, to.taken, vi.getTimerCount()]).toEqual([[1], [], 0]);
  });

  it('is overdue also after its end, and after a sink let it go', () => {
    const channel = start();
    channel.begin(1);
    channel.write(1, 'a');
    channel.finish(1);
    pass(OVERDUE_MS);
    channel.begin(2);
    channel.attach(2, sink())();
    channel.write(2, 'a');
    pass(OVERDUE_MS);
    expect(channel.overdue).toEqual([1, 2]);
  });

  it('is not overdue by a timer that is early', () => {
    const channel = start();
    channel.begin(1);
    channel.write(1, 'a');
    now -= 1;
    pass(OVERDUE_MS);
    expect(channel.overdue).toEqual([]);
    pass(1);
    expect(channel.overdue).toEqual([1]);
  });

  it('waits in at most 256 kB', () => {
    const channel = start();
    channel.begin(1);
    const second = 'x'.repeat(32_000);
    for (let at = 0; at < 8; at += 1) channel.write(1, second);
    expect(channel.overdue).toEqual([]);
    channel.write(1, 'x');
    const to = sink();
    channel.attach(1, to);
    expect([channel.overdue, to.taken, vi.getTimerCount()]).toEqual([[1], [], 0]);
  });
});

describe('the words of a turn', () => {
  const said = (heard: string | null, answer: string | null = null): TurnWords => ({ turn: 1, heard, answer });

  it('reach the screen at once and with each change, until it lets go', () => {
    const channel = start();
    const [first, second]: (TurnWords | null)[][] = [[], []];
    const letGo = channel.onWords((words) => void first?.push(words));
    channel.say(said('light'));
    channel.onWords((words) => void second?.push(words));
    letGo();
    channel.say(said('light', 'done'));
    channel.say(null);
    expect(first).toEqual([null, said('light')]);
    expect(second).toEqual([said('light'), said('light', 'done'), null]);
  });

  it('are not kept where no screen takes them', () => {
    const channel = start();
    const seen: (TurnWords | null)[] = [];
    channel.say(said('marker'));
    channel.onWords((words) => void seen.push(words))();
    const letGo = channel.onWords((words) => void seen.push(words));
    channel.say(said('light'));
    letGo();
    channel.onWords((words) => void seen.push(words));
    expect(seen).toEqual([null, null, said('light'), null]);
  });

  it('have at most 500 characters each, and no half of one', () => {
    const channel = start();
    const seen: (TurnWords | null)[] = [];
    channel.onWords((words) => void seen.push(words));
    channel.say(said('a'.repeat(1_000_000), `${'b'.repeat(499)}\u{1F4A1}`));
    expect(seen.at(-1)).toEqual(said('a'.repeat(500), 'b'.repeat(499)));
  });
});
