import "server-only";
import path from "node:path";
import { home } from "@/db/home";

/** Folder of all kept environments: MISSTEP_HOME/environments/<digest>/{files,layers}. */
export const environmentsHome = (): string => path.join(home().root, "environments");

const checkedDigest = (digest: string): string => {
  if (!/^[0-9a-f]{64}$/.test(digest)) throw new Error(`"${digest}" is no digest of an environment`);
  return digest;
};

/** The kept files of an environment, by digest: what runs use, whatever becomes of the folder it was imported from. */
export const filesFolder = (digest: string): string => path.join(environmentsHome(), checkedDigest(digest), "files");

/** Built read-only layers of an environment. */
export const layersFolder = (digest: string): string => path.join(environmentsHome(), checkedDigest(digest), "layers");
