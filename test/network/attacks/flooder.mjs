// A client with an account on the panel's broker: rounds of 3000 commands for the screen, 2000 for entities that it
// makes up, 1000 states of machines and 1000 births of the platform, until killed; prints a line after each round.
import mqtt from 'mqtt';

const { url, panelId } = JSON.parse(process.argv[2]);
const client = await mqtt.connectAsync(url);
let level = 0;
function command() {
  level = (level % 200) + 1;
  return client.publishAsync(`sconce/${panelId}/screen/set`, JSON.stringify({ state: 'ON', brightness: level }));
}
let name = 0;
const madeUp = () => client.publishAsync(`sconce/${panelId}/x${(name += 1)}/set`, 'ON');
const status = () => client.publishAsync(`sconce/${panelId}/status/${(name += 1)}`, 'online');
const birth = () => client.publishAsync('homeassistant/status', 'online');
for (;;) {
  await Promise.all(Array.from({ length: 3000 }, command));
  await Promise.all(Array.from({ length: 2000 }, madeUp));
  await Promise.all(Array.from({ length: 1000 }, status));
  await Promise.all(Array.from({ length: 1000 }, birth));
  console.log('round');
}
