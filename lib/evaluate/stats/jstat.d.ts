declare module "jstat" {
  interface Continuous {
    cdf(x: number, ...parameters: number[]): number;
    inv(p: number, ...parameters: number[]): number;
  }
  /** The part of jStat that is used here. A CommonJS module. */
  const module: { jStat: { normal: Continuous; studentt: Continuous; beta: Continuous } };
  export default module;
}
