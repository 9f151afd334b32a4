import { describe, expect, it } from 'vitest';

import { END, isEnd, readOrder, readReport } from '#drivers/advertiser/messages.ts';

const order = {
  type: 'advertise',
  interface: 'eth0',
  family: 'ipv4',
  advertisement: { instance: 'hall', host: 'sconce-hall', port: 8888, txt: { path: '/play' } },
};
const changed = (more: object): object => ({ ...order, advertisement: { ...order.advertisement, ...more } });

describe('messages between the agent and the responder', () => {
  it('pass when they are whole, without what does not belong to them', () => {
    expect(readOrder({ ...order, more: 1 })).toEqual(order);
    expect(readReport({ type: 'up', instance: 'hall', more: 1 })).toEqual({ type: 'up', instance: 'hall' });
    expect(readReport({ type: 'renamed', instance: 'hall (2)' })).toEqual({ type: 'renamed', instance: 'hall (2)' });
    expect([isEnd(END), isEnd(order), isEnd(null)]).toEqual([true, false, false]);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'advertise'],
    ['a list', [order]],
    ['another type', { ...order, type: 'end' }],
    ['no interface', { ...order, interface: '' }],
    ['another family', { ...order, family: 'ipx' }],
    ['no advertisement', { ...order, advertisement: null }],
    ['a name too long', changed({ instance: 'x'.repeat(64) })],
    ['a port that is none', changed({ port: 0 })],
    ['a text too long', changed({ txt: { path: 'x'.repeat(255) } })],
    ['too many texts', changed({ txt: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, '1'])) })],
    ['a text that is none', changed({ txt: { path: 1 } })],
  ])('an order with %s is none', (_, message) => {
    expect(readOrder(message)).toBe(null);
  });

  it.each<[unknown]>([
    [null],
    ['up'],
    [{ type: 'up' }],
    [{ type: 'up', instance: 7 }],
    [{ type: 'up', instance: 'x'.repeat(64) }],
    [{ type: 'down', instance: 'hall' }],
  ])('%j is no report', (message) => {
    expect(readReport(message)).toBe(null);
  });
});
