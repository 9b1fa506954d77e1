import { harborTrial } from "./harbor";
import type { FolderFormat } from "./module";

/** Formats spread over several files, in the order they are asked. */
export const FOLDER_FORMATS: readonly FolderFormat[] = [harborTrial];
