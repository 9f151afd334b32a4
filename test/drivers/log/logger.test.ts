import { describe, expect, it } from 'vitest';

import { createLogger, type LoggerOptions } from '#drivers/log/logger.ts';

const MARKER = 'Ma"rk/er pä$$\\wörd 7';

function make(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const log = createLogger({
    level: 'info',
    secretKeys: ['mqtt_password'],
    human: false,
    write: (line) => void lines.push(line),
    ...options,
  });
  const last = (): Record<string, unknown> => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>;
  return { log, lines, last };
}

class BrokerError extends Error {
  override readonly name = 'BrokerError';
  readonly code = 'ECONNREFUSED';
}

describe('the log', () => {
  it('writes one JSON line with the time, the level, the words and the facts', () => {
    const { log, lines, last } = make();
    log.info('Started', { port: 8888 });
    expect(lines[0]).toMatch(/\n$/);
    expect(last()).toEqual({ level: 'info', time: expect.any(Number), msg: 'Started', port: 8888 });
    log.child('mqtt').child('driver').warn('Lost');
    expect(last()).toMatchObject({ level: 'warn', part: 'mqtt.driver', msg: 'Lost' });
  });

  it('tells the address of the page in the line that says ready, and only where that is written', () => {
    const { log, lines, last } = make();
    log.ready({ port: 8888 }, 'http://192.0.2.7:8888/');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/\}\n$/);
    expect(last()).toMatchObject({
      level: 'info',
      msg: 'The agent is ready.',
      port: 8888,
      url: 'http://192.0.2.7:8888/',
    });
    log.info('ready', { port: 8888 });
    expect(last()).not.toHaveProperty('url');
    const { lines: kept } = log.tail.after(0, 9);
    expect(kept.map(({ facts }) => facts)).toEqual(['port=8888', 'port=8888']);

    // A terminal shows it with its code to scan.
    const human = make({ human: true });
    human.log.ready({ port: 8888 }, 'http://192.0.2.7:8888/');
    expect(human.lines.join('')).toMatch(/ready\. port=8888\n$/);

    const secret = make();
    secret.log.protect('192.0.2.7');
    secret.log.ready({}, 'http://192.0.2.7:8888/');
    expect(secret.last()).toMatchObject({ url: 'http://[redacted]:8888/' });
    const quiet = make({ level: 'warn' });
    quiet.log.ready({}, 'http://192.0.2.7:8888/');
    expect(quiet.lines).toEqual([]);
  });

  it('changes its level at once, for children too', () => {
    const { log, lines } = make();
    const child = log.child('x');
    log.debug('no');
    child.debug('no');
    log.setLevel('debug');
    log.debug('yes');
    child.debug('yes');
    expect(log.level()).toBe('debug');
    log.setLevel('error');
    child.warn('no');
    log.setLevel('silent');
    log.error('no');
    expect(lines).toHaveLength(2);
  });

  it('writes class and code of an error, never its message, however deep it stands', () => {
    const { log, lines, last } = make();
    log.error('Failed', {
      error: new BrokerError(`connect 192.0.2.9 ${MARKER}`),
      deep: { list: [new TypeError('secret words')] },
    });
    expect(last()).toMatchObject({
      error: { name: 'BrokerError', code: 'ECONNREFUSED' },
      deep: { list: [{ name: 'TypeError' }] },
    });
    expect(lines.join('')).not.toMatch(/192\.0\.2\.9|secret words/);
  });

  it('does not let a fact write over the fields of the line', () => {
    const { log, last } = make();
    log.child('a').info('Words', { level: 'fake', msg: 'fake', time: 1, part: 'fake' });
    expect(last()).toMatchObject({ level: 'info', msg: 'Words', part: 'a' });
  });

  it('writes what JSON has no word for, and loops, without failing', () => {
    const { log, last } = make();
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    log.info('Odd', {
      loop,
      big: 12n,
      call: () => 1,
      bytes: Buffer.from('abcd'),
      at: new Date(0),
      nothing: undefined,
      bad: new Date(Number.NaN),
    });
    expect(last()).toMatchObject({
      big: '12',
      call: '[function]',
      bytes: '[4 bytes]',
      at: '1970-01-01T00:00:00.000Z',
      bad: null,
    });
  });
});

