import { describe, expect, it } from '@jest/globals';
import { projectFiles, projectText } from '../support/project-files.js';

/** passport-jwt's strategy, what `JwtService` and `jsonwebtoken` verify by, and other libraries that do. */
const verifies = /'passport-jwt'|\bverifyAsync\b|\bjwt\.(verify|decode)\b|'(jsonwebtoken|jose|fast-jwt)'/;

describe('Access tokens', () => {
  it('are verified in one place', () => {
    const places = projectFiles('src', /\.ts$/).filter((path) => verifies.test(projectText(path)));
    expect(places).toEqual(['src/platform/auth/jwt.strategy.ts']);
  });
});
