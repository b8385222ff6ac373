# To build on the very same images each time: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:... and the same for
# BASE_IMAGE.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /source
COPY . .
RUN npm ci --ignore-scripts && npm run pack:service && \
  mkdir /app && tar -xzf store-service-*.tgz -C /app --strip-components=1
WORKDIR /app
# What only people read or debuggers ask for is left out; the list of what is in the image stays (SBOM, CycloneDX).
RUN npm ci --omit=dev --ignore-scripts && npm sbom --omit=dev --sbom-format=cyclonedx > sbom.cdx.json && \
  find node_modules -type f '(' -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' ')' -delete

# Node.js alone, without npm, and nothing that compiles.
FROM ${BASE_IMAGE}
# The C library keeps what was freed for reuse, and more of it the larger that was, unless told where to stop.
ENV HOST=0.0.0.0 DATA_DIR=/data MALLOC_MMAP_THRESHOLD_=131072
WORKDIR /app
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app
# The client as the command `store`, as pipelines call it.
RUN useradd --uid 1000 --user-group --create-home node && mkdir /data && chown node:node /data && \
  ln -s /app/client/store.cjs /usr/local/bin/store
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# Bounded memory: without these, V8 lets garbage pile up to several times what lives.
CMD ["node", "--max-old-space-size=512", "--min-semi-space-size=8", "--max-semi-space-size=8", "--enable-source-maps", "dist/src/main.js"]
