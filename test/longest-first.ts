import { existsSync } from 'node:fs';
import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/**
 * Starts the files of `folder` in this order, those that are not named last: what takes longest is not to be left for
 * the end, when nothing runs beside it any more. `names` are paths below `folder` without `.test.ts`.
 */
export function longestFirst(folder: URL, names: readonly string[]): TestSequencerConstructor {
  for (const name of names)
    if (!existsSync(new URL(`${name}.test.ts`, folder))) throw new Error(`${name} stands in the order and is missing`);
  const place = ({ moduleId }: TestSpecification): number => {
    const index = names.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
    return index === -1 ? names.length : index;
  };
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, which returns a new list
      const sorted = await super.sort(files);
      return sorted.toSorted((one, other) => place(one) - place(other));
    }
  };
}
