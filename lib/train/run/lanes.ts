/** Runs `work` over all, `lanes` at a time; results in order. The first failure is thrown once the lanes have stopped. */
export async function mapLanes<T, R>(all: readonly T[], lanes: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(all.length);
  let next = 0;
  let failure: { error: unknown } | null = null;
  const lane = async () => {
    while (failure === null && next < all.length) {
      const i = next++;
      try {
        results[i] = await work(all[i] as T);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, all.length) }, lane));
  const failed = failure as { error: unknown } | null;
  if (failed !== null) throw failed.error;
  return results;
}
