import { describe, expect, it } from '@jest/globals';
import { projectFiles, projectText } from '../support/project-files.js';

/** passport-jwt's strategy, what `JwtService` and `jsonwebtoken` verify by, and other libraries that do. */
const verifies = /'passport-jwt'|\bverifyAsync\b|\bjwt\.(verify|decode)\b|'(jsonwebtoken|jose|fast-jwt)'/;

/** A provider's logout tokens open nothing. */
const logoutTokens = 'src/store/oidc/oidc-provider.ts';

describe('Access tokens', () => {
  it('are verified in one place', () => {
    const places = projectFiles('src', /\.ts$/).filter((path) => verifies.test(projectText(path)));
    expect(places.filter((path) => path !== logoutTokens)).toEqual(['src/platform/auth/jwt.strategy.ts']);
  });
});
