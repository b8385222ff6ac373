// Imported first, since the other modules need features that an older Node.js lacks. npm only warns of an old version,
// and `node dist/src/main.js` does not check it at all.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`\nNode.js ${process.versions.node} is too old: install 20.19 or newer, from https://nodejs.org\n`);
  process.exit(1);
}
