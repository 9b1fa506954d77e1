/**
 * Works on items in order, `width` at once. The first error stops the lanes after what they have in hand, and is thrown.
 * An abort takes no new item.
 */
export async function inLanes<T>(
  items: readonly T[],
  width: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  let broken: { error: unknown } | null = null;
  const lane = async () => {
    for (;;) {
      if (signal.aborted || broken) return;
      const item = queue.shift();
      if (item === undefined) return;
      try {
        await work(item);
        // Timers and signals get their turn also when the work never waits.
        await new Promise<void>((resolve) => setImmediate(resolve));
      } catch (error) {
        broken ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, queue.length) }, lane));
  if (broken !== null) throw (broken as { error: unknown }).error;
}
