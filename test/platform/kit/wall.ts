import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StatusDocument } from '#machines/status.ts';
import { Agent } from './agent.ts';
import { Display } from './display.ts';
import { until } from './until.ts';

/** How soon the dashboard has to be back once the cause has ended, in milliseconds. */
const backWithinMs = 10_000;

/** Where pictures of the screen are kept for a person to look at; none are taken when it is not set. */
const pictures = process.env['SCONCE_TEST_PICTURES'];

/** An agent that shows the dashboard on a real display. */
export class Wall {
  readonly agent: Agent;
  readonly #display: Display;

  private constructor(agent: Agent, display: Display) {
    this.agent = agent;
    this.#display = display;
  }

  /** Starts both. */
  static async start(): Promise<Wall> {
    const display = await Display.start();
    try {
      const agent = await Agent.start({
        args: ['--renderer', 'auto'],
        env: { DISPLAY: display.name, WAYLAND_DISPLAY: undefined, XDG_RUNTIME_DIR: undefined },
      });
      return new Wall(agent, display);
    } catch (error) {
      await display.stop();
      throw error;
    }
  }

  /** What the agent says of its dashboard. */
  async renderer(): Promise<NonNullable<StatusDocument['renderer']>> {
    const { renderer } = await this.agent.status();
    if (renderer === null) throw new Error('no renderer in the status');
    return renderer;
  }

  /** Waits until the dashboard is shown. */
  showing(withinMs = 30_000): Promise<boolean> {
    return until(
      'the dashboard is shown',
      async () => {
        const { phase, rendered } = await this.renderer();
        return phase === 'showing' && rendered;
      },
      withinMs,
    );
  }

  /** Waits until the dashboard is back after what `cause` did, and tells how long it took from now. */
  async backAfter(cause: string): Promise<void> {
    const since = performance.now();
    await this.showing(backWithinMs);
    console.log(`${cause}: back after ${Math.round(performance.now() - since)} ms`);
  }

  /** Keeps a picture of the screen where one is wanted. */
  async look(name: string): Promise<void> {
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    await this.#display.shoot(join(pictures, `${name}.png`));
  }

  /** Why the browser or its page was restarted, oldest first. */
  async restarts(): Promise<readonly string[]> {
    return (await this.renderer()).restarts.map(({ reason }) => reason);
  }

  /** Ends both. */
  async stop(): Promise<void> {
    await this.agent.stop();
    await this.#display.stop();
  }
}
