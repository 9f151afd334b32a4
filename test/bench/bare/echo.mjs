// The bare limit for commands: mqtt.js, which answers each command with a retained state.
import { connectAsync } from 'mqtt';

const [url] = process.argv.slice(2);
const client = await connectAsync(url);
client.on('message', (topic, payload) => {
  const { brightness } = JSON.parse(payload.toString());
  client.publish('bare/light/state', JSON.stringify({ state: 'ON', brightness }), { retain: true, qos: 0 });
});
await client.subscribeAsync('bare/light/set', { qos: 1 });
await client.publishAsync('bare/ready', '1', { retain: true });
