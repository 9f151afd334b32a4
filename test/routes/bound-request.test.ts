import { expect, it } from 'vitest';

import { type BoundRequest, boundRequest } from '#routes/kit/bound-request.ts';

const request: BoundRequest = {
  method: 'POST',
  path: '/api/v1/play',
  query: [
    ['a', '1'],
    ['b', '2'],
  ],
  headers: { 'x-token': 'one', accept: null },
  body: 'http://192.0.2.7/a.mp3',
  peer: '192.0.2.7',
};

it.each<[string, Partial<BoundRequest>]>([
  ['at the root', { path: '/play' }],
  ['with its parameters in another order', { query: new URLSearchParams('b=2&a=1') }],
  ['with its headers in another order', { headers: { accept: null, 'x-token': 'one' } }],
])('a request is the same %s', (_, other) => {
  expect(boundRequest({ ...request, ...other })).toBe(boundRequest(request));
});

it.each<[string, Partial<BoundRequest>]>([
  ['method', { method: 'GET' }],
  ['path', { path: '/api/v1/action' }],
  ['parameter', { query: new URLSearchParams('a=1&b=3') }],
  ['name of a parameter', { query: new URLSearchParams('a=1&c=2') }],
  ['number of parameters', { query: new URLSearchParams('a=1&b=2&b=2') }],
  ['split of the query', { query: new URLSearchParams('a=1%26b=2') }],
  ['header', { headers: { 'x-token': 'two', accept: null } }],
  ['header that is absent', { headers: { 'x-token': 'one', accept: 'null' } }],
  ['body', { body: 'http://192.0.2.7/a.mp3 ' }],
  ['peer', { peer: '192.0.2.8' }],
  ['split between body and peer', { body: 'http://192.0.2.7/a.mp3","192.0.2.7', peer: '' }],
])('another %s is another request', (_, other) => {
  expect(boundRequest({ ...request, ...other })).not.toBe(boundRequest(request));
});
