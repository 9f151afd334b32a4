import { chunk } from '#machines/kit/chunk.ts';
import { readBuild } from './build-facts.ts';
import { plainVerb, shortUsage, usage } from './usage.ts';

/** What runs each command; nothing of it is loaded before the command is known. */
const chunks = {
  arguments: chunk(() => import('./arguments.ts')),
  doctor: chunk(() => import('./doctor.ts')),
  install: chunk(() => import('./install/install.ts')),
  run: chunk(() => import('./run.ts')),
  uninstall: chunk(() => import('./install/uninstall.ts')),
};

function print(verb: 'help' | 'version'): void {
  process.stdout.write(verb === 'help' ? usage : `${readBuild().version}\n`);
}

const main = async (argv: readonly string[]): Promise<void> => {
  const plain = plainVerb(argv[0]);
  if (plain !== null) return print(plain);
  const { parseCommand } = await chunks.arguments();
  const parsed = parseCommand(argv);
  if (!parsed.ok) {
    // The reason comes last: after a long usage text only the end is read.
    process.stderr.write(`${shortUsage}sconce: ${parsed.message}\n`);
    process.exitCode = 2;
    return;
  }
  switch (parsed.value.verb) {
    case 'help':
    case 'version':
      print(parsed.value.verb);
      break;
    case 'doctor':
      process.exitCode = await (await chunks.doctor()).doctor(parsed.value.options);
      break;
    case 'install':
      process.exitCode = await (await chunks.install()).install(parsed.value.options);
      break;
    case 'uninstall':
      process.exitCode = await (await chunks.uninstall()).uninstall(parsed.value.options);
      break;
    case 'run':
      await (await chunks.run()).run(parsed.value.options);
      break;
  }
};

void main(process.argv.slice(2));
