import { Body, Controller, Get, Ip, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Bearer, Public } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { RecentLogin } from '../../platform/auth/recent-login.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { UsersService } from '../users/users.service.js';
import { User, UserCreate } from '../users/users.dto.js';
import { AuthService } from './auth.service.js';
import {
  LoginResponse,
  PasswordChange,
  Reauthentication,
  SessionChoice,
  Token,
  TOTPLoginRequest,
  UserLogin,
} from './auth.dto.js';
import { LoginService } from './login.service.js';
import { ReauthenticationService } from './reauthentication.service.js';
import { RegistrationService } from './registration.service.js';

@ApiTags('auth')
@Controller('api/v1/auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly logins: LoginService,
    private readonly registrations: RegistrationService,
    private readonly reauthentications: ReauthenticationService,
    private readonly users: UsersService,
  ) {}

  @Post('register')
  @Public()
  @Answers(
    201,
    User,
    'Register an account',
    'Creates an account and its empty cart. Username and e-mail address are unique, ignoring case. `referral_code` ' +
      'is the username of the account that recommended the shop, if any.',
  )
  @Refuses({
    rule_broken: ['unknown_referral_code'],
    conflict: ['username_taken', 'email_taken'],
    too_many_requests: ['rate_exceeded', 'busy'],
  })
  register(@Body() user: UserCreate, @Ip() ip: string): Promise<User> {
    return this.registrations.register(user, ip);
  }

  @Post('login')
  @Public()
  @Answers(
    200,
    LoginResponse,
    'Sign in with a password',
    'Returns an access token or, if the account has two-factor login, `requires_totp: true` and a ' +
      '`temp_token` for POST /api/v1/auth/login/totp. An unknown user and a wrong password get the same response. ' +
      'The access token comes with the refresh token of a new session. The example is the login of the demo.',
  )
  @Refuses({
    unauthenticated: ['wrong_credentials'],
    forbidden: ['foreign_origin', 'account_suspended', 'provider_only'],
    too_many_requests: ['too_many_attempts', 'busy'],
  })
  login(
    @Body() login: UserLogin,
    @Query() { session }: SessionChoice,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LoginResponse> {
    return this.logins.login(login, session, response);
  }

  @Post('login/totp')
  @Public()
  @Answers(
    200,
    Token,
    'Sign in with a code, after the password',
    'The second step of a two-factor login: the `temp_token` of the first one, which is valid for five minutes, ' +
      'and a code from the authenticator app or a recovery code. A code works once. The new session needs no ' +
      'further code.',
  )
  @Refuses({
    unauthenticated: ['wrong_code', 'login_ended'],
    forbidden: ['foreign_origin'],
    too_many_requests: ['too_many_attempts', 'busy'],
  })
  loginWithCode(
    @Body() login: TOTPLoginRequest,
    @Query() { session }: SessionChoice,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Token> {
    return this.logins.loginWithCode(login, session, response);
  }

  @Post('reauthenticate')
  @Bearer()
  @Answers(
    200,
    Token,
    'Confirm your identity again',
    'Takes the password, and with two-factor login a code, and returns an access token that counts as a recent ' +
      'login. Operations that change passwords, factors, keys or roles require a login within the last 15 minutes ' +
      '(REAUTHENTICATE_AFTER), else they respond with 401 `reauthentication_required`. The session continues with ' +
      'its refresh token.',
  )
  @Refuses({
    rule_broken: ['wrong_password', 'wrong_code', 'code_required', 'no_session'],
    forbidden: ['provider_only'],
    too_many_requests: ['too_many_attempts', 'busy'],
  })
  reauthenticate(@Caller() caller: CallerIdentity, @Body() proof: Reauthentication, @Ip() ip: string): Promise<Token> {
    return this.reauthentications.reauthenticate(caller, proof, ip);
  }

  @Get('me')
  @Bearer()
  @Answers(200, User, "Get the caller's account", "The caller's own account, including private fields.")
  me(@Caller() caller: CallerIdentity): Promise<User> {
    return this.users.me(caller);
  }

  // Unspecified: changing a password. Without it nobody could end the tokens of a stolen account.
  @Post('password')
  @Bearer()
  @RecentLogin()
  @Answers(
    200,
    Token,
    'Change your password',
    'Ends all other sessions of the account and all access tokens, including this one, and returns a new access ' +
      "token for the caller's session, whose refresh token stays valid. The example keeps the demo's password, so " +
      "that the demo's login still works.",
  )
  @Refuses({
    rule_broken: ['wrong_password'],
    conflict: ['password_changed'],
    too_many_requests: ['too_many_attempts', 'busy'],
  })
  changePassword(@Caller() caller: CallerIdentity, @Body() change: PasswordChange, @Ip() ip: string): Promise<Token> {
    return this.auth.changePassword(caller, change, ip);
  }
}
