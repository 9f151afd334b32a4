import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';

import { crashCode, crashFactsOf } from '#actors/kit/crash-facts.ts';
import { crashEnd, endOf } from '#actors/kit/crash-reason.ts';

const bundle = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const MARKER = 'marker-7c1f';

class SensorGone extends Error {
  readonly code = 'sensor-gone';
  override readonly name = 'SensorGone';
}
const coded = (code: unknown, over: object = {}): Error => Object.assign(new Error(MARKER), { code }, over);
const caused = (cause: unknown, depth = 1): Error =>
  depth === 0 ? coded('DEEP') : new Error(MARKER, { cause: depth === 1 ? cause : caused(cause, depth - 1) });
function stacked(stack: unknown, message = MARKER): Error {
  const error = new Error(message);
  Object.defineProperty(
    error,
    'stack',
    typeof stack === 'function' ? { get: () => stack() as unknown } : { value: stack },
  );
  return error;
}
function circular(): Error {
  const error: Error = new Error(MARKER);
  error.cause = error;
  return error;
}

describe('class and code of an error', () => {
  const rows: readonly (readonly [string, unknown, string, string | null])[] = [
    ['a code of the system', coded('EMFILE'), 'Error', 'EMFILE'],
    ['a class of its own', new SensorGone(MARKER), 'SensorGone', 'sensor-gone'],
    ['no code', new TypeError(MARKER), 'TypeError', null],
    ['the code of its cause', caused(coded('EIO')), 'Error', 'EIO'],
    ['the code of its third cause', caused(coded('EIO'), 3), 'Error', 'EIO'],
    ['a cause too deep', caused(coded('EIO'), 4), 'Error', null],
    ['its own code before that of its cause', Object.assign(caused(coded('EIO')), { code: 'EPERM' }), 'Error', 'EPERM'],
    ['itself as its cause', circular(), 'Error', null],
    ['a number for a code', coded(23), 'Error', null],
    ['an address for a code', coded('http://10.0.0.1/secret'), 'Error', null],
    ['a path for a code', coded('/home/anna/.token'), 'Error', null],
    ['a sentence for a class', Object.assign(new Error(MARKER), { name: `failed at ${MARKER}` }), 'unknown', null],
    ['a string', MARKER, 'unknown', null],
    ['nothing', undefined, 'unknown', null],
    ['null', null, 'unknown', null],
    ['a function', () => {}, 'unknown', null],
    ['an error of another realm', runInNewContext(`new RangeError('${MARKER}')`), 'RangeError', null],
    [
      'fields that throw',
      new Proxy(new Error(MARKER), {
        get: () => {
          throw new Error(MARKER);
        },
      }),
      'unknown',
      null,
    ],
  ];
  it.each(rows)('%s', (_, error, name, code) => {
    const facts = crashFactsOf(error, bundle);
    expect(facts).toMatchObject({ class: name, code });
    expect(crashCode(facts)).toBe(code ?? name);
    expect(JSON.stringify(facts)).not.toContain(MARKER);
  });
});

