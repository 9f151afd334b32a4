import type { TestProject } from 'vitest/node';
import { Home } from './home-assistant/home.ts';
import { Broker } from './kit/broker.ts';
import { prepare } from './moving/place.ts';

declare module 'vitest' {
  /** What the files of tests are given. */
  interface ProvidedContext {
    /** The Home Assistant that no test stops, and its broker. */
    readonly homeAssistant: { readonly url: string; readonly token: string; readonly brokerPort: number };
  }
}

/** Starts the Home Assistant that all files share; what kills or freezes one has its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const broker = await Broker.start();
  try {
    const home = await Home.start(broker.port, { speaks: true }, prepare);
    project.provide('homeAssistant', { url: home.url, token: home.token, brokerPort: broker.port });
    return async () => {
      await home.stop();
      await broker.stop();
    };
  } catch (error) {
    await broker.stop();
    throw error;
  }
}
