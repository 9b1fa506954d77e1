/** Entry of a thread of the worker or the command line that reads for an import. */
import { serveImport } from "@/lib/jobs/executors/importThread";

serveImport();
