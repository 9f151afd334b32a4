import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { ProfileFiles } from '#drivers/profiles/files.ts';
import {
  activationRecord,
  type ActivationRecord,
  afterChange,
  afterDeletion,
  afterHealth,
  afterSelection,
  afterSetback,
  firstRecord,
  isUntried,
  type ProfileRef,
  type ProfileSelection,
  refOf,
  sameRef,
} from '#machines/profiles/activation.ts';
import {
  admitDeletion,
  admitImport,
  admitRollback,
  admitSelection,
  type CatalogRefusal,
  type Standing,
} from '#machines/profiles/admit.ts';
import type {
  ChangeRefused,
  DeleteOutcome,
  DocumentOutcome,
  ImportOutcome,
  KeeperCommand,
  KeeperFact,
  KeeperFacts,
  ProfilesAsk,
  ProfilesBoot,
  ProfilesOutcomes,
  SelectOutcome,
  WantedDocument,
} from '#machines/profiles/asks.ts';
import { projectCatalog } from '#machines/profiles/catalog.ts';
import type { EpochMs } from '#machines/kit/units.ts';

import type { ProfileFormat } from './format.ts';
import { previewProfile } from './preview.ts';
import { profileShelf } from './shelf.ts';
import { previewTokens } from './tokens.ts';

/** What the keeper of the catalogue is wired to. */
export interface KeeperDeps {
  readonly files: ProfileFiles;
  readonly format: ProfileFormat;
  readonly boot: ProfilesBoot;
  readonly now: () => EpochMs;
  /** A name nobody can guess. */
  readonly mintToken: () => string;
  /** Version of Sconce, for the report. */
  readonly version: string;
}

interface Answer {
  readonly outcome: ProfilesOutcomes[keyof ProfilesOutcomes];
  readonly restart: boolean;
}

const refused = (code: ChangeRefused['code'], message: string): ChangeRefused => ({ status: 'refused', code, message });
const unwritten = (trouble: string): ChangeRefused =>
  refused(
    'commit-failed',
    `Nothing was changed: the disk refused the write (${trouble}). Free or repair the disk and try again.`,
  );
const standsIn = (refusal: { readonly reason: CatalogRefusal; readonly message: string }): ChangeRefused =>
  refused(refusal.reason, refusal.message);

const text = (value: string): DocumentOutcome => ({ bytes: new TextEncoder().encode(value) });

