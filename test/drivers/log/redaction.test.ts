import { describe, expect, test } from 'vitest';

import { createProtectedValues, stripCredentials } from '#drivers/log/redaction.ts';

function scrub(secret: string, text: string): string {
  const { protect, scrub: without } = createProtectedValues();
  protect(secret);
  return without(text);
}

describe('a short secret is removed where it stands as a value', () => {
  test.each([
    ['secret', 'mqtt_password=secret', 'mqtt_password=[redacted]'],
    ['secret', 'x=secret y=2', 'x=[redacted] y=2'],
    ['secret', 'It was x=secret.', 'It was x=[redacted].'],
    ['secret', '?a=secret&b=1', '?a=[redacted]&b=1'],
    ['secret', '{"x":"secret","y":"secret"}', '{"x":"[redacted]","y":"[redacted]"}'],
    ['secret', '{"list":["secret"]}', '{"list":["[redacted]"]}'],
    ['secret', String.raw`{"body":"{\"x\":\"secret\"}"}`, String.raw`{"body":"{\"x\":\"[redacted]\"}"}`],
    ['secret', "asked with 'secret'", "asked with '[redacted]'"],
    ['secret', 'mqtt://panel:secret@host:1883', 'mqtt://panel:[redacted]@host:1883'],
    ['secret', 'login panel:secret', 'login panel:[redacted]'],
    ['secret', '  value: secret\n  next: 1', '  value: [redacted]\n  next: 1'],
    ['secret', '{ value: secret, other: 1 }', '{ value: [redacted], other: 1 }'],
    ['secret', 'secret: secret', 'secret: [redacted]'],
    ['secret', 'the password: secret was refused', 'the password: [redacted] was refused'],
    ['secret', 'mosquitto_pub --password secret -t x', 'mosquitto_pub --password [redacted] -t x'],
    ['secret', 'Authorization: Bearer secret', 'Authorization: Bearer [redacted]'],
    ['secret', 'Basic c2VjcmV0', 'Basic [redacted]'],
    ['1234', 'code=1234;', 'code=[redacted];'],
    ['1234', '{"x":"1234"}', '{"x":"[redacted]"}'],
    ['1234', 'me:1234@host', 'me:[redacted]@host'],
    ['ha', 'password=ha', 'password=[redacted]'],
    ['ha', '{"mqtt_password":"ha"}', '{"mqtt_password":"[redacted]"}'],
    ['ha', 'http://me:ha@host', 'http://me:[redacted]@host'],
    ['x', 'PASSWORD=x', 'PASSWORD=[redacted]'],
    ['true', 'mqtt_password=true', 'mqtt_password=[redacted]'],
    ['päß', 'password=päß', 'password=[redacted]'],
    ['žluť1', '{"x":"žluť1"}', '{"x":"[redacted]"}'],
    ['žluť1', 'x=%C5%BElu%C5%A51', 'x=[redacted]'],
    ['🔑🔑', '{"x":"🔑🔑"}', '{"x":"[redacted]"}'],
    ['a.*+', 'x=a.*+ y=abb', 'x=[redacted] y=abb'],
    ['$&$1', 'x=$&$1', 'x=[redacted]'],
    ['(a|b)', '{"x":"(a|b)"}', '{"x":"[redacted]"}'],
    ['[x-z]', 'x=[x-z]', 'x=[redacted]'],
    [String.raw`a\b"c`, String.raw`{"x":"a\\b\"c"}`, '{"x":"[redacted]"}'],
    ['two w', 'x="two w"', 'x="[redacted]"'],
  ])('%j in %j', (secret, text, expected) => {
    expect(scrub(secret, text)).toBe(expected);
  });
});

describe('a short secret stays where it is a word, so that no gap tells what it is', () => {
  test.each([
    ['secret', 'A stored secret was replaced.'],
    ['secret', 'secrets=2 secret_count=3 no-secret=x'],
    ['secret', '{"secret":2,"secrets":["a"]}'],
    ['secret', 'Why: secret words were left out'],
    ['secret', 'x=secretly y=top-secret'],
    ['1234', 'at 12:34:56.1234, 10.0.0.1:1234, fd00::1234, 1234 ms'],
    ['ha', 'ha=healthy phase=ha what happened: ha'],
    ['ha', '{"ha":"ha"}'],
    ['x', 'x=x y="x" spin=x z: x'],
    ['true', '{"x":true} y=true'],
    ['none', 'reason=none'],
    ['info', '{"level":"info","time":1}'],
    ['mqtt', '{"part":"mqtt","msg":"mqtt: ready"}'],
    ['pass', 'password=[redacted] passes=2'],
    ['ä', 'Kämpfe'],
    ['.', 'a.b.c'],
    ['.*', 'all of it=stays'],
  ])('%j in %j', (secret, text) => {
    expect(scrub(secret, text)).toBe(text);
  });
});

describe('a long secret is removed everywhere', () => {
  test.each([
    ['correct horse', 'Xcorrect horseY', 'X[redacted]Y'],
    ['12345678', 'at 12345678 ms', 'at [redacted] ms'],
    ['a.*+?^$()', '1a.*+?^$()2', '1[redacted]2'],
    ['žluťoučký', 'kůň=Xžluťoučký', 'kůň=X[redacted]'],
  ])('%j in %j', (secret, text, expected) => {
    expect(scrub(secret, text)).toBe(expected);
  });
});

describe('credentials known by their shape', () => {
  test.each([
    ['mqtt://me:pw@host', 'mqtt://[redacted]@host'],
    ['x'.repeat(100) + '://me:pw@host', 'x'.repeat(100) + '://[redacted]@host'],
    ['x-eyJhbGciOiJIUzI1NiJ9.e30.c2ln y', 'x-[redacted] y'],
    ['eyJ-eyJhbGciOiJIUzI1NiJ9.e30.c2ln y', 'eyJ-[redacted] y'],
  ])('%s', (text, without) => expect(stripCredentials(text)).toBe(without));
});
