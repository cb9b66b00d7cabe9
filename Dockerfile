FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
RUN npm run build && node dev/bootstrap.mjs runtime-packages /runtime

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
# Such as "ffmpeg fonts-noto-color-emoji", which the embedded renderer uses.
ARG EXTRA_PACKAGES=""
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git ${EXTRA_PACKAGES} \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data WORKFLOW_BUNDLE=/app/dist/workflows.js
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /runtime/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN install -d -o node -g node /data
USER node
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8787) + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The worker runs the same image with `node --max-semi-space-size=8 dist/worker.js`.
CMD ["node", "--max-semi-space-size=8", "dist/server.js"]
