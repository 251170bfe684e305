/** Settings of the Cosmos REST API and of gRPC: `app.toml` (`cosmos-rest-grpc.md` §13). */
import { appKey, setting } from './setting.ts'

export const gatewaySettings = {
  apiEnable: setting({
    help: 'Serve the Cosmos REST API.',
    value: false,
    flag: 'api.enable',
    file: appKey('api', 'enable'),
  }),
  apiAddress: setting({
    help: 'Address of the Cosmos REST API, as HOST:PORT or tcp://HOST:PORT; empty turns it off.',
    value: '127.0.0.1:1317',
    flag: 'api.address',
    file: appKey('api', 'address'),
  }),
  apiMaxOpenConnections: setting({
    help: 'Maximum number of connections to the REST API; 0 means no limit.',
    value: 1000,
    flag: 'api.max-open-connections',
    file: appKey('api', 'max-open-connections'),
  }),
  apiReadTimeout: setting({
    help: 'Maximum time that a REST client may take to send a request, in seconds.',
    value: 10,
    flag: 'api.rpc-read-timeout',
    file: appKey('api', 'rpc-read-timeout'),
  }),
  apiMaxBodyBytes: setting({
    help: 'Maximum size of a REST request body, in bytes.',
    value: 1_000_000,
    flag: 'api.rpc-max-body-bytes',
    file: appKey('api', 'rpc-max-body-bytes'),
    live: true,
  }),
  apiUnsafeCors: setting({
    help: 'Allow pages of any origin to read REST responses.',
    value: false,
    flag: 'api.enabled-unsafe-cors',
    file: appKey('api', 'enabled-unsafe-cors'),
    live: true,
  }),
  apiSwagger: setting({
    help: 'Serve documentation of the REST API at /swagger/.',
    value: false,
    flag: 'api.swagger',
    file: appKey('api', 'swagger'),
    live: true,
  }),
  grpcEnable: setting({
    help: 'Serve gRPC.',
    value: true,
    flag: 'grpc.enable',
    file: appKey('grpc', 'enable'),
  }),
  grpcAddress: setting({
    help: 'HOST:PORT of gRPC; empty turns it off.',
    value: '127.0.0.1:9090',
    flag: 'grpc.address',
    file: appKey('grpc', 'address'),
  }),
  grpcWebEnable: setting({
    help: 'Serve gRPC-web at the address of the REST API.',
    value: true,
    flag: 'grpc-web.enable',
    file: appKey('grpc-web', 'enable'),
    live: true,
  }),
  grpcMaxRecvMsgSize: setting({
    help: 'Maximum size of a gRPC request message, in bytes.',
    value: 10_485_760,
    flag: 'grpc.max-recv-msg-size',
    file: appKey('grpc', 'max-recv-msg-size'),
    live: true,
  }),
  grpcMaxSendMsgSize: setting({
    help: 'Maximum size of a gRPC response message, in bytes.',
    value: 2_147_483_647,
    flag: 'grpc.max-send-msg-size',
    file: appKey('grpc', 'max-send-msg-size'),
    live: true,
  }),
} as const
