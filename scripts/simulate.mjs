// Lives through days of a shop from a seed: `npm run simulate -- --seed 7 --days 1`. simulation/README.md says what for.
import './ts-loader.mjs';

await import('../simulation/main.ts');
