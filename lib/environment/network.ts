/** Programs that are of no use without a network, and for those with harmless uses the first argument that needs one. */
const NEEDS_NETWORK: Record<string, true | readonly string[]> = {
  "apt-get": ["install", "update", "upgrade", "dist-upgrade", "source", "build-dep"],
  apt: ["install", "update", "upgrade", "full-upgrade"],
  apk: ["add", "update", "upgrade"],
  dnf: true,
  yum: true,
  pip: ["install", "download", "wheel"],
  pip3: ["install", "download", "wheel"],
  pipx: true,
  uv: true,
  uvx: true,
  poetry: true,
  conda: true,
  npm: ["install", "i", "ci", "add", "exec"],
  npx: true,
  yarn: true,
  pnpm: true,
  cargo: ["install", "fetch", "add"],
  rustup: true,
  gem: ["install"],
  bundle: ["install"],
  go: ["get", "install", "mod"],
  curl: true,
  wget: true,
  git: ["clone", "fetch", "pull", "submodule"],
  ssh: true,
  scp: true,
  rsync: true,
  "add-apt-repository": true,
};

/** First command of a shell script that cannot work without a network, as written; null when none is seen. A hint, not a proof. */
export function networkCommand(script: string): string | null {
  for (const part of script.split(/&&|\|\||[;|\n(){}`]/)) {
    const tokens = part.trim().split(/\s+/);
    while (
      tokens[0] !== undefined &&
      (/^\w+=/.test(tokens[0]) || /^(sudo|env|exec|then|do|else|if|!|time)$/.test(tokens[0]))
    )
      tokens.shift();
    const name = tokens[0]?.replace(/^.*\//, "");
    if (name === undefined) continue;
    let needs = NEEDS_NETWORK[name];
    let rest = tokens.slice(1);
    if (/^python3?$/.test(name) && tokens[1] === "-m" && tokens[2] !== undefined) {
      needs = NEEDS_NETWORK[tokens[2]];
      rest = tokens.slice(3);
    }
    if (needs === undefined) continue;
    const verb = rest.find((token) => !token.startsWith("-"));
    if (needs === true ? !rest.some((t) => t === "--version" || t === "--help") : verb && needs.includes(verb))
      return part.trim();
  }
  return null;
}
