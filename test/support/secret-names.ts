/** Names under which people keep secrets, as in configurations of real tools. */
const words = `
  pass passw passwd password passwords passphrase passcode pwd pw psk pin pins otp secret secrets sharedSecret
  clientSecret appSecret apiSecret consumerSecret webhookSecret signingSecret jwtSecret sessionSecret cookieSecret
  masterSecret secretKey secretAccessKey secretId secretString secretValue secret_token
  smtpPass smtpPassword smtpPwd smtpSecret smtpAuth smtpToken mailPass mailPassword imapPass imapPassword popPassword
  dbPass dbPassword dbPwd databasePassword rootPassword adminPass adminPassword adminPwd userPass userPassword
  loginPassword sudoPass proxyPass proxyPassword ldapPassword bindPassword bindCredentials ftpPass sftpPassword
  keystorePassword truststorePassword keyPassword certPassword pfxPassword p12Password sshPassphrase vaultPassword
  cred creds credential credentials userCredentials awsCredentials serviceAccount serviceAccountJson
  serviceAccountKey googleCredentials gcpKey gcpJson keyfile keyFile keyfileJson jsonKey applicationCredentials
  key keys apiKey apikey api_key apiKeys 'x-api-key' accessKey accessKeyId access_key awsAccessKeyId storageKey
  accountKey sharedKey sharedAccessKey primaryKey secondaryKey masterKey encryptionKey decryptionKey signingKey
  licenseKey integrationKey routingKey serverKey clientKey consumerKey subscriptionKey functionKey hostKey deployKey
  privateKey private_key publicKey sshKey sshPrivateKey rsaKey pgpKey gpgKey hmacKey kmsKey deviceKey
  pem cert certificate certificates clientCert clientCertificate caCert cacert chain p12 pfx jks keystore keyPair keypair
  privatePem tlsKey tlsCert sslKey sslCert kubeconfig kube_config netrc npmrc pgpass htpasswd dockerconfigjson dotenv
  env envFile environmentVariables vars variables
  token tokens apiToken accessToken access_token refreshToken refresh_token idToken id_token authToken auth_token
  bearerToken bearer botToken userToken oauthToken oauth oauth2 personalAccessToken pat githubToken gitlabToken
  npmToken deployToken runnerToken sasToken sas sasUrl sessionToken securityToken csrfToken xsrfToken deviceToken
  pushToken verificationToken joinToken jwt jws jwe assertion samlAssertion ticket nonce salt pepper seed mnemonic
  auth authentication authorization basicAuth basic httpAuth proxyAuth proxyAuthorization authHeader headerValue
  session sessionId sid cookie cookies setCookie csrf
  webhook webhooks webhookUrl webhookURL webhook_url hook hookUrl callback callbackUrl slackWebhook teamsWebhook
  incomingWebhook discordWebhook notifyUrl pushUrl postUrl deliveryUrl signedUrl presignedUrl inviteUrl
  connectionString connection_string connString connstr conn connectionUri connectionUrl dsn databaseUrl database_url
  dbUrl dbUri jdbc jdbcUrl mongoUri mongodbUri redisUrl amqpUrl rabbitmqUrl postgresUrl mysqlUrl odbc
  sig signature hmac hash digest fingerprint code accessCode authCode activationCode backupCode backupCodes
  recoveryCode recoveryCodes totp totpSecret mfa mfaSecret twoFactorSecret answer securityAnswer challenge
  value values data payload body raw text content blob base64 file files config configuration json yaml xml ini properties
  note notes comment comments description memo remarks extra extras misc other custom customHeaders args arguments
  query queryString params parameters command script template
  zugang kennwort passwort schluessel geheimnis contrasena clave motdepasse senha segredo parola hemmelighet
  'mot de passe' пароль ключ 密码 秘密 パスワード
  a b x x1 k v s t foo`;

/** More than two hundred of them; none would be harmless in an integration of any kind. */
export const secretNames: readonly string[] = [
  ...new Set(Array.from(words.matchAll(/'([^']+)'|(\S+)/g), ([, quoted, bare]) => quoted ?? bare ?? '')),
];
