import { join, resolve } from 'node:path';

import { copyIntegration } from '#drivers/companion/copy-integration.ts';
import type { CompanionDocument } from '#machines/companion/document.ts';
import { chunk } from '#machines/kit/chunk.ts';
import { bundleFolder, checkoutFolder, commandName } from './build-facts.ts';
import type { CompanionOptions, CompanionTask } from './companion-arguments.ts';
import { askJson, fails, type MeantPanel, pairedOf, portOf, type Said, says } from './companion-panel.ts';
import { quoted } from './credential-file.ts';
import { meantFolder } from './meant-folder.ts';
import { plainLines } from './report.ts';

const pairCommand = chunk(() => import('./companion-pair.ts'));

/** The integration of this build: the tree of a repository. */
const builtIntegration = join(
  bundleFolder === checkoutFolder ? join(checkoutFolder, 'dist') : bundleFolder,
  'companion',
);

const surfaces = {
  mqtt: 'The entities reach Home Assistant through the MQTT broker.',
  native: 'The entities reach Home Assistant through its Sconce integration.',
} as const;

/** A moment to the minute, in the time zone of this machine. */
const moment = (at: number): string =>
  new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16).replace('T', ' ');

function stateOf({ connected, phase, version, used_at: usedAt }: CompanionDocument['clients'][number]): string {
  if (connected) return `connected${phase === null || phase === 'running' ? '' : `, ${phase}`} (${version ?? ''})`;
  return usedAt === null ? 'was never connected' : `not connected since ${moment(usedAt)}`;
}

/** The lines of `sconce companion`. */
export function pairedLines({ surface, clients, pairing, moving }: CompanionDocument): readonly string[] {
  return [
    ...(surface === null ? [] : [surfaces[surface]]),
    ...(moving === null
      ? []
      : [`They are being moved to ${moving.to === 'native' ? 'the integration' : 'the broker'}.`]),
    ...(clients.length === 0 ? ['No Home Assistant is paired with this panel.'] : ['Paired with this panel:']),
    ...clients.flatMap((client) => [
      '',
      `  ${client.name}`,
      `      ${stateOf(client)}`,
      `      paired: ${moment(client.paired_at)}`,
      `      key:    ${client.key_id}`,
    ]),
    ...(pairing.state === 'none' ? [] : ['', 'A Home Assistant waits to be paired.']),
  ];
}

async function show(meant: MeantPanel): Promise<Said> {
  const port = await portOf(meant);
  if (typeof port !== 'number') return port;
  const paired = await pairedOf(port);
  return 'value' in paired ? says(...pairedLines(paired.value)) : paired;
}

async function revoke(meant: MeantPanel, prefix: string): Promise<Said> {
  const port = await portOf(meant);
  if (typeof port !== 'number') return port;
  const paired = await pairedOf(port);
  if (!('value' in paired)) return paired;
  const found = paired.value.clients.filter(({ key_id: id }) => id.startsWith(prefix));
  const [client] = found;
  if (client === undefined) return fails(`No Home Assistant is paired by a key whose id begins with ${prefix}.`);
  if (found.length > 1) return fails(`${found.length} keys have an id that begins with ${prefix}. Type more of it.`);
  const asked = await askJson(port, {
    method: 'POST',
    path: 'companion/revoke',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ key_id: client.key_id }),
  });
  return 'value' in asked ? says(`${client.name} is no longer paired with this panel. It can be paired again.`) : asked;
}

/** Copies the integration of a build into Home Assistant's configuration folder. */
export async function installIntegration(named: string, built = builtIntegration): Promise<Said> {
  const folder = resolve(named);
  const copied = await copyIntegration(built, folder);
  if (copied.ok) {
    const { version, before } = copied;
    const what =
      before === null
        ? `The integration ${version} is in ${join(folder, 'custom_components/sconce')}.`
        : before === version
          ? `The integration ${version} was there; it was copied again.`
          : `The integration ${version} replaces ${before}.`;
    return says(
      what,
      before === null
        ? 'Restart Home Assistant, then add the integration Sconce there (Settings > Devices & services).'
        : 'Restart Home Assistant: until then it runs the one from before.',
    );
  }
  switch (copied.reason) {
    case 'not-configuration':
      return fails(
        `Nothing was changed: ${folder} is no configuration folder of Home Assistant, which has configuration.yaml and .HA_VERSION. It is often /config or ~/.homeassistant; start Home Assistant once if it is new.`,
      );
    case 'foreign':
      return fails(
        `Nothing was changed: ${join(folder, 'custom_components/sconce')} is something else.`,
        'Move it away, then try again.',
      );
    case 'not-built':
      return fails('Nothing was changed: this copy of Sconce has no integration. Build it (npm run build).');
    case 'disk':
      return copied.code === 'EACCES' || copied.code === 'EPERM'
        ? fails(`Nothing was changed: ${folder} belongs to another user. Try again with sudo.`)
        : fails(`Nothing was changed: the disk refused it (${copied.code}).`);
  }
}

function wordsOf(task: CompanionTask): string {
  if (task.do === 'show') return '';
  return task.do === 'revoke' ? ` revoke ${task.prefix}` : ` ${task.do}`;
}

/** Carries out the command for one data folder, but for `pair`, which has a person. */
export async function answerCompanion(
  task: Exclude<CompanionTask, { readonly do: 'pair' }>,
  meant: MeantPanel,
): Promise<Said> {
  if (task.do === 'install') return installIntegration(task.folder);
  return task.do === 'revoke' ? revoke(meant, task.prefix) : show(meant);
}

/** `sconce companion`: Home Assistant's own integration; 0 if it was done, else 1. */
export async function companion({ data, task }: CompanionOptions): Promise<number> {
  const { folder, isInstalled } = await meantFolder(data);
  const named = isInstalled ? '' : ` --data ${quoted(folder)}`;
  const meant = { folder, again: `${commandName()} companion${wordsOf(task)}${named}` };
  const { status, lines } =
    task.do === 'pair' ? await (await pairCommand()).pairHere(meant) : await answerCompanion(task, meant);
  const text = lines.flatMap((line) => plainLines(line)).join('\n');
  (status === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  return status;
}
