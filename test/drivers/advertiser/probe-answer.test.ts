import { decode, encode, type Answer } from 'dns-packet';
import { describe, expect, it } from 'vitest';

import { questionFor, readAnswer, type OwnAdvertisement } from '#drivers/advertiser/probe-answer.ts';

const labels = ['Hall Panel (2)', '_sconce', '_tcp', 'local'];
const name = labels.join('.');
const own: OwnAdvertisement = { name, token: 't1', addresses: ['192.0.2.7'] };
const from = { address: '192.0.2.7', port: 5353 };

const txt = (token: string, owner = name): Answer => ({
  type: 'TXT',
  name: owner,
  ttl: 10,
  data: ['ver=1', `probe=${token}`],
});
const srv: Answer = { type: 'SRV', name, ttl: 10, data: { target: 'sconce-hall.local', port: 8888 } };
const packet = (answers: Answer[], more: { id?: number; type?: 'query' | 'response'; asked?: string } = {}): Buffer =>
  encode({
    id: more.id ?? 7,
    type: more.type ?? 'response',
    questions: [{ name: more.asked ?? name, type: 'TXT' }],
    answers,
  });

describe('an answer to the question for the own advertisement', () => {
  it.each<[string, Buffer, Partial<typeof from>, ReturnType<typeof readAnswer>]>([
    ['with the token, from here', packet([srv, txt('t1')]), {}, 'visible'],
    [
      'with the name in other case',
      packet([txt('t1', name.toUpperCase())], { asked: name.toLowerCase() }),
      {},
      'visible',
    ],
    ['with the token of an earlier responder', packet([srv, txt('t0')]), {}, 'inconclusive'],
    ['without a token', packet([srv]), {}, 'inconclusive'],
    ['from another machine', packet([txt('t1')]), { address: '192.0.2.8' }, 'inconclusive'],
    ['from another port', packet([txt('t1')]), { port: 40_000 }, 'inconclusive'],
    ['to another question', packet([txt('t1')], { id: 8 }), {}, null],
    ['that does not repeat the question', packet([txt('t1')], { asked: 'x.local' }), {}, null],
    ['that is a question itself', packet([txt('t1')], { type: 'query' }), {}, null],
    ['about another name', packet([txt('t1', 'Other._sconce._tcp.local')]), {}, null],
    ['with nothing in it', packet([]), {}, null],
    ['that is no packet', Buffer.from('nonsense'), {}, null],
    ['cut in the middle', packet([srv, txt('t1')]).subarray(0, 60), {}, null],
    ['that is too large', Buffer.concat([packet([txt('t1')]), Buffer.alloc(9000)]), {}, null],
  ])('%s', (_, bytes, peer, expected) => {
    expect(readAnswer(bytes, { ...from, ...peer }, 7, own)).toBe(expected);
  });

  it('is nothing for a name that points at itself for ever', () => {
    const loop = Buffer.from([0, 7, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 9, 0, 0]);
    expect(readAnswer(loop, from, 7, own)).toBe(null);
  });
});

describe('the question', () => {
  it('asks for everything of the name, and for an answer to the one who asks', () => {
    const bytes = questionFor(513, labels);
    expect(decode(bytes)).toMatchObject({ id: 513, type: 'query', questions: [{ name, type: 'ANY' }] });
    expect(bytes.readUInt16BE(bytes.length - 2)).toBe(0x8001);
  });
});
