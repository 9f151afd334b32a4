import { expect, it } from 'vitest';

import { createMessageExchange } from '#drivers/mqtt/message-exchange.ts';
import type { IncomingMessage, OutgoingMessage } from '#machines/mqtt/events.ts';

const message = (topic: string): IncomingMessage => ({ topic, payload: '', retained: false });
const outgoing = (topic: string): OutgoingMessage => ({ topic, payload: '', retain: false, qos: 0 });

/** A connection, and the topics that were published over it. */
function connection() {
  const said: string[] = [];
  return {
    said,
    publish: (messages: readonly OutgoingMessage[]) => void said.push(...messages.map(({ topic }) => topic)),
    subscribeTo: ({ topics }: { readonly topics: readonly string[] }) => void said.push(...topics),
  };
}

it('drops what is published while there is no connection, and joins the one in force to who listens', () => {
  const exchange = createMessageExchange();
  const heard: string[] = [];
  const end = exchange.listen(({ topic }) => void heard.push(topic));
  exchange.publish([outgoing('early')]);
  const [first, second] = [connection(), connection()];
  const one = exchange.open(first);
  exchange.subscribeTo({ topics: ['all'] });
  exchange.publish([outgoing('a')]);
  one.deliver(message('x'));
  const two = exchange.open(second);
  exchange.publish([outgoing('b')]);
  // The first one ends late: what it still brings is of another connection, and its end is not that of the newer one.
  one.deliver(message('late'));
  one.close();
  two.deliver(message('y'));
  exchange.publish([outgoing('c')]);
  two.close();
  two.deliver(message('closed'));
  exchange.publish([outgoing('d')]);
  expect([first.said, second.said, heard]).toEqual([
    ['all', 'a'],
    ['b', 'c'],
    ['x', 'y'],
  ]);
  const three = exchange.open(connection());
  end();
  three.deliver(message('z'));
  expect(heard).toEqual(['x', 'y']);
});
