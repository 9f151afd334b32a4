import { type EntityEntry, type EntityState, type FlowStep, HomeClient } from '../home-assistant/client.ts';
import { Home } from '../home-assistant/home.ts';
import { resident, tokenOf } from '../home-assistant/onboard.ts';
import { Broker } from '../kit/broker.ts';
import { until } from '../kit/until.ts';
import { Room } from './room.ts';
import { type Speech, startSpeech } from './speech.ts';

/** A word that is heard, and one that is answered: neither occurs anywhere but in a conversation. */
export const marks = { heard: 'kangaroo', answered: 'walrus' } as const;

/** What people say in the tests. */
export const sentences = {
  kitchenOff: 'turn off the light in the kitchen',
  bedroomOff: 'turn off the light in the bedroom',
  bedroomOn: 'turn on the light in the bedroom',
  allOff: 'turn off the lights',
  marked: `wake the ${marks.heard}`,
  yes: 'yes please',
} as const;

/** What the agent `asker` answers. */
const answers: Readonly<Record<string, string>> = {
  [sentences.marked]: `Shall I wake the ${marks.answered} too?`,
  [sentences.yes]: 'They are both awake.',
};

const flow = '/api/config/config_entries/flow';

/** Adds a Wyoming server by the configuration flow, as a person does in the browser. */
async function addWyoming(client: HomeClient, port: number): Promise<void> {
  const begun = await client.post<FlowStep>(flow, { handler: 'wyoming' });
  const made = await client.post<FlowStep>(`${flow}/${begun.flow_id}`, { host: '127.0.0.1', port });
  if (made.type !== 'create_entry') throw new Error(`Wyoming entry: ${JSON.stringify(made)}`);
}

/** A home whose Assist understands and speaks, with the room of a panel. */
export interface House {
  readonly home: Home;
  readonly broker: Broker;
  readonly speech: Speech;
  readonly room: Room;
  /** Its owner. */
  readonly client: HomeClient;
  readonly states: ReadonlyMap<string, EntityState>;
  /** Long-lived token of a resident, who administers nothing. */
  readonly token: string;
  /** Ids of pipelines: the preferred one, of Home Assistant's own agent, and one of the agent that asks back. */
  readonly pipelines: { readonly own: string; readonly asking: string };
  /** Puts the device of a panel into the kitchen and returns its id. */
  readonly placeInKitchen: (panelId: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

async function makePipelines(client: HomeClient): Promise<House['pipelines']> {
  const create = async (name: string, agent: string): Promise<string> => {
    const { id } = await client.call<{ readonly id: string }>('assist_pipeline/pipeline/create', {
      name,
      language: 'en',
      conversation_engine: agent,
      conversation_language: 'en',
      stt_engine: 'stt.sphinx',
      stt_language: 'en',
      tts_engine: 'tts.flite',
      tts_language: 'en',
      tts_voice: 'slt',
      wake_word_entity: null,
      wake_word_id: null,
    });
    return id;
  };
  const own = await create('Own', 'conversation.home_assistant');
  await client.call('assist_pipeline/pipeline/set_preferred', { pipeline_id: own });
  return { own, asking: await create('Asking', 'conversation.asker') };
}

/** Puts one light into the kitchen and the other into the bedroom, areas that a new home has. */
async function furnish(client: HomeClient): Promise<void> {
  for (const [area, entity] of Object.entries({ kitchen: 'light.ceiling', bedroom: 'light.lamp' }))
    await client.call<EntityEntry>('config/entity_registry/update', { entity_id: entity, area_id: area });
}

/** A long-lived token of the resident. */
async function residentToken(url: string): Promise<string> {
  const client = await HomeClient.open(url, await tokenOf(url, resident));
  try {
    return await client.call<string>('auth/long_lived_access_token', { client_name: 'voice', lifespan: 1 });
  } finally {
    client.close();
  }
}

/** Starts all of it. */
export async function openHouse(): Promise<House> {
  const ends: (() => Promise<unknown> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  const kept = async <T>(made: Promise<T>, end: (one: T) => Promise<unknown> | void): Promise<T> => {
    const one = await made;
    ends.push(() => end(one));
    return one;
  };
  try {
    const broker = await kept(Broker.start(), (one) => one.stop());
    const begun = await Promise.allSettled([
      kept(Home.start(broker.port, { answers }), (one) => one.stop()),
      kept(startSpeech(Object.values(sentences)), (one) => one.stop()),
      kept(Room.open(), (one) => one.close()),
    ]);
    const [home, speech, room] = begun.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    }) as [Home, Speech, Room];
    const client = await home.client();
    const states = await client.states();
    await addWyoming(client, speech.toText.port);
    await addWyoming(client, speech.toSpeech.port);
    await until('the lights and the speech engines are there', () =>
      ['light.ceiling', 'light.lamp', 'stt.sphinx', 'tts.flite', 'conversation.asker'].every((id) => states.has(id)),
    );
    await furnish(client);
    const placeInKitchen = (panelId: string): Promise<string> =>
      until('the device of the panel is known', async () => {
        const [device] = await client.devices(`sconce_${panelId}`);
        if (device === undefined) return undefined;
        await client.call('config/device_registry/update', { device_id: device.id, area_id: 'kitchen' });
        return device.id;
      });
    const [token, pipelines] = [await residentToken(home.url), await makePipelines(client)];
    return { home, broker, speech, room, client, states, token, pipelines, placeInKitchen, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
