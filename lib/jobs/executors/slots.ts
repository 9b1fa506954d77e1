/** A number of places that work takes and gives back; who finds none waits in line. */
export class Slots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Resolves with how to give the place back (safe to call twice). Rejects with the signal's reason when that comes first. */
  take(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        const at = this.waiting.indexOf(start);
        if (at >= 0) this.waiting.splice(at, 1);
        reject(signal.reason);
      };
      const start = () => {
        signal.removeEventListener("abort", onAbort);
        let held = true;
        resolve(() => {
          if (!held) return;
          held = false;
          const next = this.waiting.shift();
          if (next) next();
          else this.free++;
        });
      };
      if (signal.aborted) reject(signal.reason);
      else if (this.free > 0) {
        this.free--;
        start();
      } else {
        signal.addEventListener("abort", onAbort, { once: true });
        this.waiting.push(start);
      }
    });
  }
}
