/** Addresses of the rows behind numbers, as the app reads them. */
export const LINKS = {
  measurement: (id: number): string => `/compare?m=${id}`,
  /** Samples of one policy; with a type only those of its prefixes. */
  samples: (measurement: number, checkpointId: number, errorTypeId?: number): string =>
    `/trajectories?measurement=${measurement}&measuredCheckpoint=${checkpointId}${errorTypeId === undefined ? "" : `&measuredType=${errorTypeId}`}`,
  profile: (id: number): string => `/profiles/${id}`,
  training: (id: number): string => `/train/${id}`,
  misbehavior: (slug: string): string => `/misbehaviors/${slug}`,
  model: (name: string): string => `/trajectories?model=${encodeURIComponent(name)}`,
  scores: (names: readonly string[]): string =>
    `/evaluate${names.length === 0 ? "" : `?${names.map((n) => `model=${encodeURIComponent(n)}`).join("&")}`}`,
  attempts: (model: string, task: string): string =>
    `/trajectories?model=${encodeURIComponent(model)}&task=${encodeURIComponent(task)}`,
} as const;
