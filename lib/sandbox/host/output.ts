import { FifoReader } from "./io";

/** One output of a command. Another process can open and close its FIFO before the command does; it is opened again then. */
export class Output {
  private reader: FifoReader;
  private over = false;
  private sink: ((chunk: Buffer) => void) | null = null;

  constructor(
    private readonly openRead: () => number,
    private readonly all: Set<FifoReader>,
    private readonly free: () => void,
  ) {
    this.reader = this.start();
  }

  private start(): FifoReader {
    const reader: FifoReader = new FifoReader(
      this.openRead(),
      (chunk) => this.sink?.(chunk),
      () => {
        this.all.delete(reader);
        if (this.over) this.free();
        else this.reader = this.start();
      },
    );
    this.all.add(reader);
    return reader;
  }

  to(sink: (chunk: Buffer) => void): void {
    this.sink = sink;
  }

  /** The command ended: takes what it wrote; the FIFO is free once its last writer is gone. */
  finish(): void {
    this.over = true;
    this.reader.drain();
  }
}
