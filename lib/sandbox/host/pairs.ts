import type { FifoReader, IoDir } from "./io";
import { Output } from "./output";

/** The two outputs of one command. */
interface Pair {
  pair: number;
  out: Output;
  err: Output;
}

/** Pairs of outputs, each opened before its command is there: while the one before is answered nobody waits. */
export class OutputPairs {
  private prepared: Promise<Pair> | null = null;

  constructor(
    private readonly io: IoDir,
    private readonly readers: Set<FifoReader>,
  ) {}

  /** Opens a pair for the next command while there is time. */
  prepare(): void {
    this.prepared ??= this.open();
    this.prepared.catch(() => undefined);
  }

  async next(): Promise<Pair> {
    this.prepare();
    const pair = await (this.prepared as Promise<Pair>);
    this.prepared = null;
    return pair;
  }

  private async open(): Promise<Pair> {
    const pair = await this.io.take();
    let held = 2;
    const free = () => {
      if (--held === 0) this.io.release(pair);
    };
    const output = (suffix: string) => new Output(() => this.io.openRead(`${pair}.${suffix}`), this.readers, free);
    return { pair, out: output("o"), err: output("e") };
  }
}