describe('secrets in the log', () => {
  const spelled = [
    MARKER,
    JSON.stringify(MARKER).slice(1, -1),
    encodeURIComponent(MARKER),
    encodeURI(MARKER),
    Buffer.from(MARKER).toString('base64'),
  ];
  const expectClean = (lines: readonly string[]): void => {
    const text = lines.join('');
    for (const spelling of spelled) expect(text).not.toContain(spelling);
    expect(text).toContain('[redacted]');
  };

  it.each([true, false])('are kept out by value, wherever they stand (for a person: %s)', (human) => {
    const { log, lines } = make({ human });
    log.protect(MARKER);
    log.info(`Words ${MARKER} words`);
    log.info('Fields', { plain: MARKER, nested: { list: [`x${MARKER}y`] }, [MARKER]: 1 });
    log.info('A URL', { url: `mqtt://user:${encodeURIComponent(MARKER)}@host:1883`, query: `?p=${encodeURI(MARKER)}` });
    log.info(`A document ${JSON.stringify({ password: MARKER })}`);
    log.info('A document in a field', { body: JSON.stringify({ x: MARKER }) });
    log.info('A header', { header: Buffer.from(MARKER).toString('base64') });
    log.child(MARKER).info('A part');
    expect(lines).toHaveLength(7);
    expectClean(lines);
  });

  it('are kept out by key, at any depth and in any case, before their value is known', () => {
    const { log, lines, last } = make();
    log.info('Saved', {
      mqtt_password: MARKER,
      change: { MQTT_Password: MARKER, list: [{ token: MARKER }] },
      password: { inner: MARKER },
    });
    expectClean(lines);
    log.info('Unset', { mqtt_password: null, password: '', mqtt_user: 'panel' });
    expect(last()).toMatchObject({ mqtt_password: null, password: '', mqtt_user: 'panel' });
  });

  it('are kept out of URLs even when nobody named them', () => {
    const { log, lines } = make();
    log.info('Dialling mqtt://user:hunter2@broker.example:1883/x', { url: 'https://me:hunter2@example.org' });
    expect(lines.join('')).not.toContain('hunter2');
    expect(lines.join('')).toContain('broker.example');
  });

  it('leave no rest when one contains another', () => {
    const { log, lines } = make();
    log.protect('lamplight');
    log.protect('lamplight-77');
    log.info('x lamplight-77 y lamplight z');
    expect(lines[0]).toContain('x [redacted] y [redacted] z');
  });

  it('that two keep out stay out until neither does', () => {
    const { log, lines } = make();
    const [one, other] = [log.protect('hunter22'), log.protect('hunter22')];
    one();
    one();
    log.info('hunter22');
    expect(lines[0]).not.toContain('hunter22');
    other();
    log.info('hunter22');
    expect(lines[1]).toContain('hunter22');
  });

  it('leave level, part and words alone if they are short and ordinary', () => {
    const { log, lines, last } = make();
    for (const word of ['info', 'mqtt', 'secret', '']) log.protect(word);
    log.child('mqtt').info('A stored secret was replaced.', { secrets: 2, what: 'secret' });
    expect(last()).toMatchObject({
      level: 'info',
      part: 'mqtt',
      msg: 'A stored secret was replaced.',
      secrets: 2,
      what: '[redacted]',
    });
    expect(lines).toHaveLength(1);
  });

  it('are bounded in number', () => {
    const { log, lines } = make();
    for (let index = 0; index < 200; index += 1) log.protect(`value-number-${String(index).padStart(3, '0')}`);
    log.info('value-number-199 value-number-000');
    expect(lines[0]).toContain('[redacted] value-number-000');
  });
});

describe('the log at a terminal', () => {
  it('is one short line', () => {
    const { log, lines } = make({ human: true });
    log.child('mqtt').warn('Lost the broker', { code: 'ECONNRESET', attempt: 3, words: 'two words' });
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d ! mqtt: Lost the broker code=ECONNRESET attempt=3 words="two words"\n$/);
  });
});
