import { describe, expect, it } from 'vitest';

import type { DraftEvidence } from '#machines/profile-catalog/reading.ts';
import { driverCatalogue } from '#profiles/catalogue.ts';
import { draftYaml, openMark } from '#profiles/draft.ts';
import { gatherEvidence } from '#profiles/evidence.ts';
import { readProfile } from '#profiles/read.ts';
import { templateYaml } from '#profiles/template.ts';

import { unknownMachine } from './facts.ts';

const read = (text: string) => readProfile(new TextEncoder().encode(text));
const evidence = (state: DraftEvidence['state'], names: readonly string[] = []): readonly DraftEvidence[] =>
  driverCatalogue().map(({ id }) => ({ driver: id, state, names, detail: 'As the test says.' }));
const board = { ...unknownMachine, devicetree_model: 'raspberry pi 4 model b rev 1.4' };

describe('the template', () => {
  it('passes the reader as it is', () => {
    expect(read(templateYaml())).toMatchObject({ ok: true, warnings: [] });
  });
});

describe('a draft', () => {
  it.each(['found', 'denied', 'missing', 'unknown'] as const)(
    'passes the reader as it is where everything is %s',
    (state) => {
      expect(read(draftYaml(board, evidence(state)))).toMatchObject({
        ok: true,
        warnings: [],
        summary: { id: 'draft.raspberry-pi-4-model-b-rev-1-4', maturity: 'draft' },
      });
    },
  );

  it('matches the machine that it is a draft of and marks it where the machine tells nothing', () => {
    const drafted = read(draftYaml(board, []));
    expect(drafted.ok && drafted.document['match']).toEqual({
      priority: 100,
      fallback: false,
      any: [
        {
          priority: 100,
          all: [{ field: 'devicetree_model', op: 'equals', values: ['raspberry pi 4 model b rev 1.4'] }],
        },
      ],
    });
    expect(draftYaml(unknownMachine, [])).toContain(`${openMark}: this machine reports no model`);
    expect(read(draftYaml(unknownMachine, []))).toMatchObject({ ok: true });
  });

  it('takes only parts that can do no harm, and leaves the others as comments', () => {
    const drafted = read(draftYaml(board, evidence('found')));
    if (!drafted.ok) throw new Error('it was refused');
    expect(drafted.summary.drivers).toEqual(expect.arrayContaining(['screen.auto', 'input.evdev']));
    expect(drafted.summary.drivers.filter((id) => /^(?:relay|led|zigbee|proximity)\./.test(id))).toEqual([]);
  });

  it('lets no name of the machine out of its comment or its quotes', () => {
    const hostile = 'x\nhardware: { screen: { driver: screen.simulated } } # "\\';
    const drafted = read(draftYaml({ ...unknownMachine, dmi_product: hostile }, evidence('found', [hostile])));
    expect(drafted).toMatchObject({ ok: true });
    expect(drafted.ok && drafted.summary.drivers).not.toContain('screen.simulated');
  });

  it('is made of looks at this very machine that all come back', async () => {
    const found = await gatherEvidence();
    expect(found.map(({ driver }) => driver)).toEqual(
      driverCatalogue()
        .filter(({ system }) => system === 'linux')
        .map(({ id }) => id),
    );
    expect(read(draftYaml(board, found))).toMatchObject({ ok: true });
  });
});
