import jstat from "jstat";

const { jStat } = jstat;

/** P(Z <= x) of the standard normal distribution. */
export const normalCdf = (x: number): number => jStat.normal.cdf(x, 0, 1);
export const normalQuantile = (p: number): number => jStat.normal.inv(p, 0, 1);
/** Quantile of Student's t with `df` degrees of freedom. */
export const tQuantile = (p: number, df: number): number => jStat.studentt.inv(p, df);
export const betaQuantile = (p: number, a: number, b: number): number => jStat.beta.inv(p, a, b);
