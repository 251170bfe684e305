# chainstage in a container: docker build -t chainstage . && docker run --rm -p 8545:8545 -p 8546:8546 -p 26657:26657 chainstage
FROM node:20-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY src ./src
RUN npm run build

FROM node:20-slim
ENV NODE_ENV=production
WORKDIR /opt/chainstage
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY LICENSE NOTICE README.md ./
COPY genesis ./genesis
COPY scenarios ./scenarios
COPY snapshots ./snapshots
COPY src/evm/evm.wasm src/evm/NOTICES.md ./src/evm/
COPY src/shell/control/page ./src/shell/control/page
COPY --from=build /build/dist/src ./dist/src
RUN chmod +x dist/src/main.js && ln -s /opt/chainstage/dist/src/main.js /usr/local/bin/chainstage
RUN mkdir /chain && chown node:node /chain
WORKDIR /chain
USER node

# What a published port leads to listens on every address of the container. The control port does not:
# whoever reaches it rules the chain, so it stays on the container's own loopback until it is asked out.
ENV CHAINSTAGE_RPC_LADDR=tcp://0.0.0.0:26657
ENV CHAINSTAGE_JSON_RPC_ADDRESS=0.0.0.0:8545
ENV CHAINSTAGE_JSON_RPC_WS_ADDRESS=0.0.0.0:8546
EXPOSE 26657 8545 8546
HEALTHCHECK --interval=2s --timeout=5s --retries=30 CMD ["node", "-e", "fetch('http://127.0.0.1:26657/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["chainstage"]
CMD ["start"]
