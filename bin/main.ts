import { parseCommand, shortUsage, usage } from './arguments.ts';
import { doctor } from './doctor.ts';
import { install } from './install/install.ts';
import { uninstall } from './install/uninstall.ts';
import { run } from './run.ts';
import { readBuild } from './build-facts.ts';

const main = async (argv: readonly string[]): Promise<void> => {
  const parsed = parseCommand(argv);
  if (!parsed.ok) {
    // The reason stands last, where it is read: of a long text above it nobody would see more than the end.
    process.stderr.write(`${shortUsage}sconce: ${parsed.message}\n`);
    process.exitCode = 2;
    return;
  }
  switch (parsed.value.verb) {
    case 'help':
      process.stdout.write(usage);
      break;
    case 'version':
      process.stdout.write(`${readBuild().version}\n`);
      break;
    case 'doctor':
      process.exitCode = await doctor(parsed.value.options);
      break;
    case 'install':
      process.exitCode = await install(parsed.value.options);
      break;
    case 'uninstall':
      process.exitCode = await uninstall(parsed.value.options);
      break;
    case 'run':
      await run(parsed.value.options);
      break;
  }
};

void main(process.argv.slice(2));
