import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Corner } from '#drivers/renderer/png-corner.ts';
import { Program } from './program.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/** A real X11 server that draws into memory, for what a panel's screen would show. */
export class Display {
  readonly #program: Program;
  /** Name for DISPLAY, such as `:3`. */
  readonly name: string;

  private constructor(program: Program, name: string) {
    this.#program = program;
    this.name = name;
  }

  /** Starts one of 1280x800 under a free number. */
  static async start(): Promise<Display> {
    const program = new Program('Xvfb', [
      '-displayfd',
      '1',
      '-screen',
      '0',
      '1280x800x24',
      '-nolisten',
      'tcp',
      '-noreset',
    ]);
    const number = await until('the X server has a number', () => /^(\d+)$/m.exec(program.output)?.[1]);
    return new Display(program, `:${number}`);
  }

  /** A picture of the whole screen as PNG, written to `file`. */
  async shoot(file: string): Promise<void> {
    await run(
      'ffmpeg',
      [
        '-v',
        'error',
        '-y',
        '-f',
        'x11grab',
        '-video_size',
        '1280x800',
        '-i',
        this.name,
        '-frames:v',
        '1',
        '-update',
        '1',
        file,
      ],
      { timeout: 20_000 },
    );
  }

  /** Its top left corner, of 100 pixels each way. */
  async corner(): Promise<Corner> {
    const side = 100;
    const words = `-v error -f x11grab -video_size ${side}x${side} -i ${this.name} -frames:v 1 -pix_fmt rgb24 -f rawvideo -`;
    const { stdout } = await run('ffmpeg', words.split(' '), { timeout: 20_000, encoding: 'buffer' });
    return { width: side, height: side, rgb: stdout };
  }

  /** Ends it. */
  async stop(): Promise<void> {
    await this.#program.end();
  }
}
