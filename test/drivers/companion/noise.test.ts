import { describe, expect, it } from 'vitest';

import { respond } from '#drivers/companion/noise.ts';
import { keyPairOf, newKeyPair } from '#drivers/companion/x25519.ts';
import { initiate } from '#test/fakes/noise-initiator.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');

/** `Noise_NNpsk0_25519_ChaChaPoly_SHA256` of https://github.com/haskell-cryptography/cacophony, vectors/cacophony.txt. */
const published = {
  prologue: '4a6f686e2047616c74',
  psk: '54686973206973206d7920417573747269616e20706572737065637469766521',
  initEphemeral: '893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a',
  respEphemeral: 'bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b',
  hash: 'f4d03dc34495c95729ea6de9e1b59004b59733102488b3e24bc441e0be208eaf',
  messages: [
    [
      '4c756477696720766f6e204d69736573',
      'ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c794479b962b8aff8485742ac32f905ba45369e2465fb59e138a93d67a0d1266b6a54',
    ],
    [
      '4d757272617920526f746862617264',
      '95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f144808843d6062704d5a9c422a8e834423f8c1feada7e8d0d910a1a2cd030fb584221e3',
    ],
    ['462e20412e20486179656b', 'e632c3763d7669067383433197a3baddf146e9e70ad4b4e9e59e0f'],
    ['4361726c204d656e676572', '64c6bee32ea91c8474bb4c21d7a700109ad45af77b29764ba5eb1e'],
    ['4a65616e2d426170746973746520536179', 'e2fa0bed0603b62d3ccac2ecabbf3fe33f3e86514909b323361626266cb2471cc8'],
    [
      '457567656e2042f6686d20766f6e2042617765726b',
      '0c01dc9cec1fe4ddd692e8dd32188aa351088dc91183639a53b57aa4692b5ebdef8b8ca111',
    ],
  ] as const,
};

function ends() {
  const known = { prologue: hex(published.prologue), psk: hex(published.psk) };
  const [first, second] = published.messages;
  const client = initiate({ ...known, ephemeral: keyPairOf(hex(published.initEphemeral)) }, hex(first[0]));
  const panel = respond(
    { ...known, ephemeral: keyPairOf(hex(published.respEphemeral)) },
    client.message,
    hex(second[0]),
  );
  if (panel === null) throw new Error('refused');
  const finished = client.finish(panel.message);
  if (finished === null) throw new Error('not finished');
  return { client, panel, finished };
}

describe('Noise NNpsk0_25519_ChaChaPoly_SHA256', () => {
  it('has the handshake of the published vector', () => {
    const [first, second] = published.messages;
    const { client, panel, finished } = ends();
    expect(client.message.toString('hex')).toBe(first[1]);
    expect(panel.payload.toString('hex')).toBe(first[0]);
    expect(panel.message.toString('hex')).toBe(second[1]);
    expect(finished.payload.toString('hex')).toBe(second[0]);
    expect([panel.transport.hash, finished.transport.hash].map((hash) => hash.toString('hex'))).toEqual([
      published.hash,
      published.hash,
    ]);
  });

  it('seals and opens the messages of the published vector, in turn', () => {
    const { panel, finished } = ends();
    for (const [index, [plain, sealed]] of published.messages.slice(2).entries()) {
      const [from, to] =
        index % 2 === 0 ? [finished.transport, panel.transport] : [panel.transport, finished.transport];
      expect(from.sending.seal(hex(plain)).toString('hex')).toBe(sealed);
      expect(to.receiving.open(hex(sealed))?.toString('hex')).toBe(plain);
    }
  });

  const begin = () => {
    const known = { prologue: Buffer.from('prologue'), psk: Buffer.alloc(32, 7) };
    return { known, client: initiate(known) };
  };

  it('is 48 bytes a message without payloads', () => {
    const { known, client } = begin();
    expect([client.message.length, respond(known, client.message)?.message.length]).toEqual([48, 48]);
  });

  it.each([
    ['another key', { psk: Buffer.alloc(32, 8) }],
    ['another prologue', { prologue: Buffer.from('prologuf') }],
  ])('is refused with %s', (_, changed) => {
    const { known, client } = begin();
    expect(respond({ ...known, ...changed }, client.message)).toBeNull();
  });

  it('is refused with any bit changed, by both ends', () => {
    const { known, client } = begin();
    const answer = respond(known, client.message);
    if (answer === null) throw new Error('refused');
    const flipped = (bytes: Buffer, bit: number): Buffer => {
      const copy = Buffer.from(bytes);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return copy;
    };
    for (let bit = 0; bit < 48 * 8; bit += 5) expect(respond(known, flipped(client.message, bit))).toBeNull();
    expect(begin().client.finish(flipped(answer.message, 300))).toBeNull();
    for (let length = 0; length < 48; length += 7)
      expect(respond(known, client.message.subarray(0, length))).toBeNull();
  });

  it('refuses public keys of low order', () => {
    // RFC 7748, section 6.1: zero, one, and a point of order 8.
    const low = [
      Buffer.alloc(32),
      Buffer.from(`01${'00'.repeat(31)}`, 'hex'),
      hex('e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800'),
    ];
    for (const key of low) expect(newKeyPair().shareWith(key)).toBeNull();
    expect(newKeyPair().shareWith(Buffer.alloc(31, 9))).toBeNull();
  });

  it('opens each message once, in order', () => {
    const { known, client } = begin();
    const answer = respond(known, client.message);
    const finished = answer === null ? null : client.finish(answer.message);
    if (answer === null || finished === null) throw new Error('refused');
    const frames = ['one', 'two', 'three'].map((text) => finished.transport.sending.seal(Buffer.from(text)));
    const [one = Buffer.alloc(0), two = Buffer.alloc(0)] = frames;
    const { receiving } = answer.transport;
    expect(receiving.open(two)).toBeNull();
    expect(receiving.open(one)?.toString()).toBe('one');
    expect(receiving.open(one)).toBeNull();
    expect(receiving.open(two)?.toString()).toBe('two');
    expect(answer.transport.receiving.open(answer.transport.sending.seal(Buffer.from('own')))).toBeNull();
  });
});