describe('the frames of an error', () => {
  it('are at most five, relative to the bundle', () => {
    const deep = (left: number): Error => (left === 0 ? new Error(MARKER) : deep(left - 1));
    const { frames } = crashFactsOf(deep(8), bundle);
    expect(frames).toHaveLength(5);
    for (const frame of frames) expect(frame).toMatch(/^deep test\/actors\/kit\/crash-facts\.test\.ts:\d+:\d+$/);
  });

  const at = (text: string): string => `Error: ${MARKER}\n    at ${text}`;
  const file = join(bundle, 'agent.cjs');
  const here = 'fn agent.cjs:1:2';
  const rows: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['a path', at(`fn (${file}:1:2)`), [here]],
    ['a file address', at(`fn (file://${file}:1:2)`), [here]],
    ['no function', at(`${file}:1:2`), ['<anonymous> agent.cjs:1:2']],
    ['an asynchronous function', at(`async fn (${file}:1:2)`), [here]],
    ['an asynchronous place', at(`async ${file}:1:2`), ['<anonymous> agent.cjs:1:2']],
    ['a method by another name', at(`Object.fn [as ${MARKER}] (${file}:1:2)`), ['Object.fn agent.cjs:1:2']],
    ['a constructor', at(`new Thing (${file}:1:2)`), ['new Thing agent.cjs:1:2']],
    ['a frame of Node', at('read (node:internal/fs/promises:9:8)'), ['read node:internal/fs/promises:9:8']],
    ['a file elsewhere', at(`fn (/home/anna/agent.cjs:1:2)\n    at fn (${file}:1:2)`), [here]],
    ['a file beside the bundle', at(`fn (${bundle}-old/agent.cjs:1:2)`), []],
    ['a way out of the bundle', at(`fn (${bundle}/../x/agent.cjs:1:2)`), []],
    ['an address of the network', at('fn (https://10.0.0.1/x.js:1:2)'), []],
    ['a place in an evaluated text', at(`eval (eval at fn (${file}:1:2), <anonymous>:1:1)`), []],
    ['a list of promises', at('async Promise.all (index 0)'), []],
    ['a function named by data', at(`Object.http://10.0.0.1 (${file}:1:2)`), ['<anonymous> agent.cjs:1:2']],
    ['a function named by the message', at(`${MARKER.replace('-', '_')} (${file}:1:2)`), ['marker_7c1f agent.cjs:1:2']],
    ['a file named by data', at(`fn (${bundle}/a b.js:1:2)`), []],
    ['a file name without end', at(`fn (${bundle}/${'x'.repeat(155)}:1:2)`), []],
    ['a broken file address', at('fn (file:///%zz:1:2)'), []],
    ['a code in the header', `TypeError [ERR_X]: ${MARKER}\n    at fn (${file}:1:2)`, [here]],
    ['another message in the header', `Error: other\n    at fn (${file}:1:2)`, []],
    ['no header', `    at fn (${file}:1:2)`, []],
    ['lines that are no frames', `Error: ${MARKER}\nat fn (${file}:1:2)\n${file}:1:2\n    at`, []],
    ['nothing', '', []],
    ['a number', 7, []],
    ['a list', ['at'], []],
    [
      'a getter that throws',
      () => {
        throw new Error(MARKER);
      },
      [],
    ],
    ['an endless line', at('a ('.repeat(4_000_000)), []],
    [
      'endless lines',
      at(`fn (${file}:1:2)${`\n    at fn (${file}:1:2)`.repeat(200_000)}`),
      Array.from({ length: 5 }, () => here),
    ],
    ['endless spaces', `${at('')}${' '.repeat(10_000_000)}`, []],
  ];
  it.each(rows)('%s', (_, stack, expected) => {
    const start = performance.now();
    expect(crashFactsOf(stacked(stack), bundle).frames).toEqual(expected);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it('are never lines of the message', () => {
    const lines = `broken\n    at ${MARKER.replace('-', '')} (${file}:1:2)\n    at second (${file}:3:4)`;
    const genuine = crashFactsOf(new Error(lines), bundle).frames;
    expect(genuine.length).toBeGreaterThan(0);
    expect(genuine.join()).not.toMatch(/marker|second|agent\.cjs/);
    // A message that was changed afterwards no longer says where the header of the stack ends.
    expect(crashFactsOf(stacked(`Error: ${lines}`, 'gentle'), bundle).frames).toEqual([]);
    expect(crashFactsOf(new Error('x'.repeat(10_000_000)), bundle).frames.length).toBeGreaterThan(0);
  });

  it('do not depend on a name given later, nor on a message', () => {
    expect(crashFactsOf(new SensorGone('away'), bundle).frames.length).toBeGreaterThan(0);
    expect(crashFactsOf(new SensorGone(), bundle).frames.length).toBeGreaterThan(0);
  });
});

describe('the end of a child', () => {
  const error = coded('EMFILE');
  const rows: readonly (readonly [string, unknown, 'stopped' | 'failed', string])[] = [
    ['nothing said', undefined, 'stopped', 'exited'],
    ['stopped', { ended: 'stopped' }, 'stopped', 'exited'],
    ['failed without an error', { ended: 'failed', reason: 'EIO' }, 'failed', 'EIO'],
    ['failed with an error', { ended: 'failed', reason: 'lane', error }, 'failed', 'lane/EMFILE'],
    ['failed with no code', { ended: 'failed', reason: 'lane', error: new TypeError() }, 'failed', 'lane/TypeError'],
    ['failed with what is no error', { ended: 'failed', reason: 'lane', error: undefined }, 'failed', 'lane/unknown'],
    ['failed with a sentence', { ended: 'failed', reason: 'all is lost', error }, 'failed', 'failed/EMFILE'],
    ['failed for no reason', { ended: 'failed' }, 'failed', 'failed'],
  ];
  it.each(rows)('%s', (_, output, how, reason) => {
    const end = endOf(output, bundle);
    expect(end).toMatchObject({ how, reason });
    expect('error' in end).toBe(typeof output === 'object' && output !== null && 'error' in output);
  });

  it('that nobody caught has the code alone', () => {
    expect(crashEnd(error, bundle)).toMatchObject({ how: 'failed', reason: 'EMFILE', error: { class: 'Error' } });
  });
});
