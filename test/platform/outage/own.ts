import { Home } from '../home-assistant/home.ts';
import { Broker } from '../kit/broker.ts';

/** A Home Assistant and its broker that the tests here kill and freeze. */
interface Own {
  readonly broker: Broker;
  readonly home: Home;
}

let started: Promise<Own> | undefined;

async function start(): Promise<Own> {
  const broker = await Broker.start();
  try {
    return { broker, home: await Home.start(broker.port) };
  } catch (error) {
    await broker.stop();
    throw error;
  }
}

/** Both, started on first use. */
export const own = (): Promise<Own> => (started ??= start());

/** Ends them. */
export async function closeOwn(): Promise<void> {
  const made = await started?.catch(() => undefined);
  await made?.home.stop();
  await made?.broker.stop();
}
