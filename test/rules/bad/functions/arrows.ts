const plain = (value: number): number => { // refused: plain
  return value + 1;
};
export const exported = async <T>(value: T): Promise<T> => { // refused: exported
  await Promise.resolve();
  return value;
};
export const used = [plain, exported];
