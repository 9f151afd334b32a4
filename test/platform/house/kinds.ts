import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A card that reads one state by an id that its configuration does not name, and one that goes through all of them. */
const SCRIPT = `
customElements.define('reading-card', class extends HTMLElement {
  setConfig({ number }) { this.id = 'sensor.house_' + number; }
  set hass({ states }) { this.textContent = states[this.id]?.state; }
});
customElements.define('counting-card', class extends HTMLElement {
  setConfig() {}
  set hass({ states }) { this.textContent = Object.values(states).length; }
});`;

/** Serves the code of the two cards, from elsewhere than Home Assistant's own frontend. */
export async function serveCards(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' });
    response.end(SCRIPT);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/cards.js`, close: () => void server.close() };
}

const id = (number: number): string => `sensor.house_${number}`;

/** One card of each of twelve kinds, and beside it the ids that it needs. */
const kinds: readonly (readonly [object, readonly string[]])[] = [
  [{ type: 'entities', entities: [id(1), { entity: id(2) }] }, [id(1), id(2)]],
  [{ type: 'tile', entity: id(3) }, [id(3)]],
  [
    {
      type: 'conditional',
      conditions: [{ condition: 'state', entity: id(4), state: 'never' }],
      card: { type: 'tile', entity: id(5) },
    },
    [id(4), id(5)],
  ],
  [
    {
      type: 'picture-elements',
      image: '/static/icons/favicon-192x192.png',
      elements: [
        { type: 'state-badge', entity: id(6), style: { top: '10%', left: '10%' } },
        {
          type: 'conditional',
          conditions: [{ entity: id(7), state: 'x' }],
          elements: [{ type: 'icon', icon: 'mdi:lamp', entity: id(8) }],
        },
      ],
    },
    [id(6), id(7), id(8)],
  ],
  [{ type: 'map', entities: ['zone.home', id(9)] }, ['zone.home', id(9)]],
  [{ type: 'history-graph', entities: [id(10)] }, [id(10)]],
  [{ type: 'logbook', target: { entity_id: [id(11)] } }, [id(11)]],
  [{ type: 'area', area: 'attic' }, ['light.ceiling_lights']],
  [{ type: 'markdown', content: '{{ states(states("sensor.house_12")) }}' }, [id(12)]],
  // This Home Assistant keeps no statistics, and so has no energy dashboard: `configured.test.ts` holds what it needs.
  [{ type: 'energy-distribution' }, []],
  [{ type: 'thermostat', entity: 'climate.heatpump' }, ['climate.heatpump']],
  [{ type: 'custom:reading-card', number: 14 }, [id(14)]],
];
export const twelveCards: readonly object[] = kinds.map(([card]) => card);
/** Every id that they need, in order. */
export const twelveNeed: readonly string[] = kinds.flatMap(([, ids]) => ids).toSorted();
/** The entity that is put into the area. */
export const areaEntity = 'light.ceiling_lights';
