# To build on the very same image each time: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:...
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json ./packages/client/
COPY packages/console/package.json ./packages/console/
COPY packages/demo/package.json ./packages/demo/
COPY packages/embedded-postgres/package.json ./packages/embedded-postgres/
COPY packages/sdk/package.json ./packages/sdk/
RUN npm ci --ignore-scripts
COPY tsconfig.json nest-cli.json .swcrc ormconfig.ts ./
COPY src ./src
COPY packages ./packages
COPY scripts/build.mjs scripts/build-if-stale.mjs scripts/end-with-parent.mjs ./scripts/
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
# The C library keeps what was freed for reuse, and more of it the larger that was, unless told where to stop.
ENV HOST=0.0.0.0 DATA_DIR=/data MALLOC_MMAP_THRESHOLD_=131072
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/packages/client ./packages/client
# The client as the command `store`, as pipelines call it.
RUN mkdir /data && chown node:node /data && ln -s /app/packages/client/bin/store.cjs /usr/local/bin/store
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# Bounded memory: without these, V8 lets garbage pile up to several times what lives.
CMD ["node", "--max-old-space-size=512", "--min-semi-space-size=8", "--max-semi-space-size=8", "--enable-source-maps", "dist/src/main.js"]
