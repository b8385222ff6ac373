// Imported first: the rest needs what an older Node.js lacks. npm only warns of it, and node dist/src/main.js asks nobody.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`\nNode.js ${process.versions.node} is too old: install 20.19 or newer, from https://nodejs.org\n`);
  process.exit(1);
}
