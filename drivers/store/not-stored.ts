/** The files were not read: they may be newer than anything in memory. */
export class NotLoaded extends Error {
  override readonly name = 'NotLoaded';
  readonly code = 'unreadable';
}

/** Sections of several files cannot be replaced atomically. */
export class NotTogether extends Error {
  override readonly name = 'NotTogether';
  readonly code = 'not-together';
}

/** The folder of the sections could not be created. */
export class NoFolder extends Error {
  override readonly name = 'NoFolder';
  readonly code: string;
  constructor(code: string) {
    super('the folder of the sections was not made');
    this.code = code;
  }
}

/** There is no newer document to decide about. */
export class NotUndecided extends Error {
  override readonly name = 'NotUndecided';
  readonly code = 'not-undecided';
}
