/** A task directory that cannot be read. `position`: line and column, or the key concerned; null for the whole file. */
export interface EnvironmentRefusal {
  path: string;
  position: string | null;
  reason: string;
}

/** Thrown by the readers of task directories. The message holds path, position and reason. */
export class EnvironmentRefused extends Error {
  constructor(readonly refusal: EnvironmentRefusal) {
    const { path, position, reason } = refusal;
    super(`${path}${position ? ` (${position})` : ""}: ${reason}`);
    this.name = "EnvironmentRefused";
  }
}

export function refuse(path: string, position: string | null, reason: string): never {
  throw new EnvironmentRefused({ path, position, reason });
}
