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

@ApiTags('auth')
@Controller('api/v1/auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly logins: LoginService,
    private readonly users: UsersService,
  ) {}

  @Post('register')
  @Public()
  @Answers(201, User, 'Register an account')
  @Refuses({ rule_broken: 'An unknown referral code', conflict: 'The username or the e-mail is taken' })
  register(@Body() user: UserCreate): Promise<User> {
    return this.auth.register(user);
  }

  @Post('login')
  @Public()
  @Answers(200, LoginResponse, 'Sign in with a password')
  @Refuses({ unauthenticated: 'A wrong username or password' })
  login(@Body() login: UserLogin, @Ip() ip: string): Promise<LoginResponse> {
    return this.logins.login(login, ip);
  }

  @Post('login/totp')
  @Public()
  @Answers(200, Token, 'Sign in with a code, after the password')
  @Refuses({ unauthenticated: 'A wrong code, or a temporary token that is no longer good' })
  loginWithCode(@Body() login: TOTPLoginRequest, @Ip() ip: string): Promise<Token> {
    return this.logins.loginWithCode(login, ip);
  }

  @Get('me')
  @Bearer()
  @Answers(200, User, "Get the caller's account")
  me(@Caller() caller: CallerIdentity): Promise<User> {
    return this.users.me(caller);
  }

  // Not shown: changing a password. Without it nobody could end the tokens of a stolen account.
  @Post('password')
  @Bearer()
  @Answers(200, Token, "Change the caller's password; ends all tokens and answers a new one")
  @Refuses({
    unauthenticated: 'No valid access token, or a wrong present password',
    conflict: 'Another change came first',
  })
  changePassword(@Caller() caller: CallerIdentity, @Body() change: PasswordChange, @Ip() ip: string): Promise<Token> {
    return this.auth.changePassword(caller, change, ip);
  }
}
