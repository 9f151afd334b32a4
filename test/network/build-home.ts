import { buildProgram } from './build-program.ts';

/** Builds a stand-in for Home Assistant that a machine of the network can run; its path. It prints its address. */
export const buildHome = (folder: string): Promise<string> =>
  buildProgram(
    folder,
    'home',
    `import { serveHomeAssistant } from '../drivers/renderer/home-assistant-page.ts';
    serveHomeAssistant().then(({ origin }) => console.log(origin));`,
  );
