# The production image: it builds with all packages and runs with the production packages.
# docs/how-to/run-in-production.md explains its use. The root can be read-only: only the embedded stores write, and only
# to /var/lib/charter.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /charter
COPY package.json package-lock.json ./
COPY scripts scripts
RUN node scripts/ready.mjs
COPY nest-cli.json .swcrc tsconfig.json ./
COPY libs libs
COPY apps apps
COPY web web
RUN node scripts/ready.mjs --build

# The base image contains Node, and the image needs no types and source maps of packages.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /charter
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error \
  && rm -rf node_modules/node-linux-* node_modules/.bin \
  && find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="Charter" \
  org.opencontainers.image.description="Event-sourced organization service" \
  org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production CHARTER_HOME=/charter HOST=0.0.0.0 CHARTER_DATA=/var/lib/charter CHARTER_DEMO=off
WORKDIR /charter
RUN mkdir -p /var/lib/charter && chown 1000:1000 /var/lib/charter
COPY --from=packages /charter/node_modules node_modules
COPY --from=build /charter/dist/apps dist/apps
COPY --from=build /charter/dist/web dist/web
COPY LICENSE package.json ./
COPY --chmod=755 bin/in-image.sh /usr/local/bin/charter
# The base image's user `node`, by number, so that an orchestrator can check that it is not root.
USER 1000:1000
EXPOSE 3000
VOLUME /var/lib/charter
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["charter"]
CMD ["serve"]
