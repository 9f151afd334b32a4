import { fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { ProfileFiles } from '#drivers/profiles/files.ts';
import type { EpochMs } from '#machines/kit/units.ts';
import { busyWords, profileWords } from '#machines/maintenance/words.ts';
import {
  type ActivationRecord,
  afterHealth,
  afterSetback,
  isUntried,
  sameRef,
} from '#machines/profile-catalog/activation.ts';
import type { ProfilesBoot } from '#machines/profile-catalog/boot.ts';
import { catalogView } from '#machines/profile-catalog/catalog.ts';
import type { CatalogCommand, CatalogFact, CatalogState } from '#machines/profile-catalog/events.ts';
import { allowsImport, issueToken, type PreviewTokens } from '#machines/profile-catalog/preview-tokens.ts';
import { invalidPreview, validPreview } from '#machines/profile-catalog/preview.ts';
import type {
  ActivationRequest,
  AnyProfilesRequest,
  ProfilePreview,
  ProfilesOutcomes,
  SelectOutcome,
} from '#machines/profile-catalog/requests.ts';

import { oneAtATime } from '../kit/one-at-a-time.ts';
import type { Registry } from '../kit/registry.ts';
import { activationFile } from './activation-file.ts';
import { catalogChanges } from './changes.ts';
import { documentOf } from './documents.ts';
import type { ProfileFormat } from './format.ts';
import { profileRevisions } from './revisions.ts';

export interface ProfileStoreDeps {
  readonly registry: Pick<Registry, 'ask' | 'tell'>;
  readonly files: ProfileFiles;
  readonly format: ProfileFormat;
  readonly boot: ProfilesBoot;
  readonly now: () => EpochMs;
  /** A name that cannot be guessed. */
  readonly generateToken: () => string;
  /** Version of Sconce, for the report. */
  readonly version: string;
}

/** The one writer of the catalogue: one job at a time, each on disk before it is answered. */
export function profileStore(deps: ProfileStoreDeps) {
  // Shared by all starts of this actor: a restarted driver reads only after its predecessor's last write has ended.
  let former: Promise<void> = Promise.resolve();
  return fromDriver<CatalogCommand, undefined, CatalogFact>(({ send, onEvent }) => {
    const { files, format, boot, now } = deps;
    const revisions = profileRevisions(files, format);
    const activation = activationFile(files, now);
    const changes = catalogChanges({ files, format, boot, revisions, activation, now });
    let tokens: PreviewTokens = [];

    const state = (): CatalogState => ({
      record: activation.inForce(),
      catalog: catalogView({
        record: activation.inForce(),
        boot,
        matched: format.matched(),
        revisions: revisions.known(),
        unusable: revisions.unusable(),
      }),
    });
    const preview = async (bytes: Uint8Array, probe: boolean): Promise<ProfilePreview> => {
      const reading = format.read(bytes);
      if (!reading.ok) return invalidPreview(reading);
      const { summary, document } = reading;
      const before = boot.active === null ? null : await revisions.read(boot.active);
      const permission = issueToken(tokens, { token: deps.generateToken(), revision: summary.revision }, now());
      tokens = permission.tokens;
      return validPreview({
        reading,
        saved: [...revisions.local(), ...revisions.bundled()].some((one) => sameRef(one, summary)),
        bundled: revisions.bundled().some(({ id }) => id === summary.id),
        matches: format.matches(summary.id, document),
        diff: before === null ? [] : format.diff(before.document, document),
        permission: permission.issued,
        evidence: probe ? await format.probe(document) : null,
      });
    };
    /** Activates as the only operation of the panel; it goes on until the catalogue says how the trial ended. */
    const activate = async (change: ActivationRequest): Promise<SelectOutcome> => {
      const kind = change.kind === 'select' ? 'profile-select' : 'profile-rollback';
      const worked = await oneAtATime(deps.registry, { kind, holder: 'profile-catalog', now }, async () => {
        const value = await changes.activate(change);
        return { value, end: value.status === 'scheduled' ? { ordered: profileWords.trial } : null };
      });
      return 'done' in worked
        ? worked.done
        : { status: 'refused', code: 'operation-busy', message: busyWords(worked.busy) };
    };
    const answer = (ask: AnyProfilesRequest): Promise<ProfilesOutcomes[keyof ProfilesOutcomes]> => {
      switch (ask.kind) {
        case 'preview':
          return preview(ask.bytes, ask.probe);
        case 'import':
          return changes.import(ask.bytes, (revision) => allowsImport(tokens, ask.token, revision, now()));
        case 'judge':
          return changes.judge(ask.change);
        case 'select':
        case 'rollback':
          return activate(ask);
        case 'delete':
          return changes.remove(ask.ref, ask.expected);
        case 'document':
          return documentOf({ ...deps, revisions, listing: () => state().catalog }, ask.wanted);
      }
    };
    const note = async (next: ActivationRecord): Promise<void> => {
      const trouble = next === activation.inForce() ? null : await activation.write(next);
      send({ type: 'catalog.noted', state: state(), written: trouble === null });
    };
    const serve = async (command: CatalogCommand): Promise<void> => {
      if (command.type === 'catalog.close') return send({ type: 'catalog.closed' });
      await revisions.load();
      const record = activation.inForce();
      switch (command.type) {
        case 'catalog.load':
          return send({ type: 'catalog.loaded', state: state(), at: now() });
        case 'catalog.prove':
          return note(boot.active === null ? record : afterHealth(record, boot.active, command.screenProven, now()));
        case 'catalog.take-back':
          return note(isUntried(record) ? record : afterSetback(record, command.reason, now()));
        case 'catalog.serve': {
          const outcome = await answer(command.ask);
          const restart = outcome !== null && 'status' in outcome && outcome.status === 'scheduled';
          return send({ type: 'catalog.answered', requestId: command.requestId, outcome, restart, state: state() });
        }
      }
    };

    const inTurn = serial({ stopsAtThrow: true });
    const predecessor = former;
    void inTurn(() => predecessor);
    onEvent((command) => inTurn(() => serve(command)));
    return () => {
      // What was accepted is finished while the rest of the agent stops; after a crash nothing is.
      former = inTurn(() => {}).catch(() => {});
      return former;
    };
  });
}
