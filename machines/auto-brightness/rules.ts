import type { SettingRule } from '../kit/setting.ts';

const MINIMUM = 'auto_brightness_minimum_percent';
const MAXIMUM = 'auto_brightness_maximum_percent';

/** The brightest is above the darkest: the levels are spread between them. */
export const rangeRule: SettingRule = {
  keys: [MINIMUM, MAXIMUM],
  judge: ({ [MINIMUM]: minimum = 0, [MAXIMUM]: maximum = 0 }) =>
    Number(maximum) > Number(minimum)
      ? {}
      : {
          [MINIMUM]: `Automatic brightness, darkest must be below the brightest, which is ${maximum} %.`,
          [MAXIMUM]: `Automatic brightness, brightest must be above the darkest, which is ${minimum} %.`,
        },
};
