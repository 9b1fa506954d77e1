/** Address of the trajectory list behind a number. */
export function listHref(filter: {
  misbehavior?: string;
  model?: string | null;
  task?: string;
  outcome?: string;
}): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(filter)) if (value !== undefined && value !== null) query.set(key, value);
  const text = query.toString();
  return text === "" ? "/trajectories" : `/trajectories?${text}`;
}
