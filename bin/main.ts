import { chunk } from '#machines/kit/chunk.ts';
import { commandName, readBuild } from './build-facts.ts';
import { calledAs, helpTexts } from './help-texts.ts';
import { plainText, type PlainText, shortUsage } from './usage.ts';

/** What runs each command; nothing of it is loaded before the command is known. */
const chunks = {
  approvals: chunk(() => import('./approvals.ts')),
  backup: chunk(() => import('./backup.ts')),
  companion: chunk(() => import('./companion.ts')),
  arguments: chunk(() => import('./arguments.ts')),
  doctor: chunk(() => import('./doctor.ts')),
  microphone: chunk(() => import('./microphone.ts')),
  install: chunk(() => import('./install/install.ts')),
  run: chunk(() => import('./run.ts')),
  uninstall: chunk(() => import('./install/uninstall.ts')),
};

function print(asked: PlainText): void {
  process.stdout.write(
    asked.verb === 'help' ? calledAs(commandName(), helpTexts[asked.topic]) : `${readBuild().version}\n`,
  );
}

const main = async (argv: readonly string[]): Promise<void> => {
  const plain = plainText(argv);
  if (plain !== null) return print(plain);
  const { parseCommand } = await chunks.arguments();
  const parsed = parseCommand(argv);
  if (!parsed.ok) {
    // The reason comes last: after a long usage text only the end is read.
    process.stderr.write(`${calledAs(commandName(), shortUsage(argv[0]))}sconce: ${parsed.message}\n`);
    process.exitCode = 2;
    return;
  }
  switch (parsed.value.verb) {
    case 'help':
    case 'version':
      print(parsed.value);
      break;
    case 'approvals':
      process.exitCode = await (await chunks.approvals()).approvals(parsed.value.options);
      break;
    case 'microphone':
      process.exitCode = await (await chunks.microphone()).microphone(parsed.value.options);
      break;
    case 'companion':
      process.exitCode = await (await chunks.companion()).companion(parsed.value.options);
      break;
    case 'backup':
      process.exitCode = await (await chunks.backup()).backup(parsed.value.options);
      break;
    case 'restore':
      process.exitCode = await (await chunks.backup()).restore(parsed.value.options);
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
