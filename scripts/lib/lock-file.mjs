// Tools such as Biome and Vite come as one optional package per system. npm leaves those out of the lock file that the
// registry in use does not hold, and `npm ci` then refuses the lock file everywhere.

/**
 * @typedef {{
 *   version?: string,
 *   license?: string,
 *   dev?: boolean,
 *   optional?: boolean,
 *   os?: string[],
 *   cpu?: string[],
 *   libc?: string[],
 *   engines?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>,
 * }} LockEntry
 * @typedef {{ packages: Record<string, LockEntry> }} LockFile
 */

/**
 * The optional packages that the lock file names but does not describe, each with the entry that it should have.
 *
 * @param {LockFile} lock
 * @returns {[path: string, entry: LockEntry][]}
 */
export function findMissingEntries(lock) {
  return Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !lock.packages[`node_modules/${name}`] && !lock.packages[`${path}/node_modules/${name}`])
      .map(([name, version]) => describePlatformPackage(name, version, entry)),
  );
}

/**
 * @param {LockFile} lock
 * @returns {LockFile}
 */
export function completeLock(lock) {
  const packages = { ...lock.packages, ...Object.fromEntries(findMissingEntries(lock)) };
  // In npm's own order, so that its next run changes nothing.
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm64', 'x64', 'arm', 'ppc64', 'riscv64', 's390x', 'ia32', 'wasm32'];

/**
 * Such packages say in their name what they run on: `binding-linux-arm64-musl`.
 *
 * @param {string} name
 * @param {string} version
 * @param {LockEntry} parent
 * @returns {[path: string, entry: LockEntry]}
 */
function describePlatformPackage(name, version, parent) {
  const words = name.split(/[/-]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.some((word) => word.startsWith('gnu'))
      ? ['glibc']
      : [];
  return [
    `node_modules/${name}`,
    {
      version,
      ...(cpu.length > 0 ? { cpu } : {}),
      ...(parent.dev ? { dev: true } : {}),
      ...(libc.length > 0 ? { libc } : {}),
      ...(parent.license ? { license: parent.license } : {}),
      optional: true,
      ...(os.length > 0 ? { os } : {}),
      ...(parent.engines ? { engines: parent.engines } : {}),
    },
  ];
}