/** The one writer of the catalogue: one job at a time, each on disk before it is answered. */
export const profilesKeeper = (deps: KeeperDeps) =>
  fromDriver<KeeperCommand, undefined, KeeperFact>(({ send, onEvent }) => {
    const { files, format, boot, now } = deps;
    const shelf = profileShelf(files, format);
    const tokens = previewTokens(now, deps.mintToken);
    let record: ActivationRecord | null = null;

    /**
     * The record in force: read once, then kept as it was written. A damaged one counts from now, so that no page's
     * number fits by chance.
     */
    const inForce = (): ActivationRecord => {
      if (record !== null) return record;
      const found = files.readRecord();
      const parsed = found.state === 'read' ? activationRecord.safeParse(found.value) : null;
      record = parsed?.data ?? { ...firstRecord, generation: found.state === 'absent' ? 0 : Math.floor(now() / 1000) };
      return record;
    };
    const write = async (next: ActivationRecord): Promise<string | null> => {
      const trouble = await files.writeRecord(next);
      if (trouble === null) record = next;
      return trouble;
    };
    const facts = (): KeeperFacts => ({
      record: inForce(),
      catalog: projectCatalog({
        record: inForce(),
        boot,
        matched: format.matched(),
        revisions: shelf.known(),
        unusable: shelf.unusable(),
      }),
    });
    const standing = (): Standing => ({
      record: inForce(),
      active: boot.active,
      local: shelf.local(),
      bundled: shelf.bundled(),
      commandLine: boot.commandLine,
    });

    const select = async (wish: ProfileSelection): Promise<SelectOutcome> => {
      const ref = refOf(wish);
      if (ref !== null && (await shelf.read(ref)) === null)
        return refused(
          'profile-invalid',
          'This revision cannot be used: its file is damaged or gone, or this version of Sconce does not know what it names. Import it again.',
        );
      const trouble = await write(afterSelection(inForce(), wish, now()));
      return trouble === null
        ? { status: 'scheduled', ref: ref ?? format.matched(), catalogRevision: inForce().generation }
        : unwritten(trouble);
    };
    const importBytes = async (bytes: Uint8Array, token: string): Promise<ImportOutcome> => {
      const revision = files.revisionOf(bytes);
      if (!tokens.allows(token, revision))
        return refused(
          'preview-stale',
          'The preview of these exact bytes is not there or has expired. Preview them again, then save with the new token.',
        );
      const reading = format.read(bytes);
      if (!reading.ok)
        return refused(
          'profile-invalid',
          reading.issues[0]?.message ?? 'The profile is not valid. Preview it to see why.',
        );
      const ref: ProfileRef = { id: reading.summary.id, revision };
      const admitted = admitImport(standing(), { ...ref, bytes: bytes.length });
      if (!admitted.ok) return standsIn(admitted);
      if (admitted.value === 'new') {
        const trouble = await files.save(ref, bytes);
        if (trouble !== null) return unwritten(trouble);
        shelf.put(ref, reading);
        await write(afterChange(inForce()));
      }
      return { status: 'saved', saved: admitted.value === 'new', ref, catalogRevision: inForce().generation };
    };
    const remove = async (ref: ProfileRef): Promise<DeleteOutcome> => {
      const trouble = (await write(afterDeletion(inForce(), ref))) ?? (await files.remove(ref));
      if (trouble !== null) return unwritten(trouble);
      shelf.drop(ref);
      return { status: 'deleted', ref, catalogRevision: inForce().generation };
    };
    const documentOf = async (wanted: WantedDocument): Promise<DocumentOutcome> => {
      switch (wanted.kind) {
        case 'schema':
          return text(format.schema());
        case 'drivers':
          return text(format.drivers());
        case 'template':
          return text(format.template());
        case 'device-draft':
          return text(await format.draft());
        case 'revision':
          return shelf.bytes({ id: wanted.id, revision: wanted.revision });
        case 'report': {
          const reading = boot.active === null ? null : await shelf.read(boot.active);
          if (reading === null) return null;
          const { profiles, ...catalog } = facts().catalog;
          const row = profiles.find((one) => boot.active !== null && sameRef(one, boot.active));
          return text(
            JSON.stringify({
              version: deps.version,
              ...catalog,
              profile: row ?? null,
              document: reading.document,
              evidence: await format.look(reading.document),
            }),
          );
        }
      }
    };

    const answer = async (ask: ProfilesAsk): Promise<Answer> => {
      const still = (outcome: Answer['outcome']): Answer => ({ outcome, restart: false });
      const then = (outcome: SelectOutcome): Answer => ({ outcome, restart: outcome.status === 'scheduled' });
      switch (ask.kind) {
        case 'preview':
          return still(await previewProfile({ ...deps, shelf, tokens }, ask));
        case 'import':
          return still(await importBytes(ask.bytes, ask.token));
        case 'select': {
          const admitted = admitSelection(standing(), ask.wish, ask.expected);
          return admitted.ok ? then(await select(admitted.value)) : still(standsIn(admitted));
        }
        case 'rollback': {
          const admitted = admitRollback(standing(), ask.expected);
          return admitted.ok ? then(await select(admitted.value)) : still(standsIn(admitted));
        }
        case 'delete': {
          const admitted = admitDeletion(standing(), ask.ref, ask.expected);
          return still(admitted.ok ? await remove(admitted.value) : standsIn(admitted));
        }
        case 'document':
          return still(await documentOf(ask.wanted));
      }
    };
    const note = async (next: ActivationRecord): Promise<void> => {
      const trouble = next === inForce() ? null : await write(next);
      send({ type: 'keeper.noted', facts: facts(), written: trouble === null });
    };
    const serve = async (command: KeeperCommand): Promise<void> => {
      if (command.type === 'keeper.close') return send({ type: 'keeper.closed' });
      await shelf.load();
      switch (command.type) {
        case 'keeper.load':
          return send({ type: 'keeper.loaded', facts: facts(), at: now() });
        case 'keeper.prove':
          return note(
            boot.active === null ? inForce() : afterHealth(inForce(), boot.active, command.screenProven, now()),
          );
        case 'keeper.take-back':
          return note(isUntried(inForce()) ? inForce() : afterSetback(inForce(), command.reason, now()));
        case 'keeper.serve':
          return send({
            type: 'keeper.answered',
            requestId: command.requestId,
            ...(await answer(command.ask)),
            facts: facts(),
          });
      }
    };

    let line: Promise<void> = Promise.resolve();
    onEvent((command) => {
      line = line.then(() => serve(command));
      return line;
    });
  });
