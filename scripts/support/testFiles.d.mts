export function testFiles(root: string): { own: string[]; shared: string[] };
