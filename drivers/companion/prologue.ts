/**
 * What both ends mix into each handshake: the name of the protocol, then the greetings as they were sent, Home
 * Assistant's first, each behind its length (4 bytes, the highest first). If either was changed on the way, the
 * handshake fails.
 */
export function prologueOf(name: string, greetings: readonly [Uint8Array, Uint8Array]): Buffer {
  const parts = greetings.flatMap((greeting) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(greeting.length);
    return [length, greeting];
  });
  return Buffer.concat([Buffer.from(name, 'latin1'), ...parts]);
}
