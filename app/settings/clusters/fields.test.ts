import { expect, test } from "vitest";
import { slurmSettings } from "@/lib/jobs/place/schema";
import { readTexts, textsOf } from "./fields";

const slurm = slurmSettings.parse({ partition: "cpu", tries: 0, extra: ["#SBATCH --nice", "#SBATCH --exclusive"] });

test("what a form shows is read back as it was", () => {
  expect(readTexts(textsOf(slurm))).toEqual({ slurm });
});

test("each wrong field has its own words, a wrong line its number", () => {
  const read = readTexts({
    ...textsOf(slurm),
    cpusPerTask: "",
    concurrent: "0",
    memory: "4 G",
    folder: "shared",
    extra: "#SBATCH --nice\n\necho",
  });
  expect(read).toEqual({
    faults: {
      cpusPerTask: "a whole number",
      concurrent: "at least 1",
      memory: "letters, digits and . , : + = @ _ - only",
      folder: "an absolute path",
      extra: "line 3: begins with #SBATCH and an option",
    },
  });
});
