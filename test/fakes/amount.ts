/** How much of something: `few` in a plain run, `many` in `bin/test all`. */
export const amount = <T>(few: T, many: T): T => (process.env['SCONCE_TEST_ALL'] === '1' ? many : few);
