import { Body, Controller, Get, Ip, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer, Public } from '../../common/auth/access.js';
import { Caller, type CallerIdentity } from '../../common/auth/caller.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { UsersService } from '../users/users.service.js';
import { User, UserCreate } from '../users/users.shapes.js';
import { AuthService } from './auth.service.js';
import { LoginResponse, PasswordChange, Token, TOTPLoginRequest, UserLogin } from './auth.shapes.js';
import { LoginService } from './login.service.js';
import { RegistrationService } from './registration.service.js';

@ApiTags('auth')
@Controller('api/v1/auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly logins: LoginService,
    private readonly registrations: RegistrationService,
    private readonly users: UsersService,
  ) {}

  @Post('register')
  @Public()
  @Answers(
    201,
    User,
    'Register an account',
    'Makes an account and its empty cart. Username and e-mail address are unique, whatever the case of their ' +
      'letters. `referral_code` is the username of the account that recommended the shop, if any.',
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
      '`temp_token` for POST /api/v1/auth/login/totp. An unknown user and a wrong password get the same answer. ' +
      'The example is the login of the demo.',
  )
  @Refuses({ unauthenticated: ['wrong_credentials'], too_many_requests: ['too_many_attempts', 'busy'] })
  login(@Body() login: UserLogin, @Ip() ip: string): Promise<LoginResponse> {
    return this.logins.login(login, ip);
  }

  @Post('login/totp')
  @Public()
  @Answers(
    200,
    Token,
    'Sign in with a code, after the password',
    'The second step of a two-factor login: the `temp_token` of the first one, which lives five minutes, and a ' +
      'code of the authenticator app or a recovery code. A code serves once.',
  )
  @Refuses({ unauthenticated: ['wrong_code', 'login_ended'], too_many_requests: ['too_many_attempts', 'busy'] })
  loginWithCode(@Body() login: TOTPLoginRequest, @Ip() ip: string): Promise<Token> {
    return this.logins.loginWithCode(login, ip);
  }

  @Get('me')
  @Bearer()
  @Answers(200, User, "Get the caller's account", "The caller's own account, with what nobody else sees of it.")
  me(@Caller() caller: CallerIdentity): Promise<User> {
    return this.users.me(caller);
  }

  // Unspecified: changing a password. Without it nobody could end the tokens of a stolen account.
  @Post('password')
  @Bearer()
  @Answers(
    200,
    Token,
    'Change your password',
    'Ends all access tokens of the account, this one included, and returns a new one. The example sets the ' +
      "demo's password to what it is, so that the demo's login goes on working.",
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
