@rem The scripts in package.json begin with exec, so that npm's signals reach what they run and not a shell before it.
@rem Windows has neither: there, npm finds this instead.
@%*
