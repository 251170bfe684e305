# chainstage in a container: docker build -t chainstage . && docker run --rm -p 8545:8545 -p 8546:8546 -p 26657:26657 chainstage
FROM node:20-slim AS build
WORKDIR /build
COPY package.json package-lock.json tsconfig.json .npmrc ./
COPY src/package.json ./src/
RUN npm ci --omit=dev --ignore-scripts
COPY scripts ./scripts
COPY src ./src
COPY scenarios ./scenarios
RUN npm run bundle

FROM node:20-slim
ENV NODE_ENV=production
WORKDIR /opt/chainstage
COPY package.json LICENSE NOTICE README.md ./
COPY genesis ./genesis
COPY scenarios ./scenarios
COPY templates ./templates
COPY snapshots ./snapshots
COPY src/evm/evm.wasm src/evm/NOTICES.md ./src/evm/
COPY --from=build /build/dist/program ./dist/program
COPY --from=build /build/dist/dashboard ./dist/dashboard
RUN chmod +x dist/program/main.js && ln -s /opt/chainstage/dist/program/main.js /usr/local/bin/chainstage
RUN mkdir /chain && chown node:node /chain
WORKDIR /chain
USER node

# What a published port leads to listens on every address of the container. The control port does not:
# whoever reaches it rules the chain, so it stays on the container's own loopback until it is asked out.
ENV CHAINSTAGE_RPC_LADDR=tcp://0.0.0.0:26657
ENV CHAINSTAGE_JSON_RPC_ADDRESS=0.0.0.0:8545
ENV CHAINSTAGE_JSON_RPC_WS_ADDRESS=0.0.0.0:8546
ENV CHAINSTAGE_API_ADDRESS=0.0.0.0:1317
ENV CHAINSTAGE_GRPC_ADDRESS=0.0.0.0:9090
EXPOSE 26657 8545 8546 1317 9090
HEALTHCHECK --interval=2s --timeout=5s --retries=30 CMD ["node", "-e", "fetch('http://127.0.0.1:26657/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["chainstage"]
CMD ["start"]
