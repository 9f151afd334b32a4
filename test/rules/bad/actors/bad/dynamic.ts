export const name = async (): Promise<string> => (await import('#routes/target/thing.ts')).thing.name;
