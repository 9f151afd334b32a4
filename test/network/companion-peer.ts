import { createInterface } from 'node:readline';

import {
  type CompanionClient,
  connectCompanion,
  Ended,
  pairCompanion,
  type PairingClient,
} from '#test/fakes/companion-client.ts';

/** What a peer that speaks as Home Assistant is told to do. */
export type PeerOrder =
  | { readonly does: 'pair' | 'confirm' | 'paired' | 'leave' | 'connect' }
  | { readonly does: 'set'; readonly k: string; readonly v: boolean | number | string | null };

/**
 * A program that speaks to a panel as Home Assistant does, `PORT HOST`: each line that it is given names a number and
 * an order; it prints the number with the result.
 */
function startPeer(dialling: { readonly port: number; readonly host: string }): void {
  let pairing: PairingClient | undefined;
  let key: Awaited<ReturnType<PairingClient['paired']>> | undefined;
  let client: CompanionClient | undefined;

  const carryOut = async (order: PeerOrder): Promise<object> => {
    switch (order.does) {
      case 'pair':
        pairing = await pairCompanion(dialling);
        return { digits: pairing.agreed.digits };
      case 'confirm':
        pairing?.confirm();
        return { done: true };
      case 'paired':
        key = await pairing?.paired();
        return { paired: key !== undefined };
      case 'leave':
        pairing?.cut();
        return { done: true };
      case 'connect':
        if (key === undefined) throw new Error('not paired');
        client = await connectCompanion({ ...dialling, key });
        await client.untilType('synced');
        return { id: client.hello.id, items: (await client.untilType('catalogue')).items.length };
      case 'set':
        return { ...(await client?.set(order.k, order.v)) };
    }
  };
  createInterface({ input: process.stdin }).on('line', (line) => {
    // Written by the test.
    const { number, ...order } = JSON.parse(line) as PeerOrder & { readonly number: number };
    void carryOut(order)
      .catch((error: unknown) =>
        error instanceof Ended
          ? { refused: error.refused?.code, closeCode: error.closeCode }
          : { error: String(error) },
      )
      .then((came) => process.stdout.write(`${JSON.stringify({ number, ...came })}\n`));
  });
}

const [, , port = '', host = ''] = process.argv;
startPeer({ port: Number(port), host });
