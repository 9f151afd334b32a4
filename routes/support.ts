import { entryText } from '#machines/live-log/text.ts';
import { planText } from '#machines/provisioning/words.ts';
import { descriptors } from '#machines/settings.ts';
import { type BundleSection, bundleName, bundleText } from '#machines/support/bundle.ts';
import { namesToHide, writtenSettings } from '#machines/support/known-names.ts';
import { createRedaction, withoutSpokenWords } from '#machines/support/redact.ts';
import { text } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { requestProfiles } from '#routes/profiles/requests.ts';
import { checkAndPlan } from '#routes/provisioning.ts';
import { diagLines } from '#routes/status/diag.ts';
import { readStatus } from '#routes/status/read-status.ts';

/** Replaces a section whose part is being restarted: the rest of the bundle is needed all the more. */
const notRead = '(not read: that part of the agent is being restarted)';

/** Everything that names this panel, its owner or its network, if the agent knows it. */
function namesOf(deps: RouteDeps): readonly string[] {
  const { registry } = deps;
  const identity = registry.read('identity')?.context;
  const profile = registry.read('active-profile')?.context;
  const catalog = registry.read('profile-catalog')?.context.catalog;
  const local = profile?.origin === 'local' ? profile : undefined;
  const row = catalog?.profiles.find(({ id, revision }) => id === local?.id && revision === local.hash);
  const reading = registry.read('readings')?.context.reading;
  return namesToHide([
    ...writtenSettings(descriptors, registry.read('settings')?.context.values ?? {}),
    identity?.panelId,
    identity?.installId,
    identity?.friendlyName,
    registry.read('sign-in')?.context.displayName,
    reading?.address,
    reading?.wifiName,
    registry.read('provisioning')?.context.observed?.user,
    ...deps.ownNames(),
    local?.id,
    local?.title,
    row?.author,
  ]);
}

async function profileText(deps: RouteDeps): Promise<string> {
  const profile = deps.registry.read('active-profile')?.context;
  if (profile === undefined) return notRead;
  if (profile.hash === '') return '(this profile has no file of its own)';
  const asked = await requestProfiles(deps, {
    type: 'profiles.ask.document',
    ask: { kind: 'document', wanted: { kind: 'revision', id: profile.id, revision: profile.hash } },
  });
  if (!asked.ok) return notRead;
  if (asked.outcome === null) return '(its file is gone or damaged)';
  const yaml = new TextDecoder().decode(asked.outcome.bytes);
  return profile.origin === 'local' ? withoutSpokenWords(yaml) : yaml;
}

async function planSection(deps: RouteDeps): Promise<string> {
  const planned = await checkAndPlan(deps);
  return planned === null ? notRead : planText(planned.profile, planned.plan);
}

function versions(deps: RouteDeps): string {
  const { env, build } = deps.host();
  const profile = deps.registry.read('active-profile')?.context;
  const identity = deps.registry.read('identity')?.context;
  const board = [identity?.manufacturer ?? '', identity?.model ?? ''].join(' ').trim();
  return [
    `Sconce ${deps.version}, build ${deps.build}`,
    `Node ${env['node'] ?? 'unknown'} on ${identity?.system ?? 'unknown'}`,
    `Kernel ${build['kernel'] ?? 'unknown'}, ${build['arch'] ?? 'unknown'}`,
    `Board ${board === '' ? 'unknown' : board}`,
    profile === undefined
      ? 'Profile unknown'
      : `Profile ${profile.id} ${profile.version}, ${profile.origin}, ${profile.maturity}`,
    `Revision ${profile?.hash.slice(0, 12) ?? 'unknown'}`,
  ].join('\n');
}

/** The support bundle: what the agent knows of itself, without anything that names, reaches or opens something. */
export const supportRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getSupportBundle',
      method: 'get',
      path: '/api/v1/support',
      tag: 'status',
      summary: 'Support bundle to send to a helper',
      description:
        'Versions, diagnostics, the plan of `/api/v1/provisioning/plan`, the active profile, the status document and the kept log lines, as text of at most 2,000,000 bytes. Names, ids, addresses, accounts, passwords and tokens are removed. It checks the machine, but changes nothing.',
      guard: 'active',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: text('The file.', {
          headers: { 'Content-Disposition': 'An attachment with the name of the file and its day.' },
          example: '== Versions ==\nSconce 0.1.0, build abcdef01\n',
        }),
      }),
      problems: [],
    },
    async ({ answer }) => {
      const [plan, profile] = await Promise.all([planSection(deps), profileText(deps)]);
      const hide = createRedaction(namesOf(deps));
      const redact = (words: string): string => hide(deps.scrub(words));
      const now = deps.now();
      const sections: readonly BundleSection[] = [
        {
          title: 'Sconce support bundle',
          text: `Made ${new Date(now).toISOString()}. Names, ids, addresses, accounts, passwords and tokens were removed; read it before you pass it on.`,
        },
        { title: 'Versions', text: redact(versions(deps)) },
        { title: 'Diagnostics', text: redact(diagLines(deps).join('\n')) },
        { title: 'What the profile requires of this machine', text: redact(plan) },
        { title: 'Active profile', text: redact(profile) },
        { title: 'Status', text: redact(JSON.stringify(readStatus(deps), null, 1)) },
      ];
      return answer(
        200,
        bundleText(
          sections,
          'Log, the newest line last',
          deps.logs.kept().map((entry) => redact(entryText(entry))),
        ),
        { 'Content-Disposition': `attachment; filename="${bundleName(now)}"` },
      );
    },
  );
};
