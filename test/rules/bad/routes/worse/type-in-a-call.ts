export type Thing = import('#drivers/target/thing.ts').Thing;
