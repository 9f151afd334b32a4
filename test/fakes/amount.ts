/** How often something is repeated: `few` times in a plain run, `many` times in `bin/test all`. */
export const amount = (few: number, many: number): number => (process.env['SCONCE_TEST_ALL'] === '1' ? many : few);
