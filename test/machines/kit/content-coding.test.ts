import { describe, expect, it } from 'vitest';

import { codingFor, isCompressible } from '#machines/kit/content-coding.ts';

describe('the coding of an answer', () => {
  it.each([
    [undefined, null],
    ['', null],
    [',,;;q=1,', null],
    ['identity', null],
    ['deflate, compress, zstd', null],
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.9, gzip', 'gzip'],
    ['gzip ; q=0.2 ,\tbr;Q=0.1', 'gzip'],
    ['*', 'br'],
    ['*;q=0.001', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', null],
    ['*;q=0, gzip', 'gzip'],
    ['gzip;q=0', null],
    ['gzip;q=0.000, br;q=0', null],
    ['gzip;q=0, *;q=1', 'br'],
    ['identity;q=0, gzip', 'gzip'],
    // Nothing that it takes is there: the plain text is still better than no answer.
    ['identity;q=0', null],
    ['identity;q=0, deflate', null],
    ['identity, gzip', 'gzip'],
    ['identity, gzip;q=0.5', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    // Not as the standard writes it.
    ['gzip;q=2', null],
    ['gzip;q=-1', null],
    ['gzip;q=1e0', null],
    ['gzip;q=', null],
    ['gzip;q=nan', null],
    ['gzip;q=0.5;q=1', null],
    ['gzip;level=9', null],
    ['gzip gzip', null],
    ['gzip;q=1, gzip;q=0', null],
    ['gzip;q=0, gzip', null],
    ['__proto__, constructor', null],
  ])('%j takes %s', (header, coding) => expect(codingFor(header, ['br', 'gzip'])).toBe(coding));

  it('is one of those that are there', () => {
    expect(codingFor('br, gzip', ['gzip'])).toBe('gzip');
    expect(codingFor('br', ['gzip'])).toBeNull();
    expect(codingFor('br, gzip, *', [])).toBeNull();
  });
});

describe('what gets shorter', () => {
  it.each([
    'text/html; charset=UTF-8',
    'text/plain',
    'text/css',
    'text/javascript; charset=utf-8',
    'application/json',
    'application/json; charset=UTF-8',
    'application/yaml',
    'image/svg+xml',
  ])('%s does', (type) => expect(isCompressible(type)).toBe(true));

  it.each([
    'text/event-stream',
    'TEXT/Event-Stream; charset=utf-8',
    'multipart/x-mixed-replace; boundary=x',
    'image/png',
    'image/jpeg',
    'audio/mpeg',
    'application/octet-stream',
    'application/jsonp-not',
    '',
  ])('%j does not', (type) => expect(isCompressible(type)).toBe(false));
});
