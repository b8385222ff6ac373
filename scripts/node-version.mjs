// Imported before anything that an older Node.js cannot even parse.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`\nNode.js ${process.versions.node} is too old: install 20.19 or newer, from https://nodejs.org\n`);
  process.exit(1);
}
