/** How much of something: `few` in a plain run, `many` in `bin/test all`. */
export const amount = <T>(few: T, many: T): T => (process.env['SCONCE_TEST_ALL'] === '1' ? many : few);

/** Cases of something: all in `bin/test all`, in a plain run the first `count` alone. */
export const few = <T>(cases: readonly T[], count = 1): readonly T[] => amount(cases.slice(0, count), cases);
