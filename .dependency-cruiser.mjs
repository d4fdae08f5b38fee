// Who may import whom. Every rule has an example that breaks it in scripts/import-rules.test.ts.

/** Tests may look behind a feature's door, and start the whole app. */
const tests = ['\\.test\\.tsx?$', '^src/server/[^/]+/testing/', '^src/server/kit/testing/', '^src/web/[^/]+/testing/'];
/** What a feature shows to the others: its tables, and its public door. */
const shownByFeatures = '\\.(table|public)\\.ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or hide a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'everything-exists',
      comment: 'An import that is not found fails when the program runs.',
      severity: 'error',
      from: {},
      // With a suffix such as ?url it is Vite that resolves the import, and fails the build.
      to: { couldNotResolve: true, pathNot: '\\?\\w+$' },
    },
    {
      name: 'no-undeclared-packages',
      comment: 'A package that only another package brought may be gone after its next update.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'server-runs-without-dev-packages',
      comment: 'An installation without development packages must serve.',
      severity: 'error',
      from: { path: '^src/(server|contract|qr)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'contract-imports-zod-only',
      comment: 'The contract is what server and browser agree on; it must run in both.',
      severity: 'error',
      from: { path: '^src/contract/', pathNot: tests },
      to: { pathNot: ['^src/contract/', '(^|/)node_modules/zod/'] },
    },
    {
      name: 'drawing-imports-the-encoder-only',
      comment: 'Codes are drawn in the browser and on the visit path by the same code, which must run in both.',
      severity: 'error',
      from: { path: '^src/qr/', pathNot: tests },
      to: { pathNot: ['^src/qr/', '(^|/)node_modules/qrcode/'] },
    },
    {
      name: 'server-and-web-are-apart',
      comment: 'They meet in the contract; only a test may put both ends of a protocol together.',
      severity: 'error',
      from: { path: '^src/(server|web)/', pathNot: tests },
      to: { path: '^src/(server|web)/', pathNot: '^src/$1/' },
    },
    {
      name: 'kit-knows-no-feature',
      comment: 'What every feature stands on cannot stand on one of them.',
      severity: 'error',
      from: { path: '^src/(server|web)/kit/', pathNot: tests },
      to: { path: '^src/(server|web)/', pathNot: ['^src/(server|web)/kit/', '^src/server/config\\.ts$'] },
    },
    {
      name: 'redirect-sees-public-doors-only',
      comment: 'The visit path is kept small: of features it sees nothing but public doors.',
      severity: 'error',
      from: { path: '^src/server/redirect/', pathNot: tests },
      to: { path: '^src/server/', pathNot: ['^src/server/(redirect|kit)/', '\\.public\\.ts$', '^src/server/config\\.ts$'] },
    },
    {
      name: 'server-features-meet-in-tables-and-public-doors',
      comment: "Another feature's service, rules and jobs are its own business.",
      severity: 'error',
      // Demo data is made of every feature, as the app is; what is sealed lies in many.
      from: { path: '^src/server/([^/]+)/', pathNot: ['^src/server/(kit|redirect|demo|master-key)/', ...tests] },
      to: { path: '^src/server/', pathNot: ['^src/server/($1|kit)/', shownByFeatures, '^src/server/config\\.ts$'] },
    },
    {
      name: 'web-features-meet-in-routes',
      comment: 'A screen that needs another screen is one screen, or needs the kit.',
      severity: 'error',
      from: { path: '^src/web/([^/]+)/', pathNot: ['^src/web/kit/', ...tests] },
      // qr draws and reads QR images for every screen, and knows none of them.
      to: { path: '^src/web/', pathNot: '^src/web/($1|kit|qr)/' },
    },
    {
      name: 'product-does-not-import-tests',
      comment: 'What only tests need must not reach a running product.',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: tests },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
