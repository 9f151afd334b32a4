import facts from '../package.json' with { type: 'json' };

/** Version of this Sconce, which `requires.min_core_version` is compared with. */
export const coreVersion: string = facts.version;
